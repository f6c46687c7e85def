//! Models that this program trained itself.

use crate::facts::{Facts, Kind, ModelFile, Origin, TrainedOn};
use crate::staging::{WriteError, Writer};
use crate::store::{Found, Store};
use crate::{Error, name};
use std::io::Cursor;

/// A model that was trained here, as it goes into the store.
#[derive(Clone, Debug)]
pub struct Made {
    /// Its name in the store.
    pub name: String,
    /// What it does.
    pub kind: Kind,
    /// How it was trained, in a word: `rank-svm`.
    pub family: String,
    /// The length of its vectors, or the number of its features.
    pub dimensions: Option<u64>,
    /// The number of weights.
    pub parameters: Option<u64>,
    /// What it was trained on, for people: names of files.
    pub source: String,
    /// The sets that it was trained on.
    pub trained_on: Vec<String>,
    /// The topics whose judgments it was trained on.
    pub topics: Vec<String>,
    /// Its files: a path and the bytes.
    pub files: Vec<(String, Vec<u8>)>,
}

impl Store {
    /// Keeps a model that was trained here: it is there when this returns, or not at all.
    ///
    /// # Errors
    ///
    /// When there is a model of this name already and it is not to be replaced, or the store cannot be written.
    pub fn keep(&self, made: Made, replace: bool) -> Result<Found, Error> {
        name::check(&made.name)?;
        self.ensure_free(Some(&made.name), replace)?;
        let writer = Writer::open(self.folder())?;
        let staging = writer.stage()?;
        let mut files: Vec<ModelFile> = Vec::with_capacity(made.files.len());
        for (path, bytes) in made.files {
            let written = staging.write(&path, &mut Cursor::new(bytes), u64::MAX, &mut |_| ());
            files.push(written.map_err(|error| match error {
                WriteError::Ours(error) => error,
                WriteError::Theirs(cause) => Error::io(&staging.folder.join(&path), cause),
                WriteError::TooLong => Error::damaged(&staging.folder.join(&path), "too long"),
            })?);
        }
        files.sort_by(|one, other| one.path.cmp(&other.path));
        let mut facts = Facts::new(made.name, made.kind, made.family);
        facts.dimensions = made.dimensions;
        facts.parameters = made.parameters;
        facts.source = made.source;
        facts.trained_on =
            made.trained_on.into_iter().map(|set| TrainedOn { set, from: Origin::Known }).collect();
        facts.topics = made.topics;
        facts.files = files;
        let folder = staging.commit(&facts, replace)?;
        Ok(Found { folder, facts })
    }
}
