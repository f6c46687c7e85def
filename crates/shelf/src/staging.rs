//! Folders that become models in one step, or not at all.
//!
//! New files are written to a hidden folder in the store, synced, and the folder gets its name by one rename.
//! Every writer holds a shared lock on the store while it has such a folder; who gets the lock alone knows that
//! the hidden folders were left behind by processes that were killed, and deletes them.

use crate::Error;
use crate::digest::hex;
use crate::facts::{FACTS_FILE, Facts, ModelFile};
use sha2::{Digest as _, Sha256};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

const LOCK: &str = ".lock";
const HIDDEN: &str = ".tmp-";

/// The right to write to a store.
pub(crate) struct Writer<'s> {
    store: &'s Path,
    /// Held until the writer is dropped.
    _lock: File,
}

/// A hidden folder, deleted when dropped.
pub(crate) struct Staging<'w> {
    writer: &'w Writer<'w>,
    pub(crate) folder: PathBuf,
}

impl<'s> Writer<'s> {
    /// Makes the store if need be, and deletes what killed processes left.
    pub(crate) fn open(store: &'s Path) -> Result<Self, Error> {
        fs::create_dir_all(store).map_err(|cause| Error::io(store, cause))?;
        let path = store.join(LOCK);
        let lock = OpenOptions::new().create(true).append(true).open(&path);
        let lock = lock.map_err(|cause| Error::io(&path, cause))?;
        if lock.try_lock().is_ok() {
            sweep(store);
            let _ = lock.unlock();
        }
        // Some network file systems have no locks; without one, hidden folders just stay.
        let _ = lock.lock_shared();
        Ok(Self { store, _lock: lock })
    }

    /// The path of a hidden file or folder that nobody else has.
    fn hidden(&self) -> PathBuf {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        self.store.join(format!("{HIDDEN}{}-{number}", std::process::id()))
    }

    pub(crate) fn stage(&self) -> Result<Staging<'_>, Error> {
        let folder = self.hidden();
        // Another process in a container of its own may have had the same number.
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir(&folder).map_err(|cause| Error::io(&folder, cause))?;
        Ok(Staging { writer: self, folder })
    }

    /// Takes a folder out of the store in one step, then deletes it.
    pub(crate) fn remove(&self, folder: &Path) -> Result<(), Error> {
        let away = self.hidden();
        fs::rename(folder, &away).map_err(|cause| Error::io(folder, cause))?;
        sync(self.store)?;
        fs::remove_dir_all(&away).map_err(|cause| Error::io(&away, cause))
    }
}

/// Deletes hidden files and folders. What cannot be deleted is in nobody's way.
fn sweep(store: &Path) {
    for entry in fs::read_dir(store).into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().starts_with(HIDDEN) {
            let path = entry.path();
            let _ = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
        }
    }
}

impl Staging<'_> {
    /// Writes a file of at most `limit` bytes, with the folders on the way.
    pub(crate) fn write(
        &self,
        path: &str,
        reader: &mut dyn Read,
        limit: u64,
        on_bytes: &mut dyn FnMut(u64),
    ) -> Result<ModelFile, WriteError> {
        let target = self.folder.join(path);
        let io = |cause| WriteError::Ours(Error::io(&target, cause));
        if let Some(folder) = target.parent() {
            fs::create_dir_all(folder).map_err(io)?;
        }
        let mut file = OpenOptions::new().write(true).create_new(true).open(&target).map_err(io)?;
        let mut hasher = Sha256::new();
        let mut buffer = vec![0; 1 << 18];
        let mut size = 0;
        loop {
            let read = match reader.read(&mut buffer) {
                Ok(0) => break,
                Ok(read) => read,
                Err(cause) if cause.kind() == io::ErrorKind::Interrupted => continue,
                Err(cause) => return Err(WriteError::Theirs(cause)),
            };
            size += read as u64;
            if size > limit {
                return Err(WriteError::TooLong);
            }
            hasher.update(&buffer[..read]);
            file.write_all(&buffer[..read]).map_err(io)?;
            on_bytes(read as u64);
        }
        file.sync_all().map_err(io)?;
        Ok(ModelFile { path: path.to_owned(), size, sha256: hex(&hasher.finalize()) })
    }

    /// Gives the folder its name in the store.
    pub(crate) fn commit(self, facts: &Facts, replace: bool) -> Result<PathBuf, Error> {
        let store = self.writer.store;
        let path = self.folder.join(FACTS_FILE);
        let written = File::create(&path).and_then(|mut file| {
            file.write_all(facts.to_json().as_bytes())?;
            file.sync_all()
        });
        written.map_err(|cause| Error::io(&path, cause))?;
        sync_folders(&self.folder)?;
        let target = store.join(&facts.name);
        let exists = || Error::Exists { name: facts.name.clone(), folder: store.to_owned() };
        if fs::symlink_metadata(&target).is_ok() {
            if !replace {
                return Err(exists());
            }
            if !target.join(FACTS_FILE).exists() {
                return Err(Error::refused(&target, "not a model of this store, and not replaced"));
            }
            exchange(&self.folder, &target)?;
        } else {
            fs::rename(&self.folder, &target).map_err(|cause| match cause.kind() {
                // Somebody else was faster.
                io::ErrorKind::AlreadyExists | io::ErrorKind::DirectoryNotEmpty => exists(),
                _ => Error::io(&target, cause),
            })?;
        }
        sync(store)?;
        Ok(target)
    }
}

/// Why a file could not be written.
pub(crate) enum WriteError {
    /// The store.
    Ours(Error),
    /// The source.
    Theirs(io::Error),
    /// The source gave more bytes than allowed.
    TooLong,
}

impl Drop for Staging<'_> {
    fn drop(&mut self) {
        // After a commit it is gone, or holds the model that was replaced.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Swaps two folders, so that there is never a moment without one.
fn exchange(new: &Path, old: &Path) -> Result<(), Error> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    if renameat_with(CWD, new, CWD, old, RenameFlags::EXCHANGE).is_ok() {
        return Ok(());
    }
    // A file system that cannot do this needs two steps.
    let away = new.with_extension("old");
    fs::rename(old, &away).and_then(|()| fs::rename(new, old)).map_err(|cause| Error::io(old, cause))?;
    fs::remove_dir_all(&away).map_err(|cause| Error::io(&away, cause))
}

/// Makes sure that the names in a folder survive a power failure.
fn sync(folder: &Path) -> Result<(), Error> {
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(|cause| Error::io(folder, cause))
}

fn sync_folders(folder: &Path) -> Result<(), Error> {
    for entry in fs::read_dir(folder).map_err(|cause| Error::io(folder, cause))? {
        let path = entry.map_err(|cause| Error::io(folder, cause))?.path();
        if path.is_dir() {
            sync_folders(&path)?;
        }
    }
    sync(folder)
}
