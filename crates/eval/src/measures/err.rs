//! ERR: one over the rank at which a reader is satisfied, expected over readers.
//!
//! Σ (1/i) Rᵢ Π over j < i of (1 − Rⱼ), where Rᵢ = (2^grade − 1) / 2^max.
//! The maximum is 4 in gdeval and the collection's highest grade elsewhere,
//! so it is always printed; grades above it count as the maximum.
//! Source: Chapelle et al., CIKM 2009; default maximum as in gdeval.

use super::{Names, TopicMeasure, head};
use crate::measure::{Args, MeasureError, Printed};
use crate::{Ranked, ResultGrade};
use std::num::NonZeroUsize;

pub(crate) static NAMES: Names = Names::new("ERR", &["expectedreciprocalrank"]);

/// Expected reciprocal rank.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ExpectedReciprocal {
    max: i32,
    cutoff: Option<NonZeroUsize>,
}

impl ExpectedReciprocal {
    pub(crate) fn read(args: &mut Args<'_>) -> Result<Self, MeasureError> {
        args.has_no("rel", "it has no threshold: every grade counts with its gain");
        Ok(Self { max: args.max_grade()?.unwrap_or(4), cutoff: args.cutoff()? })
    }
}

impl TopicMeasure for ExpectedReciprocal {
    fn names(&self) -> &'static Names {
        &NAMES
    }

    fn print(&self, out: &mut Printed) {
        out.param("max", self.max);
        out.cutoff(self.cutoff);
    }

    fn score(&self, ranked: Ranked<'_>) -> f64 {
        let mut unsatisfied = 1.0;
        let mut sum = 0.0;
        for (index, verdict) in head(ranked.grades, self.cutoff).iter().enumerate() {
            if verdict.gain() > 0 {
                let satisfied = self.gain(*verdict);
                sum += unsatisfied * satisfied / (index + 1) as f64;
                unsatisfied *= 1.0 - satisfied;
            }
        }
        sum
    }

    fn gain(&self, verdict: ResultGrade) -> f64 {
        (2f64.powi(verdict.gain().min(self.max)) - 1.0) / 2f64.powi(self.max)
    }
}

#[cfg(test)]
mod tests {
    use crate::measure::testing::check;

    #[test]
    fn a_second_good_result_helps_less() {
        check("ERR(max=1)@20", "a:1 b:1", "a b", 0.5 + 0.5 * 0.5 / 2.0);
        check("ERR(max=3)", "a:3 b:1", "b a", 0.125 + 0.875 * 0.875 / 2.0);
        check("ERR(max=3)@1", "a:3 b:1", "b a", 0.125);
    }
}
