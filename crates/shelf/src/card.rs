//! What a model's card says: the front matter of its `README.md`.
//!
//! Cards begin with YAML between two lines of dashes. The keys needed here hold a word or a list of words, so
//! that is all that is read; anything else is passed over.

use std::path::Path;

/// A card is a page; what is beyond this is not read.
const LONGEST: usize = 1 << 20;
/// Values of a list that are kept.
const MOST: usize = 200;

/// What a model's card says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Card {
    pub(crate) datasets: Vec<String>,
    pub(crate) base_models: Vec<String>,
    pub(crate) licence: Option<String>,
    /// The first heading, if it is one word that can be a name.
    pub(crate) title: Option<String>,
}

impl Card {
    /// Reads the card of a folder; a folder without one has an empty card.
    pub(crate) fn read(folder: &Path) -> Self {
        let Ok(bytes) = std::fs::read(folder.join("README.md")) else { return Self::default() };
        Self::parse(&String::from_utf8_lossy(&bytes[..bytes.len().min(LONGEST)]))
    }

    fn parse(text: &str) -> Self {
        let text = text.trim_start_matches('\u{FEFF}');
        let mut lines = text.lines();
        let mut card = Self::default();
        if text.lines().next().is_some_and(|line| line.trim_end() == "---") {
            let front: Vec<&str> =
                lines.by_ref().skip(1).take_while(|line| line.trim_end() != "---").collect();
            card.datasets = values(&front, "datasets");
            card.base_models = values(&front, "base_model");
            card.licence = values(&front, "license").into_iter().next();
        }
        let heading = lines.find_map(|line| line.strip_prefix("# ")).map(str::trim);
        card.title = heading.filter(|title| crate::name::is_good(title)).map(str::to_owned);
        card
    }
}

/// The value of a key at the left margin: a word, a list in brackets, or a list of lines with dashes.
fn values(front: &[&str], key: &str) -> Vec<String> {
    let start =
        front.iter().position(|line| line.strip_prefix(key).is_some_and(|rest| rest.starts_with(':')));
    let Some(start) = start else { return Vec::new() };
    let inline = without_comment(&front[start][key.len() + 1..]);
    let mut found: Vec<String> = Vec::new();
    let mut push = |value: &str| {
        let value = value.trim().trim_matches(['"', '\'']).trim();
        let is_word = !value.is_empty() && value.len() <= 200 && !value.chars().any(char::is_control);
        if is_word && found.len() < MOST && !found.iter().any(|known| known == value) {
            found.push(value.to_owned());
        }
    };
    if let Some(list) = inline.strip_prefix('[') {
        list.trim_end_matches(']').split(',').for_each(&mut push);
    } else if !inline.is_empty() {
        push(inline);
    } else {
        for line in &front[start + 1..] {
            match line.trim_start().strip_prefix("- ") {
                Some(value) => push(without_comment(value)),
                None if line.trim().is_empty() || line.trim_start().starts_with('#') => {}
                None => break,
            }
        }
    }
    found
}

fn without_comment(value: &str) -> &str {
    value.split(" #").next().unwrap_or(value).trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_lists() {
        let card = Card::parse(
            "---\nlanguage: en\nlicense: apache-2.0 # as all\ndatasets:\n- s2orc\n- \"a/b\"\n\n  - c\nbase_model: [x/y, 'z']\nother:\n- no\n---\n\n# all-MiniLM-L6-v2\n# second\n",
        );
        assert_eq!(card.datasets, ["s2orc", "a/b", "c"]);
        assert_eq!(card.base_models, ["x/y", "z"]);
        assert_eq!(card.licence.as_deref(), Some("apache-2.0"));
        assert_eq!(card.title.as_deref(), Some("all-MiniLM-L6-v2"));
    }

    #[test]
    fn cards_without_front_matter_or_with_no_end_of_it() {
        let card = Card::parse("# A model of ours\ndatasets: x\n");
        assert_eq!(card, Card::default());
        assert_eq!(Card::parse("---\ndatasets: one").datasets, ["one"]);
        assert_eq!(Card::parse(""), Card::default());
    }
}
