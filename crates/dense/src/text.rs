//! The text that an encoder reads.
//!
//! Tags are stripped, entities decoded and white space collapsed to single blanks. Formulas stay in place, written
//! as [`FormulaStyle`] says. A question is its title, a full stop and its body; an answer or a document without a
//! title is its body; a topic is written like a question. Tags and comments are left out.
//!
//! Every vector of the product comes from a text that this module made, so a query and the posts it is compared
//! with are always written the same way.

use crate::words::formula_words;
use formula::text::write_spoken;
use latex::Mode;
use post::{FormulaTexts, Passage, PostView};
use serde::{Deserialize, Serialize};
use std::str::FromStr;
use store::{PostNo, Reader};
use text::FORMULA;

/// How formulas are written in a text for an encoder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FormulaStyle {
    /// As LaTeX between dollars: `$x^2$`.
    #[default]
    Latex,
    /// As the words of approach0's encoders: `$x$ $supscript$ $2$`.
    Words,
    /// As one reads them aloud: `x squared`.
    Spoken,
    /// Not at all.
    Omitted,
}

impl FormulaStyle {
    /// All styles.
    pub const ALL: [Self; 4] = [Self::Latex, Self::Words, Self::Spoken, Self::Omitted];

    /// The name of the style in options and system files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Latex => "latex",
            Self::Words => "words",
            Self::Spoken => "spoken",
            Self::Omitted => "omitted",
        }
    }
}

/// The name of a style that does not exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownStyle(String);

impl std::fmt::Display for UnknownStyle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let known = FormulaStyle::ALL.map(FormulaStyle::name).join(", ");
        write!(f, "formulas cannot be written as {:?}; choose one of {known}", self.0)
    }
}

impl std::error::Error for UnknownStyle {}

impl FromStr for FormulaStyle {
    type Err = UnknownStyle;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|style| style.name() == name).ok_or_else(|| UnknownStyle(name.to_owned()))
    }
}

/// Writes texts for an encoder. Keeps its memory from one text to the next.
#[derive(Debug, Default)]
pub struct TextWriter {
    style: FormulaStyle,
    reader: latex::Reader,
    texts: FormulaTexts,
}

impl TextWriter {
    /// A writer that writes formulas in a style.
    #[must_use]
    pub fn new(style: FormulaStyle) -> Self {
        Self { style, ..Self::default() }
    }

    /// The text of a post.
    ///
    /// # Errors
    ///
    /// When the collection cannot be read.
    pub fn post(&mut self, reader: &mut Reader<'_>, post: PostNo) -> Result<String, store::Error> {
        let PostView { title, body, .. } = PostView::read(reader, post)?;
        let title = title.map(|title| self.passage(reader, &title)).transpose()?.unwrap_or_default();
        let body = self.passage(reader, &body)?;
        Ok(joined(&title, &body))
    }

    /// The text of a query: `title` and `body` are plain texts with [`FORMULA`] for each formula.
    pub fn query(&mut self, title: (&str, &[String]), body: (&str, &[String])) -> String {
        let title = self.section(title);
        let body = self.section(body);
        joined(&title, &body)
    }

    /// The text of a formula by itself.
    pub fn formula_alone(&mut self, latex: &str) -> String {
        let mut out = String::new();
        self.formula(latex, &mut out);
        collapsed(&out)
    }

    fn passage(&mut self, reader: &mut Reader<'_>, passage: &Passage) -> Result<String, store::Error> {
        let pieces = passage.pieces(reader, &mut self.texts)?;
        let formulas: Vec<String> = pieces.latex().map(str::to_owned).collect();
        Ok(self.section((pieces.text(), &formulas)))
    }

    fn section(&mut self, (text, formulas): (&str, &[String])) -> String {
        let mut out = String::with_capacity(text.len());
        let mut formulas = formulas.iter();
        for (number, piece) in text.split(FORMULA).enumerate() {
            if number > 0
                && let Some(latex) = formulas.next()
            {
                self.formula(latex, &mut out);
            }
            out.push_str(piece);
        }
        // What was typed has its formulas apart from its words.
        for latex in formulas {
            out.push(' ');
            self.formula(latex, &mut out);
        }
        out
    }

    fn formula(&mut self, latex: &str, out: &mut String) {
        match self.style {
            FormulaStyle::Latex => {
                out.push('$');
                out.push_str(latex.trim());
                out.push('$');
            }
            FormulaStyle::Words => formula_words(latex, out),
            FormulaStyle::Spoken => {
                out.push(' ');
                out.push_str(&write_spoken(&self.reader.read(latex.as_bytes(), Mode::Document).tree));
                out.push(' ');
            }
            FormulaStyle::Omitted => out.push(' '),
        }
    }
}

/// Title and body as one text.
fn joined(title: &str, body: &str) -> String {
    let (title, body) = (collapsed(title), collapsed(body));
    match (title.is_empty(), body.is_empty()) {
        (true, _) => body,
        (false, true) => title,
        (false, false) => format!("{title}. {body}"),
    }
}

/// A text with single blanks and none at its ends.
fn collapsed(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_are_written_in_every_style() {
        let title = format!("Why is {FORMULA} true?");
        let body = format!("I know  that\n{FORMULA}.");
        let (in_title, in_body) = (vec![r"x^2\ge 0".to_owned()], vec![r"\frac{1}{2}".to_owned()]);
        let written = |style| TextWriter::new(style).query((&title, &in_title), (&body, &in_body));
        assert_eq!(written(FormulaStyle::Latex), r"Why is $x^2\ge 0$ true?. I know that $\frac{1}{2}$.");
        assert_eq!(written(FormulaStyle::Omitted), "Why is true?. I know that .");
        assert_eq!(
            written(FormulaStyle::Words),
            "Why is $x$ $supscript$ $2$ $ge$ $0$ true?. I know that $frac$ ${$ $1$ $}$ ${$ $2$ $}$ ."
        );
        let spoken = written(FormulaStyle::Spoken);
        assert!(spoken.contains("x squared") && !spoken.contains('$'), "{spoken}");
    }

    #[test]
    fn what_was_typed_keeps_its_formulas() {
        let mut writer = TextWriter::default();
        let formulas = vec!["x^2".to_owned()];
        assert_eq!(writer.query(("area of", &formulas), ("", &[])), "area of $x^2$");
        assert_eq!(writer.query(("", &[]), ("", &[])), "");
        assert_eq!(writer.formula_alone(" a+b "), "$a+b$");
    }

    #[test]
    fn styles_have_names() {
        for style in FormulaStyle::ALL {
            assert_eq!(style.name().parse(), Ok(style));
        }
        let error = "tex".parse::<FormulaStyle>().unwrap_err().to_string();
        assert_eq!(
            error,
            "formulas cannot be written as \"tex\"; choose one of latex, words, spoken, omitted"
        );
    }
}
