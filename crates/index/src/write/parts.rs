//! Parts of an index, built, added and removed.

use super::workshop::Workshop;
use crate::error::Error;
use crate::formulas::Formulas;
use crate::index::Index;
use crate::manifest::{FileNote, Manifest, PartNote};
use crate::parts::{
    FORMAT, NewFormulas, NewPosts, PartAbout, PartBuilder, PartKind, PartLabel, PartOutput, is_part_name,
};
use crate::posts::Posts;
use crate::progress::Watch;
use frame::Opening;
use std::fs;
use std::path::Path;
use store::Collection;
use xxhash_rust::xxh3::xxh3_64;

/// Adds a part to an index, as [`add_parts`] does with several.
///
/// # Errors
///
/// As those of [`add_parts`].
pub fn add_part(target: &Path, kind: &dyn PartKind, watch: &dyn Watch) -> Result<Index, Error> {
    add_parts(target, &[kind], watch)
}

/// Adds parts to an index, all at once; posting lists stay as they are. A part of the same name with another version
/// or other settings is replaced, and one with the same is left alone.
///
/// # Errors
///
/// When something cannot be read or written, or a part not built; then nothing has changed.
pub fn add_parts(target: &Path, kinds: &[&dyn PartKind], watch: &dyn Watch) -> Result<Index, Error> {
    check_names(kinds)?;
    Manifest::read(target)?;
    let workshop = Workshop::open(target)?;
    let index = Index::open_whole(target)?;
    let is_new = |kind: &&dyn PartKind| !index.parts().contains(&PartLabel::of(*kind));
    let new: Vec<&dyn PartKind> = kinds.iter().copied().filter(is_new).collect();
    if new.is_empty() {
        return Ok(index);
    }
    let mut manifest = index.manifest().clone();
    manifest.generation = workshop.next_generation()?;
    workshop.parts(&mut manifest, &new, Some(&index), watch)?;
    workshop.publish(&manifest)?;
    Index::open(target)
}

/// Removes parts from an index, all at once. Their kinds need not be known, and their files may be damaged.
///
/// # Errors
///
/// When there is no such part, or something cannot be read or written; then nothing has changed.
pub fn remove_parts(target: &Path, names: &[&str]) -> Result<Index, Error> {
    Manifest::read(target)?;
    let workshop = Workshop::open(target)?;
    let mut manifest = Manifest::read(target)?;
    let is_known = |name: &&str| manifest.parts.iter().any(|label| label.name == *name);
    if let Some(unknown) = names.iter().copied().find(|name| !is_known(name)) {
        let known = manifest.parts.into_iter().map(|label| label.name).collect();
        return Err(Error::NoPart { folder: target.to_owned(), name: unknown.to_owned(), known });
    }
    manifest.generation = workshop.next_generation()?;
    names.iter().for_each(|name| manifest.remove_part(name));
    workshop.publish(&manifest)?;
    Index::open(target)
}

/// Kinds have names that can be used, each its own.
pub(super) fn check_names(kinds: &[&dyn PartKind]) -> Result<(), Error> {
    for (place, kind) in kinds.iter().enumerate() {
        let twice = kinds[..place].iter().any(|other| other.name() == kind.name());
        if twice || !is_part_name(kind.name()) {
            return Err(Error::PartName(kind.name().to_owned()));
        }
    }
    Ok(())
}

/// The kinds of the parts that an index has, from those that are known.
pub(super) fn kinds_of<'k>(
    index: &Index,
    known: &[&'k dyn PartKind],
) -> Result<Vec<&'k dyn PartKind>, Error> {
    check_names(known)?;
    let kind = |label: &PartLabel| {
        let found = known.iter().find(|kind| kind.name() == label.name).copied();
        found.ok_or_else(|| Error::UnknownPart { folder: index.path().to_owned(), name: label.name.clone() })
    };
    index.parts().iter().map(kind).collect()
}

