//! Which formulas are shown for a visual id, when there are more than people can look at.

mod threads;

pub use threads::{FormulaThread, ThreadLookup};

use crate::item::{Candidate, PoolItem};
use crate::seed::{Purpose, item_rng};
use formats::{FormulaId, TopicId};

/// How many formulas the labs showed at most for a visual id.
pub const AT_MOST: usize = 5;

/// By which rule formulas are chosen.
#[derive(Clone, Copy)]
pub enum ShowRule<'a> {
    /// Those with the largest sum of 1/rank over all runs, as in ARQMath-2 and
    /// ARQMath-3; chance decides between equals.
    ReciprocalRanks,
    /// Those that most runs returned, as in ARQMath-1; chance decides between equals.
    MostRuns,
    /// From different threads, as the protocol of 2020 had it; see [`ThreadLookup`].
    ///
    /// 1. If at most N posts hold the formula, all are shown.
    /// 2. If there are more posts, but fewer than N threads, each thread gives
    ///    one by chance, and chance fills up from the other posts.
    /// 3. Otherwise N threads are drawn, and each gives one post by chance. The
    ///    protocol says nothing of exactly N threads with more posts; that is this case, too.
    ///
    /// Of a post that holds several of the formulas, the one with the best rank
    /// in any run is shown, and of equals the one with the lower id. What is
    /// shown comes by the ids of posts.
    Threads(&'a dyn ThreadLookup),
}

/// How formulas are chosen.
#[derive(Clone, Copy)]
pub struct Show<'a> {
    /// By which rule.
    pub rule: ShowRule<'a>,
    /// How many at most; see [`AT_MOST`].
    pub at_most: usize,
    /// What chance begins with. Each item of each topic has a seed of its own
    /// that follows from it, so that other items do not matter.
    pub seed: u64,
}

/// What is shown for an item.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shown {
    /// The formulas, the first to be shown first.
    pub instances: Vec<FormulaId>,
    /// How many candidates have no known post and could not be shown.
    pub without_post: usize,
}

impl Show<'_> {
    /// The formulas to show for an item of a topic; none for items without candidates.
    ///
    /// Ranks count whether the run was pooled to there or not: the sources
    /// speak of the rank in the run.
    #[must_use]
    pub fn choose(&self, topic: &TopicId, item: &PoolItem) -> Shown {
        let mut rng = item_rng(self.seed, Purpose::Show, topic, &item.id);
        let mut candidates: Vec<&Candidate> = item.candidates.iter().collect();
        candidates.sort_by(|a, b| a.instance.cmp(&b.instance));
        match self.rule {
            ShowRule::Threads(lookup) => threads::choose(&candidates, lookup, self.at_most, &mut rng),
            ShowRule::ReciprocalRanks => {
                // Chance first and then a stable sort: equals stay as chance had them.
                rng.shuffle(&mut candidates);
                candidates.sort_by_key(|candidate| std::cmp::Reverse(votes(candidate)));
                first(&candidates, self.at_most)
            }
            ShowRule::MostRuns => {
                rng.shuffle(&mut candidates);
                candidates.sort_by_key(|candidate| std::cmp::Reverse(candidate.sources.all().count()));
                first(&candidates, self.at_most)
            }
        }
    }
}

/// The sum of reciprocal ranks in parts of 10⁻¹²: 1/2 is as much as 1/3 and 1/6, whatever the last bits say.
fn votes(candidate: &Candidate) -> u64 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a sum of few numbers from 0 to 1"
    )]
    let votes = (candidate.sources.reciprocal_ranks() * 1e12).round() as u64;
    votes
}

fn first(candidates: &[&Candidate], at_most: usize) -> Shown {
    let instances = candidates.iter().take(at_most).map(|candidate| candidate.instance.clone());
    Shown { instances: instances.collect(), without_post: 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::item::{ItemId, Returned, Sources};
    use std::collections::BTreeSet;

    fn item(candidates: &[(&str, &[(&str, usize)])]) -> PoolItem {
        let candidate = |(instance, places): &(&str, &[(&str, usize)])| Candidate {
            instance: (*instance).into(),
            sources: Sources {
                within: places
                    .iter()
                    .map(|(run, rank)| Returned { run: (*run).into(), rank: *rank })
                    .collect(),
                deeper: Vec::new(),
            },
        };
        PoolItem {
            id: ItemId::Formula("7".into()),
            sources: Sources::default(),
            candidates: candidates.iter().map(candidate).collect(),
            text: None,
        }
    }

    fn shown(rule: ShowRule<'_>, at_most: usize, seed: u64, item: &PoolItem) -> Vec<String> {
        let shown = Show { rule, at_most, seed }.choose(&"B.1".into(), item);
        shown.instances.iter().map(ToString::to_string).collect()
    }

    /// The dossier's: r1 {i1:2, i2:5, i3:9}, r2 {i2:1, i4:3}, r3 {i3:4, i1:10}.
    #[test]
    fn reciprocal_ranks_are_added_up() {
        let item = item(&[
            ("i1", &[("r1", 2), ("r3", 10)]),
            ("i2", &[("r1", 5), ("r2", 1)]),
            ("i3", &[("r1", 9), ("r3", 4)]),
            ("i4", &[("r2", 3)]),
        ]);
        let weights = [0.6, 1.2, 0.361_111, 0.333_333];
        for (candidate, weight) in item.candidates.iter().zip(weights) {
            assert!((candidate.sources.reciprocal_ranks() - weight).abs() < 5e-7, "{}", candidate.instance);
        }
        for seed in 0..9 {
            let order = shown(ShowRule::ReciprocalRanks, 5, seed, &item);
            assert_eq!(order, ["i2", "i1", "i3", "i4"]);
            assert_eq!(shown(ShowRule::ReciprocalRanks, 2, seed, &item), ["i2", "i1"]);
        }
    }

    #[test]
    fn most_runs_come_first_whatever_the_ranks() {
        let item = item(&[("i1", &[("r1", 1)]), ("i2", &[("r1", 900), ("r2", 800)]), ("i3", &[("r2", 2)])]);
        let firsts: BTreeSet<Vec<String>> =
            (0..40).map(|seed| shown(ShowRule::MostRuns, 2, seed, &item)).collect();
        assert_eq!(firsts.into_iter().map(|list| list.join(" ")).collect::<Vec<_>>(), ["i2 i1", "i2 i3"]);
    }

    #[test]
    fn votes_are_equal_whatever_they_are_made_of() {
        // 1/10 + 1/15 + 1/30 is 1/5; as floating-point numbers they are not.
        let item = item(&[("i1", &[("r1", 5)]), ("i2", &[("r1", 10), ("r2", 15), ("r3", 30)])]);
        let orders: BTreeSet<Vec<String>> =
            (0..40).map(|seed| shown(ShowRule::ReciprocalRanks, 1, seed, &item)).collect();
        assert_eq!(orders.len(), 2, "chance decides");
    }

    #[test]
    fn chance_decides_between_equals_and_follows_the_seed() {
        let item = item(&[("i1", &[("r1", 2)]), ("i2", &[("r2", 2)]), ("i3", &[("r3", 2)])]);
        let rule = ShowRule::ReciprocalRanks;
        let orders: BTreeSet<Vec<String>> = (0..99).map(|seed| shown(rule, 5, seed, &item)).collect();
        assert_eq!(orders.len(), 6);
        assert_eq!(shown(rule, 5, 3, &item), shown(rule, 5, 3, &item));
    }
}
