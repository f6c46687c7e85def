//! Against scipy, at the ends of the ranges, and over arbitrary arguments.
//!
//! References: scipy 1.17.1 (`stats.norm`, `t`, `f`, `binom`, `studentized_range`);
//! the noncentral t by mpmath 1.4.1 quadrature with 30 digits.

use proptest::prelude::*;

use super::*;

#[track_caller]
fn close(found: Result<f64, Error>, expected: f64, relative: f64) {
    let found = found.unwrap();
    assert!((found - expected).abs() <= relative * expected.abs(), "{found:e} is not {expected:e}");
}

#[test]
fn normal_agrees_with_scipy() {
    for (z, expected) in [
        (-37.0, 5.7255712225239266e-300),
        (-8.5, 9.47953482220325e-18),
        (-1.96, 0.024997895148220435),
        (0.0, 0.5),
        (0.3, 0.6179114221889526),
        (2.5, 0.9937903346742238),
    ] {
        close(normal_cdf(z), expected, 1e-12);
    }
    for (probability, expected) in [
        (1e-300, -37.0470962993612),
        (1e-10, -6.361340902404056),
        (0.025, -1.9599639845400545),
        (0.3, -0.5244005127080409),
        (0.5, 0.0),
        (0.975, 1.959963984540054),
        (0.999999, 4.753424308817087),
    ] {
        close(normal_quantile(probability), expected, 1e-12);
    }
}

#[test]
fn student_t_agrees_with_scipy() {
    for (t, degrees, expected) in [
        (1.6666666666666667, 3.0, 0.19417134561205848),
        (0.001, 5.0, 0.9992407867721976),
        (12.7062, 1.0, 0.0500000185607104),
        (40.0, 20.0, 1.457469655431075e-20),
        (2.5, 99.0, 0.014062596921149069),
        (3.0, 2.5, 0.07257609554903183),
        (4.0, 100_000.0, 6.338799755719541e-05),
    ] {
        close(student_t_two_sided(t, degrees), expected, 1e-10);
        close(student_t_cdf(-t, degrees), 0.5 * expected, 1e-10);
        close(student_t_cdf(t, degrees), 1.0 - 0.5 * expected, 1e-12);
    }
    for (probability, degrees, expected) in [
        (0.975, 1.0, 12.706204736174694),
        (0.975, 3.0, 3.1824463052837078),
        (0.95, 77.0, 1.6648845372582053),
        (0.0005, 10.0, -4.586893858702636),
        (1e-12, 4.0, -1316.0727465592565),
        (0.6, 0.5, 0.3979754267847907),
    ] {
        close(student_t_quantile(probability, degrees), expected, 1e-10);
    }
}

#[test]
fn f_and_binomial_agree_with_scipy() {
    close(f_survival(4.2, 3.0, 21.0), 0.01780530077699529, 1e-11);
    close(f_survival(0.5, 2.0, 6.0), 0.629737609329446, 1e-11);
    close(f_survival(90.0, 5.0, 300.0), 1.333533283627139e-57, 1e-10);
    close(binomial_cdf(0, 5, 0.5), 0.03125, 1e-12);
    close(binomial_cdf(3, 10, 0.5), 0.171875, 1e-12);
    close(binomial_cdf(37, 78, 0.5), 0.3671710165149233, 1e-11);
    close(binomial_cdf(400, 1000, 0.45), 0.0007933693696643445, 1e-10);
    close(binomial_cdf(2, 7, 0.9), 0.00017649999999999982, 1e-11);
    assert_eq!(binomial_cdf(0, 0, 0.5), Ok(1.0));
    assert_eq!(binomial_cdf(3, 5, 0.0), Ok(1.0));
    assert_eq!(binomial_cdf(3, 5, 1.0), Ok(0.0));
}

#[test]
fn noncentral_t_agrees_with_quadrature_in_thirty_digits() {
    for (t, degrees, noncentrality, expected) in [
        (2.0, 10, 1.5, 0.6591540724421908),
        (-2.0, 10, 1.5, 0.0007347489962543645),
        (12.7, 1, 3.0, 0.8138032180076041),
        (1.99, 77, 2.5, 0.3050271382121519),
        (0.0, 5, -1.0, 0.8413447460685429),
        (5.0, 30, 7.0, 0.04357315505266112),
    ] {
        close(noncentral_t_below(t, degrees, noncentrality), expected, 1e-11);
    }
}

