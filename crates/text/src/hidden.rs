//! Characters that nobody sees: which they are, and how a message shows them.
//!
//! An id that holds one is another id than it looks like, and one that turns the direction of text makes the
//! words beside it read backwards. Readers of ids refuse them ([`hidden_character`]); messages, tables and
//! pages that quote a text by others show them by their numbers ([`visible`]).

use std::borrow::Cow;
use std::fmt::Write as _;

/// Whether a character is not seen: controls, marks of no width, changes of direction, tags.
#[must_use]
pub fn is_hidden(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{00AD}' | '\u{034F}' | '\u{061C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}'
            | '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}'
            | '\u{3164}' | '\u{FEFF}' | '\u{FFA0}' | '\u{FFF9}'..='\u{FFFB}' | '\u{1D173}'..='\u{1D17A}'
            | '\u{E0000}'..='\u{E0FFF}')
}

/// The first character of an id that nobody sees, so that the id is another one than it looks like.
///
/// ```
/// assert_eq!(text::hidden_character("A.1"), None);
/// assert_eq!(text::hidden_character("A\u{202E}1"), Some('\u{202E}'));
/// ```
#[must_use]
pub fn hidden_character(id: &str) -> Option<char> {
    if id.bytes().all(|byte| byte.is_ascii_graphic()) {
        return None;
    }
    id.chars().find(|letter| is_hidden(*letter))
}

/// A text by others as it may be shown: characters that are not seen become their numbers. Line ends and tabs
/// stay, and so do the two joiners, which some scripts and emoji need.
///
/// ```
/// assert_eq!(text::visible("run\u{202E}gpj.\u{1B}[31m"), "run<U+202E>gpj.<U+001B>[31m");
/// assert_eq!(text::visible("a\tb\n"), "a\tb\n");
/// ```
#[must_use]
pub fn visible(text: &str) -> Cow<'_, str> {
    let is_shown =
        |letter: char| !is_hidden(letter) || matches!(letter, '\n' | '\t' | '\u{200C}' | '\u{200D}');
    if text.chars().all(is_shown) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for letter in text.chars() {
        if is_shown(letter) {
            out.push(letter);
        } else {
            let _ = write!(out, "<U+{:04X}>", u32::from(letter));
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_that_nobody_sees_are_found() {
        for letter in [
            '\0',
            '\u{7F}',
            '\u{AD}',
            '\u{200B}',
            '\u{202A}',
            '\u{202E}',
            '\u{2066}',
            '\u{FEFF}',
            '\u{E0041}',
        ] {
            assert_eq!(hidden_character(&format!("A{letter}1")), Some(letter));
            assert_eq!(visible(&letter.to_string()), format!("<U+{:04X}>", u32::from(letter)));
        }
        for id in ["A.1", "42", "é-1", "数学", "a b"] {
            assert_eq!(hidden_character(id), None, "{id}");
            assert_eq!(visible(id), id);
        }
    }
}
