//! Why there is no report.

use crate::measure::MeasureError;
use crate::pipeline::Duplicate;
use thiserror::Error;

/// Why there is no report.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TrecError {
    /// trec_eval has no such measure.
    #[error("trec_eval has no measure `{name}`; it has {}", known.join(", "))]
    UnknownMeasure {
        /// The name as written.
        name: String,
        /// All known names and nicknames.
        known: Vec<&'static str>,
    },
    /// The measure is about preferences or several judges, which this does not read.
    #[error(
        "`{name}` needs preferences or several judges; only judgments of single documents are known here"
    )]
    Preferences {
        /// The name as written.
        name: String,
    },
    /// The parameters of a measure cannot be read.
    #[error("the parameters of `{measure}.{given}` should be {expected}")]
    BadParameters {
        /// The measure.
        measure: &'static str,
        /// The parameters as written.
        given: String,
        /// What is expected.
        expected: &'static str,
    },
    /// A value that a measure cannot have.
    #[error(transparent)]
    Measure(#[from] MeasureError),
    /// No topic has both results and judgments.
    #[error("no topic has both results in {run} and judgments in {qrels}")]
    NoCommonTopic {
        /// What the run is called.
        run: String,
        /// What the judgments are called.
        qrels: String,
    },
    /// A document is listed twice for a topic.
    #[error(transparent)]
    Duplicate(#[from] Duplicate),
}
