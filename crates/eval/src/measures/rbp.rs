//! RBP: the gain of a reader who goes on to the next result with probability p.
//!
//! (1 − p) Σ gain(rᵢ) pⁱ⁻¹. Gains are 1 from grade `rel` on (default 1) and 0
//! below, or with `max=` the grade over that maximum, capped at 1.
//! The residual is what could still be added if everything unjudged or not
//! returned had gain 1. Default p: 0.8, as in ir_measures; others take 0.5,
//! 0.9 or 0.95, so it is always printed.
//! Source: Moffat and Zobel, TOIS 27 (2008).

use super::{Names, Suffix, TopicMeasure, binary_gain, head};
use crate::measure::{Args, MeasureError, Number, Printed};
use crate::{JudgedGrades, Ranked, ResultGrade};
use std::num::NonZeroUsize;

pub(crate) static NAMES: Names =
    Names { printed: "RBP", mean: "RBP", others: &["rankbiasedprecision"], suffix: Suffix::Cutoff };

/// How grades become gains between 0 and 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Scale {
    Binary(i32),
    Graded(i32),
}

/// Rank-biased precision.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct RankBiased {
    persistence: Number,
    scale: Scale,
    cutoff: Option<NonZeroUsize>,
}

impl RankBiased {
    pub(crate) fn read(args: &mut Args<'_>) -> Result<Self, MeasureError> {
        let persistence = args.number("p", 0.0..=1.0)?.unwrap_or(Number::FOUR_FIFTHS);
        let scale = match (args.optional_level()?, args.max_grade()?) {
            (level, None) => Scale::Binary(level.unwrap_or(1)),
            (None, Some(max)) => Scale::Graded(max),
            (Some(_), Some(max)) => {
                return Err(args.bad("max", &max.to_string(), "only one of rel= and max="));
            }
        };
        Ok(Self { persistence, scale, cutoff: args.cutoff()? })
    }

    /// Adds up (1 − p) pⁱ⁻¹ times the gain of each result down to the cutoff.
    fn weigh(&self, verdicts: &[ResultGrade], gain: impl Fn(ResultGrade) -> f64) -> f64 {
        let p = self.persistence.get();
        let mut weight = 1.0 - p;
        let mut sum = 0.0;
        for verdict in head(verdicts, self.cutoff) {
            sum += weight * gain(*verdict);
            weight *= p;
        }
        sum
    }

    /// The weight of all ranks after `count` results, down to the cutoff.
    fn weight_after(&self, count: usize) -> f64 {
        let power = |n: usize| self.persistence.get().powf(n as f64);
        power(count) - self.cutoff.map_or(0.0, |cutoff| power(cutoff.get()))
    }
}

impl TopicMeasure for RankBiased {
    fn names(&self) -> &'static Names {
        &NAMES
    }

    fn print(&self, out: &mut Printed) {
        out.param("p", self.persistence);
        match self.scale {
            Scale::Binary(level) => out.level(level),
            Scale::Graded(max) => out.param("max", max),
        }
        out.cutoff(self.cutoff);
    }

    fn score(&self, ranked: Ranked<'_>) -> f64 {
        self.weigh(ranked.grades, |verdict| self.gain(verdict))
    }

    fn gain(&self, verdict: ResultGrade) -> f64 {
        match self.scale {
            Scale::Binary(level) => binary_gain(verdict, level),
            Scale::Graded(max) => f64::from(verdict.gain().min(max)) / f64::from(max),
        }
    }

    /// Every rank has the mean gain.
    fn chance(&self, pool: &JudgedGrades) -> Option<f64> {
        let judged = pool.num_judged();
        if judged == 0 {
            return Some(0.0);
        }
        let total: f64 = pool.grades().iter().map(|grade| self.gain(ResultGrade::graded(*grade))).sum();
        let p = self.persistence.get();
        let depth = self.cutoff.map_or(judged, |cutoff| cutoff.get().min(judged));
        Some(total / judged as f64 * (1.0 - p.powf(depth as f64)))
    }

    fn set_level(&mut self, level: i32) {
        if let Scale::Binary(old) = &mut self.scale {
            *old = level;
        }
    }

    fn residual(&self, ranked: Ranked<'_>) -> Option<f64> {
        let unjudged = self.weigh(ranked.grades, |verdict| if verdict.is_judged() { 0.0 } else { 1.0 });
        Some(unjudged + self.weight_after(head(ranked.grades, self.cutoff).len()))
    }
}

#[cfg(test)]
mod tests {
    use crate::measure::testing::{check, residual};

    #[test]
    fn binary_and_graded_gains() {
        check("RBP(p=0.5)", "a:3 b:0 c:1", "a b c", 0.5 + 0.125);
        check("RBP(p=0.5,rel=2)", "a:3 b:0 c:1", "a b c", 0.5);
        check("RBP(p=0.5,max=3)", "a:3 b:0 c:1", "a b c", 0.5 + 0.125 / 3.0);
        check("RBP(p=0.5)@2", "a:3 b:0 c:1", "a b c", 0.5);
    }

    #[test]
    fn what_is_unknown_is_the_residual() {
        assert_eq!(residual("RBP(p=0.5)", "a:1", "a x"), Some(0.25 + 0.25));
        assert_eq!(residual("RBP(p=0.5)@2", "a:1", "a x"), Some(0.25));
        assert_eq!(residual("RBP(p=0.5)@3", "a:1", "a x"), Some(0.25 + 0.125));
        assert_eq!(residual("AP", "a:1", "a x"), None);
    }
}
