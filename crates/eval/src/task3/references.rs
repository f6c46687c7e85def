//! The answers with which others are compared: those that people found relevant.
//!
//! They are the relevant answers of Task 3 runs and, if wanted, those of Task
//! 1 runs that are no longer than a Task 3 answer may be. Each knows the runs
//! that returned it, so that those which only the evaluated team found can be
//! taken away: a team that met its own answers would score 1.

use super::error::Task3Error;
use super::grades::Grades;
use super::text::{Normalisation, PostText};
use collection::qrels::Qrels;
use collection::task3::LONGEST_ANSWER;
use collection::{DocId, RunTag, TopicId};
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

/// A run that may have found a reference; runs of the two tasks may share a name.
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
    /// The runs of that task that returned it.
    pub runs: BTreeSet<RunTag>,
}

/// Whose references were taken away.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Ablation {
    /// Nobody's.
    #[default]
    None,
    /// Those that only these runs returned.
    Team {
        /// The runs of the team.
        runs: BTreeSet<Contributor>,
        /// How many references were taken away.
        removed: usize,
    },
}

impl fmt::Display for Ablation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("all"),
            Self::Team { runs, removed } => {
                write!(f, "all but {removed} that only the team's {} runs returned", runs.len())
            }
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

    /// Adds the relevant answers of a Task 3 run: topic, id and text as it was written.
    pub fn add_task3<'a>(
        &mut self,
        run: &RunTag,
        answers: impl IntoIterator<Item = (TopicId, DocId<'a>, &'a str)>,
        qrels: &Qrels,
    ) {
        self.contributors.insert(Contributor { task: ReferenceTask::Task3, run: run.clone() });
        let grades = Grades::new(qrels);
        for (topic, id, text) in answers {
            if grades.is_relevant(&topic, id) {
                let text = self.normalisation.apply(text);
                self.add(topic, ReferenceTask::Task3, text, id, run);
            }
        }
    }

    /// Adds the relevant answers of a Task 1 run, of which `text` gives the
    /// text. Those that are longer than a Task 3 answer may be are not used.
    pub fn add_task1<'a>(
        &mut self,
        run: &RunTag,
        answers: impl IntoIterator<Item = (TopicId, DocId<'a>)>,
        qrels: &Qrels,
        mut text: impl FnMut(DocId<'a>) -> Option<PostText>,
    ) {
        self.contributors.insert(Contributor { task: ReferenceTask::Task1, run: run.clone() });
        let grades = Grades::new(qrels);
        for (topic, id) in answers {
            if !grades.is_relevant(&topic, id) {
                continue;
            }
            let reason = match text(id) {
                Some(post) if post.characters <= LONGEST_ANSWER => {
                    self.add(topic, ReferenceTask::Task1, post.text, id, run);
                    continue;
                }
                Some(post) => NotUsedReason::TooLong(post.characters),
                None => NotUsedReason::NoText,
            };
            let not_used = NotUsed { topic, id: id.as_str().into(), reason };
            if !self.not_used.contains(&not_used) {
                self.not_used.push(not_used);
            }
        }
    }

    /// An answer of Task 3 is known by its text, one of Task 1 by its id.
    fn add(&mut self, topic: TopicId, task: ReferenceTask, text: String, id: DocId<'_>, run: &RunTag) {
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
            reference.runs.insert(run.clone());
            return;
        }
        let key = (task, text.as_str(), id.as_str());
        let at = references.partition_point(|other| {
            (other.task, other.text.as_str(), other.ids.first().map_or("", |id| &**id)) < key
        });
        let (ids, runs) = ([id.as_str().into()].into(), [run.clone()].into());
        references.insert(at, Reference { task, text, ids, runs });
    }

    /// The references without those that only runs of the given team returned.
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
        let mut references = self.clone();
        let before = self.num_references();
        for topic in references.topics.values_mut() {
            topic.retain(|reference| !reference.runs.iter().all(|run| of_team(reference.task, run)));
        }
        references.topics.retain(|_, topic| !topic.is_empty());
        let removed = before - references.num_references();
        references.ablation = Ablation::Team { runs: team.clone(), removed };
        Ok(references)
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
