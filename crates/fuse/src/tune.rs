//! Which settings are best on average, and how good are they on topics they were not chosen for?
//!
//! Knows nothing of measures or files: an objective says how good a vector of
//! parameters is on a topic. Every vector is tried once on every topic and its
//! values are kept, so cross-validation costs little more than one search;
//! memory is 8 bytes for each topic and vector that was tried.
//!
//! The search is coordinate ascent: one parameter, or one pair of weights, is
//! moved over all its values while the others stay, until nothing gets better.
//! It starts from the first values and equal weights, and again from places
//! drawn by a seed. It finds the best of each line, not always the best of all.

mod folds;
mod inside;
mod space;
#[cfg(test)]
mod tests;

pub use folds::Folds;
pub use inside::{Inside, highest, mean};
pub use space::{Axis, Space};

use space::Point;
use stats::rng::Rng;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// Why nothing can be tuned.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Nothing to be good at.
    #[error("there are no topics")]
    NoTopics,
    /// Too few folds, or more than topics.
    #[error("{folds} folds of {topics} topics: at least 2 are needed, and a topic for each")]
    Folds {
        /// How many folds were asked for.
        folds: usize,
        /// How many topics there are.
        topics: usize,
    },
    /// A parameter without values, with one that is not finite, or a range without end.
    #[error("parameter {0} has no values, or some that are not finite")]
    Values(String),
    /// A simplex without members or without steps.
    #[error("weights need a member and a step")]
    Simplex,
}

/// How hard is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// From how many drawn places the search starts again.
    pub restarts: usize,
    /// Where these places are drawn from.
    pub seed: u64,
    /// Which of the best is taken.
    pub choice: Choice,
}

/// Which of the settings that were tried is taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Choice {
    /// The one with the highest mean.
    #[default]
    Best,
    /// Of those whose mean is less than a standard error of the difference below the highest, the simplest: the one
    /// with the fewest parameters that are not the first of their list, then the one with the fewest digits.
    Simplest,
}

/// The best parameters that were found for some topics.
#[derive(Clone, Debug, PartialEq)]
pub struct Fitted {
    /// The parameters, in the order of the space.
    pub parameters: Vec<f64>,
    /// The mean of the objective over the topics.
    pub mean: f64,
}

/// One fold of a cross-validation.
#[derive(Clone, Debug, PartialEq)]
pub struct Fold {
    /// The topics that were held out.
    pub topics: Vec<usize>,
    /// The best parameters for the other topics.
    pub fitted: Fitted,
    /// Their mean on the topics held out.
    pub held_out_mean: f64,
}

/// What cross-validation says.
#[derive(Clone, Debug, PartialEq)]
pub struct CrossValidation {
    /// The folds.
    pub folds: Vec<Fold>,
    /// Each topic's value with the parameters of its fold, which were chosen without it.
    pub held_out: Vec<f64>,
    /// Their mean: what to expect on new topics.
    pub held_out_mean: f64,
    /// The standard deviation (n − 1) between the means of the folds.
    pub deviation: f64,
    /// The best parameters for all topics; their mean is too good to be expected again.
    pub fitted: Fitted,
}

/// Chooses parameters on all folds but one, for each of them, and measures on that one. `choose` gets topics, and gives
/// the parameters that it chose on them and their values on all topics.
///
/// # Errors
///
/// Those of `choose`.
pub fn cross_validate<E>(
    folds: &Folds,
    mut choose: impl FnMut(&[usize]) -> Result<(Vec<f64>, Vec<f64>), E>,
) -> Result<CrossValidation, E> {
    let topics = folds.num_topics();
    let mean = |values: &[f64], topics: &[usize]| {
        topics.iter().map(|topic| values[*topic]).sum::<f64>() / topics.len() as f64
    };
    let mut held_out = vec![0.0; topics];
    let mut results = Vec::with_capacity(folds.num_folds());
    for fold in 0..folds.num_folds() {
        let (inside, training): (Vec<usize>, Vec<usize>) =
            (0..topics).partition(|topic| folds.fold_of(*topic) == fold);
        let (parameters, values) = choose(&training)?;
        for topic in &inside {
            held_out[*topic] = values[*topic];
        }
        results.push(Fold {
            held_out_mean: mean(&values, &inside),
            fitted: Fitted { parameters, mean: mean(&values, &training) },
            topics: inside,
        });
    }
    let means: Vec<f64> = results.iter().map(|fold| fold.held_out_mean).collect();
    let all: Vec<usize> = (0..topics).collect();
    let (parameters, values) = choose(&all)?;
    Ok(CrossValidation {
        folds: results,
        held_out_mean: mean(&held_out, &all),
        held_out,
        // Values that are not finite have no deviation.
        deviation: stats::summary::standard_deviation(&means).unwrap_or(f64::NAN),
        fitted: Fitted { parameters, mean: mean(&values, &all) },
    })
}

/// Whether topics cannot tell these values from the best ones: their mean is at most a standard error of the difference
/// lower.
#[must_use]
pub fn is_as_good(values: &[f64], best: &[f64]) -> bool {
    let differences: Vec<f64> = best.iter().zip(values).map(|(best, value)| best - value).collect();
    let mean = differences.iter().sum::<f64>() / differences.len() as f64;
    // One topic, or equal values, have no error.
    mean <= stats::summary::standard_error(&differences).unwrap_or(0.0)
}

/// Finds parameters, remembering what was tried.
pub struct Tuner<'a, Objective> {
    space: &'a Space,
    topics: usize,
    objective: Objective,
    effort: Effort,
    tried: BTreeMap<Point, Vec<f64>>,
}

