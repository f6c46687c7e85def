//! Character references: `&lt;`, `&#39`, `&nbsp;` to characters, and text back to safe HTML.

use markup5ever::data::{C1_REPLACEMENTS, NAMED_ENTITIES};

use crate::{MARKER, MARKER_END};

/// Where a reference stands: attributes and text differ when the semicolon is missing.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// In text.
    Text,
    /// In the value of an attribute, where `&copy=1` is left alone.
    Attribute,
}

/// The longest name in the table has 32 characters.
const LONGEST_NAME: usize = 33;

/// Reads the reference that `text` starts with (its first byte is `&`): its characters and its length.
pub(crate) fn read(text: &str, place: Place) -> Option<([char; 2], usize)> {
    let bytes = text.as_bytes();
    match bytes.get(1)? {
        b'#' => numeric(bytes).map(|(c, length)| ([c, '\0'], length)),
        byte if byte.is_ascii_alphabetic() => {
            let most = bytes[1..].iter().take(LONGEST_NAME).take_while(|b| b.is_ascii_alphanumeric()).count();
            let with_semicolon = most + usize::from(bytes.get(1 + most) == Some(&b';'));
            // From the longest name down: `&notin;` is not `&not` and `in;`.
            for length in (2..=with_semicolon).rev() {
                let name = &text[1..=length];
                let Some(&(first, second)) = NAMED_ENTITIES.get(name) else { continue };
                if first == 0 {
                    continue; // only the beginning of a name
                }
                if place == Place::Attribute
                    && !name.ends_with(';')
                    && bytes.get(1 + length).is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'=')
                {
                    return None;
                }
                let first = char::from_u32(first)?;
                return Some(([first, char::from_u32(second).unwrap_or('\0')], 1 + length));
            }
            None
        }
        _ => None,
    }
}

fn numeric(bytes: &[u8]) -> Option<(char, usize)> {
    let hex = matches!(bytes.get(2), Some(b'x' | b'X'));
    let (start, radix) = if hex { (3, 16) } else { (2, 10) };
    let mut at = start;
    let mut number: u32 = 0;
    while let Some(digit) = bytes.get(at).and_then(|b| char::from(*b).to_digit(radix)) {
        number = number.saturating_mul(radix).saturating_add(digit);
        at += 1;
    }
    if at == start {
        return None;
    }
    if bytes.get(at) == Some(&b';') {
        at += 1;
    }
    let c = match number {
        0 => '\u{FFFD}',
        0x80..=0x9F => C1_REPLACEMENTS[(number - 0x80) as usize]
            .unwrap_or_else(|| char::from_u32(number).unwrap_or('\u{FFFD}')),
        _ => char::from_u32(number).unwrap_or('\u{FFFD}'),
    };
    Some((c, at))
}

/// Text with its references undone once.
pub(crate) fn undo(text: &str, place: Place) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = memchr::memchr(b'&', rest.as_bytes()) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some((chars, length)) = read(rest, place) {
            out.extend(chars.into_iter().filter(|c| is_kept(*c)));
            rest = &rest[length..];
        } else {
            out.push('&');
            rest = &rest[1..];
        }
    }
    out.push_str(rest);
    out
}

/// Whether a character may be in cleaned HTML: not the nul, the byte order mark, nor our own marks.
pub(crate) fn is_kept(c: char) -> bool {
    !matches!(c, '\0' | '\u{FEFF}' | MARKER | MARKER_END)
}

/// Writes one character of text as HTML.
pub(crate) fn push_char(c: char, out: &mut String) {
    match c {
        '&' => out.push_str("&amp;"),
        '<' => out.push_str("&lt;"),
        '>' => out.push_str("&gt;"),
        '\u{A0}' => out.push_str("&nbsp;"),
        '\r' => out.push('\n'),
        c => out.push(c),
    }
}

/// Writes text as HTML text.
pub(crate) fn escape(text: &str, out: &mut String) {
    for c in text.chars() {
        push_char(c, out);
    }
}

/// Writes text as the value of an attribute in double quotes.
pub(crate) fn escape_attribute(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            '"' => out.push_str("&quot;"),
            c => push_char(c, out),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Place, undo};

    #[test]
    fn references() {
        for (input, expected) in [
            ("a &lt; b &gt; c &amp; d", "a < b > c & d"),
            ("&#39;&#39 &#x27;&#X27", "'' ''"),
            ("&nbsp;", "\u{A0}"),
            ("&ltx &notin; &notx", "<x ∉ ¬x"),
            ("&amp;lt;", "&lt;"),
            ("& &; &# &#; &#x; &unknown; &", "& &; &# &#; &#x; &unknown; &"),
            ("&#0;&#55296;&#99999999999;", "\u{FFFD}\u{FFFD}\u{FFFD}"),
            ("&#147;a&#148;", "“a”"),
            ("&#xFDD0;&#xFEFF;", ""),
        ] {
            assert_eq!(undo(input, Place::Text), expected, "{input}");
        }
        assert_eq!(undo("?a=1&copy=2&amp;b", Place::Attribute), "?a=1&copy=2&b");
    }
}
