//! What can go wrong.

use std::io;
use std::path::{Path, PathBuf};

/// Why vectors could not be trained or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file could not be read or written.
    #[error("{}: {cause}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        cause: io::Error,
    },
    /// A file does not hold what it should.
    #[error("{}: damaged: {reason}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A file of named sections could not be read or written.
    #[error(transparent)]
    Frame(#[from] frame::Error),
    /// The options do not go together.
    #[error("{0}")]
    Options(String),
    /// A folder has a training with other options or of other data.
    #[error("{}: has an unfinished training with {what}; resume that one, name another folder, or start over", path.display())]
    Other {
        /// The folder.
        path: PathBuf,
        /// What differs.
        what: String,
    },
    /// There is nothing to learn from.
    #[error("nothing to learn from: {0}")]
    Nothing(String),
    /// The caller asked to stop.
    #[error("stopped")]
    Stopped,
}

impl Error {
    pub(super) fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |cause| Self::Io { path, cause }
    }

    pub(super) fn damaged(path: &Path, reason: impl Into<String>) -> Self {
        Self::Damaged { path: path.to_owned(), reason: reason.into() }
    }
}
