//! What surrounds a number: how much of it is chance, how high it could be,
//! how much of it was judged.

use crate::average::{TopicPolicy, average};
use crate::judgments::Judgments;
use crate::measure::{Aggregate, Measure};
use crate::scores::RunScores;

/// The floor and the ceiling of each measure on each topic. They depend on the
/// judgments alone.
#[derive(Clone, Debug)]
pub struct Bounds {
    /// Topics as in the scores, each with a value for each measure.
    floor: Vec<Vec<Option<f64>>>,
    ceiling: Vec<Vec<f64>>,
}

/// What surrounds the value of one measure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Surroundings {
    /// What a random order of the judged pool would score on average, where that is known.
    pub floor: Option<f64>,
    /// What the best order of the judged pool scores.
    pub ceiling: f64,
    /// 0 at the floor, 1 at the ceiling; below 0 for what is worse than chance.
    pub adjusted: Option<f64>,
}

/// How much of a run was judged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coverage {
    /// The share of the judged pool that the run retrieved.
    pub pool_share: f64,
    /// The share of its results that is judged.
    pub judged_share: f64,
    /// Whether the run holds results that nobody judged.
    pub makeup: Makeup,
}

/// What a run is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Makeup {
    /// Nothing at all on the judged topics.
    Empty,
    /// Judged documents only: what else the system found was cut away, so that
    /// the run can be scored but not pooled, and only judged-only measures say
    /// anything about the system.
    JudgedOnly,
    /// Judged and unjudged documents.
    Mixed,
}

impl Bounds {
    /// The bounds of some measures.
    #[must_use]
    pub fn new(judgments: &Judgments<'_>, measures: &[Measure]) -> Self {
        let each = |topic: &crate::JudgedTopic<'_>| -> (Vec<Option<f64>>, Vec<f64>) {
            let pool = topic.pool();
            measures
                .iter()
                .map(|measure| (measure.random_order_expectation(pool), measure.highest(pool)))
                .unzip()
        };
        let (floor, ceiling) = judgments.topics().iter().map(each).unzip();
        Self { floor, ceiling }
    }

    /// What surrounds a run's value of a measure, over the topics that a policy admits.
    #[must_use]
    pub fn around(&self, scores: &RunScores, measure: usize, policy: TopicPolicy) -> Surroundings {
        let admitted: Vec<usize> =
            (0..scores.topics.len()).filter(|topic| policy.admits(&scores.topics[*topic])).collect();
        let of = &scores.measures[measure];
        let ceiling = average(of, admitted.iter().map(|topic| self.ceiling[*topic][measure])).value;
        let floors: Option<Vec<f64>> = admitted.iter().map(|topic| self.floor[*topic][measure]).collect();
        // The geometric mean of expected values is not the expected geometric mean.
        let floors = floors.filter(|_| of.aggregate() != Aggregate::GeometricMean);
        let floor = floors.map(|floors| average(of, floors.into_iter()).value);
        let value = scores.average(measure, policy).value;
        let adjusted = floor
            .filter(|floor| ceiling - floor > f64::EPSILON)
            .map(|floor| (value - floor) / (ceiling - floor));
        Surroundings { floor, ceiling, adjusted }
    }
}

impl RunScores {
    /// How much of the run was judged, over the topics that a policy admits.
    #[must_use]
    pub fn coverage(&self, policy: TopicPolicy) -> Coverage {
        let sum = |count: fn(&crate::TopicScores) -> usize| self.admitted(policy).map(count).sum::<usize>();
        let (results, judged, pool) =
            (sum(|topic| topic.num_results), sum(|topic| topic.num_judged), sum(|topic| topic.pool_size));
        let makeup = match (results, judged) {
            (0, _) => Makeup::Empty,
            (results, judged) if results == judged => Makeup::JudgedOnly,
            _ => Makeup::Mixed,
        };
        Coverage { pool_share: share(judged, pool), judged_share: share(judged, results), makeup }
    }
}

fn share(part: usize, whole: usize) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}
