//! Formulas in any notation, converted for the commands below `hypatia formula`.
//!
//! It wires readers and trees itself: `formula::FormulaParser` reads LaTeX and MathML alone, and here trees in the
//! labs' strings are read too, by the labs' rules where these are asked for.

mod alike;
mod features;
mod measures;

pub(crate) use alike::{Alike, term_weights};
pub(crate) use features::{Features, TokensOf, Wrap};
pub(crate) use measures::{MEASURES, Measure, Measurer, Trees};

use clap::ValueEnum;
use features::Extractor;
use formula::cluster::{IdentityRule, LookKeys};
use formula::identity::{self, Blanks, Keyer};
use formula::mathml::{Display, MathmlOptions, MathmlReader, Reading, write_mathml};
use formula::normal::write_latex;
use formula::opt::Opt;
use formula::opt::content::{ContentReader, write_content_mathml};
use formula::opt::labs::LabsOpt;
use formula::opt::meaning::SltToOpt;
use formula::slt::{LatexToSlt, Slt};
use formula::text::write_text;
use latex::Mode;
use post::FormulaTexts;
use std::borrow::Cow;

/// Plain text whose formulas, between dollars, are written in one line of Unicode each.
pub(crate) fn readable(text: &str) -> String {
    let mut converter = latex::Reader::default();
    let cleaned = markup::Cleaner::new().clean(text, markup::Markup::Text, markup::Dollars::Math);
    markup::text(&cleaned.html, |number, out| {
        let latex = cleaned.formulas.get(number).map_or("", |found| found.latex.as_str());
        out.push_str(write_text(&converter.read(latex.as_bytes(), Mode::Document).tree).trim());
    })
}

/// What someone wrote as safe HTML, with formulas as MathML.
pub(crate) fn drawn(text: &str, written: markup::Markup) -> String {
    let (mut reader, mut texts) = (latex::Reader::default(), FormulaTexts::default());
    let cleaned = markup::Cleaner::new().clean(text, written, markup::Dollars::Math);
    markup::expand(&cleaned.html, |number, out| {
        let Some(found) = cleaned.formulas.get(number) else { return };
        let display = match found.display {
            markup::Display::Inline => Display::Inline,
            markup::Display::Block => Display::Block,
        };
        let latex = texts.found(found);
        let tree = &reader.read(latex.as_bytes(), Mode::Document).tree;
        out.push_str(&write_mathml(tree, &latex, MathmlOptions { display, ..MathmlOptions::default() }));
    })
}

/// How a formula is written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Notation {
    /// LaTeX as people type it
    Latex,
    /// Presentation MathML
    Mathml,
    /// The labs' string of a symbol layout tree
    Slt,
    /// The labs' string of an operator tree
    Opt,
}

/// What an operator tree says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum OptAs {
    /// What a mathematician reads: functions are applied, integrals have a variable
    #[default]
    Meaning,
    /// What the labs' tools build: f(x) is f times x
    Labs,
}

/// A formula as it stands in the input.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Formula<'s> {
    pub(crate) notation: Notation,
    pub(crate) mode: Mode,
    pub(crate) source: &'s str,
}

/// Which rule says that two formulas are the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Rule {
    /// Equal canonical layout: what looks the same is the same
    #[default]
    Key,
    /// The labs' rule: equal SLT strings, else equal LaTeX without blanks
    Labs,
}

impl Rule {
    fn identity(self) -> IdentityRule {
        match self {
            Self::Key => IdentityRule::Look,
            Self::Labs => IdentityRule::Labs(Blanks::All),
        }
    }
}

/// Whether two formulas are the same by a rule, and why.
#[derive(Debug)]
pub(crate) struct Comparison {
    pub(crate) same: bool,
    pub(crate) because: String,
}

/// The libraries with buffers that are used again for every formula; each
/// thread has its own.
#[derive(Debug)]
pub(crate) struct Engine {
    reader: latex::Reader,
    to_slt: LatexToSlt,
    tolerant: MathmlReader,
    labs: MathmlReader,
    slt: Slt,
    content: ContentReader,
    to_labs: LabsOpt,
    to_meaning: SltToOpt,
    opt: Opt,
    keyer: Keyer,
    extractor: Option<Extractor>,
    unread: bool,
}

