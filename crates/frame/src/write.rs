//! Frames, written.

use crate::pieces::{self, PIECE};
use crate::{Entry, Error, Format, HEAD_LENGTH};
use std::fs::{self, File};
use std::io::{BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

/// Where a section's bytes go.
pub type Put<'a> = dyn FnMut(&[u8]) -> Result<(), Error> + 'a;

/// Writes a file of sections, one after the other.
#[derive(Debug)]
pub struct FrameWriter {
    file: BufWriter<File>,
    path: PathBuf,
    format: Format,
    at: u64,
    entries: Vec<(String, Entry)>,
    /// The checksums of the pieces of all sections that are longer than one piece.
    pieces: Vec<u8>,
}

impl FrameWriter {
    /// Begins a file.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn create(path: &Path, format: Format) -> Result<Self, Error> {
        let file = File::create(path).map_err(Error::io(path))?;
        let mut head = [0; HEAD_LENGTH];
        head[..8].copy_from_slice(&format.head);
        head[8..12].copy_from_slice(&format.version.to_le_bytes());
        let file = BufWriter::with_capacity(1 << 18, file);
        let mut writer =
            Self { file, path: path.to_owned(), format, at: 0, entries: Vec::new(), pieces: Vec::new() };
        writer.put(&head)?;
        Ok(writer)
    }

    /// Where it is written.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn put(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.at += bytes.len() as u64;
        self.file.write_all(bytes).map_err(Error::io(&self.path))
    }

    /// Writes a section; `write` hands over its bytes.
    ///
    /// # Errors
    ///
    /// When it cannot be written, or `write` fails.
    pub fn section<E: From<Error>>(
        &mut self,
        name: &str,
        write: impl FnOnce(&mut Put<'_>) -> Result<(), E>,
    ) -> Result<Entry, E> {
        let padding = (8 - self.at % 8) % 8;
        self.put(&[0; 8][..usize::try_from(padding).expect("less than eight")])?;
        let start = self.at;
        let (mut checksum, mut pieces) = (Xxh3::new(), PieceSums::default());
        write(&mut |bytes| {
            checksum.update(bytes);
            pieces.update(bytes);
            self.put(bytes)
        })?;
        self.pieces.extend_from_slice(&pieces.finish());
        let place = |at: u64| usize::try_from(at).expect("a file that can be mapped has places that fit");
        let entry = Entry { range: place(start)..place(self.at), checksum: checksum.digest() };
        self.entries.push((name.to_owned(), entry.clone()));
        Ok(entry)
    }

    /// Writes a section of items that have the same length.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn items<const N: usize>(
        &mut self,
        name: &str,
        items: impl IntoIterator<Item = [u8; N]>,
    ) -> Result<(), Error> {
        let mut buffer = Vec::with_capacity(1 << 16);
        self.section(name, |put| {
            for item in items {
                buffer.extend_from_slice(&item);
                if buffer.len() >= 1 << 16 {
                    put(&buffer)?;
                    buffer.clear();
                }
            }
            put(&buffer)
        })
        .map(|_| ())
    }

    /// Writes a section of numbers.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn numbers(&mut self, name: &str, numbers: &[u32]) -> Result<(), Error> {
        self.items(name, numbers.iter().map(|number| number.to_le_bytes()))
    }

    /// Writes a section of what files hold, one after the other, and removes them: the room on disk
    /// may be needed.
    ///
    /// # Errors
    ///
    /// When one cannot be read, or the section not written.
    pub fn files(&mut self, name: &str, paths: &[PathBuf]) -> Result<Entry, Error> {
        self.section(name, |put| {
            let mut buffer = vec![0; 1 << 18];
            for path in paths {
                let mut file = File::open(path).map_err(Error::io(path))?;
                loop {
                    match file.read(&mut buffer).map_err(Error::io(path))? {
                        0 => break,
                        read => put(&buffer[..read])?,
                    }
                }
                fs::remove_file(path).map_err(Error::io(path))?;
            }
            Ok(())
        })
    }

    /// Hands what is written so far to the system, so that it can be read.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn flush(&mut self) -> Result<(), Error> {
        self.file.flush().map_err(Error::io(&self.path))
    }

    /// Writes the table, and makes sure that all is on the disk.
    ///
    /// Gives the file's [fingerprint](crate::Frame::fingerprint).
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn finish(mut self) -> Result<u64, Error> {
        let pieces = std::mem::take(&mut self.pieces);
        if !pieces.is_empty() {
            // It is read whole when the file is opened, so its own pieces need no checksums.
            self.section(pieces::NAME, |put| put(&pieces))?;
        }
        let mut table = Vec::new();
        for (name, entry) in &self.entries {
            table.push(u8::try_from(name.len()).expect("names of sections are short"));
            table.extend_from_slice(name.as_bytes());
            table.extend_from_slice(&(entry.range.start as u64).to_le_bytes());
            table.extend_from_slice(&(entry.range.len() as u64).to_le_bytes());
            table.extend_from_slice(&entry.checksum.to_le_bytes());
        }
        let (length, fingerprint) = (table.len() as u64, xxh3_64(&table));
        table.extend_from_slice(&self.at.to_le_bytes());
        table.extend_from_slice(&length.to_le_bytes());
        table.extend_from_slice(&fingerprint.to_le_bytes());
        table.extend_from_slice(&self.format.foot);
        self.put(&table)?;
        let file = self.file.into_inner().map_err(|error| Error::io(&self.path)(error.into_error()))?;
        file.sync_all().map_err(Error::io(&self.path))?;
        Ok(fingerprint)
    }
}

/// The checksums of a section's pieces, as its bytes come.
#[derive(Default)]
struct PieceSums {
    sums: Vec<u8>,
    piece: Xxh3,
    length: usize,
}

impl PieceSums {
    fn update(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            if self.length == PIECE {
                self.end_piece();
            }
            let (now, later) = bytes.split_at(bytes.len().min(PIECE - self.length));
            self.piece.update(now);
            self.length += now.len();
            bytes = later;
        }
    }

    fn end_piece(&mut self) {
        self.sums.extend_from_slice(&self.piece.digest().to_le_bytes());
        self.piece.reset();
        self.length = 0;
    }

    /// One piece is the section, whose checksum is in the table.
    fn finish(mut self) -> Vec<u8> {
        if !self.sums.is_empty() {
            self.end_piece();
        }
        self.sums
    }
}

/// Takes the right to write to a file away from everyone, where the system has such rights.
///
/// # Errors
///
/// When that cannot be done.
pub fn protect(file: &Path) -> Result<(), Error> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mut rights = fs::metadata(file).map_err(Error::io(file))?.permissions();
        rights.set_mode(rights.mode() & !0o222 | 0o400);
        fs::set_permissions(file, rights).map_err(Error::io(file))?;
    }
    #[cfg(not(unix))]
    let _ = file;
    Ok(())
}

/// Gives a file that is on the disk another name, at which there may be a file already, so that
/// the name leads to either of them at any time.
///
/// # Errors
///
/// When it cannot be renamed.
pub fn publish(file: &Path, target: &Path) -> Result<(), Error> {
    fs::rename(file, target).map_err(Error::io(target))?;
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or_else(|| Path::new("."));
    // The new name is lost in a power cut unless the folder is on the disk, too.
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
    Ok(())
}
