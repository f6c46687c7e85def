//! Text with HTML in it, as posts are written, and the formulas marked in it.

use std::fmt;

/// HTML as it was given: mark-up and entities are still in it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Html(String);

/// A formula marked in a text.
pub(crate) struct MathSpan {
    pub(crate) id: Option<String>,
    pub(crate) latex: String,
}

impl Html {
    /// HTML from its source.
    #[must_use]
    pub fn new(source: impl Into<String>) -> Self {
        Self(source.into())
    }

    /// HTML that shows exactly this text.
    ///
    /// ```
    /// assert_eq!(formats::Html::from_text("a < b").as_str(), "a &lt; b");
    /// ```
    #[must_use]
    pub fn from_text(text: &str) -> Self {
        Self(text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;"))
    }

    /// Its source.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The text, if there is no mark-up in it.
    pub(crate) fn as_text(&self) -> Option<String> {
        (!self.0.contains('<')).then(|| unescape(&self.0))
    }

    /// The formulas in spans of the class `math-container`. A span that is
    /// not closed reaches to the next one or to the end.
    pub(crate) fn math_spans(&self) -> Vec<MathSpan> {
        let mut spans = Vec::new();
        let mut rest = self.0.as_str();
        while let Some(start) = rest.find("<span") {
            let tag_and_more = &rest[start + "<span".len()..];
            let Some(tag_end) = tag_and_more.find('>') else { break };
            let (tag, after) = (&tag_and_more[..tag_end], &tag_and_more[tag_end + 1..]);
            rest = after;
            let classes = attribute(tag, "class").unwrap_or_default();
            if !classes.split_ascii_whitespace().any(|class| class == "math-container") {
                continue;
            }
            let ends = [after.find("</span"), after.find("<span")];
            let end = ends.into_iter().flatten().min().unwrap_or(after.len());
            // A span that only wraps another one is not a formula.
            if after[end..].starts_with("<span") && after[..end].trim().trim_matches('$').is_empty() {
                rest = &after[end..];
                continue;
            }
            let id = attribute(tag, "id").filter(|id| !id.is_empty()).map(str::to_owned);
            spans.push(MathSpan { id, latex: strip_delimiters(&unescape(&after[..end])).to_owned() });
            rest = &after[end..];
        }
        spans
    }
}

impl fmt::Display for Html {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The value of an attribute in the inside of a tag.
fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let mut rest = tag;
    while let Some(equals) = rest.find('=') {
        let key = rest[..equals].trim();
        let value = rest[equals + 1..].trim_start();
        let (value, after) = match value.chars().next() {
            Some(quote @ ('"' | '\'')) => value[1..].split_once(quote).unwrap_or((&value[1..], "")),
            _ => value.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((value, "")),
        };
        if key.eq_ignore_ascii_case(name) {
            return Some(value);
        }
        rest = after;
    }
    None
}

/// Takes away the dollars or brackets around a formula.
fn strip_delimiters(latex: &str) -> &str {
    let trimmed = latex.trim();
    for (open, close) in [("$$", "$$"), ("$", "$"), ("\\[", "\\]"), ("\\(", "\\)")] {
        let inner = trimmed.strip_prefix(open).and_then(|inner| inner.strip_suffix(close));
        if let Some(inner) = inner {
            return inner;
        }
    }
    latex
}

/// Resolves the entities that occur in formulas, once.
pub(crate) fn unescape(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find('&') {
        plain.push_str(&rest[..start]);
        rest = &rest[start..];
        match entity(rest) {
            Some((character, length)) => {
                plain.push(character);
                rest = &rest[length..];
            }
            None => {
                plain.push('&');
                rest = &rest[1..];
            }
        }
    }
    plain.push_str(rest);
    plain
}

/// The character an entity at the start of a text stands for, and how long it
/// is. The semicolon may be missing after a number.
fn entity(text: &str) -> Option<(char, usize)> {
    const NAMED: [(&str, char); 6] = [
        ("&amp;", '&'),
        ("&lt;", '<'),
        ("&gt;", '>'),
        ("&quot;", '"'),
        ("&apos;", '\''),
        ("&nbsp;", '\u{A0}'),
    ];
    if let Some((name, character)) = NAMED.iter().find(|(name, _)| text.starts_with(name)) {
        return Some((*character, name.len()));
    }
    let number = text.strip_prefix("&#")?;
    let (digits, radix) = match number.strip_prefix(['x', 'X']) {
        Some(hex) => (hex, 16),
        None => (number, 10),
    };
    let length = digits.find(|c: char| !c.is_digit(radix)).unwrap_or(digits.len());
    let character = char::from_u32(u32::from_str_radix(&digits[..length], radix).ok()?)?;
    let semicolon = usize::from(digits[length..].starts_with(';'));
    Some((character, text.len() - digits.len() + length + semicolon))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(html: &str, expected: &[(Option<&str>, &str)]) {
        let spans = Html::new(html).math_spans();
        let found: Vec<(Option<&str>, &str)> =
            spans.iter().map(|span| (span.id.as_deref(), span.latex.as_str())).collect();
        assert_eq!(found, expected, "{html}");
    }

    #[test]
    fn spans_with_and_without_ids_and_dollars() {
        check(
            "<span class=\"math-container\" id=\"q_1\">$$ a &amp; b$$</span> <span>no</span> \
             <span id='q_2' class='x math-container'>c</span><span class=\"math-container\">$d$</span>",
            &[(Some("q_1"), " a & b"), (Some("q_2"), "c"), (None, "d")],
        );
    }

    #[test]
    fn spans_that_are_damaged() {
        check("<span class=\"math-container\">$a$", &[(None, "a")]);
        check(
            "<span class=\"math-container\">$a$ <span class=\"math-container\">b</span>",
            &[(None, "a"), (None, "b")],
        );
        check(
            "<span class=\"math-container\">$<span class=\"math-container\" id=\"q_1\">a</span>$</span>",
            &[(Some("q_1"), "a")],
        );
        check("<span class=\"math-container\"", &[]);
        check("<span class=\"math-container>$a$</span>", &[(None, "a")]);
        check("<span class=\"math-container\">$</span>", &[(None, "$")]);
    }

    #[test]
    fn entities_once() {
        assert_eq!(unescape("&amp;lt; &#39; &#39x &#x3C; &#; &foo; & é&lt"), "&lt; ' 'x < &#; &foo; & é&lt");
    }

    proptest::proptest! {
        #[test]
        fn text_survives(text in "\\PC{0,20}") {
            proptest::prop_assert_eq!(Html::from_text(&text).as_text(), Some(text));
        }
    }
}
