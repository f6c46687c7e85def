//! Kinds of topics: do the systems come out the same on easy and hard ones?

use crate::average::{Average, TopicPolicy, average};
use crate::scores::RunScores;
use formats::TopicId;
use stats::correlation;
use std::collections::BTreeSet;

/// Some of the topics, under a name such as `High`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stratum {
    /// The name.
    pub name: String,
    /// Its topics.
    pub topics: BTreeSet<TopicId>,
}

/// How alike two strata order the systems.
#[derive(Clone, Debug, PartialEq)]
pub struct StrataPair {
    /// The place of the one in the list of strata.
    pub left: usize,
    /// The place of the other.
    pub right: usize,
    /// Kendall's tau-b of the systems' values; nothing when a stratum puts all systems equal.
    pub tau_b: Option<f64>,
    /// How many pairs of systems stand the other way round.
    pub swaps: u64,
    /// By how many places a system moves from the one order to the other, on average.
    pub mean_move: f64,
}

/// The systems on each kind of topics, by one measure.
#[derive(Clone, Debug, PartialEq)]
pub struct StrataStudy {
    /// For each stratum, the value of each run.
    pub values: Vec<Vec<Average>>,
    /// The mean difference between neighbours when the runs are ordered by their values on all topics.
    pub mean_gap: Option<f64>,
    /// Every two strata.
    pub pairs: Vec<StrataPair>,
}

impl RunScores {
    /// One value for a measure over the topics of a stratum that a policy admits.
    #[must_use]
    pub fn average_in(&self, stratum: &Stratum, measure: usize, policy: TopicPolicy) -> Average {
        let topics = self.admitted(policy).filter(|topic| stratum.topics.contains(&topic.id));
        average(&self.measures[measure], topics.map(|topic| topic.values[measure]))
    }
}

/// Looks at runs on each kind of topics.
#[must_use]
pub fn study(runs: &[&RunScores], strata: &[Stratum], measure: usize, policy: TopicPolicy) -> StrataStudy {
    let values: Vec<Vec<Average>> = strata
        .iter()
        .map(|stratum| runs.iter().map(|run| run.average_in(stratum, measure, policy)).collect())
        .collect();
    let plain =
        |stratum: usize| -> Vec<f64> { values[stratum].iter().map(|average| average.value).collect() };
    let mut pairs = Vec::new();
    for left in 0..strata.len() {
        for right in left + 1..strata.len() {
            let (x, y) = (plain(left), plain(right));
            pairs.push(StrataPair {
                left,
                right,
                tau_b: correlation::tau_b(&x, &y).ok(),
                swaps: correlation::swaps(&x, &y).unwrap_or(0),
                mean_move: mean_move(&x, &y),
            });
        }
    }
    let overall: Vec<f64> = runs.iter().map(|run| run.average(measure, policy).value).collect();
    StrataStudy { values, mean_gap: mean_gap(&overall), pairs }
}

/// The mean difference between neighbours in the order of the values; nothing for fewer than two.
#[must_use]
pub fn mean_gap(values: &[f64]) -> Option<f64> {
    let lowest = values.iter().copied().reduce(f64::min)?;
    let highest = values.iter().copied().reduce(f64::max)?;
    #[expect(clippy::cast_precision_loss, reason = "there are few runs")]
    (values.len() > 1).then(|| (highest - lowest) / (values.len() - 1) as f64)
}

/// By how many places an item moves between two orders, on average; equal values share the better place.
fn mean_move(x: &[f64], y: &[f64]) -> f64 {
    let place = |values: &[f64], value: f64| values.iter().filter(|other| **other > value).count();
    let moves = x.iter().zip(y).map(|(a, b)| place(x, *a).abs_diff(place(y, *b)));
    #[expect(clippy::cast_precision_loss, reason = "there are few runs")]
    if x.is_empty() { 0.0 } else { moves.sum::<usize>() as f64 / x.len() as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_between_neighbours() {
        assert_eq!(mean_gap(&[0.5, 0.1, 0.3]), Some(0.2));
        assert_eq!(mean_gap(&[0.5]), None);
        assert_eq!(mean_gap(&[]), None);
    }

    #[test]
    fn moves_are_counted_in_places() {
        assert!((mean_move(&[3.0, 2.0, 1.0], &[1.0, 2.0, 3.0]) - 4.0 / 3.0).abs() < 1e-12);
    }
}
