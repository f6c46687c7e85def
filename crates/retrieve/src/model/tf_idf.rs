//! TF-IDF as Terrier has it: Robertson's frequency and Sparck Jones's weight.
//!
//! ```text
//! Σ weight · k1·tf / (tf + k1·(1 − b + b·length/mean)) · log2(N/df + 1)
//! ```

use super::{TermStatistics, Totals, bm25};
use serde::Deserialize;

/// Parameters of TF-IDF.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TfIdf {
    /// How slowly a frequency saturates.
    pub k1: f64,
    /// How much the length counts.
    pub b: f64,
}

impl Default for TfIdf {
    fn default() -> Self {
        Self { k1: 1.2, b: 0.75 }
    }
}

impl TfIdf {
    pub(super) fn norm(&self, length: f64, totals: Totals) -> f64 {
        self.k1 * (1.0 - self.b + self.b * length / totals.mean_length.max(f64::MIN_POSITIVE))
    }

    pub(super) fn term(&self, weight: f64, term: TermStatistics, totals: Totals) -> bm25::Term {
        bm25::Term { weight: (weight * idf(term, totals) * self.k1) as f32 }
    }
}

pub(super) fn idf(term: TermStatistics, totals: Totals) -> f64 {
    libm::log2(totals.documents / term.documents.max(1.0) + 1.0)
}
