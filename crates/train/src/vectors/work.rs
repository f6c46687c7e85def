//! The folder of a training: its plan, its sequences, and what was learned so far.

use super::checkpoint;
use super::error::Error;
use super::model;
use super::options::Options;
use super::rows::Plain;
use super::sequences::{HashedSequences, NumberedSequences};
use super::training::{Layout, Training, Watch};
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};

/// A training in a folder of its own.
#[derive(Debug)]
pub struct Work {
    folder: PathBuf,
    options: Options,
    source: String,
}

/// What a folder holds is decided by this.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Plan {
    version: u32,
    source: String,
    options: Options,
}

/// The version of the files of a folder.
const VERSION: u32 = 1;

impl Work {
    /// Opens the folder of a training, or makes it. `source` says what is learned from, so that a training is only
    /// resumed with the same data.
    ///
    /// # Errors
    ///
    /// When the options do not go together, the folder belongs to another training, or cannot be written.
    pub fn open(folder: &Path, options: &Options, source: &str) -> Result<Self, Error> {
        if let Some(mistake) = options.mistake() {
            return Err(Error::Options(mistake));
        }
        fs::create_dir_all(folder).map_err(Error::io(folder))?;
        let plan = Plan { version: VERSION, source: source.to_owned(), options: options.clone() };
        let path = folder.join("plan.json");
        let text = serde_json::to_string_pretty(&plan).expect("names and numbers can be written");
        match fs::read_to_string(&path) {
            Ok(known) => {
                let known: Plan =
                    serde_json::from_str(&known).map_err(|cause| Error::damaged(&path, cause.to_string()))?;
                let what = [
                    (known.source != plan.source).then_some("other data"),
                    (known.version != plan.version).then_some("another version of the program"),
                    // Threads are not a part of the plan.
                    (known.options != Options { threads: 0, ..plan.options }).then_some("other options"),
                ];
                if let Some(what) = what.into_iter().flatten().next() {
                    return Err(Error::Other { path: folder.to_owned(), what: what.to_owned() });
                }
            }
            Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => {
                let hidden = folder.join("plan.new");
                fs::write(&hidden, text).map_err(Error::io(&hidden))?;
                frame::publish(&hidden, &path)?;
            }
            Err(cause) => return Err(Error::io(&path)(cause)),
        }
        Ok(Self { folder: folder.to_owned(), options: options.clone(), source: source.to_owned() })
    }

    /// The folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    fn numbered(&self) -> PathBuf {
        self.folder.join("sequences")
    }

    fn checkpoint(&self) -> PathBuf {
        self.folder.join("learned")
    }

    /// Takes the sequences to learn from; nothing if the folder has them.
    ///
    /// # Errors
    ///
    /// When the folder cannot be written.
    pub fn sequences(&mut self) -> Result<Option<Sequences>, Error> {
        if self.numbered().exists() {
            return Ok(None);
        }
        let sequences = HashedSequences::create(self.folder.join("hashes"), &self.options)?;
        Ok(Some(Sequences { sequences, options: self.options.clone(), target: self.numbered() }))
    }

    /// Learns what is not yet learned.
    ///
    /// # Errors
    ///
    /// When a file cannot be read or written or is damaged, or `watch` asks to stop: then the next call goes on.
    pub fn train(&mut self, watch: &mut dyn Watch) -> Result<(), Error> {
        let sequences = NumberedSequences::open(&self.numbered())?;
        let layout = Layout::new(&self.options, &sequences);
        let checkpoint = self.checkpoint();
        let training = Training {
            options: &self.options,
            sequences: &sequences,
            layout: &layout,
            checkpoint: &checkpoint,
        };
        training.run(watch)
    }

    /// What there is to learn from: sequences, occurrences of tokens, distinct tokens, and those with vectors.
    ///
    /// # Errors
    ///
    /// When the sequences cannot be read.
    pub fn counts(&self) -> Result<[u64; 4], Error> {
        let NumberedSequences { vocabulary, sequences, total, distinct, .. } =
            NumberedSequences::open(&self.numbered())?;
        Ok([sequences, total, distinct, vocabulary.len() as u64])
    }

    /// Writes the model into a folder beside the rest: `sets` are the names of what it was trained on.
    ///
    /// # Errors
    ///
    /// When nothing was learned, or a file cannot be read or written.
    pub fn write_model(&self, sets: &[String]) -> Result<PathBuf, Error> {
        let sequences = NumberedSequences::open(&self.numbered())?;
        let layout = Layout::new(&self.options, &sequences);
        let tokens = sequences.vocabulary.len();
        let positions = if self.options.positional > 0 { 2 * self.options.window } else { 0 };
        let rows = [tokens + layout.buckets.len(), tokens, positions];
        let blocks = super::numbers::blocks(self.options.dimensions);
        let found = checkpoint::read::<Plain>(&self.checkpoint(), rows, blocks, sequences.fingerprint())?;
        let (network, _) = found.ok_or_else(|| Error::Nothing("nothing was learned yet".to_owned()))?;
        let folder = self.folder.join("model");
        let learned = model::Learned {
            options: &self.options,
            sequences: &sequences,
            layout: &layout,
            network: &network,
            source: &self.source,
            sets,
        };
        learned.write(&folder)?;
        Ok(folder)
    }

    /// Removes the folder.
    ///
    /// # Errors
    ///
    /// When that cannot be done.
    pub fn remove(self) -> Result<(), Error> {
        fs::remove_dir_all(&self.folder).map_err(Error::io(&self.folder))
    }
}

/// Takes sequences of tokens.
#[derive(Debug)]
pub struct Sequences {
    sequences: HashedSequences,
    options: Options,
    target: PathBuf,
}

impl Sequences {
    /// Adds a sequence; empty tokens are none.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn push<'t>(&mut self, tokens: impl IntoIterator<Item = &'t str>) -> Result<(), Error> {
        self.sequences.push(tokens)
    }

    /// Numbers the tokens. `extras` are files that the model gets beside its own, by name.
    ///
    /// # Errors
    ///
    /// When no token is frequent enough, or a file cannot be read or written.
    pub fn finish(self, extras: &[(&str, &[u8])]) -> Result<(), Error> {
        self.sequences.finish(&self.target, &self.options, extras)
    }
}
