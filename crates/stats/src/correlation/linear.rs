//! Pearson's correlation of values and Spearman's of ranks.

use crate::error::{Error, check_pair};
use crate::ranks::average_ranks;
use crate::summary::{ends, scale_of};

/// Pearson's r: Σ(x−x̄)(y−ȳ)/√(Σ(x−x̄)² Σ(y−ȳ)²).
///
/// ```
/// let r = stats::correlation::pearson(&[1.0, 2.0, 3.0], &[1.0, 3.0, 2.0])?;
/// assert!((r - 0.5).abs() < 1e-15);
/// # Ok::<(), stats::Error>(())
/// ```
///
/// # Errors
/// When the lists differ in length, hold fewer than two values or one that is
/// not finite, or one list does not vary.
pub fn pearson(x: &[f64], y: &[f64]) -> Result<f64, Error> {
    check_pair(x, y, 2)?;
    let (x, y) = (deviations(x)?, deviations(y)?);
    let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    Ok((product(&x, &y) / (product(&x, &x).sqrt() * product(&y, &y).sqrt())).clamp(-1.0, 1.0))
}

/// Spearman's rho: Pearson's r of the ranks, where equal values share the mean rank.
///
/// # Errors
/// As [`pearson`].
pub fn spearman(x: &[f64], y: &[f64]) -> Result<f64, Error> {
    check_pair(x, y, 2)?;
    pearson(&average_ranks(x).ranks, &average_ranks(y).ranks)
}

/// Deviations from the mean, in units that make the largest 1.
fn deviations(values: &[f64]) -> Result<Vec<f64>, Error> {
    let (low, high) = ends(values);
    if low == high {
        return Err(Error::NoVariation);
    }
    let scale = scale_of(values);
    let mean = crate::summary::mean(values)? / scale;
    let mut deviations: Vec<f64> = values.iter().map(|value| value / scale - mean).collect();
    let largest = deviations.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
    for deviation in &mut deviations {
        *deviation /= largest;
    }
    Ok(deviations)
}
