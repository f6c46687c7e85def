//! What is indexed: a collection that is there, or one that is made of files on the way.

use crate::collection::build::build;
use crate::warn;
use anyhow::{Context, Result, bail};
use ingest::{Plan, Strictness, files};
use std::collections::BTreeMap;
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
    pub(super) fn open(path: Option<&Path>, target: &Path, strictness: Strictness) -> Result<Self> {
        let plan = match path {
            None => sample::plan()?,
            Some(path) if path.is_dir() && index::is_index(path) => {
                bail!("{}: is an index already; name the files or the collection to index", path.display())
            }
            Some(path) => match Collection::open(path) {
                Ok(_) => return Ok(Self::Given(path.to_owned())),
                Err(store::Error::NotACollection(_)) => plan(path)?,
                Err(error) => return Err(error.into()),
            },
        };
        if target.exists() && !index::may_be_index(target) {
            bail!("{}", super::not_ours(target));
        }
        // Beside the index, on the same disk, wherever that is.
        let target = std::path::absolute(target)?;
        let name = target.file_name().unwrap_or(OsStr::new("index")).to_string_lossy();
        let made = target.with_file_name(format!(".{name}.collection"));
        let about = build(&plan, &made, strictness, None)?;
        let source = Self::Made(made);
        let dirt: u64 = about.dirt.iter().map(|dirt| dirt.count).sum();
        if let (Some(path), 1..) = (path, dirt) {
            warn(&format!(
                "{dirt} problems, such as files that were not read: `hypatia collection build {} -o FILE --report \
                 problems.tsv` lists them",
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

/// What is read of a path, without the files of indexes that lie there.
fn plan(path: &Path) -> Result<Plan> {
    let name = path.display().to_string();
    if !path.is_dir() {
        return Ok(Plan::of(path)?);
    }
    let mut inputs = files::list(path).with_context(|| name.clone())?;
    let mut known = BTreeMap::new();
    let mut is_in_index = |file: &str| {
        let folders = Path::new(file).ancestors().skip(1).map(|folder| path.join(folder));
        folders
            .into_iter()
            .any(|folder| *known.entry(folder).or_insert_with_key(|folder| index::is_index(folder)))
    };
    inputs.retain(|input| !is_in_index(input.relative()));
    Ok(Plan::new(inputs, &name)?)
}

impl Drop for Source {
    fn drop(&mut self) {
        if let Self::Made(path) = self {
            // The index has its own copy.
            let _ = fs::remove_file(path);
        }
    }
}
