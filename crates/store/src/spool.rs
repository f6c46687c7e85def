//! Files that a collection is put together from while it is built.

use crate::error::Error;
use memmap2::Mmap;
use std::fs::{self, File, TryLockError};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

const BUFFER: usize = 1 << 16;

/// The folder in which a collection is put together, beside the file it will become.
///
/// It is locked while it is used. What a process that was killed has left is
/// removed by the next that builds the same file.
#[derive(Debug)]
pub(crate) struct Workshop {
    folder: PathBuf,
    _lock: File,
}

impl Workshop {
    pub(crate) fn open(target: &Path) -> Result<Self, Error> {
        let name = target.file_name().ok_or_else(|| Error::NotACollection(target.to_owned()))?;
        let folder = target.with_file_name(format!(".{}.building", name.to_string_lossy()));
        fs::create_dir_all(&folder).map_err(Error::io(&folder))?;
        let lock_path = folder.join("lock");
        let lock = File::create(&lock_path).map_err(Error::io(&lock_path))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(Error::Busy(target.to_owned())),
            Err(TryLockError::Error(cause)) => return Err(Error::io(&lock_path)(cause)),
        }
        for entry in fs::read_dir(&folder).map_err(Error::io(&folder))? {
            let path = entry.map_err(Error::io(&folder))?.path();
            if path != lock_path {
                fs::remove_file(&path).map_err(Error::io(&path))?;
            }
        }
        Ok(Self { folder, _lock: lock })
    }

    pub(crate) fn spool(&self, name: &str) -> Result<Spool, Error> {
        Spool::create(&self.folder.join(name))
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }
}

impl Drop for Workshop {
    fn drop(&mut self) {
        // If it cannot be removed, the next build will try again.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// A file that is only added to.
#[derive(Debug)]
pub(crate) struct Spool {
    file: BufWriter<File>,
    path: PathBuf,
    length: u64,
}

impl Spool {
    pub(crate) fn create(path: &Path) -> Result<Self, Error> {
        let file = File::create(path).map_err(Error::io(path))?;
        Ok(Self { file: BufWriter::with_capacity(BUFFER, file), path: path.to_owned(), length: 0 })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn len(&self) -> u64 {
        self.length
    }

    pub(crate) fn put(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.length += bytes.len() as u64;
        self.file.write_all(bytes).map_err(Error::io(&self.path))
    }

    /// What was written so far, as memory.
    pub(crate) fn read(&mut self) -> Result<Mmap, Error> {
        self.file.flush().map_err(Error::io(&self.path))?;
        Ok(frame::map(&self.path)?)
    }

    /// Ends it; the bytes are in the file.
    pub(crate) fn close(mut self) -> Result<PathBuf, Error> {
        self.file.flush().map_err(Error::io(&self.path))?;
        Ok(self.path)
    }
}
