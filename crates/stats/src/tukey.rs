//! All systems against each other: Tukey's honest significant difference.
//!
//! Testing each pair on its own finds false differences when there are many
//! pairs. Both tests here judge every pair by the distribution of the *largest*
//! difference, so the chance of any false discovery stays below alpha, and the
//! p-values need no further correction (Carterette 2012).
//!
//! Scores come as systems × topics: one list for each system, all with the same
//! topics in the same order. Topics are blocks: what makes a topic hard for
//! everyone is taken out first.

use crate::distributions::{f_survival, studentized_range_below, studentized_range_quantile};
use crate::error::{Error, at_least_one, check, fits, open_unit};
use crate::paired::Resampling;
use crate::rng::Rng;
use crate::summary::{Moments, ends, scale_of};

/// Two systems and how they differ.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairDifference {
    /// Index of one system.
    pub first: usize,
    /// Index of the other, always larger.
    pub second: usize,
    /// Mean of the first minus mean of the second.
    pub difference: f64,
    /// p-value, corrected for all pairs.
    pub p_value: f64,
}

/// The outcome of Tukey's test.
#[derive(Debug, Clone, PartialEq)]
pub struct TukeyHsd {
    /// Every pair of systems, (0, 1), (0, 2), … in this order.
    pub pairs: Vec<PairDifference>,
    /// Means further apart than this differ at the level asked for.
    pub honest_difference: f64,
    /// What is left after systems and topics: the mean square error of the analysis of variance.
    pub mean_square_error: f64,
    /// (systems − 1)(topics − 1).
    pub degrees_of_freedom: u32,
    /// F of the systems: is there any difference at all?
    pub f: f64,
    /// p-value of that F.
    pub f_p_value: f64,
}

/// The outcome of the randomised test.
#[derive(Debug, Clone, PartialEq)]
pub struct RandomisedTukey {
    /// Every pair of systems, (0, 1), (0, 2), … in this order.
    pub pairs: Vec<PairDifference>,
    /// Means further apart than this differ at the level asked for.
    pub honest_difference: f64,
}

/// Tukey's test on the two-way analysis of variance without replication.
///
/// With k systems and n topics, the error is MSE = Σ(x_st − x̄_s − x̄_t + x̄)²/((k−1)(n−1)).
/// A pair has q = |x̄_a − x̄_b|/√(MSE/n), and its p-value is the share of the
/// studentized range of k means above q; the honest significant difference is
/// the critical q times √(MSE/n).
///
/// ```
/// let scores = [[0.5, 0.6, 0.7, 0.2], [0.4, 0.5, 0.75, 0.1], [0.1, 0.3, 0.3, 0.0]];
/// let test = stats::tukey::tukey_hsd(&scores, 0.05)?;
/// assert_eq!(test.degrees_of_freedom, 6);
/// assert!(test.pairs[0].p_value > 0.05 && test.pairs[1].p_value < 0.05);
/// # Ok::<(), stats::Error>(())
/// ```
///
/// # Errors
/// When there are fewer than two systems or topics, lists differ in length, a
/// value is not finite, alpha is not strictly between 0 and 1, or nothing is
/// left for the error ([`Error::NoVariation`]).
pub fn tukey_hsd<S: AsRef<[f64]>>(scores: &[S], alpha: f64) -> Result<TukeyHsd, Error> {
    open_unit("alpha", alpha)?;
    let table = Table::of(scores)?;
    let (systems, topics) = (table.means.len(), table.topics);
    let (freedom, groups) = (count((systems - 1).saturating_mul(topics - 1))?, count(systems)?);
    let topic_means: Vec<f64> = (0..topics)
        .map(|topic| table.scores.iter().map(|row| row[topic]).sum::<f64>() / systems as f64)
        .collect();
    let grand = Moments::of(&table.means).mean();
    let residual = |system: usize, topic: usize| {
        table.scores[system][topic] - table.means[system] - topic_means[topic] + grand
    };
    let squares: f64 = (0..systems)
        .map(|system| (0..topics).map(|topic| residual(system, topic).powi(2)).sum::<f64>())
        .sum();
    let error = squares / f64::from(freedom);
    // Residuals of additive scores are rounding, not variation.
    if error.sqrt() <= 8.0 * f64::EPSILON * table.largest {
        return Err(Error::NoVariation);
    }
    let spread = (error / topics as f64).sqrt();
    let between: f64 = table.means.iter().map(|mean| (mean - grand).powi(2)).sum();
    let f = fits(topics as f64 * between / (systems as f64 - 1.0) / error)?;
    let pairs = table
        .pairs(|difference| Ok(1.0 - studentized_range_below(difference.abs() / spread, groups, freedom)?))?;
    Ok(TukeyHsd {
        pairs,
        honest_difference: fits(
            studentized_range_quantile(1.0 - alpha, groups, freedom)? * spread * table.scale,
        )?,
        mean_square_error: fits(error * table.scale * table.scale)?,
        degrees_of_freedom: freedom,
        f,
        f_p_value: f_survival(f, systems as f64 - 1.0, f64::from(freedom))?,
    })
}

