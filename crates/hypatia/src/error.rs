//! What can go wrong.

use std::io;
use std::path::PathBuf;

/// Why something could not be done. What people type is never the reason.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The index cannot be opened, read or written.
    #[error(transparent)]
    Index(#[from] index::Error),
    /// A search could not be run: the index lacks what the system needs, or is damaged.
    #[error(transparent)]
    Search(#[from] retrieve::Error),
    /// A text could not be read.
    #[error(transparent)]
    Collection(#[from] store::Error),
    /// A collection could not be made.
    #[error(transparent)]
    Build(#[from] ingest::BuildError),
    /// There is no such system, or its file is not understood.
    #[error(transparent)]
    System(#[from] retrieve::SystemError),
    /// A system is made of something that is not there.
    #[error(transparent)]
    Compile(retrieve::CompileError),
    /// A file could not be written.
    #[error("{}: {cause}", file.display())]
    Io {
        /// The file.
        file: PathBuf,
        /// Why not.
        cause: io::Error,
    },
}

impl From<retrieve::CompileError> for Error {
    fn from(error: retrieve::CompileError) -> Self {
        match error {
            retrieve::CompileError::System(error) => Self::System(error),
            error => Self::Compile(error),
        }
    }
}

impl Error {
    pub(crate) fn io(file: &std::path::Path) -> impl FnOnce(io::Error) -> Self {
        let file = file.to_owned();
        move |cause| Self::Io { file, cause }
    }
}