impl Workshop {
    /// Builds the files of parts that a new state does not have yet. Its other files are there already.
    pub(super) fn parts(
        &self,
        manifest: &mut Manifest,
        kinds: &[&dyn PartKind],
        old: Option<&Index>,
        watch: &dyn Watch,
    ) -> Result<(), Error> {
        if kinds.is_empty() {
            return Ok(());
        }
        let mut collections = Vec::new();
        for source in &manifest.collections {
            collections.push((source.number, Collection::open(&self.path(&source.collection.file))?));
        }
        for kind in kinds {
            let label = PartLabel::of(*kind);
            manifest.add_part(&label);
            let job = Job { workshop: self, label: &label, generation: manifest.generation, watch };
            match kind.builder() {
                PartBuilder::Posts(builder) => {
                    for segment in &mut manifest.segments {
                        job.complete(&mut segment.parts, &segment.posts, |base| {
                            let posts = Posts::open(base, Opening::USUAL)?;
                            let subject = (posts.documents(), fingerprint(posts.frame(), &collections));
                            let context = (&label, builder.context());
                            job.file(&segment.posts, subject, |out| {
                                let posts = NewPosts::new(&posts, &collections, context, old)?;
                                builder.build(&posts, out)
                            })
                        })?;
                    }
                }
                PartBuilder::Formulas(builder) => {
                    for (source, collection) in manifest.collections.iter_mut().zip(&collections) {
                        job.complete(&mut source.parts, &source.formulas, |base| {
                            let formulas = Formulas::open(base, Opening::USUAL)?;
                            let collection = std::slice::from_ref(collection);
                            let subject = (formulas.documents(), fingerprint(formulas.frame(), collection));
                            job.file(&source.formulas, subject, |out| {
                                let formulas = NewFormulas::new(&collection[0].1, &formulas, &label, old)?;
                                builder.build(&formulas, out)
                            })
                        })?;
                    }
                }
            }
        }
        Ok(())
    }
}

/// A number that is another one when the input of a part is.
fn fingerprint(base: &frame::Frame, collections: &[(u16, Collection)]) -> u64 {
    let collections = collections.iter().map(|(_, collection)| collection.fingerprint());
    let bytes: Vec<u8> =
        std::iter::once(base.fingerprint()).chain(collections).flat_map(u64::to_le_bytes).collect();
    xxh3_64(&bytes)
}

/// The files of one part in a new state.
struct Job<'j> {
    workshop: &'j Workshop,
    label: &'j PartLabel,
    generation: u64,
    watch: &'j dyn Watch,
}

impl Job<'_> {
    /// Adds the file of the part to those beside `base`, unless it is there.
    fn complete(
        &self,
        notes: &mut Vec<PartNote>,
        base: &FileNote,
        build: impl FnOnce(&Path) -> Result<FileNote, Error>,
    ) -> Result<(), Error> {
        if notes.iter().any(|note| note.name == self.label.name) {
            return Ok(());
        }
        let file = build(&self.workshop.path(&base.file))?;
        notes.push(PartNote { name: self.label.name.clone(), file });
        notes.sort_by(|left, right| left.name.cmp(&right.name));
        Ok(())
    }

    /// Builds a file beside `base`, over so many documents with this fingerprint.
    fn file(
        &self,
        base: &FileNote,
        (documents, input): (u32, u64),
        build: impl FnOnce(&mut PartOutput<'_>) -> Result<(), Error>,
    ) -> Result<FileNote, Error> {
        let Self { label, generation, watch, .. } = self;
        let name = format!("{generation}.{}.{}", base.file, label.name);
        let about = PartAbout { label: (*label).clone(), documents };
        let said = serde_json::to_string(&about).expect("names and numbers can be written");
        let purpose = format!("part {said} of {input:016x}");
        self.workshop.file(&name, &FORMAT, &purpose, |work, target| {
            // What another part has left, or the same with other documents, is not resumed.
            let begun = work.join(".purpose");
            if !fs::read_to_string(&begun).is_ok_and(|before| before == purpose) {
                fs::remove_dir_all(work).map_err(Error::io(work))?;
                fs::create_dir_all(work).map_err(Error::io(work))?;
                fs::write(&begun, &purpose).map_err(Error::io(&begun))?;
            }
            let mut out = PartOutput::create(about, work, target, *watch)?;
            build(&mut out)?;
            out.finish()
        })
    }
}
