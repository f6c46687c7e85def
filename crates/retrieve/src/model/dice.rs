//! Dice's coefficient of two bags of features, as in the first stage of Tangent-S.
//!
//! ```text
//! Σ weight · 2 · min(tf in query, tf in document) / (length of query + length of document)
//! ```
//!
//! All features of the query count to its length, those with a wildcard and
//! those that no document has included.

use super::{TermStatistics, Totals};
use serde::Deserialize;

/// The model has no parameters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dice {}

/// A term of a query.
#[derive(Clone, Copy, Debug)]
pub struct Term {
    pub(super) weight: f32,
    frequency: f32,
    /// How many features the query has.
    pub(super) query: f32,
}

impl Dice {
    pub(super) fn term(&self, weight: f64, frequency: f64) -> Term {
        Term { weight: (2.0 * weight) as f32, frequency: frequency as f32, query: 0.0 }
    }

    /// The exact score in place of a sum of rounded parts: what both have in common is a whole number.
    pub(crate) fn settled(&self, score: f64, query: f64, document: f64) -> f64 {
        let both = query + document;
        let common = libm::round(score * both / 2.0);
        2.0 * common / both.max(1.0)
    }
}

impl Term {
    #[inline]
    pub(super) fn score(&self, frequency: f32, length: f32) -> f32 {
        self.weight * frequency.min(self.frequency) / (self.query + length)
    }

    pub(super) fn most(&self) -> f32 {
        // A document that has it so often is at least so long.
        self.weight * self.frequency / (self.query + self.frequency)
    }
}

pub(super) fn idf(_: TermStatistics, _: Totals) -> f64 {
    1.0
}
