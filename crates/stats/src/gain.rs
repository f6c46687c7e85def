//! The rule for gains: a difference between two systems is a gain or a loss only if its interval leaves zero out.

use crate::summary::{Interval, mean, t_interval};
use std::fmt;

/// How sure intervals are.
const LEVEL: f64 = 0.95;

/// What a difference may be called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conclusion {
    /// Its interval lies above zero.
    Gain,
    /// Its interval lies below zero.
    Loss,
    /// Its interval holds zero.
    None,
}

impl Conclusion {
    /// It in one word.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Gain => "gain",
            Self::Loss => "loss",
            Self::None => "none",
        }
    }
}

impl fmt::Display for Conclusion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Gain => "a gain",
            Self::Loss => "a loss",
            Self::None => "no difference that these topics can show",
        })
    }
}

/// A mean difference over topics.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// Left less right; not a number without topics.
    pub mean: f64,
    /// The 95 % interval by Student's t; nothing for fewer than two topics.
    pub interval: Option<Interval>,
    /// What it may be called.
    pub conclusion: Conclusion,
}

impl Difference {
    /// The difference of values on the same topics.
    #[must_use]
    pub fn of(left: &[f64], right: &[f64]) -> Self {
        let differences: Vec<f64> = left.iter().zip(right).map(|(left, right)| left - right).collect();
        let interval = t_interval(&differences, LEVEL).ok();
        let conclusion = match interval {
            Some(Interval { low, .. }) if low > 0.0 => Conclusion::Gain,
            Some(Interval { high, .. }) if high < 0.0 => Conclusion::Loss,
            _ => Conclusion::None,
        };
        Self { mean: mean(&differences).unwrap_or(f64::NAN), interval, conclusion }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_is_a_gain_only_if_its_interval_leaves_zero_out() {
        let base = [0.5, 0.6, 0.4, 0.7, 0.5, 0.3];
        let shifted = |by: [f64; 6]| base.iter().zip(by).map(|(value, by)| value + by).collect::<Vec<_>>();
        let conclusion = |left: &[f64], right: &[f64]| Difference::of(left, right).conclusion;
        let steady = shifted([0.05, 0.06, 0.05, 0.04, 0.05, 0.05]);
        assert_eq!(conclusion(&steady, &base), Conclusion::Gain);
        assert_eq!(conclusion(&base, &steady), Conclusion::Loss);
        let noisy = shifted([0.5, -0.2, 0.3, -0.3, 0.1, -0.1]);
        assert_eq!(conclusion(&noisy, &base), Conclusion::None);
        assert_eq!(conclusion(&base, &base), Conclusion::None);
        assert_eq!(conclusion(&base[..1], &base[1..2]), Conclusion::None);
    }
}
