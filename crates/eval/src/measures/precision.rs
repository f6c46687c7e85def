//! P@k: the share of relevant results among the first k.
//!
//! k stays the divisor when fewer are returned. `P@hit`, from NTCIR-10,
//! divides by the number of results returned instead.
//! Default: relevant from grade 1 on. Source: trec_eval 9, `P` and `set_P`.

use super::{Names, TopicMeasure, binary_gain, count_relevant, head, share};
use crate::measure::{Args, MeasureError, Printed};
use crate::{JudgedGrades, Ranked, ResultGrade};
use std::num::NonZeroUsize;

pub(crate) static NAMES: Names = Names::new("P", &["precision"]);

/// Precision at a rank, or over everything returned.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Precision {
    level: i32,
    /// None for everything returned.
    cutoff: Option<NonZeroUsize>,
}

impl Precision {
    /// At a cutoff.
    pub(crate) fn new(level: i32, cutoff: NonZeroUsize) -> Self {
        Self { level, cutoff: Some(cutoff) }
    }

    pub(crate) fn read(args: &mut Args<'_>) -> Result<Self, MeasureError> {
        let level = args.level()?;
        let cutoff = if args.raw_cutoff() == Some("hit") { None } else { Some(args.required_cutoff()?) };
        Ok(Self { level, cutoff })
    }
}

impl TopicMeasure for Precision {
    fn names(&self) -> &'static Names {
        &NAMES
    }

    fn print(&self, out: &mut Printed) {
        out.level(self.level);
        match self.cutoff {
            Some(cutoff) => out.at(cutoff),
            None => out.at("hit"),
        }
    }

    fn score(&self, ranked: Ranked<'_>) -> f64 {
        let found = count_relevant(head(ranked.grades, self.cutoff), self.level);
        share(found, self.cutoff.map_or(ranked.grades.len(), NonZeroUsize::get))
    }

    fn gain(&self, verdict: ResultGrade) -> f64 {
        binary_gain(verdict, self.level)
    }

    fn trec_name(&self) -> Option<String> {
        Some(self.cutoff.map_or("set_P".to_owned(), |cutoff| format!("P_{cutoff}")))
    }

    fn chance(&self, pool: &JudgedGrades) -> Option<f64> {
        let judged = pool.num_judged();
        let filled = self.cutoff.map_or(1.0, |cutoff| share(judged.min(cutoff.get()), cutoff.get()));
        Some(share(pool.num_relevant(self.level), judged) * filled)
    }

    fn set_level(&mut self, level: i32) {
        self.level = level;
    }
}

#[cfg(test)]
mod tests {
    use crate::measure::testing::check;

    #[test]
    fn a_short_list_is_divided_by_the_cutoff() {
        check("P@10", "a:1 b:1", "a b", 0.2);
        check("P@hit", "a:1 b:1", "a b x", 2.0 / 3.0);
        check("P'@hit", "a:1 b:1", "a b x", 1.0);
    }

    #[test]
    fn a_level_above_all_grades_finds_nothing() {
        check("P(rel=5)@1", "a:3", "a", 0.0);
    }
}
