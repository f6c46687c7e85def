//! The best and worst order of ties against all orders.

use super::{MANY, for_each_order};
use crate::measure::testing::{measure, topic};
use crate::{JudgedGrades, Measure, Ranked, ResultGrade};
use proptest::prelude::*;
use std::cmp::Ordering;
use std::ops::Range;

/// The lowest and highest value over all orders within groups.
fn over_all_orders(
    measure: &Measure,
    verdicts: &mut [ResultGrade],
    groups: &[Range<usize>],
    pool: &JudgedGrades,
) -> (f64, f64) {
    let Some((group, rest)) = groups.split_first() else {
        let value = measure.score(Ranked { grades: verdicts, judged: pool });
        return (value, value);
    };
    let (mut lowest, mut highest) = (f64::INFINITY, f64::NEG_INFINITY);
    for_each_order(verdicts, group.start, group.end, &mut |verdicts| {
        let (low, high) = over_all_orders(measure, verdicts, rest, pool);
        lowest = lowest.min(low);
        highest = highest.max(high);
    });
    (lowest, highest)
}

fn one(group: Range<usize>) -> Vec<Range<usize>> {
    std::iter::once(group).collect()
}

fn check_all(verdicts: &[ResultGrade], groups: &[Range<usize>], pool: &JudgedGrades) {
    for name in MANY.split_whitespace() {
        let measure = measure(name);
        let (lowest, highest) = over_all_orders(&measure, &mut verdicts.to_vec(), groups, pool);
        let found_lowest = measure.lowest_over_ties(verdicts, groups, pool);
        let found_highest = measure.highest_over_ties(verdicts, groups, pool);
        assert!((found_lowest - lowest).abs() < 1e-12, "{name}: lowest {found_lowest}, not {lowest}");
        assert!((found_highest - highest).abs() < 1e-12, "{name}: highest {found_highest}, not {highest}");
    }
}

#[test]
fn a_tie_of_everything() {
    let (verdicts, pool) = topic("a:3 b:0 c:1 d:-1 e:2 f:1", "x a d b c");
    check_all(&verdicts, &one(0..verdicts.len()), &pool);
}

#[test]
fn pooled_results_may_help_those_below_them() {
    let (verdicts, pool) = topic("a:1 b:1 c:-1 d:-1", "a x y z b c d");
    check_all(&verdicts, &one(4..7), &pool);
}

#[test]
fn groups_beyond_the_end_are_cut() {
    let (verdicts, pool) = topic("a:1 b:0", "b a");
    assert_eq!(measure("AP").highest_over_ties(&verdicts, &[0..9, 8..9], &pool), 1.0);
    assert_eq!(measure("AP").lowest_over_ties(&[], &one(0..9), &pool), 0.0);
}

#[test]
fn order_of_benefit() {
    let [relevant, other] = [1, 0].map(ResultGrade::graded);
    let order = |name, first, second| measure(name).benefit_order(first, second);
    assert_eq!(order("bpref", relevant, ResultGrade::UNJUDGED), Ordering::Less);
    assert_eq!(order("bpref", ResultGrade::UNJUDGED, other), Ordering::Less);
    assert_eq!(order("Judged@1", ResultGrade::UNJUDGED, other), Ordering::Greater);
    assert_eq!(order("AP(rel=2)", relevant, other), Ordering::Equal);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_ties(
        grades in prop::collection::vec(-2..4i32, 1..8),
        missing in prop::collection::vec(0..4i32, 0..3),
        cuts in prop::collection::vec(0..8usize, 1..3),
    ) {
        let verdict = |grade: &i32| if *grade == -2 { ResultGrade::UNJUDGED } else { ResultGrade::graded(*grade) };
        let verdicts: Vec<_> = grades.iter().map(verdict).collect();
        let pool = JudgedGrades::new(grades.iter().chain(&missing).copied().collect());
        let mut cuts: Vec<_> = cuts.iter().map(|cut| *cut.min(&grades.len())).collect();
        cuts.push(grades.len());
        cuts.sort_unstable();
        let mut groups = one(0..cuts[0].min(5));
        groups.extend(cuts.windows(2).map(|pair| pair[0]..pair[1].min(pair[0] + 4)));
        check_all(&verdicts, &groups, &pool);
    }
}
