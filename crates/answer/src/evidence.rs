//! What speaks for a candidate: how alike the question it answers is, how much of what is asked it speaks of.

use crate::ask::Asked;
use crate::desk::{Desk, Post};
use crate::error::Error;
use crate::words::{Counts, WordIdf, cosine, coverage};
use formula::matching::Matcher;
use index::Document;
use retrieve::Query;
use serde::Deserialize;

/// The weight of each kind of evidence; 0 where none is named.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Weights {
    /// The score of the system that found it, divided by the best.
    pub score: f64,
    /// Its place there: 1/(60 + rank), times 60.
    pub rank: f64,
    /// How alike the titles are, by their words.
    pub title: f64,
    /// How alike the questions are, by all their words.
    pub question: f64,
    /// How much of the formulas that are asked about the other question has.
    pub question_formulas: f64,
    /// The share of the tags that both questions have.
    pub tags: f64,
    /// How alike the answer is to what is asked, by its words.
    pub answer: f64,
    /// The share of what is asked that the answer has, by its words.
    pub coverage: f64,
    /// How much of the formulas that are asked about the answer has.
    pub answer_formulas: f64,
    /// Its length: the logarithm of its characters over that of 1,200, at most 1.
    pub length: f64,
    /// Whether it may be quoted as a whole.
    pub fits: f64,
    /// How much of the ranking its thread has: the best score of its other answers, divided by the best.
    pub thread: f64,
    /// Its votes among the answers to the same question: 1 for the most, 0 if there are none.
    pub votes: f64,
    /// Whether it was accepted.
    pub accepted: f64,
}

impl Weights {
    /// The names of the kinds of evidence, in their order.
    pub const NAMES: [&'static str; 14] = [
        "score",
        "rank",
        "title",
        "question",
        "question_formulas",
        "tags",
        "answer",
        "coverage",
        "answer_formulas",
        "length",
        "fits",
        "thread",
        "votes",
        "accepted",
    ];

    /// The same with another value for one kind of evidence; nothing if there is none of this name.
    #[must_use]
    pub fn with(mut self, name: &str, value: f64) -> Option<Self> {
        let place = Self::NAMES.iter().position(|known| *known == name)?;
        *self.slots()[place] = value;
        Some(self)
    }

    fn values(mut self) -> [f64; Self::NAMES.len()] {
        self.slots().map(|value| *value)
    }

    /// The weights, in the order of their names.
    fn slots(&mut self) -> [&mut f64; Self::NAMES.len()] {
        [
            &mut self.score,
            &mut self.rank,
            &mut self.title,
            &mut self.question,
            &mut self.question_formulas,
            &mut self.tags,
            &mut self.answer,
            &mut self.coverage,
            &mut self.answer_formulas,
            &mut self.length,
            &mut self.fits,
            &mut self.thread,
            &mut self.votes,
            &mut self.accepted,
        ]
    }
}

/// The evidence for a candidate, in the order of [`Weights::NAMES`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Evidence(pub [f64; Weights::NAMES.len()]);

impl Evidence {
    /// The weighted sum.
    #[must_use]
    pub fn score(&self, weights: &Weights) -> f64 {
        self.0.iter().zip(weights.values()).map(|(value, weight)| value * weight).sum()
    }
}

/// A candidate as the ranking has it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Standing {
    /// From 1.
    pub(crate) rank: usize,
    /// Divided by the best.
    pub(crate) score: f64,
    /// The best score of other answers of its thread, divided by the best.
    pub(crate) thread: f64,
}

/// Holds candidates against a question; keeps its memory.
pub(crate) struct Scales<'e> {
    pub(crate) asked: Asked,
    pub(crate) idf: WordIdf<'e>,
    pub(crate) matcher: Matcher,
    /// The longest answer that may be given.
    longest: usize,
}

