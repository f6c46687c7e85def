//! R@k: the share of the topic's relevant items found among the first k results.
//!
//! Default: relevant from grade 1 on; 0 for a topic without relevant items.
//! Source: trec_eval 9, `recall`. Recall of everything returned is `SetR`.

use super::{Names, TopicMeasure, binary_gain, count_relevant, head, share};
use crate::measure::{Args, MeasureError, Printed};
use crate::{JudgedGrades, Ranked, ResultGrade};
use std::num::NonZeroUsize;

pub(crate) static NAMES: Names = Names::new("R", &["recall"]);

/// Recall at a rank.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Recall {
    level: i32,
    cutoff: NonZeroUsize,
}

impl Recall {
    pub(crate) fn read(args: &mut Args<'_>) -> Result<Self, MeasureError> {
        Ok(Self { level: args.level()?, cutoff: args.required_cutoff()? })
    }
}

impl TopicMeasure for Recall {
    fn names(&self) -> &'static Names {
        &NAMES
    }

    fn print(&self, out: &mut Printed) {
        out.level(self.level);
        out.at(self.cutoff);
    }

    fn score(&self, ranked: Ranked<'_>) -> f64 {
        let found = count_relevant(head(ranked.grades, Some(self.cutoff)), self.level);
        share(found, ranked.judged.num_relevant(self.level))
    }

    fn gain(&self, verdict: ResultGrade) -> f64 {
        binary_gain(verdict, self.level)
    }

    fn trec_name(&self) -> Option<String> {
        Some(format!("recall_{}", self.cutoff))
    }

    /// Each relevant item is among the first k of m with probability k/m.
    fn chance(&self, pool: &JudgedGrades) -> Option<f64> {
        let judged = pool.num_judged();
        let seen = share(judged.min(self.cutoff.get()), judged);
        Some(if pool.num_relevant(self.level) == 0 { 0.0 } else { seen })
    }

    fn set_level(&mut self, level: i32) {
        self.level = level;
    }
}

#[cfg(test)]
mod tests {
    use crate::measure::testing::check;

    #[test]
    fn counts_what_was_not_returned() {
        check("R@2", "a:1 b:1 c:1 d:1", "a x b", 0.25);
        check("R@2", "a:0", "a", 0.0);
    }
}
