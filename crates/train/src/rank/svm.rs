//! A linear ranking support-vector machine.
//!
//! For each topic, every pair of items of different grades wants the better one to score at least 1 more than the
//! worse one. The weights minimise
//!
//! ```text
//! ½ |w|² + C / topics · Σ max(0, 1 − w · (better − worse))
//! ```
//!
//! which is what `svm_rank_learn -c C` minimises with its default loss, without a constant: a constant is the same
//! for both items of a pair. The dual, one variable a pair, is solved by coordinate descent (Hsieh et al. 2008) in an
//! order drawn by the seed: passes over the pairs that still move, then one over all, until the gap between the two
//! objectives is as small as was asked for. Pairs are kept as two numbers and their dual variable, 16 bytes each.

use stats::rng::Rng;
use std::ops::Range;

/// More pairs than this would take more than a gigabyte.
const MOST_PAIRS: usize = 1 << 26;
/// Passes over pairs that still move, between two over all.
const INNER_PASSES: usize = 30;

/// Judged items with their features.
#[derive(Clone, Copy, Debug)]
pub struct Judged<'d> {
    /// The number of features.
    pub width: usize,
    /// The features of all items, one item after the other.
    pub values: &'d [f64],
    /// How good each item is.
    pub grades: &'d [f64],
    /// The items of each topic.
    pub topics: &'d [Range<usize>],
}

impl<'d> Judged<'d> {
    fn row(&self, item: u32) -> &'d [f64] {
        &self.values[item as usize * self.width..][..self.width]
    }
}

/// How weights are learned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RankSvm {
    /// How much pairs in the wrong order count against large weights, as `svm_rank_learn -c` takes it.
    pub c: f64,
    /// The share of the objective that the duality gap may have.
    pub tolerance: f64,
    /// Passes over all pairs after which the search ends in any case.
    pub most_passes: usize,
    /// Decides the order in which pairs are visited; the result depends on it within the tolerance alone.
    pub seed: u64,
}

impl Default for RankSvm {
    fn default() -> Self {
        Self { c: 0.2, tolerance: 1e-6, most_passes: 2000, seed: 1 }
    }
}

/// What is known after a pass over all pairs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pass {
    /// Its number, from 1.
    pub number: usize,
    /// The objective at the weights so far.
    pub objective: f64,
    /// The dual objective: no weights have a lower objective than this.
    pub dual: f64,
}

/// Weights that were learned.
#[derive(Clone, Debug, PartialEq)]
pub struct Fitted {
    /// A weight for each feature.
    pub weights: Vec<f64>,
    /// What the last pass found.
    pub last: Pass,
    /// Pairs of items of different grades.
    pub pairs: usize,
    /// Those of them in the wrong order, or with equal scores.
    pub swapped: usize,
}

impl Fitted {
    /// How much lower the objective could be at most.
    #[must_use]
    pub fn gap(&self) -> f64 {
        self.last.objective - self.last.dual
    }
}

/// There are more pairs than memory is meant for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0} pairs of items of different grades; {MOST_PAIRS} is the limit, so leave out items or topics")]
pub struct TooManyPairs(
    /// How many there are.
    pub usize,
);

/// A pair and its dual variable.
#[derive(Clone, Copy, Debug)]
struct Pair {
    better: u32,
    worse: u32,
    alpha: f64,
}

impl RankSvm {
    /// The best weights. `watch` gets what every pass over all pairs found, and ends the search by saying `false`.
    ///
    /// # Errors
    ///
    /// When there are too many pairs.
    pub fn fit(
        &self,
        data: Judged<'_>,
        watch: &mut dyn FnMut(&Pass) -> bool,
    ) -> Result<Fitted, TooManyPairs> {
        let mut pairs = pairs_of(data)?;
        let bound = self.c / data.topics.len().max(1) as f64;
        // A pair without a difference loses 1 whatever the weights.
        for pair in pairs.iter_mut().filter(|pair| data.row(pair.better) == data.row(pair.worse)) {
            pair.alpha = bound;
        }
        let mut rng = Rng::seeded(self.seed);
        let mut weights = vec![0.0; data.width];
        let mut moving: Vec<u32> = Vec::new();
        let mut last = Pass { number: 0, objective: objective(data, &pairs, &weights, bound), dual: 0.0 };
        while last.number < self.most_passes {
            for _ in 0..INNER_PASSES {
                rng.shuffle(&mut moving);
                let mut largest = 0.0_f64;
                for place in &moving {
                    largest = largest.max(step(data, &mut pairs[*place as usize], &mut weights, bound));
                }
                if largest < 1e-12 {
                    break;
                }
            }
            let mut all: Vec<u32> = (0..pairs.len() as u32).collect();
            rng.shuffle(&mut all);
            for place in all {
                step(data, &mut pairs[place as usize], &mut weights, bound);
            }
            weights = weights_of(data, &pairs);
            let squares = dot(&weights, &weights) / 2.0;
            let alphas: f64 = pairs.iter().map(|pair| pair.alpha).sum();
            last = Pass {
                number: last.number + 1,
                objective: objective(data, &pairs, &weights, bound),
                dual: alphas - squares,
            };
            let goes_on = watch(&last);
            if last.objective - last.dual <= self.tolerance * last.objective || !goes_on {
                break;
            }
            let moves = |pair: &Pair| {
                let slope = margin(data, pair, &weights) - 1.0;
                (pair.alpha > 0.0 || slope < 0.0) && (pair.alpha < bound || slope > 0.0)
            };
            moving.clear();
            moving.extend((0..).zip(&pairs).filter(|(_, pair)| moves(pair)).map(|(place, _)| place));
        }
        let swapped = pairs.iter().filter(|pair| margin(data, pair, &weights) <= 0.0).count();
        Ok(Fitted { weights, last, pairs: pairs.len(), swapped })
    }
}

