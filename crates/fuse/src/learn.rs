//! Which weights put better things before worse ones?
//!
//! A thing has a feature for each weight, and its score is their sum. For each topic every pair of things of different
//! grades counts, times the difference of the grades, and the pairs of a topic are averaged. The loss of a pair is
//! `ln(1 + exp(−difference of scores))`, and the squares of the weights, in units of the spread of their features, are
//! added to it: logistic regression over pairs. The loss is convex, so there is one best answer; Newton's method finds
//! it in a few steps. The same examples give the same weights on every machine. [`trees`] learns scores that are not sums.

mod select;
pub mod trees;

pub use select::{eliminate, num_subsets};

/// What is known of a thing of a topic.
#[derive(Clone, Debug, PartialEq)]
pub struct Example {
    /// How good it is.
    pub grade: f64,
    /// What it scores whatever the weights.
    pub base: f64,
    /// What it scores for a weight of 1 each.
    pub features: Vec<f64>,
}

/// Which values a weight may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// All.
    Any,
    /// None below 0.
    NotNegative,
    /// Only 0: its feature is left out.
    Zero,
}

/// How weights are learned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pairwise {
    /// How much the squares of weights count. The higher, the nearer weights stay to 0, and the less they depend on
    /// the examples.
    pub penalty: f64,
}

/// Steps of Newton's method; usually ten are enough.
const MOST_STEPS: usize = 100;
/// A step that improves the loss by less is the last.
const LEAST_GAIN: f64 = 1e-10;

impl Pairwise {
    /// The best weights for the examples of some topics. A feature that is the same in all pairs gets 0.
    ///
    /// # Panics
    ///
    /// When an example has another number of features than there are signs.
    #[must_use]
    pub fn fit<'e>(&self, topics: impl IntoIterator<Item = &'e [Example]>, signs: &[Sign]) -> Vec<f64> {
        let kept: Vec<usize> = (0..signs.len()).filter(|place| signs[*place] != Sign::Zero).collect();
        let mut all = vec![0.0; signs.len()];
        let mut pairs = Pairs::of(topics, signs.len(), &kept);
        let signs: Vec<Sign> = kept.iter().map(|place| signs[*place]).collect();
        let spread = pairs.standardise();
        let mut weights = vec![0.0; signs.len()];
        let mut loss = self.loss(&pairs, &weights);
        for _ in 0..MOST_STEPS {
            let (gradient, curvature) = self.slopes(&pairs, &weights);
            let Some(step) = newton(&gradient, &curvature, &weights, &signs) else { break };
            let Some((next, lower)) = self.walk(&pairs, &weights, &step, loss, &signs) else { break };
            let gain = loss - lower;
            (weights, loss) = (next, lower);
            if gain < LEAST_GAIN {
                break;
            }
        }
        for ((place, weight), spread) in kept.into_iter().zip(weights).zip(spread) {
            all[place] = if spread > 0.0 { weight / spread } else { 0.0 };
        }
        all
    }

    fn loss(&self, pairs: &Pairs, weights: &[f64]) -> f64 {
        let losses =
            pairs.iter().map(|(count, base, features)| count * softplus(-(base + dot(features, weights))));
        losses.sum::<f64>() + self.penalty / 2.0 * dot(weights, weights)
    }

    /// The gradient and, row by row, the matrix of second derivatives.
    fn slopes(&self, pairs: &Pairs, weights: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let size = weights.len();
        let mut gradient: Vec<f64> = weights.iter().map(|weight| self.penalty * weight).collect();
        let mut curvature = vec![0.0; size * size];
        for (count, base, features) in pairs.iter() {
            let wrong = 1.0 / (1.0 + libm::exp(base + dot(features, weights)));
            let (slope, curve) = (-count * wrong, count * wrong * (1.0 - wrong));
            for (row, left) in features.iter().enumerate() {
                gradient[row] += slope * left;
                for (column, right) in features[..=row].iter().enumerate() {
                    curvature[row * size + column] += curve * left * right;
                }
            }
        }
        for row in 0..size {
            curvature[row * size + row] += self.penalty;
            for column in 0..row {
                curvature[column * size + row] = curvature[row * size + column];
            }
        }
        (gradient, curvature)
    }

    /// The first of ever smaller steps that is better, and its loss.
    fn walk(
        &self,
        pairs: &Pairs,
        weights: &[f64],
        step: &[f64],
        loss: f64,
        signs: &[Sign],
    ) -> Option<(Vec<f64>, f64)> {
        let mut share = 1.0;
        for _ in 0..40 {
            let moved = weights.iter().zip(step).zip(signs).map(|((weight, step), sign)| {
                let moved = weight - share * step;
                if *sign == Sign::NotNegative { moved.max(0.0) } else { moved }
            });
            let next: Vec<f64> = moved.collect();
            let lower = self.loss(pairs, &next);
            if lower < loss {
                return Some((next, lower));
            }
            share /= 2.0;
        }
        None
    }
}

