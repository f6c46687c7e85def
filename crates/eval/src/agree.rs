//! Do two sets of topics say the same of the same systems?
//!
//! The order of systems by their means is compared by correlations, with an interval over resampled systems. (To
//! resample topics adds noise to means that have noise, so that the interval would lie below the value.) What is
//! noise of topics shows in pairs of systems: those that one set tells apart are looked up in the other.

use crate::compare::Correction;
use stats::bootstrap::{Bootstrap, Method};
use stats::correlation::{pearson, tau_ap_b, tau_b};
use stats::paired::t_test;
use stats::summary::{Interval, mean};
use std::cmp::Ordering;

/// What is called significant.
const LEVEL: f64 = 0.05;

/// How far two sets of topics agree on systems. A value that cannot be computed, as where all systems are
/// equal, is missing.
#[derive(Clone, Debug, PartialEq)]
pub struct Agreement {
    /// How many systems were compared.
    pub systems: usize,
    /// Kendall's tau-b of their means.
    pub tau: Option<f64>,
    /// Its interval over resampled systems.
    pub tau_interval: Option<Interval>,
    /// Tau-AP of their means, symmetric and corrected for ties: the top of the ranking weighs more.
    pub tau_ap: Option<f64>,
    /// Pearson's correlation of their means.
    pub pearson: Option<f64>,
    /// What the second set says of pairs that the first tells apart.
    pub of_first: ToldApart,
    /// What the first set says of pairs that the second tells apart.
    pub of_second: ToldApart,
}

/// Pairs of systems that one set of topics tells apart, by what another says of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ToldApart {
    /// How many it tells apart.
    pub pairs: usize,
    /// How many of them the other tells apart in the same way.
    pub same: usize,
    /// How many the other tells apart the other way round.
    pub opposite: usize,
    /// How many the other does not tell apart.
    pub not: usize,
}

/// Compares two sets of topics by what they say of systems: `first` and `second` have, for each system, its
/// values on the topics of a set, the same topics for all.
///
/// The interval has a level of 95 %, by `resamples` draws of systems from a seed. A set tells two systems apart
/// if a paired t-test over its topics, Holm-corrected over all pairs, has p < 0.05.
///
/// ```
/// let first = [[0.1, 0.2, 0.1], [0.4, 0.5, 0.5], [0.8, 0.9, 0.7]];
/// let second = [[0.2, 0.1], [0.6, 0.5], [0.5, 0.5]];
/// let (first, second) = (first.each_ref().map(|of| &of[..]), second.each_ref().map(|of| &of[..]));
/// let found = eval::agreement(&first, &second, 100, 1);
/// assert!((found.tau.unwrap() - 1.0 / 3.0).abs() < 1e-12, "one pair of three stands the other way round");
/// ```
#[must_use]
pub fn agreement(first: &[&[f64]], second: &[&[f64]], resamples: u32, seed: u64) -> Agreement {
    let systems = first.len().min(second.len());
    let (first, second) = (&first[..systems], &second[..systems]);
    let (by_first, by_second) = (means(first), means(second));
    let bootstrap = Bootstrap { resamples, seed, level: 0.95, method: Method::Percentile };
    let interval = bootstrap.interval_of(|rng| {
        let drawn: Vec<usize> = (0..systems).map(|_| rng.index(systems)).collect();
        let of = |means: &[f64]| -> Vec<f64> { drawn.iter().map(|system| means[*system]).collect() };
        tau_b(&of(&by_first), &of(&by_second)).ok()
    });
    let tau = tau_b(&by_first, &by_second).ok();
    let (told_by_first, told_by_second) = (told_apart(first), told_apart(second));
    Agreement {
        systems,
        tau,
        tau_interval: tau.and(interval.ok()),
        tau_ap: tau_ap_b(&by_first, &by_second).ok(),
        pearson: pearson(&by_first, &by_second).ok(),
        of_first: compare(&told_by_first, &told_by_second),
        of_second: compare(&told_by_second, &told_by_first),
    }
}

fn means(systems: &[&[f64]]) -> Vec<f64> {
    systems.iter().map(|values| mean(values).unwrap_or_default()).collect()
}

