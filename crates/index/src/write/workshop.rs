//! The folder of an index while it is written.
//!
//! [`Workshop`] holds the lock, builds files beside those of the current state,
//! resumes files of an interrupted run, and publishes a new manifest.

use crate::error::Error;
use crate::features::FeatureKind;
use crate::formulas;
use crate::index::write_dead;
use crate::manifest::{FileNote, LOCK, Manifest, NAME};
use crate::parts::{self, is_part_name};
use crate::posts::{self, DocumentPlace};
use crate::progress::Watch;
use frame::Frame;
use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use store::Collection;
use xxhash_rust::xxh3::xxh3_64;

/// The folder of unfinished work.
const BUILDING: &str = "building";

/// Whether a file or folder in an index is one that is made here.
fn is_ours(folder: &Path, name: &str) -> bool {
    if [NAME, LOCK, BUILDING].contains(&name) {
        return true;
    }
    let whole = name.strip_suffix(".new").unwrap_or(name);
    let is_number = |text: &&str| !text.starts_with('+') && text.parse::<u64>().is_ok();
    let words: Vec<&str> = whole.split('.').collect();
    match words[..] {
        _ if whole == NAME => true,
        [number, "collection" | "formulas" | "posts"] => is_number(&number),
        [ref numbers @ .., "posts", "dead"] => numbers.len() == 2 && numbers.iter().all(is_number),
        // The name of a part may be any word, so the file has to be one of a part, too.
        [ref numbers @ .., "formulas" | "posts", part] => {
            numbers.len() == 2
                && numbers.iter().all(is_number)
                && is_part_name(part)
                && has_head(&folder.join(name), &parts::FORMAT.head)
        }
        _ => false,
    }
}

/// Whether a file begins with these bytes.
fn has_head(path: &Path, head: &[u8; 8]) -> bool {
    let mut found = [0; 8];
    File::open(path).and_then(|mut file| file.read_exact(&mut found)).is_ok() && found == *head
}

/// The folder of an index, locked for writing.
pub(super) struct Workshop {
    folder: PathBuf,
    /// Locked as long as it is open. It holds the highest number that a published state has had, so that
    /// no number is used again even if the manifest is lost.
    lock: File,
}

impl Workshop {
    pub(super) fn open(folder: &Path) -> Result<Self, Error> {
        if folder.exists() && !Self::may_be(folder) {
            return Err(Error::NotAnIndex(folder.to_owned()));
        }
        fs::create_dir_all(folder).map_err(Error::io(folder))?;
        let path = folder.join(LOCK);
        let mut options = OpenOptions::new();
        let lock = options.read(true).write(true).create(true).truncate(false).open(&path);
        let lock = lock.map_err(Error::io(&path))?;
        match lock.try_lock() {
            Ok(()) => Ok(Self { folder: folder.to_owned(), lock }),
            Err(TryLockError::WouldBlock) => Err(Error::Busy(folder.to_owned())),
            Err(TryLockError::Error(cause)) => Err(Error::io(&path)(cause)),
        }
    }

    /// Whether a folder is an index, or what is left of one, or empty. Anything else is left alone.
    pub(super) fn may_be(folder: &Path) -> bool {
        if matches!(Manifest::read(folder), Ok(_) | Err(Error::Version { .. })) {
            return true;
        }
        let Ok(entries) = fs::read_dir(folder) else { return false };
        let names: Vec<_> = entries.map(|entry| entry.map(|entry| entry.file_name())).collect();
        let ours = |name: &std::ffi::OsString| name.to_str().is_some_and(|name| is_ours(folder, name));
        let locked = names.iter().any(|name| name.as_ref().is_ok_and(|name| name == LOCK));
        names.is_empty() || locked && names.iter().all(|name| name.as_ref().is_ok_and(ours))
    }

    /// The number of the next state. File names begin with it, so it is never that of another state that
    /// somebody may have open, or may be about to open.
    pub(super) fn next_generation(&self) -> Result<u64, Error> {
        let known = match Manifest::read(&self.folder) {
            Ok(manifest) => manifest.generation,
            // It has never been published, or an index was never finished.
            Err(_) if !self.path(NAME).exists() => 0,
            Err(_) => self.highest_number()?,
        };
        let path = self.path(LOCK);
        let mut text = String::new();
        (&self.lock).seek(SeekFrom::Start(0)).map_err(Error::io(&path))?;
        let mark = match (&self.lock).read_to_string(&mut text) {
            Ok(_) => text.trim().parse().unwrap_or(0),
            Err(_) => 0,
        };
        Ok(known.max(mark) + 1)
    }

