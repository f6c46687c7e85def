//! One printed measure: its name, what it is of a topic, and how topics become one.

use super::gains::Gains;
use super::parameters::{Parameters, leading_integer, leading_number};
use super::topic::{self, Topic};
use super::{Options, TrecError, binary, gains, interpolated};
use crate::measure::{Measure, Number};
use crate::measures;

/// The cutoffs of most measures.
const CUTOFFS: [usize; 9] = [5, 10, 15, 20, 30, 100, 200, 500, 1000];
/// The cutoffs of success.
const EARLY_CUTOFFS: [usize; 3] = [1, 5, 10];
/// The recalls of interpolated precision.
const RECALLS: [f64; 11] = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0];
/// The multiples of Rprec_mult.
const MULTIPLES: [f64; 10] = [0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6, 1.8, 2.0];
/// The coefficients of utility for the four kinds of documents.
const COEFFICIENTS: [f64; 4] = [1.0, -1.0, 0.0, 0.0];
/// How many results a relstring shows.
const SHOWN: usize = 10;

/// A measure as trec_eval names it, before its parameters are read.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    RunId,
    NumTopics,
    NumRetrieved,
    NumRelevant,
    NumBoth,
    NumNonrelevant,
    /// One of our measures, without parameters.
    Plain(&'static str),
    /// One of our measures, of which the geometric mean is taken.
    Geometric(&'static str),
    /// One of our measures at each cutoff.
    Cutoffs(&'static str),
    Success,
    Interpolated,
    InterpolatedMean,
    RprecMultiples,
    Relstring,
    Utility,
    BinaryGain,
    Gain,
    Ndcg,
    NdcgAtRelevant,
    NdcgAtLevels,
    RelativePrecision,
    SetRelativePrecision,
    SetMap,
    SetF,
}

/// One printed measure.
pub(super) struct Column {
    /// The name as it is printed.
    pub(super) name: String,
    /// What is printed.
    pub(super) content: Content,
}

/// The value of a topic.
type TopicValue = Box<dyn Fn(&Topic<'_>) -> f64>;

/// What is printed in a column.
pub(super) enum Content {
    /// The run's tag, in the summary only.
    RunId,
    /// How many topics there are, in the summary only.
    NumTopics,
    /// A count, added up over topics.
    Count(fn(&Topic<'_>) -> usize),
    /// The number of relevant documents, which has a rule of its own.
    NumRelevant,
    /// A value, averaged over topics.
    Mean(TopicValue),
    /// A value whose geometric mean stands in the summary, and only there.
    GeometricMean(Measure),
    /// The grades of the first results, for topics only.
    Grades(usize),
}

/// What the summary needs beside the values of topics.
pub(super) struct Context<'a> {
    /// The tag on the last line of the run.
    pub(super) run_id: &'a str,
    /// How many topics the means are over, if not those of the report.
    pub(super) num_topics: Option<usize>,
    /// How many documents are relevant, if not those of the report.
    pub(super) num_graded: Option<usize>,
}

impl Kind {
    /// Adds the columns that the measure has with these parameters.
    pub(super) fn columns(
        self,
        parameters: Parameters<'_>,
        options: &Options,
        out: &mut Vec<Column>,
    ) -> Result<(), TrecError> {
        let level = topic::level(options);
        let measure = parameters.measure;
        let mut add = |name: String, content: Content| out.push(Column { name, content });
        let plain = || measure.to_owned();
        match self {
            Self::RunId => add(plain(), Content::RunId),
            Self::NumTopics => add(plain(), Content::NumTopics),
            Self::NumRetrieved => add(plain(), Content::Count(|topic| topic.num_ret)),
            Self::NumRelevant => add(plain(), Content::NumRelevant),
            Self::NumBoth => add(plain(), Content::Count(|topic| topic.num_rel_ret)),
            Self::NumNonrelevant => add(plain(), Content::Count(binary::num_nonrelevant)),
            Self::Plain(ours) => add(plain(), of_measure(ours.parse::<Measure>()?.at_level(level))),
            Self::Geometric(ours) => {
                add(plain(), Content::GeometricMean(ours.parse::<Measure>()?.at_level(level)));
            }
            Self::Cutoffs(ours) => {
                for cutoff in parameters.cutoffs(&CUTOFFS)? {
                    let ours: Measure = format!("{ours}@{cutoff}").parse()?;
                    add(format!("{measure}_{cutoff}"), of_measure(ours.at_level(level)));
                }
            }
            Self::Success => {
                for cutoff in parameters.cutoffs(&EARLY_CUTOFFS)? {
                    let ours: Measure = format!("Success@{cutoff}").parse()?;
                    add(format!("{measure}_{cutoff}"), of_measure(ours.at_level(level)));
                }
            }
            Self::RelativePrecision => {
                for cutoff in parameters.cutoffs(&CUTOFFS)? {
                    let formula = move |topic: &Topic<'_>| binary::relative_precision(topic, cutoff);
                    add(format!("{measure}_{cutoff}"), mean(formula));
                }
            }
            Self::Interpolated => {
                for recall in parameters.points(&RECALLS)? {
                    let formula = move |topic: &Topic<'_>| interpolated::at(topic, recall);
                    add(format!("{measure}_{:.2}", recall.get()), mean(formula));
                }
            }
            Self::InterpolatedMean => {
                let mut points: Vec<f64> =
                    parameters.numbers(&RECALLS)?.into_iter().map(Number::get).collect();
                points.reverse();
                add(parameters.name(), mean(move |topic| interpolated::mean(topic, &points)));
            }
            Self::RprecMultiples => {
                for multiple in parameters.points(&MULTIPLES)? {
                    let ours = measures::RPrecision::new(level, multiple);
                    let ours = Measure::new(measures::Kind::RPrecision(ours));
                    add(format!("{measure}_{:.2}", multiple.get()), of_measure(ours));
                }
            }
            Self::Relstring => {
                let shown = parameters
                    .given
                    .map_or(SHOWN, |given| usize::try_from(leading_integer(given)).unwrap_or(0));
                add(parameters.name(), Content::Grades(shown));
            }
            Self::Utility => {
                let coefficients = parameters.numbers(&COEFFICIENTS)?;
                let coefficients = <[Number; 4]>::try_from(coefficients)
                    .map_err(|_| parameters.bad("four numbers, divided by commas"))?
                    .map(Number::get);
                add(parameters.name(), mean(move |topic| binary::utility(topic, coefficients)));
            }
            Self::BinaryGain => add(plain(), mean(binary::gain)),
            Self::SetRelativePrecision => add(plain(), mean(binary::set_relative_precision)),
            Self::SetMap => add(plain(), mean(binary::set_map)),
            Self::SetF => {
                let weight = parameters.given.map_or(1.0, leading_number);
                add(parameters.name(), mean(move |topic| binary::set_f(topic, weight)));
            }
            Self::Gain => {
                let gains = Gains::new(parameters.pairs()?);
                add(parameters.name(), mean(move |topic| gains::gain(topic.ranked, &gains)));
            }
            Self::Ndcg if parameters.given.is_none() => add(plain(), of_measure(Measure::ndcg(None))),
            Self::Ndcg => {
                let gains = Gains::new(parameters.pairs()?);
                add(parameters.name(), mean(move |topic| gains::ndcg(topic.ranked, &gains)));
            }
            Self::NdcgAtRelevant => {
                let gains = Gains::new(parameters.pairs()?);
                add(parameters.name(), mean(move |topic| gains::ndcg_at_relevant(topic.ranked, &gains)));
            }
            Self::NdcgAtLevels => {
                let gains = Gains::new(parameters.pairs()?);
                add(parameters.name(), mean(move |topic| gains::ndcg_at_levels(topic, &gains)));
            }
        }
        Ok(())
    }
}

fn mean(formula: impl Fn(&Topic<'_>) -> f64 + 'static) -> Content {
    Content::Mean(Box::new(formula))
}

fn of_measure(measure: Measure) -> Content {
    mean(move |topic| measure.score_filtered(topic.ranked))
}
