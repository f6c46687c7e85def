//! What can be wrong with a Task 3 evaluation.

use super::references::Contributor;
use super::tokens::TokenizeError;
use formats::{Place, TopicId};

/// Why a Task 3 run could not be scored.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Task3Error {
    /// A run of Task 3 has one answer for a topic.
    #[error("topic {0} is answered a second time")]
    RepeatedTopic(TopicId),
    /// A rank that is no whole number, in a run that is cut after its first result.
    #[error("{place}: the rank {text:?} is no whole number")]
    Rank {
        /// Where the row stands.
        place: Place,
        /// The rank as it stands in the file.
        text: String,
    },
    /// A run of the team under evaluation contributed nothing: most likely its name is mistyped.
    #[error("{run} is not among the runs from which the references come ({known})")]
    UnknownRun {
        /// The run that was named.
        run: Contributor,
        /// The runs that are known, for the message.
        known: String,
    },
    /// An answer could not be cut into tokens.
    #[error(transparent)]
    Tokenize(#[from] TokenizeError),
    /// A measure of similarity gave up.
    #[error("{measure}: {reason}")]
    Similarity {
        /// The name of the measure.
        measure: String,
        /// Why.
        reason: String,
    },
    /// Two runs could not be compared.
    #[error("comparing two runs: {reason}")]
    Comparison {
        /// Why.
        reason: String,
    },
}
