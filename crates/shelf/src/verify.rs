//! Is a model still what was added?

use crate::facts::FACTS_FILE;
use crate::store::{Found, Store};
use crate::{Error, Watch, digest};
use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

/// Something wrong with a file of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The path in the folder of the model.
    pub path: String,
    /// What is wrong.
    pub wrong: Wrong,
}

/// What is wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Wrong {
    /// It is not there.
    Missing,
    /// It is a folder or a link.
    NotAFile,
    /// It has another size.
    Size {
        /// The size when it was added.
        expected: u64,
        /// The size now.
        found: u64,
    },
    /// It has other bytes.
    Checksum {
        /// The SHA-256 checksum when it was added.
        expected: String,
        /// The SHA-256 checksum now.
        found: String,
    },
    /// It was not there when the model was added.
    Unexpected,
    /// It cannot be read.
    Unreadable(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = &self.path;
        match &self.wrong {
            Wrong::Missing => write!(formatter, "{path}: missing"),
            Wrong::NotAFile => write!(formatter, "{path}: not a file"),
            Wrong::Size { expected, found } => {
                write!(formatter, "{path}: {found} bytes instead of {expected}")
            }
            Wrong::Checksum { expected, found } => {
                write!(formatter, "{path}: its SHA-256 is {found} instead of {expected}")
            }
            Wrong::Unexpected => write!(formatter, "{path}: not part of the model"),
            Wrong::Unreadable(reason) => write!(formatter, "{path}: {reason}"),
        }
    }
}

impl Store {
    /// Compares size and checksum of every file with those that were stored when the model was added. No
    /// faults means that it is whole.
    ///
    /// # Errors
    ///
    /// If there is no such model, or its facts or its folder cannot be read.
    pub fn verify(&self, name: &str, watch: &mut dyn Watch) -> Result<Vec<Fault>, Error> {
        let Found { folder, facts } = self.find(name)?;
        watch.begin(facts.size());
        let mut faults = Vec::new();
        let mut fault = |path: &str, wrong| faults.push(Fault { path: path.to_owned(), wrong });
        for file in &facts.files {
            let path = folder.join(&file.path);
            let wrong = match fs::symlink_metadata(&path) {
                Err(cause) if cause.kind() == ErrorKind::NotFound => Some(Wrong::Missing),
                Err(cause) => Some(Wrong::Unreadable(cause.to_string())),
                Ok(data) if !data.is_file() => Some(Wrong::NotAFile),
                Ok(data) if data.len() != file.size => {
                    Some(Wrong::Size { expected: file.size, found: data.len() })
                }
                Ok(_) => match digest::sha256(&path, &mut |bytes| watch.advance(bytes)) {
                    Ok((found, _)) if found == file.sha256 => None,
                    Ok((found, _)) => Some(Wrong::Checksum { expected: file.sha256.clone(), found }),
                    Err(Error::Io { cause, .. }) => Some(Wrong::Unreadable(cause.to_string())),
                    Err(error) => return Err(error),
                },
            };
            if let Some(wrong) = wrong {
                fault(&file.path, wrong);
            }
        }
        let known: BTreeSet<&str> = facts.files.iter().map(|file| file.path.as_str()).collect();
        let mut found = Vec::new();
        files(&folder, "", &mut found)?;
        found.sort_unstable();
        for path in found.iter().filter(|path| *path != FACTS_FILE && !known.contains(path.as_str())) {
            fault(path, Wrong::Unexpected);
        }
        Ok(faults)
    }
}

fn files(folder: &Path, prefix: &str, found: &mut Vec<String>) -> Result<(), Error> {
    let io = |cause| Error::io(folder, cause);
    for entry in fs::read_dir(folder).map_err(io)? {
        let entry = entry.map_err(io)?;
        let path = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.file_type().map_err(io)?.is_dir() {
            files(&entry.path(), &format!("{path}/"), found)?;
        } else {
            found.push(path);
        }
    }
    Ok(())
}
