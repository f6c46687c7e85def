//! The measures, one file each, and the registry that names them.
//!
//! A file holds a measure's definition, its parameters, and what is known of
//! it: how ties help or hurt it, what chance gives. A new measure is a file
//! that implements [`TopicMeasure`] and a line in the registry below.

mod ap;
mod bpref;
mod count;
mod err;
mod gain;
mod geometric;
mod inf_ap;
mod iprec;
mod judged;
mod ndcg;
mod precision;
mod rbp;
mod recall;
mod reciprocal;
mod rprec;
mod set;
mod success;

pub(crate) use {
    ap::AveragePrecision, bpref::Bpref, iprec::Interpolated, judged::Judged, ndcg::Ndcg,
    precision::Precision, reciprocal::ReciprocalRank, rprec::RPrecision,
};

use crate::measure::{Aggregate, Args, Extreme, MeasureError, Printed};
use crate::{JudgedGrades, Ranked, ResultGrade};
use std::num::NonZeroUsize;

/// What a measure is called.
#[derive(Debug)]
pub(crate) struct Names {
    /// The name of a topic's value, as it is printed.
    pub(crate) printed: &'static str,
    /// The name of the mean over topics, where people use another one.
    pub(crate) mean: &'static str,
    /// Other spellings, in lower case and without `_` and `-`.
    pub(crate) others: &'static [&'static str],
    /// The parameter that trec_eval puts behind the name, as in `P_10`.
    pub(crate) suffix: Suffix,
}

impl Names {
    /// A name that is also that of the mean.
    pub(crate) const fn new(printed: &'static str, others: &'static [&'static str]) -> Self {
        Self { printed, mean: printed, others, suffix: Suffix::Cutoff }
    }
}

/// Which parameter trec_eval puts behind a measure's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Suffix {
    /// What we write after `@`.
    Cutoff,
    /// A parameter of this name.
    Named(&'static str),
}

/// Whether removing unjudged results can change a measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Prime {
    /// It can.
    Matters,
    /// It cannot, for the reason given.
    NoEffect(&'static str),
}

/// What every measure can do; the provided methods hold for most.
pub(crate) trait TopicMeasure {
    /// What it is called.
    fn names(&self) -> &'static Names;

    /// Its parameters, for printing.
    fn print(&self, out: &mut Printed);

