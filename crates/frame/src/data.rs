//! The bytes of an open file: in memory of our own, or mapped.

use crate::{Error, map};
use memmap2::Mmap;
use std::fs::File;
use std::io::{self, Read};
use std::ops::{Deref, Range};
use std::path::Path;
use std::time::SystemTime;

/// How a file is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opening {
    /// Files of up to this many bytes are read into memory and compared with their checksums at once.
    /// Larger ones are mapped, and each piece is compared with its checksum before its first use.
    pub whole_up_to: u64,
}

impl Opening {
    /// Reads files of up to 64 MB whole.
    pub const USUAL: Self = Self { whole_up_to: 1 << 26 };
    /// Maps all files.
    pub const MAPPED: Self = Self { whole_up_to: 0 };
}

impl Default for Opening {
    fn default() -> Self {
        Self::USUAL
    }
}

/// The bytes of a file.
#[derive(Debug)]
pub(crate) enum Data {
    /// A copy, which nobody else can change.
    Memory(Vec<u8>),
    /// The file itself. The length under which it was mapped is that of the map.
    Map { map: Mmap, file: File },
}

/// What the system says about a mapped file now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stamp {
    pub(crate) length: u64,
    pub(crate) modified: Option<SystemTime>,
}

impl Data {
    pub(crate) fn open(path: &Path, opening: Opening) -> Result<Self, Error> {
        let mut file = map::open(path)?;
        let length = file.metadata().map_err(Error::io(path))?.len();
        if length > opening.whole_up_to {
            let map = map::map_file(&file).map_err(Error::io(path))?;
            return Ok(Self::Map { map, file });
        }
        let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or(0));
        file.read_to_end(&mut bytes).map_err(Error::io(path))?;
        Ok(Self::Memory(bytes))
    }

    /// What the system says about a mapped file; nothing about one in memory.
    pub(crate) fn stamp(&self) -> Option<io::Result<Stamp>> {
        let Self::Map { file, .. } = self else { return None };
        let stamp = |facts: std::fs::Metadata| Stamp { length: facts.len(), modified: facts.modified().ok() };
        Some(file.metadata().map(stamp))
    }

    /// Hands over the bytes of a range, piece by piece.
    ///
    /// Those of a mapped file are read, not looked at through the map: a file that was cut short
    /// gives an error instead of a signal.
    pub(crate) fn read(&self, range: Range<usize>, mut put: impl FnMut(&[u8])) -> io::Result<()> {
        match self {
            Self::Memory(bytes) => {
                put(&bytes[range]);
                Ok(())
            }
            Self::Map { map, file } => {
                let mut buffer = vec![0; range.len().min(1 << 17)];
                let mut at = range.start;
                while at < range.end {
                    let length = buffer.len().min(range.end - at);
                    read_at(file, map, &mut buffer[..length], at)?;
                    put(&buffer[..length]);
                    at += length;
                }
                Ok(())
            }
        }
    }
}

#[cfg(unix)]
fn read_at(file: &File, _: &Mmap, buffer: &mut [u8], at: usize) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, buffer, at as u64)
}

#[cfg(not(unix))]
fn read_at(_: &File, map: &Mmap, buffer: &mut [u8], at: usize) -> io::Result<()> {
    // Other systems do not let anybody cut a mapped file short.
    buffer.copy_from_slice(&map[at..at + buffer.len()]);
    Ok(())
}

impl Deref for Data {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Memory(bytes) => bytes,
            Self::Map { map, .. } => map,
        }
    }
}