/// Tukey's test by randomisation (Carterette 2012): no assumption about the distribution of scores.
///
/// Each resample shuffles the systems' scores within every topic and notes the
/// range of the means. The p-value of a pair is (b + 1)/(m + 1) for the b of m
/// ranges at least as large as its difference. The honest difference is the
/// resampled range above which p-values are at most alpha.
///
/// # Errors
/// When there are fewer than two systems or topics, lists differ in length, a
/// value is not finite, alpha is not strictly between 0 and 1, or there are too
/// few resamples for any p-value to reach alpha.
pub fn randomised_tukey_hsd<S: AsRef<[f64]>>(
    scores: &[S],
    alpha: f64,
    resampling: &Resampling,
) -> Result<RandomisedTukey, Error> {
    open_unit("alpha", alpha)?;
    at_least_one("resamples", resampling.resamples)?;
    let resamples = f64::from(resampling.resamples);
    // The largest count b with (b + 1)/(m + 1) ≤ alpha.
    let allowed = (alpha * (resamples + 1.0)).floor() - 1.0;
    if allowed < 0.0 {
        return Err(Error::OutOfRange {
            name: "resamples",
            value: resamples,
            allowed: "at least 1/alpha − 1",
        });
    }
    let table = Table::of(scores)?;
    let mut ranges = table.ranges(resampling);
    ranges.sort_by(|a, b| b.total_cmp(a));
    let slack = 1e-10 * table.largest;
    let pairs = table.pairs(|difference| {
        let extreme = ranges.partition_point(|&range| range >= difference.abs() - slack);
        Ok((extreme as f64 + 1.0) / (resamples + 1.0))
    })?;
    // A difference just above the range in this place has `allowed` ranges at or above it.
    let honest = ranges[(allowed as usize).min(ranges.len() - 1)];
    Ok(RandomisedTukey { pairs, honest_difference: fits(honest * table.scale)? })
}

/// Checked scores in units of `scale`.
struct Table {
    scores: Vec<Vec<f64>>,
    means: Vec<f64>,
    topics: usize,
    scale: f64,
    /// The largest magnitude, in units of `scale`.
    largest: f64,
}

impl Table {
    fn of<S: AsRef<[f64]>>(scores: &[S]) -> Result<Self, Error> {
        if scores.len() < 2 {
            return Err(Error::TooFew { needed: 2, found: scores.len() });
        }
        let topics = scores[0].as_ref().len();
        for row in scores {
            let row = row.as_ref();
            if row.len() != topics {
                return Err(Error::UnequalLengths { left: topics, right: row.len() });
            }
            check(row, 2)?;
        }
        let all = scores.iter().flat_map(|row| row.as_ref());
        let largest = all.fold(0.0_f64, |largest, value| largest.max(value.abs()));
        let scale = scale_of(&[largest]);
        let scores: Vec<Vec<f64>> =
            scores.iter().map(|row| row.as_ref().iter().map(|value| value / scale).collect()).collect();
        let means = scores.iter().map(|row| Moments::of(row).mean()).collect();
        Ok(Self { scores, means, topics, scale, largest: largest / scale })
    }

