//! What was wrong on the way: counted by kind, handed on, and in strict builds the end.

use crate::build::BuildError;
use crate::dirt::{Dirt, DirtKind};
use std::collections::BTreeMap;
use store::DirtNote;

/// What to do about dirt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strictness {
    /// Meet it by the rule of its kind and go on.
    #[default]
    Lenient,
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
}

impl<'w> Journal<'w> {
    pub(crate) fn new(watch: &'w mut dyn Watch, strictness: Strictness, files: Vec<String>) -> Self {
        Self { watch, strictness, files, counts: BTreeMap::new() }
    }

    pub(crate) fn add(&mut self, dirt: &Dirt) -> Result<(), BuildError> {
        *self.counts.entry(dirt.kind).or_default() += 1;
        let file = self.files.get(dirt.at.file as usize).map_or("", String::as_str);
        self.watch.dirt(file, dirt).map_err(BuildError::Report)?;
        if self.strictness == Strictness::Strict && !dirt.kind.is_note() {
            return Err(BuildError::Strict { file: file.to_owned(), dirt: Box::new(dirt.clone()) });
        }
        Ok(())
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
