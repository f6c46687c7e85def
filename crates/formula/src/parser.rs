//! Formulas as collections hold them: LaTeX, or Presentation MathML where there is no LaTeX.
//!
//! One parser keeps the readers and trees of its thread, and reads each formula once.

use crate::identity::{Key, Keyer};
use crate::mathml::{MathmlReader, Reading};
use crate::slt::{LatexToSlt, Slt};
use latex::{Mode, Parse};
use std::borrow::Cow;

/// Reads formulas one after another; keeps its memory.
///
/// ```
/// use formula::FormulaParser;
/// use latex::Mode;
///
/// let mut parser = FormulaParser::default();
/// let half = parser.parse(r"\frac ab", "", Mode::Document).key();
/// assert_eq!(parser.parse(r"{a\over b}", "", Mode::Document).key(), half);
/// assert_eq!(parser.latex("", "<math><mfrac><mi>a</mi><mi>b</mi></mfrac></math>"), r"\frac{a}{b}");
/// ```
#[derive(Debug)]
pub struct FormulaParser {
    latex: latex::Reader,
    to_slt: LatexToSlt,
    mathml: MathmlReader,
    keyer: Keyer,
    slt: Slt,
}

impl Default for FormulaParser {
    fn default() -> Self {
        Self {
            latex: latex::Reader::default(),
            to_slt: LatexToSlt::default(),
            mathml: MathmlReader::new(Reading::Tolerant),
            keyer: Keyer::default(),
            slt: Slt::default(),
        }
    }
}

impl FormulaParser {
    /// Parses a formula: its LaTeX, or its MathML where there is no LaTeX.
    pub fn parse<'p>(&'p mut self, latex: &'p str, mathml: &'p str, mode: Mode) -> Parsed<'p> {
        let Self { latex: reader, to_slt, mathml: mathml_reader, keyer, slt } = self;
        if is_missing(latex) {
            slt.clear();
            let readable = mathml.is_empty() || mathml_reader.read(mathml, slt).is_ok();
            return Parsed { layout: None, slt, keyer, source: mathml, readable };
        }
        let parse = reader.read(latex.as_bytes(), mode);
        to_slt.read(&parse.tree, slt);
        Parsed { readable: !parse.has_errors(), layout: Some(parse), slt, keyer, source: latex }
    }

    /// The LaTeX of a formula, made from its MathML where there is none; empty where neither can be read.
    pub fn latex<'s>(&mut self, latex: &'s str, mathml: &str) -> Cow<'s, str> {
        if !is_missing(latex) || mathml.is_empty() {
            return Cow::Borrowed(latex);
        }
        match self.mathml.read(mathml, &mut self.slt) {
            Ok(_) => Cow::Owned(self.slt.to_latex()),
            Err(_) => Cow::Borrowed(latex),
        }
    }
}

/// Whether a formula has no LaTeX: nothing, or nothing but blanks.
fn is_missing(latex: &str) -> bool {
    latex.trim().is_empty()
}

/// A formula that was read: its trees and its visual key.
#[derive(Debug)]
pub struct Parsed<'p> {
    layout: Option<&'p Parse>,
    slt: &'p Slt,
    keyer: &'p mut Keyer,
    source: &'p str,
    readable: bool,
}

impl<'p> Parsed<'p> {
    /// The layout tree of the LaTeX with its diagnostics; `None` if the formula has none.
    #[must_use]
    pub fn layout(&self) -> Option<&'p Parse> {
        self.layout
    }

    /// The symbol layout tree; empty if there was nothing, or nothing that could be read.
    #[must_use]
    pub fn slt(&self) -> &'p Slt {
        self.slt
    }

    /// Whether all of the formula could be read. Where there is nothing at all, there is nothing that cannot be read.
    #[must_use]
    pub fn is_readable(&self) -> bool {
        self.readable
    }

    /// The visual key: that of the tree, or of what was typed where the tree has error nodes.
    pub fn key(&mut self) -> Key {
        if self.layout.is_none() && !self.readable {
            return self.keyer.key_of_latex(self.source);
        }
        self.keyer.key_of_readable_tree(self.slt).unwrap_or_else(|| self.keyer.key_of_latex(self.source))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_those_of_trees() {
        let mut parser = FormulaParser::default();
        let mut look = |latex: &str, mathml: &str| {
            let mut parsed = parser.parse(latex, mathml, Mode::Document);
            (parsed.key(), parsed.is_readable())
        };
        let z = "<math><mi>z</mi></math>";
        assert_eq!(look(r"\frac ab", ""), look(r"{a\over b}", z), "LaTeX stands above MathML");
        assert_eq!(look("x", ""), look("", "<math><mi>x</mi></math>"));
        assert_eq!(look("  ", z), look("z", ""), "blanks are no LaTeX");
        assert_ne!(look("x", "").0, look("y", "").0);
        assert!(!look(r"\unknowncommand{x}", "").1);
        assert!(!look("", "<math").1);
        assert_ne!(look("", "<math").0, look("", "<maths").0, "what cannot be read is known by its text");
        assert!(look("", "").1 && look("x", "").1);
    }

    #[test]
    fn latex_is_made_of_mathml_only_where_there_is_none() {
        let mut parser = FormulaParser::default();
        let x = "<math><msup><mi>x</mi><mn>2</mn></msup></math>";
        assert_eq!(parser.latex("y ", x), "y ");
        assert_eq!(parser.latex(" ", x), "x^{{2}}");
        assert_eq!(parser.latex("", "<math"), "");
        assert_eq!(parser.latex("", ""), "");
        assert!(parser.parse("", x, Mode::Document).layout().is_none());
    }
}
