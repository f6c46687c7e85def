//! Worked cases, scipy's numbers, and what must hold for any input.

use proptest::prelude::*;

use super::*;
use crate::Error;

#[track_caller]
fn close(found: Result<f64, Error>, expected: f64, tolerance: f64) {
    let found = found.unwrap();
    assert!((found - expected).abs() < tolerance, "{found} is not {expected}");
}

const X: [f64; 14] = [5.0, 3.0, 4.0, 4.0, 2.0, 6.0, 7.0, 1.0, 3.0, 5.0, 8.0, 2.0, 4.0, 6.0];
const Y: [f64; 14] = [3.0, 3.0, 5.0, 2.0, 1.0, 4.0, 4.0, 2.0, 3.0, 1.0, 6.0, 1.0, 5.0, 3.0];

#[test]
fn pearson_worked_cases() {
    close(pearson(&[1.0, 2.0, 3.0], &[1.0, 3.0, 2.0]), 0.5, 5e-7);
    close(pearson(&[1.0, 2.0, 3.0, 4.0], &[2.0, 4.0, 5.0, 4.0]), 0.718185, 5e-7);
    close(pearson(&[0.5, 0.4, 0.4, 0.2], &[0.9, 0.7, 0.8, 0.1]), 0.976637, 5e-7);
    close(pearson(&[0.5, 0.4, 0.4, 0.2], &[0.5, 0.4, 0.4, 0.2]), 1.0, 1e-15);
}

#[test]
fn tau_b_worked_cases() {
    let rising = [1.0, 2.0, 3.0, 4.0];
    close(tau_b(&rising, &[1.0, 3.0, 2.0, 4.0]), 0.666667, 5e-7);
    close(tau_b(&rising, &[4.0, 3.0, 2.0, 1.0]), -1.0, 1e-15);
    close(tau_b(&[0.5, 0.4, 0.4, 0.2], &[0.9, 0.7, 0.8, 0.1]), 0.912871, 5e-7);
    close(tau_b(&[1.0, 1.0, 2.0, 2.0], &[1.0, 2.0, 1.0, 2.0]), 0.0, 1e-15);
    close(tau_a(&[0.5, 0.4, 0.4, 0.2], &[0.9, 0.7, 0.8, 0.1]), 5.0 / 6.0, 1e-15);
    assert_eq!(swaps(&rising, &[1.0, 3.0, 2.0, 4.0]), Ok(1));
    assert_eq!(swaps(&rising, &[4.0, 3.0, 2.0, 1.0]), Ok(6));
}

/// scipy 1.17.1: `pearsonr`, `spearmanr`, `kendalltau`.
#[test]
fn tied_lists_agree_with_scipy() {
    close(pearson(&X, &Y), 0.6163624576918358, 1e-13);
    close(spearman(&X, &Y), 0.59099101248667, 1e-13);
    close(tau_b(&X, &Y), 0.47875290073673044, 1e-13);
    let x: Vec<f64> = (1..=60).map(|i| f64::from(i * 37 % 101) / 100.0).collect();
    let y: Vec<f64> = (1..=60).map(|i| f64::from(i * 53 % 97) / 100.0).collect();
    close(spearman(&x, &y), 0.11797721589330372, 1e-13);
    close(tau_b(&x, &y), 0.10395480225988701, 1e-13);
}

#[test]
fn tau_ap_by_hand() {
    let truth = [4.0, 3.0, 2.0, 1.0];
    close(tau_ap(&truth, &truth), 1.0, 1e-15);
    close(tau_ap(&truth, &[1.0, 2.0, 3.0, 4.0]), -1.0, 1e-15);
    // An exchange in the middle: shares 1, 1/2, 1. At the top: 0, 1, 1. At the bottom: 1, 1, 2/3.
    close(tau_ap(&truth, &[4.0, 2.0, 3.0, 1.0]), 2.0 / 3.0, 1e-15);
    close(tau_ap(&truth, &[3.0, 4.0, 2.0, 1.0]), 1.0 / 3.0, 1e-15);
    close(tau_ap(&truth, &[4.0, 3.0, 1.0, 2.0]), 7.0 / 9.0, 1e-15);
    // The last item moved to the top: 0, 1/2, 2/3; seen from the other list: 1, 1, 0.
    let moved = [3.0, 2.0, 1.0, 4.0];
    close(tau_ap(&truth, &moved), 2.0 * (7.0 / 6.0) / 3.0 - 1.0, 1e-15);
    close(tau_ap(&moved, &truth), 1.0 / 3.0, 1e-15);
    close(tau_ap_symmetric(&truth, &moved), 0.5 * (1.0 / 3.0 - 2.0 / 9.0), 1e-15);
}

