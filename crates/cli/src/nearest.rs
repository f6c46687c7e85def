//! For unknown names: the known ones, and the one that was probably meant.

/// A sentence that lists the known names and, if one is close, suggests it.
pub(crate) fn suggest(wanted: &str, known: &[String]) -> String {
    let mut sentence = String::new();
    if let Some(name) = nearest(wanted, known) {
        sentence.push_str(&format!("did you mean '{name}'? "));
    }
    sentence.push_str(&format!("known: {}", known.join(", ")));
    sentence
}

/// The known name with the fewest edits from `wanted`, if that is few enough
/// to be a slip of the hand; the first of several.
fn nearest<'k>(wanted: &str, known: &'k [String]) -> Option<&'k str> {
    let limit = wanted.chars().count().max(3) / 2;
    known
        .iter()
        .map(|name| (distance(&wanted.to_lowercase(), &name.to_lowercase()), name))
        .filter(|(edits, _)| *edits <= limit)
        .min_by_key(|(edits, _)| *edits)
        .map(|(_, name)| name.as_str())
}

/// Levenshtein's distance between two names.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, to) in b.iter().enumerate() {
            let replace = diagonal + usize::from(from != *to);
            diagonal = row[j + 1];
            row[j + 1] = replace.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("latex", "latex"), 0);
    }

    #[test]
    fn suggests_only_what_is_close() {
        let known = ["id".to_owned(), "formula".to_owned(), "visual_id".to_owned()];
        assert_eq!(nearest("fromula", &known), Some("formula"));
        assert_eq!(nearest("VISUALID", &known), Some("visual_id"));
        assert_eq!(nearest("zzzzz", &known), None);
        assert_eq!(suggest("zzzzz", &known), "known: id, formula, visual_id");
    }
}
