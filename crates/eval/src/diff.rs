//! What moved between two runs, topic by topic, and which items made the difference.
//!
//! Two rankings of a topic are compared as lists (see [`TopicDiff`]) and, with
//! judgments, by a measure. The difference of the measure is shared out among
//! the items that were returned: each has a *term* in each ranking, and its
//! *contribution* is its term on the right minus its term on the left.
//!
//! The term of the result at rank i is what the value gains when the list is
//! read one result further: M(r₁…rᵢ) − M(r₁…rᵢ₋₁), with all judgments of the
//! topic known from the start. So it is gain/log₂(i + 1) over the ideal sum for
//! nDCG, 1/k for a relevant result in P@k, the precision at its rank over R for
//! AP, 1/i at the first relevant result for RR, and the i-th summand of ERR,
//! RBP and bpref. Terms telescope: they add up to the value for every measure,
//! and contributions add up to the difference. Exchanging the runs changes the
//! sign of every contribution and nothing else. A measure for judged results
//! only sees the list without the unjudged ones, whose terms are 0.
//!
//! Where a term depends on what stands above (AP, RR, ERR, bpref) an item can
//! contribute without having moved; where a value is divided by the length of
//! the list (SetP, P@hit) a result that is not relevant has a negative term.

mod lists;
mod terms;
#[cfg(test)]
mod tests;
mod topic;

pub use lists::{Likeness, Overlap};
pub use topic::{Item, Move, Position, Presence, TopicDiff, Values};

use crate::average::average;
use crate::judgments::{JudgedTopic, Judgments};
use crate::measure::Measure;
use crate::pipeline::{Duplicate, Pipeline, Ranking};
use foldhash::{HashMap, HashMapExt as _};
use formats::TopicId;
use formats::run::{Run, TopicRows};

/// Judgments, and the measure by which rankings are compared.
#[derive(Clone, Copy)]
pub struct Gauge<'a> {
    /// The judgments.
    pub judgments: &'a Judgments<'a>,
    /// The measure.
    pub measure: &'a Measure,
}

/// Compares two runs by the same rules.
#[derive(Clone, Copy)]
pub struct Differ<'a> {
    /// The rules by which rows become a ranking.
    pub pipeline: Pipeline<'a>,
    /// The chance that a reader goes on to the next rank, for rank-biased overlap.
    pub persistence: f64,
    /// By what the rankings are scored, if they are.
    pub gauge: Option<Gauge<'a>>,
}

/// Two runs beside each other.
#[derive(Clone, Debug)]
pub struct RunDiff<'a> {
    /// The topics of either run and of the judgments, in the order in which people list them.
    pub topics: Vec<TopicDiff<'a>>,
}

/// How a measure changed from the left run to the right one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Change {
    /// Over how many judged topics; one without results counts 0.
    pub topics: usize,
    /// The mean on the left, or what the measure has instead of it.
    pub left: f64,
    /// The same on the right.
    pub right: f64,
    /// How many topics are better on the right.
    pub better: usize,
    /// How many have the same value.
    pub equal: usize,
    /// How many are worse on the right.
    pub worse: usize,
}

impl<'a> Differ<'a> {
    /// Compares the topics that `wanted` admits.
    ///
    /// # Errors
    ///
    /// When a document is listed twice for a topic and the rules refuse that.
    pub fn runs(
        &self,
        left: &'a Run,
        right: &'a Run,
        wanted: impl Fn(&TopicId) -> bool,
    ) -> Result<RunDiff<'a>, Duplicate> {
        let mut rows: HashMap<&'a TopicId, [Option<TopicRows<'a>>; 2]> = HashMap::new();
        for (side, run) in [left, right].into_iter().enumerate() {
            for topic in run.topics() {
                rows.entry(topic.id()).or_default()[side] = Some(topic);
            }
        }
        for judged in self.gauge.iter().flat_map(|gauge| gauge.judgments.topics()) {
            rows.entry(judged.id()).or_default();
        }
        let mut rows: Vec<_> = rows.into_iter().filter(|(id, _)| wanted(id)).collect();
        rows.sort_by(|(a, _), (b, _)| a.natural_cmp(b));
        let topics = rows.into_iter().map(|(id, [left, right])| self.topic(id, left, right));
        Ok(RunDiff { topics: topics.collect::<Result<_, _>>()? })
    }

    /// Compares what two runs have for one topic.
    fn topic(
        &self,
        id: &'a TopicId,
        left: Option<TopicRows<'a>>,
        right: Option<TopicRows<'a>>,
    ) -> Result<TopicDiff<'a>, Duplicate> {
        let judged = self.gauge.and_then(|gauge| {
            let index = gauge.judgments.index_of(id)?;
            Some((&gauge.judgments.topics()[index], gauge.measure))
        });
        let unjudged;
        let verdicts = match judged {
            Some((topic, _)) => topic,
            None => {
                unjudged = JudgedTopic::unjudged(id);
                &unjudged
            }
        };
        let rank = |rows: Option<TopicRows<'a>>| match rows {
            Some(rows) => self.pipeline.rank(rows, verdicts),
            None => Ok(Ranking::default()),
        };
        let presence = match (left.is_some(), right.is_some()) {
            (true, true) => Presence::Both,
            (true, false) => Presence::Left,
            (false, true) => Presence::Right,
            (false, false) => Presence::Neither,
        };
        let (left, right) = (rank(left)?, rank(right)?);
        let gauge = judged.map(|(topic, measure)| (topic.pool(), measure));
        Ok(topic::compare(id, presence, [&left.entries, &right.entries], self.persistence, gauge))
    }
}

impl<'a> RunDiff<'a> {
    /// How alike the runs are: as their least alike topics.
    #[must_use]
    pub fn likeness(&self) -> Likeness {
        self.topics.iter().map(|topic| topic.likeness).max().unwrap_or(Likeness::Identical)
    }

    /// The topics that are in these runs.
    pub fn present(&self, presence: Presence) -> impl Iterator<Item = &TopicDiff<'a>> {
        self.topics.iter().filter(move |topic| topic.presence == presence)
    }

    /// The mean over the topics that are in both runs and have a value; nothing if none has.
    #[must_use]
    pub fn mean(&self, value: impl Fn(&TopicDiff<'a>) -> Option<f64>) -> Option<f64> {
        let values: Vec<f64> = self.present(Presence::Both).filter_map(value).collect();
        #[expect(clippy::cast_precision_loss, reason = "a number of topics")]
        (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
    }

    /// How the measure changed over all judged topics.
    #[must_use]
    pub fn change(&self, measure: &Measure) -> Change {
        let values: Vec<Values> = self.topics.iter().filter_map(|topic| topic.values).collect();
        let count = |of: fn(f64) -> bool| values.iter().filter(|values| of(values.difference())).count();
        Change {
            topics: values.len(),
            left: average(measure, values.iter().map(|values| values.left)).value,
            right: average(measure, values.iter().map(|values| values.right)).value,
            better: count(|difference| difference > 0.0),
            equal: count(|difference| difference == 0.0),
            worse: count(|difference| difference < 0.0),
        }
    }
}

impl Change {
    /// The right value minus the left one.
    #[must_use]
    pub fn difference(&self) -> f64 {
        self.right - self.left
    }
}