/// The tied value by a direct sum over all pairs in Python; that program also
/// gives the published test values of the R package ircor.
#[test]
fn tau_ap_with_ties() {
    close(tau_ap_b(&X, &Y), 0.41863905325443773, 1e-13);
    assert!(matches!(tau_ap(&[1.0, 2.0, 1.0], &[1.0, 2.0, 3.0]), Err(Error::Tied { first: 0, second: 2 })));
    // y ties the two upper items: from y only the third item looks up (1); from x: 0 and 1.
    close(tau_ap_b(&[3.0, 2.0, 1.0], &[2.0, 2.0, 1.0]), 0.5, 1e-15);
}

/// Sums over 6,000 depths of the definition, in Python.
#[test]
fn rbo_agrees_with_the_infinite_sum() {
    let check = |first: &str, second: &str, p, [min, residual, extrapolated]: [f64; 3]| {
        let items = |text: &str| text.chars().collect::<Vec<_>>();
        let overlap = rbo(&items(first), &items(second), p).unwrap();
        close(Ok(overlap.min), min, 1e-12);
        close(Ok(overlap.residual), residual, 1e-12);
        close(Ok(overlap.extrapolated), extrapolated, 1e-12);
    };
    check("abcde", "badfcgh", 0.9, [0.46114615244179763, 0.3630733332724884, 0.723555]);
    check("badfcgh", "abcde", 0.9, [0.46114615244179763, 0.3630733332724884, 0.723555]);
    check("abc", "acd", 0.9, [0.36668557622089876, 0.5613144237791015, 0.685]);
    check("ab", "cd", 0.5, [0.0, 0.20833333333333331, 0.0]);
    check("abcdefg", "abcdefg", 0.98, [0.33973986807754325, 0.6602601319224568, 1.0]);
}

#[test]
fn degenerate_lists_have_an_outcome() {
    assert_eq!(pearson(&[1.0], &[1.0]), Err(Error::TooFew { needed: 2, found: 1 }));
    assert_eq!(pearson(&[0.1; 3], &[1.0, 2.0, 3.0]), Err(Error::NoVariation));
    assert_eq!(tau_b(&[1.0, 2.0], &[3.0, 3.0]), Err(Error::NoVariation));
    assert_eq!(tau_a(&[1.0, 2.0], &[3.0, 3.0]), Ok(0.0));
    assert_eq!(tau_ap_b(&[1.0, 2.0], &[3.0, 3.0]), Err(Error::NoVariation));
    assert_eq!(spearman(&[1.0, 2.0], &[3.0]), Err(Error::UnequalLengths { left: 2, right: 1 }));
    assert_eq!(tau_b(&[1.0, f64::NAN], &[3.0, 3.0]), Err(Error::NotFinite { position: 1 }));
    assert_eq!(swaps(&[], &[]), Ok(0));
    assert_eq!(rbo(&[1], &[], 0.9), Err(Error::TooFew { needed: 1, found: 0 }));
    assert_eq!(rbo(&[1, 2, 1], &[1, 2], 0.9), Err(Error::Repeated { position: 2 }));
    assert!(rbo(&[1], &[1], 1.0).is_err());
    assert_eq!(rbo(&[1], &[2], f64::from_bits(1)).unwrap().min, 0.0);
}

