//! The paired t-test.

use super::varying_differences;
use crate::distributions::student_t_two_sided;
use crate::error::{Error, fits};
use crate::summary::Moments;

/// The outcome of a paired t-test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TTest {
    /// Mean of left − right.
    pub mean_difference: f64,
    /// The mean over its standard error.
    pub t: f64,
    /// Topics minus one.
    pub degrees_of_freedom: u64,
    /// Chance of a |t| at least as large if the mean difference were 0.
    pub p_value: f64,
}

/// Student's paired t-test, two-sided: t = mean(d)/(s(d)/√n), n − 1 degrees of freedom.
///
/// ```
/// let test = stats::paired::t_test(&[0.5, 0.6, 0.7, 0.2], &[0.4, 0.5, 0.75, 0.1])?;
/// assert!((test.t - 1.666667).abs() < 5e-7);
/// assert!((test.p_value - 0.194171).abs() < 5e-7);
/// assert_eq!(test.degrees_of_freedom, 3);
/// # Ok::<(), stats::Error>(())
/// ```
///
/// # Errors
/// When the lists differ in length, hold fewer than two values or a value that
/// is not finite ([`Error::NoDifference`] when all differences are 0,
/// [`Error::NoVariation`] when they are all the same).
pub fn t_test(left: &[f64], right: &[f64]) -> Result<TTest, Error> {
    let differences = varying_differences(left, right)?;
    let moments = Moments::of(&differences);
    let count = differences.len() as f64;
    let t = fits(moments.standardised_mean() * count.sqrt())?;
    Ok(TTest {
        mean_difference: moments.mean(),
        t,
        degrees_of_freedom: differences.len() as u64 - 1,
        p_value: student_t_two_sided(t, count - 1.0)?,
    })
}
