//! Members of 7z archives.
//!
//! In a solid archive many members share one block, which can only be
//! unpacked from its beginning. [`read_block`] gives all wanted members of a
//! block in one pass.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::panic;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use sevenz_rust2::{Archive, BlockDecoder, Error as SevenError, Password};

use super::packing::unpack;
use super::stream::{Buffered, Checked, CountedShare, Named, Progress, damaged, share};

/// An archive whose table has been read; its files are only those with contents.
struct Seven {
    path: PathBuf,
    archive: Archive,
}

/// One member with contents.
#[derive(Clone)]
pub(super) struct SevenMember {
    seven: Arc<Seven>,
    block: usize,
    /// Its number among the files of the archive that have contents.
    file: usize,
}

impl std::fmt::Debug for SevenMember {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}.{}", self.seven.path.display(), self.block, self.file)
    }
}

/// The members of an archive with their names and shares of its size; those without contents are `None`.
pub(super) fn members(path: &Path, packed_size: u64) -> io::Result<Vec<(String, u64, Option<SevenMember>)>> {
    let mut file = BufReader::new(File::open(path)?);
    // The header of a mischievous archive can make its reader index out of bounds.
    let read = panic::catch_unwind(panic::AssertUnwindSafe(|| Archive::read(&mut file, &Password::empty())));
    let mut archive = match read {
        Ok(Ok(archive)) => archive,
        Ok(Err(error)) => return Err(plain(error)),
        Err(_) => return Err(inconsistent()),
    };

    // The block reader takes the files of a block to stand side by side, which they need not when some
    // files are empty; so those are taken out, and where blocks begin is counted anew.
    let (full, rest): (Vec<_>, Vec<_>) =
        archive.files.into_iter().partition(sevenz_rust2::ArchiveEntry::has_stream);
    archive.files = full;
    let mut first = 0;
    let mut blocks = Vec::new();
    archive.stream_map.block_first_file_index = vec![0; archive.blocks.len()];
    for block in 0..archive.blocks.len() {
        archive.stream_map.block_first_file_index[block] = first;
        let password = Password::empty();
        let count = BlockDecoder::new(1, block, &archive, &password, &mut file).entry_count();
        blocks.extend(std::iter::repeat_n(block, count.min(archive.files.len() + 1 - first)));
        first = blocks.len();
        if first > archive.files.len() {
            return Err(inconsistent());
        }
    }
    if first != archive.files.len() {
        return Err(inconsistent());
    }

    let total = archive.files.iter().fold(0u64, |sum, file| sum.saturating_add(file.size()));
    let seven = Arc::new(Seven { path: path.to_owned(), archive });
    let mut members = Vec::new();
    for (file, block) in blocks.into_iter().enumerate() {
        let entry = &seven.archive.files[file];
        if !entry.is_directory() {
            let member = SevenMember { seven: Arc::clone(&seven), block, file };
            members.push((entry.name().to_owned(), share(packed_size, entry.size(), total), Some(member)));
        }
    }
    let empty = rest.iter().filter(|entry| !entry.is_directory());
    members.extend(empty.map(|entry| (entry.name().to_owned(), 0, None)));
    Ok(members)
}

impl SevenMember {
    /// What tells its block from all others.
    pub(super) fn block_key(&self) -> (PathBuf, usize) {
        (self.seven.path.clone(), self.block)
    }

    /// Lends its bytes, after unpacking what stands before it in its block.
    pub(super) fn read(
        &self,
        progress: Progress<'_>,
        with: &mut dyn FnMut(&mut dyn BufRead) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut progress = Some(progress);
        let mut result = Err(inconsistent());
        let file = self.file;
        self.seven.each_of_block(self.block, file, &mut |number, size, reader| {
            if number < file {
                return reader.pass();
            }
            if let Some(progress) = progress.take() {
                result = lend(reader, size, progress, with);
            }
            Ok(())
        })?;
        result
    }
}

