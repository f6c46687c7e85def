//! The text that an encoder reads.
//!
//! Tags are stripped, entities decoded and white space collapsed to single blanks. Formulas stay in place, written
//! as [`FormulaStyle`] says. A question is its title, a full stop and its body; an answer or a document without a
//! title is its body; a topic is written like a question. Tags and comments are left out.
//!
//! Every vector of the product comes from a text that this module made, so a query and the posts it is compared
//! with are always written the same way.

use crate::words::{Lexing, formula_words};
use formula::text::write_spoken;
use latex::Mode;
use post::{FormulaTexts, Passage, PostView};
use serde::{Deserialize, Serialize};
use std::str::FromStr;
use store::{FormulaNo, PostNo, Reader};
use text::FORMULA;

/// How formulas are written in a text for an encoder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FormulaStyle {
    /// As LaTeX between dollars: `$x^2$`.
    #[default]
    Latex,
    /// As the words of approach0's encoders of 2023: `$x$ $supscript$ $2$`; the text around them in lower case.
    Words,
    /// As the words of approach0's encoders of 2022, which have one word for all numbers of several digits.
    Words1,
    /// As one reads them aloud: `x squared`.
    Spoken,
    /// Not at all.
    Omitted,
}

impl FormulaStyle {
    /// All styles.
    pub const ALL: [Self; 5] = [Self::Latex, Self::Words, Self::Words1, Self::Spoken, Self::Omitted];

    /// The name of the style in options and system files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Latex => "latex",
            Self::Words => "words",
            Self::Words1 => "words1",
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

/// How a text around a formula is written.
#[derive(Clone, Copy, Debug)]
pub struct Masking<'m> {
    /// What stands for all other formulas.
    pub mask: &'m str,
    /// How many bytes are kept before the formula, and from its beginning on.
    pub window: usize,
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

    /// The text of a post around one of its formulas: all other formulas are masks.
    ///
    /// # Errors
    ///
    /// When the collection cannot be read.
    pub fn around_formula(
        &mut self,
        reader: &mut Reader<'_>,
        post: PostNo,
        is_kept: &dyn Fn(FormulaNo) -> bool,
        mask: &Masking<'_>,
    ) -> Result<String, store::Error> {
        let PostView { title, body, .. } = PostView::read(reader, post)?;
        let mut sections = Vec::new();
        for passage in title.iter().chain([&body]) {
            let pieces = passage.pieces(reader, &mut self.texts)?;
            let numbers = passage.formulas.clone().map(FormulaNo);
            let formulas: Vec<(bool, String)> = numbers
                .zip(pieces.latex())
                .map(|(number, latex)| (is_kept(number), latex.to_owned()))
                .collect();
            sections.push((pieces.text().to_owned(), formulas));
        }
        Ok(self.masked(&sections, mask))
    }

    /// The text of a query around one of its formulas, the first that is `latex`: all others are masks.
    pub fn query_around_formula(
        &mut self,
        title: (&str, &[String]),
        body: (&str, &[String]),
        latex: &str,
        mask: &Masking<'_>,
    ) -> String {
        let mut is_first = true;
        let mut section = |(text, formulas): (&str, &[String])| {
            let of = |formula: &String| (formula == latex && std::mem::take(&mut is_first), formula.clone());
            (text.to_owned(), formulas.iter().map(of).collect::<Vec<_>>())
        };
        let sections = [section(title), section(body)];
        if is_first {
            return self.formula_alone(latex);
        }
        self.masked(&sections, mask)
    }

    /// Sections as one text, with masks for formulas that are not kept.
    fn masked(&mut self, sections: &[(String, Vec<(bool, String)>)], mask: &Masking<'_>) -> String {
        let mut out = String::new();
        let mut kept: Option<usize> = None;
        for (text, formulas) in sections {
            if !out.is_empty() && !text.trim().is_empty() {
                out.push_str(". ");
            }
            let mut formulas = formulas.iter();
            for (number, piece) in text.split(FORMULA).enumerate() {
                if number > 0
                    && let Some((is_kept, latex)) = formulas.next()
                {
                    if *is_kept {
                        kept.get_or_insert(out.len());
                        self.formula(latex, &mut out);
                    } else {
                        out.push(' ');
                        out.push_str(mask.mask);
                        out.push(' ');
                    }
                }
                self.words(piece, &mut out);
            }
        }
        let middle = kept.unwrap_or(0);
        let start = out.floor_char_boundary(middle.saturating_sub(mask.window));
        let end = out.floor_char_boundary(middle.saturating_add(mask.window).min(out.len()));
        collapsed(&out[start..end.max(start)])
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
            self.words(piece, &mut out);
        }
        // What was typed has its formulas apart from its words.
        for latex in formulas {
            out.push(' ');
            self.formula(latex, &mut out);
        }
        out
    }

    /// Words around formulas; those of approach0's encoders of 2023 are in lower case.
    fn words(&self, text: &str, out: &mut String) {
        match self.style {
            FormulaStyle::Words => out.extend(text.chars().flat_map(char::to_lowercase)),
            _ => out.push_str(text),
        }
    }

    fn formula(&mut self, latex: &str, out: &mut String) {
        match self.style {
            FormulaStyle::Latex => {
                out.push('$');
                out.push_str(latex.trim());
                out.push('$');
            }
            FormulaStyle::Words => formula_words(latex, Lexing::Version3, out),
            FormulaStyle::Words1 => formula_words(latex, Lexing::Version1, out),
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
            "why is $x$ $supscript$ $2$ $ge$ $0$ true?. i know that $frac$ ${$ $1$ $}$ ${$ $2$ $}$ ."
        );
        let spoken = written(FormulaStyle::Spoken);
        assert!(spoken.contains("x squared") && !spoken.contains('$'), "{spoken}");
    }

    #[test]
    fn other_formulas_are_masked() {
        let (title, body) =
            (format!("Is {FORMULA} true?"), format!("I know {FORMULA} and {FORMULA}, {FORMULA}."));
        let [in_title, in_body] = [&["x^2"][..], &["a", "b", "a"]]
            .map(|all| all.iter().map(|one| (*one).to_owned()).collect::<Vec<_>>());
        let mut writer = TextWriter::default();
        let mut around = |latex: &str, window| {
            let masking = Masking { mask: "[MASK]", window };
            writer.query_around_formula((&title, &in_title), (&body, &in_body), latex, &masking)
        };
        assert_eq!(around("a", 1000), "Is [MASK] true?. I know $a$ and [MASK] , [MASK] .");
        assert_eq!(around("x^2", 8), "Is $x^2$ tr");
        // Without its question, a formula stands alone.
        assert_eq!(around("c", 1000), "$c$");
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
