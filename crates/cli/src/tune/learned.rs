//! Weights learned from judged posts.
//!
//! A score is linear in the weights that are learned, so a feature is the score of a post with one weight at 1 and the
//! others at 0, less its score with all of them at 0.

mod boosted;
mod posts;

pub(super) use boosted::{Grid, TreePairs};

use super::bench::Bench;
use crate::progress::Progress;
use ::fuse::learn::{Example, Pairwise, Sign, eliminate};
use ::fuse::tune::{Inside, highest, mean};
use anyhow::{Result, ensure};
use posts::Posts;
use retrieve::Pipeline;
use std::sync::Mutex;

/// Weights are written with this many digits.
const DIGITS: i32 = 3;
/// Topics on which scores are checked to be linear in the weights.
const CHECKED: usize = 3;
/// What rounding may change: searches add up 32-bit numbers.
const TOLERANCE: f64 = 1e-3;

/// What weights are learned from.
pub(super) struct Learner<'b> {
    bench: &'b Bench<'b>,
    signs: Vec<Sign>,
    topics: Vec<Posts>,
}

impl<'b> Learner<'b> {
    /// Scores the judged posts of all topics, the unjudged ones that count as judged 0, and the candidates that trees
    /// will rank, with each weight alone.
    pub(super) fn new(
        bench: &'b Bench<'b>,
        unjudged: &[Vec<String>],
        candidates: &[Vec<String>],
    ) -> Result<Self> {
        let places = &bench.tune.learn;
        for (number, place) in places.iter().enumerate() {
            ensure!(!places[..number].contains(place), "--learn {place}: it is given twice");
        }
        ensure!(!bench.tune.select || places.len() > 1, "--select needs several places in --learn");
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
        let topics: Vec<_> = bench.judged.iter().zip(unjudged).zip(candidates).collect();
        let topics = parallel::map(&topics, |((judged, unjudged), candidates)| {
            let graded = posts::graded(judged, unjudged);
            let posts = Posts::new(bench, judged, graded, candidates, &base, &ones);
            if let Ok(mut progress) = progress.lock() {
                progress.advance(1);
            }
            posts
        });
        let learner = Self { bench, signs, topics: topics.into_iter().collect::<Result<_>>()? };
        ensure!(
            learner
                .topics
                .iter()
                .any(|posts| { posts.examples.windows(2).any(|pair| pair[0].grade != pair[1].grade) }),
            "--learn: no topic has two judged posts of different grades; \
             where only relevant posts are judged, give --unjudged N"
        );
        for (place, name) in places.iter().enumerate() {
            learner.ensure_linear(name, &alone(place, 2.0)?, |features| 2.0 * features[place])?;
        }
        let together = bench.with_all(&vec![1.0; places.len()])?;
        learner.ensure_linear("these weights together", &together, |features| features.iter().sum())?;
        Ok(learner)
    }

    /// Refuses weights in which scores are not linear, as far as some topics show it.
    fn ensure_linear(&self, what: &str, pipeline: &Pipeline, sum: impl Fn(&[f64]) -> f64) -> Result<()> {
        for (judged, posts) in self.bench.judged.iter().zip(&self.topics).take(CHECKED) {
            let ids: Vec<&str> = posts.ids.iter().map(String::as_str).collect();
            let scores = posts::scores(self.bench, judged, pipeline, &ids)?;
            for (example, score) in posts.examples.iter().zip(scores) {
                let expected = example.base + sum(&example.features);
                ensure!(
                    (score - expected).abs() <= TOLERANCE * (1.0 + score.abs()),
                    "--learn: scores are not linear in {what}; give --vary PLACE=V,V,…"
                );
            }
        }
        Ok(())
    }

    /// The weights of all places for some topics, rounded as they are written.
    pub(super) fn fit(&self, training: &[usize]) -> Vec<f64> {
        self.weights(training, &self.signs, self.penalty(training, &self.signs))
    }

    /// The weights for some topics of the places that are worth learning on them, and 0 for the others.
    pub(super) fn fit_selected(&self, training: &[usize]) -> Vec<f64> {
        let signs = self.selected(training, self.penalty(training, &self.signs));
        self.weights(training, &signs, self.penalty(training, &signs))
    }

    /// The signs of the places that are worth learning, and [`Sign::Zero`] for the others.
    fn selected(&self, training: &[usize], penalty: f64) -> Vec<Sign> {
        let Some(inside) = self.inside(training) else { return self.signs.clone() };
        eliminate(&self.signs, |signs| self.held_out(&inside, signs, penalty))
    }

    fn weights(&self, training: &[usize], signs: &[Sign], penalty: f64) -> Vec<f64> {
        let weights = Pairwise { penalty }.fit(self.examples(training), signs);
        weights.into_iter().map(rounded).collect()
    }

    /// The judged posts of some topics.
    fn examples<'l>(&'l self, topics: &'l [usize]) -> impl Iterator<Item = &'l [Example]> {
        topics.iter().map(|topic| self.topics[*topic].examples.as_slice())
    }

    /// The penalty that is best on topics for which weights were not learned, all of them among the training topics.
    fn penalty(&self, training: &[usize], signs: &[Sign]) -> f64 {
        let penalties = &self.bench.tune.penalty;
        let Some(inside) = self.inside(training).filter(|_| penalties.len() > 1) else {
            return penalties[0];
        };
        let found = |penalty: &f64| mean(&self.held_out(&inside, signs, *penalty));
        penalties[highest(penalties.iter().map(found))]
    }

    fn inside(&self, training: &[usize]) -> Option<Inside> {
        Inside::new(training, self.bench.tune.seed)
    }

    /// The measure of each training topic with weights that were learned on others inside the training topics.
    fn held_out(&self, inside: &Inside, signs: &[Sign], penalty: f64) -> Vec<f64> {
        let values = inside.each(|training, test| {
            let weights = self.weights(training, signs, penalty);
            test.iter().map(|topic| self.value(*topic, &weights)).collect::<Vec<f64>>()
        });
        values.concat()
    }

    /// The measure of the judged posts of a topic among themselves.
    fn value(&self, topic: usize, weights: &[f64]) -> f64 {
        let score = |example: &Example| {
            let products = example.features.iter().zip(weights).map(|(feature, weight)| feature * weight);
            example.base + products.sum::<f64>()
        };
        let Posts { ids, examples, .. } = &self.topics[topic];
        let results = ids.iter().zip(examples).map(|(id, example)| (score(example), id.as_str()));
        self.bench.score_results(topic, results)
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
