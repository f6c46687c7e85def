//! One list of numbers: mean, spread, and how sure the mean is.
//!
//! Sums are taken over deviations from the mean, and values of extreme size are
//! scaled first, so that finite input gives a finite answer wherever there is one.

use crate::distributions::student_t_quantile;
use crate::error::{Error, check, fits, open_unit};

/// Two ends with the estimate between or, for skewed resampling, near them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// The arithmetic mean.
///
/// # Errors
/// When there is no value or one is not finite.
pub fn mean(values: &[f64]) -> Result<f64, Error> {
    check(values, 1)?;
    Ok(Moments::of(values).mean())
}

/// The variance with n − 1 in the denominator.
///
/// # Errors
/// When there are fewer than two values, one is not finite, or the square is too large.
pub fn variance(values: &[f64]) -> Result<f64, Error> {
    let deviation = standard_deviation(values)?;
    fits(deviation * deviation)
}

/// The standard deviation with n − 1 in the denominator.
///
/// # Errors
/// When there are fewer than two values, one is not finite, or the result is too large.
pub fn standard_deviation(values: &[f64]) -> Result<f64, Error> {
    check(values, 2)?;
    fits(Moments::of(values).deviation())
}

/// The standard error of the mean: s/√n.
///
/// # Errors
/// As [`standard_deviation`].
pub fn standard_error(values: &[f64]) -> Result<f64, Error> {
    Ok(standard_deviation(values)? / (values.len() as f64).sqrt())
}

/// Student's interval for the mean: mean ± t·s/√n, with t at n − 1 degrees of freedom.
///
/// The scores of topics are rarely normal; for few topics and skewed scores see
/// the [bootstrap](crate::bootstrap).
///
/// ```
/// let interval = stats::summary::t_interval(&[0.5, 0.6, 0.7, 0.2], 0.95)?;
/// assert!((interval.low - 0.156257).abs() < 5e-7);
/// assert!((interval.high - 0.843743).abs() < 5e-7);
/// # Ok::<(), stats::Error>(())
/// ```
///
/// # Errors
/// When there are fewer than two values, one is not finite, or the level is not
/// strictly between 0 and 1. Values that do not vary give an interval of width 0.
pub fn t_interval(values: &[f64], level: f64) -> Result<Interval, Error> {
    open_unit("level", level)?;
    let error = standard_error(values)?;
    let mean = mean(values)?;
    let half = student_t_quantile(0.5 + 0.5 * level, values.len() as f64 - 1.0)? * error;
    Ok(Interval { low: fits(mean - half)?, high: fits(mean + half)? })
}

/// Mean and sum of squared deviations of checked values, in units of `scale`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Moments {
    count: f64,
    /// 1 for values of ordinary size, else the largest magnitude.
    scale: f64,
    scaled_mean: f64,
    scaled_squares: f64,
}

impl Moments {
    pub(crate) fn of(values: &[f64]) -> Self {
        let scale = scale_of(values);
        let count = values.len() as f64;
        let first_mean = values.iter().map(|value| value / scale).sum::<f64>() / count;
        // A second pass takes back most of the rounding of the first.
        let rest = values.iter().map(|value| value / scale - first_mean).sum::<f64>() / count;
        let (low, high) = ends(values);
        let (scaled_mean, scaled_squares) = if low == high {
            (low / scale, 0.0)
        } else {
            let mean = (first_mean + rest).clamp(low / scale, high / scale);
            (mean, values.iter().map(|value| (value / scale - mean).powi(2)).sum())
        };
        Self { count, scale, scaled_mean, scaled_squares }
    }

    pub(crate) fn mean(self) -> f64 {
        self.scaled_mean * self.scale
    }

    /// Standard deviation; may be infinite for values near the largest number.
    pub(crate) fn deviation(self) -> f64 {
        self.scaled_deviation() * self.scale
    }

    /// Mean over standard deviation, whatever the scale; infinite or NaN when nothing varies.
    pub(crate) fn standardised_mean(self) -> f64 {
        self.scaled_mean / self.scaled_deviation()
    }

    fn scaled_deviation(self) -> f64 {
        (self.scaled_squares / (self.count - 1.0)).sqrt()
    }
}

/// What to divide by before squaring: 1 unless squares or sums could leave the range of numbers.
pub(crate) fn scale_of(values: &[f64]) -> f64 {
    let largest = values.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
    if largest == 0.0 || (1e-100..1e100).contains(&largest) { 1.0 } else { largest }
}

/// The smallest and the largest value.
pub(crate) fn ends(values: &[f64]) -> (f64, f64) {
    values
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &value| (low.min(value), high.max(value)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn small_lists_by_hand() {
        assert_eq!(mean(&[1.0, 2.0, 6.0]), Ok(3.0));
        assert_eq!(variance(&[1.0, 2.0, 6.0]).map(|v| (v * 1e12).round() / 1e12), Ok(7.0));
        assert_eq!(standard_error(&[1.0, 3.0]), Ok(1.0));
        assert_eq!(variance(&[0.1; 3]), Ok(0.0));
        assert_eq!(mean(&[]), Err(Error::TooFew { needed: 1, found: 0 }));
        assert_eq!(variance(&[1.0]), Err(Error::TooFew { needed: 2, found: 1 }));
        assert_eq!(mean(&[0.0, f64::INFINITY]), Err(Error::NotFinite { position: 1 }));
    }

    #[test]
    fn the_interval_has_width_zero_when_nothing_varies() {
        assert_eq!(t_interval(&[0.1; 5], 0.95), Ok(Interval { low: 0.1, high: 0.1 }));
        assert!(t_interval(&[0.1, 0.2], 1.0).is_err());
    }

    #[test]
    fn extreme_values_keep_their_digits() {
        assert!((mean(&[1e308, 1.5e308]).unwrap() / 1.25e308 - 1.0).abs() < 1e-15);
        assert!((standard_deviation(&[1e-200, 3e-200]).unwrap() / 2e-200 - 0.5_f64.sqrt()).abs() < 1e-12);
        assert_eq!(variance(&[1e308, -1e308]), Err(Error::TooLarge));
    }

    proptest! {
        #[test]
        fn the_mean_lies_between_the_ends(values in prop::collection::vec(prop::num::f64::NORMAL | prop::num::f64::SUBNORMAL | prop::num::f64::ZERO, 1..40)) {
            let mean = mean(&values).unwrap();
            let (low, high) = ends(&values);
            prop_assert!(low <= mean && mean <= high);
        }

        #[test]
        fn finite_values_never_give_nan(values in prop::collection::vec(prop::num::f64::NORMAL | prop::num::f64::SUBNORMAL | prop::num::f64::ZERO, 2..40)) {
            if let Ok(variance) = variance(&values) {
                prop_assert!(variance >= 0.0 && variance.is_finite());
            }
            if let Ok(interval) = t_interval(&values, 0.9) {
                prop_assert!(interval.low <= interval.high);
            }
        }
    }
}
