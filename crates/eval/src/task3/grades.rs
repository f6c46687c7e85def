//! Judgments by topic and answer, with Task 3's reading of the two codes.

use formats::qrels::{Judgment, Qrels};
use formats::{DocId, TopicId};
use std::collections::{BTreeMap, HashMap};

/// The least grade of a relevant answer: high and medium count, low does not.
pub const RELEVANT: i32 = 2;

/// What a judgment counts in Task 3: a grade itself, and 0 for a system
/// failure and for "do not know". What is not judged counts nothing at all.
///
/// ```
/// use formats::qrels::Judgment;
/// use eval::task3::grade_of;
/// assert_eq!(grade_of(Judgment::Grade(3)), Some(3));
/// assert_eq!(grade_of(Judgment::SystemFailure), Some(0));
/// assert_eq!(grade_of(Judgment::DoNotKnow), Some(0));
/// assert_eq!(grade_of(Judgment::Unjudged), None);
/// ```
#[must_use]
pub fn grade_of(judgment: Judgment) -> Option<i32> {
    match judgment {
        Judgment::Grade(grade) => Some(grade),
        Judgment::SystemFailure | Judgment::DoNotKnow => Some(0),
        Judgment::Unjudged => None,
    }
}

/// Judgments, found by topic and answer.
pub(super) struct Grades<'a> {
    topics: BTreeMap<&'a TopicId, HashMap<DocId<'a>, Judgment>>,
}

impl<'a> Grades<'a> {
    pub(super) fn new(qrels: &'a Qrels) -> Self {
        let topics = qrels
            .topics()
            .map(|topic| (topic.id(), topic.rows().map(|row| (row.doc(), row.judgment())).collect()))
            .collect();
        Self { topics }
    }

    pub(super) fn topics(&self) -> impl Iterator<Item = &'a TopicId> {
        self.topics.keys().copied()
    }

    pub(super) fn has_topic(&self, topic: &TopicId) -> bool {
        self.topics.contains_key(topic)
    }

    /// What was said of an answer; nothing if it was not judged.
    pub(super) fn judgment(&self, topic: &TopicId, answer: DocId<'_>) -> Option<Judgment> {
        let judgment = *self.topics.get(topic)?.get(&answer)?;
        (judgment != Judgment::Unjudged).then_some(judgment)
    }

    /// Whether the topic has an answer of grade 1 or more.
    pub(super) fn has_relevant(&self, topic: &TopicId) -> bool {
        let mut judgments = self.topics.get(topic).into_iter().flat_map(HashMap::values);
        judgments.any(|judgment| grade_of(*judgment).is_some_and(|grade| grade >= 1))
    }

    pub(super) fn is_relevant(&self, topic: &TopicId, answer: DocId<'_>) -> bool {
        self.judgment(topic, answer).and_then(grade_of).is_some_and(|grade| grade >= RELEVANT)
    }
}
