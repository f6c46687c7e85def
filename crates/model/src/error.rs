//! Why a model could not be had.

use std::path::{Path, PathBuf};

/// Why a model could not be had.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file could not be read.
    #[error("{}: {cause}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        cause: std::io::Error,
    },
    /// A file is no model, or a damaged one.
    #[error("{}: {reason}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it, and where.
        reason: String,
    },
    /// The model is of a kind that cannot be run here.
    #[error("{}: the {what} `{found}` is not known; known are {}", path.display(), known.join(", "))]
    Unknown {
        /// The file.
        path: PathBuf,
        /// What is not known, such as `architecture`.
        what: &'static str,
        /// What the file says.
        found: String,
        /// What it might say.
        known: Vec<&'static str>,
    },
    /// The tokenizer could not be made from the model file.
    #[error("{}: {reason}; put the model's tokenizer.json beside the file", path.display())]
    NoTokenizer {
        /// The model file.
        path: PathBuf,
        /// Why not.
        reason: String,
    },
    /// The caller stopped the work before it was done.
    #[error("stopped before all texts were encoded")]
    Stopped,
    /// What was asked does not fit the model.
    #[error("{}: {reason}", path.display())]
    Option {
        /// The model.
        path: PathBuf,
        /// What does not fit.
        reason: String,
    },
}

impl Error {
    pub(crate) fn io(path: &Path, cause: std::io::Error) -> Self {
        Self::Io { path: path.to_owned(), cause }
    }

    pub(crate) fn damaged(path: &Path, reason: impl Into<String>) -> Self {
        Self::Damaged { path: path.to_owned(), reason: reason.into() }
    }
}