impl<'a, Objective: Fn(&[f64], usize) -> f64 + Sync> Tuner<'a, Objective> {
    /// For topics numbered from 0. The objective may be called by several
    /// threads at once, and once for each vector and topic; what is not a
    /// number counts as worse than everything.
    ///
    /// # Errors
    ///
    /// When there are no topics.
    pub fn new(space: &'a Space, topics: usize, effort: Effort, objective: Objective) -> Result<Self, Error> {
        if topics == 0 {
            return Err(Error::NoTopics);
        }
        Ok(Self { space, topics, objective, effort, tried: BTreeMap::new() })
    }

    /// How many vectors were tried.
    #[must_use]
    pub fn num_tried(&self) -> usize {
        self.tried.len()
    }

    /// Chooses parameters for some topics; gives them and their values on all topics.
    pub fn choose(&mut self, training: &[usize]) -> (Vec<f64>, Vec<f64>) {
        let point = self.search(training);
        (self.space.parameters(&point), self.tried[&point].clone())
    }

    /// The best parameters for all topics.
    pub fn fit(&mut self) -> Fitted {
        let all: Vec<usize> = (0..self.topics).collect();
        let point = self.search(&all);
        self.fitted(&point, &all)
    }

    /// Fits to all folds but one, for each of them, and measures on that one.
    ///
    /// # Errors
    ///
    /// When the folds are those of another number of topics.
    pub fn cross_validate(&mut self, folds: &Folds) -> Result<CrossValidation, Error> {
        if folds.num_topics() != self.topics {
            return Err(Error::Folds { folds: folds.num_folds(), topics: self.topics });
        }
        cross_validate(folds, |training| Ok(self.choose(training)))
    }

    fn fitted(&self, point: &Point, topics: &[usize]) -> Fitted {
        Fitted { parameters: self.space.parameters(point), mean: self.mean(point, topics) }
    }

    /// The best point for some topics.
    fn search(&mut self, topics: &[usize]) -> Point {
        let mut rng = Rng::seeded(self.effort.seed);
        let mut best = self.climb(self.space.first(), topics);
        for _ in 0..self.effort.restarts {
            let start = self.space.draw(&mut rng);
            let top = self.climb(start, topics);
            if self.compare(&top, &best, topics).is_gt() {
                best = top;
            }
        }
        match self.effort.choice {
            Choice::Best => best,
            Choice::Simplest => self.simplest(&best, topics),
        }
    }

    /// The simplest point that is as good as the best, as far as some topics can tell.
    fn simplest(&self, best: &Point, topics: &[usize]) -> Point {
        let of =
            |point: &Point| -> Vec<f64> { topics.iter().map(|topic| self.tried[point][*topic]).collect() };
        let best_values = of(best);
        let as_good = |point: &&Point| is_as_good(&of(point), &best_values);
        let complexity = |point: &Point| {
            let first = self.space.first();
            let moved = point.iter().zip(&first).filter(|(here, there)| here != there).count();
            let digits: usize =
                self.space.parameters(point).iter().map(|value| format!("{value}").len()).sum();
            (moved, digits)
        };
        let simplest = self.tried.keys().filter(as_good).min_by(|left, right| {
            complexity(left).cmp(&complexity(right)).then_with(|| self.compare(right, left, topics))
        });
        simplest.unwrap_or(best).clone()
    }

    /// Walks from line to line while that makes it better. It ends: every step
    /// goes to a better point of a finite space.
    fn climb(&mut self, start: Point, topics: &[usize]) -> Point {
        let mut here = start;
        self.try_all([here.clone()].into());
        loop {
            let before = here.clone();
            for line in 0..self.space.num_lines() {
                let points = self.space.line(&here, line);
                self.try_all(points.iter().cloned().collect());
                for point in points {
                    if self.compare(&point, &here, topics).is_gt() {
                        here = point;
                    }
                }
            }
            if here == before {
                return here;
            }
        }
    }

    /// Which point is better: by mean, then the simpler one, then the one with the first values.
    fn compare(&self, a: &Point, b: &Point, topics: &[usize]) -> Ordering {
        let score = |point: &Point| {
            let mean = self.mean(point, topics);
            if mean.is_nan() { f64::NEG_INFINITY } else { mean + 0.0 }
        };
        let by_simplicity = || self.space.simplicity(b).total_cmp(&self.space.simplicity(a));
        score(a).total_cmp(&score(b)).then_with(by_simplicity).then_with(|| self.space.earlier(b, a))
    }

    fn mean(&self, point: &Point, topics: &[usize]) -> f64 {
        let values = &self.tried[point];
        topics.iter().map(|topic| values[*topic]).sum::<f64>() / topics.len() as f64
    }

    /// Makes sure that the values of these points are known.
    fn try_all(&mut self, mut points: BTreeSet<Point>) {
        points.retain(|point| !self.tried.contains_key(point));
        let vectors: Vec<Vec<f64>> = points.iter().map(|point| self.space.parameters(point)).collect();
        let work: Vec<(&[f64], usize)> = vectors
            .iter()
            .flat_map(|vector| (0..self.topics).map(|topic| (vector.as_slice(), topic)))
            .collect();
        let objective = &self.objective;
        let values = parallel::map(&work, |(vector, topic)| objective(vector, *topic));
        for (point, values) in points.into_iter().zip(values.chunks_exact(self.topics)) {
            self.tried.insert(point, values.to_vec());
        }
    }
}