/// Differences of the better and the worse thing of each pair, with what the pair counts.
struct Pairs {
    counts: Vec<f64>,
    bases: Vec<f64>,
    features: Vec<f64>,
    size: usize,
}

impl Pairs {
    /// Of examples with `size` features, those at `kept` places.
    fn of<'e>(topics: impl IntoIterator<Item = &'e [Example]>, size: usize, kept: &[usize]) -> Self {
        let mut pairs =
            Self { counts: Vec::new(), bases: Vec::new(), features: Vec::new(), size: kept.len() };
        for topic in topics {
            let start = pairs.counts.len();
            for better in topic {
                assert_eq!(better.features.len(), size, "each weight has a feature");
                for worse in topic.iter().filter(|worse| worse.grade < better.grade) {
                    pairs.counts.push(better.grade - worse.grade);
                    pairs.bases.push(better.base - worse.base);
                    let difference = |place: &usize| better.features[*place] - worse.features[*place];
                    pairs.features.extend(kept.iter().map(difference));
                }
            }
            let number = (pairs.counts.len() - start) as f64;
            pairs.counts[start..].iter_mut().for_each(|count| *count /= number);
        }
        let all: f64 = pairs.counts.iter().sum();
        pairs.counts.iter_mut().for_each(|count| *count /= all);
        pairs
    }

    fn iter(&self) -> impl Iterator<Item = (f64, f64, &[f64])> {
        let features = self.features.chunks_exact(self.size.max(1));
        self.counts
            .iter()
            .zip(&self.bases)
            .zip(features)
            .map(|((count, base), features)| (*count, *base, features))
    }

    /// Divides each feature by its spread over the pairs, and says what that was.
    fn standardise(&mut self) -> Vec<f64> {
        let mut squares = vec![0.0; self.size];
        for (count, _, features) in self.iter() {
            for (square, feature) in squares.iter_mut().zip(features) {
                *square += count * feature * feature;
            }
        }
        let spread: Vec<f64> = squares.into_iter().map(f64::sqrt).collect();
        for features in self.features.chunks_exact_mut(self.size.max(1)) {
            for (feature, spread) in features.iter_mut().zip(&spread) {
                *feature = if *spread > 0.0 { *feature / spread } else { 0.0 };
            }
        }
        spread
    }
}

/// The step of Newton's method over the weights that may move: those at 0 that would become negative stay.
fn newton(gradient: &[f64], curvature: &[f64], weights: &[f64], signs: &[Sign]) -> Option<Vec<f64>> {
    let size = weights.len();
    let is_free =
        |place: &usize| signs[*place] == Sign::Any || weights[*place] > 0.0 || gradient[*place] < 0.0;
    let free: Vec<usize> = (0..size).filter(is_free).collect();
    let matrix = free.iter().flat_map(|row| free.iter().map(move |column| curvature[row * size + column]));
    let solved = solve(matrix.collect(), free.iter().map(|place| gradient[*place]).collect())?;
    let mut step = vec![0.0; size];
    for (place, value) in free.into_iter().zip(solved) {
        step[place] = value;
    }
    Some(step)
}

/// Solves a system of equations with a symmetric positive matrix, by Cholesky's method.
fn solve(mut matrix: Vec<f64>, mut values: Vec<f64>) -> Option<Vec<f64>> {
    let size = values.len();
    for row in 0..size {
        for column in 0..=row {
            let sum: f64 =
                (0..column).map(|inner| matrix[row * size + inner] * matrix[column * size + inner]).sum();
            let rest = matrix[row * size + column] - sum;
            matrix[row * size + column] = if row == column {
                if rest <= 0.0 || rest.is_nan() {
                    return None;
                }
                rest.sqrt()
            } else {
                rest / matrix[column * size + column]
            };
        }
    }
    for row in 0..size {
        let sum: f64 = (0..row).map(|column| matrix[row * size + column] * values[column]).sum();
        values[row] = (values[row] - sum) / matrix[row * size + row];
    }
    for row in (0..size).rev() {
        let sum: f64 = (row + 1..size).map(|below| matrix[below * size + row] * values[below]).sum();
        values[row] = (values[row] - sum) / matrix[row * size + row];
    }
    Some(values)
}

fn dot(left: &[f64], right: &[f64]) -> f64 {
    left.iter().zip(right).map(|(left, right)| left * right).sum()
}

