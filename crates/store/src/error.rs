//! Why a collection could not be opened, read or written.

use std::io;
use std::path::{Path, PathBuf};

/// Why a collection could not be opened, read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The system refused.
    #[error("{}: {cause}", file.display())]
    Io {
        /// The file.
        file: PathBuf,
        /// What the system said.
        cause: io::Error,
    },
    /// The file is something else.
    #[error("{}: is no collection; make one with `hypatia collection build`", .0.display())]
    NotACollection(PathBuf),
    /// The file was written by another version.
    #[error("{}: has format {found}, and this program reads {known}; build it anew", file.display())]
    Version {
        /// The file.
        file: PathBuf,
        /// The version it has.
        found: u32,
        /// The version that is read.
        known: u32,
    },
    /// The file is a collection, but a part of it is not as it was written.
    #[error("{}: is damaged: {what}; build it anew", file.display())]
    Damaged {
        /// The file.
        file: PathBuf,
        /// What is wrong, and where.
        what: String,
    },
    /// Another program is writing the same file.
    #[error("{}: is being built by another process", .0.display())]
    Busy(PathBuf),
    /// There is more of something than can be numbered.
    #[error("there are too many {0} for one collection (4,294,967,294 at most)")]
    TooMany(&'static str),
}

impl Error {
    /// Whether a collection is there, but not as it was written.
    #[must_use]
    pub fn is_damage(&self) -> bool {
        matches!(self, Self::Damaged { .. })
    }

    pub(crate) fn io(file: &Path) -> impl FnOnce(io::Error) -> Self {
        let file = file.to_owned();
        move |cause| Self::Io { file, cause }
    }
}

impl From<frame::Error> for Error {
    fn from(error: frame::Error) -> Self {
        match error {
            frame::Error::Io { file, cause } if cause.kind() == io::ErrorKind::IsADirectory => {
                Self::NotACollection(file)
            }
            frame::Error::Io { file, cause } => Self::Io { file, cause },
            frame::Error::Foreign(file) => Self::NotACollection(file),
            frame::Error::Version { file, found, known } => Self::Version { file, found, known },
            frame::Error::Damaged { file, what } => Self::Damaged { file, what },
        }
    }
}
