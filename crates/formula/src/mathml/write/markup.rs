//! Letters of the source as parts of a document: nothing here lets one become markup.

use crate::alphabet::styled;
use latex::Font;

/// Appends text for an element or a quoted attribute. Line ends and tabs are blanks; control
/// characters, which XML has no place for, are left out.
pub(crate) fn push_escaped(text: &str, out: &mut String) {
    // Most text has nothing to escape and is copied piece by piece.
    let mut copied = 0;
    for (at, c) in text.char_indices() {
        let replacement = match c {
            '&' => "&amp;",
            '<' => "&lt;",
            '>' => "&gt;",
            '"' => "&quot;",
            '\t' | '\n' | '\r' => " ",
            ' '..='~' => continue,
            c if is_forbidden(c) => "",
            _ => continue,
        };
        out.push_str(&text[copied..at]);
        out.push_str(replacement);
        copied = at + c.len_utf8();
    }
    out.push_str(&text[copied..]);
}

/// The same for one character.
pub(super) fn push_escaped_char(c: char, out: &mut String) {
    match c {
        'a'..='z' | 'A'..='Z' => out.push(c),
        _ => push_escaped(c.encode_utf8(&mut [0; 4]), out),
    }
}

fn is_forbidden(c: char) -> bool {
    c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}')
}

/// Appends a number.
pub(super) fn push_number(number: u32, out: &mut String) {
    if number >= 10 {
        push_number(number / 10, out);
    }
    out.push(char::from(b'0' + (number % 10) as u8));
}

/// Text in a formula; blanks at its ends and runs of blanks are kept.
pub(super) fn push_text_run(text: &str, font: Font, out: &mut String) {
    let shape = matches!(font, Font::DoubleStruck | Font::Calligraphic | Font::Script | Font::Fraktur);
    let mut blank_before = true;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let blank = matches!(c, ' ' | '\t' | '\n' | '\r');
        if blank {
            out.push(if blank_before || chars.peek().is_none() { '\u{a0}' } else { ' ' });
        } else {
            push_escaped_char(if shape { styled(c, font) } else { c }, out);
        }
        blank_before = blank;
    }
}

/// The attribute for a colour, if the text is a plain name or `#` and hexadecimal digits.
pub(super) fn push_color(color: &str, out: &mut String) {
    // `blue!50!white` is shown as `blue`, and `[HTML]{0a0b0c}` is read as `HTML:0a0b0c`.
    let color = color.split('!').next().unwrap_or_default().trim();
    if let Some(digits) = color.strip_prefix("HTML:").map(str::trim)
        && digits.len() == 6
        && digits.bytes().all(|b| b.is_ascii_hexdigit())
    {
        return out.extend([" mathcolor=\"#", digits, "\""]);
    }
    let is_name = (3..=24).contains(&color.len()) && color.bytes().all(|b| b.is_ascii_alphabetic());
    let is_hex = matches!(color.len(), 4 | 7)
        && color.strip_prefix('#').is_some_and(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()));
    if is_name || is_hex {
        out.extend([" mathcolor=\"", color, "\""]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_becomes_markup() {
        let mut out = String::new();
        push_escaped("<b>&\"'\u{1}\u{ffff}\nx\u{85}é", &mut out);
        assert_eq!(out, "&lt;b&gt;&amp;&quot;' xé");
    }

    #[test]
    fn colours_are_names_or_numbers() {
        for (color, expected) in [
            ("red", " mathcolor=\"red\""),
            ("blue!50", " mathcolor=\"blue\""),
            ("#0a0B0c", " mathcolor=\"#0a0B0c\""),
            ("HTML:0a0B0c", " mathcolor=\"#0a0B0c\""),
            ("HTML:\"", ""),
            ("#12345", ""),
            ("red;x", ""),
            ("\"onclick=\"x", ""),
            ("url(x)", ""),
        ] {
            let mut out = String::new();
            push_color(color, &mut out);
            assert_eq!(out, expected);
        }
    }
}
