//! Rprec: precision at rank R, where R is the number of relevant items.
//!
//! `mult=` takes a multiple of R instead, rounded to the rank ⌊mult·R + 0.9⌋.
//! Default: relevant from grade 1 on; 0 for a topic without relevant items.
//! Source: trec_eval 9, `Rprec` and `Rprec_mult`.

use super::{Names, Suffix, TopicMeasure, binary_gain, count_relevant, share};
use crate::measure::{Args, MeasureError, Number, Printed};
use crate::{JudgedGrades, Ranked, ResultGrade};

pub(crate) static NAMES: Names = Names {
    printed: "Rprec",
    mean: "Rprec",
    others: &["rprecision", "rprecmult"],
    suffix: Suffix::Named("mult"),
};

/// Precision at (a multiple of) the number of relevant items.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct RPrecision {
    level: i32,
    multiple: Number,
}

impl RPrecision {
    /// At a multiple of the number of relevant items.
    pub(crate) fn new(level: i32, multiple: Number) -> Self {
        Self { level, multiple }
    }

    pub(crate) fn read(args: &mut Args<'_>) -> Result<Self, MeasureError> {
        let multiple = args.number("mult", 0.0..=1000.0)?.unwrap_or(Number::ONE);
        Ok(Self { level: args.level()?, multiple })
    }

    fn rank(&self, pool: &JudgedGrades) -> usize {
        (self.multiple.get() * pool.num_relevant(self.level) as f64 + 0.9) as usize
    }
}

impl TopicMeasure for RPrecision {
    fn names(&self) -> &'static Names {
        &NAMES
    }

    fn print(&self, out: &mut Printed) {
        out.level(self.level);
        if self.multiple != Number::ONE {
            out.param("mult", self.multiple);
        }
    }

    fn score(&self, ranked: Ranked<'_>) -> f64 {
        let rank = self.rank(ranked.judged);
        let first = &ranked.grades[..rank.min(ranked.grades.len())];
        share(count_relevant(first, self.level), rank)
    }

    fn gain(&self, verdict: ResultGrade) -> f64 {
        binary_gain(verdict, self.level)
    }

    fn trec_name(&self) -> Option<String> {
        Some(if self.multiple == Number::ONE {
            "Rprec".to_owned()
        } else {
            format!("Rprec_mult_{:.2}", self.multiple.get())
        })
    }

    fn chance(&self, pool: &JudgedGrades) -> Option<f64> {
        let judged = pool.num_judged();
        let rank = self.rank(pool);
        Some(share(pool.num_relevant(self.level), judged) * share(rank.min(judged), rank))
    }

    fn set_level(&mut self, level: i32) {
        self.level = level;
    }
}

#[cfg(test)]
mod tests {
    use crate::measure::testing::check;

    #[test]
    fn looks_at_as_many_results_as_there_are_relevant_items() {
        check("Rprec", "a:1 b:1 c:0", "a c b", 0.5);
        check("Rprec(mult=2)", "a:1 b:1 c:0", "a c b", 0.5);
        check("Rprec(mult=0.2)", "a:1 b:1 c:0", "a c b", 1.0);
        check("Rprec", "c:0", "c", 0.0);
    }
}
