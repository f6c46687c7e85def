//! The cosine of two vectors of bits, as XY-PHOC may have had it (its exact formula is not known).
//!
//! ```text
//! Σ weight / ( √(length of query) · √(length of document) )
//! ```
//!
//! over the bits that both have. With `idf = "symbol"` a bit weighs `ln(N/df)`
//! of its symbol: the formulas that have it anywhere. The lengths stay those of
//! plain bits then, so that norms need not be worked out anew.

use super::{TermStatistics, Totals};
use serde::Deserialize;

/// Parameters of the cosine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Cosine {
    /// Whether rare symbols count more.
    pub idf: SymbolIdf,
}

/// Whether rare symbols count more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SymbolIdf {
    /// All count the same.
    #[default]
    None,
    /// By how many formulas have the symbol.
    Symbol,
}

/// A term of a query.
#[derive(Clone, Copy, Debug)]
pub struct Term {
    pub(super) weight: f32,
}

impl Cosine {
    pub(super) fn norm(&self, length: f64) -> f64 {
        libm::sqrt(length.max(1.0))
    }

    pub(super) fn term(&self, weight: f64, term: TermStatistics, totals: Totals) -> Term {
        let idf = match self.idf {
            SymbolIdf::None => 1.0,
            SymbolIdf::Symbol => idf(term, totals),
        };
        Term { weight: (weight * idf) as f32 }
    }
}

impl Term {
    #[inline]
    pub(super) fn score(&self, norm: f32) -> f32 {
        self.weight / norm
    }
}

pub(super) fn idf(term: TermStatistics, totals: Totals) -> f64 {
    libm::log(totals.documents / term.documents.max(1.0)).max(0.0)
}
