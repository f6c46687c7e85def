//! Weights learned from judged posts.
//!
//! A score is linear in the weights that are learned, so a feature is the score of a post with one weight at 1 and the
//! others at 0, less its score with all of them at 0.

use super::{Bench, Judged, Tune, score_ids};
use crate::progress::Progress;
use ::fuse::learn::{Example, Pairwise, Sign};
use ::fuse::tune::Folds;
use anyhow::{Result, ensure};
use retrieve::{Asked, Pipeline};
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
pub(super) struct Learner<'b> {
    bench: &'b Bench<'b>,
    signs: Vec<Sign>,
    /// For each topic its judged posts.
    topics: Vec<Vec<(String, Example)>>,
}

impl<'b> Learner<'b> {
    /// Scores the judged posts of all topics with each weight alone.
    pub(super) fn new(bench: &'b Bench<'b>) -> Result<Self> {
        let places = &bench.tune.learn;
        for (number, place) in places.iter().enumerate() {
            ensure!(!places[..number].contains(place), "--learn {place}: it is given twice");
        }
        let alone = |place: usize, weight: f64| {
            let mut weights = vec![0.0; places.len()];
            weights[place] = weight;
            bench.with_all(&weights)
        };
        let sign = |place| if alone(place, -1.0).is_ok() { Sign::Any } else { Sign::NotNegative };
        let signs = (0..places.len()).map(sign).collect();
        let base = bench.with_all(&vec![0.0; places.len()])?;
        let ones = (0..places.len()).map(|place| alone(place, 1.0)).collect::<Result<Vec<_>>>()?;
        let progress = Mutex::new(Progress::items(bench.judged.len() as u64));
        let topics = parallel::map(bench.judged, |judged| {
            let examples = examples(bench, judged, &base, &ones);
            if let Ok(mut progress) = progress.lock() {
                progress.advance(1);
            }
            examples
        });
        let learner = Self { bench, signs, topics: topics.into_iter().collect::<Result<_>>()? };
        for (place, name) in places.iter().enumerate() {
            learner.ensure_linear(name, &alone(place, 2.0)?, |features| 2.0 * features[place])?;
        }
        let together = bench.with_all(&vec![1.0; places.len()])?;
        learner.ensure_linear("these weights together", &together, |features| features.iter().sum())?;
        Ok(learner)
    }

    /// Refuses weights in which scores are not linear, as far as some topics show it.
    fn ensure_linear(&self, what: &str, pipeline: &Pipeline, sum: impl Fn(&[f64]) -> f64) -> Result<()> {
        for (judged, examples) in self.bench.judged.iter().zip(&self.topics).take(CHECKED) {
            let ids: Vec<&str> = examples.iter().map(|(id, _)| id.as_str()).collect();
            for ((_, example), score) in examples.iter().zip(scores(self.bench, judged, pipeline, &ids)?) {
                let expected = example.base + sum(&example.features);
                ensure!(
                    (score - expected).abs() <= TOLERANCE * (1.0 + score.abs()),
                    "--learn: scores are not linear in {what}; give --vary PLACE=V,V,…"
                );
            }
        }
        Ok(())
    }

    /// The weights for some topics, rounded as they are written.
    pub(super) fn fit(&self, training: &[usize]) -> Vec<f64> {
        let penalty = match self.bench.tune.penalty[..] {
            [penalty] => penalty,
            _ => self.penalty(training),
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
    fn penalty(&self, training: &[usize]) -> f64 {
        let Tune { penalty: penalties, seed, .. } = self.bench.tune;
        let Ok(folds) = Folds::new(training.len(), FOLDS.min(training.len()), *seed) else {
            return penalties[0];
        };
        let held_out = |penalty: f64| {
            let mut sum = 0.0;
            for fold in 0..folds.num_folds() {
                let inside = |place: &usize| folds.fold_of(*place) == fold;
                let (test, train): (Vec<usize>, Vec<usize>) = (0..training.len()).partition(inside);
                let train: Vec<usize> = train.into_iter().map(|place| training[place]).collect();
                let weights = self.weights(&train, penalty);
                sum += test.iter().map(|place| self.value(training[*place], &weights)).sum::<f64>();
            }
            sum
        };
        let mut best = (f64::NEG_INFINITY, penalties[0]);
        for penalty in penalties {
            let value = held_out(*penalty);
            if value > best.0 {
                best = (value, *penalty);
            }
        }
        best.1
    }

    /// The measure of the judged posts of a topic among themselves.
    fn value(&self, topic: usize, weights: &[f64]) -> f64 {
        let score = |example: &Example| {
            let products = example.features.iter().zip(weights).map(|(feature, weight)| feature * weight);
            example.base + products.sum::<f64>()
        };
        let results = self.topics[topic].iter().map(|(id, example)| (score(example), id.clone()));
        score_ids(&self.bench.measure, self.bench.judged[topic].judgments, results.collect())
    }
}

/// The judged posts of a topic.
fn examples(
    bench: &Bench<'_>,
    judged: &Judged<'_>,
    base: &Pipeline,
    ones: &[Pipeline],
) -> Result<Vec<(String, Example)>> {
    let graded =
        judged.judgments.docs().filter_map(|(doc, verdict)| Some((doc.to_string(), verdict.grade()?)));
    let graded: Vec<(String, i32)> = graded.collect();
    let ids: Vec<&str> = graded.iter().map(|(id, _)| id.as_str()).collect();
    let bases = scores(bench, judged, base, &ids)?;
    let alone =
        ones.iter().map(|pipeline| scores(bench, judged, pipeline, &ids)).collect::<Result<Vec<_>>>()?;
    let example = |(place, (id, grade)): (usize, &(String, i32))| {
        let base = bases[place];
        let features = alone.iter().map(|scores| scores[place] - base).collect();
        (id.clone(), Example { grade: f64::from(*grade), base, features })
    };
    Ok(graded.iter().enumerate().map(example).collect())
}

/// The scores of posts for a topic.
fn scores(bench: &Bench<'_>, judged: &Judged<'_>, pipeline: &Pipeline, ids: &[&str]) -> Result<Vec<f64>> {
    let query = bench.inputs.query(&judged.topic);
    let asked = Asked::answers(&query).for_topic(judged.topic.id.as_str());
    Ok(bench.engine.post_scores(pipeline, &asked, ids)?)
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