#[test]
fn studentized_range_agrees_with_scipy() {
    for (q, groups, degrees, expected) in [
        (3.5, 3, 10, 0.9228966891615896),
        (3.877676, 3, 10, 0.9500519865380878),
        (1.0, 5, 20, 0.04754263312149756),
        (17.97, 2, 1, 0.9500019755363656),
        (5.0, 10, 60, 0.9747157802409215),
        (4.2, 30, 2000, 0.5916444452337811),
        (0.1, 2, 5, 0.053630872763330034),
        (40.0, 4, 2, 0.9968754554239423),
    ] {
        close(studentized_range_below(q, groups, degrees), expected, 1e-9);
    }
    for (probability, groups, degrees, expected) in [
        (0.95, 3, 10, 3.876776750013158),
        (0.99, 6, 30, 5.2418260487801005),
        (0.9, 14, 1001, 4.420652149392753),
        (0.95, 2, 5, 3.63535169514679),
        (0.95, 50, 500, 5.683595422766955),
    ] {
        close(studentized_range_quantile(probability, groups, degrees), expected, 1e-8);
    }
}

#[test]
fn arguments_out_of_range_are_named() {
    assert!(normal_cdf(f64::NAN).is_err());
    assert!(normal_quantile(1.0).is_err());
    assert!(student_t_cdf(1.0, 0.0).is_err());
    assert!(student_t_cdf(1.0, f64::INFINITY).is_err());
    assert!(binomial_cdf(1, 2, 1.5).is_err());
    assert!(noncentral_t_below(f64::INFINITY, 3, 0.0).is_err());
    assert_eq!(studentized_range_below(1.0, 1, 3), Err(Error::TooFew { needed: 2, found: 1 }));
    assert!(studentized_range_quantile(0.95, 3, 0).is_err());
    assert_eq!(student_t_quantile(1e-300, 0.5), Err(Error::TooLarge));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn probabilities_for_any_arguments(x in prop::num::f64::ANY, degrees in 1e-3..1e6_f64, other in 1e-3..1e6_f64) {
        for value in [normal_cdf(x), student_t_cdf(x, degrees), f_survival(x, degrees, other)].into_iter().flatten() {
            prop_assert!((0.0..=1.0).contains(&value));
        }
    }

    #[test]
    fn averages_for_any_arguments(
        x in prop::num::f64::NORMAL | prop::num::f64::ZERO,
        shift in prop::num::f64::NORMAL | prop::num::f64::ZERO,
        degrees in 1_u32..,
        groups in 2_u32..,
    ) {
        prop_assert!((0.0..=1.0).contains(&noncentral_t_below(x, degrees, shift).unwrap()));
        prop_assert!((0.0..=1.0).contains(&studentized_range_below(x, groups, degrees).unwrap()));
    }

    #[test]
    fn the_central_case_is_students(t in -50.0..50.0_f64, degrees in 1_u32..300) {
        let central = student_t_cdf(t, f64::from(degrees)).unwrap();
        prop_assert!((noncentral_t_below(t, degrees, 0.0).unwrap() - central).abs() < 1e-10);
        // Two groups: Q = √2·|T|.
        let range = studentized_range_below(t.abs() * 2.0_f64.sqrt(), 2, degrees).unwrap();
        prop_assert!((range - (2.0 * central - 1.0).abs()).abs() < 1e-10);
    }

    #[test]
    fn quantiles_undo_the_distribution(probability in 1e-9..0.999_999_f64, degrees in 0.5..500.0_f64) {
        let t = student_t_quantile(probability, degrees).unwrap();
        prop_assert!((student_t_cdf(t, degrees).unwrap() / probability - 1.0).abs() < 1e-9);
        let z = normal_quantile(probability).unwrap();
        prop_assert!((normal_cdf(z).unwrap() / probability - 1.0).abs() < 1e-9);
    }

    #[test]
    fn the_binomial_sums_its_terms(trials in 1_u64..60, chance in 0.01..0.99_f64) {
        let mut term = (1.0 - chance).powi(trials as i32);
        let mut sum = 0.0;
        for successes in 0..trials {
            sum += term;
            term *= chance / (1.0 - chance) * (trials - successes) as f64 / (successes + 1) as f64;
            prop_assert!((binomial_cdf(successes, trials, chance).unwrap() - sum).abs() < 1e-11);
        }
    }
}
