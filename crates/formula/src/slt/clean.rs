//! The letters of a leaf, made fit for a tag.

/// Appends `text` as the labs write it in a tag: without blanks around, control characters and the signs of
/// the string grammar spelled out. A single invisible operator (U+2061 to U+2064) leaves nothing.
pub(crate) fn push_clean(text: &str, out: &mut String) {
    let text = text.trim();
    if let &[0xe2, 0x81, 0xa1..=0xa4] = text.as_bytes() {
        return;
    }
    let mut rest = text;
    while let Some(at) =
        rest.bytes().position(|byte| matches!(byte, b'?' | b',' | b'[' | b']' | b'\t' | b'\n' | b'\r'))
    {
        out.push_str(&rest[..at]);
        out.push_str(match rest.as_bytes()[at] {
            b'?' => "&quest;",
            b',' => "&comma;",
            b'[' => "&lsqb;",
            b']' => "&rsqb;",
            b'\t' => "\\t",
            b'\n' => "\\n",
            _ => "\\r",
        });
        rest = &rest[at + 1..];
    }
    out.push_str(rest);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let mut out = String::new();
        push_clean(text, &mut out);
        assert_eq!(out, expected);
    }

    #[test]
    fn cleaning() {
        check("x", "x");
        check(" a b\u{a0}", "a b");
        check("?,[]", "&quest;&comma;&lsqb;&rsqb;");
        check("a\tb\nc\rd", "a\\tb\\nc\\rd");
        check("\u{2062}", "");
        check(" \u{2061} ", "");
        check("\u{2062}\u{2062}", "\u{2062}\u{2062}");
        check("∑?", "∑&quest;");
    }
}
