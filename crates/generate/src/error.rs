//! Why a model gave nothing.

/// Why a model gave nothing.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The request is longer than what the model can look at.
    #[error("the prompt has {tokens} tokens, and {model} looks at {limit} at most")]
    TooLong {
        /// The model.
        model: String,
        /// How many tokens there are.
        tokens: usize,
        /// How many there may be.
        limit: usize,
    },
    /// A model in this process failed.
    #[error("{model}: {reason}")]
    Model {
        /// The model.
        model: String,
        /// What went wrong.
        reason: String,
    },
}
