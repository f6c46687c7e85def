//! What can go wrong with a lab, with the file or row it is about.

use std::io;
use std::path::{Path, PathBuf};

/// Why something could not be done with a lab.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file could not be read or written.
    #[error("{}: {cause}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        cause: io::Error,
    },
    /// The folder is no lab, or not one that this program can read.
    #[error("{}: {reason}", path.display())]
    Folder {
        /// The folder or the file in it.
        path: PathBuf,
        /// What is wrong, and what to do.
        reason: String,
    },
    /// The database could not be read or written.
    #[error("{}: {cause}", path.display())]
    Database {
        /// The database.
        path: PathBuf,
        /// What SQLite said.
        cause: rusqlite::Error,
    },
    /// A file may be whole, but cannot be got at.
    #[error("{}: {reason}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What is in the way, and what to do.
        reason: String,
    },
    /// A file of topics, runs or judgments could not be read.
    #[error(transparent)]
    Collection(#[from] formats::Error),
    /// The collection that the lab searches could not be read.
    #[error(transparent)]
    Store(#[from] store::Error),
    /// A run lists a document twice where the rules refuse that.
    #[error(transparent)]
    Duplicate(#[from] eval::Duplicate),
    /// Something that was asked for does not fit the lab.
    #[error("{0}")]
    Asked(String),
    /// Rows of a file do not fit the lab; none of them was taken.
    #[error("{}", problems(.0))]
    Rows(Vec<String>),
}

fn problems(rows: &[String]) -> String {
    match rows {
        [] => "nothing is wrong".to_owned(),
        [one] => one.clone(),
        [first, rest @ ..] => {
            let more = if rest.len() == 1 { "problem" } else { "problems" };
            format!("{first} (and {} more {more})", rest.len())
        }
    }
}

impl Error {
    pub(crate) fn io(path: &Path) -> impl FnOnce(io::Error) -> Self + '_ {
        move |cause| Self::Io { path: path.to_owned(), cause }
    }

    pub(crate) fn folder(path: &Path, reason: impl Into<String>) -> Self {
        Self::Folder { path: path.to_owned(), reason: reason.into() }
    }

    pub(crate) fn asked(reason: impl Into<String>) -> Self {
        Self::Asked(reason.into())
    }
}

/// What a function of this crate gives.
pub type Result<T, E = Error> = std::result::Result<T, E>;
