//! A text as its words, lower-case, one blank between them.

use markup::MARKER;

/// The words of a text; each formula is a word of its own, the marker.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words {
    /// All words, with a blank before, between and after them.
    line: String,
    /// How many words there are, formulas not counted.
    pub terms: usize,
    /// How many formulas there are.
    pub formulas: usize,
}

/// Takes a text apart: letters and digits make words, an apostrophe inside one goes, all else parts them.
///
/// ```
/// let words = topics::wording::words("Why doesn't \u{FDD0} grow?");
/// assert_eq!((words.terms, words.formulas, words.count("doesnt")), (3, 1, 1));
/// ```
#[must_use]
pub fn words(text: &str) -> Words {
    let mut words = Words { line: String::from(" "), ..Words::default() };
    let mut inside = false;
    for c in text.chars() {
        if c.is_alphanumeric() {
            words.terms += usize::from(!inside);
            inside = true;
            words.line.extend(c.to_lowercase());
        } else if !(inside && matches!(c, '\'' | '’')) {
            words.end(&mut inside);
            if c == MARKER {
                words.formulas += 1;
                words.line.push(MARKER);
                words.line.push(' ');
            }
        }
    }
    words.end(&mut inside);
    words
}

impl Words {
    fn end(&mut self, inside: &mut bool) {
        if std::mem::take(inside) {
            self.line.push(' ');
        }
    }

    /// How often a phrase of lower-case words is there.
    #[must_use]
    pub fn count(&self, phrase: &str) -> usize {
        let line = self.line.as_bytes();
        let starts = self.line.match_indices(phrase);
        starts.filter(|(at, _)| line[at - 1] == b' ' && line[at + phrase.len()] == b' ').count()
    }

    /// Whether one of the phrases is there.
    #[must_use]
    pub fn has_any(&self, phrases: &[&str]) -> bool {
        phrases.iter().any(|phrase| self.count(phrase) > 0)
    }

    /// Whether the text begins with one of the phrases.
    #[must_use]
    pub fn begins_with_any(&self, phrases: &[&str]) -> bool {
        let line = &self.line[1..];
        let begins = |phrase: &&str| line.strip_prefix(*phrase).is_some_and(|rest| rest.starts_with(' '));
        phrases.iter().any(begins)
    }

    /// The words in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.line.split_ascii_whitespace()
    }
}
