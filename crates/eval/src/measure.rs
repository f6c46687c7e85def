//! A measure as a value: named, printed, read, and applied to rankings.
//!
//! What each measure computes stands in `measures`; reading and printing in
//! the modules below. Nothing here knows files, topics or ids.

mod aggregate;
mod args;
mod error;
mod number;
mod print;
mod read;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
mod ties;

pub use aggregate::Aggregate;
pub use error::MeasureError;
pub(crate) use {args::Args, number::Number, print::Printed, ties::Extreme};

use crate::measures::{
    AveragePrecision, Bpref, Judged, Kind, Ndcg, Precision, Prime, REGISTRY, ReciprocalRank,
};
use crate::{JudgedGrades, Ranked, ResultGrade};
use std::num::NonZeroUsize;

/// A measure with its parameters, such as `nDCG'` or `P(rel=2)@10`.
///
/// It prints as people write it, and what is printed can be read back:
/// NAME, then `'` if unjudged results are removed first, then parameters in
/// parentheses, then `@` and the cutoff. The names and parameters of trec_eval
/// (`ndcg_cut_10`) and ir_measures (`AP(judged_only=True)`) are read too.
///
/// ```
/// use eval::Measure;
///
/// for (text, printed) in [
///     ("ndcg_cut_10", "nDCG@10"),
///     ("MAP'(rel=2)", "AP'(rel=2)"),
///     ("P(judged_only=True, rel=1)@10", "P'@10"),
///     ("RBP", "RBP(p=0.8)"),
///     ("ERR@20", "ERR(max=4)@20"),
/// ] {
///     let measure: Measure = text.parse()?;
///     assert_eq!(measure.to_string(), printed);
///     assert_eq!(printed.parse::<Measure>()?, measure);
/// }
/// assert!("nDCG(rel=2)".parse::<Measure>().is_err());
/// # Ok::<(), eval::MeasureError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Measure {
    kind: Kind,
    results: Results,
}

/// Which results a measure looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Results {
    All,
    Judged,
}

impl Measure {
    /// With everything returned counting.
    pub(crate) fn new(kind: Kind) -> Self {
        Self { kind, results: Results::All }
    }

    /// nDCG with grades as gains.
    #[must_use]
    pub fn ndcg(cutoff: Option<NonZeroUsize>) -> Self {
        Self::new(Kind::Ndcg(Ndcg::new(cutoff)))
    }

    /// Average precision, relevant being what has a grade of at least `level`.
    #[must_use]
    pub fn average_precision(level: i32) -> Self {
        Self::new(Kind::AveragePrecision(AveragePrecision::new(level.max(0))))
    }

    /// Precision among the first results.
    #[must_use]
    pub fn precision(level: i32, cutoff: NonZeroUsize) -> Self {
        Self::new(Kind::Precision(Precision::new(level.max(0), cutoff)))
    }

    /// Reciprocal rank.
    #[must_use]
    pub fn reciprocal_rank(level: i32) -> Self {
        Self::new(Kind::ReciprocalRank(ReciprocalRank::new(level.max(0))))
    }

    /// Binary preference.
    #[must_use]
    pub fn bpref(level: i32) -> Self {
        Self::new(Kind::Bpref(Bpref::new(level.max(0))))
    }

    /// The share of results that are judged.
    #[must_use]
    pub fn judged(cutoff: Option<NonZeroUsize>) -> Self {
        Self::new(Kind::Judged(Judged::new(cutoff)))
    }

    /// The same with unjudged results removed first, as trec_eval's `-J`; no
    /// change where that makes no difference.
    #[must_use]
    pub fn judged_only(mut self) -> Self {
        if self.kind.measure().prime() == Prime::Matters {
            self.results = Results::Judged;
        }
        self
    }

    /// The same with unjudged results left in.
    #[must_use]
    pub fn over_all_results(self) -> Self {
        Self { results: Results::All, ..self }
    }

    /// The same with another relevance level, as trec_eval's `-l`; no change
    /// for measures without one. A negative level counts as 0: what is not
    /// judged is never relevant, though trec_eval would count it so then.
    #[must_use]
    pub fn at_level(mut self, level: i32) -> Self {
        self.kind.measure_mut().set_level(level.max(0));
        self
    }

    /// The names of all measures.
    pub fn known() -> impl Iterator<Item = &'static str> {
        REGISTRY.iter().map(|entry| entry.names.printed)
    }

    /// Whether unjudged results are to be removed first.
    #[must_use]
    pub fn is_judged_only(&self) -> bool {
        self.results == Results::Judged
    }

    /// The value for a ranking; never NaN, and 0 where it is not defined.
    ///
    /// If the measure [is for judged results only](Self::is_judged_only), a
    /// filtered copy is made; who scores many measures does that once and
    /// calls [`score_filtered`](Self::score_filtered).
    #[must_use]
    pub fn score(&self, ranked: Ranked<'_>) -> f64 {
        match self.results {
            Results::All => self.score_filtered(ranked),
            Results::Judged => self.score_filtered(Ranked { grades: &judged(ranked.grades), ..ranked }),
        }
    }

    /// The value for a ranking from which unjudged results have been removed
    /// if the measure asks for that. Costs one walk and no memory.
    #[must_use]
    pub fn score_filtered(&self, ranked: Ranked<'_>) -> f64 {
        self.kind.measure().score(ranked)
    }

    /// By how much the value could rise were everything unjudged or not
    /// returned of full worth; known for RBP.
    #[must_use]
    pub fn residual(&self, ranked: Ranked<'_>) -> Option<f64> {
        match self.results {
            Results::All => self.kind.measure().residual(ranked),
            Results::Judged => {
                self.kind.measure().residual(Ranked { grades: &judged(ranked.grades), ..ranked })
            }
        }
    }

    /// How the values of topics become one.
    #[must_use]
    pub fn aggregate(&self) -> Aggregate {
        self.kind.measure().aggregate()
    }

    /// The value of the ideal ranking, which returns everything of worth, the
    /// best first. For counts, the count when all judged items are returned.
    #[must_use]
    pub fn highest(&self, pool: &JudgedGrades) -> f64 {
        self.kind.measure().highest(pool)
    }

    /// What trec_eval calls it, if it has it. The relevance level (`-l`) and
    /// the removal of unjudged results (`-J`) are not part of its names.
    #[must_use]
    pub fn trec_name(&self) -> Option<String> {
        self.kind.measure().trec_name()
    }

    /// The expected value when the judged items, all of them, are ranked in
    /// random order; `None` where there is no exact formula.
    #[must_use]
    pub fn random_order_expectation(&self, pool: &JudgedGrades) -> Option<f64> {
        self.kind.measure().chance(pool)
    }

    /// How far a value lies between chance (0) and 1, that is (v − E)/(1 − E);
    /// negative below chance. `None` where E is unknown or not below 1.
    #[must_use]
    pub fn chance_adjusted(&self, value: f64, pool: &JudgedGrades) -> Option<f64> {
        let expected = self.random_order_expectation(pool)?;
        let room = 1.0 - expected;
        (room > 1e-12).then(|| (value - expected) / room)
    }
}

/// The judged results, in order.
fn judged(verdicts: &[ResultGrade]) -> Vec<ResultGrade> {
    verdicts.iter().copied().filter(|verdict| verdict.is_judged()).collect()
}
