//! How wide is a text? Fonts differ, so this guesses high.

use crate::escape::{is_combining, is_wide};

/// The width of a text set at this size, in pixels: a little more than the
/// widest of the usual system fonts needs.
pub(crate) fn text_width(text: &str, size: f64) -> f64 {
    text.chars().map(em).sum::<f64>() * size
}

/// [`text_width`] of a text in a class of the style sheet: bold is wider.
pub(super) fn styled_width(class: &str, text: &str, size: f64) -> f64 {
    text_width(text, size * weight(class))
}

/// How much wider than plain text a class sets its letters.
pub(super) fn weight(class: &str) -> f64 {
    if class.contains("bold") { 1.14 } else { 1.0 }
}

fn em(c: char) -> f64 {
    match c {
        c if is_combining(c) => 0.0,
        'i' | 'j' | 'l' | '\'' | '|' | '.' | ',' | ':' | ';' | '!' | 'I' | ' ' | '′' => 0.33,
        'f' | 'r' | 't' | '(' | ')' | '[' | ']' | '/' | '\\' | '-' | '"' | '`' => 0.41,
        'c' | 'k' | 's' | 'v' | 'x' | 'y' | 'z' | '_' | '*' | '–' => 0.56,
        'w' | '+' | '=' | '<' | '>' | '−' | '~' | '&' | '±' => 0.84,
        'm' | 'M' | 'W' | '@' | '%' | '…' | '—' => 1.0,
        'G' | 'O' | 'Q' | 'D' | 'H' | 'N' | 'U' => 0.79,
        'A'..='Z' => 0.7,
        c if c.is_ascii() => 0.64,
        c if is_wide(c) => 1.05,
        _ => 0.72,
    }
}

/// The text if it fits, else its beginning and end with an ellipsis between:
/// names of runs differ as often at the end as at the beginning.
pub(crate) fn shorten(text: &str, room: f64, size: f64) -> String {
    if text_width(text, size) <= room {
        return text.to_owned();
    }
    let chars: Vec<char> = text.chars().collect();
    let mut kept = chars.len().saturating_sub(1);
    loop {
        let tail = kept / 2;
        let head = kept - tail;
        let short: String = chars[..head].iter().chain(&['…']).chain(&chars[chars.len() - tail..]).collect();
        if kept == 0 || text_width(&short, size) <= room {
            return short;
        }
        kept -= 1;
    }
}

/// The text in lines that fit; a word longer than a line is shortened.
pub(super) fn wrap(text: &str, room: f64, size: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        if let Some(last) = lines.last_mut() {
            let longer = format!("{last} {word}");
            if text_width(&longer, size) <= room {
                *last = longer;
                continue;
            }
        }
        lines.push(shorten(word, room, size));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shortening_keeps_both_ends() {
        let name = "MathDowsers-task1-Auto_L8_A018_submission7";
        let short = shorten(name, 120.0, 12.0);
        assert!(text_width(&short, 12.0) <= 120.0);
        assert!(short.starts_with("MathD") && short.ends_with("sion7"), "{short}");
        assert_eq!(shorten("BM25", 120.0, 12.0), "BM25");
        assert_eq!(shorten("BM25", 0.0, 12.0), "…");
    }

    #[test]
    fn wrapping_loses_no_word() {
        let lines = wrap("one two three four five six", 60.0, 12.0);
        assert!(lines.len() > 1);
        assert_eq!(lines.join(" "), "one two three four five six");
    }
}
