//! HTML that is safe to show as it is.

use std::fmt;

/// HTML that was made here: all in it that came from people is escaped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Html(String);

impl Html {
    /// Text, escaped.
    pub(crate) fn text(text: &str) -> Self {
        let mut html = Self::default();
        html.push_text(text);
        html
    }

    /// HTML that a library of ours has made safe already.
    pub(crate) fn trusted(html: String) -> Self {
        Self(html)
    }

    /// Appends markup as it stands in the source of this program.
    pub(crate) fn push(&mut self, markup: &'static str) {
        self.0.push_str(markup);
    }

    /// Appends text, escaped for the inside of an element or of a quoted attribute.
    ///
    /// Control characters and those that turn the direction of all that follows are left out.
    pub(crate) fn push_text(&mut self, text: &str) {
        for c in text.chars() {
            match c {
                '&' => self.0.push_str("&amp;"),
                '<' => self.0.push_str("&lt;"),
                '>' => self.0.push_str("&gt;"),
                '"' => self.0.push_str("&quot;"),
                '\'' => self.0.push_str("&#39;"),
                '\n' | '\t' => self.0.push(c),
                '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{FDD0}'..='\u{FDEF}' => {}
                c if c.is_control() => {}
                c => self.0.push(c),
            }
        }
    }

    /// Appends other HTML.
    pub(crate) fn push_html(&mut self, html: &Html) {
        self.0.push_str(&html.0);
    }

    /// Lets a writer that escapes by itself append.
    pub(crate) fn write(&mut self, write: impl FnOnce(&mut String)) {
        write(&mut self.0);
    }

    /// Whether there is nothing.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The markup.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Html {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

// Templates escape everything but this.
impl askama::filters::HtmlSafe for Html {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_becomes_markup() {
        assert_eq!(Html::text("<b a='\"'>&\0\u{202E}x").as_str(), "&lt;b a=&#39;&quot;&#39;&gt;&amp;x");
    }
}
