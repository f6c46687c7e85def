//! What can go wrong.

/// Why topics cannot be had.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A collection cannot be read.
    #[error(transparent)]
    Store(#[from] store::Error),
    /// Files of topics cannot be written.
    #[error(transparent)]
    Collection(#[from] formats::Error),
    /// Two topics have one id.
    #[error(transparent)]
    Twice(#[from] formats::DuplicateTopic),
    /// A label says what no question can be.
    #[error("labels: the {name} of question {question} is {value:?}; known are {known}")]
    Label {
        /// The label.
        name: &'static str,
        /// The question.
        question: String,
        /// What it says.
        value: String,
        /// What it may say.
        known: String,
    },
}
