//! SetP, SetR, SetF, SetAP: the results as a set, whatever their order.
//!
//! With n results of which k are among the R relevant items: precision k/n,
//! recall k/R, F = (β + 1)PR / (βP + R), and PR. 0 where a divisor is 0.
//! Note that β is not squared, as in trec_eval; it is 1 unless said.
//! Default: relevant from grade 1 on. Source: trec_eval 9, `set_P`,
//! `set_recall`, `set_F`, `set_map`.

use super::{Names, Prime, Suffix, TopicMeasure, binary_gain, count_relevant, share};
use crate::measure::{Args, MeasureError, Number, Printed};
use crate::{JudgedGrades, Ranked, ResultGrade};

pub(crate) static PRECISION: Names = Names::new("SetP", &["setprecision"]);
pub(crate) static RECALL: Names = Names::new("SetR", &["setrecall"]);
pub(crate) static F: Names =
    Names { printed: "SetF", mean: "SetF", others: &["setf1"], suffix: Suffix::Named("beta") };
pub(crate) static AP: Names =
    Names { printed: "SetAP", mean: "SetMAP", others: &["setmap"], suffix: Suffix::Cutoff };

/// Which of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Part {
    Precision,
    Recall,
    F(Number),
    Ap,
}

/// A measure of the set of results.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Set {
    level: i32,
    part: Part,
}

impl Set {
    pub(crate) fn read_precision(args: &mut Args<'_>) -> Result<Self, MeasureError> {
        Self::read(args, Part::Precision)
    }

    pub(crate) fn read_recall(args: &mut Args<'_>) -> Result<Self, MeasureError> {
        Self::read(args, Part::Recall)
    }

    pub(crate) fn read_f(args: &mut Args<'_>) -> Result<Self, MeasureError> {
        let beta = args.number("beta", 0.0..=1e6)?.unwrap_or(Number::ONE);
        Self::read(args, Part::F(beta))
    }

    pub(crate) fn read_ap(args: &mut Args<'_>) -> Result<Self, MeasureError> {
        Self::read(args, Part::Ap)
    }

    fn read(args: &mut Args<'_>, part: Part) -> Result<Self, MeasureError> {
        args.has_no_cutoff("it looks at everything returned");
        Ok(Self { level: args.level()?, part })
    }

    fn of_counts(&self, found: usize, returned: usize, relevant: usize) -> f64 {
        let precision = share(found, returned);
        let recall = share(found, relevant);
        match self.part {
            Part::Precision => precision,
            Part::Recall => recall,
            Part::Ap => precision * recall,
            Part::F(_) if found == 0 || relevant == 0 => 0.0,
            Part::F(beta) => (beta.get() + 1.0) * precision * recall / (beta.get() * precision + recall),
        }
    }
}

impl TopicMeasure for Set {
    fn names(&self) -> &'static Names {
        match self.part {
            Part::Precision => &PRECISION,
            Part::Recall => &RECALL,
            Part::F(_) => &F,
            Part::Ap => &AP,
        }
    }

    fn print(&self, out: &mut Printed) {
        out.level(self.level);
        match self.part {
            Part::F(beta) if beta != Number::ONE => out.param("beta", beta),
            _ => {}
        }
    }

    fn score(&self, ranked: Ranked<'_>) -> f64 {
        let found = count_relevant(ranked.grades, self.level);
        self.of_counts(found, ranked.grades.len(), ranked.judged.num_relevant(self.level))
    }

    fn gain(&self, verdict: ResultGrade) -> f64 {
        binary_gain(verdict, self.level)
    }

    fn trec_name(&self) -> Option<String> {
        match self.part {
            Part::Precision => Some("set_P".to_owned()),
            Part::Recall => Some("set_recall".to_owned()),
            Part::F(beta) if beta == Number::ONE => Some("set_F".to_owned()),
            Part::F(beta) => Some(format!("set_F_{beta}")),
            Part::Ap => Some("set_map".to_owned()),
        }
    }

    fn chance(&self, pool: &JudgedGrades) -> Option<f64> {
        let relevant = pool.num_relevant(self.level);
        Some(self.of_counts(relevant, pool.num_judged(), relevant))
    }

    fn prime(&self) -> Prime {
        match self.part {
            Part::Recall => Prime::NoEffect("it counts relevant results only"),
            _ => Prime::Matters,
        }
    }

    fn set_level(&mut self, level: i32) {
        self.level = level;
    }
}

#[cfg(test)]
mod tests {
    use crate::measure::testing::check;

    #[test]
    fn order_does_not_matter() {
        for order in ["a b x", "x b a"] {
            check("SetP", "a:1 b:0 c:1", order, 1.0 / 3.0);
            check("SetR", "a:1 b:0 c:1", order, 0.5);
            check("SetF", "a:1 b:0 c:1", order, 0.4);
            check("SetAP", "a:1 b:0 c:1", order, 1.0 / 6.0);
        }
    }

    #[test]
    fn nothing_found_is_0() {
        check("SetF", "a:1", "x", 0.0);
        check("SetF", "a:0", "a", 0.0);
        check("SetP", "a:0", "", 0.0);
    }
}
