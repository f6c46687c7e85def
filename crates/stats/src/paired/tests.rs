//! Worked cases, scipy's numbers, and what must hold for any scores.

use proptest::prelude::*;

use super::*;

const X: [f64; 10] = [0.91, 0.42, 0.37, 0.68, 0.55, 0.23, 0.79, 0.14, 0.60, 0.33];
const Y: [f64; 10] = [0.85, 0.50, 0.30, 0.59, 0.42, 0.28, 0.61, 0.18, 0.35, 0.32];

const RESAMPLING: Resampling = Resampling { resamples: 20_000, seed: 1 };

#[track_caller]
fn close(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() < tolerance, "{found} is not {expected}");
}

/// Sixty topics, with ties among the differences.
fn sixty() -> (Vec<f64>, Vec<f64>) {
    (1..=60).map(|i| (f64::from(i * 37 % 101) / 100.0, f64::from(i * 53 % 97) / 100.0)).unzip()
}

#[test]
fn t_test_worked_case() {
    let test = t_test(&[0.5, 0.6, 0.7, 0.2], &[0.4, 0.5, 0.75, 0.1]).unwrap();
    close(test.t, 1.666667, 5e-7);
    close(test.p_value, 0.194171, 5e-7);
    close(test.mean_difference, 0.0625, 1e-15);
    assert_eq!(test.degrees_of_freedom, 3);
}

/// scipy 1.17.1, `stats.ttest_rel`.
#[test]
fn t_test_agrees_with_scipy() {
    let test = t_test(&X, &Y).unwrap();
    close(test.t, 1.8548137720208688, 1e-12);
    close(test.p_value, 0.09660795179148346, 1e-12);
    let (x, y) = sixty();
    close(t_test(&x, &y).unwrap().t, 0.9051679595121673, 1e-12);
    close(t_test(&x, &y).unwrap().p_value, 0.36905797711646304, 1e-12);
}

/// scipy 1.17.1, `stats.wilcoxon` with `zero_method="wilcox"`, `correction=False`,
/// `method="exact"` without ties and `"asymptotic"` with ties or zeros.
#[test]
fn wilcoxon_agrees_with_scipy() {
    let exact = wilcoxon(&X, &Y).unwrap();
    assert_eq!((exact.statistic(), exact.method), (11.0, PValueMethod::Exact));
    close(exact.p_value, 0.10546875, 1e-14);

    let left = [5.0, 3.0, 4.0, 4.0, 2.0, 6.0, 7.0, 1.0, 3.0, 5.0, 8.0, 2.0, 4.0, 6.0];
    let right = [3.0, 3.0, 5.0, 2.0, 1.0, 4.0, 4.0, 2.0, 3.0, 1.0, 6.0, 1.0, 5.0, 3.0];
    let tied = wilcoxon(&left, &right).unwrap();
    assert_eq!((tied.statistic(), tied.ranked), (9.0, 12));
    assert_eq!(tied.method, PValueMethod::NormalApproximation);
    close(tied.p_value, 0.017220518332052504, 1e-13);

    let (mut x, mut y) = sixty();
    let many = wilcoxon(&x, &y).unwrap();
    assert_eq!((many.statistic(), many.method), (793.5, PValueMethod::NormalApproximation));
    close(many.p_value, 0.37108445791008227, 1e-12);

    // A little added to each breaks the ties.
    x.truncate(48);
    y.truncate(48);
    for (place, value) in x.iter_mut().enumerate() {
        *value += (place + 1) as f64 * 1e-5;
    }
    let largest = wilcoxon(&x, &y).unwrap();
    assert_eq!((largest.statistic(), largest.method), (504.0, PValueMethod::Exact));
    close(largest.p_value, 0.39513614945320796, 1e-12);
}

/// scipy 1.17.1, `stats.binomtest`.
#[test]
fn sign_test_agrees_with_scipy() {
    let test = sign_test(&X, &Y).unwrap();
    assert_eq!((test.left_wins, test.right_wins, test.ties), (7, 3, 0));
    close(test.p_value, 0.34375, 1e-13);
    assert_eq!(sign_test(&[1.0, 2.0], &[0.0, 2.0]).unwrap().ties, 1);
}

/// scipy 1.17.1, `stats.permutation_test` over all sign patterns.
#[test]
fn exact_randomisation_agrees_with_scipy() {
    let test = randomisation_test(&X, &Y, &RESAMPLING).unwrap();
    assert_eq!(test.method, PValueMethod::Exact);
    close(test.p_value, 0.1015625, 1e-14);
}

/// numpy 2.4.6, 200,000 random sign patterns or samples; one standard error is 0.001 there, 0.0034 here.
#[test]
fn random_resampling_agrees_with_numpy_up_to_chance() {
    let (x, y) = sixty();
    let test = randomisation_test(&x, &y, &RESAMPLING).unwrap();
    assert_eq!(test.method, PValueMethod::MonteCarlo { resamples: 20_000 });
    close(test.p_value, 0.3696, 0.012);
    close(bootstrap_test(&x, &y, &RESAMPLING).unwrap().p_value, 0.3618, 0.012);
    assert_eq!(randomisation_test(&x, &y, &RESAMPLING), Ok(test));
    let other = Resampling { seed: 2, ..RESAMPLING };
    assert_ne!(randomisation_test(&x, &y, &other), Ok(test));
}

#[test]
fn the_smallest_p_value_of_a_random_test_is_not_zero() {
    let left: Vec<f64> = (0..30).map(|i| f64::from(i) + 100.0).collect();
    let right: Vec<f64> = (0..30).map(|i| f64::from(i % 3)).collect();
    let few = Resampling { resamples: 99, seed: 1 };
    assert_eq!(randomisation_test(&left, &right, &few).unwrap().p_value, 0.01);
    assert_eq!(bootstrap_test(&left, &right, &few).unwrap().p_value, 0.01);
}

