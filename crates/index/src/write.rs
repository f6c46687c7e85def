//! Indexes, built and changed.
//!
//! An index is a folder. Files of a new state are written beside those of the
//! old one, then the manifest is replaced, then what is not needed any more is
//! removed. Whatever is cut off leaves the old state or the new one. A state
//! has a number that no other state has had; names of files begin with it, so no
//! name leads to another file later, and all files but the manifest and the lock
//! are read-only. Work that
//! was not finished lies in the folder `building` and is taken up again when
//! the same is asked for.
//!
//! A thread lies in one segment as a whole, because what is asked is part of
//! what an answer is found by. When a post is added, replaced or deleted, its
//! thread as it is then goes into a new segment.

mod parts;
mod threads;
mod workshop;

use crate::error::Error;
use crate::features::FeatureKind;
use crate::index::Index;
use crate::manifest::{Manifest, Segment, Source};
use crate::parts::PartKind;
use crate::posts::DocumentPlace;
use crate::progress::Watch;
use frame::Opening;
pub use parts::{add_part, add_parts, remove_parts};
use parts::{check_names, kinds_of};
use std::collections::BTreeSet;
use std::path::Path;
use store::Collection;
use threads::Threads;
use workshop::Workshop;

/// What is indexed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The kinds of features that formulas are found by.
    pub formula_features: Vec<FeatureKind>,
    /// The kinds of features that posts are found by.
    pub post_features: Vec<FeatureKind>,
}

/// A change to an index.
#[derive(Clone, Copy, Debug)]
pub struct Change<'a> {
    /// A collection whose posts are added; those with an id that is known are replaced.
    pub add: Option<&'a Path>,
    /// The ids of posts that are deleted.
    pub delete: &'a [String],
}

/// What a change did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Changed {
    /// Posts with an id that was not known.
    pub added: u32,
    /// Posts with an id that was known.
    pub replaced: u32,
    /// Posts that were deleted.
    pub deleted: u32,
    /// Ids to be deleted that were not known.
    pub unknown: u32,
}

/// Builds an index of a collection. What is at the path already stays as it is until the new index
/// is whole.
///
/// # Errors
///
/// When something cannot be read or written; then nothing has changed.
pub fn build(collection: &Path, target: &Path, options: &Options, watch: &dyn Watch) -> Result<Index, Error> {
    build_with(collection, target, options, &[], watch)
}

/// As [`build`], with parts of these kinds, whatever parts the index at the path has.
///
/// # Errors
///
/// When something cannot be read or written, or a part not built; then nothing has changed.
pub fn build_with(
    collection: &Path,
    target: &Path,
    options: &Options,
    parts: &[&dyn PartKind],
    watch: &dyn Watch,
) -> Result<Index, Error> {
    check_names(parts)?;
    let workshop = Workshop::open(target)?;
    // Values of the same posts are copied, if all files of parts are as they were written.
    let old = if parts.is_empty() { None } else { Index::open(target).ok() };
    let old = old.filter(|old| old.check_parts().is_ok());
    let generation = workshop.next_generation()?;
    let mut manifest = Manifest::new(&options.formula_features, &options.post_features);
    manifest.generation = generation;
    let number = 0;
    let (note, collection) = workshop.take_in(collection, &format!("{generation}.collection"))?;
    let formulas = workshop.formulas(&collection, generation, &options.formula_features, watch)?;
    manifest.collections.push(Source { number, collection: note, formulas, parts: Vec::new() });
    let documents = in_threads(&collection, number);
    let collections = [(number, &collection)];
    let posts = workshop.posts(&documents, &collections, generation, &options.post_features, watch)?;
    manifest.segments.push(Segment { posts, dead: None, parts: Vec::new() });
    workshop.parts(&mut manifest, parts, old.as_ref(), watch)?;
    collection.sound()?;
    workshop.publish(&manifest)?;
    Index::open(target)
}

/// Whether an index may be written to a folder that is there: it is empty, an index, or what is left of one.
#[must_use]
pub fn may_be_index(folder: &Path) -> bool {
    Workshop::may_be(folder)
}

/// The posts of a collection in the order of threads.
fn in_threads(collection: &Collection, number: u16) -> Vec<DocumentPlace> {
    let mut documents = Vec::with_capacity(collection.num_posts() as usize);
    for post in collection.posts() {
        if collection.thread_of(post) != post {
            continue;
        }
        let parent = u32::try_from(documents.len()).expect("posts are numbered with 32 bits");
        documents.push(DocumentPlace { collection: number, post, parent: None });
        for answer in collection.answers(post).filter(|answer| *answer != post) {
            documents.push(DocumentPlace { collection: number, post: answer, parent: Some(parent) });
        }
    }
    documents
}

/// Changes an index without parts. Whoever has it open keeps the state it was opened in.
///
/// # Errors
///
/// When something cannot be read or written, or the index has parts ([`Error::UnknownPart`]); then nothing
/// has changed.
pub fn change(target: &Path, change: Change<'_>, watch: &dyn Watch) -> Result<(Index, Changed), Error> {
    change_with(target, change, &[], watch)
}

/// As [`change`], for an index with parts. The kinds of all its parts have to be among those that are given.
/// A part whose kind has another version or other settings now is built again.
///
/// # Errors
///
/// When something cannot be read or written, or a part not built, or its kind is not given
/// ([`Error::UnknownPart`]); then nothing has changed.
pub fn change_with(
    target: &Path,
    change: Change<'_>,
    kinds: &[&dyn PartKind],
    watch: &dyn Watch,
) -> Result<(Index, Changed), Error> {
    change_as(target, change, kinds, watch, Opening::USUAL)
}

