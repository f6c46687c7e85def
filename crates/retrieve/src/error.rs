//! Why a query could not be run.

/// Why a query could not be run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The index could not be read, or lacks what the system needs.
    #[error(transparent)]
    Index(#[from] index::Error),
    /// A collection could not be read.
    #[error(transparent)]
    Collection(#[from] store::Error),
    /// Rankings could not be fused.
    #[error("{system}: {cause}")]
    Fusion {
        /// The system that fuses them.
        system: String,
        /// Why not.
        cause: fuse::Error,
    },
    /// A model could not be used.
    #[error("{reason}")]
    Model {
        /// Why not, with the name of the model.
        reason: String,
    },
    /// There was no time to find anything.
    #[error("the search was stopped: its time was up, or nobody waits for it any more")]
    Stopped,
    /// The system is for something else.
    #[error("the system {system} returns {returns}, not {wanted}")]
    Other {
        /// The system.
        system: String,
        /// What it returns.
        returns: &'static str,
        /// What is asked for.
        wanted: &'static str,
    },
}
