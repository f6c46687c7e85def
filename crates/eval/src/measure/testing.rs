//! Qrels and rankings as text, for tests.

use super::Measure;
use crate::{JudgedGrades, Ranked, ResultGrade};

/// A topic from `a:3 b:0` and an order `b x a`, best first.
pub(crate) fn topic(qrels: &str, order: &str) -> (Vec<ResultGrade>, JudgedGrades) {
    let grades: Vec<(&str, i32)> = qrels
        .split_whitespace()
        .map(|pair| {
            let (id, grade) = pair.split_once(':').unwrap();
            (id, grade.parse().unwrap())
        })
        .collect();
    let verdict = |id: &str| {
        let found = grades.iter().find(|(judged, _)| *judged == id);
        found.map_or(ResultGrade::UNJUDGED, |(_, grade)| ResultGrade::graded(*grade))
    };
    let verdicts = order.split_whitespace().map(verdict).collect();
    (verdicts, JudgedGrades::new(grades.iter().map(|(_, grade)| *grade).collect()))
}

/// A measure by its name.
pub(crate) fn measure(text: &str) -> Measure {
    text.parse().unwrap_or_else(|error| panic!("{error}"))
}

/// The value of a measure.
pub(crate) fn score(name: &str, qrels: &str, order: &str) -> f64 {
    let (verdicts, pool) = topic(qrels, order);
    measure(name).score(Ranked { grades: &verdicts, judged: &pool })
}

/// The residual of a measure.
pub(crate) fn residual(name: &str, qrels: &str, order: &str) -> Option<f64> {
    let (verdicts, pool) = topic(qrels, order);
    measure(name).residual(Ranked { grades: &verdicts, judged: &pool })
}

/// The expected value of a measure in random order.
pub(crate) fn chance(name: &str, qrels: &str) -> Option<f64> {
    measure(name).random_order_expectation(&topic(qrels, "").1)
}

/// Fails unless the value is as expected, to six digits.
#[track_caller]
pub(crate) fn check(name: &str, qrels: &str, order: &str, expected: f64) {
    let found = score(name, qrels, order);
    assert!((found - expected).abs() < 6e-7, "{name} of `{order}` is {found}, not {expected}");
}
