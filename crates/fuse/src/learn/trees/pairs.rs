//! The loss of a ranking over pairs of examples, and its derivatives by the scores.

use super::PairWeight;
use crate::learn::Example;
#[cfg(test)]
use crate::learn::softplus;
use std::ops::Range;

/// Two examples of a topic, by their numbers, of which the first has the higher grade.
struct Pair {
    better: usize,
    worse: usize,
    /// The part of the weight that does not depend on the ranking.
    weight: f64,
}

/// The pairs of all topics that have any.
pub(super) struct Pairs {
    pairs: Vec<Pair>,
    /// The examples of each topic.
    topics: Vec<Range<usize>>,
    kind: PairWeight,
}

/// Derivatives of the loss by the score of each example.
pub(super) struct Slopes {
    pub(super) gradient: Vec<f64>,
    /// The diagonal of the second derivatives.
    pub(super) curvature: Vec<f64>,
}

impl Pairs {
    /// The pairs, and the examples that are in topics with pairs.
    pub(super) fn of<'e>(
        topics: impl IntoIterator<Item = &'e [Example]>,
        kind: PairWeight,
    ) -> (Self, Vec<&'e Example>) {
        let mut all = Self { pairs: Vec::new(), topics: Vec::new(), kind };
        let mut examples = Vec::new();
        for topic in topics {
            let start = examples.len();
            let mut pairs = Vec::new();
            for (better, left) in topic.iter().enumerate() {
                for (worse, right) in topic.iter().enumerate().filter(|(_, right)| right.grade < left.grade) {
                    let weight = left.grade - right.grade;
                    pairs.push(Pair { better: start + better, worse: start + worse, weight });
                }
            }
            let scale = match kind {
                PairWeight::Grades => pairs.len() as f64,
                PairWeight::Ndcg => ideal(topic),
            };
            if pairs.is_empty() || scale <= 0.0 {
                continue;
            }
            pairs.iter_mut().for_each(|pair| pair.weight /= scale);
            all.pairs.extend(pairs);
            examples.extend(topic);
            all.topics.push(start..examples.len());
        }
        (all, examples)
    }

    /// The weights of pairs in the ranking by these scores. They add up to the number of examples.
    pub(super) fn weights(&self, scores: &[f64]) -> Vec<f64> {
        let mut weights: Vec<f64> = match self.kind {
            PairWeight::Grades => self.pairs.iter().map(|pair| pair.weight).collect(),
            PairWeight::Ndcg => {
                let discounts = self.discounts(scores);
                let change = |pair: &Pair| (discounts[pair.better] - discounts[pair.worse]).abs();
                self.pairs.iter().map(|pair| pair.weight * change(pair)).collect()
            }
        };
        let scale = scores.len() as f64 / weights.iter().sum::<f64>();
        weights.iter_mut().for_each(|weight| *weight *= scale);
        weights
    }

    /// The discount of each example at its rank among those of its topic: by score, then in the order given.
    fn discounts(&self, scores: &[f64]) -> Vec<f64> {
        let mut discounts = vec![0.0; scores.len()];
        for topic in &self.topics {
            let mut order: Vec<usize> = topic.clone().collect();
            order.sort_by(|left, right| scores[*right].total_cmp(&scores[*left]));
            for (rank, example) in order.into_iter().enumerate() {
                discounts[example] = discount(rank);
            }
        }
        discounts
    }

    /// The loss with fixed weights of pairs.
    #[cfg(test)]
    pub(super) fn loss(&self, scores: &[f64], weights: &[f64]) -> f64 {
        let loss = |pair: &Pair| softplus(scores[pair.worse] - scores[pair.better]);
        self.pairs.iter().zip(weights).map(|(pair, weight)| weight * loss(pair)).sum()
    }

    /// The derivatives of the loss with fixed weights of pairs.
    pub(super) fn slopes(&self, scores: &[f64], weights: &[f64]) -> Slopes {
        let mut slopes = Slopes { gradient: vec![0.0; scores.len()], curvature: vec![0.0; scores.len()] };
        for (Pair { better, worse, .. }, weight) in self.pairs.iter().zip(weights) {
            let wrong = 1.0 / (1.0 + libm::exp(scores[*better] - scores[*worse]));
            let (slope, curve) = (weight * wrong, weight * wrong * (1.0 - wrong));
            slopes.gradient[*better] -= slope;
            slopes.gradient[*worse] += slope;
            slopes.curvature[*better] += curve;
            slopes.curvature[*worse] += curve;
        }
        slopes
    }
}

/// The discount of nDCG at a rank from 0.
fn discount(rank: usize) -> f64 {
    1.0 / libm::log2(rank as f64 + 2.0)
}

/// The DCG of the best ranking.
fn ideal(topic: &[Example]) -> f64 {
    let mut grades: Vec<f64> = topic.iter().map(|example| example.grade.max(0.0)).collect();
    grades.sort_by(|left, right| right.total_cmp(left));
    grades.iter().enumerate().map(|(rank, grade)| grade * discount(rank)).sum()
}
