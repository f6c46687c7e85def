//! Two systems on the same topics: is the difference more than chance?
//!
//! Every function takes the scores of the two systems, topic by topic, and looks
//! at the differences left − right. All tests are two-sided.
//!
//! | test | asks whether | assumes |
//! |---|---|---|
//! | [`t_test`] | the mean difference is 0 | means of this many topics are about normal |
//! | [`randomisation_test`] | left and right are exchangeable, by the mean | nothing more |
//! | [`bootstrap_test`] | the mean difference is 0 | topics are a sample |
//! | [`wilcoxon`] | the differences are symmetric about 0 | differences can be ranked |
//! | [`sign_test`] | left wins as often as right | nothing more |
//!
//! For measures of retrieval the first three agree closely, and the last two
//! answer another question than "is the mean better" (Smucker, Allan &
//! Carterette 2007). With more than two systems, correct the p-values
//! ([`correction`](crate::correction)) or use [`tukey`](crate::tukey).

mod effect;
mod resampling;
mod sign;
mod t;
mod wilcoxon;

pub use effect::{cohen_d_av, cohen_d_z, hedges_g_av, hedges_g_z, rank_biserial};
pub use resampling::{EXACT_LIMIT, Resampled, Resampling, bootstrap_test, randomisation_test};
pub use sign::{SignTest, sign_test};
pub use t::{TTest, t_test};
pub use wilcoxon::{RANKS_EXACT_LIMIT, Wilcoxon, wilcoxon};

use crate::error::{Error, check_pair, fits};

/// How a p-value was computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PValueMethod {
    /// From every outcome the null hypothesis allows.
    Exact,
    /// From a normal distribution with the same mean and variance.
    NormalApproximation,
    /// From this many random outcomes.
    MonteCarlo {
        /// How many were drawn.
        resamples: u32,
    },
}

/// The differences left − right, topic by topic.
///
/// # Errors
/// When the lists differ in length, a value is not finite, or a difference is too large.
pub fn differences(left: &[f64], right: &[f64]) -> Result<Vec<f64>, Error> {
    check_pair(left, right, 0)?;
    left.iter().zip(right).map(|(left, right)| fits(left - right)).collect()
}

/// Differences that vary by more than the rounding of the subtraction.
///
/// 0.5 − 0.4 and 0.6 − 0.5 differ in the last bit; a test statistic divided by
/// that would be a large number without meaning.
fn varying_differences(left: &[f64], right: &[f64]) -> Result<Vec<f64>, Error> {
    check_pair(left, right, 2)?;
    let differences = differences(left, right)?;
    if differences.iter().all(|&difference| difference == 0.0) {
        return Err(Error::NoDifference);
    }
    let (low, high) = crate::summary::ends(&differences);
    let largest = left.iter().chain(right).fold(0.0_f64, |largest, value| largest.max(value.abs()));
    if high - low <= 4.0 * f64::EPSILON * largest {
        return Err(Error::NoVariation);
    }
    Ok(differences)
}

#[cfg(test)]
mod tests;