/// Lends the members of one block that are wanted, given with the numbers of their inputs and their
/// packed sizes; gives those that failed.
pub(super) fn read_block(
    mut wanted: Vec<(usize, &SevenMember, u64)>,
    done: &AtomicU64,
    with: &mut dyn FnMut(usize, &mut dyn BufRead) -> io::Result<()>,
) -> Vec<(usize, io::Error)> {
    wanted.sort_by_key(|(_, member, _)| member.file);
    let Some((_, member, _)) = wanted.first() else { return Vec::new() };
    let (seven, block) = (Arc::clone(&member.seven), member.block);
    let last = wanted.last().map_or(0, |(_, member, _)| member.file);
    let mut failed = Vec::new();
    let mut given = 0;
    let result = seven.each_of_block(block, last, &mut |number, size, reader| {
        // One member may be wanted twice; its bytes are there once.
        while let Some((input, member, packed_size)) = wanted.get(given)
            && member.file == number
        {
            given += 1;
            let progress = Progress::new(done, *packed_size);
            if let Err(error) = lend(reader, size, progress, &mut |reader| with(*input, reader)) {
                failed.push((*input, error));
            }
        }
        // What was not read of a member stands before the next.
        reader.pass()
    });
    if let Err(error) = result {
        for (input, _, packed_size) in &wanted[given..] {
            drop(Progress::new(done, *packed_size));
            failed.push((*input, io::Error::new(error.kind(), error.to_string())));
        }
    }
    failed
}

fn lend(
    reader: &mut Member<'_>,
    size: u64,
    progress: Progress<'_>,
    with: &mut dyn FnMut(&mut dyn BufRead) -> io::Result<()>,
) -> io::Result<()> {
    let checked = Checked::new(CountedShare::new(reader, size, progress), size, None);
    unpack(&mut Buffered::new(Named::new(checked, "7z")), with)
}

impl Seven {
    /// Calls `each` with number, size and bytes of all files of a block up to `last`.
    fn each_of_block(
        &self,
        block: usize,
        last: usize,
        each: &mut dyn FnMut(usize, u64, &mut Member<'_>) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut file = BufReader::with_capacity(128 << 10, File::open(&self.path)?);
        let password = Password::empty();
        let mut number = self.archive.stream_map.block_first_file_index[block];
        // One thread: the bytes are wanted one after the other anyway.
        BlockDecoder::new(1, block, &self.archive, &password, &mut file)
            .for_each_entries(&mut |entry, reader| {
                each(number, entry.size(), &mut Member { reader, failed: None })?;
                number += 1;
                Ok(number <= last)
            })
            .map_err(plain)?;
        Ok(())
    }
}

/// The bytes of a member, and how reading them failed.
struct Member<'a> {
    reader: &'a mut dyn Read,
    failed: Option<(io::ErrorKind, String)>,
}

const WRONG_SUM: &str = "its checksum does not match";

impl Member<'_> {
    /// Reads it, or what is left of it, to come to the next.
    fn pass(&mut self) -> io::Result<()> {
        match io::copy(self, &mut io::sink()) {
            // A wrong checksum shows at the end, where the next member begins as it should.
            Err(_) if self.failed.as_ref().is_some_and(|(_, reason)| reason == WRONG_SUM) => Ok(()),
            result => result.map(drop),
        }
    }
}

impl Read for Member<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // A decoder that failed once may never return when it is asked again.
        if let Some((kind, reason)) = &self.failed {
            return Err(io::Error::new(*kind, reason.clone()));
        }
        self.reader.read(buffer).map_err(|error| {
            let error = words(error);
            if error.kind() != io::ErrorKind::Interrupted {
                self.failed = Some((error.kind(), error.to_string()));
            }
            error
        })
    }
}

fn inconsistent() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "damaged 7z: its table contradicts itself")
}

fn words(error: io::Error) -> io::Error {
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<SevenError>());
    if matches!(inner, Some(SevenError::ChecksumVerificationFailed)) {
        return io::Error::new(io::ErrorKind::InvalidData, WRONG_SUM);
    }
    error
}

fn plain(error: SevenError) -> io::Error {
    let reason = match error {
        SevenError::Io(error, _) | SevenError::FileOpen(error, _) | SevenError::MaybeBadPassword(error) => {
            return damaged("7z", words(error));
        }
        SevenError::UnsupportedCompressionMethod(method) => {
            let reason = if method.starts_with("AES") {
                "it is encrypted".to_owned()
            } else {
                format!("it is packed by the method {method}")
            };
            let text = format!("this 7z archive cannot be read: {reason}");
            return io::Error::new(io::ErrorKind::Unsupported, text);
        }
        SevenError::PasswordRequired => {
            return io::Error::new(io::ErrorKind::Unsupported, "this 7z archive is encrypted");
        }
        SevenError::ChecksumVerificationFailed => WRONG_SUM.to_owned(),
        SevenError::NextHeaderCrcMismatch => "the checksum of its table does not match".to_owned(),
        SevenError::Other(reason) | SevenError::Unsupported(reason) => reason.into_owned(),
        other => other.to_string(),
    };
    io::Error::new(io::ErrorKind::InvalidData, format!("damaged 7z: {reason}"))
}
