//! What can be wrong with runs, settings and judgments.

use crate::item::{AnswerId, ItemId};
use eval::Duplicate;
use formats::{RunTag, TopicId};

/// Why there is no pool, or why a judgment was not taken.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Two runs have the same name, so that nobody could tell which of them brought an item.
    #[error("two runs are called {0}")]
    RunTwice(RunTag),
    /// A run lists a document twice, and that is refused.
    #[error(transparent)]
    Duplicate(#[from] Duplicate),
    /// Two different answers have the same id.
    #[error("two different answers to topic {topic} have the id {id}")]
    Collision {
        /// The topic.
        topic: TopicId,
        /// The id of both.
        id: AnswerId,
    },
    /// A setting out of its range.
    #[error("{name} is {value}; it must be {range}")]
    Setting {
        /// Its name.
        name: &'static str,
        /// Its value.
        value: f64,
        /// What it may be.
        range: &'static str,
    },
    /// A judgment of what is not in the pool of the topic.
    #[error("{item} is not in the pool of topic {topic}")]
    NotPooled {
        /// The topic.
        topic: TopicId,
        /// What was judged.
        item: ItemId,
    },
    /// A second judgment of an item.
    #[error("{item} is judged a second time for topic {topic}")]
    JudgedTwice {
        /// The topic.
        topic: TopicId,
        /// What was judged.
        item: ItemId,
    },
    /// A replay of runs none of whose pooled items has a grade.
    #[error("no item of the pool has an official grade, so nothing can be replayed")]
    NothingToReplay,
    /// A replay that compares the order of runs needs two of them.
    #[error("{0} runs are not enough to have an order; at least 2 are needed")]
    TooFewRuns(usize),
    /// All runs score the same with all judgments.
    #[error("all runs score the same with all judgments, so there is no order to be kept")]
    NoOrder,
}
