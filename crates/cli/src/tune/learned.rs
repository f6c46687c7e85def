//! Weights learned from judged posts.
//!
//! A score is linear in the weights that are learned, so a feature is the score of a post with one weight at 1 and the
//! others at 0, less its score with all of them at 0.

use super::{Judged, Tune, score_ids};
use crate::progress::Progress;
use ::fuse::learn::{Example, Pairwise, Sign};
use ::fuse::tune::Folds;
use anyhow::{Result, ensure};
use eval::Measure;
use retrieve::{Asked, Pipeline, Query};
use std::sync::Mutex;

/// Weights are written with this many digits.
const DIGITS: i32 = 3;
/// Topics on which scores are checked to be linear in the weights.
const CHECKED: usize = 3;
/// What rounding may change: searches add up 32-bit numbers.
const TOLERANCE: f64 = 1e-3;
/// Folds in which penalties are compared.
const FOLDS: usize = 5;

/// What weights are learned from.
pub(super) struct Learner<'t> {
    penalties: &'t [f64],
    seed: u64,
    judged: &'t [Judged<'t>],
    signs: Vec<Sign>,
    /// For each topic its judged posts.
    topics: Vec<Vec<(String, Example)>>,
}

impl<'t> Learner<'t> {
    /// Scores the judged posts of all topics with each weight alone.
    pub(super) fn new(
        tune: &'t Tune,
        judged: &'t [Judged<'t>],
        made: impl Fn(&[(&str, f64)]) -> Result<Pipeline>,
        scores: impl Fn(&Pipeline, &Asked<'_>, &[&str]) -> Result<Vec<f64>> + Sync,
    ) -> Result<Self> {
        let places = &tune.learn;
        for (number, place) in places.iter().enumerate() {
            ensure!(!places[..number].contains(place), "--learn {place}: it is given twice");
        }
        let with = |one: Option<usize>, value: f64| {
            let numbers = places.iter().enumerate();
            let changes: Vec<(&str, f64)> = numbers
                .map(|(place, name)| (name.as_str(), if Some(place) == one { value } else { 0.0 }))
                .collect();
            made(&changes)
        };
        let base = with(None, 0.0)?;
        let alone = (0..places.len()).map(|place| with(Some(place), 1.0)).collect::<Result<Vec<_>>>()?;
        let sign = |place: usize| {
            if with(Some(place), -1.0).is_ok() { Sign::Any } else { Sign::NotNegative }
        };
        let signs = (0..places.len()).map(sign).collect();
        let progress = Mutex::new(Progress::items(judged.len() as u64));
        let topics = parallel::map(judged, |Judged { topic, judgments, .. }| {
            let query = Query::of_topic(topic);
            let asked = Asked::answers(&query).for_topic(topic.id.as_str());
            let docs: Vec<(String, f64)> = judgments
                .docs()
                .filter_map(|(doc, verdict)| Some((doc.to_string(), f64::from(verdict.grade()?))))
                .collect();
            let ids: Vec<&str> = docs.iter().map(|(id, _)| id.as_str()).collect();
            let bases = scores(&base, &asked, &ids)?;
            let mut examples: Vec<(String, Example)> = docs
                .iter()
                .zip(&bases)
                .map(|((id, grade), base)| {
                    (id.clone(), Example { grade: *grade, base: *base, features: Vec::new() })
                })
                .collect();
            for pipeline in &alone {
                let scores = scores(pipeline, &asked, &ids)?;
                for ((_, example), score) in examples.iter_mut().zip(scores) {
                    example.features.push(score - example.base);
                }
            }
            if let Ok(mut progress) = progress.lock() {
                progress.advance(1);
            }
            Ok(examples)
        });
        let topics: Vec<Vec<(String, Example)>> = topics.into_iter().collect::<Result<_>>()?;
        // Each weight alone, and all of them together.
        let mut checks: Vec<(Option<usize>, Pipeline)> = Vec::new();
        for place in 0..places.len() {
            checks.push((Some(place), with(Some(place), 2.0)?));
        }
        let ones: Vec<(&str, f64)> = places.iter().map(|place| (place.as_str(), 1.0)).collect();
        checks.push((None, made(&ones)?));
        for (Judged { topic, .. }, examples) in judged.iter().zip(&topics).take(CHECKED) {
            let query = Query::of_topic(topic);
            let asked = Asked::answers(&query).for_topic(topic.id.as_str());
            let ids: Vec<&str> = examples.iter().map(|(id, _)| id.as_str()).collect();
            for (place, pipeline) in &checks {
                for ((_, example), score) in examples.iter().zip(scores(pipeline, &asked, &ids)?) {
                    let sum = match place {
                        Some(place) => 2.0 * example.features[*place],
                        None => example.features.iter().sum::<f64>(),
                    };
                    let which = place.map_or("these weights together", |place| places[place].as_str());
                    ensure!(
                        (score - example.base - sum).abs() <= TOLERANCE * (1.0 + score.abs()),
                        "--learn: scores are not linear in {which}; give --vary PLACE=V,V,…"
                    );
                }
            }
        }
        Ok(Self { penalties: &tune.penalty, seed: tune.seed, judged, signs, topics })
    }

