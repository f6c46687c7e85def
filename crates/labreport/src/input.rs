//! What a lab is, as plain values: what the report is made from.
//!
//! Names and counts are owned, what is large is borrowed. Nothing here is
//! computed; where a field is an `Option`, nothing means "not known", which the
//! report leaves out and never shows as 0.

mod answers;
mod judging;
mod pooling;
mod task;

pub use answers::{Answer, AnswerTask, PostTexts, SimilaritySettings};
pub use judging::{
    Agreement, AssessorId, AssessorLabels, DroppedTopic, ItemJudgment, Judging, LabelledItem, PairLabels,
    TrainingRound,
};
pub use pooling::{ContributedItems, Contribution, ManyInstances, PoolDepths, PoolStatistics, PooledTopic};
pub use task::{
    AssessorGroup, DataUsed, Grade, Kind, Output, Pooled, Role, System, SystemIndex, Task, TestSet, Topic,
    TopicLabel, Unit,
};

use eval::{Correction, PairedTest};

/// A lab, finished or running.
#[derive(Default)]
pub struct Lab<'a> {
    /// Its name, such as `ARQMath-3`.
    pub name: String,
    /// Paragraphs about it, under the title.
    pub about: Vec<String>,
    /// How the report was made: program, command, seeds, checksums.
    pub facts: Vec<Fact>,
    /// The tasks, in the order of the report.
    pub tasks: Vec<Task<'a>>,
    /// What the organisers want to say at the end, a paragraph each.
    pub notes: Vec<String>,
    /// How the report computes and what it shows.
    pub settings: Settings,
}

/// Something that the report depends on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fact {
    /// What it is, such as `command`.
    pub name: String,
    /// What it was.
    pub value: String,
}

/// How the report computes, and what it shows.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The test of the difference between two runs.
    pub test: PairedTest,
    /// What is done about many tests at once.
    pub correction: Correction,
    /// How often is resampled, where a test does that.
    pub resamples: u32,
    /// From which seed.
    pub seed: u64,
    /// How deep the pools of the depth study are; none for no study.
    pub study_depths: Vec<usize>,
    /// Which topics have a part of their own at the end.
    pub topic_pages: TopicPages,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            test: PairedTest::default(),
            correction: Correction::default(),
            resamples: 10_000,
            seed: 1,
            study_depths: vec![1, 5, 10, 20, 50, 100],
            topic_pages: TopicPages::default(),
        }
    }
}

/// Which topics have a part of their own at the end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TopicPages {
    /// Those of the current test set.
    #[default]
    Current,
    /// None.
    None,
}
