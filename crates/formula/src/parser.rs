//! Formulas as collections hold them: LaTeX, or Presentation MathML where there is no LaTeX.
//!
//! One parser keeps the readers and trees of its thread, and reads each formula once.

use crate::identity::{Key, Keyer};
use crate::mathml::{LONGEST, MathmlReader, Reading};
use crate::opt::Opt;
use crate::opt::labs::LabsOpt;
use crate::opt::meaning::SltToOpt;
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
    operators: Operators,
}

/// What makes operator trees, and the tree that was made last.
#[derive(Debug, Default)]
struct Operators {
    labs: LabsOpt,
    meaning: SltToOpt,
    opt: Opt,
}

impl Default for FormulaParser {
    fn default() -> Self {
        Self {
            latex: latex::Reader::default(),
            to_slt: LatexToSlt::default(),
            mathml: MathmlReader::new(Reading::Tolerant),
            keyer: Keyer::default(),
            slt: Slt::default(),
            operators: Operators::default(),
        }
    }
}

impl FormulaParser {
    /// Parses a formula: its LaTeX, or its MathML where there is no LaTeX.
    pub fn parse<'p>(&'p mut self, latex: &'p str, mathml: &'p str, mode: Mode) -> Parsed<'p> {
        if !is_missing(latex) {
            return self.parse_latex(latex, mode);
        }
        let Self { mathml: reader, keyer, slt, operators, .. } = self;
        slt.clear();
        let readable = mathml.is_empty() || reader.read(mathml, slt).is_ok();
        Parsed { layout: None, slt, keyer, operators, source: mathml, readable }
    }

    /// Parses LaTeX, even where there is nothing in it: it always has a layout tree.
    pub fn parse_latex<'p>(&'p mut self, latex: &'p str, mode: Mode) -> Parsed<'p> {
        let Self { latex: reader, to_slt, keyer, slt, operators, .. } = self;
        let parse = reader.read(latex.as_bytes(), mode);
        to_slt.read(&parse.tree, slt);
        let readable = !parse.has_errors();
        Parsed { layout: Some(parse), slt, keyer, operators, source: latex, readable }
    }

    /// The layout tree of LaTeX, for those who need no other tree.
    pub fn layout(&mut self, latex: &str, mode: Mode) -> &Parse {
        self.latex.read(latex.as_bytes(), mode)
    }

    /// The layout tree of the LaTeX that was parsed last.
    #[must_use]
    pub fn last_layout(&self) -> &Parse {
        self.latex.last()
    }

    /// The symbol layout tree of the formula that was parsed last.
    #[must_use]
    pub fn last_slt(&self) -> &Slt {
        &self.slt
    }

    /// The LaTeX of a formula, made from its MathML where there is none; empty where neither can be read.
    pub fn latex<'s>(&mut self, latex: &'s str, mathml: &str) -> Cow<'s, str> {
        if !is_missing(latex) || mathml.is_empty() {
            return Cow::Borrowed(latex);
        }
        self.latex_of_mathml(mathml).map_or(Cow::Borrowed(latex), Cow::Owned)
    }

    /// The LaTeX of a formula in MathML, if it can be read.
    pub fn latex_of_mathml(&mut self, mathml: &str) -> Option<String> {
        self.mathml.read(mathml, &mut self.slt).ok()?;
        Some(self.slt.to_latex())
    }

    /// The LaTeX of a symbol layout tree in the labs' string form, if it can be read.
    pub fn latex_of_slt(&mut self, slt: &str) -> Option<String> {
        let read = slt.len() <= LONGEST && self.slt.read_repaired_into(slt).is_ok();
        read.then(|| self.slt.to_latex())
    }
}

/// Whether a formula has no LaTeX: nothing, or nothing but blanks.
fn is_missing(latex: &str) -> bool {
    latex.trim().is_empty()
}

/// A formula that was read: its trees and its visual key. Operator trees and keys are made when they are asked for.
#[derive(Debug)]
pub struct Parsed<'p> {
    layout: Option<&'p Parse>,
    slt: &'p Slt,
    keyer: &'p mut Keyer,
    operators: &'p mut Operators,
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
        self.key_of_tree().unwrap_or_else(|| self.keyer.key_of_latex(self.source))
    }

    /// The visual key of the tree, unless it has error nodes.
    pub fn key_of_tree(&mut self) -> Option<Key> {
        self.keyer.key_of_readable_tree(self.slt)
    }

    /// What is equal for formulas that are the same but for the names of their variables; nothing for trees with
    /// error nodes.
    pub fn key_without_names(&mut self) -> Option<Key> {
        self.keyer.key_without_names(self.slt)
    }

    /// The operator tree as a mathematician reads the formula: functions are applied.
    pub fn opt_by_meaning(&mut self) -> &Opt {
        self.operators.meaning.read(self.slt, &mut self.operators.opt);
        &self.operators.opt
    }

    /// The operator tree as the labs' tools build it, with what only the LaTeX tells apart where there is LaTeX.
    pub fn opt_of_labs(&mut self) -> &Opt {
        let typed = if self.layout.is_some() { self.source } else { "" };
        self.operators.labs.read_typed(self.slt, typed, &mut self.operators.opt);
        &self.operators.opt
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
        assert_eq!(parser.latex_of_mathml("<math"), None);
        assert_eq!(parser.latex_of_slt("[V!x,a[N!2]]").as_deref(), Some("x^{{2}}"));
        assert_eq!(parser.latex_of_slt("[V!x"), None);
        assert!(parser.parse("", x, Mode::Document).layout().is_none());
    }

    #[test]
    fn operator_trees_are_made_of_the_layout_tree() {
        let mut parser = FormulaParser::default();
        let mut parsed = parser.parse("f(x)=1", "", Mode::Document);
        assert_eq!(parsed.opt_of_labs().to_string(), "[U!eq,0[U!times,0[V!f],1[V!x]],1[N!1]]");
        assert_eq!(parsed.opt_by_meaning().to_string(), "[U!eq,0[F!f,0[V!x]],1[N!1]]");
        let mut empty = parser.parse_latex(" ", Mode::Document);
        assert_eq!((empty.layout().is_some(), empty.opt_by_meaning().to_string()), (true, "[W!]".to_owned()));
        assert_eq!(
            (parser.last_slt().to_string().as_str(), parser.last_layout().diagnostics.len()),
            ("[W!]", 0)
        );
    }
}