    /// The weights for some topics, rounded as they are written.
    pub(super) fn fit(&self, training: &[usize], measure: &Measure) -> Vec<f64> {
        let penalty = match self.penalties {
            [penalty] => *penalty,
            _ => self.penalty(training, measure),
        };
        self.weights(training, penalty)
    }

    fn weights(&self, training: &[usize], penalty: f64) -> Vec<f64> {
        let topics: Vec<Vec<Example>> = training
            .iter()
            .map(|topic| self.topics[*topic].iter().map(|(_, example)| example.clone()).collect())
            .collect();
        let weights = Pairwise { penalty }.fit(topics.iter().map(Vec::as_slice), &self.signs);
        weights.into_iter().map(rounded).collect()
    }

    /// The penalty that is best on topics for which weights were not learned, all of them among the training topics.
    fn penalty(&self, training: &[usize], measure: &Measure) -> f64 {
        let Ok(folds) = Folds::new(training.len(), FOLDS.min(training.len()), self.seed) else {
            return self.penalties[0];
        };
        let held_out = |penalty: f64| {
            let mut sum = 0.0;
            for fold in 0..folds.num_folds() {
                let inside = |place: &usize| folds.fold_of(*place) == fold;
                let (test, train): (Vec<usize>, Vec<usize>) = (0..training.len()).partition(inside);
                let train: Vec<usize> = train.into_iter().map(|place| training[place]).collect();
                let weights = self.weights(&train, penalty);
                sum += test.iter().map(|place| self.value(training[*place], &weights, measure)).sum::<f64>();
            }
            sum
        };
        let mut best = (f64::NEG_INFINITY, self.penalties[0]);
        for penalty in self.penalties {
            let value = held_out(*penalty);
            if value > best.0 {
                best = (value, *penalty);
            }
        }
        best.1
    }

    /// The measure of the judged posts of a topic among themselves.
    fn value(&self, topic: usize, weights: &[f64], measure: &Measure) -> f64 {
        let score = |example: &Example| {
            let products = example.features.iter().zip(weights).map(|(feature, weight)| feature * weight);
            example.base + products.sum::<f64>()
        };
        let results = self.topics[topic].iter().map(|(id, example)| (score(example), id.clone()));
        score_ids(measure, self.judged[topic].judgments, results.collect())
    }
}

/// A number with three digits that count.
fn rounded(number: f64) -> f64 {
    if number == 0.0 || !number.is_finite() {
        return 0.0;
    }
    // By way of text, so that no digits are left over.
    format!("{number:.*e}", DIGITS as usize - 1).parse().unwrap_or(number)
}

#[cfg(test)]
mod tests {
    use super::rounded;

    #[test]
    fn weights_are_written_with_three_digits() {
        for (number, expected) in
            [(0.0, "0"), (1.23456, "1.23"), (-0.000987654, "-0.000988"), (12345.0, "12300")]
        {
            assert_eq!(format!("{}", rounded(number)), expected);
        }
        assert_eq!(rounded(f64::NAN), 0.0);
    }
}
