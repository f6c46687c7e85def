//! Files as memory.

#![allow(unsafe_code, reason = "a memory map cannot be had without; nothing else in this crate is unsafe")]

use crate::Error;
use memmap2::Mmap;
use std::fs::File;
use std::io;
use std::path::Path;

/// Opens a file as memory. An empty file is empty memory.
///
/// # Errors
///
/// When it cannot be opened, or is a folder.
pub fn map(path: &Path) -> Result<Mmap, Error> {
    map_file(&open(path)?).map_err(Error::io(path))
}

/// Opens a file, which may not be a folder.
pub(crate) fn open(path: &Path) -> Result<File, Error> {
    let file = File::open(path).map_err(Error::io(path))?;
    if file.metadata().map_err(Error::io(path))?.is_dir() {
        return Err(Error::io(path)(io::Error::from(io::ErrorKind::IsADirectory)));
    }
    Ok(file)
}

pub(crate) fn map_file(file: &File) -> io::Result<Mmap> {
    // SAFETY: such files are never changed in place: writers write a new file and rename it, so
    // the pages under this map stay what they were for as long as it lives. An index holds copies
    // of its own, which nobody may write to. Somebody who truncates a mapped file by other means
    // ends the process if a page behind the new end is read before `Frame::sound` has looked at
    // the length; `docs/index.md` says so.
    unsafe { Mmap::map(file) }
}
