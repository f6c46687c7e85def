//! Tests of the mean difference by resampling: signs at random, or topics at random.

use super::{PValueMethod, differences, varying_differences};
use crate::error::{Error, at_least_one, check_pair};
use crate::rng::Rng;
use crate::summary::{Moments, scale_of};

/// Up to this many differences that are not zero, every pattern of signs is tried.
pub const EXACT_LIMIT: usize = 20;

/// How to resample when not every outcome can be tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Resampling {
    /// How many times to draw; the smallest p-value is one over this plus one.
    pub resamples: u32,
    /// The seed of the generator.
    pub seed: u64,
}

/// The outcome of a test by resampling.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Resampled {
    /// Mean of left − right.
    pub mean_difference: f64,
    /// Chance of a mean at least as far from 0.
    pub p_value: f64,
    /// How the p-value was computed.
    pub method: PValueMethod,
}

/// Fisher's randomisation test of the mean difference, two-sided.
///
/// If the labels "left" and "right" mean nothing, each difference could as well
/// have the other sign. The p-value is the share of sign patterns whose mean is
/// at least as far from 0 as the one found: of all patterns for up to
/// [`EXACT_LIMIT`] differences that are not zero, else of `resamples` random ones, as
/// (b + 1)/(m + 1), which counts the pattern found among them and never gives 0.
/// Means within one part in 10¹⁰ of the sum of sizes count as equal.
///
/// When every difference is zero, every pattern gives the same mean and the p-value is 1.
///
/// # Errors
/// When the lists differ in length, are empty or hold a value that is not
/// finite, or no resample is asked for.
pub fn randomisation_test(left: &[f64], right: &[f64], resampling: &Resampling) -> Result<Resampled, Error> {
    check_pair(left, right, 1)?;
    at_least_one("resamples", resampling.resamples)?;
    let differences = differences(left, right)?;
    let scale = scale_of(&differences);
    let sizes: Vec<f64> = differences
        .iter()
        .filter(|&&difference| difference != 0.0)
        .map(|difference| difference.abs() / scale)
        .collect();
    let found = differences.iter().map(|difference| difference / scale).sum::<f64>().abs();
    let enough = found - 1e-10 * sizes.iter().sum::<f64>();
    let (p_value, method) = if sizes.len() <= EXACT_LIMIT {
        (share_of_patterns(&sizes, enough), PValueMethod::Exact)
    } else {
        let extreme = random_patterns(&sizes, enough, resampling);
        (share(extreme, resampling.resamples), PValueMethod::MonteCarlo { resamples: resampling.resamples })
    };
    Ok(Resampled { mean_difference: Moments::of(&differences).mean(), p_value, method })
}

/// The paired bootstrap test of the mean difference, two-sided.
///
/// The differences are moved so that their mean is 0, topics are drawn with
/// replacement, and the p-value is (b + 1)/(m + 1) for the b of m resamples
/// whose mean is at least as far from 0 as the one found (Efron & Tibshirani
/// 1993, 16.4, with the mean as statistic).
///
/// # Errors
/// When the lists differ in length, hold fewer than two values or a value that
/// is not finite, all differences are the same, or no resample is asked for.
pub fn bootstrap_test(left: &[f64], right: &[f64], resampling: &Resampling) -> Result<Resampled, Error> {
    at_least_one("resamples", resampling.resamples)?;
    let differences = varying_differences(left, right)?;
    let scale = scale_of(&differences);
    let mean = Moments::of(&differences).mean();
    let moved: Vec<f64> = differences.iter().map(|difference| difference / scale - mean / scale).collect();
    let count = moved.len() as f64;
    let enough = (mean / scale).abs() * count - 1e-10 * moved.iter().map(|value| value.abs()).sum::<f64>();
    let mut rng = Rng::seeded(resampling.seed);
    let mut extreme = 0;
    for _ in 0..resampling.resamples {
        let sum: f64 = (0..moved.len()).map(|_| moved[rng.index(moved.len())]).sum();
        extreme += u32::from(sum.abs() >= enough);
    }
    let method = PValueMethod::MonteCarlo { resamples: resampling.resamples };
    Ok(Resampled { mean_difference: mean, p_value: share(extreme, resampling.resamples), method })
}

fn share(extreme: u32, resamples: u32) -> f64 {
    (f64::from(extreme) + 1.0) / (f64::from(resamples) + 1.0)
}

/// The share of sign patterns with |sum| at least `enough`.
///
/// The sums of the first and of the second half are listed once; each pattern is
/// a pair of them, so no rounding builds up over a million patterns.
fn share_of_patterns(sizes: &[f64], enough: f64) -> f64 {
    let (first, second) = sizes.split_at(sizes.len() / 2);
    let (first, second) = (signed_sums(first), signed_sums(second));
    let extreme: usize =
        first.iter().map(|a| second.iter().filter(|&&b| (a + b).abs() >= enough).count()).sum();
    extreme as f64 / (first.len() * second.len()) as f64
}

fn signed_sums(sizes: &[f64]) -> Vec<f64> {
    sizes.iter().fold(vec![0.0], |sums, size| sums.iter().flat_map(|sum| [sum + size, sum - size]).collect())
}

/// How many random sign patterns have |sum| at least `enough`. One word of the generator gives 64 signs.
fn random_patterns(sizes: &[f64], enough: f64, resampling: &Resampling) -> u32 {
    let mut rng = Rng::seeded(resampling.seed);
    let mut extreme = 0;
    for _ in 0..resampling.resamples {
        let mut sum = 0.0;
        for block in sizes.chunks(64) {
            let signs = rng.next_u64();
            for (place, size) in block.iter().enumerate() {
                sum += if signs >> place & 1 == 1 { *size } else { -*size };
            }
        }
        extreme += u32::from(sum.abs() >= enough);
    }
    extreme
}
