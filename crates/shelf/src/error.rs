//! Why a model could not be added, found, fetched or removed.

use std::io;
use std::path::{Path, PathBuf};

/// Why a model could not be added, found, fetched or removed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file or folder could not be read or written.
    #[error("{}: {cause}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The system's reason.
        cause: io::Error,
    },
    /// A model cannot have this name.
    #[error("'{name}' cannot be the name of a model: {reason}")]
    Name {
        /// The name.
        name: String,
        /// Why not.
        reason: &'static str,
    },
    /// The store has no model of this name.
    #[error("there is no model '{name}' in {}; {suggestion}", folder.display())]
    NotFound {
        /// The name.
        name: String,
        /// The store.
        folder: PathBuf,
        /// The nearest name and the known ones, or how to add a first model.
        suggestion: String,
    },
    /// The store has a model of this name already.
    #[error("there is a model '{name}' in {} already; replace it with --replace, or choose another name", folder.display())]
    Exists {
        /// The name.
        name: String,
        /// The store.
        folder: PathBuf,
    },
    /// A file is damaged or cut short.
    #[error("{}: {reason}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The input is not a model that can be added.
    #[error("{}: {reason}", path.display())]
    Refused {
        /// The file, folder or archive.
        path: PathBuf,
        /// Why not.
        reason: String,
    },
    /// The hub did not give the model.
    #[error("{repository}: {reason}")]
    Hub {
        /// The repository, and the file if there is one.
        repository: String,
        /// Why not. It never holds a token, nor the query of an address.
        reason: String,
    },
}

impl Error {
    pub(crate) fn io(path: &Path, cause: io::Error) -> Self {
        Self::Io { path: path.to_owned(), cause }
    }

    pub(crate) fn damaged(path: &Path, reason: impl Into<String>) -> Self {
        Self::Damaged { path: path.to_owned(), reason: reason.into() }
    }

    pub(crate) fn refused(path: &Path, reason: impl Into<String>) -> Self {
        Self::Refused { path: path.to_owned(), reason: reason.into() }
    }

    pub(crate) fn hub(repository: impl Into<String>, reason: impl Into<String>) -> Self {
        Self::Hub { repository: repository.into(), reason: reason.into() }
    }

    /// Whether a file is damaged, as opposed to one that cannot be read or is of another kind.
    #[must_use]
    pub fn is_damage(&self) -> bool {
        matches!(self, Self::Damaged { .. })
    }
}
