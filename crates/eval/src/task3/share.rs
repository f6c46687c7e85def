//! A share with its two counts, so that no ratio is shown without them.

use std::fmt;

/// So many of so many.
///
/// ```
/// use eval::task3::Share;
/// let share: Share = [true, false, true, true].into_iter().collect();
/// assert_eq!((share.to_string(), share.value()), ("3/4".to_owned(), Some(0.75)));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Share {
    /// How many have the property.
    pub count: usize,
    /// How many were looked at.
    pub total: usize,
}

impl Share {
    /// The share as a number; nothing if nothing was looked at.
    #[must_use]
    pub fn value(self) -> Option<f64> {
        (self.total > 0).then(|| self.count as f64 / self.total as f64)
    }

    /// The share of those without the property.
    #[must_use]
    pub fn complement(self) -> Self {
        Self { count: self.total - self.count, total: self.total }
    }
}

impl FromIterator<bool> for Share {
    fn from_iter<I: IntoIterator<Item = bool>>(items: I) -> Self {
        items.into_iter().fold(Self::default(), |share, item| Self {
            count: share.count + usize::from(item),
            total: share.total + 1,
        })
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.count, self.total)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_of_nothing_has_no_value() {
        assert_eq!(Share::default().value(), None);
    }

    #[test]
    fn a_share_and_its_complement() {
        let share = Share { count: 60, total: 72 };
        assert_eq!(share.complement().to_string(), "12/72");
        assert!((share.value().unwrap() - 0.833).abs() < 5e-4);
    }
}
