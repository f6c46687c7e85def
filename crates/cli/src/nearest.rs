//! For unknown names: the known ones, and the one that was probably meant.

/// Names shown of many.
const MOST: usize = 24;
/// Characters shown of a long name.
const LONGEST: usize = 32;

/// A sentence that lists the known names and, if one is close, suggests it.
pub(crate) fn suggest(wanted: &str, known: &[String]) -> String {
    let mut sentence = String::new();
    if let Some(name) = nearest(wanted, known) {
        sentence.push_str(&format!("did you mean '{name}'? "));
    }
    sentence.push_str(&format!("known: {}", list(known)));
    sentence
}

/// Names for one line of a message; they may be anything, a whole formula even.
pub(crate) fn list(names: &[String]) -> String {
    let short = |name: &String| {
        let mut characters =
            name.chars().map(|character| if character.is_control() { ' ' } else { character });
        let mut short: String = characters.by_ref().take(LONGEST).collect();
        if characters.next().is_some() {
            short.push('…');
        }
        short
    };
    let mut shown: Vec<String> = names.iter().take(MOST).map(short).collect();
    if names.len() > MOST {
        shown.push(format!("and {} more", names.len() - MOST));
    }
    shown.join(", ")
}

/// The known name with the fewest edits from `wanted`, if that is few enough
/// to be a slip of the hand; the first of several.
fn nearest<'k>(wanted: &str, known: &'k [String]) -> Option<&'k str> {
    let limit = wanted.chars().count().max(3) / 2;
    known
        .iter()
        .map(|name| (text::edits(&wanted.to_lowercase(), &name.to_lowercase()), name))
        .filter(|(edits, _)| *edits <= limit)
        .min_by_key(|(edits, _)| *edits)
        .map(|(_, name)| name.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggests_only_what_is_close() {
        let known = ["id".to_owned(), "formula".to_owned(), "visual_id".to_owned()];
        assert_eq!(nearest("fromula", &known), Some("formula"));
        assert_eq!(nearest("VISUALID", &known), Some("visual_id"));
        assert_eq!(nearest("zzzzz", &known), None);
        assert_eq!(suggest("zzzzz", &known), "known: id, formula, visual_id");
    }

    #[test]
    fn lists_fit_on_a_line() {
        let names = ["a\tb".to_owned(), "é".repeat(33), "x".repeat(32)];
        assert_eq!(list(&names), format!("a b, {}…, {}", "é".repeat(32), "x".repeat(32)));
        let many: Vec<String> = (0..30).map(|number| number.to_string()).collect();
        assert!(list(&many).ends_with(", 22, 23, and 6 more"));
    }
}
