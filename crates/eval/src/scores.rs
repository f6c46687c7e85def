//! Scoring a run: every measure on every judged topic.

use crate::doc_table::DocTable;
use crate::judgments::{JudgedTopic, Judgments};
use crate::measure::Measure;
use crate::pipeline::{Duplicate, Entry, LeftOut, Pipeline, Ranking, ties};
use crate::ranked::{Ranked, ResultGrade};
use formats::TopicId;
use formats::run::Run;
use std::ops::Range;

/// The scores of a run, topic by topic.
#[derive(Clone, Debug, PartialEq)]
pub struct RunScores {
    /// The measures, in the order of the values.
    pub measures: Vec<Measure>,
    /// All judged topics, in the order in which people list them.
    pub topics: Vec<TopicScores>,
    /// Topics of the run that nobody judged; they count nowhere.
    pub without_judgments: Vec<TopicId>,
    /// What was left out on the way to the rankings.
    pub left_out: LeftOut,
}

/// The scores of one topic.
#[derive(Clone, Debug, PartialEq)]
pub struct TopicScores {
    /// The topic.
    pub id: TopicId,
    /// What the run has for it.
    pub outcome: Outcome,
    /// A value for each measure; those of an empty ranking if there are no results.
    pub values: Vec<f64>,
    /// How many results there are.
    pub num_results: usize,
    /// How many of them are judged.
    pub num_judged: usize,
    /// How many judgments the topic has.
    pub pool_size: usize,
    /// The highest grade among them.
    pub highest_grade: Option<i32>,
    /// How many results share their score with another.
    pub num_tied: usize,
    /// The lowest and highest value of each measure over all orders of tied
    /// results; empty unless asked for.
    pub tie_bounds: Vec<Range<f64>>,
}

/// What a run has for a topic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// No line: the system was not run on it, or found nothing.
    NoResults,
    /// Results, but none of them is judged.
    NothingJudged,
    /// At least one result is judged.
    Judged,
}

/// Whether the orders of tied results are looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ties {
    /// The one order counts.
    #[default]
    Ordered,
    /// The lowest and highest value over all orders are given, too.
    Bounded,
}

/// Scores runs by the same measures, rules and judgments.
#[derive(Clone, Copy)]
pub struct Scorer<'a> {
    /// The judgments.
    pub judgments: &'a Judgments<'a>,
    /// The measures.
    pub measures: &'a [Measure],
    /// The rules by which rows become a ranking.
    pub pipeline: Pipeline<'a>,
    /// Whether the orders of tied results are looked at.
    pub ties: Ties,
}

impl<'a> Scorer<'a> {
    /// Scores a run.
    ///
    /// # Errors
    ///
    /// When a document is listed twice for a topic and the rules refuse that.
    pub fn score(&self, run: &'a Run) -> Result<RunScores, Duplicate> {
        let mut rows = vec![None; self.judgments.topics().len()];
        let mut without_judgments = Vec::new();
        for topic in run.topics() {
            match self.judgments.index_of(topic.id()) {
                Some(index) => rows[index] = Some(topic),
                None => without_judgments.push(topic.id().clone()),
            }
        }
        let mut left_out = LeftOut::default();
        let mut room = Room::default();
        let mut topics = Vec::with_capacity(rows.len());
        for (judged, rows) in self.judgments.topics().iter().zip(rows) {
            let ranking = match rows {
                Some(rows) => self.pipeline.rank_with(rows, judged, &mut room.seen)?,
                None => Ranking::default(),
            };
            left_out += ranking.left_out;
            topics.push(self.topic(judged, &ranking.entries, &mut room));
        }
        Ok(RunScores { measures: self.measures.to_vec(), topics, without_judgments, left_out })
    }

    /// Scores one ranking that is in order.
    fn topic(&self, judged: &JudgedTopic<'_>, entries: &[Entry<'_>], room: &mut Room) -> TopicScores {
        room.fill(entries);
        let pool = judged.pool();
        let all = Ranked { grades: &room.all, judged: pool };
        let prime = Ranked { grades: &room.judged, judged: pool };
        let ranked = |measure: &Measure| if measure.is_judged_only() { prime } else { all };
        let values = self.measures.iter().map(|measure| measure.score_filtered(ranked(measure))).collect();
        let tie_bounds = match self.ties {
            Ties::Ordered => Vec::new(),
            Ties::Bounded => {
                let judged_entries: Vec<Entry<'_>> =
                    entries.iter().filter(|entry| entry.verdict.is_judged()).copied().collect();
                let (all_ties, prime_ties) = (ties(entries), ties(&judged_entries));
                let bounds = |measure: &Measure| {
                    let groups = if measure.is_judged_only() { &prime_ties } else { &all_ties };
                    let verdicts = ranked(measure).grades;
                    measure.lowest_over_ties(verdicts, groups, pool)
                        ..measure.highest_over_ties(verdicts, groups, pool)
                };
                self.measures.iter().map(bounds).collect()
            }
        };
        let outcome = match (all.grades.len(), prime.grades.len()) {
            (0, _) => Outcome::NoResults,
            (_, 0) => Outcome::NothingJudged,
            _ => Outcome::Judged,
        };
        let tied = entries.chunk_by(|a, b| a.score.total_cmp(&b.score).is_eq());
        TopicScores {
            id: judged.id().clone(),
            outcome,
            values,
            num_results: all.grades.len(),
            num_judged: prime.grades.len(),
            pool_size: pool.num_judged(),
            highest_grade: pool.grades().first().copied(),
            num_tied: tied.map(<[_]>::len).filter(|size| *size > 1).sum(),
            tie_bounds,
        }
    }
}

/// Documents and verdicts of one topic at a time, in memory that is used again.
#[derive(Default)]
struct Room {
    seen: DocTable,
    all: Vec<ResultGrade>,
    judged: Vec<ResultGrade>,
}

impl Room {
    fn fill(&mut self, entries: &[Entry<'_>]) {
        self.all.clear();
        self.all.extend(entries.iter().map(|entry| entry.verdict));
        self.judged.clear();
        self.judged.extend(self.all.iter().filter(|verdict| verdict.is_judged()));
    }
}
