//! NumQ, NumRet, NumRel, NumRelRet, NumNonRelJudgedRet: plain counts, added up over topics.
//!
//! Topics, results, relevant items, relevant results, and results judged not
//! relevant. Default: relevant from grade 1 on. Source: trec_eval 9, `num_*`;
//! ir_measures writes NumRelRet as NumRet with a level, which is read so.

use super::{Names, Prime, TopicMeasure, count_relevant};
use crate::measure::{Aggregate, Args, MeasureError, Printed};
use crate::{JudgedGrades, Ranked, ResultGrade};

pub(crate) static TOPICS: Names = Names::new("NumQ", &["numtopics"]);
pub(crate) static RETRIEVED: Names = Names::new("NumRet", &[]);
pub(crate) static RELEVANT: Names = Names::new("NumRel", &[]);
pub(crate) static BOTH: Names = Names::new("NumRelRet", &[]);
pub(crate) static NONRELEVANT: Names = Names::new("NumNonRelJudgedRet", &[]);

/// A count.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Count {
    /// 1 for every topic.
    Topics,
    /// Results.
    Retrieved,
    /// Items of the topic that are relevant at a level.
    Relevant(i32),
    /// Results that are relevant at a level.
    Both(i32),
    /// Results that are judged and below a level.
    Nonrelevant(i32),
}

impl Count {
    pub(crate) fn read_topics(args: &mut Args<'_>) -> Result<Self, MeasureError> {
        args.has_no("rel", "it counts topics");
        Ok(Self::Topics)
    }

    pub(crate) fn read_retrieved(args: &mut Args<'_>) -> Result<Self, MeasureError> {
        Ok(args.optional_level()?.map_or(Self::Retrieved, Self::Both))
    }

    pub(crate) fn read_relevant(args: &mut Args<'_>) -> Result<Self, MeasureError> {
        args.level().map(Self::Relevant)
    }

    pub(crate) fn read_both(args: &mut Args<'_>) -> Result<Self, MeasureError> {
        args.level().map(Self::Both)
    }

    pub(crate) fn read_nonrelevant(args: &mut Args<'_>) -> Result<Self, MeasureError> {
        args.level().map(Self::Nonrelevant)
    }

    fn count(&self, ranked: Ranked<'_>) -> usize {
        match self {
            Self::Topics => 1,
            Self::Retrieved => ranked.grades.len(),
            Self::Relevant(level) => ranked.judged.num_relevant(*level),
            Self::Both(level) => count_relevant(ranked.grades, *level),
            Self::Nonrelevant(level) => {
                count_relevant(ranked.grades, 0) - count_relevant(ranked.grades, *level)
            }
        }
    }
}

impl TopicMeasure for Count {
    fn names(&self) -> &'static Names {
        match self {
            Self::Topics => &TOPICS,
            Self::Retrieved => &RETRIEVED,
            Self::Relevant(_) => &RELEVANT,
            Self::Both(_) => &BOTH,
            Self::Nonrelevant(_) => &NONRELEVANT,
        }
    }

    fn print(&self, out: &mut Printed) {
        match self {
            Self::Topics | Self::Retrieved => {}
            Self::Relevant(level) | Self::Both(level) | Self::Nonrelevant(level) => out.level(*level),
        }
    }

    fn score(&self, ranked: Ranked<'_>) -> f64 {
        self.count(ranked) as f64
    }

    /// Order does not matter, so nothing is worth more than anything else.
    fn gain(&self, _verdict: ResultGrade) -> f64 {
        0.0
    }

    fn aggregate(&self) -> Aggregate {
        Aggregate::Sum
    }

    /// The count when all judged items are returned and nothing else.
    fn highest(&self, pool: &JudgedGrades) -> f64 {
        let count = match self {
            Self::Topics => 1,
            Self::Retrieved => pool.num_judged(),
            Self::Relevant(level) | Self::Both(level) => pool.num_relevant(*level),
            Self::Nonrelevant(level) => pool.num_nonrelevant(*level),
        };
        count as f64
    }

    fn trec_name(&self) -> Option<String> {
        let name = match self {
            Self::Topics => "num_q",
            Self::Retrieved => "num_ret",
            Self::Relevant(_) => "num_rel",
            Self::Both(_) => "num_rel_ret",
            Self::Nonrelevant(_) => "num_nonrel_judged_ret",
        };
        Some(name.to_owned())
    }

    fn chance(&self, pool: &JudgedGrades) -> Option<f64> {
        Some(self.highest(pool))
    }

    fn prime(&self) -> Prime {
        match self {
            Self::Retrieved => Prime::Matters,
            _ => Prime::NoEffect("it does not count unjudged results"),
        }
    }

    fn set_level(&mut self, new: i32) {
        match self {
            Self::Topics | Self::Retrieved => {}
            Self::Relevant(level) | Self::Both(level) | Self::Nonrelevant(level) => *level = new,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::measure::testing::check;

    #[test]
    fn counts() {
        let (qrels, order) = ("a:3 b:0 c:1 d:2 e:-1", "a b c x e");
        check("NumQ", qrels, order, 1.0);
        check("NumRet", qrels, order, 5.0);
        check("NumRet'", qrels, order, 3.0);
        check("NumRel(rel=2)", qrels, order, 2.0);
        check("NumRelRet", qrels, order, 2.0);
        check("NumNonRelJudgedRet(rel=2)", qrels, order, 2.0);
    }
}