impl Default for Engine {
    fn default() -> Self {
        Self {
            reader: latex::Reader::default(),
            to_slt: LatexToSlt::default(),
            tolerant: MathmlReader::new(Reading::Tolerant),
            labs: MathmlReader::new(Reading::Labs),
            slt: Slt::default(),
            content: ContentReader::new(Reading::Labs),
            to_labs: LabsOpt::default(),
            to_meaning: SltToOpt::default(),
            opt: Opt::default(),
            keyer: Keyer::default(),
            extractor: None,
            unread: false,
        }
    }
}

impl Engine {
    /// The symbol layout tree as the labs' string.
    pub(crate) fn slt(&mut self, formula: Formula<'_>) -> String {
        self.read(formula, Reading::Tolerant);
        self.slt.to_string()
    }

    /// The operator tree as the labs' string.
    pub(crate) fn opt(&mut self, formula: Formula<'_>, says: OptAs) -> String {
        self.read_opt(formula, says);
        self.opt.to_string()
    }

    /// The operator tree as Content MathML.
    pub(crate) fn content(&mut self, formula: Formula<'_>, says: OptAs) -> String {
        self.read_opt(formula, says);
        write_content_mathml(&self.opt)
    }

    /// MathML Core.
    pub(crate) fn mathml(&mut self, formula: Formula<'_>) -> String {
        let latex = self.latex_of(formula);
        let parse = self.reader.read(latex.as_bytes(), formula.mode);
        write_mathml(&parse.tree, &latex, MathmlOptions::default())
    }

    /// One line of Unicode for terminals.
    pub(crate) fn text(&mut self, formula: Formula<'_>) -> String {
        let latex = self.latex_of(formula);
        let text = write_text(&self.reader.read(latex.as_bytes(), formula.mode).tree);
        // A formula with nothing to see still has its line.
        if text.is_empty() { String::from("␣") } else { text }
    }

    /// Normalised LaTeX.
    pub(crate) fn latex(&mut self, formula: Formula<'_>) -> String {
        let latex = self.latex_of(formula);
        let normal = write_latex(&self.reader.read(latex.as_bytes(), formula.mode).tree);
        if normal.is_empty() { String::from("{}") } else { normal }
    }

    /// The visual key, 32 hexadecimal digits.
    pub(crate) fn key(&mut self, formula: Formula<'_>) -> String {
        self.identity(formula, Rule::Key).key().to_string()
    }

    /// Compares two formulas.
    pub(crate) fn compare(&mut self, a: Formula<'_>, b: Formula<'_>, rule: Rule) -> Comparison {
        if rule == Rule::Labs {
            let same = self.identity(a, rule).key() == self.identity(b, rule).key();
            let [left, right] = [a, b].map(|formula| {
                if self.read(formula, Reading::Labs) {
                    return self.slt.to_string();
                }
                format!("no tree, so compared as written without blanks: {}", formula.source)
            });
            return Comparison { same, because: format!("{left}\n{right}") };
        }
        let trees = [a, b].map(|formula| {
            let read = self.read(formula, Reading::Tolerant);
            read.then(|| self.slt.clone())
        });
        let [left, right] = [(a, &trees[0]), (b, &trees[1])].map(|(formula, tree)| {
            // What was not typed as LaTeX only counts where there is nothing better, as in its key.
            let whole = tree.as_ref().is_some_and(|tree| self.keyer.key_of_readable_tree(tree).is_some());
            let typed = formula.notation == Notation::Latex || !whole;
            identity::Formula { slt: tree.as_ref(), latex: if typed { formula.source } else { "" } }
        });
        let explanation = identity::explain(left, right);
        Comparison { same: explanation.same, because: explanation.to_string() }
    }

    /// What is equal for formulas that are the same by a rule.
    pub(crate) fn identity(&mut self, formula: Formula<'_>, rule: Rule) -> LookKeys {
        let reading = if rule == Rule::Labs { Reading::Labs } else { Reading::Tolerant };
        let read = self.read(formula, reading);
        let known = identity::Formula { slt: read.then_some(&self.slt), latex: formula.source };
        rule.identity().keys(&mut self.keyer, known)
    }