/// The formulas with numpy 2.4.6; the rank correlation is RBC of pingouin 0.7.0, `wilcoxon`.
#[test]
fn effect_sizes_agree_with_numpy() {
    close(cohen_d_z(&X, &Y).unwrap(), 0.5865436155034238, 1e-13);
    close(cohen_d_av(&X, &Y).unwrap(), 0.27723856657249724, 1e-13);
    close(hedges_g_z(&X, &Y).unwrap(), 0.5362684484602732, 1e-13);
    close(hedges_g_av(&X, &Y).unwrap(), 0.2534752608662832, 1e-13);
    close(rank_biserial(&X, &Y).unwrap(), 0.6, 1e-13);
}

#[test]
fn degenerate_pairs_have_an_outcome() {
    let unequal = Error::UnequalLengths { left: 2, right: 1 };
    assert_eq!(t_test(&[1.0, 2.0], &[1.0]), Err(unequal.clone()));
    assert_eq!(wilcoxon(&[1.0, 2.0], &[1.0]), Err(unequal.clone()));
    assert_eq!(sign_test(&[1.0, 2.0], &[1.0]), Err(unequal.clone()));
    assert_eq!(randomisation_test(&[1.0, 2.0], &[1.0], &RESAMPLING), Err(unequal));

    assert_eq!(t_test(&[1.0], &[2.0]), Err(Error::TooFew { needed: 2, found: 1 }));
    assert_eq!(wilcoxon(&[], &[]), Err(Error::TooFew { needed: 1, found: 0 }));
    assert_eq!(wilcoxon(&[1.0], &[2.0]).unwrap().p_value, 1.0);
    assert_eq!(sign_test(&[1.0], &[2.0]).unwrap().p_value, 1.0);

    assert_eq!(t_test(&X, &X), Err(Error::NoDifference));
    assert_eq!(wilcoxon(&X, &X), Err(Error::NoDifference));
    assert_eq!(cohen_d_z(&X, &X), Err(Error::NoDifference));
    assert_eq!(cohen_d_av(&X, &X), Ok(0.0));
    assert_eq!(sign_test(&X, &X).unwrap().p_value, 1.0);
    assert_eq!(randomisation_test(&X, &X, &RESAMPLING).unwrap().p_value, 1.0);

    assert_eq!(t_test(&[2.0, 3.0], &[1.0, 2.0]), Err(Error::NoVariation));
    let none = Resampling { resamples: 0, seed: 1 };
    assert!(randomisation_test(&X, &Y, &none).is_err() && bootstrap_test(&X, &Y, &none).is_err());
    assert_eq!(t_test(&[1e308, 0.0], &[-1e308, 0.0]), Err(Error::TooLarge));
}

/// 0.5 − 0.4, 0.6 − 0.5 and 0.8 − 0.7 differ only by rounding.
#[test]
fn rounding_is_not_variation() {
    assert_eq!(t_test(&[0.5, 0.6, 0.8], &[0.4, 0.5, 0.7]), Err(Error::NoVariation));
}

fn any_finite() -> impl Strategy<Value = f64> {
    prop::num::f64::NORMAL | prop::num::f64::SUBNORMAL | prop::num::f64::ZERO
}

/// The p-values of all tests that have one.
fn p_values(left: &[f64], right: &[f64]) -> Vec<f64> {
    let resampling = Resampling { resamples: 40, seed: 9 };
    [
        t_test(left, right).map(|test| test.p_value),
        wilcoxon(left, right).map(|test| test.p_value),
        sign_test(left, right).map(|test| test.p_value),
        randomisation_test(left, right, &resampling).map(|test| test.p_value),
        bootstrap_test(left, right, &resampling).map(|test| test.p_value),
    ]
    .into_iter()
    .flatten()
    .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn any_finite_scores_give_p_values_in_range(pairs in prop::collection::vec((any_finite(), any_finite()), 0..30)) {
        let (left, right): (Vec<f64>, Vec<f64>) = pairs.into_iter().unzip();
        for p in p_values(&left, &right) {
            prop_assert!((0.0..=1.0).contains(&p));
        }
        for effect in [cohen_d_z, cohen_d_av, hedges_g_z, hedges_g_av, rank_biserial] {
            if let Ok(effect) = effect(&left, &right) {
                prop_assert!(effect.is_finite());
            }
        }
    }

    #[test]
    fn exchanging_the_systems_keeps_the_p_values(pairs in prop::collection::vec((0.0..1.0_f64, 0.0..1.0_f64), 2..14)) {
        let (left, right): (Vec<f64>, Vec<f64>) = pairs.into_iter().unzip();
        let (forward, backward) = (p_values(&left, &right), p_values(&right, &left));
        prop_assert_eq!(forward.len(), backward.len());
        for (a, b) in forward.iter().zip(&backward) {
            prop_assert!((a - b).abs() < 1e-9);
        }
    }

    #[test]
    fn the_order_of_topics_does_not_matter_to_exact_tests(
        mut pairs in prop::collection::vec((0.0..1.0_f64, 0.0..1.0_f64), 2..14),
    ) {
        let (left, right): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
        pairs.reverse();
        let (left_reversed, right_reversed): (Vec<f64>, Vec<f64>) = pairs.into_iter().unzip();
        let (forward, backward) = (p_values(&left, &right), p_values(&left_reversed, &right_reversed));
        for (a, b) in forward.iter().zip(&backward).take(4) {
            prop_assert!((a - b).abs() < 1e-9);
        }
    }
}
