//! The folder that is written: all files under other names first, so that no
//! half-made collection is taken for a whole one.

use crate::error::Error;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// What happens when the folder has files already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// Nothing is written.
    Refuse,
    /// Files of the same name are replaced; others stay.
    Replace,
}

/// A folder in the making.
#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
    /// Temporary and final names.
    names: Vec<(PathBuf, PathBuf)>,
}

/// A file in the making.
#[derive(Debug)]
pub(crate) struct OpenFile {
    path: PathBuf,
    file: BufWriter<File>,
}

fn wrong(path: &Path) -> impl FnOnce(std::io::Error) -> Error {
    let path = path.to_owned();
    move |source| Error::Write { path, source }
}

impl Folder {
    /// Makes the folder if it is not there.
    pub(crate) fn create(path: &Path, existing: Existing) -> Result<Self, Error> {
        if path.exists() && !path.is_dir() {
            return Err(Error::NotAFolder(path.to_owned()));
        }
        fs::create_dir_all(path).map_err(wrong(path))?;
        if existing == Existing::Refuse {
            let names = fs::read_dir(path).map_err(wrong(path))?;
            let names =
                names.filter_map(|entry| Some(entry.ok()?.file_name().to_string_lossy().into_owned()));
            // What is left of a run that was cut off is in nobody's way.
            let is_left = |name: &String| name.starts_with('.') && name.ends_with(".tmp");
            if let Some(example) = names.filter(|name| !is_left(name)).min() {
                return Err(Error::NotEmpty { folder: path.to_owned(), example });
            }
        }
        Ok(Self { path: path.to_owned(), names: Vec::new() })
    }

    /// Opens a file of that name, which may name a folder in this one.
    pub(crate) fn file(&mut self, name: &str) -> Result<OpenFile, Error> {
        let path = self.path.join(name);
        let parent = path.parent().unwrap_or(&self.path);
        fs::create_dir_all(parent).map_err(wrong(parent))?;
        let last = name.rsplit('/').next().unwrap_or(name);
        let temporary = path.with_file_name(format!(".{last}.{}.tmp", std::process::id()));
        let file = File::create(&temporary).map_err(wrong(&path))?;
        self.names.push((temporary, path.clone()));
        Ok(OpenFile { path, file: BufWriter::with_capacity(1 << 18, file) })
    }

    /// Writes a small file.
    pub(crate) fn whole_file(&mut self, name: &str, text: &str) -> Result<(), Error> {
        let mut file = self.file(name)?;
        file.write(text)?;
        file.close()
    }

    /// Gives all files their names.
    pub(crate) fn finish(mut self) -> Result<(), Error> {
        for (temporary, path) in std::mem::take(&mut self.names) {
            fs::rename(&temporary, &path).map_err(wrong(&path))?;
        }
        Ok(())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        for (temporary, _) in &self.names {
            // What is left when the work failed; nobody misses it.
            let _ = fs::remove_file(temporary);
        }
    }
}

impl OpenFile {
    pub(crate) fn write(&mut self, text: &str) -> Result<(), Error> {
        self.file.write_all(text.as_bytes()).map_err(wrong(&self.path))
    }

    pub(crate) fn close(mut self) -> Result<(), Error> {
        self.file.flush().map_err(wrong(&self.path))
    }
}