/// All pairs of a better and a worse item of a topic.
fn pairs_of(data: Judged<'_>) -> Result<Vec<Pair>, TooManyPairs> {
    let grades = |topic: &Range<usize>| &data.grades[topic.clone()];
    let count = |topic: &Range<usize>| {
        let mut sorted = grades(topic).to_vec();
        sorted.sort_by(f64::total_cmp);
        let equal: usize =
            sorted.chunk_by(|one, other| one == other).map(|same| same.len() * same.len()).sum();
        (sorted.len() * sorted.len() - equal) / 2
    };
    let number: usize = data.topics.iter().map(count).sum();
    if number > MOST_PAIRS {
        return Err(TooManyPairs(number));
    }
    let mut pairs = Vec::with_capacity(number);
    for topic in data.topics {
        for better in topic.clone() {
            let worse = topic.clone().filter(|worse| data.grades[*worse] < data.grades[better]);
            pairs.extend(worse.map(|worse| Pair { better: better as u32, worse: worse as u32, alpha: 0.0 }));
        }
    }
    Ok(pairs)
}

/// Moves one dual variable to its best value; says by how much its scores moved.
fn step(data: Judged<'_>, pair: &mut Pair, weights: &mut [f64], bound: f64) -> f64 {
    let (better, worse) = (data.row(pair.better), data.row(pair.worse));
    let (mut margin, mut squares) = (0.0, 0.0);
    for ((better, worse), weight) in better.iter().zip(worse).zip(&*weights) {
        let difference = better - worse;
        margin += weight * difference;
        squares += difference * difference;
    }
    if squares == 0.0 {
        return 0.0;
    }
    let alpha = (pair.alpha - (margin - 1.0) / squares).clamp(0.0, bound);
    let moved = alpha - pair.alpha;
    if moved != 0.0 {
        pair.alpha = alpha;
        for ((better, worse), weight) in better.iter().zip(worse).zip(weights) {
            *weight += moved * (better - worse);
        }
    }
    (moved * squares).abs()
}

/// By how much the better item of a pair scores more.
fn margin(data: Judged<'_>, pair: &Pair, weights: &[f64]) -> f64 {
    let differences = data.row(pair.better).iter().zip(data.row(pair.worse));
    differences.zip(weights).map(|((better, worse), weight)| (better - worse) * weight).sum()
}

/// The weights that the dual variables stand for; adding them up anew keeps rounding from adding up.
fn weights_of(data: Judged<'_>, pairs: &[Pair]) -> Vec<f64> {
    // What an item adds: the pairs in which it is better, less those in which it is worse.
    let mut shares = vec![0.0; data.grades.len()];
    for pair in pairs {
        shares[pair.better as usize] += pair.alpha;
        shares[pair.worse as usize] -= pair.alpha;
    }
    let mut weights = vec![0.0; data.width];
    for (row, share) in data.values.chunks_exact(data.width.max(1)).zip(shares) {
        if share != 0.0 {
            weights.iter_mut().zip(row).for_each(|(weight, value)| *weight += share * value);
        }
    }
    weights
}

fn objective(data: Judged<'_>, pairs: &[Pair], weights: &[f64], bound: f64) -> f64 {
    let losses: f64 = pairs.iter().map(|pair| (1.0 - margin(data, pair, weights)).max(0.0)).sum();
    dot(weights, weights) / 2.0 + bound * losses
}

fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: &[Range<usize>] = &[0..2];

    fn quiet(_: &Pass) -> bool {
        true
    }

    /// Items whose grade the first feature shows, with noise; the second is noise alone.
    fn noisy(topics: usize) -> (Vec<f64>, Vec<f64>, Vec<Range<usize>>) {
        let mut rng = Rng::seeded(7);
        let (mut values, mut grades, mut ranges) = (Vec::new(), Vec::new(), Vec::new());
        for topic in 0..topics {
            for item in 0..20 {
                let grade = f64::from(item % 4);
                values.extend([grade / 3.0 + 0.8 * rng.unit(), rng.unit(), 0.5]);
                grades.push(grade);
            }
            ranges.push(topic * 20..topic * 20 + 20);
        }
        (values, grades, ranges)
    }

    #[test]
    fn the_objective_and_its_slope_are_those_of_the_labs() {
        let data =
            Judged { width: 3, values: &[0.9, 0.3, 0.4, 0.6, 0.1, 0.7], grades: &[1.0, 0.0], topics: ALL };
        let pairs = pairs_of(data).unwrap();
        let mut weights = [0.5, -0.2, 1.0];
        assert!((margin(data, &pairs[0], &weights) + 0.19).abs() < 1e-12);
        assert!((objective(data, &pairs, &weights, 0.2) - 0.883).abs() < 1e-12);
        // A step of 0.1 down the slope, by differences of the objective.
        let slope = [0, 1, 2].map(|place| {
            let shifted = |by: f64| {
                let mut shifted = weights;
                shifted[place] += by;
                objective(data, &pairs, &shifted, 0.2)
            };
            (shifted(1e-6) - shifted(-1e-6)) / 2e-6
        });
        weights.iter_mut().zip(slope).for_each(|(weight, slope)| *weight -= 0.1 * slope);
        for (weight, expected) in weights.iter().zip([0.456, -0.176, 0.894]) {
            assert!((weight - expected).abs() < 1e-6, "{weights:?}");
        }
        assert!((margin(data, &pairs[0], &weights) + 0.1666).abs() < 1e-6);
    }

    #[test]
    fn small_problems_have_the_known_best_weights() {
        // One pair of difference d: w is d times the least of C and 1 / |d|².
        let data = Judged { width: 1, values: &[2.0, 0.0], grades: &[1.0, 0.0], topics: ALL };
        let fit = |c| RankSvm { c, ..RankSvm::default() }.fit(data, &mut quiet).unwrap();
        assert!((fit(10.0).weights[0] - 0.5).abs() < 1e-9);
        assert!((fit(0.1).weights[0] - 0.2).abs() < 1e-9);
        assert_eq!((fit(10.0).pairs, fit(10.0).swapped), (1, 0));
        // Equal items lose 1 a pair, whatever the weights, and the gap knows it.
        let equal = Judged { values: &[1.0, 1.0], ..data };
        let fitted = RankSvm::default().fit(equal, &mut quiet).unwrap();
        assert_eq!((fitted.weights[0], fitted.last.objective, fitted.swapped), (0.0, 0.2, 1));
        assert!(fitted.gap().abs() < 1e-15);
        let none = Judged { grades: &[1.0, 1.0], ..data };
        assert_eq!(RankSvm::default().fit(none, &mut quiet).unwrap().pairs, 0);
    }

    #[test]
    fn the_gap_proves_the_tolerance_and_no_other_weights_are_better() {
        let (values, grades, topics) = noisy(10);
        let data = Judged { width: 3, values: &values, grades: &grades, topics: &topics };
        let svm = RankSvm { c: 5.0, tolerance: 1e-9, ..RankSvm::default() };
        let mut seen = 0;
        let fitted = svm
            .fit(data, &mut |pass| {
                seen = pass.number;
                true
            })
            .unwrap();
        assert_eq!(seen, fitted.last.number);
        assert!(fitted.gap() <= 1e-9 * fitted.last.objective, "{fitted:?}");
        assert!(fitted.weights[0] > 10.0 * fitted.weights[1].abs() && fitted.weights[2] == 0.0, "{fitted:?}");
        let pairs = pairs_of(data).unwrap();
        for place in 0..3 {
            for by in [-0.05, 0.05] {
                let mut other = fitted.weights.clone();
                other[place] += by;
                assert!(objective(data, &pairs, &other, 0.5) > fitted.last.objective);
            }
        }
        // The seed decides nothing but the last digits, and one seed always gives the same.
        let again = svm.fit(data, &mut quiet).unwrap();
        assert_eq!(again, fitted);
        let other = RankSvm { seed: 2, ..svm }.fit(data, &mut quiet).unwrap();
        assert!((other.last.objective - fitted.last.objective).abs() < 1e-7 * fitted.last.objective);
        // Whoever watches can end it.
        let stopped = svm.fit(data, &mut |_| false).unwrap();
        assert_eq!(stopped.last.number, 1);
    }

    #[test]
    fn too_many_pairs_are_refused_before_they_are_made() {
        let grades: Vec<f64> = (0..20_000).map(f64::from).collect();
        let data = Judged { width: 0, values: &[], grades: &grades, topics: &[0..20_000] };
        assert_eq!(RankSvm::default().fit(data, &mut quiet), Err(TooManyPairs(20_000 * 19_999 / 2)));
    }
}
