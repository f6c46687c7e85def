//! Text and addresses made harmless for the place they go to.

/// Appends text for the inside of an element or of a quoted attribute; control characters and
/// noncharacters, which have no place in HTML, are left out.
pub(crate) fn push_text(text: &str, out: &mut String) {
    for c in text.chars() {
        push_char(c, out);
    }
}

/// The same for one character.
pub(crate) fn push_char(c: char, out: &mut String) {
    match c {
        '&' => out.push_str("&amp;"),
        '<' => out.push_str("&lt;"),
        '>' => out.push_str("&gt;"),
        '"' => out.push_str("&quot;"),
        '\'' => out.push_str("&#39;"),
        '\n' | '\t' => out.push(c),
        c if is_allowed(c) => out.push(c),
        _ => {}
    }
}

/// Whether HTML has a place for a character other than as a line end.
///
/// Characters that turn the direction of all that follows are left out, too: a name could otherwise
/// make the text beside it read backwards.
fn is_allowed(c: char) -> bool {
    !c.is_control()
        && !matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{FDD0}'..='\u{FDEF}')
        && (c as u32) & 0xFFFE != 0xFFFE
}

/// Text for an attribute or element.
pub(crate) fn text(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    push_text(text, &mut out);
    out
}

/// Undoes the references in the value of an attribute: the five of XML and those by number.
pub(crate) fn undo(value: &str) -> String {
    let mut out = String::with_capacity(value.len());
    let mut rest = value;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let reference = reference(rest);
        match reference.and_then(|name| character(&name[1..name.len() - 1])) {
            Some(c) => {
                out.push(c);
                rest = &rest[reference.map_or(1, str::len)..];
            }
            None => {
                out.push('&');
                rest = &rest[1..];
            }
        }
    }
    out.push_str(rest);
    out
}

/// The reference that a text begins with, from `&` to `;`.
pub(crate) fn reference(text: &str) -> Option<&str> {
    const LONGEST: usize = 34;
    let end = text.bytes().take(LONGEST).position(|byte| byte == b';')?;
    let name = text.get(1..end)?;
    let name = name.strip_prefix('#').unwrap_or(name);
    (!name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric())).then(|| &text[..=end])
}

fn character(name: &str) -> Option<char> {
    if let Some(number) = name.strip_prefix('#') {
        let number = match number.strip_prefix(['x', 'X']) {
            Some(digits) => u32::from_str_radix(digits, 16),
            None => number.parse(),
        };
        return number.ok().and_then(char::from_u32);
    }
    Some(match name {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        "nbsp" => '\u{A0}',
        _ => return None,
    })
}

/// A part of an address, with all but the plainest characters written as `%` and digits.
pub(crate) fn percent(part: &str) -> String {
    let mut out = String::with_capacity(part.len());
    for byte in part.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~=".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_becomes_markup() {
        assert_eq!(text("<b a='\"'>&\0\u{FDD0}\u{202E}x"), "&lt;b a=&#39;&quot;&#39;&gt;&amp;x");
    }

    #[test]
    fn references_are_undone_once() {
        for (value, expected) in [
            ("a&amp;b", "a&b"),
            ("&amp;lt;", "&lt;"),
            ("&#106;&#x61;va", "java"),
            ("?a=1&b=2", "?a=1&b=2"),
            ("&;&#;&#xZ;&é;", "&;&#;&#xZ;&é;"),
            ("&#x110000;&unknown;", "&#x110000;&unknown;"),
        ] {
            assert_eq!(undo(value), expected, "{value}");
        }
    }

    #[test]
    fn addresses_hold_plain_characters_only() {
        assert_eq!(percent("a/b ü\"=1"), "a%2Fb%20%C3%BC%22=1");
    }
}
