//! What can be wrong with the description of a lab.

use eval::Duplicate;
use eval::task3::Task3Error;
use std::fmt;

/// Why no report can be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OverviewError {
    /// A run lists a document twice and the rules refuse that.
    #[error("{of}: {cause}")]
    Duplicate {
        /// What was scored.
        of: Box<Scored>,
        /// Where the document stands.
        cause: Box<Duplicate>,
    },
    /// Answers that cannot be scored.
    #[error("{of}: {cause}")]
    Answers {
        /// What was scored.
        of: Box<Scored>,
        /// Why.
        cause: Box<Task3Error>,
    },
    /// A ranking where the task asks for answers, or the other way round.
    #[error("{of}: the task asks for {wanted}")]
    WrongOutput {
        /// What was scored.
        of: Box<Scored>,
        /// What the task asks for.
        wanted: &'static str,
    },
    /// A system that does not exist is to be compared with.
    #[error("{task}: there is no system {index} to compare with; there are {systems}")]
    NoSuchSystem {
        /// The task.
        task: String,
        /// The place that was named, from 0.
        index: usize,
        /// How many systems there are.
        systems: usize,
    },
    /// Two tasks share a key, or a key is not fit for addresses and files.
    #[error("the key {0:?} of a task is empty, used twice, or has other signs than a to z, 0 to 9 and -")]
    Key(String),
}

/// What was scored when something went wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scored {
    /// The name of the task.
    pub task: String,
    /// The system, behind its team.
    pub system: String,
    /// The name of the test set.
    pub set: String,
}

impl fmt::Display for Scored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {} on {}", self.task, self.system, self.set)
    }
}
