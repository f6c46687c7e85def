//! Query likelihood (Ponte and Croft, 1998): how likely the document's language is to say the query.
//!
//! With the collection as a pseudo-document of `μ` words (Dirichlet; Zhai and
//! Lafferty, 2001), each term that occurs is score, but never less than nothing,
//!
//! ```text
//! weight · ( ln(1 + tf/(μ·p)) + ln(μ/(length + μ)) )
//! ```
//!
//! and mixed with the collection by `λ` (Jelinek and Mercer, 1980)
//!
//! ```text
//! weight · ln(1 + (1 − λ)/λ · tf/(length·p))
//! ```
//!
//! where `p` is the share of the term in all words of the collection.

use super::{TermStatistics, Totals};
use serde::Deserialize;

/// Parameters of query likelihood with Dirichlet smoothing.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Dirichlet {
    /// How many words the collection counts for.
    pub mu: f64,
}

impl Default for Dirichlet {
    fn default() -> Self {
        Self { mu: 1000.0 }
    }
}

/// Parameters of query likelihood with Jelinek-Mercer smoothing.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct JelinekMercer {
    /// How much the collection counts.
    pub lambda: f64,
}

impl Default for JelinekMercer {
    fn default() -> Self {
        Self { lambda: 0.1 }
    }
}

/// The highest frequency that bounds reckon with.
const MOST_FREQUENT: f32 = 65_536.0;

/// A term of a query, by Dirichlet's smoothing.
#[derive(Clone, Copy, Debug)]
pub struct DirichletTerm {
    pub(super) weight: f32,
    mu: f32,
    expected: f32,
}

/// A term of a query, by Jelinek's and Mercer's smoothing.
#[derive(Clone, Copy, Debug)]
pub struct JelinekMercerTerm {
    pub(super) weight: f32,
    odds: f32,
}

fn share(term: TermStatistics, totals: Totals) -> f64 {
    (term.occurrences.max(1.0) / totals.length().max(1.0)).min(1.0)
}

impl Dirichlet {
    pub(super) fn term(&self, weight: f64, term: TermStatistics, totals: Totals) -> DirichletTerm {
        DirichletTerm {
            weight: weight as f32,
            mu: self.mu as f32,
            expected: (self.mu * share(term, totals)) as f32,
        }
    }
}

impl JelinekMercer {
    pub(super) fn term(&self, weight: f64, term: TermStatistics, totals: Totals) -> JelinekMercerTerm {
        JelinekMercerTerm {
            weight: weight as f32,
            odds: ((1.0 - self.lambda) / self.lambda / share(term, totals)) as f32,
        }
    }
}

impl DirichletTerm {
    #[inline]
    pub(super) fn score(&self, frequency: f32, length: f32) -> f32 {
        let score = libm::log1pf(frequency / self.expected) + libm::logf(self.mu / (length + self.mu));
        self.weight * score.max(0.0)
    }

    pub(super) fn most(&self) -> f32 {
        self.weight * libm::log1pf(MOST_FREQUENT / self.expected)
    }
}

impl JelinekMercerTerm {
    #[inline]
    pub(super) fn score(&self, frequency: f32, length: f32) -> f32 {
        self.weight * libm::log1pf(self.odds * (frequency / length.max(1.0)).min(1.0))
    }

    pub(super) fn most(&self) -> f32 {
        self.weight * libm::log1pf(self.odds)
    }
}
