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
    let file = File::open(path).map_err(Error::io(path))?;
    if file.metadata().map_err(Error::io(path))?.is_dir() {
        return Err(Error::io(path)(io::Error::from(io::ErrorKind::IsADirectory)));
    }
    // SAFETY: such files are never changed in place: writers write a new file and rename it, so
    // the pages under this map stay what they were for as long as it lives. Somebody who edits or
    // truncates the file by other means breaks the program, as with every memory map.
    unsafe { Mmap::map(&file) }.map_err(Error::io(path))
}
