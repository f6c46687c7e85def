//! Success@k: 1 if a relevant item is among the first k results, else 0.
//!
//! Default: relevant from grade 1 on. Source: trec_eval 9, `success`.
//! Some call this recall at k.

use super::{Names, TopicMeasure, binary_gain, head};
use crate::measure::{Args, MeasureError, Printed};
use crate::{JudgedGrades, Ranked, ResultGrade};
use std::num::NonZeroUsize;

pub(crate) static NAMES: Names = Names::new("Success", &[]);

/// Whether something relevant was found in time.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Success {
    level: i32,
    cutoff: NonZeroUsize,
}

impl Success {
    pub(crate) fn read(args: &mut Args<'_>) -> Result<Self, MeasureError> {
        Ok(Self { level: args.level()?, cutoff: args.required_cutoff()? })
    }
}

impl TopicMeasure for Success {
    fn names(&self) -> &'static Names {
        &NAMES
    }

    fn print(&self, out: &mut Printed) {
        out.level(self.level);
        out.at(self.cutoff);
    }

    fn score(&self, ranked: Ranked<'_>) -> f64 {
        let mut first = head(ranked.grades, Some(self.cutoff)).iter();
        if first.any(|verdict| verdict.is_relevant(self.level)) { 1.0 } else { 0.0 }
    }

    fn gain(&self, verdict: ResultGrade) -> f64 {
        binary_gain(verdict, self.level)
    }

    fn trec_name(&self) -> Option<String> {
        Some(format!("success_{}", self.cutoff))
    }

    /// One minus the probability that the first k are all drawn from the others.
    fn chance(&self, pool: &JudgedGrades) -> Option<f64> {
        let judged = pool.num_judged();
        let others = pool.num_nonrelevant(self.level);
        let mut none = 1.0;
        for index in 0..self.cutoff.get().min(judged) {
            none *= others.saturating_sub(index) as f64 / (judged - index) as f64;
        }
        Some(1.0 - none)
    }

    fn set_level(&mut self, level: i32) {
        self.level = level;
    }
}

#[cfg(test)]
mod tests {
    use crate::measure::testing::check;

    #[test]
    fn found_in_time_or_not() {
        check("Success@2", "a:1", "x a", 1.0);
        check("Success@1", "a:1", "x a", 0.0);
    }
}
