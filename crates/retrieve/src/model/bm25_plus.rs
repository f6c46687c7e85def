//! BM25+ (Lv and Zhai, 2011): a term that occurs has a lower bound on its score, however long the document.
//!
//! ```text
//! Σ weight · ln((N + 1)/df) · ( (k1 + 1)·tf / (tf + k1·(1 − b + b·length/mean)) + δ )
//! ```

use super::{TermStatistics, Totals};
use serde::Deserialize;

/// Parameters of BM25+.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Bm25Plus {
    /// How slowly a frequency saturates.
    pub k1: f64,
    /// How much the length counts.
    pub b: f64,
    /// The lower bound of the score of a term that occurs.
    pub delta: f64,
}

impl Default for Bm25Plus {
    fn default() -> Self {
        Self { k1: 1.2, b: 0.75, delta: 1.0 }
    }
}

/// A term of a query.
#[derive(Clone, Copy, Debug)]
pub struct Term {
    pub(super) weight: f32,
    slope: f32,
    delta: f32,
}

impl Bm25Plus {
    pub(super) fn norm(&self, length: f64, totals: Totals) -> f64 {
        self.k1 * (1.0 - self.b + self.b * length / totals.mean_length.max(f64::MIN_POSITIVE))
    }

    pub(super) fn term(&self, weight: f64, term: TermStatistics, totals: Totals) -> Term {
        Term {
            weight: (weight * idf(term, totals)) as f32,
            slope: (self.k1 + 1.0) as f32,
            delta: self.delta as f32,
        }
    }
}

impl Term {
    #[inline]
    pub(super) fn score(&self, frequency: f32, norm: f32) -> f32 {
        self.weight * (self.slope / (1.0 + norm / frequency) + self.delta)
    }

    pub(super) fn most(&self) -> f32 {
        self.weight * (self.slope + self.delta)
    }
}

pub(super) fn idf(term: TermStatistics, totals: Totals) -> f64 {
    libm::log((totals.documents + 1.0) / term.documents.max(1.0)).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dossiers_examples() {
        let totals = Totals { documents: 1000.0, mean_length: 100.0 };
        let term = TermStatistics { documents: 10.0, occurrences: 0.0 };
        let model = Bm25Plus::default();
        for (frequency, length, expected) in [(2.0, 50.0, 11.976_041), (1.0, 100.0, 9.212_339)] {
            let score = model.term(1.0, term, totals).score(frequency, model.norm(length, totals) as f32);
            assert!((score - expected).abs() < 1e-4, "{score}");
        }
    }
}
