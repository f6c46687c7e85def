//! Worked cases, other programs' numbers, and what must hold for any ratings.

use proptest::prelude::*;

use super::*;
use crate::Error;

const A: [i32; 10] = [3, 2, 1, 0, 0, 3, 2, 0, 1, 0];
const B: [i32; 10] = [3, 1, 1, 0, 0, 2, 2, 0, 0, 0];

#[track_caller]
fn close(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() < tolerance, "{found} is not {expected}");
}

#[track_caller]
fn kappa(found: Result<Kappa, Error>, observed: f64, expected: f64, kappa: f64) {
    let found = found.unwrap();
    close(found.observed, observed, 5e-7);
    close(found.expected, expected, 5e-7);
    close(found.kappa, kappa, 5e-7);
}

#[test]
fn cohen_worked_cases() {
    kappa(cohen_kappa(&A, &B), 0.7, 0.30, 0.571429);
    kappa(cohen_kappa_at(&A, &B, &2), 0.9, 0.54, 0.782609);
    kappa(cohen_kappa_at(&A, &B, &1), 0.9, 0.50, 0.8);
    kappa(cohen_kappa(&[0, 1, 0, 1], &[1, 0, 1, 0]), 0.0, 0.5, -1.0);
    kappa(cohen_kappa(&[0, 0, 1, 1], &[0, 0, 0, 1]), 0.75, 0.5, 0.5);
}

/// scikit-learn 1.9.1, `metrics.cohen_kappa_score`.
#[test]
fn weighted_kappa_agrees_with_scikit_learn() {
    close(weighted_kappa(&A, &B, Distance::Linear).unwrap().kappa, 0.7540983606557377, 1e-12);
    close(weighted_kappa(&A, &B, Distance::Quadratic).unwrap().kappa, 0.8818897637795275, 1e-12);
}

/// The example of Fleiss (1971) as often printed; statsmodels 0.15.0, `stats.inter_rater.fleiss_kappa`.
#[test]
fn fleiss_agrees_with_statsmodels() {
    let counts = [
        [0, 0, 0, 0, 14],
        [0, 2, 6, 4, 2],
        [0, 0, 3, 5, 6],
        [0, 3, 9, 2, 0],
        [2, 2, 8, 1, 1],
        [7, 7, 0, 0, 0],
        [3, 2, 6, 3, 0],
        [2, 5, 3, 2, 2],
        [6, 5, 2, 1, 0],
        [0, 2, 2, 3, 7],
    ];
    close(fleiss_kappa(&counts).unwrap(), 0.20993070442195522, 1e-12);
}

const LEVELS: [Level; 3] = [Level::Nominal, Level::Ordinal, Level::Interval];

/// One character for each rating, a dash for a gap.
fn ratings(rows: &[&str]) -> Vec<Vec<Option<f64>>> {
    rows.iter().map(|row| row.chars().map(|c| c.to_digit(10).map(f64::from)).collect()).collect()
}

/// krippendorff 0.9.0 (Python), `alpha`.
#[test]
fn alpha_agrees_with_the_python_package() {
    let with_gaps = ratings(&["-----34121133-3", "1-213343-------", "--21344-21133-4"]);
    let expected = [0.691358024691358, 0.8067214199413153, 0.8108448928121059];
    for (level, expected) in LEVELS.into_iter().zip(expected) {
        close(krippendorff_alpha(&with_gaps, level).unwrap(), expected, 1e-12);
    }
    let four = ratings(&["0123210-", "01331-02", "112-2102", "0223211-"]);
    let expected = [0.5263157894736842, 0.8186776491540516, 0.8192771084337349];
    for (level, expected) in LEVELS.into_iter().zip(expected) {
        close(krippendorff_alpha(&four, level).unwrap(), expected, 1e-12);
    }
}