    /// LaTeX as a layout tree with remarks.
    pub(crate) fn parse(&mut self, source: &str, mode: Mode) -> &latex::Parse {
        self.reader.read(source.as_bytes(), mode)
    }

    /// Whether there was a formula since the last call that could not be read at all.
    pub(crate) fn take_unread(&mut self) -> bool {
        std::mem::take(&mut self.unread)
    }

    /// Reads the layout tree; says whether there is one. Without one, it is a blank.
    fn read(&mut self, formula: Formula<'_>, reading: Reading) -> bool {
        let read = match formula.notation {
            Notation::Latex => {
                let parse = self.reader.read(formula.source.as_bytes(), formula.mode);
                self.to_slt.read(&parse.tree, &mut self.slt);
                true
            }
            Notation::Mathml => {
                let reader = if reading == Reading::Labs { &mut self.labs } else { &mut self.tolerant };
                reader.read(formula.source, &mut self.slt).is_ok()
            }
            Notation::Slt => self.slt.read_repaired_into(formula.source).is_ok(),
            // Operations do not say where things stand; commands that need to know refuse them.
            Notation::Opt => {
                self.slt.clear();
                false
            }
        };
        self.unread |= !read && !formula.source.trim().is_empty();
        if self.slt.root().is_none() {
            let blank = self.slt.push_tag("", "", formula::slt::Look::default());
            self.slt.set_root(Some(blank));
        }
        read
    }

    /// Reads the operator tree. What cannot be read at all is a blank.
    fn read_opt(&mut self, formula: Formula<'_>, says: OptAs) {
        let read = match formula.notation {
            Notation::Opt => {
                let read = self.opt.read_repaired_into(formula.source).is_ok();
                self.unread |= !read && !formula.source.trim().is_empty();
                read
            }
            // Content says more about operations than layout does.
            Notation::Mathml if says == OptAs::Labs => {
                self.content.read(formula.source, &mut self.opt).is_ok() || self.opt_of_layout(formula, says)
            }
            Notation::Mathml => {
                let unread = self.unread;
                self.opt_of_layout(formula, says) || {
                    let read = self.content.read(formula.source, &mut self.opt).is_ok();
                    self.unread = unread || !read && !formula.source.trim().is_empty();
                    read
                }
            }
            Notation::Latex | Notation::Slt => self.opt_of_layout(formula, says),
        };
        if !read || self.opt.root().is_none() {
            self.opt.clear();
            let blank = self.opt.push("W!");
            self.opt.set_root(Some(blank));
        }
    }

    /// Makes the operator tree from the layout tree; says whether there is one.
    fn opt_of_layout(&mut self, formula: Formula<'_>, says: OptAs) -> bool {
        let read = self.read(formula, Reading::Tolerant);
        let typed = if formula.notation == Notation::Latex { formula.source } else { "" };
        match says {
            OptAs::Labs => self.to_labs.read_typed(&self.slt, typed, &mut self.opt),
            OptAs::Meaning => self.to_meaning.read(&self.slt, &mut self.opt),
        }
        read
    }

    /// The formula as LaTeX; made from the layout tree when it was written otherwise.
    fn latex_of<'s>(&mut self, formula: Formula<'s>) -> Cow<'s, str> {
        if formula.notation == Notation::Latex {
            return Cow::Borrowed(formula.source);
        }
        self.read(formula, Reading::Tolerant);
        Cow::Owned(self.slt.to_latex())
    }
}

/// The name of the command or environment a remark is about. The remark quotes
/// it; its span is that of the macro call when it came out of one.
pub(crate) fn subject<'d>(diagnostic: &'d latex::Diagnostic, source: &'d str) -> &'d str {
    let quoted = diagnostic.message.split_once('`').and_then(|(_, rest)| rest.rsplit_once('`'));
    quoted.map_or_else(|| source.get(diagnostic.span.range()).unwrap_or_default(), |(name, _)| name)
}
