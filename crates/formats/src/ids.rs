//! Ids as types, so that a topic is never taken for a document.
//!
//! All ids are kept as the text that stood in the file: ties are broken by the
//! bytes of an id, and `07` is not `7`. Only [`TopicId`] has a second order,
//! the one people expect of numbered things.

use std::borrow::Borrow;
use std::cmp::Ordering;
use std::fmt;

/// The id of what a topic retrieves: an answer, a formula, a visual id.
///
/// It borrows from the file it was read from; its order is that of its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DocId<'a>(pub &'a str);

impl<'a> DocId<'a> {
    /// The id as it stands in files.
    #[must_use]
    pub fn as_str(self) -> &'a str {
        self.0
    }
}

impl fmt::Display for DocId<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

macro_rules! owned_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(Box<str>);

        impl $name {
            /// An id from its text.
            #[must_use]
            pub fn new(text: impl Into<Box<str>>) -> Self {
                Self(text.into())
            }

            /// The id as it stands in files.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(&self.0)
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self::new(text)
            }
        }

        impl Borrow<str> for $name {
            fn borrow(&self) -> &str {
                &self.0
            }
        }
    };
}

owned_id! {
    /// The id of a topic, such as `A.301` or `NTCIR12-MathWiki-7`; ordered by its bytes.
    TopicId
}
owned_id! {
    /// The id of a formula instance, such as `q_12` or `8274633`.
    FormulaId
}
owned_id! {
    /// The name a run carries in its last column.
    RunTag
}
owned_id! {
    /// The id that all formulas share that look the same.
    VisualId
}
owned_id! {
    /// The id of a question or an answer.
    PostId
}

impl TopicId {
    /// The order in which people list topics: numbers inside the ids count as
    /// numbers, so that `A.9` stands before `A.10`.
    ///
    /// ```
    /// use formats::TopicId;
    /// let mut topics = ["A.10", "A.9", "B.1"].map(TopicId::from);
    /// topics.sort_by(TopicId::natural_cmp);
    /// assert_eq!(topics.map(|topic| topic.to_string()), ["A.9", "A.10", "B.1"]);
    /// ```
    #[must_use]
    pub fn natural_cmp(&self, other: &Self) -> Ordering {
        let (mut left, mut right) = (self.as_str(), other.as_str());
        while !left.is_empty() && !right.is_empty() {
            let (left_part, left_rest) = split_run(left);
            let (right_part, right_rest) = split_run(right);
            let order = match (starts_with_digit(left_part), starts_with_digit(right_part)) {
                (true, true) => {
                    let (a, b) = (left_part.trim_start_matches('0'), right_part.trim_start_matches('0'));
                    a.len().cmp(&b.len()).then_with(|| a.cmp(b))
                }
                _ => left_part.cmp(right_part),
            };
            if order.is_ne() {
                return order;
            }
            (left, right) = (left_rest, right_rest);
        }
        left.len().cmp(&right.len()).then_with(|| self.cmp(other))
    }
}

fn starts_with_digit(text: &str) -> bool {
    text.as_bytes().first().is_some_and(u8::is_ascii_digit)
}

/// Cuts off the leading digits, or all that stands before the first digit.
fn split_run(text: &str) -> (&str, &str) {
    let digits = starts_with_digit(text);
    let end = text.bytes().position(|byte| byte.is_ascii_digit() != digits).unwrap_or(text.len());
    text.split_at(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(left: &str, right: &str) {
        let (left, right) = (TopicId::from(left), TopicId::from(right));
        assert_eq!(left.natural_cmp(&right), Ordering::Less, "{left} {right}");
        assert_eq!(right.natural_cmp(&left), Ordering::Greater, "{right} {left}");
    }

    #[test]
    fn numbers_inside_ids_count() {
        check("A.9", "A.10");
        check("A.10", "B.1");
        check("A.1", "A.1b");
        check("7", "x");
        check("A.1-2", "A.1-10");
    }

    #[test]
    fn different_ids_never_compare_equal() {
        check("A.07", "A.7");
        check("", "A");
    }
}
