//! Multisets of features, and how much two have in common.

use crate::similarity::dice::{Counted, count, intersection, total};

/// A multiset that knows its size.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Bag {
    counted: Vec<Counted>,
    total: u64,
}

impl Bag {
    /// A multiset of these.
    pub(super) fn new(features: impl IntoIterator<Item = u64>) -> Self {
        let counted = count(features);
        Self { total: total(&counted), counted }
    }
}

/// What two multisets have in common, as shares.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Overlap {
    /// Of both.
    pub(super) dice: f32,
    /// Of the query's.
    pub(super) recall: f32,
}

impl Overlap {
    /// The overlap of a query's multiset with a candidate's. Of nothing, everything is found.
    pub(super) fn of(query: &Bag, candidate: &Bag) -> Self {
        let common = intersection(&query.counted, &candidate.counted);
        let share = |part: u64, whole: u64| if whole == 0 { 1.0 } else { part as f32 / whole as f32 };
        Self { dice: share(2 * common, query.total + candidate.total), recall: share(common, query.total) }
    }
}
