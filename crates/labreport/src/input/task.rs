//! A task: its systems, its test sets, and what the systems returned on them.

use super::answers::{Answer, AnswerTask};
use super::judging::Judging;
use super::pooling::PoolStatistics;
use eval::{Pipeline, Preset, TopicPolicy};
use formats::check::{AnswerType, Evaluation, RunType};
use formats::qrels::Qrels;
use formats::run::Run;
use formats::{RecordedModel, TopicId};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// A task of the lab.
pub struct Task<'a> {
    /// Its name, such as `Task 1: Answer Retrieval`.
    pub name: String,
    /// A short name without blanks for addresses and files, such as `task1`.
    pub key: String,
    /// What systems return, and how that is scored.
    pub kind: Kind<'a>,
    /// What is judged, in words.
    pub unit: Unit,
    /// The grades, the highest first; may be empty.
    pub grades: Vec<Grade>,
    /// The least grade that counts as relevant where only that counts: 2 is "H+M".
    pub relevant_from: i32,
    /// The least grade of one assessor that counts as relevant, for agreement: another one where the grade of an
    /// item is the sum of several.
    pub relevant_from_one: i32,
    /// What counts as relevant is called, such as `H+M`.
    pub relevant_name: String,
    /// How several judgments become one, in words.
    pub aggregation: Option<String>,
    /// What becomes of "do not know" and "system failure", in words.
    pub codes: Option<String>,
    /// The systems: runs of teams and baselines, in any order.
    pub systems: Vec<System>,
    /// The system that the others are compared with; the best baseline if none is named.
    pub compare_with: Option<SystemIndex>,
    /// The test set of this lab.
    pub current: TestSet<'a>,
    /// Test sets of earlier labs, the oldest first, for progress testing.
    pub earlier: Vec<TestSet<'a>>,
}

impl<'a> Task<'a> {
    /// A task without systems and topics, with the words of the ARQMath labs.
    #[must_use]
    pub fn new(name: impl Into<String>, key: impl Into<String>, kind: Kind<'a>) -> Self {
        let unit = match kind {
            Kind::Ranked(Preset::Task2) => {
                Unit::new("visually distinct formula", "visually distinct formulas")
            }
            Kind::Ranked(Preset::Ntcir10 | Preset::Ntcir11 | Preset::Ntcir12) => {
                Unit::new("formula", "formulas")
            }
            Kind::Ranked(Preset::Task1) | Kind::Answers(_) => Unit::new("answer", "answers"),
        };
        Self {
            name: name.into(),
            key: key.into(),
            kind,
            unit,
            grades: Vec::new(),
            relevant_from: 2,
            relevant_from_one: 2,
            relevant_name: "H+M".to_owned(),
            aggregation: None,
            codes: None,
            systems: Vec::new(),
            compare_with: None,
            current: TestSet::default(),
            earlier: Vec::new(),
        }
    }
}

/// What systems return, and how that is scored.
pub enum Kind<'a> {
    /// A ranking for each topic, scored by the measures of a lab.
    Ranked(Preset),
    /// One answer for each topic, scored by AR and P@1 and what else there is.
    Answers(AnswerTask<'a>),
}

/// What is judged, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// One of them, such as `answer`.
    pub one: String,
    /// Several, such as `answers`.
    pub many: String,
}

impl Unit {
    /// From the two words.
    #[must_use]
    pub fn new(one: &str, many: &str) -> Self {
        Self { one: one.to_owned(), many: many.to_owned() }
    }
}

/// A grade that assessors can give.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grade {
    /// The number.
    pub grade: i32,
    /// Its name, such as `High`.
    pub name: String,
    /// When it is given.
    pub definition: String,
}

/// The place of a system in [`Task::systems`], from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SystemIndex(pub usize);

