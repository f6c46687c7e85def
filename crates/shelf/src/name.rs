//! Names of models, and the one that was probably meant.

use crate::Error;

const LONGEST: usize = 96;
/// Names shown of many.
const MOST: usize = 24;

/// Checks that a name can be a folder on every system and an argument of every command.
pub(crate) fn check(name: &str) -> Result<(), Error> {
    let reason = if name.is_empty() {
        "it is empty"
    } else if name.len() > LONGEST {
        "it is longer than 96 bytes"
    } else if name.starts_with(['.', '-']) {
        "it starts with a dot or a dash"
    } else if !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte)) {
        "use letters, digits, dots, dashes and underscores"
    } else {
        return Ok(());
    };
    Err(Error::Name { name: name.to_owned(), reason })
}

pub(crate) fn is_good(name: &str) -> bool {
    check(name).is_ok()
}

/// The nearest of the known names, and the known names.
pub(crate) fn suggest(wanted: &str, known: &[&str]) -> String {
    if known.is_empty() {
        return "the store is empty; add a model with `hypatia model add` or `hypatia model fetch`"
            .to_owned();
    }
    let mut sentence =
        nearest(wanted, known).map_or_else(String::new, |name| format!("did you mean '{name}'? "));
    sentence.push_str("known: ");
    sentence.push_str(&known[..known.len().min(MOST)].join(", "));
    if known.len() > MOST {
        sentence.push_str(&format!(", and {} more", known.len() - MOST));
    }
    sentence
}

/// The known name that holds the wanted one or is held by it, else the one with the fewest edits if those are
/// few enough to be a typing error; the first of several.
fn nearest<'k>(wanted: &str, known: &[&'k str]) -> Option<&'k str> {
    // People often give the name that the hub has, with the organisation in front.
    let wanted = wanted.rsplit('/').next().unwrap_or(wanted).to_lowercase();
    if wanted.len() > LONGEST {
        return None;
    }
    let limit = wanted.chars().count().max(3) / 2;
    let edits = |name: &&'k str| {
        let name = name.to_lowercase();
        if wanted.len() >= 3 && (name.contains(&wanted) || wanted.contains(&name)) {
            0
        } else {
            text::edits(&wanted, &name)
        }
    };
    known
        .iter()
        .map(|name| (edits(name), *name))
        .filter(|(edits, _)| *edits <= limit)
        .min_by_key(|(edits, _)| *edits)
        .map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_plain_names_of_folders() {
        for good in ["all-MiniLM-L6-v2", "a", "model_1.5", "0"] {
            assert!(is_good(good), "{good}");
        }
        for bad in ["", ".", "..", ".hidden", "-x", "a/b", "a\\b", "a b", "é", "a\0", &"x".repeat(97)] {
            assert!(!is_good(bad), "{bad:?}");
        }
    }

    #[test]
    fn the_nearest_name_is_suggested() {
        let known = ["all-MiniLM-L6-v2", "all-mpnet-base-v2"];
        assert_eq!(nearest("minilm", &known), Some("all-MiniLM-L6-v2"));
        assert_eq!(nearest("sentence-transformers/all-mpnet-base-v2", &known), Some("all-mpnet-base-v2"));
        assert_eq!(nearest("all-MiniLM-L12-v2", &known), Some("all-MiniLM-L6-v2"));
        assert_eq!(nearest("xyz", &known), None);
        assert_eq!(suggest("xyz", &known), "known: all-MiniLM-L6-v2, all-mpnet-base-v2");
        assert!(suggest("xyz", &[]).contains("is empty"));
    }
}
