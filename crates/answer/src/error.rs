//! Why there is no answer.

/// Why no answer could be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Candidates could not be ranked.
    #[error(transparent)]
    Retrieve(#[from] retrieve::Error),
    /// A post could not be read.
    #[error(transparent)]
    Collection(#[from] store::Error),
    /// What a system is made of is not there.
    #[error(transparent)]
    Compile(#[from] retrieve::CompileError),
    /// The file of a system cannot be understood.
    #[error("{name}: {what}")]
    System {
        /// The system or its file.
        name: String,
        /// What is wrong.
        what: String,
    },
    /// The model gave nothing.
    #[error(transparent)]
    Generate(#[from] generate::Error),
    /// The system wants a language model, and none was given.
    #[error("{0} lets a language model write: name one")]
    NoModel(String),
}
