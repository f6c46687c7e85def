//! How a pool was made.

use formats::TopicId;
use std::collections::{BTreeMap, BTreeSet};

/// What went into the pool of a test set, and what was judged of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PoolStatistics {
    /// How deep the runs went in.
    pub depths: PoolDepths,
    /// The seed of ties and orders.
    pub seed: Option<u64>,
    /// Each topic; those that were never judged may be among them.
    pub topics: Vec<PooledTopic>,
    /// Visual ids with many instances, where instances are pooled.
    pub many_instances: Option<ManyInstances>,
    /// What each system brought, in the order of the task's systems; may be shorter.
    pub contributions: Vec<Option<Contribution>>,
    /// The items that each system contributed, in the same order; may be shorter. Nothing where they
    /// are not known.
    pub contributed: Option<Vec<ContributedItems>>,
    /// Sentences about how it was made.
    pub notes: Vec<String>,
}

/// How deep runs went into the pool; nothing where it is not known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PoolDepths {
    /// Primary runs and those pooled like them.
    pub primary: Option<usize>,
    /// The others.
    pub alternate: Option<usize>,
}

/// The pool of one topic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PooledTopic {
    /// The topic.
    pub topic: TopicId,
    /// How many items are in the pool: answers, or visual ids.
    pub items: usize,
    /// How many instances of them, where that is another number.
    pub instances: Option<usize>,
    /// How many items were judged.
    pub judged_items: usize,
    /// How many instances were judged.
    pub judged_instances: Option<usize>,
}

/// How many visual ids have more instances than are judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ManyInstances {
    /// How many instances are judged at most.
    pub more_than: usize,
    /// How many visual ids have more.
    pub items: usize,
    /// Of how many.
    pub of: usize,
}

/// What a system brought into the pool, over all topics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contribution {
    /// How many items.
    pub items: usize,
    /// How many that no other system brought.
    pub unique_items: usize,
}

/// The items that a system contributed to the pool, by topic.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContributedItems(pub BTreeMap<TopicId, BTreeSet<String>>);

impl ContributedItems {
    /// Whether an item is among them.
    #[must_use]
    pub fn contains(&self, topic: &TopicId, item: &str) -> bool {
        self.0.get(topic).is_some_and(|items| items.contains(item))
    }
}
