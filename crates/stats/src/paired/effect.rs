//! How large a difference is, in units of its spread.

use super::varying_differences;
use crate::error::{Error, fits};
use crate::summary::{Moments, standard_deviation};

/// Cohen's d_z: mean difference over the standard deviation of the differences.
///
/// This is t/√n, and what [`power`](crate::power) asks for.
///
/// # Errors
/// As [`t_test`](super::t_test).
pub fn cohen_d_z(left: &[f64], right: &[f64]) -> Result<f64, Error> {
    fits(Moments::of(&varying_differences(left, right)?).standardised_mean())
}

/// Cohen's d_av: mean difference over the mean of the two standard deviations (Cumming 2012).
///
/// Unlike d_z it does not grow with the correlation of the systems, and compares
/// with studies where topics were not paired.
///
/// # Errors
/// When the lists differ in length, hold fewer than two values or a value that
/// is not finite, or neither list varies.
pub fn cohen_d_av(left: &[f64], right: &[f64]) -> Result<f64, Error> {
    let differences = super::differences(left, right)?;
    let spread = 0.5 * standard_deviation(left)? + 0.5 * standard_deviation(right)?;
    if spread == 0.0 {
        return Err(Error::NoVariation);
    }
    fits(Moments::of(&differences).mean() / spread)
}

/// Hedges' g from d_z: d_z · (1 − 3/(4(n − 1) − 1)), less biased for few topics.
///
/// # Errors
/// As [`cohen_d_z`].
pub fn hedges_g_z(left: &[f64], right: &[f64]) -> Result<f64, Error> {
    Ok(cohen_d_z(left, right)? * small_sample(left.len()))
}

/// Hedges' g from d_av: d_av · (1 − 3/(4(n − 1) − 1)) (Lakens 2013).
///
/// # Errors
/// As [`cohen_d_av`].
pub fn hedges_g_av(left: &[f64], right: &[f64]) -> Result<f64, Error> {
    Ok(cohen_d_av(left, right)? * small_sample(left.len()))
}

/// Matched-pairs rank-biserial correlation: (W⁺ − W⁻)/(W⁺ + W⁻) of the signed ranks (Kerby 2014).
///
/// 1 when left wins every topic, −1 when right does.
///
/// # Errors
/// As [`wilcoxon`](super::wilcoxon).
pub fn rank_biserial(left: &[f64], right: &[f64]) -> Result<f64, Error> {
    let test = super::wilcoxon(left, right)?;
    let total = test.rank_sum_plus + test.rank_sum_minus;
    Ok((test.rank_sum_plus - test.rank_sum_minus) / total)
}

fn small_sample(topics: usize) -> f64 {
    1.0 - 3.0 / (4.0 * (topics as f64 - 1.0) - 1.0)
}
