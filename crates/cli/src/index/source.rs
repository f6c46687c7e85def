//! What is indexed: a collection that is there, or one that is made of files on the way.

use crate::collection::build::build;
use crate::warn;
use anyhow::{Result, bail};
use ingest::{Plan, Strictness};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use store::Collection;

/// The collection that is indexed.
#[derive(Debug)]
pub(super) enum Source {
    /// It was there.
    Given(PathBuf),
    /// It was made for the index, which has its own copy, and is removed at the end.
    Made(PathBuf),
}

impl Source {
    /// The collection at a path, or one of the files there; of the sample, if no path is given.
    pub(super) fn open(path: Option<&Path>, target: &Path) -> Result<Self> {
        let plan = match path {
            None => sample::plan()?,
            Some(path) if path.is_dir() && index::is_index(path) => {
                bail!("{}: is an index already; name the files or the collection to index", path.display())
            }
            Some(path) => match Collection::open(path) {
                Ok(_) => return Ok(Self::Given(path.to_owned())),
                Err(store::Error::NotACollection(_)) => Plan::of(path)?,
                Err(error) => return Err(error.into()),
            },
        };
        if target.exists() && !index::may_be_index(target) {
            bail!("{}", super::not_ours(target));
        }
        let name = target.file_name().unwrap_or(OsStr::new("index")).to_string_lossy();
        let made = target.with_file_name(format!(".{name}.collection"));
        let source = Self::Made(made.clone());
        let about = build(&plan, &made, Strictness::Lenient, None)?;
        let dirt: u64 = about.dirt.iter().map(|dirt| dirt.count).sum();
        if let (Some(path), 1..) = (path, dirt) {
            warn(&format!(
                "{dirt} flaws in the files; `hypatia collection build {} -o FILE --report flaws.tsv` lists them",
                path.display()
            ));
        }
        Ok(source)
    }

    pub(super) fn collection(&self) -> &Path {
        match self {
            Self::Given(path) | Self::Made(path) => path,
        }
    }
}

impl Drop for Source {
    fn drop(&mut self) {
        if let Self::Made(path) = self {
            // If it was never finished, there is nothing to remove.
            let _ = fs::remove_file(path);
        }
    }
}
