//! What may be told of a text as it comes: nothing from a stop on, and nothing that may be the key.
//!
//! Both may come in pieces, so that the end of a text is held back as long as it may be their beginning.

use super::clean::is_hidden;
use crate::{Cause, Key};
use std::mem;

/// Lets a text through, piece by piece.
#[derive(Debug, Default)]
pub(super) struct Guard {
    key: Option<Key>,
    stop: Vec<String>,
    held: String,
}

/// What came through.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Passed {
    pub(super) text: String,
    /// Whether a stop came; the text ends before it.
    pub(super) is_stopped: bool,
}

impl Guard {
    pub(super) fn new(key: Option<&Key>, stop: &[String]) -> Self {
        // A short key may be any word, and nothing would come through; an empty stop would stop at once.
        let key = key.filter(|key| key.is_unmistakable()).cloned();
        let stop = stop.iter().filter(|stop| !stop.is_empty()).cloned().collect();
        Self { key, stop, held: String::new() }
    }

    /// What of the text can be told when this piece came.
    pub(super) fn add(&mut self, piece: &str) -> Result<Passed, Cause> {
        self.held.push_str(piece);
        let stop = self.stop.iter().filter_map(|stop| self.held.find(stop.as_str())).min();
        if let Some(at) = stop {
            self.held.truncate(at);
        }
        let before_key = self.before_key()?;
        if stop.is_some() {
            return Ok(Passed { text: mem::take(&mut self.held), is_stopped: true });
        }
        let before_stop =
            self.held.len() - self.stop.iter().map(|stop| begun(&self.held, stop)).max().unwrap_or(0);
        let rest = self.held.split_off(before_key.min(before_stop));
        Ok(Passed { text: mem::replace(&mut self.held, rest), is_stopped: false })
    }

    /// What was held back, when nothing more comes.
    pub(super) fn rest(&mut self) -> String {
        mem::take(&mut self.held)
    }

    /// Up to where no key can have begun. Letters that nobody sees do not hide it.
    fn before_key(&self) -> Result<usize, Cause> {
        let Some(key) = &self.key else { return Ok(self.held.len()) };
        let seen = self.held.char_indices().filter(|(_, letter)| !is_hidden(*letter));
        let (mut plain, mut places) = (String::new(), Vec::new());
        for (place, letter) in seen {
            plain.push(letter);
            places.resize(plain.len(), place);
        }
        if key.is_in(&plain) {
            return Err(Cause::HoldsKey);
        }
        let start = plain.len() - key.begun(&plain);
        Ok(places.get(start).copied().unwrap_or(self.held.len()))
    }
}

/// How many bytes at the end of a text are the beginning of another.
pub(crate) fn begun(text: &str, other: &str) -> usize {
    let lengths = other.char_indices().map(|(length, _)| length).rev();
    lengths.into_iter().find(|length| text.ends_with(&other[..*length])).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &str = "sk-0123456789abcdef";

    fn passed(stop: &[&str], pieces: &[&str]) -> Result<(Vec<String>, String), Cause> {
        let stop: Vec<String> = stop.iter().map(|stop| (*stop).to_owned()).collect();
        let mut guard = Guard::new(Some(&Key::new(SECRET).unwrap()), &stop);
        let mut texts = Vec::new();
        for piece in pieces {
            let passed = guard.add(piece)?;
            texts.push(passed.text);
            if passed.is_stopped {
                texts.push("!".to_owned());
                break;
            }
        }
        Ok((texts, guard.rest()))
    }

    #[test]
    fn a_text_comes_through_as_it_comes() {
        let (texts, rest) = passed(&["\nQ:", ""], &["It ", "is 4.", "\n", "So"]).unwrap();
        assert_eq!(texts, ["It ", "is 4.", "", "\nSo"]);
        assert_eq!(rest, "");
        let (texts, rest) = passed(&["\nQ:"], &["It is 4.\nQ"]).unwrap();
        assert_eq!((texts[0].as_str(), rest.as_str()), ("It is 4.", "\nQ"));
    }

    #[test]
    fn nothing_comes_from_a_stop_on() {
        let stop = ["\nQ:", "é"];
        assert_eq!(passed(&stop, &["4.\n", "Q: Why?"]).unwrap().0, ["4.", "", "!"]);
        assert_eq!(passed(&stop, &["4. é\nQ:", "5"]).unwrap().0, ["4. ", "!"]);
        assert_eq!(passed(&["abc"], &["aab", "c"]).unwrap().0, ["a", "", "!"]);
    }

    #[test]
    fn no_piece_of_a_key_comes_through() {
        let whole: Vec<String> = SECRET.chars().map(String::from).collect();
        let pieces: Vec<&str> = whole.iter().map(String::as_str).collect();
        assert_eq!(passed(&[], &pieces), Err(Cause::HoldsKey));
        assert_eq!(passed(&[], &["It is sk-01234567", "89abcdef."]), Err(Cause::HoldsKey));
        // Where letters that nobody sees are dropped, the key would be there.
        assert_eq!(passed(&[], &["sk-0123\u{1B}45\u{200B}6", "789abcdef"]), Err(Cause::HoldsKey));
        let (texts, rest) = passed(&[], &["so sk", "-ish s"]).unwrap();
        assert_eq!((texts.concat().as_str(), rest.as_str()), ("so sk-ish ", "s"));
        assert_eq!(texts[0], "so ");
    }
}
