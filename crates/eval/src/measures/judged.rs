//! Judged@k: the share of the first k results that are judged.
//!
//! A shorter list is divided by its own length; an empty one gives 0.
//! Without a cutoff the whole list is looked at. Source: ir_measures, which
//! however also counts items listed with a negative grade as judged.

use super::{Names, Prime, TopicMeasure, head, share};
use crate::measure::{Args, MeasureError, Printed};
use crate::{JudgedGrades, Ranked, ResultGrade};
use std::num::NonZeroUsize;

pub(crate) static NAMES: Names = Names::new("Judged", &[]);

/// How much of a ranking the judges have seen.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Judged {
    cutoff: Option<NonZeroUsize>,
}

impl Judged {
    /// Down to a cutoff, or of the whole ranking.
    pub(crate) fn new(cutoff: Option<NonZeroUsize>) -> Self {
        Self { cutoff }
    }

    pub(crate) fn read(args: &mut Args<'_>) -> Result<Self, MeasureError> {
        args.has_no("rel", "it counts judgments, whatever the grade");
        Ok(Self { cutoff: args.cutoff()? })
    }
}

impl TopicMeasure for Judged {
    fn names(&self) -> &'static Names {
        &NAMES
    }

    fn print(&self, out: &mut Printed) {
        out.cutoff(self.cutoff);
    }

    fn score(&self, ranked: Ranked<'_>) -> f64 {
        let first = head(ranked.grades, self.cutoff);
        share(first.iter().filter(|verdict| verdict.is_judged()).count(), first.len())
    }

    fn gain(&self, verdict: ResultGrade) -> f64 {
        if verdict.is_judged() { 1.0 } else { 0.0 }
    }

    fn chance(&self, pool: &JudgedGrades) -> Option<f64> {
        Some(if pool.num_judged() == 0 { 0.0 } else { 1.0 })
    }

    fn prime(&self) -> Prime {
        Prime::NoEffect("without unjudged results it is always 1")
    }
}

#[cfg(test)]
mod tests {
    use crate::measure::testing::check;

    #[test]
    fn short_lists_are_divided_by_their_length() {
        check("Judged@10", "a:1 b:0", "a x", 0.5);
        check("Judged@1", "a:1 b:0", "a x", 1.0);
        check("Judged", "a:1 b:-1", "a x b y", 0.25);
        check("Judged@10", "a:1", "", 0.0);
    }
}
