//! How a pool was judged: by whom, how fast, and how alike.

use formats::TopicId;
use formats::qrels::Judgment;
use std::fmt;

/// The judging of a test set.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Judging {
    /// Every judgment that was made, in any order.
    pub judgments: Vec<ItemJudgment>,
    /// Topics that were judged and then left out, with the reason.
    pub dropped: Vec<DroppedTopic>,
    /// Items that two assessors judged, a group for each occasion such as the
    /// exchange of topics after the assessment.
    pub agreement: Vec<Agreement>,
    /// The training before the assessment, round by round.
    pub training: Vec<TrainingRound>,
    /// Sentences about how it was done.
    pub notes: Vec<String>,
}

/// The name or number of an assessor, as it may be published.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AssessorId(pub String);

impl fmt::Display for AssessorId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What an assessor said of an item or instance.
#[derive(Clone, Debug, PartialEq)]
pub struct ItemJudgment {
    /// The topic.
    pub topic: TopicId,
    /// The assessor.
    pub assessor: AssessorId,
    /// What was said.
    pub judgment: Judgment,
    /// How long it took, breaks left out, where that is known.
    pub seconds: Option<f64>,
}

/// A topic that was judged and then left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DroppedTopic {
    /// The topic.
    pub topic: TopicId,
    /// Why, as the end of a sentence: `only one answer is high or medium`.
    pub reason: String,
}

/// An occasion on which assessors judged the same items.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Agreement {
    /// What it was, such as `After the assessment`.
    pub name: String,
    /// Every two assessors who did.
    pub pairs: Vec<PairLabels>,
}

/// What two assessors said of the same items.
#[derive(Clone, Debug, PartialEq)]
pub struct PairLabels {
    /// The one.
    pub first: AssessorId,
    /// The other.
    pub second: AssessorId,
    /// What the one and the other said, item by item.
    pub labels: Vec<(Judgment, Judgment)>,
}

/// A round of training.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TrainingRound {
    /// Its name, such as `Round 1`.
    pub name: String,
    /// What each assessor said.
    pub assessors: Vec<AssessorLabels>,
}

/// What an assessor said in a round of training.
#[derive(Clone, Debug, PartialEq)]
pub struct AssessorLabels {
    /// The assessor.
    pub assessor: AssessorId,
    /// The items and what was said of them.
    pub labels: Vec<LabelledItem>,
}

/// An item of the training and what was said of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LabelledItem {
    /// The topic.
    pub topic: TopicId,
    /// The item, by the id that all assessors see.
    pub item: String,
    /// What was said.
    pub judgment: Judgment,
}
