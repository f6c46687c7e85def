//! GMAP and GMbpref: AP and bpref, aggregated by the geometric mean.
//!
//! The value of a topic is AP or bpref itself; only the aggregate differs,
//! and there each value counts as at least 0.00001. trec_eval keeps the
//! logarithm as the topic's value and does not print it.
//! Source: Robertson, CIKM 2006; trec_eval 9, `gm_map` and `gm_bpref`.

use super::{AveragePrecision, Bpref, Names, Prime, TopicMeasure};
use crate::measure::{Aggregate, Args, MeasureError, Printed};
use crate::{JudgedGrades, Ranked, ResultGrade};

pub(crate) static AP: Names = Names::new("GMAP", &["gmmap", "gmap"]);
pub(crate) static BPREF: Names = Names::new("GMbpref", &[]);

/// A measure whose aggregate is the geometric mean.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Geometric {
    /// Of AP.
    Ap(AveragePrecision),
    /// Of bpref.
    Bpref(Bpref),
}

impl Geometric {
    pub(crate) fn read_ap(args: &mut Args<'_>) -> Result<Self, MeasureError> {
        AveragePrecision::read(args).map(Self::Ap)
    }

    pub(crate) fn read_bpref(args: &mut Args<'_>) -> Result<Self, MeasureError> {
        Bpref::read(args).map(Self::Bpref)
    }

    fn base(&self) -> &dyn TopicMeasure {
        match self {
            Self::Ap(ap) => ap,
            Self::Bpref(bpref) => bpref,
        }
    }
}

impl TopicMeasure for Geometric {
    fn names(&self) -> &'static Names {
        match self {
            Self::Ap(_) => &AP,
            Self::Bpref(_) => &BPREF,
        }
    }

    fn print(&self, out: &mut Printed) {
        self.base().print(out);
    }

    fn score(&self, ranked: Ranked<'_>) -> f64 {
        self.base().score(ranked)
    }

    fn gain(&self, verdict: ResultGrade) -> f64 {
        self.base().gain(verdict)
    }

    fn aggregate(&self) -> Aggregate {
        Aggregate::GeometricMean
    }

    fn trec_name(&self) -> Option<String> {
        match self {
            Self::Ap(ap) => ap.cutoff.is_none().then(|| "gm_map".to_owned()),
            Self::Bpref(_) => Some("gm_bpref".to_owned()),
        }
    }

    fn chance(&self, pool: &JudgedGrades) -> Option<f64> {
        self.base().chance(pool)
    }

    fn prime(&self) -> Prime {
        self.base().prime()
    }

    fn set_level(&mut self, level: i32) {
        match self {
            Self::Ap(ap) => ap.level = level,
            Self::Bpref(bpref) => bpref.level = level,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::measure::testing::check;

    #[test]
    fn a_topic_has_the_plain_value() {
        check("GMAP", "a:1 b:1", "a x b", 5.0 / 6.0);
        check("GMbpref", "a:1 b:0", "b a", 0.0);
    }
}