    /// Its value for a ranking; never NaN, and 0 where it is not defined.
    fn score(&self, ranked: Ranked<'_>) -> f64;

    /// How much a result is worth at a given rank: putting those worth more
    /// first gives the highest value, putting them last the lowest.
    fn gain(&self, verdict: ResultGrade) -> f64;

    /// Orders results that are tied so that the value is as high or low as can be.
    fn arrange(&self, _before: &[ResultGrade], tied: &mut [ResultGrade], extreme: Extreme) {
        match extreme {
            Extreme::Highest => tied.sort_by(|a, b| self.gain(*b).total_cmp(&self.gain(*a))),
            Extreme::Lowest => tied.sort_by(|a, b| self.gain(*a).total_cmp(&self.gain(*b))),
        }
    }

    /// How values of topics become one.
    fn aggregate(&self) -> Aggregate {
        Aggregate::Mean
    }

    /// The value of the ideal ranking: everything of worth, the best first.
    fn highest(&self, pool: &JudgedGrades) -> f64 {
        let mut ideal: Vec<_> = pool.grades().iter().map(|grade| ResultGrade::graded(*grade)).collect();
        ideal.retain(|verdict| self.gain(*verdict) > 0.0);
        ideal.sort_by(|a, b| self.gain(*b).total_cmp(&self.gain(*a)));
        self.score(Ranked { grades: &ideal, judged: pool })
    }

    /// What trec_eval calls it, if it has it.
    fn trec_name(&self) -> Option<String> {
        None
    }

    /// The expected value of the judged items in random order, if there is an exact formula.
    fn chance(&self, _pool: &JudgedGrades) -> Option<f64> {
        None
    }

    /// Whether unjudged results matter.
    fn prime(&self) -> Prime {
        Prime::Matters
    }

    /// Sets the grade from which on a result is relevant, if the measure has such a thing.
    fn set_level(&mut self, _level: i32) {}

    /// By how much the value could rise were everything unknown of full worth.
    fn residual(&self, _ranked: Ranked<'_>) -> Option<f64> {
        None
    }
}

/// Reads the parameters of one measure.
type Reader = fn(&mut Args<'_>) -> Result<Kind, MeasureError>;

/// A name and how to read what follows it.
#[derive(Debug)]
pub(crate) struct Entry {
    /// The names it goes by.
    pub(crate) names: &'static Names,
    /// Reads its parameters.
    pub(crate) read: Reader,
}

macro_rules! registry {
    ($($kind:ident($measure:ty): $([$names:expr, $read:expr]),+;)+) => {
        /// Any measure, with its parameters.
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        pub(crate) enum Kind {
            $(#[doc = stringify!($kind)] $kind($measure),)+
        }

        impl Kind {
            /// What the measure can do.
            pub(crate) fn measure(&self) -> &dyn TopicMeasure {
                match self { $(Self::$kind(measure) => measure,)+ }
            }

            /// The same, to change it.
            pub(crate) fn measure_mut(&mut self) -> &mut dyn TopicMeasure {
                match self { $(Self::$kind(measure) => measure,)+ }
            }
        }

        /// All measures that can be named.
        pub(crate) static REGISTRY: &[Entry] = &[
            $($(Entry { names: $names, read: |args| $read(args).map(Kind::$kind) },)+)+
        ];
    };
}

registry! {
    Ndcg(ndcg::Ndcg): [&ndcg::NAMES, ndcg::Ndcg::read], [&ndcg::DCG_NAMES, ndcg::Ndcg::read_dcg];
    AveragePrecision(ap::AveragePrecision): [&ap::NAMES, ap::AveragePrecision::read];
    Precision(precision::Precision): [&precision::NAMES, precision::Precision::read];
    Recall(recall::Recall): [&recall::NAMES, recall::Recall::read];
    RPrecision(rprec::RPrecision): [&rprec::NAMES, rprec::RPrecision::read];
    Bpref(bpref::Bpref): [&bpref::NAMES, bpref::Bpref::read];
    ReciprocalRank(reciprocal::ReciprocalRank): [&reciprocal::NAMES, reciprocal::ReciprocalRank::read];
    Success(success::Success): [&success::NAMES, success::Success::read];
    Judged(judged::Judged): [&judged::NAMES, judged::Judged::read];
    InferredAp(inf_ap::InferredAp): [&inf_ap::NAMES, inf_ap::InferredAp::read];
    RankBiased(rbp::RankBiased): [&rbp::NAMES, rbp::RankBiased::read];
    ExpectedReciprocal(err::ExpectedReciprocal): [&err::NAMES, err::ExpectedReciprocal::read];
    Interpolated(iprec::Interpolated):
        [&iprec::NAMES, iprec::Interpolated::read], [&iprec::AVERAGE_NAMES, iprec::Interpolated::read_average];
    Set(set::Set):
        [&set::PRECISION, set::Set::read_precision], [&set::RECALL, set::Set::read_recall],
        [&set::F, set::Set::read_f], [&set::AP, set::Set::read_ap];
    Geometric(geometric::Geometric):
        [&geometric::AP, geometric::Geometric::read_ap], [&geometric::BPREF, geometric::Geometric::read_bpref];
    Count(count::Count):
        [&count::TOPICS, count::Count::read_topics], [&count::RETRIEVED, count::Count::read_retrieved],
        [&count::RELEVANT, count::Count::read_relevant], [&count::BOTH, count::Count::read_both],
        [&count::NONRELEVANT, count::Count::read_nonrelevant];
}

/// The results down to a cutoff.
fn head(verdicts: &[ResultGrade], cutoff: Option<NonZeroUsize>) -> &[ResultGrade] {
    match cutoff {
        Some(cutoff) => &verdicts[..verdicts.len().min(cutoff.get())],
        None => verdicts,
    }
}

/// How many results are relevant.
fn count_relevant(verdicts: &[ResultGrade], level: i32) -> usize {
    verdicts.iter().filter(|verdict| verdict.is_relevant(level)).count()
}

/// A share, and 0 of nothing.
fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// The gain of a result where only relevance counts.
fn binary_gain(verdict: ResultGrade, level: i32) -> f64 {
    if verdict.is_relevant(level) { 1.0 } else { 0.0 }
}