    fn pairs(&self, p_value: impl Fn(f64) -> Result<f64, Error>) -> Result<Vec<PairDifference>, Error> {
        let mut pairs = Vec::with_capacity(self.means.len() * (self.means.len() - 1) / 2);
        for first in 0..self.means.len() {
            for second in first + 1..self.means.len() {
                let difference = self.means[first] - self.means[second];
                let p_value = p_value(difference)?.clamp(0.0, 1.0);
                pairs.push(PairDifference {
                    first,
                    second,
                    difference: fits(difference * self.scale)?,
                    p_value,
                });
            }
        }
        Ok(pairs)
    }

    fn ranges(&self, resampling: &Resampling) -> Vec<f64> {
        let systems = self.means.len();
        let mut rng = Rng::seeded(resampling.seed);
        let mut topics: Vec<Vec<f64>> =
            (0..self.topics).map(|topic| self.scores.iter().map(|row| row[topic]).collect()).collect();
        let mut sums = vec![0.0; systems];
        let mut range = || {
            sums.fill(0.0);
            for topic in &mut topics {
                rng.shuffle(topic);
                for (sum, score) in sums.iter_mut().zip(topic.iter()) {
                    *sum += score;
                }
            }
            let (low, high) = ends(&sums);
            (high - low) / self.topics as f64
        };
        (0..resampling.resamples).map(|_| range()).collect()
    }
}

