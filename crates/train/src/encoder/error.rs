//! Why a training could not begin or go on.

use std::io;
use std::path::{Path, PathBuf};

/// Why a training could not begin or go on.
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
    /// A checkpoint could not be read or written.
    #[error(transparent)]
    Frame(#[from] frame::Error),
    /// The options do not go together.
    #[error("{0}")]
    Options(String),
    /// The folder has a training with another plan.
    #[error("{}: has an unfinished training with another plan", path.display())]
    Other {
        /// The folder.
        path: PathBuf,
    },
    /// There is nothing to learn from.
    #[error("nothing to learn from: {0}")]
    Nothing(String),
    /// A text could not be read, or the network gives no numbers.
    #[error("{0}")]
    Network(String),
    /// The caller asked to stop.
    #[error("stopped")]
    Stopped,
}

impl Error {
    pub(super) fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |cause| Self::Io { path, cause }
    }
}
