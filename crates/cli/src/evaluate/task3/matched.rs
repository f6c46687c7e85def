//! What became of written answers: which of them are judged posts, other posts, or none.

use super::entries::Entry;
use eval::task3::{MatchKind, MeanOver, NamedSource, Relevance, Share, grade_of};
use formats::qrels::Qrels;

/// How many answers to topics of the mean are what.
#[derive(Debug, Default)]
pub(super) struct Matched {
    pub(super) whole: usize,
    pub(super) excerpts: usize,
    pub(super) none: usize,
    /// Of those that agree with a post: how many with one that was not judged.
    pub(super) not_judged: usize,
    /// How many name a source whose text differs.
    pub(super) named_but_differs: usize,
    /// How many agree with posts of several grades.
    pub(super) several_grades: usize,
}

impl Matched {
    /// Counts the answers to topics that can be in the mean; nothing if it was not asked which posts they are.
    pub(super) fn of(entry: &Entry, relevance: &Relevance, qrels: &Qrels) -> Option<Self> {
        let matches = entry.matches()?;
        let mut matched = Self::default();
        let topics = relevance.over(MeanOver::JudgedTopics);
        for (topic, found) in topics.counted().filter_map(|(topic, _)| matches.get_key_value(&topic.topic)) {
            let grade = |post: &str| {
                let mut rows = qrels.topic(topic).into_iter().flat_map(|topic| topic.rows());
                rows.find(|row| row.doc().as_str() == post).and_then(|row| grade_of(row.judgment()))
            };
            match found.kind {
                MatchKind::Whole => matched.whole += 1,
                MatchKind::Excerpt { .. } => matched.excerpts += 1,
                MatchKind::None => matched.none += 1,
            }
            if let Some(post) = &found.post {
                let own = grade(post);
                matched.not_judged += usize::from(own.is_none());
                let mut others = found.others.iter().filter_map(|other| grade(other));
                matched.several_grades += usize::from(others.any(|grade| Some(grade) != own));
            }
            matched.named_but_differs += usize::from(found.named == NamedSource::Differs);
        }
        Some(matched)
    }

    /// The answers that are judged posts, whole or excerpts of them.
    pub(super) fn judged(&self) -> Share {
        let found = self.found();
        Share { count: found.count - self.not_judged, ..found }
    }

    /// The answers that are posts, judged or not.
    pub(super) fn found(&self) -> Share {
        let count = self.whole + self.excerpts;
        Share { count, total: count + self.none }
    }
}
