//! The correlations of measures that the overview of ARQMath-3 prints for Task 3.
//!
//! The scores are the fourteen rows of its result table, as printed with three
//! digits: the run of GPT-3 first, then the thirteen runs of teams and baselines.
//! The published Kendall is tau-b. Without GPT-3 the automatic measures agree
//! far better with the assessors.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail by panicking, as tests do")]

use stats::correlation::{pearson, tau_a, tau_b};

/// Mean grade, share of relevant answers, lexical overlap, contextual similarity.
const TABLE: [[f64; 4]; 14] = [
    [1.346, 0.500, 0.317, 0.851],
    [1.282, 0.436, 0.509, 0.886],
    [1.231, 0.397, 0.515, 0.886],
    [1.179, 0.372, 0.467, 0.879],
    [1.115, 0.321, 0.427, 0.868],
    [0.949, 0.282, 0.444, 0.873],
    [0.462, 0.154, 0.330, 0.846],
    [0.449, 0.154, 0.329, 0.846],
    [0.423, 0.128, 0.325, 0.852],
    [0.385, 0.103, 0.323, 0.851],
    [0.325, 0.078, 0.263, 0.835],
    [0.244, 0.064, 0.248, 0.806],
    [0.231, 0.051, 0.254, 0.813],
    [0.205, 0.026, 0.239, 0.820],
];

const AR: usize = 0;
const P_AT_1: usize = 1;
const LO: usize = 2;
const CS: usize = 3;

/// Two measures, then Pearson, tau-b and tau-a of all rows, then Pearson and tau-b without GPT-3.
const PRINTED: [(usize, usize, [f64; 5]); 6] = [
    (AR, P_AT_1, [0.989, 0.994, 0.989, 0.993, 0.994]),
    (AR, LO, [0.837, 0.736, 0.736, 0.979, 0.923]),
    (AR, CS, [0.839, 0.670, 0.659, 0.921, 0.779]),
    (P_AT_1, LO, [0.787, 0.729, 0.725, 0.986, 0.916]),
    (P_AT_1, CS, [0.802, 0.674, 0.659, 0.927, 0.784]),
    (LO, CS, [0.952, 0.805, 0.791, 0.959, 0.831]),
];

fn column(rows: &[[f64; 4]], measure: usize) -> Vec<f64> {
    rows.iter().map(|row| row[measure]).collect()
}

#[test]
fn correlations_round_to_the_printed_digits() {
    for (first, second, expected) in PRINTED {
        let (x, y) = (column(&TABLE, first), column(&TABLE, second));
        let (u, v) = (column(&TABLE[1..], first), column(&TABLE[1..], second));
        let found = [pearson(&x, &y), tau_b(&x, &y), tau_a(&x, &y), pearson(&u, &v), tau_b(&u, &v)];
        let rounded = found.map(|value| (value.unwrap() * 1000.0).round() / 1000.0);
        assert_eq!(rounded, expected, "measures {first} and {second}");
    }
}
