//! The answers with which others are compared: those that people found relevant.
//!
//! They are the relevant answers of Task 3 runs and, if wanted, those of Task
//! 1 runs that are no longer than a Task 3 answer may be. Each knows the runs
//! that contributed it to the pools, so that those which only the evaluated
//! team contributed can be taken away: a team that met its own answers would
//! score 1.

use super::error::Task3Error;
use super::grades::{Grades, RELEVANT, grade_of};
use super::matching::{MatchRule, TopicPosts};
use super::text::{ComparedAnswer, Normalisation};
use formats::qrels::Qrels;
use formats::task3::LONGEST_ANSWER;
use formats::{DocId, RunTag, TopicId};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// The task from whose runs a reference comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ReferenceTask {
    /// Posts of the collection that were returned for Task 1.
    Task1,
    /// Answers that were written or cut out for Task 3.
    Task3,
}

impl fmt::Display for ReferenceTask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Task1 => "Task 1",
            Self::Task3 => "Task 3",
        })
    }
}

/// A run that may have contributed a reference to the pools; runs of the two tasks may share a name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Contributor {
    /// The task of the run.
    pub task: ReferenceTask,
    /// The name of the run.
    pub run: RunTag,
}

impl fmt::Display for Contributor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", self.run, self.task)
    }
}

/// A relevant answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The task from whose runs it comes.
    pub task: ReferenceTask,
    /// Its text, as it is compared.
    pub text: String,
    /// Its ids; Task 3 answers with the same text are one reference.
    pub ids: BTreeSet<Box<str>>,
    /// The runs of that task that contributed it to the pools; none if they are not known.
    pub runs: BTreeSet<RunTag>,
}

/// Whose references were taken away.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Ablation {
    /// Nobody's.
    #[default]
    None,
    /// Those that only these runs contributed to the pools.
    Team {
        /// The runs of the team.
        runs: BTreeSet<Contributor>,
        /// How many references were taken away.
        removed: usize,
    },
    /// For each answer those that it was cut out of, and those that were copied into it.
    Own {
        /// How many references were taken away.
        removed: usize,
    },
}

impl Ablation {
    /// How many references were taken away.
    #[must_use]
    pub fn removed(&self) -> usize {
        match self {
            Self::None => 0,
            Self::Team { removed, .. } | Self::Own { removed } => *removed,
        }
    }
}

impl fmt::Display for Ablation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("all"),
            Self::Team { runs, removed } => {
                write!(
                    f,
                    "all but {removed} that only the team's {} runs contributed to the pools",
                    runs.len()
                )
            }
            Self::Own { removed } => write!(f, "all but {removed} that the answer itself was cut out of"),
        }
    }
}

/// Why a relevant answer is no reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotUsed {
    /// The topic.
    pub topic: TopicId,
    /// The id of the answer.
    pub id: Box<str>,
    /// Why.
    pub reason: NotUsedReason,
}

/// Why a relevant answer is no reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotUsedReason {
    /// It has so many characters, more than an answer may have.
    TooLong(usize),
    /// The collection does not hold it.
    NoText,
}

/// References by topic.
#[derive(Clone, Debug)]
pub struct References {
    normalisation: Normalisation,
    topics: BTreeMap<TopicId, Vec<Reference>>,
    contributors: BTreeSet<Contributor>,
    not_used: Vec<NotUsed>,
    ablation: Ablation,
}

impl References {
    /// No references yet; answers are normalised in the given way, here and when they are compared.
    #[must_use]
    pub fn new(normalisation: Normalisation) -> Self {
        Self {
            normalisation,
            topics: BTreeMap::new(),
            contributors: BTreeSet::new(),
            not_used: Vec::new(),
            ablation: Ablation::None,
        }
    }

    /// Adds the relevant answers of a Task 3 run: topic, id and text as it was written. `contributed`
    /// says which of them the run contributed to the pools.
    pub fn add_task3<'a>(
        &mut self,
        run: &RunTag,
        answers: impl IntoIterator<Item = (TopicId, DocId<'a>, &'a str)>,
        contributed: impl Fn(&TopicId, DocId<'a>) -> bool,
        qrels: &Qrels,
    ) {
        self.contributors.insert(Contributor { task: ReferenceTask::Task3, run: run.clone() });
        let grades = Grades::new(qrels);
        for (topic, id, text) in answers {
            if grades.is_relevant(&topic, id) {
                let text = self.normalisation.apply(text);
                let run = contributed(&topic, id).then_some(run);
                self.add(topic, ReferenceTask::Task3, text, id, run);
            }
        }
    }

