//! AP: the mean of the precisions at each relevant item; its mean over topics is MAP.
//!
//! (1/R) Σ over relevant rᵢ of (relevant among r₁…rᵢ) / i, where R counts all
//! relevant items of the topic, so those not found add 0. With a cutoff only
//! the first results are looked at, and R stays (trec_eval's `map_cut`).
//! Default: relevant from grade 1 on. Source: trec_eval 9, `map`.

use super::{Names, Suffix, TopicMeasure, binary_gain, head};
use crate::measure::{Args, MeasureError, Printed};
use crate::{JudgedGrades, Ranked, ResultGrade};
use std::num::NonZeroUsize;

pub(crate) static NAMES: Names = Names {
    printed: "AP",
    mean: "MAP",
    others: &["map", "mapcut", "averageprecision"],
    suffix: Suffix::Cutoff,
};

/// Average precision.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct AveragePrecision {
    pub(super) level: i32,
    pub(super) cutoff: Option<NonZeroUsize>,
}

impl AveragePrecision {
    /// With a level and no cutoff.
    pub(crate) fn new(level: i32) -> Self {
        Self { level, cutoff: None }
    }

    pub(crate) fn read(args: &mut Args<'_>) -> Result<Self, MeasureError> {
        Ok(Self { level: args.level()?, cutoff: args.cutoff()? })
    }
}

impl TopicMeasure for AveragePrecision {
    fn names(&self) -> &'static Names {
        &NAMES
    }

    fn print(&self, out: &mut Printed) {
        out.level(self.level);
        out.cutoff(self.cutoff);
    }

    fn score(&self, ranked: Ranked<'_>) -> f64 {
        let relevant = ranked.judged.num_relevant(self.level);
        if relevant == 0 {
            return 0.0;
        }
        let mut found = 0.0;
        let mut sum = 0.0;
        for (index, verdict) in head(ranked.grades, self.cutoff).iter().enumerate() {
            if verdict.is_relevant(self.level) {
                found += 1.0;
                sum += found / (index + 1) as f64;
            }
        }
        sum / relevant as f64
    }

    fn gain(&self, verdict: ResultGrade) -> f64 {
        binary_gain(verdict, self.level)
    }

    fn trec_name(&self) -> Option<String> {
        Some(self.cutoff.map_or("map".to_owned(), |cutoff| format!("map_cut_{cutoff}")))
    }

    /// Rank i is relevant with probability R/m, and then each of the i − 1
    /// ranks above it with probability (R − 1)/(m − 1).
    fn chance(&self, pool: &JudgedGrades) -> Option<f64> {
        let judged = pool.num_judged();
        let relevant = pool.num_relevant(self.level);
        if relevant == 0 {
            return Some(0.0);
        }
        let above = if judged > 1 { (relevant - 1) as f64 / (judged - 1) as f64 } else { 0.0 };
        let depth = self.cutoff.map_or(judged, |cutoff| cutoff.get().min(judged));
        let sum: f64 = (1..=depth).map(|rank| (1.0 + (rank - 1) as f64 * above) / rank as f64).sum();
        Some(sum / judged as f64)
    }

    fn set_level(&mut self, level: i32) {
        self.level = level;
    }
}

#[cfg(test)]
mod tests {
    use crate::measure::testing::check;

    #[test]
    fn missing_items_add_nothing() {
        check("AP(rel=2)", "a:1 b:0 c:3 d:0 e:2 f:3", "a b c d e", 0.244444);
        check("AP", "a:1 b:1", "a", 0.5);
    }

    #[test]
    fn a_cutoff_does_not_change_the_number_of_relevant_items() {
        check("AP@1", "a:1 b:1", "a b", 0.5);
    }

    #[test]
    fn at_level_0_everything_judged_is_relevant() {
        check("AP(rel=0)", "a:2 b:0", "b x a", (1.0 + 2.0 / 3.0) / 2.0);
    }
}
