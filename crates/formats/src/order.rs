//! The order of a ranking, decided in this one place: score descending, then id descending.
//!
//! It is trec_eval's order. Version 9 keeps scores in 32 bits, so that two
//! scores that differ only beyond them are tied; version 10 keeps 64 bits.

use crate::ids::DocId;
use std::cmp::Ordering;

/// How many bits of a score count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Width {
    /// As in trec_eval 9 and everything built on it.
    #[default]
    F32,
    /// As in trec_eval 10.
    F64,
}

impl Width {
    /// The score with as many bits as count.
    #[must_use]
    pub fn round(self, score: f64) -> f64 {
        match self {
            #[expect(clippy::cast_possible_truncation, reason = "narrowing is the point")]
            Self::F32 => f64::from(score as f32),
            Self::F64 => score,
        }
    }
}

/// Which of two results stands first: the one with the higher score, and of
/// two equal scores the one whose id is higher as a string of bytes. Scores
/// are taken as they are: see [`Width::round`].
///
/// ```
/// use formats::{DocId, order::compare};
/// let mut results = [(1.0, DocId("10")), (1.0, DocId("9")), (2.0, DocId("1")), (1.0, DocId("100"))];
/// results.sort_by(|a, b| compare(*a, *b));
/// assert_eq!(results.map(|(_, doc)| doc.as_str()), ["1", "9", "100", "10"]);
/// ```
#[must_use]
pub fn compare(left: (f64, DocId<'_>), right: (f64, DocId<'_>)) -> Ordering {
    right.0.total_cmp(&left.0).then_with(|| right.1.cmp(&left.1))
}
