//! Is the MathML that was given that of the LaTeX?
//!
//! Both are read into trees of the same kind. MathML is right when the trees look the same, or when the LaTeX that it
//! names in `alttext` looks the same and it has no error node. Else it is one of these:
//!
//! - *error*: LaTeXML left an error node where the LaTeX can be read;
//! - *escaped*: it was made of the LaTeX with its escapes, so that `&amp;` became the symbols `a m p`: `alttext` looks
//!   the same once they are undone;
//! - *foreign*: no more than half of the symbols are common to both (twice the common ones over all, as Dice has it),
//!   or, in Presentation MathML whose `alttext` names another formula, no more than half of the edges, which say where
//!   each symbol stands.
//!   Short formulas share no symbols soon, and one symbol can be written in two ways, so trees that differ in a single
//!   symbol are foreign only if `alttext` names another formula.
//!
//! Where LaTeX or MathML cannot be read there is nothing to compare, and it is left alone.

use formula::FormulaParser;
use formula::identity::Key;
use formula::mathml::Reading;
use formula::opt::Opt;
use formula::opt::content::{ContentReader, fold_italics};
use formula::slt::Slt;
use latex::Mode;
use std::ops::Range;
use store::{Collection, Error, FormMarks, FormNo, Reader};

/// Up to this share of common symbols, MathML does not belong to its LaTeX.
const ENOUGH: f64 = 0.5;

/// Up to this share of common edges, Presentation MathML that names another formula does not belong to its LaTeX.
/// Among 39,000 distinct formulas of a sample of ARQMath this finds 8 more, all of them made of escapes.
const ENOUGH_EDGES: f64 = 0.5;

/// Forms that a thread takes at once.
const BATCH: u32 = 1024;

/// What is wrong with MathML beside LaTeX that is right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// It is of another formula.
    Foreign,
    /// It was made of the LaTeX with its escapes.
    Escaped,
    /// It holds an error node.
    ErrorNode,
}

/// What is wrong with the MathML of a form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Faults {
    pub(crate) presentation: Option<Fault>,
    pub(crate) content: Option<Fault>,
}

impl Faults {
    /// The marks that a form gets for them.
    pub(crate) fn marks(self) -> u8 {
        let bit = |fault: Option<Fault>, bit: u8| if fault.is_some() { bit } else { 0 };
        bit(self.presentation, FormMarks::FOREIGN_PRESENTATION)
            | bit(self.content, FormMarks::FOREIGN_CONTENT)
    }
}

/// The LaTeX that MathML names, beside that of the form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Named {
    Nothing,
    Same,
    Escaped,
    Other,
}

/// What is wrong with the MathML of every form, found on all cores.
pub(crate) fn faults(collection: &Collection) -> Result<Vec<Faults>, Error> {
    let new_worker = || {
        let (mut judge, mut reader) = (Judge::new(), collection.reader());
        move |batch: Range<u32>| -> Result<Vec<Faults>, Error> {
            batch.map(|form| judge.form(&mut reader, FormNo(form))).collect()
        }
    };
    let mut faults = Vec::with_capacity(collection.num_forms() as usize);
    parallel::batches(collection.num_forms(), BATCH, new_worker, |batch| {
        faults.extend(batch);
        Ok(())
    })?;
    Ok(faults)
}

/// Compares given MathML with LaTeX.
pub(crate) struct Judge {
    typed: FormulaParser,
    given: FormulaParser,
    content_reader: ContentReader,
    opt: Opt,
    given_opt: Opt,
}

impl Judge {
    pub(crate) fn new() -> Self {
        Self {
            typed: FormulaParser::default(),
            given: FormulaParser::default(),
            content_reader: ContentReader::new(Reading::Tolerant),
            opt: Opt::default(),
            given_opt: Opt::default(),
        }
    }

    fn form(&mut self, reader: &mut Reader<'_>, form: FormNo) -> Result<Faults, Error> {
        let latex = reader.latex(form)?.to_owned();
        let presentation = reader.presentation(form)?.to_owned();
        let content = reader.content(form)?;
        Ok(self.judge(&latex, &presentation, content))
    }

    /// What is wrong with this MathML beside this LaTeX; empty MathML is none.
    pub(crate) fn judge(&mut self, latex: &str, presentation: &str, content: &str) -> Faults {
        let mut faults = Faults::default();
        if latex.trim().is_empty() || (presentation.is_empty() && content.is_empty()) {
            return faults;
        }
        let mut typed = self.typed.parse_latex(latex, Mode::Document);
        let Some(key) = typed.key_of_tree().filter(|_| typed.is_readable()) else { return faults };
        if !content.is_empty() {
            self.opt.clone_from(typed.opt_of_labs());
        }
        if !presentation.is_empty() {
            faults.presentation = self.presentation(presentation, key);
        }
        if !content.is_empty() {
            faults.content = self.content(content, key);
        }
        faults
    }