impl<'e> Scales<'e> {
    pub(crate) fn new(query: &Query, desk: &mut Desk<'e>, longest: usize) -> Self {
        let mut idf = WordIdf::new(desk.engine.index());
        let asked = Asked::new(query, desk, &mut idf);
        Self { asked, idf, matcher: Matcher::default(), longest }
    }

    /// How alike the question of the other post is to what is asked: titles, all words, formulas, tags.
    pub(crate) fn question(&mut self, question: &Post, desk: &mut Desk<'_>) -> [f64; 4] {
        let title = desk.words.count(&question.title);
        let words = words_of_question(question, desk);
        let common = question.tags.iter().filter(|tag| self.asked.tags.contains(&tag.to_lowercase())).count();
        let all = question.tags.len() + self.asked.tags.len() - common;
        [
            cosine(&self.asked.title, &self.idf.weigh(&title)),
            cosine(&self.asked.words, &self.idf.weigh(&words)),
            self.asked.formulas_in(&question.formulas, &mut self.matcher),
            if all > 0 { common as f64 / all as f64 } else { 0.0 },
        ]
    }

    /// How alike an answer is to what is asked: all words, the share of them, formulas.
    pub(crate) fn answer(&mut self, answer: &Post) -> [f64; 3] {
        let words: Counts = self.idf.weigh(&answer.words);
        [
            cosine(&self.asked.words, &words),
            coverage(&self.asked.words, &words),
            self.asked.formulas_in(&answer.formulas, &mut self.matcher),
        ]
    }

    /// All that speaks for a candidate.
    pub(crate) fn weigh(
        &mut self,
        document: Document,
        standing: Standing,
        desk: &mut Desk<'_>,
    ) -> Result<Evidence, Error> {
        let post = desk.read(document)?;
        let question = desk.question(document);
        let [title, words, formulas, tags] = match question {
            Some(question) => {
                let question = desk.read(question)?;
                self.question(&question, desk)
            }
            None => [0.0; 4],
        };
        let [answer, covered, answer_formulas] = self.answer(&post);
        let characters = post.characters();
        let length = libm::log(1.0 + characters as f64) / libm::log(1.0 + self.longest as f64);
        let votes = votes(&post, question, desk);
        Ok(Evidence([
            standing.score,
            60.0 / (60.0 + standing.rank as f64),
            title,
            words,
            formulas,
            tags,
            answer,
            covered,
            answer_formulas,
            length.min(1.0),
            f64::from(u8::from(characters <= self.longest)),
            standing.thread,
            votes,
            f64::from(u8::from(post.accepted)),
        ]))
    }
}

/// The words of a question: its text, its title twice, its tags.
pub(crate) fn words_of_question(question: &Post, desk: &mut Desk<'_>) -> Counts {
    let mut words = question.words.clone();
    desk.words.add(&question.title, 2.0, &mut words);
    desk.words.add(&question.tags.join(" "), 1.0, &mut words);
    words
}

/// Where an answer stands by its votes among the answers to the same question.
fn votes(post: &Post, question: Option<Document>, desk: &Desk<'_>) -> f64 {
    let (Some(own), Some(question)) = (post.votes, question) else { return 0.0 };
    let index = desk.engine.index();
    let votes = desk.answers(question).into_iter().filter_map(|answer| {
        let (source, number) = index.post(answer);
        source.collection.post_facts(number).score
    });
    let most = votes.max().unwrap_or(0);
    if most > 0 { f64::from(own.max(0)) / f64::from(most) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_go_by_their_names() {
        for (place, name) in Weights::NAMES.iter().enumerate() {
            let weights: Weights = toml::from_str(&format!("{name} = 2")).unwrap();
            assert_eq!(Weights::default().with(name, 2.0), Some(weights));
            let mut evidence = Evidence::default();
            evidence.0[place] = 0.25;
            assert_eq!(evidence.score(&weights), 0.5, "{name}");
        }
        assert_eq!(Weights::default().with("luck", 1.0), None);
    }
}
