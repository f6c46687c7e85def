//! Indexes, built and changed.
//!
//! An index is a folder. Files of a new state are written beside those of the
//! old one, then the manifest is replaced, then what is not needed any more is
//! removed. Whatever is cut off leaves the old state or the new one. Work that
//! was not finished lies in the folder `building` and is taken up again when
//! the same is asked for.
//!
//! A thread lies in one segment as a whole, because what is asked is part of
//! what an answer is found by. When a post is added, replaced or deleted, its
//! thread as it is then goes into a new segment.

mod threads;

use crate::error::Error;
use crate::features::FeatureKind;
use crate::formulas;
use crate::index::{Index, write_dead};
use crate::manifest::{FileNote, Manifest, NAME, Segment, Source};
use crate::posts::{self, DocumentPlace};
use crate::progress::Watch;
use frame::Frame;
use std::collections::BTreeSet;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use store::Collection;
use threads::Threads;
use xxhash_rust::xxh3::xxh3_64;

/// The file that is locked while an index is written.
const LOCK: &str = "lock";
/// The folder of unfinished work.
const BUILDING: &str = "building";

/// Whether a file or folder in an index is one that is made here.
fn is_ours(name: &str) -> bool {
    if [NAME, LOCK, BUILDING].contains(&name) {
        return true;
    }
    let whole = name.strip_suffix(".new").unwrap_or(name);
    let numbered = |name: &str| {
        let (number, kind) = name.split_once('.')?;
        number.parse::<u64>().ok().map(|_| kind.to_owned())
    };
    whole == NAME
        || numbered(whole).is_some_and(|kind| match kind.strip_suffix(".dead") {
            Some(segment) => numbered(segment).as_deref() == Some("posts"),
            None => ["collection", "formulas", "posts"].contains(&kind.as_str()),
        })
}

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

/// The folder of an index, locked for writing.
struct Workshop {
    folder: PathBuf,
    _lock: File,
}

impl Workshop {
    fn open(folder: &Path) -> Result<Self, Error> {
        if folder.exists() && !Self::may_be(folder) {
            return Err(Error::NotAnIndex(folder.to_owned()));
        }
        fs::create_dir_all(folder).map_err(Error::io(folder))?;
        let path = folder.join(LOCK);
        let lock = File::create(&path).map_err(Error::io(&path))?;
        match lock.try_lock() {
            Ok(()) => Ok(Self { folder: folder.to_owned(), _lock: lock }),
            Err(TryLockError::WouldBlock) => Err(Error::Busy(folder.to_owned())),
            Err(TryLockError::Error(cause)) => Err(Error::io(&path)(cause)),
        }
    }

    /// Whether a folder is an index, or what is left of one, or empty. Anything else is left alone.
    fn may_be(folder: &Path) -> bool {
        if matches!(Manifest::read(folder), Ok(_) | Err(Error::Version { .. })) {
            return true;
        }
        let Ok(entries) = fs::read_dir(folder) else { return false };
        let names: Vec<_> = entries.map(|entry| entry.map(|entry| entry.file_name())).collect();
        let ours = |name: &std::ffi::OsString| name.to_str().is_some_and(is_ours);
        let locked = names.iter().any(|name| name.as_ref().is_ok_and(|name| name == LOCK));
        names.is_empty() || locked && names.iter().all(|name| name.as_ref().is_ok_and(ours))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Where unfinished work lies.
    fn work(&self, name: &str) -> PathBuf {
        self.folder.join(BUILDING).join(name)
    }

    /// A file of a new state: taken over from unfinished work if it is there and whole, else built.
    fn file(
        &self,
        name: &str,
        format: &frame::Format,
        purpose: &str,
        build: impl FnOnce(&Path, &Path) -> Result<(), Error>,
    ) -> Result<FileNote, Error> {
        let path = self.path(name);
        let done = self.work(&format!("{name}.done"));
        let whole = fs::read_to_string(&done).is_ok_and(|before| before == purpose);
        if !(whole && Frame::open(&path, format).is_ok_and(|frame| frame.check().is_ok())) {
            let work = self.work(name);
            fs::create_dir_all(&work).map_err(Error::io(&work))?;
            let unfinished = self.work(&format!("{name}.new"));
            build(&work, &unfinished)?;
            frame::publish(&unfinished, &path)?;
            fs::write(&done, purpose).map_err(Error::io(&done))?;
            fs::remove_dir_all(&work).map_err(Error::io(&work))?;
        }
        Ok(FileNote::new(name, Frame::open(&path, format)?.fingerprint()))
    }

    /// Takes a collection into the folder: by another name for the same file where that is possible.
    fn take_in(&self, collection: &Path, name: &str) -> Result<(FileNote, Collection), Error> {
        let path = self.path(name);
        let given = Collection::open(collection)?;
        let same = Collection::open(&path).is_ok_and(|there| there.fingerprint() == given.fingerprint());
        if !same {
            let unfinished = self.path(&format!("{name}.new"));
            let _ = fs::remove_file(&unfinished);
            if fs::hard_link(collection, &unfinished).is_err() {
                fs::copy(collection, &unfinished).map_err(Error::io(&unfinished))?;
            }
            File::open(&unfinished).and_then(|file| file.sync_all()).map_err(Error::io(&unfinished))?;
            frame::publish(&unfinished, &path)?;
        }
        Ok((FileNote::new(name, given.fingerprint()), Collection::open(&path)?))
    }

    /// Makes a state the one that counts, and removes what does not belong to it.
    fn publish(&self, manifest: &Manifest) -> Result<(), Error> {
        manifest.publish(&self.folder)?;
        let keep: BTreeSet<&str> =
            manifest.files().map(|note| note.file.as_str()).chain([NAME, LOCK]).collect();
        for entry in fs::read_dir(&self.folder).map_err(Error::io(&self.folder))? {
            let entry = entry.map_err(Error::io(&self.folder))?;
            let name = entry.file_name();
            if name == BUILDING {
                fs::remove_dir_all(entry.path()).map_err(Error::io(&entry.path()))?;
            } else if name.to_str().is_some_and(|name| is_ours(name) && !keep.contains(name)) {
                fs::remove_file(entry.path()).map_err(Error::io(&entry.path()))?;
            }
        }
        Ok(())
    }
}

/// Builds an index of a collection. What is at the path already stays as it is until the new index
/// is whole.
///
/// # Errors
///
/// When something cannot be read or written; then nothing has changed.
pub fn build(collection: &Path, target: &Path, options: &Options, watch: &dyn Watch) -> Result<Index, Error> {
    let workshop = Workshop::open(target)?;
    let generation = Manifest::read(target).map_or(0, |manifest| manifest.generation) + 1;
    let mut manifest = Manifest::new(&options.formula_features, &options.post_features);
    manifest.generation = generation;
    let number = 0;
    let (note, collection) = workshop.take_in(collection, &format!("{generation}.collection"))?;
    let formulas = workshop.formulas(&collection, generation, &options.formula_features, watch)?;
    manifest.collections.push(Source { number, collection: note, formulas });
    let documents = in_threads(&collection, number);
    let collections = [(number, &collection)];
    let posts = workshop.posts(&documents, &collections, generation, &options.post_features, watch)?;
    manifest.segments.push(Segment { posts, dead: None });
    workshop.publish(&manifest)?;
    Index::open(target)
}

impl Workshop {
    fn formulas(
        &self,
        collection: &Collection,
        generation: u64,
        kinds: &[FeatureKind],
        watch: &dyn Watch,
    ) -> Result<FileNote, Error> {
        let purpose = format!("formulas of {:016x}", collection.fingerprint());
        let name = format!("{generation}.formulas");
        self.file(&name, &formulas::FORMAT, &purpose_with(&purpose, kinds), |work, target| {
            formulas::build(collection, kinds, (work, &purpose), target, watch)
        })
    }