    fn presentation(&mut self, given: &str, key: Key) -> Option<Fault> {
        let named = self.named(given, key);
        let mut given = self.given.parse("", given, Mode::Document);
        if !given.is_readable() || given.slt().is_empty() {
            return None;
        }
        let Some(key_of_given) = given.key_of_tree() else { return Some(Fault::ErrorNode) };
        if key == key_of_given {
            return None;
        }
        let (typed, given) = (self.typed.last_slt(), given.slt());
        let symbols = Common::count(symbols(typed), symbols(given));
        let edges = Common::count(edges(typed), edges(given));
        fault(named, &symbols, Some(&edges))
    }

    fn content(&mut self, given: &str, key: Key) -> Option<Fault> {
        let named = self.named(given, key);
        self.content_reader.read(given, &mut self.given_opt).ok()?;
        fold_italics(&mut self.given_opt);
        fold_italics(&mut self.opt);
        if leaves(&self.given_opt).any(|tag| tag.starts_with("E!")) {
            return Some(Fault::ErrorNode);
        }
        // Operators of the same thing have several names, so where leaves stand says little.
        fault(named, &Common::count(leaves(&self.opt), leaves(&self.given_opt)), None)
    }

    /// What the LaTeX is that MathML names. LaTeXML breaks its lines with `%`.
    fn named(&mut self, mathml: &str, key: Key) -> Named {
        let start = mathml.split('>').next().unwrap_or_default();
        let Some((_, value)) = start.split_once("alttext=\"") else { return Named::Nothing };
        let value = value.split('"').next().unwrap_or_default();
        let mut latex = value.replace("%&#10;", "").replace("&#10;", " ").replace("%\n", "");
        for (escape, plain) in
            [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")]
        {
            latex = latex.replace(escape, plain);
        }
        if self.key_of(&latex) == Some(key) {
            return Named::Same;
        }
        // Whoever cut a formula into cells left the rest of an escape at the start of a cell.
        let mut plain = latex.clone();
        for (escape, letter) in [("amp;", ""), ("&lt;", "<"), ("&lt", "<"), ("&gt;", ">"), ("&gt", ">")] {
            plain = plain.replace(escape, letter);
        }
        if plain != latex && self.key_of(&plain) == Some(key) { Named::Escaped } else { Named::Other }
    }

    /// The key of LaTeX that MathML names, unless it has error nodes.
    fn key_of(&mut self, latex: &str) -> Option<Key> {
        self.given.parse_latex(latex, Mode::Document).key_of_tree()
    }
}

/// What is wrong with trees that do not look the same.
fn fault(named: Named, symbols: &Common, edges: Option<&Common>) -> Option<Fault> {
    match named {
        Named::Same => None,
        Named::Escaped => Some(Fault::Escaped).filter(|_| symbols.apart() > 0),
        Named::Other => {
            let moved = edges.is_some_and(|edges| edges.share() <= ENOUGH_EDGES);
            let differs = symbols.share() <= ENOUGH || moved;
            Some(Fault::Foreign).filter(|_| differs)
        }
        Named::Nothing => {
            let differs = symbols.share() <= ENOUGH && symbols.apart() > 1;
            Some(Fault::Foreign).filter(|_| differs)
        }
    }
}

fn symbols(slt: &Slt) -> impl Iterator<Item = &str> {
    slt.preorder().map(|node| slt.tag(node))
}

/// Symbols with the symbol they hang on, and where.
fn edges(slt: &Slt) -> impl Iterator<Item = (&str, char, &str)> {
    let edge = |node| Some((slt.tag(slt.parent(node)?), slt.edge(node).label(), slt.tag(node)));
    slt.preorder().filter_map(edge)
}

fn leaves(opt: &Opt) -> impl Iterator<Item = &str> {
    opt.preorder().filter(|node| opt.is_leaf(*node)).map(|node| opt.tag(node))
}

/// The symbols of two trees, or their edges.
struct Common {
    both: usize,
    ours: usize,
    given: usize,
}

impl Common {
    /// Counts what both have.
    fn count<T: Ord>(ours: impl Iterator<Item = T>, given: impl Iterator<Item = T>) -> Self {
        let sorted = |all: &mut dyn Iterator<Item = T>| {
            let mut all: Vec<T> = all.collect();
            all.sort_unstable();
            all
        };
        let (ours, given) = (sorted(&mut { ours }), sorted(&mut { given }));
        let (mut a, mut b, mut both) = (0, 0, 0);
        while a < ours.len() && b < given.len() {
            match ours[a].cmp(&given[b]) {
                std::cmp::Ordering::Less => a += 1,
                std::cmp::Ordering::Greater => b += 1,
                std::cmp::Ordering::Equal => {
                    both += 1;
                    a += 1;
                    b += 1;
                }
            }
        }
        Self { both, ours: ours.len(), given: given.len() }
    }

