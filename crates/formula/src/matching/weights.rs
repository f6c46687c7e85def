//! The numbers that decide how much counts what.
//!
//! They stand in `data/matcher.tsv`, one a line, and are learned from judged
//! formulas by `cargo run --profile dist -p bench -- train`.

use super::TERMS;
use super::node::CLASSES;
use std::fmt;
use std::sync::LazyLock;
use thiserror::Error;

/// All weights of the matcher.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// How much each term of the score counts.
    pub terms: [f32; TERMS],
    /// How much a node counts, by class.
    pub class: [f32; CLASSES],
    /// Credit for another notation.
    pub notation: f32,
    /// Credit for a letter renamed consistently.
    pub renamed: f32,
    /// What is left of [`super::Term::Equivalent`] when letters are renamed.
    pub equivalent_renamed: f32,
    /// Credit for a letter before the renaming is known.
    pub open_letter: f32,
    /// Credit for a letter against the renaming.
    pub other_letter: f32,
    /// Credit for another number.
    pub other_number: f32,
    /// Credit for the same family.
    pub family: f32,
    /// What it costs when an operand changes its place.
    pub moved: f32,
    /// What it costs to leave a node of the candidate out.
    pub gap: f32,
    /// The share of the children's credit that is kept under nodes of one family.
    pub through_family: f32,
    /// The share of the children's credit that is kept under nodes that differ.
    pub through_others: f32,
}

/// A weight's name and where it is.
type Named = (&'static str, fn(&mut Weights) -> &mut f32);

/// All weights by name, in the order of the file.
const NAMED: [Named; TERMS + CLASSES + 11] = [
    ("term.aligned", |w| &mut w.terms[0]),
    ("term.covered", |w| &mut w.terms[1]),
    ("term.layout_pairs", |w| &mut w.terms[2]),
    ("term.layout_pairs_covered", |w| &mut w.terms[3]),
    ("term.operator_pairs", |w| &mut w.terms[4]),
    ("term.operator_pairs_covered", |w| &mut w.terms[5]),
    ("term.shape_pairs", |w| &mut w.terms[6]),
    ("term.symbols", |w| &mut w.terms[7]),
    ("term.equivalent", |w| &mut w.terms[8]),
    ("term.identical", |w| &mut w.terms[9]),
    ("class.letter", |w| &mut w.class[0]),
    ("class.number", |w| &mut w.class[1]),
    ("class.constant", |w| &mut w.class[2]),
    ("class.function", |w| &mut w.class[3]),
    ("class.relation", |w| &mut w.class[4]),
    ("class.sum", |w| &mut w.class[5]),
    ("class.product", |w| &mut w.class[6]),
    ("class.fraction", |w| &mut w.class[7]),
    ("class.script", |w| &mut w.class[8]),
    ("class.operator", |w| &mut w.class[9]),
    ("class.container", |w| &mut w.class[10]),
    ("class.sequence", |w| &mut w.class[11]),
    ("class.text", |w| &mut w.class[12]),
    ("class.unread", |w| &mut w.class[13]),
    ("class.blank", |w| &mut w.class[14]),
    ("class.wildcard", |w| &mut w.class[15]),
    ("credit.notation", |w| &mut w.notation),
    ("credit.renamed", |w| &mut w.renamed),
    ("credit.equivalent_renamed", |w| &mut w.equivalent_renamed),
    ("credit.open_letter", |w| &mut w.open_letter),
    ("credit.other_letter", |w| &mut w.other_letter),
    ("credit.other_number", |w| &mut w.other_number),
    ("credit.family", |w| &mut w.family),
    ("cost.moved", |w| &mut w.moved),
    ("cost.gap", |w| &mut w.gap),
    ("through.family", |w| &mut w.through_family),
    ("through.others", |w| &mut w.through_others),
];

/// Why a text is no list of weights.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum WeightsError {
    /// A line is not a name, a tab and a number from 0.
    #[error("line {line}: expected a name, a tab and a number from 0 up")]
    NoNumber {
        /// Which line, from 1.
        line: usize,
    },
    /// A weight that does not exist.
    #[error("line {line}: there is no weight {name}")]
    Unknown {
        /// Which line, from 1.
        line: usize,
        /// The name.
        name: String,
    },
    /// A weight is missing.
    #[error("the weight {0} is missing")]
    Missing(&'static str),
}

impl Weights {
    /// Reads weights, one a line: a name, a tab, a number. Lines that begin with `#` are comments.
    ///
    /// # Errors
    /// If a line is wrong, or a weight missing.
    pub fn read(text: &str) -> Result<Self, WeightsError> {
        let mut weights = Self::zero();
        let mut seen = [false; NAMED.len()];
        for (number, line) in text.lines().enumerate() {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let line_number = number + 1;
            let (name, value) = line.split_once('\t').ok_or(WeightsError::NoNumber { line: line_number })?;
            let value: f32 =
                value.trim().parse().map_err(|_| WeightsError::NoNumber { line: line_number })?;
            if !value.is_finite() || value < 0.0 {
                return Err(WeightsError::NoNumber { line: line_number });
            }
            let Some(place) = NAMED.iter().position(|(known, _)| *known == name) else {
                return Err(WeightsError::Unknown { line: line_number, name: name.to_owned() });
            };
            *NAMED[place].1(&mut weights) = value;
            seen[place] = true;
        }
        match seen.iter().position(|seen| !seen) {
            Some(place) => Err(WeightsError::Missing(NAMED[place].0)),
            None => Ok(weights),
        }
    }

    fn zero() -> Self {
        Self {
            terms: [0.0; TERMS],
            class: [0.0; CLASSES],
            notation: 0.0,
            renamed: 0.0,
            equivalent_renamed: 0.0,
            open_letter: 0.0,
            other_letter: 0.0,
            other_number: 0.0,
            family: 0.0,
            moved: 0.0,
            gap: 0.0,
            through_family: 0.0,
            through_others: 0.0,
        }
    }

    /// The names of all weights.
    pub fn names() -> impl Iterator<Item = &'static str> {
        NAMED.iter().map(|(name, _)| *name)
    }

    /// The weight at a position of [`Weights::names`], to change it.
    ///
    /// # Panics
    /// If there is no such position.
    pub fn at_mut(&mut self, position: usize) -> &mut f32 {
        NAMED[position].1(self)
    }
}

/// The learned weights.
impl Default for Weights {
    fn default() -> Self {
        static LEARNED: LazyLock<Weights> = LazyLock::new(|| {
            Weights::read(include_str!("../../data/matcher.tsv")).expect("a test reads the weights that ship")
        });
        LEARNED.clone()
    }
}

/// As [`Weights::read`] reads it.
impl fmt::Display for Weights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut copy = self.clone();
        for (name, weight) in NAMED {
            writeln!(f, "{name}\t{}", weight(&mut copy))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_that_ship_are_read_and_print_back() {
        let weights = Weights::default();
        assert_eq!(Weights::read(&weights.to_string()), Ok(weights));
    }

    #[test]
    fn wrong_weights_are_told() {
        let text = Weights::default().to_string();
        let error = |text: &str| Weights::read(text).unwrap_err().to_string();
        assert_eq!(error("term.aligned 1"), "line 1: expected a name, a tab and a number from 0 up");
        assert_eq!(error("term.aligned\t-1"), "line 1: expected a name, a tab and a number from 0 up");
        assert_eq!(error("# x\nterm.x\t1"), "line 2: there is no weight term.x");
        assert_eq!(error(&text.replace("cost.gap", "# cost.gap")), "the weight cost.gap is missing");
    }
}
