//! Why something was not done.

/// Why something was not done. Nothing of it was kept.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// It is not there, or it is somebody else's: which of the two is not told.
    #[error("there is no such {0} among your work")]
    NotYours(&'static str),
    /// A rule does not allow it; the sentence says which, and what to do.
    #[error("{0}")]
    Refused(String),
    /// The lab could not be read or written.
    #[error(transparent)]
    Lab(#[from] lab::Error),
    /// The database could not be read or written.
    #[error(transparent)]
    Database(#[from] rusqlite::Error),
    /// What was done could not be brought to the disk, and was undone.
    #[error("it could not be kept: {0}")]
    NotKept(String),
    /// Our own mistake.
    #[error("something went wrong here")]
    Broken,
}

impl Error {
    /// A rule does not allow it.
    pub fn refused(reason: impl Into<String>) -> Self {
        Self::Refused(reason.into())
    }
}

/// What a function of this crate gives.
pub type Result<T, E = Error> = std::result::Result<T, E>;
