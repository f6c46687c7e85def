//! A folder of models.

use crate::facts::{FACTS_FILE, Facts};
use crate::staging::Writer;
use crate::{Error, name};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Where downloads are until they are whole.
pub(crate) const PARTIAL: &str = ".partial";

/// A folder of models. Opening it touches nothing: it is made when the first model is added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Store {
    folder: PathBuf,
}

/// A model of a store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The folder with its files.
    pub folder: PathBuf,
    /// What is known of it.
    pub facts: Facts,
}

/// What a store holds.
#[derive(Debug, Default)]
pub struct Listing {
    /// The models, ordered by name.
    pub models: Vec<Found>,
    /// Models whose facts cannot be read.
    pub damaged: Vec<Error>,
    /// Downloads that can be resumed, ordered by name.
    pub unfinished: Vec<Unfinished>,
}

/// A download that can be resumed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfinished {
    /// The name that the model will have.
    pub name: String,
    /// The bytes that are there.
    pub size: u64,
}

impl Store {
    /// The store in this folder.
    #[must_use]
    pub fn open(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into() }
    }

    /// The folder of the store.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Finds a model by its name.
    ///
    /// # Errors
    ///
    /// If there is none, with the nearest name; or if its facts cannot be read. Its other files are not looked
    /// at: see [`Store::verify`].
    pub fn find(&self, name: &str) -> Result<Found, Error> {
        let folder = self.folder.join(name);
        if !name::is_good(name) || !folder.join(FACTS_FILE).exists() {
            return Err(self.not_found(name));
        }
        read(folder, name)
    }

    /// All models. A store that does not exist is empty.
    ///
    /// # Errors
    ///
    /// If the folder cannot be read.
    pub fn list(&self) -> Result<Listing, Error> {
        let mut listing = Listing::default();
        for name in self.names(&self.folder)? {
            let folder = self.folder.join(&name);
            if folder.join(FACTS_FILE).exists() {
                match read(folder, &name) {
                    Ok(found) => listing.models.push(found),
                    Err(error) => listing.damaged.push(error),
                }
            }
        }
        let partial = self.folder.join(PARTIAL);
        for name in self.names(&partial)? {
            if partial.join(&name).is_dir() {
                let size = size(&partial.join(&name));
                listing.unfinished.push(Unfinished { name, size });
            }
        }
        Ok(listing)
    }

    /// Removes a model, or a download that was not finished: in one step, then its bytes are deleted.
    ///
    /// # Errors
    ///
    /// If there is neither, or the folder cannot be written.
    pub fn remove(&self, name: &str) -> Result<(), Error> {
        let folder = self.folder.join(name);
        let partial = self.folder.join(PARTIAL).join(name);
        // Damaged facts are no reason to keep a model; a folder without facts was not made here.
        let (is_model, is_partial) = match name::is_good(name) {
            true => (folder.join(FACTS_FILE).exists(), partial.is_dir()),
            false => (false, false),
        };
        if !is_model && !is_partial {
            return Err(self.not_found(name));
        }
        let writer = Writer::open(&self.folder)?;
        if is_model {
            writer.remove(&folder)?;
        }
        if is_partial {
            writer.remove(&partial)?;
        }
        Ok(())
    }

    fn not_found(&self, name: &str) -> Error {
        let folder = self.folder.clone();
        let names = self.names(&folder).unwrap_or_default();
        let is_model = |name: &&String| folder.join(name).join(FACTS_FILE).exists();
        let known: Vec<&str> = names.iter().filter(is_model).map(String::as_str).collect();
        let suggestion = name::suggest(name, &known);
        Error::NotFound { name: name.to_owned(), folder, suggestion }
    }

    /// The names in a folder that models can have, in order.
    fn names(&self, folder: &Path) -> Result<Vec<String>, Error> {
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(cause) if cause.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            Err(cause) => return Err(Error::io(folder, cause)),
        };
        let mut names = Vec::new();
        for entry in entries {
            let name = entry.map_err(|cause| Error::io(folder, cause))?.file_name();
            names.extend(name.into_string().ok().filter(|name| name::is_good(name)));
        }
        names.sort_unstable();
        Ok(names)
    }
}

fn read(folder: PathBuf, name: &str) -> Result<Found, Error> {
    let mut facts = Facts::read(&folder)?;
    // A person may have renamed the folder.
    name.clone_into(&mut facts.name);
    Ok(Found { folder, facts })
}

/// The bytes in a folder, as far as they can be seen.
fn size(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .map(|entry| match entry.metadata() {
            Ok(data) if data.is_dir() => size(&entry.path()),
            Ok(data) => data.len(),
            Err(_) => 0,
        })
        .sum()
}
