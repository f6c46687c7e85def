//! What is in a pool: items, and where each of them comes from.

use formats::{FormulaId, PostId, RunTag, VisualId};
use std::fmt;

/// The id of a written answer: its topic and a fingerprint of its text. See [`crate::pool_answers`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AnswerId(Box<str>);

impl AnswerId {
    /// An id from its text.
    #[must_use]
    pub fn new(text: impl Into<Box<str>>) -> Self {
        Self(text.into())
    }

    /// The id as it stands in files.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for AnswerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// What people are asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ItemKind {
    /// A post of the collection (Task 1).
    Post,
    /// An answer that a system wrote (Task 3).
    Answer,
    /// All formulas that look the same (Task 2).
    Formula,
    /// One formula in its place (NTCIR).
    Instance,
}

impl ItemKind {
    /// The word for it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Post => "post",
            Self::Answer => "answer",
            Self::Formula => "formula",
            Self::Instance => "instance",
        }
    }
}

impl fmt::Display for ItemKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Which item: its kind and its id. It prints as the id alone, as judgments name it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ItemId {
    /// A post of the collection.
    Post(PostId),
    /// A written answer.
    Answer(AnswerId),
    /// All formulas with this visual id.
    Formula(VisualId),
    /// One formula.
    Instance(FormulaId),
}

impl ItemId {
    /// What it is.
    #[must_use]
    pub fn kind(&self) -> ItemKind {
        match self {
            Self::Post(_) => ItemKind::Post,
            Self::Answer(_) => ItemKind::Answer,
            Self::Formula(_) => ItemKind::Formula,
            Self::Instance(_) => ItemKind::Instance,
        }
    }

    /// The id as it stands in files.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::Post(id) => id.as_str(),
            Self::Answer(id) => id.as_str(),
            Self::Formula(id) => id.as_str(),
            Self::Instance(id) => id.as_str(),
        }
    }
}

impl fmt::Display for ItemId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// That a run returned something at a rank.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Returned {
    /// The run.
    pub run: RunTag,
    /// The rank from 1: the place in the ranking, not the column of the file.
    /// For a visual id, that of its first instance.
    pub rank: usize,
}

/// Which runs returned something. Both lists are by the names of the runs, and
/// a run stands in one of them at most once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sources {
    /// Runs that brought it into the pool.
    pub within: Vec<Returned>,
    /// Runs that returned it too, but deeper than they were pooled.
    pub deeper: Vec<Returned>,
}

impl Sources {
    /// All runs that returned it, pooled to there or not.
    pub fn all(&self) -> impl Iterator<Item = &Returned> {
        self.within.iter().chain(&self.deeper)
    }

    /// The best rank, pooled to there or not; the largest number if nobody returned it.
    #[must_use]
    pub fn best_rank(&self) -> usize {
        self.all().map(|returned| returned.rank).min().unwrap_or(usize::MAX)
    }

    /// `Σ 1/rank` over all runs that returned it, pooled to there or not.
    ///
    /// The small values are added first, so that the same ranks in other runs
    /// give the very same sum, and a tie is a tie.
    #[must_use]
    pub fn reciprocal_ranks(&self) -> f64 {
        let mut ranks: Vec<usize> = self.all().map(|returned| returned.rank).collect();
        ranks.sort_unstable_by(|a, b| b.cmp(a));
        ranks.into_iter().map(|rank| 1.0 / rank as f64).sum()
    }

    /// Takes in what another pool says of the same thing. Of a run that both
    /// name, the pooled place counts before the deeper one, and the higher before the lower.
    pub(crate) fn merge(&mut self, other: Self) {
        self.within.extend(other.within);
        one_each(&mut self.within);
        self.deeper.extend(other.deeper);
        one_each(&mut self.deeper);
        let within = &self.within;
        self.deeper.retain(|deeper| within.binary_search_by(|place| place.run.cmp(&deeper.run)).is_err());
    }
}

fn one_each(places: &mut Vec<Returned>) {
    places.sort();
    places.dedup_by(|next, kept| next.run == kept.run);
}

/// A formula that may be shown for its visual id: one that was met on the way to the depth of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The formula.
    pub instance: FormulaId,
    /// Where it stands in the runs.
    pub sources: Sources,
}

/// One item of a pool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PoolItem {
    /// Which item.
    pub id: ItemId,
    /// Which runs returned it.
    pub sources: Sources,
    /// For a visual id, the formulas that may be shown, by their ids. Empty
    /// for other items, and where the runs name visual ids and no formulas.
    pub candidates: Vec<Candidate>,
    /// For a written answer, its text, trimmed and with single spaces.
    pub text: Option<String>,
}

impl PoolItem {
    /// Takes in what another pool says of the same item.
    pub(crate) fn merge(&mut self, other: Self) {
        self.sources.merge(other.sources);
        for candidate in other.candidates {
            match self.candidates.binary_search_by(|own| own.instance.cmp(&candidate.instance)) {
                Ok(place) => self.candidates[place].sources.merge(candidate.sources),
                Err(place) => self.candidates.insert(place, candidate),
            }
        }
        if self.text.is_none() {
            self.text = other.text;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(list: &[(&str, usize)]) -> Vec<Returned> {
        list.iter().map(|(run, rank)| Returned { run: (*run).into(), rank: *rank }).collect()
    }

    #[test]
    fn merged_sources_name_each_run_once() {
        let mut left = Sources { within: places(&[("a", 2), ("c", 9)]), deeper: places(&[("b", 50)]) };
        left.merge(Sources {
            within: places(&[("b", 3), ("c", 4)]),
            deeper: places(&[("a", 90), ("d", 70)]),
        });
        assert_eq!(left.within, places(&[("a", 2), ("b", 3), ("c", 4)]));
        assert_eq!(left.deeper, places(&[("d", 70)]));
        assert_eq!(left.best_rank(), 2);
    }

    #[test]
    fn the_same_ranks_in_other_runs_weigh_the_same() {
        let weigh = |within: &[(&str, usize)]| Sources { within: places(within), deeper: Vec::new() };
        let left = weigh(&[("a", 3), ("b", 7), ("c", 11)]).reciprocal_ranks();
        let right = weigh(&[("a", 11), ("b", 3), ("c", 7)]).reciprocal_ranks();
        assert_eq!(left.to_bits(), right.to_bits());
        assert_eq!(Sources::default().reciprocal_ranks(), 0.0);
        assert_eq!(Sources::default().best_rank(), usize::MAX);
    }
}
