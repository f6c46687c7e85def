//! Why an index could not be opened, read or written.

use std::io;
use std::path::{Path, PathBuf};

/// Why an index could not be opened, read or written.
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
    /// There is something else at the path.
    #[error("{}: not an index; make one with `hypatia index FOLDER -o INDEX`", .0.display())]
    NotAnIndex(PathBuf),
    /// The index was written by another version.
    #[error("{}: has format {found}, and this program reads {known}; build it anew", file.display())]
    Version {
        /// The file.
        file: PathBuf,
        /// The version it has.
        found: u32,
        /// The version that is read.
        known: u32,
    },
    /// A part of the index is not as it was written.
    #[error("{}: is damaged: {what}; build the index anew", file.display())]
    Damaged {
        /// The file.
        file: PathBuf,
        /// What is wrong, and where.
        what: String,
    },
    /// A file that is read was written to at the same time.
    #[error("{}: {what}; try again", file.display())]
    Changed {
        /// The file.
        file: PathBuf,
        /// What happened.
        what: String,
    },
    /// Another process is writing to the index.
    #[error("{}: is being written to by another process", .0.display())]
    Busy(PathBuf),
    /// There are as many collections in the index as can be numbered.
    #[error("{}: has been updated too often; `hypatia index -o {} --compact` helps", .0.display(), .0.display())]
    Full(PathBuf),
    /// The index does not hold what is asked for.
    #[error("{}: has no {what}; build it with `hypatia index … --features {what}`", file.display())]
    Missing {
        /// The index.
        file: PathBuf,
        /// The field.
        what: String,
    },
    /// The index lacks something that is not a field.
    #[error("{}: lacks {what}; {remedy}", file.display())]
    Lacks {
        /// The index.
        file: PathBuf,
        /// What it lacks.
        what: String,
        /// How it gets it.
        remedy: String,
    },
    /// The index has a part that would be lost, because its kind is not known here.
    #[error(
        "{}: has the part {name}, which this program cannot keep up to date; \
         use a program that knows it, remove the part, or build the index without it",
        folder.display()
    )]
    UnknownPart {
        /// The index.
        folder: PathBuf,
        /// The name of the part.
        name: String,
    },
    /// The index has no such part.
    #[error("{}: has no part {name}; its parts: {}", folder.display(), list(known))]
    NoPart {
        /// The index.
        folder: PathBuf,
        /// The name that was given.
        name: String,
        /// The names of its parts.
        known: Vec<String>,
    },
    /// Part kinds have names that cannot be used.
    #[error(
        "{0:?} cannot be the name of a part: names have 1 to 64 lower-case letters, digits and hyphens, \
         differ from each other, and are none of collection, dead, done, formulas, new and posts"
    )]
    PartName(String),
    /// The kind of a part failed to build it.
    #[error("the part {name} could not be built: {cause}")]
    Part {
        /// The name of the part.
        name: String,
        /// Why.
        cause: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A collection could not be read.
    #[error(transparent)]
    Collection(#[from] store::Error),
}

impl Error {
    /// Whether an index is there, but not as it was written.
    #[must_use]
    pub fn is_damage(&self) -> bool {
        match self {
            Self::Damaged { .. } | Self::Collection(store::Error::Damaged { .. }) => true,
            Self::Io { .. }
            | Self::NotAnIndex(_)
            | Self::Version { .. }
            | Self::Changed { .. }
            | Self::Busy(_)
            | Self::Full(_)
            | Self::Missing { .. }
            | Self::Lacks { .. }
            | Self::UnknownPart { .. }
            | Self::NoPart { .. }
            | Self::PartName(_)
            | Self::Part { .. }
            | Self::Collection(_) => false,
        }
    }

    /// Of damage, the name of the file without its folders, and what is wrong with it.
    #[must_use]
    pub fn damage(&self) -> Option<(String, &str)> {
        match self {
            Self::Damaged { file, what } | Self::Collection(store::Error::Damaged { file, what }) => {
                Some((file.file_name().unwrap_or_default().display().to_string(), what))
            }
            _ => None,
        }
    }

    /// The kind of a part failed.
    pub fn part(name: &str, cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::Part { name: name.to_owned(), cause: cause.into() }
    }

    pub(crate) fn io(file: &Path) -> impl FnOnce(io::Error) -> Self {
        let file = file.to_owned();
        move |cause| Self::Io { file, cause }
    }
}

fn list(names: &[String]) -> String {
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

impl From<frame::Error> for Error {
    fn from(error: frame::Error) -> Self {
        match error {
            frame::Error::Io { file, cause } => Self::Io { file, cause },
            frame::Error::Foreign(file) => Self::NotAnIndex(file),
            frame::Error::Version { file, found, known } => Self::Version { file, found, known },
            frame::Error::Damaged { file, what } => Self::Damaged { file, what },
        }
    }
}
