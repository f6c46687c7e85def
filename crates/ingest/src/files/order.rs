//! The order in which people expect files: `2.tsv` before `10.tsv`.

use std::cmp::Ordering;

/// Compares two paths with `/` part by part, and in a part runs of digits by their number.
///
/// ```
/// use std::cmp::Ordering;
/// assert_eq!(ingest::files::natural("2.tsv", "10.tsv"), Ordering::Less);
/// assert_eq!(ingest::files::natural("a/z", "a-b/c"), Ordering::Less);
/// ```
#[must_use]
pub fn natural(left: &str, right: &str) -> Ordering {
    let parts = left.split('/').map(Some).chain(std::iter::repeat(None));
    let mut others = right.split('/').map(Some).chain(std::iter::repeat(None));
    for part in parts {
        let other = others.next().flatten();
        let order = match (part, other) {
            (Some(part), Some(other)) => natural_part(part, other),
            (None, None) => break,
            (part, other) => part.cmp(&other),
        };
        if order != Ordering::Equal {
            return order;
        }
    }
    // `01` and `1` are the same number but not the same name.
    left.cmp(right)
}

fn natural_part(mut left: &str, mut right: &str) -> Ordering {
    loop {
        let (number, other) = (digits(left), digits(right));
        let order = if number.is_empty() || other.is_empty() {
            let (first, second) = (left.chars().next(), right.chars().next());
            if first.is_none() && second.is_none() {
                return Ordering::Equal;
            }
            left = first.map_or("", |char| &left[char.len_utf8()..]);
            right = second.map_or("", |char| &right[char.len_utf8()..]);
            first.cmp(&second)
        } else {
            left = &left[number.len()..];
            right = &right[other.len()..];
            let (number, other) = (number.trim_start_matches('0'), other.trim_start_matches('0'));
            number.len().cmp(&other.len()).then_with(|| number.cmp(other))
        };
        if order != Ordering::Equal {
            return order;
        }
    }
}

fn digits(text: &str) -> &str {
    let end = text.find(|char: char| !char.is_ascii_digit()).unwrap_or(text.len());
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::natural;

    #[test]
    fn files_come_as_people_expect() {
        let expected = [
            "",
            "1.tsv",
            "2.tsv",
            "02.tsv.gz",
            "10.tsv",
            "100000000000000000000000.tsv",
            "a",
            "a/1",
            "a/2/x",
            "a/10/b",
            "a/b",
            "a b",
            "a1",
            "a01b",
            "a1c",
            "b",
            "é",
        ];
        let mut sorted = expected.to_vec();
        sorted.reverse();
        sorted.sort_by(|left, right| natural(left, right));
        assert_eq!(sorted, expected);
    }
}