fn count(value: usize) -> Result<u32, Error> {
    u32::try_from(value).map_err(|_| Error::TooLarge)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const SCORES: [[f64; 8]; 4] = [
        [0.52, 0.61, 0.70, 0.20, 0.35, 0.80, 0.15, 0.44],
        [0.41, 0.50, 0.75, 0.10, 0.30, 0.72, 0.20, 0.40],
        [0.10, 0.35, 0.31, 0.05, 0.12, 0.50, 0.02, 0.20],
        [0.48, 0.66, 0.64, 0.25, 0.41, 0.83, 0.11, 0.39],
    ];

    /// The sums of squares with numpy 2.4.6, the distributions with scipy 1.17.1
    /// (`stats.studentized_range`, `stats.f`).
    #[test]
    fn the_blocked_test_agrees_with_scipy() {
        let test = tukey_hsd(&SCORES, 0.05).unwrap();
        let close =
            |found: f64, expected: f64| assert!((found - expected).abs() < 1e-9, "{found} {expected}");
        assert_eq!(test.degrees_of_freedom, 21);
        close(test.mean_square_error, MSE);
        close(test.honest_difference, HSD);
        close(test.f, F);
        close(test.f_p_value, F_P);
        assert_eq!(test.pairs.len(), 6);
        for (pair, (difference, p_value)) in test.pairs.iter().zip(PAIRS) {
            close(pair.difference, difference);
            close(pair.p_value, p_value);
            assert_eq!(pair.p_value < 0.05, pair.difference.abs() > test.honest_difference);
        }
    }

    const MSE: f64 = 0.004294791666666666;
    const HSD: f64 = 0.09133331643253735;
    const F: f64 = 29.798447732233818;
    const F_P: f64 = 9.310212284142353e-08;
    const PAIRS: [(f64, f64); 6] = [
        (0.04875, 0.46211447867944466),
        (0.265, 3.9452764177827504e-07),
        (0.0, 1.0),
        (0.21625, 8.735524264280592e-06),
        (-0.04875, 0.46211447867944266),
        (-0.265, 3.9452764177827504e-07),
    ];

    #[test]
    fn the_randomised_test_agrees_with_the_other_up_to_chance() {
        let resampling = Resampling { resamples: 20_000, seed: 3 };
        let random = randomised_tukey_hsd(&SCORES, 0.05, &resampling).unwrap();
        let classic = tukey_hsd(&SCORES, 0.05).unwrap();
        for (a, b) in random.pairs.iter().zip(&classic.pairs) {
            assert_eq!((a.first, a.second, a.p_value < 0.05), (b.first, b.second, b.p_value < 0.05));
            assert_eq!(a.difference, b.difference);
            assert_eq!(a.p_value <= 0.05, a.difference.abs() > random.honest_difference);
        }
        assert_eq!(random, randomised_tukey_hsd(&SCORES, 0.05, &resampling).unwrap());
    }

    /// Two systems leave 2^n sign patterns: the randomisation test.
    #[test]
    fn with_two_systems_it_is_the_randomisation_test() {
        let resampling = Resampling { resamples: 100_000, seed: 5 };
        let random = randomised_tukey_hsd(&SCORES[..2], 0.05, &resampling).unwrap();
        let exact = crate::paired::randomisation_test(&SCORES[0], &SCORES[1], &resampling).unwrap();
        assert!((random.pairs[0].p_value - exact.p_value).abs() < 0.006);
    }

    #[test]
    fn two_systems_give_the_p_value_of_the_t_test() {
        let tukey = tukey_hsd(&SCORES[..2], 0.05).unwrap();
        let t = crate::paired::t_test(&SCORES[0], &SCORES[1]).unwrap();
        assert!((tukey.pairs[0].p_value - t.p_value).abs() < 1e-10);
        assert!((tukey.f - t.t * t.t).abs() < 1e-9);
    }

    #[test]
    fn degenerate_tables_have_an_outcome() {
        let resampling = Resampling { resamples: 99, seed: 1 };
        assert_eq!(tukey_hsd(&SCORES[..1], 0.05), Err(Error::TooFew { needed: 2, found: 1 }));
        assert_eq!(
            tukey_hsd(&[vec![1.0, 2.0], vec![1.0]], 0.05),
            Err(Error::UnequalLengths { left: 2, right: 1 })
        );
        assert_eq!(tukey_hsd(&[[0.1, 0.2], [0.1, 0.2]], 0.05), Err(Error::NoVariation));
        let same = randomised_tukey_hsd(&[[0.1, 0.2], [0.1, 0.2]], 0.05, &resampling).unwrap();
        assert_eq!(same.pairs[0].p_value, 1.0);
        assert!(randomised_tukey_hsd(&SCORES, 0.001, &resampling).is_err());
        assert!(tukey_hsd(&SCORES, 0.0).is_err());
    }

    fn any_table() -> impl Strategy<Value = Vec<Vec<f64>>> {
        let value = prop::num::f64::NORMAL | prop::num::f64::SUBNORMAL | prop::num::f64::ZERO;
        (2_usize..5)
            .prop_flat_map(move |topics| prop::collection::vec(prop::collection::vec(value, topics), 2..4))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn p_values_stay_in_range_for_any_finite_scores(scores in any_table()) {
            if let Ok(test) = tukey_hsd(&scores, 0.1) {
                prop_assert!(test.pairs.iter().all(|pair| (0.0..=1.0).contains(&pair.p_value)));
                prop_assert!(test.honest_difference >= 0.0);
            }
            let resampling = Resampling { resamples: 50, seed: 1 };
            if let Ok(test) = randomised_tukey_hsd(&scores, 0.1, &resampling) {
                prop_assert!(test.pairs.iter().all(|pair| pair.p_value > 0.0 && pair.p_value <= 1.0));
                prop_assert!(test.honest_difference >= 0.0);
            }
        }
    }
}
