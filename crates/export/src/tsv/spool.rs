//! Texts that wait on the disk until they are asked for by number.

use crate::error::Error;
use std::fs::{self, File};
use std::io::{BufWriter, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;

/// Texts on the disk; the file is gone when this is dropped.
#[derive(Debug)]
pub(super) struct Spool {
    path: PathBuf,
    file: BufWriter<File>,
    /// Where each text ends.
    ends: Vec<u64>,
    bytes: Vec<u8>,
    text: String,
}

impl Spool {
    pub(super) fn create(path: PathBuf, count: u32) -> Result<Self, Error> {
        let file = File::options().read(true).write(true).create(true).truncate(true).open(&path);
        let file = BufWriter::with_capacity(1 << 16, file.map_err(Error::io(&path))?);
        Ok(Self {
            path,
            file,
            ends: Vec::with_capacity(count as usize),
            bytes: Vec::new(),
            text: String::new(),
        })
    }

    pub(super) fn push(&mut self, text: &str) -> Result<(), Error> {
        self.file.write_all(text.as_bytes()).map_err(Error::io(&self.path))?;
        self.ends.push(self.ends.last().copied().unwrap_or(0) + text.len() as u64);
        Ok(())
    }

    /// All was pushed; from here on texts can be had.
    pub(super) fn finish(&mut self) -> Result<(), Error> {
        self.file.flush().map_err(Error::io(&self.path))
    }

    pub(super) fn get(&mut self, number: u32) -> Result<&str, Error> {
        let at = number as usize;
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        let length = usize::try_from(self.ends[at] - start).expect("it was in memory before");
        self.bytes.resize(length, 0);
        let file = self.file.get_mut();
        let read = file.seek(SeekFrom::Start(start)).and_then(|_| file.read_exact(&mut self.bytes));
        read.map_err(Error::io(&self.path))?;
        self.text.clear();
        self.text.push_str(&String::from_utf8_lossy(&self.bytes));
        Ok(&self.text)
    }
}

impl Drop for Spool {
    fn drop(&mut self) {
        // It was never under a name that anybody asked for.
        let _ = fs::remove_file(&self.path);
    }
}
