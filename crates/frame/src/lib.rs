//! What is in this file, and is it whole? Named sections, each with a checksum.
//!
//! A file begins with eight bytes that say what it is, the version of its
//! format, and four bytes of nought. Sections follow, each at a multiple of
//! eight bytes with nought between them; then a table of their names, places
//! and checksums; then where the table is, its length, its checksum, and eight
//! bytes that show that the file was written to its end.
//!
//! A section of more than 64 KiB is divided into pieces of that size, and one
//! section more, `frame.pieces`, has the checksum of each piece.
//!
//! [`FrameWriter`] writes such a file, [`Frame`] opens it: a small one is read
//! into memory and compared with its checksums at once, a large one is mapped
//! and compared piece by piece, each before its first use.

mod bytes;
mod data;
mod map;
mod pieces;
mod read;
pub mod varint;
mod write;

pub use bytes::Bytes;
pub use data::Opening;
pub use map::map;
pub use read::Frame;
pub use write::{FrameWriter, Put, protect, publish};

use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// What sort of file it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    /// Its first bytes.
    pub head: [u8; 8],
    /// Its last bytes, if it was written to its end.
    pub foot: [u8; 8],
    /// The version that is written and read.
    pub version: u32,
}

/// Head, version, and four bytes of nought.
const HEAD_LENGTH: usize = 16;
/// Where the table is, how long it is, its checksum, and the last bytes.
const FOOT_LENGTH: usize = 32;

/// Where a section is, and the checksum of its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its bytes in the file.
    pub range: Range<usize>,
    /// Their checksum.
    pub checksum: u64,
}

/// Why a file could not be opened, read or written.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The system refused.
    #[error("{}: {cause}", file.display())]
    Io {
        /// The file.
        file: PathBuf,
        /// What the system said.
        cause: io::Error,
    },
    /// The file is something else.
    #[error("{}: is another sort of file", .0.display())]
    Foreign(PathBuf),
    /// The file was written by another version.
    #[error("{}: has format {found}, and this program reads {known}; build it anew", file.display())]
    Version {
        /// The file.
        file: PathBuf,
        /// The version it has.
        found: u32,
        /// The version that is read.
        known: u32,
    },
    /// A part of the file is not as it was written.
    #[error("{}: is damaged: {what}; build it anew", file.display())]
    Damaged {
        /// The file.
        file: PathBuf,
        /// What is wrong, and where.
        what: String,
    },
}

impl Error {
    /// An error of the system, of this file.
    pub fn io(file: &Path) -> impl FnOnce(io::Error) -> Self {
        let file = file.to_owned();
        move |cause| Self::Io { file, cause }
    }
}

/// A number of eight bytes.
fn number(bytes: &[u8]) -> u64 {
    u64::from_le_bytes(bytes.try_into().expect("eight bytes"))
}
