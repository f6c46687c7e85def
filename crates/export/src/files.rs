//! Files that are written as a whole or not at all.
//!
//! A file is written beside its place, under a name that begins with a dot and ends in `.tmp`, and
//! gets its own name at the end. A program that is killed leaves such a file, and never half a
//! file under the name that was asked for.

use crate::error::Error;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// What to do with a file that is there already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// Leave it and fail.
    Keep,
    /// Put the new one in its place.
    Replace,
}

/// A file on its way.
#[derive(Debug)]
pub struct Output {
    /// As it was given.
    path: PathBuf,
    place: Option<Place>,
    writer: Packing,
    written: u64,
}

/// Where a file is written, and where it goes.
#[derive(Debug)]
struct Place {
    temporary: PathBuf,
    target: PathBuf,
}

#[derive(Debug)]
enum Packing {
    Plain(BufWriter<File>),
    Gzip(Box<GzEncoder<BufWriter<File>>>),
    Stdout(io::Stdout),
    Finished,
}

impl Output {
    /// Begins a file; one whose name ends in `.gz` is packed.
    ///
    /// # Errors
    ///
    /// When it is there and shall be kept, or cannot be written.
    pub fn create(path: &Path, existing: Existing) -> Result<Self, Error> {
        if path.is_dir() {
            return Err(Error::io(path)(io::Error::other("is a folder, not a file")));
        }
        if existing == Existing::Keep && fs::symlink_metadata(path).is_ok() {
            return Err(Error::Exists(path.to_owned()));
        }
        if fs::metadata(path).is_ok_and(|data| !data.is_file()) {
            // What is no plain file, such as a pipe, cannot be replaced.
            let file = File::options().write(true).open(path).map_err(Error::io(path))?;
            return Ok(Self::new(path, None, file));
        }
        // A link stays a link.
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let Some(name) = target.file_name() else {
            return Err(Error::io(path)(io::Error::other("is no name of a file")));
        };
        let temporary = target.with_file_name(format!(".{}.{}.tmp", name.display(), std::process::id()));
        let file = File::create(&temporary).map_err(Error::io(path))?;
        Ok(Self::new(path, Some(Place { temporary, target }), file))
    }

    /// Standard output.
    #[must_use]
    pub fn stdout() -> Self {
        let path = PathBuf::from("standard output");
        Self { path, place: None, writer: Packing::Stdout(io::stdout()), written: 0 }
    }

    fn new(path: &Path, place: Option<Place>, file: File) -> Self {
        let file = BufWriter::with_capacity(1 << 16, file);
        let is_gzip = path.extension().is_some_and(|extension| extension == "gz");
        let writer = if is_gzip {
            // Neither a name nor a time goes into the header, so the bytes are always the same.
            Packing::Gzip(Box::new(GzEncoder::new(file, Compression::default())))
        } else {
            Packing::Plain(file)
        };
        Self { path: path.to_owned(), place, writer, written: 0 }
    }

    /// Where it will be.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How many bytes were written, before packing.
    #[must_use]
    pub fn written(&self) -> u64 {
        self.written
    }

    /// Writes bytes, with the name of the file in the error.
    pub(crate) fn put(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.write_all(bytes).map_err(Error::io(&self.path))
    }

    /// Makes sure that all is on the disk.
    fn complete(&mut self) -> io::Result<()> {
        let file = match std::mem::replace(&mut self.writer, Packing::Finished) {
            Packing::Plain(file) => file,
            Packing::Gzip(packer) => packer.finish()?,
            Packing::Stdout(mut stdout) => return stdout.flush(),
            Packing::Finished => return Ok(()),
        };
        let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
        // What is no plain file cannot be synced; there is nothing to lose either.
        if self.place.is_some() { file.sync_all() } else { Ok(()) }
    }

    fn rename(&mut self) -> io::Result<()> {
        if let Some(place) = &self.place {
            fs::rename(&place.temporary, &place.target)?;
        }
        self.place = None;
        Ok(())
    }

    /// Gives the file its name.
    ///
    /// # Errors
    ///
    /// When the rest cannot be written.
    pub fn finish(mut self) -> Result<(), Error> {
        self.complete().and_then(|()| self.rename()).map_err(Error::io(&self.path))
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = match &mut self.writer {
            Packing::Plain(file) => file.write(bytes),
            Packing::Gzip(packer) => packer.write(bytes),
            Packing::Stdout(stdout) => stdout.write(bytes),
            Packing::Finished => Err(io::Error::other("is finished")),
        }?;
        self.written += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.writer {
            Packing::Plain(file) => file.flush(),
            Packing::Gzip(packer) => packer.flush(),
            Packing::Stdout(stdout) => stdout.flush(),
            Packing::Finished => Ok(()),
        }
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        if let Some(place) = &self.place {
            // What is left when the work failed; nobody misses it.
            let _ = fs::remove_file(&place.temporary);
        }
    }
}

/// A folder of files that get their names together, at the end.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    existing: Existing,
    /// Files that are replaced in any case.
    own: Vec<PathBuf>,
    finished: Vec<Output>,
}

impl Folder {
    /// Makes the folder if need be.
    ///
    /// # Errors
    ///
    /// When it cannot be made.
    pub fn create(path: &Path, existing: Existing) -> Result<Self, Error> {
        fs::create_dir_all(path).map_err(Error::io(path))?;
        Ok(Self { path: path.to_owned(), existing, own: Vec::new(), finished: Vec::new() })
    }

    /// Has these files replaced, whatever happens to others.
    #[must_use]
    pub fn replacing(self, own: Vec<PathBuf>) -> Self {
        Self { own, ..self }
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Fails if one of these files is there and shall be kept, before the work begins.
    pub(crate) fn ensure_free(&self, names: &[String]) -> Result<(), Error> {
        let taken = names
            .iter()
            .map(|name| self.path.join(name))
            .find(|path| path.exists() && !self.own.contains(path));
        match taken {
            Some(path) if self.existing == Existing::Keep => Err(Error::Exists(path)),
            _ => Ok(()),
        }
    }

    /// Begins a file, in a folder of its own if its name says so.
    pub(crate) fn file(&self, name: &str) -> Result<Output, Error> {
        let path = self.path.join(name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(Error::io(parent))?;
        }
        let existing = if self.own.contains(&path) { Existing::Replace } else { self.existing };
        Output::create(&path, existing)
    }

    /// A file that is gone at the end, for what is needed on the way.
    pub(crate) fn scratch(&self, name: &str) -> PathBuf {
        self.path.join(format!(".{name}.{}.tmp", std::process::id()))
    }

    /// Keeps a file that is complete until all are.
    pub(crate) fn keep(&mut self, mut output: Output) -> Result<(), Error> {
        output.complete().map_err(Error::io(output.path()))?;
        self.finished.push(output);
        Ok(())
    }

    /// Gives all files their names, and says which they are, from this folder on.
    ///
    /// # Errors
    ///
    /// When one cannot be renamed.
    pub fn finish(self) -> Result<Vec<String>, Error> {
        let mut names = Vec::new();
        for mut output in self.finished {
            output.rename().map_err(Error::io(output.path()))?;
            let name = output.path().strip_prefix(&self.path).unwrap_or(output.path());
            names.push(name.to_string_lossy().into_owned());
        }
        Ok(names)
    }
}
