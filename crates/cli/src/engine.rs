//! The one place where the program calls the libraries.
//!
//! Commands know formulas only through this module, so a change of a library's
//! interface ends here.

use clap::ValueEnum;
use std::collections::HashMap;

/// How a formula is written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Notation {
    /// LaTeX as people type it
    Latex,
    /// Presentation MathML
    Mathml,
    /// The labs' string of a symbol layout tree
    Slt,
}

/// A formula as it stands in the input.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Formula<'s> {
    pub(crate) notation: Notation,
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

/// Whether two formulas are the same by a rule, and why.
#[derive(Debug)]
pub(crate) struct Comparison {
    pub(crate) same: bool,
    pub(crate) because: String,
}

/// The libraries with buffers that are used again for every formula; each
/// thread has its own.
#[derive(Debug, Default)]
pub(crate) struct Engine {
    reader: latex::Reader,
}

impl Engine {
    /// The symbol layout tree as the labs' string.
    pub(crate) fn slt(&mut self, formula: Formula<'_>) -> String {
        placeholder(formula)
    }

    /// MathML Core.
    pub(crate) fn mathml(&mut self, formula: Formula<'_>) -> String {
        placeholder(formula)
    }

    /// One line of Unicode for terminals.
    pub(crate) fn text(&mut self, formula: Formula<'_>) -> String {
        placeholder(formula)
    }

    /// Normalised LaTeX.
    pub(crate) fn latex(&mut self, formula: Formula<'_>) -> String {
        placeholder(formula)
    }

    /// The visual key, 32 hexadecimal digits.
    pub(crate) fn key(&mut self, formula: Formula<'_>) -> String {
        placeholder(formula)
    }

    /// Compares two formulas.
    pub(crate) fn compare(&mut self, a: Formula<'_>, b: Formula<'_>, rule: Rule) -> Comparison {
        let _ = rule;
        Comparison { same: self.key(a) == self.key(b), because: String::from("placeholder") }
    }

    /// A number that is equal for formulas that are the same by a rule.
    pub(crate) fn identity(&mut self, formula: Formula<'_>, rule: Rule) -> u128 {
        let _ = rule;
        self.key(formula)
            .bytes()
            .fold(7, |sum, byte| u128::wrapping_add(u128::wrapping_mul(sum, 31), u128::from(byte))) // placeholder
    }

    /// LaTeX as a layout tree with remarks.
    pub(crate) fn parse(&mut self, source: &str) -> &latex::Parse {
        self.reader.read(source.as_bytes(), latex::Mode::Document)
    }
}

fn placeholder(formula: Formula<'_>) -> String {
    format!("({:?} {})", formula.notation, formula.source.replace(['\t', '\n', '"'], " "))
}

/// The name of the command or environment a remark is about. The remark quotes
/// it; its span is that of the macro call when it came out of one.
pub(crate) fn subject<'d>(diagnostic: &'d latex::Diagnostic, source: &'d str) -> &'d str {
    let quoted = diagnostic.message.split_once('`').and_then(|(_, rest)| rest.rsplit_once('`'));
    quoted.map_or_else(|| source.get(diagnostic.span.range()).unwrap_or_default(), |(name, _)| name)
}

/// Visual ids from 1, in the order in which identities are first seen.
#[derive(Debug, Default)]
pub(crate) struct Numbering(HashMap<u128, u64>);

impl Numbering {
    /// The visual id of this identity.
    pub(crate) fn number(&mut self, identity: u128) -> u64 {
        let next = self.0.len() as u64 + 1;
        *self.0.entry(identity).or_insert(next)
    }
}

/// A formula in an existing numbering.
#[derive(Debug)]
pub(crate) struct Member {
    pub(crate) id: String,
    pub(crate) visual_id: String,
    pub(crate) identity: u128,
}

/// A formula whose visual id has to change.
#[derive(Debug)]
pub(crate) struct Change {
    pub(crate) id: String,
    pub(crate) old: String,
    pub(crate) new: String,
}

/// Puts a numbering right by the rule of ARQMath-3; gives what changes, in the
/// order of the members.
pub(crate) fn recluster(members: &[Member], relevance: &HashMap<String, f64>) -> Vec<Change> {
    // placeholder
    let _ = relevance;
    members
        .iter()
        .filter(|member| member.identity == 0)
        .map(|member| Change { id: member.id.clone(), old: member.visual_id.clone(), new: String::new() })
        .collect()
}