/// `ln(1 + exp(x))` without overflow.
fn softplus(x: f64) -> f64 {
    x.max(0.0) + libm::log1p(libm::exp(-x.abs()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example(grade: f64, features: &[f64]) -> Example {
        Example { grade, base: 0.0, features: features.to_vec() }
    }

    fn topics() -> Vec<Vec<Example>> {
        // The first feature tells good from bad, the second is noise, the third the same for all, the fourth tells
        // bad from good.
        let mut number = 7_u32;
        let mut noise = || {
            number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f64::from(number >> 8) / f64::from(1 << 24)
        };
        (0..20)
            .map(|_| {
                (0..12)
                    .map(|place| {
                        let grade = f64::from(place % 4);
                        example(grade, &[grade + 2.0 * noise(), noise(), 5.0, 3.0 * noise() - grade])
                    })
                    .collect()
            })
            .collect()
    }

    fn fit(penalty: f64, signs: &[Sign]) -> Vec<f64> {
        let topics = topics();
        Pairwise { penalty }.fit(topics.iter().map(Vec::as_slice), signs)
    }

    #[test]
    fn weights_are_those_at_which_the_gradient_vanishes() {
        let topics = topics();
        let learner = Pairwise { penalty: 0.1 };
        let weights = learner.fit(topics.iter().map(Vec::as_slice), &[Sign::Any; 4]);
        assert!(
            weights[0] > 0.3 && weights[1].abs() < 0.5 && weights[2] == 0.0 && weights[3] < -0.1,
            "{weights:?}"
        );
        // By the gradient itself, and by differences of the loss.
        let mut pairs = Pairs::of(topics.iter().map(Vec::as_slice), 4, &[0, 1, 2, 3]);
        let spread = pairs.standardise();
        let at: Vec<f64> = weights.iter().zip(&spread).map(|(weight, spread)| weight * spread).collect();
        let (gradient, _) = learner.slopes(&pairs, &at);
        assert!(gradient.iter().all(|slope| slope.abs() < 1e-4), "{gradient:?}");
        let away: Vec<f64> = at.iter().map(|weight| weight + 0.3).collect();
        let (gradient, curvature) = learner.slopes(&pairs, &away);
        for place in 0..4 {
            let shifted = |by: f64| {
                let mut shifted = away.clone();
                shifted[place] += by;
                shifted
            };
            let slope = (learner.loss(&pairs, &shifted(1e-5)) - learner.loss(&pairs, &shifted(-1e-5))) / 2e-5;
            assert!((slope - gradient[place]).abs() < 1e-7, "{place}: {slope} {gradient:?}");
            let (above, _) = learner.slopes(&pairs, &shifted(1e-5));
            let curve = (above[place] - gradient[place]) / 1e-5;
            assert!((curve - curvature[place * 5]).abs() < 1e-4, "{place}: {curve}");
        }
    }

    #[test]
    fn signs_hold_and_penalties_shrink() {
        let bounded = fit(0.1, &[Sign::NotNegative; 4]);
        assert!(bounded[0] > 0.3 && bounded[3] == 0.0 && bounded.iter().all(|weight| *weight >= 0.0));
        let (loose, tight) = (fit(0.01, &[Sign::Any; 4]), fit(10.0, &[Sign::Any; 4]));
        assert!(loose[0] > 2.0 * tight[0] && tight[0] > 0.0, "{loose:?} {tight:?}");
        assert_eq!(fit(0.1, &[Sign::Any; 4]), fit(0.1, &[Sign::Any; 4]));
    }

    #[test]
    fn a_feature_whose_weight_is_0_is_as_good_as_none() {
        let mut fewer = topics();
        for example in fewer.iter_mut().flatten() {
            example.features.remove(1);
        }
        let removed = Pairwise { penalty: 0.1 }.fit(fewer.iter().map(Vec::as_slice), &[Sign::Any; 3]);
        let zero = fit(0.1, &[Sign::Any, Sign::Zero, Sign::Any, Sign::Any]);
        assert_eq!(zero, [removed[0], 0.0, removed[1], removed[2]]);
        assert_eq!(fit(0.1, &[Sign::Zero; 4]), [0.0; 4]);
    }

    #[test]
    fn scales_of_features_do_not_matter_and_nothing_gives_nothing() {
        let mut scaled = topics();
        scaled.iter_mut().flatten().for_each(|example| example.features[0] *= 1000.0);
        let learner = Pairwise { penalty: 0.1 };
        let weights = learner.fit(scaled.iter().map(Vec::as_slice), &[Sign::Any; 4]);
        let plain = fit(0.1, &[Sign::Any; 4]);
        assert!((weights[0] * 1000.0 - plain[0]).abs() < 1e-6 && (weights[3] - plain[3]).abs() < 1e-6);
        assert_eq!(learner.fit([], &[Sign::Any; 2]), [0.0, 0.0]);
        let equal = [example(1.0, &[1.0]), example(1.0, &[2.0])];
        assert_eq!(learner.fit([&equal[..]], &[Sign::Any]), [0.0]);
    }

    #[test]
    fn what_is_scored_already_is_taken_into_account() {
        let example = |grade: f64, base: f64, feature: f64| Example { grade, base, features: vec![feature] };
        let needed = [example(1.0, 0.0, 1.0), example(0.0, 0.0, 0.0), example(0.0, 0.0, 0.5)];
        let known = [example(1.0, 50.0, 1.0), example(0.0, 0.0, 0.0), example(0.0, 0.0, 0.5)];
        let fit = |topic: &[Example]| Pairwise { penalty: 0.1 }.fit([topic], &[Sign::Any])[0];
        assert!(fit(&needed) > 0.5 && fit(&known).abs() < 1e-6);
    }
}
