//! What can be wrong with a file, with its place.

use std::fmt;
use std::io;

/// Where in a file something is: its name, and the line and column from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// What the file is called in messages.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1, where one can be named.
    pub column: Option<usize>,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)?;
        self.column.map_or(Ok(()), |column| write!(f, ":{column}"))
    }
}

/// Why a file could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The file could not be opened or read.
    #[error("{file}: {cause}")]
    Io {
        /// What the file is called in messages.
        file: String,
        /// What the system said.
        #[source]
        cause: io::Error,
    },
    /// Something in the file is not as it must be.
    #[error("{place}: {reason}")]
    Bad {
        /// Where.
        place: Place,
        /// What is wrong, and where known how to mend it.
        reason: String,
    },
    /// The file as a whole is not what was asked for.
    #[error("{file}: {reason}")]
    File {
        /// What the file is called in messages.
        file: String,
        /// What is wrong.
        reason: String,
    },
}
