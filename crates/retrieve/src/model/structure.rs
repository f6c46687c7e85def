//! What paths query and document have in common, as a first look at approach0's structure score.
//!
//! ```text
//! Σ weight · ln(all paths/df) · min(tf in query, tf in document) · ((1 − η) + η/ln(1 + leaves))
//! ```
//!
//! The sum is never less than the structure score that approach0 works out for
//! the best pair of roots: it adds up over all of them. The index counts how
//! many formulas have a path (`df`) and the leaves of all paths of a formula;
//! approach0 counts pairs of a path and a root. As the leaves of a formula alone
//! are not kept, one is taken for every six of those.

use super::{TermStatistics, Totals};
use formula::similarity::structure::{LENGTH_PENALTY, length_factor};
use serde::Deserialize;

/// Parameters of the first look.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Structure {
    /// How much long formulas lose, from 0 to 1 (η).
    pub penalty: f64,
}

impl Default for Structure {
    fn default() -> Self {
        Self { penalty: LENGTH_PENALTY }
    }
}

/// How many paths a leaf has, about.
const PATHS_OF_A_LEAF: f64 = 6.0;

/// A term of a query.
#[derive(Clone, Copy, Debug)]
pub struct Term {
    pub(super) weight: f32,
    frequency: f32,
    /// The most that a document can gain by being short.
    short: f32,
}

impl Structure {
    pub(super) fn norm(&self, length: f64) -> f64 {
        let leaves = libm::round(length / PATHS_OF_A_LEAF).clamp(1.0, 1e6) as usize;
        1.0 / length_factor(leaves, self.penalty.clamp(0.0, 1.0)).max(1e-6)
    }

    pub(super) fn term(&self, weight: f64, frequency: f64, term: TermStatistics, totals: Totals) -> Term {
        Term {
            weight: (weight * idf(term, totals)) as f32,
            frequency: frequency as f32,
            short: (1.0 / self.norm(0.0)) as f32,
        }
    }
}

impl Term {
    #[inline]
    pub(super) fn score(&self, frequency: f32, norm: f32) -> f32 {
        self.weight * frequency.min(self.frequency) / norm
    }

    pub(super) fn most(&self) -> f32 {
        self.weight * self.frequency * self.short * 1.001
    }
}

pub(super) fn idf(term: TermStatistics, totals: Totals) -> f64 {
    libm::log(totals.length() / term.documents.max(1.0)).max(0.0)
}