/// A system that took part: a run of a team, or a baseline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct System {
    /// The team; for a baseline who made it.
    pub team: String,
    /// What the team calls the run.
    pub run: String,
    /// Whether it is a team's or the organisers'.
    pub role: Role,
    /// How it was pooled.
    pub pooled: Pooled,
    /// Whether people had a hand in it.
    pub run_type: RunType,
    /// What it looked at.
    pub data: DataUsed,
    /// Where its answers come from, in Task 3.
    pub answer_type: Option<AnswerType>,
    /// The names of the test sets on whose topics it was trained.
    pub trained_on: Vec<String>,
    /// The models that ranked, by the records of its runs. Runs without a record have none.
    pub models: Vec<RecordedModel>,
    /// How many warnings its file had when it was handed in.
    pub warnings: usize,
    /// How many of its hits were filtered, as they broke a rule.
    pub filtered: usize,
}

/// Whose run it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A team's, which the team declared its primary run or an alternate one.
    Submitted(Evaluation),
    /// The organisers'.
    Baseline,
}

/// How deep a run went into the pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pooled {
    /// As deep as primary runs.
    AsPrimary,
    /// As deep as alternate runs.
    AsAlternate,
    /// Not at all.
    Not,
}

/// What a system looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataUsed {
    /// Words.
    Text,
    /// Formulas.
    Math,
    /// Both.
    Both,
    /// Links between posts.
    Links,
    /// Nobody said.
    NotSaid,
}

impl DataUsed {
    /// The sign of the lab's tables.
    #[must_use]
    pub fn sign(self) -> &'static str {
        match self {
            Self::Text => "T",
            Self::Math => "M",
            Self::Both => "B",
            Self::Links => "*L",
            Self::NotSaid => "",
        }
    }
}

/// Topics with their judgments, and what the systems returned for them.
#[derive(Default)]
pub struct TestSet<'a> {
    /// Its name, such as `ARQMath-3`.
    pub name: String,
    /// The topics; may be empty where nothing but judgments is known.
    pub topics: Vec<Topic>,
    /// The judgments; none while there are none.
    pub qrels: Option<&'a Qrels>,
    /// The judgments of formula instances, where those above are of visually distinct formulas.
    pub instance_qrels: Option<&'a Qrels>,
    /// The judgments of visually distinct formulas, where those above are of formula instances.
    pub distinct_qrels: Option<&'a Qrels>,
    /// Judgments by assessor group, if the lab has groups.
    pub groups: Vec<AssessorGroup<'a>>,
    /// The topics that were set apart for training: results are over the others.
    pub train: BTreeSet<TopicId>,
    /// The rules by which rows become a ranking.
    pub pipeline: Pipeline<'a>,
    /// Which topics enter the means; for answers the published way is
    /// [`TopicPolicy::Judged`], which leaves out topics whose answer nobody judged.
    pub policy: TopicPolicy,
    /// What each system returned, in the order of [`Task::systems`]; systems
    /// beyond the end of the list returned nothing.
    pub outputs: Vec<Option<Output<'a>>>,
    /// How the pool was made.
    pub pool: Option<PoolStatistics>,
    /// How it was judged.
    pub judging: Option<Judging>,
}

impl TestSet<'_> {
    /// Whether results are over a topic: it was not set apart for training.
    pub(crate) fn is_tested(&self, topic: &TopicId) -> bool {
        !self.train.contains(topic)
    }

    /// The judgments of the topics that results are over.
    pub(crate) fn tested<'q>(&self, qrels: &'q Qrels) -> Cow<'q, Qrels> {
        if self.train.is_empty() {
            return Cow::Borrowed(qrels);
        }
        Cow::Owned(qrels.only(|topic| self.is_tested(topic)))
    }
}

/// What a group of assessors said, such as undergraduates.
pub struct AssessorGroup<'a> {
    /// Its name.
    pub name: String,
    /// The grade of each item by these assessors alone.
    pub qrels: &'a Qrels,
}

/// What a system returned on a test set.
pub enum Output<'a> {
    /// A ranking for each topic.
    Ranking(&'a Run),
    /// One answer for each topic.
    Answers(Vec<Answer>),
}

/// A topic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Topic {
    /// Its id.
    pub id: TopicId,
    /// Its title, as plain text.
    pub title: String,
    /// What the organisers say about it, in the order of the report.
    pub labels: Vec<TopicLabel>,
}

/// What the organisers say about a topic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TopicLabel {
    /// The name of the label, such as `difficulty`.
    pub name: String,
    /// Its value, such as `Hard`.
    pub value: String,
}
