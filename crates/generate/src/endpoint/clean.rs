//! Texts from elsewhere, as they may be shown.

use crate::Key;

/// How many letters of what a server says are told.
const SHOWN_LETTERS: usize = 300;

/// A text from elsewhere as it may be shown: on one line, without the key, and short.
pub(super) fn clean(text: &str, key: Option<&Key>) -> String {
    let plain: String = text.chars().filter(|letter| letter.is_whitespace() || !is_hidden(*letter)).collect();
    let mut line = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    // Before it is shortened: half a key is a secret, too.
    if let Some(key) = key {
        line = key.scrub(&line);
    }
    if let Some((end, _)) = line.char_indices().nth(SHOWN_LETTERS) {
        line.truncate(end);
        line.push('…');
    }
    line
}

/// Whether a letter does something to a terminal, or changes how others look.
pub(super) fn is_hidden(letter: char) -> bool {
    let direction =
        matches!(letter, '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}');
    letter.is_control() || direction || letter == '\u{FEFF}'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_servers_say_is_cleaned_before_it_is_shown() {
        let key = Key::new("sk-secret").unwrap();
        assert_eq!(clean("a\r\n\tb\u{1B}[31m\u{202E}c", None), "a b[31mc");
        assert_eq!(clean("no sk-secret, no s\0k-secret", Some(&key)), "no [key], no [key]");
        assert_eq!(clean(&"é".repeat(400), None), "é".repeat(SHOWN_LETTERS) + "…");
        let at_the_end = "x".repeat(SHOWN_LETTERS - 4) + "sk-secret";
        assert!(!clean(&at_the_end, Some(&key)).contains("sk-"));
    }
}
