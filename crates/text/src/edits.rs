//! How far apart two names are, to find the one that was meant.

/// The letters to add, remove or change, and neighbours to exchange, that make one name of another.
///
/// ```
/// assert_eq!(text::edits("kitten", "sitting"), 3);
/// assert_eq!(text::edits("fromula", "formula"), 1);
/// ```
#[must_use]
pub fn edits(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=to.len()).collect();
    let mut previous = None;
    for (row, letter) in from.chars().enumerate() {
        let mut current = vec![row + 1];
        for (column, other) in to.iter().enumerate() {
            let change = last[column] + usize::from(letter != *other);
            let mut least = change.min(last[column + 1] + 1).min(current[column] + 1);
            if column > 0 && previous == Some(*other) && to[column - 1] == letter {
                least = least.min(before_last[column - 1] + 1);
            }
            current.push(least);
        }
        before_last = std::mem::replace(&mut last, current);
        previous = Some(letter);
    }
    last[to.len()]
}

#[cfg(test)]
mod tests {
    use super::edits;

    #[test]
    fn names_are_so_many_edits_apart() {
        for (from, to, expected) in [
            ("", "", 0),
            ("", "abc", 3),
            ("abc", "", 3),
            ("latex", "latex", 0),
            ("kitten", "sitting", 3),
            ("ab", "ba", 1),
        ] {
            assert_eq!(edits(from, to), expected, "{from} {to}");
            assert_eq!(edits(to, from), expected, "{to} {from}");
        }
    }
}
