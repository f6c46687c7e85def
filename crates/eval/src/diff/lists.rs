//! Two lists beside each other: how alike, how much in common, in which order.

use crate::pipeline::{Entry, ties};
use foldhash::{HashMap, HashMapExt as _};
use formats::DocId;
use stats::correlation::{rbo, tau_b};
use std::fmt;
use std::ops::Range;

/// How alike two rankings are, the most alike first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Likeness {
    /// The same documents in the same order with the same scores.
    Identical,
    /// The same documents in the same order; some scores differ.
    Scores,
    /// The same documents in another order.
    Order,
    /// Other documents.
    Documents,
}

impl Likeness {
    /// How alike two rankings are.
    pub(super) fn of(left: &[Entry<'_>], right: &[Entry<'_>], common: usize) -> Self {
        let same = |of: fn(&Entry<'_>, &Entry<'_>) -> bool| left.iter().zip(right).all(|(l, r)| of(l, r));
        if left.len() != right.len() || common != left.len() {
            Self::Documents
        } else if !same(|l, r| l.doc == r.doc) {
            Self::Order
        } else if !same(|l, r| l.score.total_cmp(&r.score).is_eq()) {
            Self::Scores
        } else {
            Self::Identical
        }
    }

    /// Whether the rankings are the same, whatever their scores.
    #[must_use]
    pub fn is_same_ranking(self) -> bool {
        self <= Self::Scores
    }
}

impl fmt::Display for Likeness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Identical => "identical",
            Self::Scores => "same order but different scores",
            Self::Order => "same documents, different order",
            Self::Documents => "different",
        })
    }
}

/// How much two lists have in common.
///
/// The share at k is |Lₖ ∩ Rₖ| / max(|Lₖ|, |Rₖ|), where Lₖ and Rₖ are the first
/// k results: two equal lists have 1 even if they are shorter than k.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overlap {
    /// Among the first 10 results.
    pub at_10: f64,
    /// Among the first 100.
    pub at_100: f64,
    /// Among all.
    pub all: f64,
}

impl Overlap {
    /// From the ranks, from 0, of the common documents and the lengths of the lists.
    pub(super) fn of(common: &[(usize, usize)], lengths: [usize; 2]) -> Self {
        let at = |depth: usize| {
            let longest = lengths[0].max(lengths[1]).min(depth);
            let count = common.iter().filter(|(left, right)| *left < depth && *right < depth).count();
            #[expect(clippy::cast_precision_loss, reason = "counts of results")]
            if longest == 0 { 1.0 } else { count as f64 / longest as f64 }
        };
        Self { at_10: at(10), at_100: at(100), all: at(usize::MAX) }
    }
}

/// Where a list has its documents, from 0.
pub(super) fn ranks<'a>(entries: &[Entry<'a>]) -> HashMap<DocId<'a>, usize> {
    let mut ranks = HashMap::with_capacity(entries.len());
    ranks.extend(entries.iter().enumerate().map(|(rank, entry)| (entry.doc, rank)));
    ranks
}

/// For each rank the ranks that share its score.
pub(super) fn tied_ranks(entries: &[Entry<'_>]) -> Vec<Range<usize>> {
    let mut groups: Vec<Range<usize>> = (0..entries.len()).map(|rank| rank..rank + 1).collect();
    for group in ties(entries) {
        groups[group.clone()].fill(group);
    }
    groups
}

/// Rank-biased overlap, extrapolated; nothing if a list is empty.
pub(super) fn rank_biased(left: &[Entry<'_>], right: &[Entry<'_>], persistence: f64) -> Option<f64> {
    let left: Vec<DocId<'_>> = left.iter().map(|entry| entry.doc).collect();
    let right: Vec<DocId<'_>> = right.iter().map(|entry| entry.doc).collect();
    rbo(&left, &right, persistence).ok().map(|overlap| overlap.extrapolated)
}

/// Kendall's tau-b of the common documents, equal scores being tied; nothing
/// for fewer than two, or where all are tied.
pub(super) fn kendall(common: &[(usize, usize)], tied: [&[Range<usize>]; 2]) -> Option<f64> {
    #[expect(clippy::cast_precision_loss, reason = "ranks")]
    let (left, right): (Vec<f64>, Vec<f64>) = common
        .iter()
        .map(|(left, right)| (tied[0][*left].start as f64, tied[1][*right].start as f64))
        .unzip();
    tau_b(&left, &right).ok()
}