#[test]
fn extreme_values_are_correlated_like_others() {
    close(pearson(&[1e308, -1e308, 0.0], &[1.0, -1.0, 0.0]), 1.0, 1e-12);
    close(pearson(&[1e-320, 3e-320, 2e-320], &[1.0, 3.0, 2.0]), 1.0, 1e-3);
    close(tau_b(&[0.0, -0.0, 1.0], &[1.0, 1.0, 2.0]), 1.0, 1e-15);
}

fn pairs(values: impl Strategy<Value = f64> + 'static) -> impl Strategy<Value = Vec<(f64, f64)>> {
    let values = values.boxed();
    prop::collection::vec((values.clone(), values), 0..40)
}

fn any_finite() -> impl Strategy<Value = f64> {
    prop::num::f64::NORMAL | prop::num::f64::SUBNORMAL | prop::num::f64::ZERO
}

type Correlation = fn(&[f64], &[f64]) -> Result<f64, Error>;

const SYMMETRIC: [Correlation; 6] = [pearson, spearman, tau_a, tau_b, tau_ap_b, tau_ap_symmetric];

proptest! {
    #[test]
    fn in_range_and_symmetric_for_any_values(pairs in pairs(any_finite())) {
        let (x, y): (Vec<f64>, Vec<f64>) = pairs.into_iter().unzip();
        for correlation in SYMMETRIC {
            let forward = correlation(&x, &y);
            if let Ok(value) = forward {
                prop_assert!((-1.0..=1.0).contains(&value), "{value}");
                prop_assert!((correlation(&y, &x).unwrap() - value).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn the_order_of_the_items_does_not_matter(
        pairs in pairs((0..8).prop_map(f64::from)),
        seed: u64,
    ) {
        let mut shuffled = pairs.clone();
        crate::rng::Rng::seeded(seed).shuffle(&mut shuffled);
        let (x, y): (Vec<f64>, Vec<f64>) = pairs.into_iter().unzip();
        let (u, v): (Vec<f64>, Vec<f64>) = shuffled.into_iter().unzip();
        prop_assert_eq!(pair_counts(&x, &y), pair_counts(&u, &v));
        for correlation in SYMMETRIC {
            match (correlation(&x, &y), correlation(&u, &v)) {
                (Ok(a), Ok(b)) => prop_assert!((a - b).abs() < 1e-12),
                (a, b) => prop_assert!(a.is_err() && b.is_err()),
            }
        }
    }

    #[test]
    fn counting_by_sorting_is_counting(pairs in pairs((0..6).prop_map(f64::from))) {
        let (x, y): (Vec<f64>, Vec<f64>) = pairs.into_iter().unzip();
        let mut counts = PairCounts { concordant: 0, discordant: 0, tied_x: 0, tied_y: 0, tied_both: 0 };
        for i in 0..x.len() {
            for j in 0..i {
                let (dx, dy) = (x[i] - x[j], y[i] - y[j]);
                counts.concordant += u64::from(dx * dy > 0.0);
                counts.discordant += u64::from(dx * dy < 0.0);
                counts.tied_x += u64::from(dx == 0.0);
                counts.tied_y += u64::from(dy == 0.0);
                counts.tied_both += u64::from(dx == 0.0 && dy == 0.0);
            }
        }
        prop_assert_eq!(pair_counts(&x, &y), Ok(counts));
    }

    #[test]
    fn overlap_is_ordered_and_symmetric(
        first in prop::collection::hash_set(0_u8..30, 1..20),
        second in prop::collection::hash_set(0_u8..30, 1..20),
        p in 0.01..0.99_f64,
    ) {
        let (first, second): (Vec<u8>, Vec<u8>) = (first.into_iter().collect(), second.into_iter().collect());
        let overlap = rbo(&first, &second, p).unwrap();
        prop_assert!(0.0 <= overlap.min && overlap.min <= overlap.extrapolated + 1e-12);
        prop_assert!(overlap.extrapolated <= overlap.min + overlap.residual + 1e-12);
        prop_assert!(overlap.min + overlap.residual <= 1.0 + 1e-12);
        prop_assert_eq!(rbo(&second, &first, p).unwrap(), overlap);
        prop_assert!((rbo(&first, &first, p).unwrap().extrapolated - 1.0).abs() < 1e-12);
    }
}
