//! What was wrong on the way: counted by kind, handed on, and in strict builds the end.

use crate::build::BuildError;
use crate::dirt::{Dirt, DirtKind};
use std::collections::BTreeMap;
use store::DirtNote;

/// What to do about dirt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strictness {
    /// Meet it by the rule of its kind and go on. A file that is cut short or cannot be read ends the build.
    #[default]
    Lenient,
    /// Go on even then: take what can be read.
    KeepGoing,
    /// Stop at the first; kinds that are notes only do not count.
    Strict,
}

/// Somebody who wants to know how a build goes.
pub trait Watch {
    /// A new part of the work begins.
    fn stage(&mut self, _name: &str) {}

    /// Something is wrong with a file.
    ///
    /// # Errors
    ///
    /// When it cannot be passed on; the build stops.
    fn dirt(&mut self, _file: &str, _dirt: &Dirt) -> std::io::Result<()> {
        Ok(())
    }
}

/// Nobody watches.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unwatched;

impl Watch for Unwatched {}

pub(crate) struct Journal<'w> {
    pub(crate) watch: &'w mut dyn Watch,
    strictness: Strictness,
    files: Vec<String>,
    counts: BTreeMap<DirtKind, u64>,
    /// The file that is not whole, and how that shows.
    incomplete: Option<(String, Box<Dirt>)>,
}

impl<'w> Journal<'w> {
    pub(crate) fn new(watch: &'w mut dyn Watch, strictness: Strictness, files: Vec<String>) -> Self {
        Self { watch, strictness, files, counts: BTreeMap::new(), incomplete: None }
    }

    pub(crate) fn add(&mut self, dirt: &Dirt) -> Result<(), BuildError> {
        *self.counts.entry(dirt.kind).or_default() += 1;
        let file = self.files.get(dirt.at.file as usize).map_or("", String::as_str);
        self.watch.dirt(file, dirt).map_err(BuildError::Report)?;
        if self.strictness == Strictness::Strict && !dirt.kind.is_note() {
            return Err(BuildError::Strict { file: file.to_owned(), dirt: Box::new(dirt.clone()) });
        }
        // Why a file cannot be read says more than the record in which it breaks off.
        if dirt.kind == DirtKind::UnreadableFile
            || (dirt.kind == DirtKind::CutShort && self.incomplete.is_none())
        {
            self.incomplete = Some((file.to_owned(), Box::new(dirt.clone())));
        }
        Ok(())
    }

    /// All of the files that were read so far is there, or it is wanted to go on without the rest.
    pub(crate) fn whole(&mut self) -> Result<(), BuildError> {
        match self.incomplete.take() {
            Some((file, dirt)) if self.strictness != Strictness::KeepGoing => {
                Err(BuildError::Incomplete { file, dirt })
            }
            _ => Ok(()),
        }
    }

    pub(crate) fn notes(&self) -> Vec<DirtNote> {
        let note = |(kind, count): (&DirtKind, &u64)| DirtNote {
            kind: kind.name().to_owned(),
            action: kind.action().name().to_owned(),
            count: *count,
        };
        self.counts.iter().map(note).collect()
    }
}
