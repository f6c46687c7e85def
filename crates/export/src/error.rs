//! Why an export could not be written.

use std::io;
use std::path::{Path, PathBuf};

/// Why an export could not be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The system refused.
    #[error("{}: {cause}", file.display())]
    Io {
        /// The file.
        file: PathBuf,
        /// What the system said.
        #[source]
        cause: io::Error,
    },
    /// There is a file of that name already.
    #[error("{}: exists already", .0.display())]
    Exists(PathBuf),
    /// The collection could not be read.
    #[error(transparent)]
    Store(#[from] store::Error),
    /// A Parquet file could not be written.
    #[error("{}: {cause}", file.display())]
    Parquet {
        /// The file.
        file: PathBuf,
        /// What the writer said.
        #[source]
        cause: ::parquet::errors::ParquetError,
    },
}

impl Error {
    pub(crate) fn io(file: &Path) -> impl FnOnce(io::Error) -> Self {
        let file = file.to_owned();
        move |cause| Self::Io { file, cause }
    }

    pub(crate) fn parquet(file: &Path) -> impl FnOnce(::parquet::errors::ParquetError) -> Self {
        let file = file.to_owned();
        move |cause| Self::Parquet { file, cause }
    }
}
