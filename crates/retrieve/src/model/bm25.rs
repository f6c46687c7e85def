//! BM25 (Robertson and others, 1994), as Lucene has it.
//!
//! ```text
//! Σ weight · ln(1 + (N − df + ½)/(df + ½)) · (k1 + 1)·tf / (tf + k1·(1 − b + b·length/mean))
//! ```
//!
//! Lucene leaves out the factor `k1 + 1`, which is the same for all documents,
//! and keeps lengths in one byte, with four significant bits for those above 39;
//! `length = "lucene"` does both in the same way.
//!
//! approach0 has `ln((N − df + ½)/(df + ½))` in place of the logarithm above: `idf = "robertson"`. A term in
//! more than half of the documents would score less than 0 by it; such terms are left out.

use super::{TermStatistics, Totals};
use serde::Deserialize;

/// Parameters of BM25.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Bm25 {
    /// How slowly a frequency saturates.
    pub k1: f64,
    /// How much the length counts.
    pub b: f64,
    /// How exactly lengths are known.
    pub length: Lengths,
    /// The inverse document frequency.
    pub idf: Idf,
}

impl Default for Bm25 {
    fn default() -> Self {
        Self { k1: 1.2, b: 0.75, length: Lengths::Exact, idf: Idf::Lucene }
    }
}

/// How exactly lengths are known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Lengths {
    /// To the word.
    #[default]
    Exact,
    /// As in a byte of Lucene's, and without the factor `k1 + 1`.
    Lucene,
}

/// The inverse document frequency.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Idf {
    /// With the 1 in the logarithm: always more than nothing.
    #[default]
    Lucene,
    /// Without it; nothing for a term that half of the documents have.
    Robertson,
}

/// A term of a query.
#[derive(Clone, Copy, Debug)]
pub struct Term {
    pub(super) weight: f32,
}

impl Bm25 {
    pub(super) fn norm(&self, length: f64, totals: Totals) -> f64 {
        let length = match self.length {
            Lengths::Exact => length,
            Lengths::Lucene => round_as_lucene(length),
        };
        self.k1 * (1.0 - self.b + self.b * length / totals.mean_length.max(f64::MIN_POSITIVE))
    }

    pub(super) fn term(&self, weight: f64, term: TermStatistics, totals: Totals) -> Term {
        let factor = match self.length {
            Lengths::Exact => self.k1 + 1.0,
            Lengths::Lucene => 1.0,
        };
        Term { weight: (weight * self.idf(term, totals) * factor) as f32 }
    }

    pub(super) fn idf(&self, term: TermStatistics, totals: Totals) -> f64 {
        match self.idf {
            Idf::Lucene => idf(term, totals),
            Idf::Robertson => {
                let others = (totals.documents - term.documents + 0.5).max(f64::MIN_POSITIVE);
                libm::log(others / (term.documents + 0.5)).max(0.0)
            }
        }
    }
}

impl Term {
    #[inline]
    pub(super) fn score(&self, frequency: f32, norm: f32) -> f32 {
        // Each step keeps the order of what goes in, as whoever bounds it relies on.
        self.weight / (1.0 + norm / frequency)
    }
}

pub(super) fn idf(term: TermStatistics, totals: Totals) -> f64 {
    libm::log1p((totals.documents - term.documents + 0.5).max(0.0) / (term.documents + 0.5))
}

/// The length that Lucene remembers: exact below 40, then with four significant bits.
fn round_as_lucene(length: f64) -> f64 {
    const EXACT: u64 = 24;
    let length = length as u64;
    if length < EXACT {
        return length as f64;
    }
    let beyond = length - EXACT;
    let bits = 64 - beyond.leading_zeros();
    let shift = bits.saturating_sub(4);
    ((beyond >> shift << shift) + EXACT) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dossiers_example() {
        let totals = Totals { documents: 1000.0, mean_length: 100.0 };
        let term = TermStatistics { documents: 10.0, occurrences: 0.0 };
        let model = Bm25::default();
        let score = model.term(1.0, term, totals).score(2.0, model.norm(50.0, totals) as f32);
        let expected = (1.0 + 990.5_f64 / 10.5).ln() * 2.2 * 2.0 / (2.0 + 1.2 * (0.25 + 0.75 * 0.5));
        assert!((f64::from(score) - expected).abs() < 1e-5, "{score}");
        let model = Bm25 { idf: Idf::Robertson, ..model };
        let score = model.term(1.0, term, totals).score(2.0, model.norm(50.0, totals) as f32);
        assert!((score - 7.274_935).abs() < 1e-5, "{score}");
        let common = TermStatistics { documents: 501.0, occurrences: 0.0 };
        assert_eq!(model.idf(common, totals), 0.0);
    }

    #[test]
    fn lengths_are_rounded_as_in_lucene() {
        for (length, rounded) in [
            (0, 0),
            (1, 1),
            (39, 39),
            (40, 40),
            (41, 40),
            (42, 42),
            (54, 54),
            (55, 54),
            (56, 56),
            (57, 56),
            (59, 56),
            (60, 60),
            (100, 96),
            (1000, 984),
        ] {
            assert_eq!(round_as_lucene(f64::from(length)), f64::from(rounded), "{length}");
        }
    }
}