    /// Twice what both have, over all.
    fn share(&self) -> f64 {
        match self.ours + self.given {
            0 => 1.0,
            all => 2.0 * self.both as f64 / all as f64,
        }
    }

    /// How many symbols must be changed, added or taken away to make the one of the other.
    fn apart(&self) -> usize {
        self.ours.max(self.given) - self.both
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn math(inner: &str) -> String {
        format!("<math>{inner}</math>")
    }

    const SUM: &str = "<mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow>";

    #[test]
    fn mathml_of_another_formula_is_foreign() {
        let mut judge = Judge::new();
        let square = math("<msup><mi>x</mi><mn>2</mn></msup>");
        let sum = math(SUM);
        for (latex, presentation, fault) in [
            ("x^2", square.as_str(), None),
            ("x^{2}", &square, None),
            ("x^2+1", &square, None),
            ("x+1", &square, Some(Fault::Foreign)),
            (r"\int_0^1 f", &sum, Some(Fault::Foreign)),
            (r"\unknown{x}", &sum, None),
            ("", &sum, None),
            ("a+b", "no MathML", None),
            (r"\sin", r#"<math alttext="\sin"><mi>z</mi></math>"#, None),
        ] {
            let found = judge.judge(latex, presentation, "").presentation;
            assert_eq!(found, fault, "{latex} and {presentation}");
        }
        let content = math("<apply><plus/><ci>a</ci><ci>𝑏</ci></apply>");
        assert_eq!(judge.judge("a+b", "", &content).content, None);
        assert_eq!(judge.judge(r"\frac{x}{2}", "", &content).content, Some(Fault::Foreign));
    }

    #[test]
    fn a_single_symbol_that_differs_is_foreign_only_if_another_formula_is_named() {
        let mut judge = Judge::new();
        for (latex, inner) in
            [("y^2", "<msup><mi>x</mi><mn>2</mn></msup>"), ("y", "<mi>x</mi>"), ("", "<mi>x</mi>")]
        {
            assert_eq!(judge.judge(latex, &math(inner), "").presentation, None, "{latex}");
        }
        let named = r#"<math alttext="x"><mi>x</mi></math>"#;
        assert_eq!(judge.judge("y", named, "").presentation, Some(Fault::Foreign));
        let content = r#"<math alttext="\blacksquare"><ci>■</ci></math>"#;
        assert_eq!(judge.judge(r"\varnothing", "", content).content, Some(Fault::Foreign));
    }

    #[test]
    fn the_same_symbols_in_other_places_are_foreign_only_if_another_formula_is_named() {
        let mut judge = Judge::new();
        let second = "<msub><mi>x</mi><mn>2</mn></msub>";
        assert_eq!(judge.judge("x^2", &math(second), "").presentation, None, "nothing is named");
        let named = |alttext: &str, inner: &str| format!("<math alttext=\"{alttext}\">{inner}</math>");
        for (latex, alttext, inner, fault) in [
            ("x^2", "x_2", second, Some(Fault::Foreign)),
            ("x_2", "x_2", second, None),
            ("x_{2}", "x_2", second, None),
            ("a+b", "b+a", "<mi>b</mi><mo>+</mo><mi>a</mi>", Some(Fault::Foreign)),
        ] {
            assert_eq!(
                judge.judge(latex, &named(alttext, inner), "").presentation,
                fault,
                "{latex} and {alttext}"
            );
        }
    }

    #[test]
    fn error_nodes_beside_latex_that_can_be_read_are_errors() {
        let mut judge = Judge::new();
        let broken = math(&format!("<mrow><merror><mtext>\\foo</mtext></merror>{SUM}</mrow>"));
        assert_eq!(judge.judge("a+b", &broken, "").presentation, Some(Fault::ErrorNode));
        // LaTeX that cannot be read either says nothing about the MathML.
        assert_eq!(judge.judge(r"\foo a+b", &broken, "").presentation, None);
    }

    #[test]
    fn mathml_that_was_made_of_escapes_is_told_apart() {
        let mut judge = Judge::new();
        let escaped = r#"<math alttext="0&amp;lta"><mrow><mn>0</mn><mi>&amp;</mi><mi>l</mi><mi>t</mi><mi>a</mi></mrow></math>"#;
        assert_eq!(judge.judge("0<a", escaped, "").presentation, Some(Fault::Escaped));
    }
}
