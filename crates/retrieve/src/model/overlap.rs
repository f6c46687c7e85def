//! Overlap: what query and document have in common, weighted by idf.
//!
//! ```text
//! Σ weight · ln(1 + N/df) · min(tf in query, tf in document) / √(size of document + size of query)
//! ```
//!
//! The sizes count symbols, so that a formula which holds the query is worth
//! less the more else it holds. Ours; Dice's coefficient has the sum of sizes
//! without the root.

use super::{TermStatistics, Totals};
use serde::Deserialize;

/// The model has no parameters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Overlap {}

/// A term of a query.
#[derive(Clone, Copy, Debug)]
pub struct Term {
    pub(super) weight: f32,
    frequency: f32,
}

impl Overlap {
    /// The norms of documents of 0 to 255 symbols for a query.
    #[must_use]
    pub fn norms(size_of_query: usize) -> Box<[f32; 256]> {
        let mut norms = Box::new([0.0; 256]);
        for (size, norm) in (0_u16..).zip(norms.iter_mut()) {
            *norm = libm::sqrtf(f32::from(size) + size_of_query.max(1) as f32);
        }
        norms
    }

    pub(super) fn term(&self, weight: f64, frequency: f64, term: TermStatistics, totals: Totals) -> Term {
        Term { weight: (weight * idf(term, totals)) as f32, frequency: frequency as f32 }
    }
}

impl Term {
    #[inline]
    pub(super) fn score(&self, frequency: f32, norm: f32) -> f32 {
        self.weight * frequency.min(self.frequency) / norm
    }

    pub(super) fn most(&self) -> f32 {
        self.weight * self.frequency
    }
}

pub(super) fn idf(term: TermStatistics, totals: Totals) -> f64 {
    libm::log1p(totals.documents / term.documents.max(1.0))
}