    /// Adds the relevant answers of a Task 1 run, of which `text` gives the
    /// text. Those that are longer than a Task 3 answer may be are not used. `contributed` says which
    /// of them the run contributed to the pools: below the pool depth a run returns what others contributed.
    pub fn add_task1<'a>(
        &mut self,
        run: &RunTag,
        answers: impl IntoIterator<Item = (TopicId, DocId<'a>)>,
        contributed: impl Fn(&TopicId, DocId<'a>) -> bool,
        qrels: &Qrels,
        mut text: impl FnMut(DocId<'a>) -> Option<ComparedAnswer>,
    ) {
        self.contributors.insert(Contributor { task: ReferenceTask::Task1, run: run.clone() });
        let grades = Grades::new(qrels);
        for (topic, id) in answers {
            if grades.is_relevant(&topic, id) {
                let run = contributed(&topic, id).then_some(run);
                self.add_post(topic, id, text(id), run);
            }
        }
    }

    /// Adds all relevant posts of the judgments, of which `text` gives the text, whoever contributed them. Those
    /// that are longer than a Task 3 answer may be are not used.
    ///
    /// [`add_task1`](Self::add_task1) can then say which run contributed one.
    pub fn add_judged<'a>(
        &mut self,
        qrels: &'a Qrels,
        mut text: impl FnMut(DocId<'a>) -> Option<ComparedAnswer>,
    ) {
        for topic in qrels.topics() {
            for row in topic.rows() {
                if grade_of(row.judgment()).is_some_and(|grade| grade >= RELEVANT) {
                    self.add_post(topic.id().clone(), row.doc(), text(row.doc()), None);
                }
            }
        }
    }

    fn add_post(
        &mut self,
        topic: TopicId,
        id: DocId<'_>,
        text: Option<ComparedAnswer>,
        run: Option<&RunTag>,
    ) {
        let reason = match text {
            Some(post) if post.characters <= LONGEST_ANSWER => {
                return self.add(topic, ReferenceTask::Task1, post.text, id, run);
            }
            Some(post) => NotUsedReason::TooLong(post.characters),
            None => NotUsedReason::NoText,
        };
        let not_used = NotUsed { topic, id: id.as_str().into(), reason };
        if !self.not_used.contains(&not_used) {
            self.not_used.push(not_used);
        }
    }

    /// An answer of Task 3 is known by its text, one of Task 1 by its id.
    fn add(
        &mut self,
        topic: TopicId,
        task: ReferenceTask,
        text: String,
        id: DocId<'_>,
        run: Option<&RunTag>,
    ) {
        let references = self.topics.entry(topic).or_default();
        let same = |reference: &Reference| {
            reference.task == task
                && match task {
                    ReferenceTask::Task1 => reference.ids.contains(id.as_str()),
                    ReferenceTask::Task3 => reference.text == text,
                }
        };
        if let Some(reference) = references.iter_mut().find(|reference| same(reference)) {
            reference.ids.insert(id.as_str().into());
            reference.runs.extend(run.cloned());
            return;
        }
        let key = (task, text.as_str(), id.as_str());
        let at = references.partition_point(|other| {
            (other.task, other.text.as_str(), other.ids.first().map_or("", |id| &**id)) < key
        });
        let (ids, runs) = ([id.as_str().into()].into(), run.cloned().into_iter().collect());
        references.insert(at, Reference { task, text, ids, runs });
    }

    /// The references without those that only runs of the given team contributed to the pools. One of which
    /// nobody knows who contributed it stays.
    ///
    /// # Errors
    ///
    /// When one of the runs was never added: an ablation without effect is most likely a mistake.
    pub fn without_team(&self, team: &BTreeSet<Contributor>) -> Result<Self, Task3Error> {
        if let Some(run) = team.iter().find(|run| !self.contributors.contains(run)) {
            let known: Vec<String> = self.contributors.iter().map(ToString::to_string).collect();
            return Err(Task3Error::UnknownRun { run: run.clone(), known: known.join(", ") });
        }
        let of_team =
            |task: ReferenceTask, run: &RunTag| team.contains(&Contributor { task, run: run.clone() });
        let (mut references, removed) = self.without(|_, reference| {
            !reference.runs.is_empty() && reference.runs.iter().all(|run| of_team(reference.task, run))
        });
        references.ablation = Ablation::Team { runs: team.clone(), removed };
        Ok(references)
    }

    /// The references of a run without those that each of its answers was cut out of, or that stand in it:
    /// an answer that agrees with a reference, or a reference with the answer, by the rule. Where nobody
    /// knows who contributed a reference, this keeps an extracted answer from meeting itself.
    #[must_use]
    pub fn without_own<'a>(
        &self,
        answers: impl IntoIterator<Item = (TopicId, &'a str)>,
        rule: MatchRule,
    ) -> Self {
        let answers: BTreeMap<TopicId, String> = answers
            .into_iter()
            .map(|(topic, answer)| (topic, Normalisation::Published.apply(answer)))
            .collect();
        let (mut references, removed) = self.without(|topic, reference| {
            let agree = |text: &str, with: &str| TopicPosts::new(rule, [(DocId(""), with)], []).agrees(text);
            answers
                .get(topic)
                .is_some_and(|answer| agree(answer, &reference.text) || agree(&reference.text, answer))
        });
        references.ablation = Ablation::Own { removed };
        references
    }

    /// All references but some, and how many these were.
    fn without(&self, is_out: impl Fn(&TopicId, &Reference) -> bool) -> (Self, usize) {
        let mut left = self.clone();
        for (topic, references) in &mut left.topics {
            references.retain(|reference| !is_out(topic, reference));
        }
        left.topics.retain(|_, references| !references.is_empty());
        let removed = self.num_references() - left.num_references();
        (left, removed)
    }

    /// The topics with a reference.
    pub fn topics(&self) -> impl Iterator<Item = &TopicId> {
        self.topics.keys()
    }

    /// The references of a topic: by task, then by text.
    #[must_use]
    pub fn topic(&self, topic: &TopicId) -> &[Reference] {
        self.topics.get(topic).map_or(&[], Vec::as_slice)
    }

    /// How many references there are.
    #[must_use]
    pub fn num_references(&self) -> usize {
        self.topics.values().map(Vec::len).sum()
    }

    /// Relevant answers that are no references, each once.
    #[must_use]
    pub fn not_used(&self) -> &[NotUsed] {
        &self.not_used
    }

    /// How answers are normalised.
    #[must_use]
    pub fn normalisation(&self) -> Normalisation {
        self.normalisation
    }

    /// Whose references were taken away.
    #[must_use]
    pub fn ablation(&self) -> &Ablation {
        &self.ablation
    }
}