/// Of each pair of systems, in the order of pairs, which one is better; equal where the topics do not tell.
#[must_use]
pub fn told_apart(systems: &[&[f64]]) -> Vec<Ordering> {
    let mut verdicts = Vec::new();
    let mut tested: Vec<(usize, f64)> = Vec::new();
    for (at, left) in systems.iter().enumerate() {
        for right in &systems[at + 1..] {
            if let Ok(test) = t_test(left, right) {
                tested.push((verdicts.len(), test.p_value));
            }
            let means = means(&[left, right]);
            verdicts.push(means[0].total_cmp(&means[1]));
        }
    }
    let p_values: Vec<f64> = tested.iter().map(|(_, p)| *p).collect();
    let corrected = Correction::Holm.apply(&p_values);
    let mut told = vec![Ordering::Equal; verdicts.len()];
    for ((pair, _), p) in tested.iter().zip(corrected) {
        if p < LEVEL {
            told[*pair] = verdicts[*pair];
        }
    }
    told
}

fn compare(told: &[Ordering], by_other: &[Ordering]) -> ToldApart {
    let mut counts = ToldApart::default();
    for (one, other) in told.iter().zip(by_other).filter(|(one, _)| one.is_ne()) {
        counts.pairs += 1;
        match other {
            other if other == one => counts.same += 1,
            Ordering::Equal => counts.not += 1,
            _ => counts.opposite += 1,
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats::rng::Rng;

    /// Values around a mean, with noise that differs from system to system.
    fn system(mean: f64, number: usize, topics: usize) -> Vec<f64> {
        let mut rng = Rng::seeded(number as u64);
        (0..topics).map(|_| mean + 0.1 * (rng.unit() - 0.5)).collect()
    }

    fn set(means: &[f64], topics: usize, seed: usize) -> Vec<Vec<f64>> {
        means.iter().enumerate().map(|(at, mean)| system(*mean, 100 * seed + at, topics)).collect()
    }

    fn of(first: &[Vec<f64>], second: &[Vec<f64>]) -> Agreement {
        let first: Vec<&[f64]> = first.iter().map(Vec::as_slice).collect();
        let second: Vec<&[f64]> = second.iter().map(Vec::as_slice).collect();
        agreement(&first, &second, 500, 3)
    }

    #[test]
    fn a_set_agrees_with_itself() {
        let set = set(&[0.2, 0.4, 0.6, 0.8], 40, 1);
        let found = of(&set, &set);
        assert_eq!((found.systems, found.tau, found.tau_ap), (4, Some(1.0), Some(1.0)));
        assert!((found.pearson.unwrap() - 1.0).abs() < 1e-12);
        assert_eq!(found.of_first, ToldApart { pairs: 6, same: 6, opposite: 0, not: 0 });
        assert_eq!(found.of_second, found.of_first);
        // Roots of ties round.
        let interval = found.tau_interval.unwrap();
        assert!(interval.low > 1.0 - 1e-12 && interval.high <= 1.0, "{interval:?}");
    }

    #[test]
    fn pairs_fall_into_same_opposite_and_not() {
        // The second set turns the last two around and has the first two together.
        let first = set(&[0.2, 0.4, 0.6, 0.8], 40, 1);
        let second = set(&[0.3, 0.3, 0.8, 0.6], 40, 2);
        let found = of(&first, &second);
        assert_eq!(found.of_first, ToldApart { pairs: 6, same: 4, opposite: 1, not: 1 });
        assert_eq!(found.of_second, ToldApart { pairs: 5, same: 4, opposite: 1, not: 0 });
        let interval = found.tau_interval.unwrap();
        let tau = found.tau.unwrap();
        assert!(interval.low <= tau && tau <= interval.high && tau < 1.0, "{found:?}");
    }

    #[test]
    fn what_cannot_be_computed_is_missing() {
        let equal = vec![vec![0.5; 10]; 3];
        let found = of(&equal, &set(&[0.2, 0.4, 0.6], 10, 1));
        assert_eq!((found.tau, found.tau_interval, found.tau_ap, found.pearson), (None, None, None, None));
        assert_eq!(found.of_first, ToldApart::default());
        assert_eq!(found.of_second, ToldApart { pairs: 3, same: 0, opposite: 0, not: 3 });
        assert_eq!(of(&[], &[]).systems, 0);
    }

    #[test]
    fn a_seed_gives_the_same_interval() {
        let (first, second) = (set(&[0.45, 0.47, 0.5, 0.49], 12, 1), set(&[0.46, 0.45, 0.5, 0.51], 12, 2));
        let found = of(&first, &second);
        assert_eq!(found, of(&first, &second));
        let interval = found.tau_interval.unwrap();
        assert!(interval.low < interval.high, "{interval:?}");
    }
}
