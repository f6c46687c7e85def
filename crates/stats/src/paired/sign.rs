//! The sign test.

use super::differences;
use crate::distributions::binomial_cdf;
use crate::error::{Error, check_pair};

/// The outcome of a sign test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SignTest {
    /// Topics on which left is larger.
    pub left_wins: u64,
    /// Topics on which right is larger.
    pub right_wins: u64,
    /// Topics without a difference; the test leaves them out.
    pub ties: u64,
    /// Chance of a split at least as uneven if both were equally likely to win.
    pub p_value: f64,
}

/// The sign test, two-sided and exact: twice the smaller tail of Binomial(wins, 1/2), at most 1.
///
/// Without a single win the p-value is 1: nothing speaks against chance.
///
/// # Errors
/// When the lists differ in length, are empty, or hold a value that is not finite.
pub fn sign_test(left: &[f64], right: &[f64]) -> Result<SignTest, Error> {
    check_pair(left, right, 1)?;
    let differences = differences(left, right)?;
    let count =
        |wanted: fn(&f64) -> bool| differences.iter().filter(|difference| wanted(difference)).count() as u64;
    let (left_wins, right_wins) = (count(|d| *d > 0.0), count(|d| *d < 0.0));
    let tail = binomial_cdf(left_wins.min(right_wins), left_wins + right_wins, 0.5)?;
    Ok(SignTest {
        left_wins,
        right_wins,
        ties: differences.len() as u64 - left_wins - right_wins,
        p_value: (2.0 * tail).min(1.0),
    })
}