#[test]
fn degenerate_ratings_have_an_outcome() {
    assert_eq!(cohen_kappa(&[1, 1], &[1, 1]), Err(Error::NoVariation));
    assert_eq!(cohen_kappa::<u8>(&[], &[]), Err(Error::TooFew { needed: 1, found: 0 }));
    assert_eq!(cohen_kappa(&[1], &[1, 2]), Err(Error::UnequalLengths { left: 1, right: 2 }));
    kappa(cohen_kappa(&[1, 1], &[2, 2]), 0.0, 0.0, 0.0);
    kappa(weighted_kappa(&[i32::MIN, 0], &[i32::MAX, 0], Distance::Quadratic), 0.5, 0.625, -1.0 / 3.0);
    assert_eq!(fleiss_kappa(&[[2, 0], [2, 0]]), Err(Error::NoVariation));
    assert_eq!(fleiss_kappa(&[[1, 1], [2, 1]]), Err(Error::UnequalRaters { item: 1, expected: 2, found: 3 }));
    assert_eq!(fleiss_kappa(&[[1, 0]]), Err(Error::TooFew { needed: 2, found: 1 }));
    assert_eq!(fleiss_kappa::<[u32; 2]>(&[]), Err(Error::TooFew { needed: 1, found: 0 }));
    for level in LEVELS {
        assert_eq!(
            krippendorff_alpha(&ratings(&["12-", "--3"]), level),
            Err(Error::TooFew { needed: 2, found: 0 })
        );
        assert_eq!(krippendorff_alpha(&ratings(&["11", "11"]), level), Err(Error::NoVariation));
        assert_eq!(
            krippendorff_alpha(&ratings(&["1", "11"]), level),
            Err(Error::UnequalLengths { left: 1, right: 2 })
        );
        assert!(krippendorff_alpha(&[[Some(f64::NAN)], [Some(1.0)]], level).is_err());
    }
}

fn any_rating() -> impl Strategy<Value = Option<f64>> {
    let value = prop::num::f64::NORMAL | prop::num::f64::SUBNORMAL | prop::num::f64::ZERO;
    prop::option::of(prop_oneof![(0_u8..4).prop_map(f64::from), value])
}

proptest! {
    #[test]
    fn kappa_is_symmetric_and_in_range(pairs in prop::collection::vec((-2_i32..4, -2_i32..4), 1..40)) {
        let (a, b): (Vec<i32>, Vec<i32>) = pairs.into_iter().unzip();
        let found = [
            (cohen_kappa(&a, &b), cohen_kappa(&b, &a)),
            (weighted_kappa(&a, &b, Distance::Linear), weighted_kappa(&b, &a, Distance::Linear)),
            (weighted_kappa(&a, &b, Distance::Quadratic), weighted_kappa(&b, &a, Distance::Quadratic)),
        ];
        for (forward, backward) in found {
            if let Ok(value) = forward {
                prop_assert!((-1.0 - 1e-12..=1.0).contains(&value.kappa));
                prop_assert!((backward.unwrap().kappa - value.kappa).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn alpha_ignores_the_order_of_raters_and_items(
        mut rows in prop::collection::vec(prop::collection::vec(any_rating(), 6), 0..5),
    ) {
        for level in LEVELS {
            let forward = krippendorff_alpha(&rows, level);
            rows.reverse();
            for row in &mut rows {
                row.reverse();
            }
            let backward = krippendorff_alpha(&rows, level);
            match (forward, backward) {
                (Ok(a), Ok(b)) => {
                    prop_assert!(a <= 1.0 && a.is_finite());
                    prop_assert!((a - b).abs() < 1e-9);
                }
                (a, b) => prop_assert!(a.is_err() && b.is_err()),
            }
        }
    }

    #[test]
    fn fleiss_is_at_most_one(rows in prop::collection::vec(prop::collection::vec(0_u32..5, 3), 0..8)) {
        if let Ok(kappa) = fleiss_kappa(&rows) {
            prop_assert!((-1.0..=1.0).contains(&kappa));
        }
    }
}
