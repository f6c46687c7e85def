//! Attributes of the rows of a dump.

use std::fmt::{Display, Write};

/// What a file opens with.
pub(crate) fn opening(root: &str) -> String {
    format!("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<{root}>\n")
}

/// What it ends with.
pub(crate) fn closing(root: &str) -> String {
    format!("</{root}>\n")
}

/// Appends an attribute whose value needs no escapes, such as a number.
pub(crate) fn attribute(out: &mut String, name: &str, value: impl Display) {
    // Writing to a string does not fail.
    let _ = write!(out, " {name}=\"{value}\"");
}

/// Appends an attribute of any text.
pub(crate) fn text_attribute(out: &mut String, name: &str, value: &str) {
    out.push(' ');
    out.push_str(name);
    out.push_str("=\"");
    push_escaped(out, value);
    out.push('"');
}

/// Appends text in which `&`, `<`, `>` and quotation marks are escaped; that is
/// right for HTML and for attributes of XML.
pub(crate) fn push_escaped(out: &mut String, text: &str) {
    let mut start = 0;
    for (at, byte) in text.bytes().enumerate() {
        let escaped = match byte {
            b'&' => "&amp;",
            b'<' => "&lt;",
            b'>' => "&gt;",
            b'"' => "&quot;",
            _ => continue,
        };
        out.push_str(&text[start..at]);
        out.push_str(escaped);
        start = at + 1;
    }
    out.push_str(&text[start..]);
}

#[cfg(test)]
mod tests {
    #[test]
    fn everything_special_is_escaped() {
        let mut out = String::new();
        super::push_escaped(&mut out, "a<b & \"c\">é");
        assert_eq!(out, "a&lt;b &amp; &quot;c&quot;&gt;é");
    }
}
