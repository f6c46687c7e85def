//! Which index a command uses, and what to do where there is none.

use crate::settings::{INDEX, Origin, Settings};
use anyhow::{Result, bail};
use std::path::{Path, PathBuf};
use store::Collection;

/// The index that is named, else that of the settings.
///
/// # Errors
///
/// If there is no index at that place; the error says how to make one.
pub(crate) fn find_index(named: Option<&Path>) -> Result<PathBuf> {
    find_index_by("--index", named)
}

/// As [`find_index`], for a command whose option has another name.
pub(crate) fn find_index_by(option: &str, named: Option<&Path>) -> Result<PathBuf> {
    if let Some(index) = named {
        return existing(index.to_owned());
    }
    let setting = Settings::read()?.index;
    if setting.origin == Origin::Default && !setting.value.exists() {
        bail!(
            "there is no index here ({INDEX}): name one with {option}, or make one with \
             `hypatia index FOLDER`, from your own files, or `hypatia index --sample`"
        );
    }
    existing(setting.value)
}

/// The path, if there is an index.
fn existing(path: PathBuf) -> Result<PathBuf> {
    let name = path.display();
    if index::is_index(&path) {
        return Ok(path);
    }
    if !path.exists() {
        bail!("{name}: there is no such index; make one with `hypatia index FOLDER -o {name}`");
    }
    if path.is_dir()
        && path.read_dir().is_ok_and(|mut files| files.next().is_some())
        && index::may_be_index(&path)
    {
        bail!("{name}: an unfinished index; run the `hypatia index` command that made it again");
    }
    let what = match Collection::open(&path) {
        _ if path.is_dir() => "a folder of other files",
        Ok(_) => "a collection",
        Err(store::Error::NotACollection(_)) => "another file",
        Err(_) => "a damaged collection",
    };
    let target = path.file_name().map(|name| Path::new(name).with_extension("index"));
    let target = target.filter(|target| !target.exists()).unwrap_or_else(|| PathBuf::from(INDEX));
    bail!("{name}: not an index: it is {what}; make one with `hypatia index {name} -o {}`", target.display())
}
