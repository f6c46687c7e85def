//! Pools: for each topic the items that people should look at.

use crate::error::Error;
use crate::extent::Extent;
use crate::item::{ItemId, PoolItem};
use crate::ranking::{PooledRun, Rankings, Reading};
use formats::{RunTag, TopicId};
use std::collections::BTreeMap;

/// The items of all topics.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pool {
    /// The topics as people list them, those without items, too.
    pub topics: Vec<TopicPool>,
}

/// The items of one topic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TopicPool {
    /// The topic.
    pub topic: TopicId,
    /// The items, each once, by kind and id. The order says nothing of ranks
    /// and is not the order of judging: see [`crate::judging_order`].
    pub items: Vec<PoolItem>,
    /// What each run gave, by the names of the runs.
    pub runs: Vec<RunShare>,
}

/// What a run gave to the pool of a topic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunShare {
    /// The run.
    pub run: RunTag,
    /// How many rows of its ranking were walked.
    pub depth: usize,
    /// How many items it brought.
    pub items: usize,
    /// How many of them no other run brought.
    pub alone: usize,
    /// How many of these rows had nothing to ask about: formulas without a
    /// visual id, and answers without a word.
    pub skipped: usize,
}

/// Pools runs: each item of their first ranks once, with the runs that returned it.
///
/// See [`Rankings`] for pooling the same runs to several depths.
///
/// # Errors
///
/// When two runs have the same name, or a document is listed twice and that is refused.
pub fn pool_runs(
    runs: &[PooledRun<'_>],
    topics: &[TopicId],
    reading: &Reading<'_>,
    extent: Extent,
) -> Result<Pool, Error> {
    Ok(Rankings::new(runs, topics, reading)?.pool(extent))
}

impl Pool {
    /// How many items there are in all topics.
    #[must_use]
    pub fn num_items(&self) -> usize {
        self.topics.iter().map(|topic| topic.items.len()).sum()
    }

    /// The pool of a topic.
    #[must_use]
    pub fn topic(&self, id: &TopicId) -> Option<&TopicPool> {
        self.topics.iter().find(|topic| topic.topic == *id)
    }

    /// Both pools as one, as posts and written answers are judged together.
    /// It does not matter which of the two is given first, and a pool merged
    /// with itself is itself. Of a run in both, the larger counts of rows walked and skipped stay.
    #[must_use]
    pub fn merged(self, other: Self) -> Self {
        let mut topics: BTreeMap<TopicId, TopicPool> = BTreeMap::new();
        for topic in self.topics.into_iter().chain(other.topics) {
            match topics.get_mut(&topic.topic) {
                Some(known) => known.merge(topic),
                None => {
                    topics.insert(topic.topic.clone(), topic);
                }
            }
        }
        let mut topics: Vec<TopicPool> = topics.into_values().collect();
        topics.sort_by(|a, b| a.topic.natural_cmp(&b.topic));
        Self { topics }
    }
}

impl TopicPool {
    /// With items in their order and shares of the runs counted.
    pub(crate) fn new(topic: TopicId, mut items: Vec<PoolItem>, walks: Vec<Walked>) -> Self {
        items.sort_by(|a, b| a.id.cmp(&b.id));
        let mut runs: Vec<RunShare> = walks
            .into_iter()
            .map(|Walked { run, depth, skipped }| RunShare { run, depth, items: 0, alone: 0, skipped })
            .collect();
        runs.sort_by(|a, b| a.run.cmp(&b.run));
        for item in &items {
            let brought = &item.sources.within;
            for source in brought {
                if let Ok(place) = runs.binary_search_by(|share| share.run.cmp(&source.run)) {
                    runs[place].items += 1;
                    runs[place].alone += usize::from(brought.len() == 1);
                }
            }
        }
        Self { topic, items, runs }
    }

    fn merge(&mut self, other: Self) {
        let mut walks: BTreeMap<RunTag, Walked> = BTreeMap::new();
        for share in self.runs.drain(..).chain(other.runs) {
            let walked =
                walks.entry(share.run.clone()).or_insert(Walked { run: share.run, depth: 0, skipped: 0 });
            walked.depth = walked.depth.max(share.depth);
            walked.skipped = walked.skipped.max(share.skipped);
        }
        let mut items: BTreeMap<ItemId, PoolItem> = BTreeMap::new();
        for item in self.items.drain(..).chain(other.items) {
            match items.get_mut(&item.id) {
                Some(known) => known.merge(item),
                None => {
                    items.insert(item.id.clone(), item);
                }
            }
        }
        let items = items.into_values().collect();
        *self = Self::new(self.topic.clone(), items, walks.into_values().collect());
    }
}

/// How far a run was walked.
#[derive(Clone, Debug)]
pub(crate) struct Walked {
    pub(crate) run: RunTag,
    pub(crate) depth: usize,
    pub(crate) skipped: usize,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answers::{AnsweringRun, pool_answers};
    use crate::extent::Standing;
    use crate::item::ItemKind;
    use crate::ranking::Unit;
    use crate::testing::{pooled, run};
    use formats::Source;
    use formats::task3::Task3Run;

    #[test]
    fn posts_and_written_answers_are_judged_together() {
        let posts = run("us", "A.1", &["7", "8"]);
        let text = "A.1\t1\t1\twriter\t\t7\nA.2\t1\t1\twriter\t\tIt is.\n";
        let written = Task3Run::read(Source::bytes("writer", text)).unwrap();
        let topics = ["A.1", "A.2"].map(TopicId::from);
        let runs = [pooled(&posts, Standing::Primary)];
        let posts = pool_runs(&runs, &topics[..1], &Reading::new(Unit::Posts), Extent::depth(45)).unwrap();
        let answers =
            pool_answers(&[AnsweringRun { name: "writer".into(), run: &written }], &topics).unwrap();
        let pool = posts.clone().merged(answers.clone());
        assert_eq!(pool, answers.merged(posts));
        let kinds: Vec<Vec<ItemKind>> =
            pool.topics.iter().map(|topic| topic.items.iter().map(|item| item.id.kind()).collect()).collect();
        // An answer whose text is the id of a post is still another item.
        assert_eq!(kinds[0], [ItemKind::Post, ItemKind::Post, ItemKind::Answer]);
        assert_eq!(kinds[1], [ItemKind::Answer]);
        let shares: Vec<_> = pool.topics[0].runs.iter().map(|run| (run.run.as_str(), run.alone)).collect();
        assert_eq!(shares, [("us", 2), ("writer", 1)]);
    }
}
