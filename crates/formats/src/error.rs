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
    /// Several things in the file are not as they must be.
    #[error(transparent)]
    Problems(#[from] Problems),
    /// The file as a whole is not what was asked for.
    #[error("{file}: {reason}")]
    File {
        /// What the file is called in messages.
        file: String,
        /// What is wrong.
        reason: String,
    },
}

/// One thing that is wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where.
    pub place: Place,
    /// What is wrong, and where known how to mend it.
    pub reason: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.reason)
    }
}

/// All that is wrong with a file; as text, the first and how many more there are.
#[derive(Clone, Debug, Default, PartialEq, Eq, thiserror::Error)]
pub struct Problems {
    /// The first of them, in the order of the file.
    pub kept: Vec<Problem>,
    /// How many there are, those that were not kept included.
    pub total: usize,
}

impl Problems {
    /// How many are kept; a file of the wrong kind has as many as it has lines.
    pub const KEPT: usize = 10_000;

    /// Whether nothing is wrong.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.total == 0
    }

    /// Adds one, unless there are too many already; it is counted in any case.
    pub fn push(&mut self, problem: impl FnOnce() -> Problem) {
        self.total += 1;
        if self.kept.len() < Self::KEPT {
            self.kept.push(problem());
        }
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(first) = self.kept.first() else {
            return f.write_str("nothing is wrong");
        };
        write!(f, "{first}")?;
        match self.total - 1 {
            0 => Ok(()),
            1 => f.write_str(" (and 1 more problem)"),
            more => write!(f, " (and {more} more problems)"),
        }
    }
}

/// A thing that was mended on reading: the file is used, but not quite as it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Where.
    pub place: Place,
    /// What was found there and what was made of it.
    pub text: String,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.text)
    }
}