    /// The highest number that the name of a file begins with.
    fn highest_number(&self) -> Result<u64, Error> {
        let mut highest = 0;
        for entry in fs::read_dir(&self.folder).map_err(Error::io(&self.folder))? {
            let name = entry.map_err(Error::io(&self.folder))?.file_name();
            let number = name.to_str().and_then(|name| name.split('.').next()?.parse().ok());
            highest = highest.max(number.unwrap_or(0));
        }
        Ok(highest)
    }

    fn mark(&self, generation: u64) -> std::io::Result<()> {
        let mut lock = &self.lock;
        lock.set_len(0)?;
        lock.seek(SeekFrom::Start(0))?;
        lock.write_all(format!("{generation}\n").as_bytes())?;
        lock.sync_all()
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Where unfinished work lies.
    fn work(&self, name: &str) -> PathBuf {
        self.folder.join(BUILDING).join(name)
    }

    /// A file of a new state: taken over from unfinished work if it is there and whole, else built.
    pub(super) fn file(
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
            // One that was left may be protected.
            let _ = fs::remove_file(&unfinished);
            build(&work, &unfinished)?;
            frame::protect(&unfinished)?;
            frame::publish(&unfinished, &path)?;
            fs::write(&done, purpose).map_err(Error::io(&done))?;
            fs::remove_dir_all(&work).map_err(Error::io(&work))?;
        }
        Ok(FileNote::new(name, Frame::open(&path, format)?.fingerprint()))
    }

    /// Copies a collection into the folder, and compares the copy with its checksums. A link would not do:
    /// the index has the file open while others write to theirs. Where the disk can share blocks between
    /// files, the copy takes no room.
    pub(super) fn take_in(&self, collection: &Path, name: &str) -> Result<(FileNote, Collection), Error> {
        let path = self.path(name);
        let fingerprint = Collection::open(collection)?.fingerprint();
        let is_same = |copy: &Collection| copy.fingerprint() == fingerprint;
        if !Collection::open_whole(&path).is_ok_and(|there| is_same(&there)) {
            let unfinished = self.path(&format!("{name}.new"));
            let _ = fs::remove_file(&unfinished);
            fs::copy(collection, &unfinished).map_err(Error::io(&unfinished))?;
            File::open(&unfinished).and_then(|file| file.sync_all()).map_err(Error::io(&unfinished))?;
            if !Collection::open_whole(&unfinished).is_ok_and(|copy| is_same(&copy)) {
                let _ = fs::remove_file(&unfinished);
                Collection::open_whole(collection)?;
                let what = "it was changed while it was copied".to_owned();
                return Err(Error::Changed { file: collection.to_owned(), what });
            }
            frame::protect(&unfinished)?;
            frame::publish(&unfinished, &path)?;
        }
        Ok((FileNote::new(name, fingerprint), Collection::open(&path)?))
    }

    /// Writes the list of a segment's documents that are not valid any more.
    pub(super) fn dead(&self, name: &str, dead: &BTreeSet<u32>) -> Result<FileNote, Error> {
        let unfinished = self.path(&format!("{name}.new"));
        let _ = fs::remove_file(&unfinished);
        let fingerprint = write_dead(&unfinished, dead)?;
        frame::protect(&unfinished)?;
        frame::publish(&unfinished, &self.path(name))?;
        Ok(FileNote::new(name, fingerprint))
    }

    /// Makes a state the one that counts, and removes what does not belong to it.
    pub(super) fn publish(&self, manifest: &Manifest) -> Result<(), Error> {
        manifest.publish(&self.folder)?;
        self.mark(manifest.generation).map_err(Error::io(&self.path(LOCK)))?;
        let keep: BTreeSet<&str> =
            manifest.files().map(|note| note.file.as_str()).chain([NAME, LOCK]).collect();
        for entry in fs::read_dir(&self.folder).map_err(Error::io(&self.folder))? {
            let entry = entry.map_err(Error::io(&self.folder))?;
            let name = entry.file_name();
            if name == BUILDING {
                fs::remove_dir_all(entry.path()).map_err(Error::io(&entry.path()))?;
            } else if name.to_str().is_some_and(|name| is_ours(&self.folder, name) && !keep.contains(name)) {
                fs::remove_file(entry.path()).map_err(Error::io(&entry.path()))?;
            }
        }
        Ok(())
    }
}

impl Workshop {
    pub(super) fn formulas(
        &self,
        collection: &Collection,
        generation: u64,
        kinds: &[FeatureKind],
        watch: &dyn Watch,
    ) -> Result<FileNote, Error> {
        let purpose = format!("formulas by size and look of {:016x}", collection.fingerprint());
        let name = format!("{generation}.formulas");
        self.file(&name, &formulas::FORMAT, &purpose_with(&purpose, kinds), |work, target| {
            formulas::build(collection, kinds, (work, &purpose), target, watch)
        })
    }

    pub(super) fn posts(
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
