//! bpref: how often relevant items stand above those judged not relevant.
//!
//! (1/R) Σ over retrieved relevant items of 1 − min(a, R) / min(R, N), where
//! a counts the judged non-relevant results above and N those of the topic;
//! the term is 1 when a is 0. Unjudged results are passed over.
//! Default: relevant from grade 1 on. Source: Buckley and Voorhees, SIGIR
//! 2004, in the form that trec_eval has had since version 8.

use super::{Names, Prime, TopicMeasure};
use crate::measure::{Args, MeasureError, Printed};
use crate::{JudgedGrades, Ranked, ResultGrade};

pub(crate) static NAMES: Names = Names::new("bpref", &[]);

/// Why a prime is refused.
pub(super) const PASSED_OVER: &str = "it passes over unjudged results anyway";

/// Binary preference.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Bpref {
    pub(super) level: i32,
}

impl Bpref {
    /// With a level.
    pub(crate) fn new(level: i32) -> Self {
        Self { level }
    }

    pub(crate) fn read(args: &mut Args<'_>) -> Result<Self, MeasureError> {
        Ok(Self { level: args.level()? })
    }
}

impl TopicMeasure for Bpref {
    fn names(&self) -> &'static Names {
        &NAMES
    }

    fn print(&self, out: &mut Printed) {
        out.level(self.level);
    }

    fn score(&self, ranked: Ranked<'_>) -> f64 {
        let relevant = ranked.judged.num_relevant(self.level);
        if relevant == 0 {
            return 0.0;
        }
        let limit = relevant.min(ranked.judged.num_nonrelevant(self.level)).max(1) as f64;
        let mut above = 0;
        let mut sum = 0.0;
        for verdict in ranked.grades {
            if verdict.is_relevant(self.level) {
                sum += if above > 0 { 1.0 - above.min(relevant) as f64 / limit } else { 1.0 };
            } else if verdict.is_judged() {
                above += 1;
            }
        }
        sum / relevant as f64
    }

    fn gain(&self, verdict: ResultGrade) -> f64 {
        match (verdict.is_judged(), verdict.is_relevant(self.level)) {
            (_, true) => 1.0,
            (false, _) => 0.0,
            (true, false) => -1.0,
        }
    }

    fn trec_name(&self) -> Option<String> {
        Some("bpref".to_owned())
    }

    /// The number of non-relevant items above a relevant one is uniform over 0…N.
    fn chance(&self, pool: &JudgedGrades) -> Option<f64> {
        let relevant = pool.num_relevant(self.level);
        let others = pool.num_nonrelevant(self.level);
        if relevant == 0 || others == 0 {
            return Some(if relevant == 0 { 0.0 } else { 1.0 });
        }
        let limit = relevant.min(others);
        // Σ min(a, limit) over a = 0…N: a triangle up to the limit, then flat.
        let sum = limit * (limit + 1) / 2 + (others - limit) * limit;
        Some(1.0 - sum as f64 / ((others + 1) * limit) as f64)
    }

    fn prime(&self) -> Prime {
        Prime::NoEffect(PASSED_OVER)
    }

    fn set_level(&mut self, level: i32) {
        self.level = level;
    }
}

#[cfg(test)]
mod tests {
    use crate::measure::testing::check;

    #[test]
    fn worked_by_hand() {
        check("bpref(rel=2)", "a:2 b:0 c:3 d:0 e:2 f:0 g:0", "b a x c d e", 5.0 / 9.0);
    }

    #[test]
    fn without_non_relevant_items_all_found_count_fully() {
        check("bpref(rel=2)", "a:2 b:2", "x b a", 1.0);
        check("bpref(rel=0)", "a:2 b:0 c:0", "b a", 2.0 / 3.0);
    }

    #[test]
    fn ntcir_full_and_partial_relevance() {
        let (qrels, order) = ("a:4 b:3 c:2 d:1 e:0", "b x e c a");
        check("AP(rel=3)", qrels, order, 0.7);
        check("bpref(rel=3)", qrels, order, 0.5);
        check("P(rel=3)@5", qrels, order, 0.4);
        check("AP", qrels, order, 0.525);
        check("bpref", qrels, order, 0.25);
        check("P@5", qrels, order, 0.6);
    }
}
