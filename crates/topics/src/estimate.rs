//! How hard is a question, and does it live by its words or by its formulas? Estimates, where nobody said.

use crate::{Dependence, Level};

/// The rule for difficulty in words.
pub const DIFFICULTY_RULE: &str = "\
No program knows how hard a question is; without --labels this is an estimate. Tags give a level: of \
beginners (such as algebra-precalculus, arithmetic, elementary-number-theory, trigonometry, calculus: 0), of \
advanced study (such as algebraic-geometry, functional-analysis, category-theory, measure-theory: 2), others 1; \
of several tags the mean counts. To it come 0, 0.5 or 1 for a formula query of low, medium or high complexity, and 0.5 \
for more than 150 words. Below 1.5 the difficulty is Low, below 2 Medium, from there High. People and this rule agree \
on 33 of 71 topics of ARQMath 2 (calling all of them Low: 32), and the cut-offs were chosen with these in sight, so \
have difficulty labelled where it matters.";

/// The rule for dependence in words.
pub const DEPENDENCE_RULE: &str = "\
Without --labels this is an estimate from how much there is to read: the points of all formulas that look \
different (see complexity) as a share of these points and the number of words. Up to 0.26 the question depends on Text, \
from 0.6 on Formula, between them on Both. People and this rule agree on 42 of 71 topics of ARQMath 2 (calling all Both: 40).";

/// Tags of what beginners learn.
#[rustfmt::skip]
const BEGINNERS: [&str; 26] = [
    "algebra-precalculus", "arithmetic", "elementary-number-theory", "elementary-set-theory", "elementary-functions",
    "trigonometry", "calculus", "geometry", "logarithms", "exponentiation", "percentages", "fractions", "polynomials",
    "quadratics", "inequality", "sequences-and-series", "limits", "derivatives", "definite-integrals", "integration",
    "combinatorics", "probability", "factorial", "binomial-coefficients", "linear-algebra", "euclidean-geometry",
];

/// Tags of advanced study.
#[rustfmt::skip]
const ADVANCED: [&str; 38] = [
    "algebraic-geometry", "algebraic-topology", "algebraic-number-theory", "analytic-number-theory", "functional-analysis",
    "category-theory", "homological-algebra", "differential-geometry", "differential-topology", "measure-theory",
    "operator-theory", "operator-algebras", "representation-theory", "lie-groups", "lie-algebras", "commutative-algebra",
    "galois-theory", "field-theory", "ring-theory", "modules", "complex-geometry", "riemannian-geometry", "set-theory",
    "model-theory", "homotopy-theory", "homology-cohomology", "schemes", "sheaf-theory", "stochastic-processes",
    "stochastic-calculus", "partial-differential-equations", "sobolev-spaces", "banach-spaces", "hilbert-spaces",
    "distribution-theory", "topological-groups", "ergodic-theory", "knot-theory",
];

/// More words than this make a question harder.
const MANY_WORDS: usize = 150;
/// From this sum on the difficulty is medium.
const MEDIUM_FROM: f64 = 1.5;
/// From this sum on it is high.
const HIGH_FROM: f64 = 2.0;
/// Up to this share of formulas a question depends on its text.
const TEXT_UP_TO: f64 = 0.26;
/// From this share on it depends on its formulas.
const FORMULA_FROM: f64 = 0.6;

/// How hard a question seems, from 0 to 3.5: the sum that the rule speaks of.
#[must_use]
pub fn difficulty_sum(tags: &[String], query: Level, terms: usize) -> f64 {
    let level = |tag: &String| match tag.as_str() {
        tag if BEGINNERS.contains(&tag) => 0.0,
        tag if ADVANCED.contains(&tag) => 2.0,
        _ => 1.0,
    };
    let tags = if tags.is_empty() { 1.0 } else { tags.iter().map(level).sum::<f64>() / tags.len() as f64 };
    let formula = match query {
        Level::Low => 0.0,
        Level::Medium => 0.5,
        Level::High => 1.0,
    };
    let length = if terms > MANY_WORDS { 0.5 } else { 0.0 };
    tags + formula + length
}

/// How hard a question seems.
///
/// ```
/// use topics::{Level, estimate::difficulty};
/// let tags = |tag: &str| vec![tag.to_owned()];
/// assert_eq!(difficulty(&tags("arithmetic"), Level::Low, 40), Level::Low);
/// assert_eq!(difficulty(&tags("schemes"), Level::Low, 40), Level::High);
/// ```
#[must_use]
pub fn difficulty(tags: &[String], query: Level, terms: usize) -> Level {
    match difficulty_sum(tags, query, terms) {
        sum if sum < MEDIUM_FROM => Level::Low,
        sum if sum < HIGH_FROM => Level::Medium,
        _ => Level::High,
    }
}

/// How much of a question with so many words and points of formulas is formulas, from 0 to 1.
#[must_use]
pub fn formula_share(terms: usize, points: u32) -> f64 {
    f64::from(points) / (f64::from(points) + terms as f64).max(1.0)
}

/// What one must read to understand a question with so many words and points of formulas.
#[must_use]
pub fn dependence(terms: usize, points: u32) -> Dependence {
    match formula_share(terms, points) {
        share if share <= TEXT_UP_TO => Dependence::Text,
        share if share >= FORMULA_FROM => Dependence::Formula,
        _ => Dependence::Both,
    }
}
