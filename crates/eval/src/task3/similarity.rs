//! Measures of how similar an answer is to a reference, and a run to what was judged relevant.
//!
//! People judged only the answers they were shown. A new answer is compared
//! with those that were found relevant instead: its value is the highest
//! similarity to a reference, and that of a run is the mean over the topics
//! with a reference. What "similar" means is an [`AnswerSimilarity`]: tokens
//! in common are one, and a measure with a language model takes the same place.

use super::error::Task3Error;
use super::references::{Ablation, Reference, ReferenceTask, References};
use super::text::Normalisation;
use formats::TopicId;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// How similar an answer is to a reference.
pub trait AnswerSimilarity {
    /// The measure as people write it, such as `LO`.
    fn name(&self) -> String;

    /// What the value depends on, such as the tokenizer: names and values.
    fn rules(&self) -> Vec<Rule>;

    /// The similarity to each reference, in their order; nothing for a
    /// reference that is empty as this measure sees it.
    ///
    /// # Errors
    ///
    /// When the measure cannot look at one of the texts.
    fn similarities(&self, answer: &str, references: &[&str]) -> Result<Vec<Option<f64>>, Task3Error>;

    /// What whoever reads the values should know of those computed until now, such as that texts were cut:
    /// sentences. There is nothing unless a measure says otherwise.
    fn remarks(&self) -> Vec<String> {
        Vec::new()
    }
}

/// Something that a number depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// What it is, such as `tokenizer`.
    pub name: &'static str,
    /// What was chosen.
    pub value: String,
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name, self.value)
    }
}

/// What a topic counts that has references but no answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Unanswered {
    /// Nothing: it is left out of the mean, as in the lab's script.
    #[default]
    LeftOut,
    /// It counts 0.
    Zero,
}

/// How similar the answers of a run are to the references.
#[derive(Clone, Debug, PartialEq)]
pub struct SimilarityScore {
    /// The measure.
    pub measure: String,
    /// What the number depends on: the measure's rules, and those of the references.
    pub rules: Vec<Rule>,
    /// What a topic without an answer counts.
    pub unanswered: Unanswered,
    /// All topics of the run and of the references, in the order in which people list them.
    pub topics: Vec<TopicSimilarity>,
}

/// A topic and what became of it.
#[derive(Clone, Debug, PartialEq)]
pub struct TopicSimilarity {
    /// The topic.
    pub topic: TopicId,
    /// What became of it.
    pub outcome: SimilarityOutcome,
}

/// What became of a topic.
#[derive(Clone, Debug, PartialEq)]
pub enum SimilarityOutcome {
    /// The answer was compared with references.
    Compared {
        /// The highest similarity.
        value: f64,
        /// The first reference that has it.
        best: BestReference,
        /// With how many references that are not empty.
        references: usize,
    },
    /// The run has no answer.
    NotAnswered,
    /// There is no reference, or only empty ones.
    NoReference,
}

/// A reference, as one names it to others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BestReference {
    /// The task from which it comes.
    pub task: ReferenceTask,
    /// Its ids; equal texts may have several.
    pub ids: BTreeSet<Box<str>>,
}

impl SimilarityScore {
    /// The topics in the mean, with their values.
    pub fn counted(&self) -> impl Iterator<Item = (&TopicId, f64)> {
        self.topics.iter().filter_map(|topic| match (&topic.outcome, self.unanswered) {
            (SimilarityOutcome::Compared { value, .. }, _) => Some((&topic.topic, *value)),
            (SimilarityOutcome::NotAnswered, Unanswered::Zero) => Some((&topic.topic, 0.0)),
            (SimilarityOutcome::NotAnswered, Unanswered::LeftOut) | (SimilarityOutcome::NoReference, _) => {
                None
            }
        })
    }

    /// How many topics are in the mean.
    #[must_use]
    pub fn num_topics(&self) -> usize {
        self.counted().count()
    }

    /// The mean; nothing if no topic is in it.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        let topics = self.num_topics();
        (topics > 0).then(|| self.counted().map(|(_, value)| value).sum::<f64>() / topics as f64)
    }
}

/// Compares the answers of a run, as they were written, with the references.
///
/// The answers are normalised as the references were. References of several
/// origins with one text are compared once.
///
/// # Errors
///
/// When a topic is answered twice, or the measure cannot look at a text.
pub fn similarity<'a>(
    measure: &dyn AnswerSimilarity,
    answers: impl IntoIterator<Item = (TopicId, &'a str)>,
    references: &References,
    unanswered: Unanswered,
) -> Result<SimilarityScore, Task3Error> {
    let mut by_topic = BTreeMap::new();
    for (topic, answer) in answers {
        if by_topic.contains_key(&topic) {
            return Err(Task3Error::RepeatedTopic(topic));
        }
        by_topic.insert(topic, references.normalisation().apply(answer));
    }
    let ids: BTreeSet<&TopicId> = by_topic.keys().chain(references.topics()).collect();
    let mut topics = Vec::with_capacity(ids.len());
    for topic in ids {
        let answer = by_topic.get(topic).map(String::as_str);
        let outcome = compare(measure, answer, references.topic(topic))?;
        topics.push(TopicSimilarity { topic: topic.clone(), outcome });
    }
    topics.sort_by(|left, right| left.topic.natural_cmp(&right.topic));
    let mut rules = measure.rules();
    rules.extend(reference_rules(references.normalisation(), references.ablation()));
    Ok(SimilarityScore { measure: measure.name(), rules, unanswered, topics })
}

fn reference_rules(normalisation: Normalisation, ablation: &Ablation) -> [Rule; 2] {
    let normalisation = Rule { name: "normalisation", value: normalisation.to_string() };
    [normalisation, Rule { name: "references", value: ablation.to_string() }]
}

fn compare(
    measure: &dyn AnswerSimilarity,
    answer: Option<&str>,
    references: &[Reference],
) -> Result<SimilarityOutcome, Task3Error> {
    let mut seen = BTreeSet::new();
    let distinct: Vec<&Reference> =
        references.iter().filter(|reference| seen.insert(reference.text.as_str())).collect();
    let texts: Vec<&str> = distinct.iter().map(|reference| reference.text.as_str()).collect();
    let values = measure.similarities(answer.unwrap_or_default(), &texts)?;
    if values.len() != texts.len() {
        let reason = format!("{} values for {} references", values.len(), texts.len());
        return Err(Task3Error::Similarity { measure: measure.name(), reason });
    }
    let count = values.iter().flatten().count();
    let mut best: Option<(f64, &Reference)> = None;
    for (value, reference) in values.into_iter().zip(distinct) {
        if let Some(value) = value
            && best.is_none_or(|(highest, _)| value > highest)
        {
            best = Some((value, reference));
        }
    }
    Ok(match best {
        None => SimilarityOutcome::NoReference,
        Some(_) if answer.is_none() => SimilarityOutcome::NotAnswered,
        Some((value, reference)) => {
            let best = BestReference { task: reference.task, ids: reference.ids.clone() };
            SimilarityOutcome::Compared { value, best, references: count }
        }
    })
}
