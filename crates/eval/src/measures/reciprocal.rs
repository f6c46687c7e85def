//! RR: one over the rank of the first relevant result; its mean over topics is MRR.
//!
//! 0 if there is none, or none above the cutoff.
//! Default: relevant from grade 1 on. Source: trec_eval 9, `recip_rank`;
//! with a cutoff as in MS MARCO's measure.

use super::{Names, Suffix, TopicMeasure, binary_gain, head};
use crate::measure::{Args, MeasureError, Printed};
use crate::{JudgedGrades, Ranked, ResultGrade};
use std::num::NonZeroUsize;

pub(crate) static NAMES: Names = Names {
    printed: "RR",
    mean: "MRR",
    others: &["mrr", "reciprank", "reciprocalrank"],
    suffix: Suffix::Cutoff,
};

/// Reciprocal rank.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ReciprocalRank {
    level: i32,
    cutoff: Option<NonZeroUsize>,
}

impl ReciprocalRank {
    /// With a level and no cutoff.
    pub(crate) fn new(level: i32) -> Self {
        Self { level, cutoff: None }
    }

    pub(crate) fn read(args: &mut Args<'_>) -> Result<Self, MeasureError> {
        Ok(Self { level: args.level()?, cutoff: args.cutoff()? })
    }
}

impl TopicMeasure for ReciprocalRank {
    fn names(&self) -> &'static Names {
        &NAMES
    }

    fn print(&self, out: &mut Printed) {
        out.level(self.level);
        out.cutoff(self.cutoff);
    }

    fn score(&self, ranked: Ranked<'_>) -> f64 {
        let mut results = head(ranked.grades, self.cutoff).iter();
        let first = results.position(|verdict| verdict.is_relevant(self.level));
        first.map_or(0.0, |index| 1.0 / (index + 1) as f64)
    }

    fn gain(&self, verdict: ResultGrade) -> f64 {
        binary_gain(verdict, self.level)
    }

    fn trec_name(&self) -> Option<String> {
        self.cutoff.is_none().then(|| "recip_rank".to_owned())
    }

    /// Rank by rank: nothing relevant so far, and now something is.
    fn chance(&self, pool: &JudgedGrades) -> Option<f64> {
        let judged = pool.num_judged();
        let relevant = pool.num_relevant(self.level);
        let depth = self.cutoff.map_or(judged, |cutoff| cutoff.get().min(judged));
        let mut none_so_far = 1.0;
        let mut sum = 0.0;
        for index in 0..depth.min(judged + 1 - relevant) {
            let now = relevant as f64 / (judged - index) as f64;
            sum += none_so_far * now / (index + 1) as f64;
            none_so_far *= 1.0 - now;
        }
        Some(sum)
    }

    fn set_level(&mut self, level: i32) {
        self.level = level;
    }
}

#[cfg(test)]
mod tests {
    use crate::measure::testing::check;

    #[test]
    fn the_first_relevant_result_counts() {
        check("RR", "9:3 10:0 100:0", "9 100 10", 1.0);
        check("RR", "a:0 b:3", "a b", 0.5);
        check("RR(rel=2)", "a:1 b:2", "a b", 0.5);
        check("RR@1", "a:0 b:3", "a b", 0.0);
    }
}