/// As [`change_with`]; files of the old state are opened like this.
pub(crate) fn change_as(
    target: &Path,
    change: Change<'_>,
    kinds: &[&dyn PartKind],
    watch: &dyn Watch,
    opening: Opening,
) -> Result<(Index, Changed), Error> {
    Manifest::read(target)?;
    let workshop = Workshop::open(target)?;
    let index = Index::open_as(target, opening)?;
    index.check()?;
    let kinds = kinds_of(&index, kinds)?;
    let mut manifest = index.manifest().clone();
    manifest.generation = workshop.next_generation()?;
    let generation = manifest.generation;
    let added = match change.add {
        None => None,
        Some(path) => {
            let used: BTreeSet<u16> = manifest.collections.iter().map(|source| source.number).collect();
            let number = (0..=u16::MAX).find(|number| !used.contains(number));
            let number = number.ok_or_else(|| Error::Full(target.to_owned()))?;
            let (note, collection) = workshop.take_in(path, &format!("{generation}.collection"))?;
            let formulas = workshop.formulas(&collection, generation, &index.formula_features(), watch)?;
            manifest.collections.push(Source { number, collection: note, formulas, parts: Vec::new() });
            Some((number, collection))
        }
    };
    let mut threads = Threads::new(&index);
    let mut changed = Changed::default();
    if let Some((number, collection)) = &added {
        threads.add(*number, collection, &mut changed)?;
    }
    threads.delete(change.delete, &mut changed);
    let (documents, dead) = threads.finish();
    let mut collections: Vec<(u16, &Collection)> =
        index.sources().iter().map(|source| (source.number, &source.collection)).collect();
    collections.extend(added.as_ref().map(|(number, collection)| (*number, collection)));
    let mut used: BTreeSet<u16> = documents.iter().map(|document| document.collection).collect();
    let mut segments = Vec::new();
    for ((mut segment, new), old) in manifest.segments.into_iter().zip(dead).zip(index.segments()) {
        if new.len() == old.live() as usize {
            // Nothing in it is valid any more.
            continue;
        }
        if !new.is_empty() {
            let name = format!("{generation}.{}.dead", segment.posts.file);
            let all = old.dead().union(&new).copied().collect();
            segment.dead = Some(workshop.dead(&name, &all)?);
        }
        used.extend((0..old.posts.documents()).map(|doc| old.posts.place(doc).0));
        segments.push(segment);
    }
    manifest.segments = segments;
    manifest.collections.retain(|source| used.contains(&source.number));
    if !documents.is_empty() || manifest.segments.is_empty() {
        let posts = workshop.posts(&documents, &collections, generation, &index.post_features(), watch)?;
        manifest.segments.push(Segment { posts, dead: None, parts: Vec::new() });
    }
    workshop.parts(&mut manifest, &kinds, Some(&index), watch)?;
    index.sound()?;
    workshop.publish(&manifest)?;
    Ok((Index::open(target)?, changed))
}

/// Puts all valid posts into one segment, so that nothing is left of those that are not. The index has no
/// parts.
///
/// # Errors
///
/// As for [`change`].
pub fn compact(target: &Path, watch: &dyn Watch) -> Result<Index, Error> {
    compact_with(target, &[], watch)
}

/// As [`compact`], for an index with parts; kinds are those of [`change_with`].
///
/// # Errors
///
/// As for [`change_with`].
pub fn compact_with(target: &Path, kinds: &[&dyn PartKind], watch: &dyn Watch) -> Result<Index, Error> {
    compact_as(target, kinds, watch, Opening::USUAL)
}

/// As [`compact_with`]; files of the old state are opened like this.
pub(crate) fn compact_as(
    target: &Path,
    kinds: &[&dyn PartKind],
    watch: &dyn Watch,
    opening: Opening,
) -> Result<Index, Error> {
    Manifest::read(target)?;
    let workshop = Workshop::open(target)?;
    let index = Index::open_as(target, opening)?;
    index.check()?;
    let kinds = kinds_of(&index, kinds)?;
    let mut manifest = index.manifest().clone();
    manifest.generation = workshop.next_generation()?;
    let mut documents = Vec::new();
    for segment in index.segments() {
        let mut parent = None;
        for doc in (0..segment.posts.documents()).filter(|doc| segment.is_live(*doc)) {
            let (collection, post) = segment.posts.place(doc);
            let answers = segment.posts.parent(doc).is_some();
            if !answers {
                parent = Some(u32::try_from(documents.len()).expect("posts are numbered with 32 bits"));
            }
            documents.push(DocumentPlace { collection, post, parent: parent.filter(|_| answers) });
        }
    }
    let collections: Vec<(u16, &Collection)> =
        index.sources().iter().map(|source| (source.number, &source.collection)).collect();
    let posts =
        workshop.posts(&documents, &collections, manifest.generation, &index.post_features(), watch)?;
    manifest.segments = vec![Segment { posts, dead: None, parts: Vec::new() }];
    let used: BTreeSet<u16> = documents.iter().map(|document| document.collection).collect();
    manifest.collections.retain(|source| used.contains(&source.number));
    workshop.parts(&mut manifest, &kinds, Some(&index), watch)?;
    index.sound()?;
    workshop.publish(&manifest)?;
    Index::open(target)
}
