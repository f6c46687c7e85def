//! Expected values against the mean over all orders.

use super::{MANY, for_each_order};
use crate::measure::testing::{measure, topic};
use crate::{JudgedGrades, Ranked, ResultGrade};

/// Grades in every mixture of up to six items.
fn pools() -> impl Iterator<Item = JudgedGrades> {
    let fixed: [&[i32]; 10] = [
        &[],
        &[0],
        &[2],
        &[3, 0],
        &[0, 0, 0],
        &[2, 2, 2],
        &[3, 2, 0, 0],
        &[1, 0, 0, 0, 0],
        &[3, 3, 1, 1, 0],
        &[3, 2, 1, 1, 0, 0],
    ];
    fixed.into_iter().map(|grades| JudgedGrades::new(grades.to_vec()))
}

#[test]
fn expected_values_are_means_over_all_orders() {
    let mut exact = 0;
    for pool in pools() {
        let mut items: Vec<_> = pool.grades().iter().map(|grade| ResultGrade::graded(*grade)).collect();
        for name in MANY.split_whitespace() {
            let measure = measure(name);
            let Some(found) = measure.random_order_expectation(&pool) else { continue };
            let (mut sum, mut count) = (0.0, 0.0);
            let end = items.len();
            for_each_order(&mut items, 0, end, &mut |verdicts| {
                sum += measure.score(Ranked { grades: verdicts, judged: &pool });
                count += 1.0;
            });
            let expected = sum / count;
            assert!((found - expected).abs() < 1e-12, "{name} of {pool:?}: {found}, not {expected}");
            exact += 1;
        }
    }
    assert!(exact > 400, "{exact}");
}

#[test]
fn where_there_is_no_formula_nothing_is_said() {
    let pool = JudgedGrades::new(vec![1, 0]);
    for name in ["infAP", "ERR@20", "IPrec@0.1", "11ptAvg"] {
        assert_eq!(measure(name).random_order_expectation(&pool), None, "{name}");
    }
}

#[test]
fn adjusted_for_chance() {
    let adjusted = |qrels, value| measure("nDCG'").chance_adjusted(value, &topic(qrels, "").1);
    assert!((adjusted("a:3 b:2 c:0 d:0", 0.5).unwrap() + 1.010593).abs() < 5e-7);
    assert_eq!(adjusted("a:3 b:2 c:0 d:0", 1.0), Some(1.0));
    assert_eq!(adjusted("a:3 b:3", 1.0), None);
}

#[test]
fn highest_is_reached_by_the_ideal_ranking() {
    let pool = JudgedGrades::new(vec![3, 2, 1, 0, 0]);
    let highest = |name| measure(name).highest(&pool);
    assert_eq!(highest("nDCG'"), 1.0);
    assert_eq!(highest("P@10"), 0.3);
    assert_eq!(highest("P(rel=2)@hit"), 1.0);
    assert_eq!(highest("bpref"), 1.0);
    assert_eq!(highest("SetF"), 1.0);
    assert_eq!(highest("Judged@10"), 1.0);
    assert_eq!(highest("AP(rel=4)"), 0.0);
    assert_eq!(highest("NumNonRelJudgedRet"), 2.0);
    assert_eq!(highest("NumRet"), 5.0);
    assert_eq!(measure("nDCG").highest(&JudgedGrades::new(vec![0])), 0.0);
}
