//! TF-IDF in the vector space: the cosine of query and document, as gensim's model has it by default.
//!
//! ```text
//! Σ q·idf · tf·idf / ( √Σ(q·idf)² · √Σ(tf·idf)² ),   idf = log2(N/df)
//! ```
//!
//! The norm of a document is the second root; it is worked out from the lists of all its terms. The weights
//! of a query's terms are divided by the first root before they come here.

use super::{TermStatistics, Totals};
use serde::Deserialize;

/// The model has no parameters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TfIdfCosine {}

/// A term of a query.
#[derive(Clone, Copy, Debug)]
pub struct Term {
    weight: f32,
    most: f32,
}

impl TfIdfCosine {
    /// What has no term that tells anything is like nothing.
    pub(super) fn norm(&self, length: f64) -> f64 {
        if length > 0.0 { length } else { f64::INFINITY }
    }

    pub(super) fn term(&self, weight: f64, term: TermStatistics, totals: Totals) -> Term {
        let idf = idf(term, totals);
        // A document's vector is at least as long as one of its numbers.
        Term { weight: (weight * idf * idf) as f32, most: (weight * idf) as f32 }
    }
}

impl Term {
    #[inline]
    pub(super) fn score(&self, frequency: f32, norm: f32) -> f32 {
        (self.weight * (frequency / norm)).min(self.most)
    }

    pub(super) fn most(&self) -> f32 {
        self.most
    }

    pub(super) fn times(&mut self, factor: f32) {
        self.weight *= factor;
        self.most *= factor;
    }
}

pub(super) fn idf(term: TermStatistics, totals: Totals) -> f64 {
    libm::log2(totals.documents / term.documents.max(1.0)).max(0.0)
}
