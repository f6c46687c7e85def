//! Cohen's kappa of two raters.

use std::collections::BTreeMap;

use crate::error::Error;

/// How much two raters agree.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Kappa {
    /// The share of items on which they agree, or one minus the mean weight of disagreement.
    pub observed: f64,
    /// The same for raters who use the grades as often, but independently.
    pub expected: f64,
    /// (observed − expected)/(1 − expected).
    pub kappa: f64,
}

/// How much worse a disagreement gets with the distance of two grades.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Distance {
    /// |a − b|.
    Linear,
    /// (a − b)².
    Quadratic,
}

/// Cohen's kappa (1960): κ = (p_o − p_e)/(1 − p_e).
///
/// ```
/// let first = [3, 2, 1, 0, 0, 3, 2, 0, 1, 0];
/// let second = [3, 1, 1, 0, 0, 2, 2, 0, 0, 0];
/// let kappa = stats::agreement::cohen_kappa(&first, &second)?;
/// assert!((kappa.kappa - 0.571429).abs() < 5e-7);
/// # Ok::<(), stats::Error>(())
/// ```
///
/// # Errors
/// When the lists differ in length or are empty, or both raters gave one and the
/// same grade to everything ([`Error::NoVariation`]: chance alone agrees in full).
pub fn cohen_kappa<T: Ord>(first: &[T], second: &[T]) -> Result<Kappa, Error> {
    kappa(first, second, |a, b| if a == b { 0.0 } else { 1.0 })
}

/// Cohen's kappa after asking only whether a grade is at least `threshold`.
///
/// # Errors
/// As [`cohen_kappa`].
pub fn cohen_kappa_at<T: Ord>(first: &[T], second: &[T], threshold: &T) -> Result<Kappa, Error> {
    let binary = |grades: &[T]| grades.iter().map(|grade| grade >= threshold).collect::<Vec<_>>();
    cohen_kappa(&binary(first), &binary(second))
}

/// Weighted kappa (Cohen 1968): κ_w = 1 − Σ w·observed/Σ w·expected.
///
/// The weight is the distance of the two grades as numbers, so a grade nobody
/// gave still counts as a step between its neighbours. In the result, agreement
/// is one minus the mean weight, where the largest distance given weighs 1.
///
/// # Errors
/// As [`cohen_kappa`].
pub fn weighted_kappa(first: &[i32], second: &[i32], distance: Distance) -> Result<Kappa, Error> {
    let (low, high) = first
        .iter()
        .chain(second)
        .fold((i32::MAX, i32::MIN), |(low, high), &grade| (low.min(grade), high.max(grade)));
    let widest = (f64::from(high) - f64::from(low)).max(1.0);
    kappa(first, second, |&a, &b| {
        let apart = (f64::from(a) - f64::from(b)).abs() / widest;
        match distance {
            Distance::Linear => apart,
            Distance::Quadratic => apart * apart,
        }
    })
}

fn kappa<T: Ord>(first: &[T], second: &[T], weight: impl Fn(&T, &T) -> f64) -> Result<Kappa, Error> {
    if first.len() != second.len() {
        return Err(Error::UnequalLengths { left: first.len(), right: second.len() });
    }
    if first.is_empty() {
        return Err(Error::TooFew { needed: 1, found: 0 });
    }
    let count = first.len() as f64;
    let (of_first, of_second) = (frequencies(first), frequencies(second));
    let observed = first.iter().zip(second).map(|(a, b)| weight(a, b)).sum::<f64>() / count;
    let mut expected = 0.0;
    for (a, times_a) in &of_first {
        for (b, times_b) in &of_second {
            expected += weight(a, b) * (times_a / count) * (times_b / count);
        }
    }
    if expected == 0.0 {
        return Err(Error::NoVariation);
    }
    Ok(Kappa { observed: 1.0 - observed, expected: 1.0 - expected, kappa: 1.0 - observed / expected })
}

fn frequencies<T: Ord>(grades: &[T]) -> BTreeMap<&T, f64> {
    let mut frequencies = BTreeMap::new();
    for grade in grades {
        *frequencies.entry(grade).or_insert(0.0) += 1.0;
    }
    frequencies
}