    fn posts(
        &self,
        documents: &[DocumentPlace],
        collections: &[(u16, &Collection)],
        generation: u64,
        kinds: &[FeatureKind],
        watch: &dyn Watch,
    ) -> Result<FileNote, Error> {
        let mut bytes = Vec::new();
        for document in documents {
            bytes.extend_from_slice(&document.collection.to_le_bytes());
            bytes.extend_from_slice(&document.post.0.to_le_bytes());
            bytes.extend_from_slice(&document.parent.unwrap_or(u32::MAX).to_le_bytes());
        }
        for (_, collection) in collections {
            bytes.extend_from_slice(&collection.fingerprint().to_le_bytes());
        }
        let purpose = format!("posts {:016x}", xxh3_64(&bytes));
        let name = format!("{generation}.posts");
        self.file(&name, &posts::FORMAT, &purpose_with(&purpose, kinds), |work, target| {
            posts::build(documents, collections, kinds, (work, &purpose), target, watch)
        })
    }
}

fn purpose_with(purpose: &str, kinds: &[FeatureKind]) -> String {
    let names: Vec<&str> = kinds.iter().map(|kind| kind.name()).collect();
    format!("{purpose} {}", names.join(" "))
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

/// Changes an index. Whoever has it open keeps the state it was opened in.
///
/// # Errors
///
/// When something cannot be read or written; then nothing has changed.
pub fn change(target: &Path, change: Change<'_>, watch: &dyn Watch) -> Result<(Index, Changed), Error> {
    Manifest::read(target)?;
    let workshop = Workshop::open(target)?;
    let index = Index::open(target)?;
    let mut manifest = index.manifest().clone();
    manifest.generation += 1;
    let generation = manifest.generation;
    let added = match change.add {
        None => None,
        Some(path) => {
            let used: BTreeSet<u16> = manifest.collections.iter().map(|source| source.number).collect();
            let number = (0..=u16::MAX).find(|number| !used.contains(number));
            let number = number.ok_or_else(|| Error::Full(target.to_owned()))?;
            let (note, collection) = workshop.take_in(path, &format!("{generation}.collection"))?;
            let formulas = workshop.formulas(&collection, generation, &index.formula_features(), watch)?;
            manifest.collections.push(Source { number, collection: note, formulas });
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
            segment.dead = Some(FileNote::new(&name, write_dead(&workshop.path(&name), &all)?));
        }
        used.extend((0..old.posts.documents()).map(|doc| old.posts.place(doc).0));
        segments.push(segment);
    }
    manifest.segments = segments;
    manifest.collections.retain(|source| used.contains(&source.number));
    if !documents.is_empty() || manifest.segments.is_empty() {
        let posts = workshop.posts(&documents, &collections, generation, &index.post_features(), watch)?;
        manifest.segments.push(Segment { posts, dead: None });
    }
    workshop.publish(&manifest)?;
    Ok((Index::open(target)?, changed))
}

/// Puts all valid posts into one segment, so that nothing is left of those that are not.
///
/// # Errors
///
/// When something cannot be read or written; then nothing has changed.
pub fn compact(target: &Path, watch: &dyn Watch) -> Result<Index, Error> {
    Manifest::read(target)?;
    let workshop = Workshop::open(target)?;
    let index = Index::open(target)?;
    let mut manifest = index.manifest().clone();
    manifest.generation += 1;
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
    manifest.segments = vec![Segment { posts, dead: None }];
    let used: BTreeSet<u16> = documents.iter().map(|document| document.collection).collect();
    manifest.collections.retain(|source| used.contains(&source.number));
    workshop.publish(&manifest)?;
    Index::open(target)
}
