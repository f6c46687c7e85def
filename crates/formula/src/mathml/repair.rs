//! Makes markup that is not XML readable: what stands where a tag cannot be is text.
//!
//! Runs only on input that could not be read as it is. It knows the damage seen
//! in the labs' tables: raw `<`, `>` and `&` as text, unescaped quotes and signs
//! in `alttext`, quotes left doubled by CSV. Tags that do not match are left to
//! the reader, which closes and ignores them as needed.

use super::element::Element;

/// Escapes everything that cannot be markup of a layout.
pub(super) fn repair(text: &str) -> String {
    repair_knowing(text, |name| Element::from_name(name) != Element::Unknown)
}

/// Escapes everything that cannot be markup, where an element without a prefix must have a known name.
pub(crate) fn repair_knowing(text: &str, is_known: fn(&str) -> bool) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    let mut rest = text;
    // Every `<` that is no markup may make us look far ahead in vain: bound that.
    let mut budget = text.len().saturating_mul(16).saturating_add(1 << 16);
    while let Some(at) = rest.find(['<', '>', '&']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let taken = match rest.as_bytes()[0] {
            b'<' if budget > 0 => {
                let taken = copy_markup(rest, &mut out, is_known);
                if taken.is_none() && may_be_markup(rest) {
                    budget = budget.saturating_sub(rest.len());
                }
                taken
            }
            b'&' => copy_reference(rest, &mut out),
            _ => None,
        };
        let taken = taken.unwrap_or_else(|| {
            out.push_str(escape(rest.as_bytes()[0]));
            1
        });
        rest = &rest[taken..];
    }
    out.push_str(rest);
    out
}

/// Whether finding out that this is no markup can have taken long.
fn may_be_markup(text: &str) -> bool {
    text.as_bytes()
        .get(1)
        .is_some_and(|&byte| byte.is_ascii_alphabetic() || matches!(byte, b'!' | b'?' | b'/'))
}

fn escape(byte: u8) -> &'static str {
    match byte {
        b'<' => "&lt;",
        b'>' => "&gt;",
        b'&' => "&amp;",
        _ => "&quot;",
    }
}

/// Copies `&name;` or `&#1;` and returns its length.
fn copy_reference(text: &str, out: &mut String) -> Option<usize> {
    let end = text.bytes().take(40).position(|byte| byte == b';')?;
    let name = text[1..end].strip_prefix('#').unwrap_or(&text[1..end]);
    if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return None;
    }
    out.push_str(&text[..=end]);
    Some(end + 1)
}

/// Copies a tag, comment, CDATA section or declaration and returns its length.
fn copy_markup(text: &str, out: &mut String, is_known: fn(&str) -> bool) -> Option<usize> {
    for (open, close) in [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")] {
        if let Some(rest) = text.strip_prefix(open) {
            let length = rest.find(close)? + open.len() + close.len();
            out.push_str(&text[..length]);
            return Some(length);
        }
    }
    let (open, name_start) = if text.starts_with("</") { ("</", 2) } else { ("<", 1) };
    let name_length = text[name_start..].find(|letter: char| !is_name(letter))?;
    let name = &text[name_start..name_start + name_length];
    let (prefix, local) = name.rsplit_once(':').unwrap_or(("", name));
    if prefix.is_empty() && !is_known(local) {
        return None;
    }
    let mut copy = format!("{open}{name}");
    let mut at = name_start + name_length;
    loop {
        let rest = &text[at..];
        at += rest.len() - rest.trim_start().len();
        let rest = &text[at..];
        if let Some(end) = ["/>", ">"].into_iter().find(|end| rest.starts_with(end)) {
            out.push_str(&copy);
            out.push_str(end);
            return Some(at + end.len());
        }
        at += copy_attribute(rest, &mut copy)?;
    }
}

/// Copies `name="value"` and returns its length.
fn copy_attribute(text: &str, out: &mut String) -> Option<usize> {
    let name_length = text.find(|letter: char| !is_name(letter)).filter(|&length| length > 0)?;
    let after = text[name_length..].strip_prefix('=')?;
    let quote = after.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    let mut run = after.len() - after.trim_start_matches(quote).len();
    let ends_here = |after: &str| {
        let rest = after.trim_start();
        rest.starts_with('>')
            || rest.starts_with("/>")
            || (rest.len() < after.len() && begins_attribute(rest))
    };
    // Two quotes are an empty value, or the one quote of a doubled pair.
    if run >= 2 && ends_here(&after[2..]) {
        run = 0;
    }
    let delimiter = &after[..run.clamp(1, 2)];
    let value = &after[delimiter.len()..];
    let (end, _) =
        value.match_indices(delimiter).find(|(at, _)| ends_here(&value[at + delimiter.len()..]))?;
    out.push(' ');
    out.push_str(&text[..name_length]);
    out.push_str("=\"");
    let mut rest = &value[..end];
    while let Some(at) = rest.find(['<', '>', '&', '"']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let taken = if rest.starts_with('&') { copy_reference(rest, out) } else { None };
        let taken = taken.unwrap_or_else(|| {
            out.push_str(escape(rest.as_bytes()[0]));
            1
        });
        rest = &rest[taken..];
    }
    out.push_str(rest);
    out.push('"');
    Some(text.len() - value.len() + end + delimiter.len())
}

fn is_name(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, ':' | '-' | '_')
}

fn begins_attribute(text: &str) -> bool {
    let value = text.trim_start_matches(is_name);
    value.len() < text.len() && (value.starts_with("=\"") || value.starts_with("='"))
}

#[cfg(test)]
mod tests {
    use super::repair;

    fn check(text: &str, expected: &str) {
        assert_eq!(repair(text), expected);
    }

    #[test]
    fn signs_as_text() {
        check("<mo><</mo>", "<mo>&lt;</mo>");
        check("<mo>></mo>", "<mo>&gt;</mo>");
        check("<mo><=</mo>", "<mo>&lt;=</mo>");
        check("<mtext>a<b & c &amp; d &#38; &</mtext>", "<mtext>a&lt;b &amp; c &amp; d &#38; &amp;</mtext>");
        check("<mo>\"</mo>", "<mo>\"</mo>");
    }

    #[test]
    fn attributes() {
        check(
            "<math alttext=\"a<b \"c\" & 'd'\" class=\"x\">",
            "<math alttext=\"a&lt;b &quot;c&quot; &amp; 'd'\" class=\"x\">",
        );
        check("<math alttext=\"\"x^2\"\" class=\"\"y\"\"/>", "<math alttext=\"x^2\" class=\"y\"/>");
        check("<math alttext=\"\" class='y'>", "<math alttext=\"\" class=\"y\">");
        check("<m:mi a=\"x>y\">", "<m:mi a=\"x&gt;y\">");
        check("<mi a=\"never", "&lt;mi a=\"never");
    }

    #[test]
    fn other_markup_stays() {
        check(
            "<?xml version=\"1.0\"?><!-- a<b --><mi>x</mi>",
            "<?xml version=\"1.0\"?><!-- a<b --><mi>x</mi>",
        );
        check("<![CDATA[<]]>", "<![CDATA[<]]>");
        check("<b>", "&lt;b&gt;");
    }
}
