//! Folders into which a command writes several files.
//!
//! Files of an earlier run are replaced, with a note; files that Hypatia did not write stay. To tell them
//! apart, a list of what was written lies beside them.

use super::{WholeFile, note};
use anyhow::{Context, Result, bail, ensure};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The list of files that were written, one a line.
const LIST: &str = ".hypatia";
/// The most files that are looked at; a folder with more is somebody's, and nothing in it is replaced.
const MOST: usize = 100_000;
/// The deepest folder that is looked at.
const DEEPEST: usize = 4;

/// A folder that is about to be written to.
#[derive(Debug)]
pub(crate) struct OutputFolder {
    path: PathBuf,
    /// Files that were there and that Hypatia did not write; none if there are too many to tell.
    foreign: Option<BTreeSet<String>>,
    /// Whether there are files of an earlier run.
    is_again: bool,
}

impl OutputFolder {
    /// Looks at what is in the folder; it need not exist.
    pub(crate) fn open(path: &Path) -> Result<Self> {
        let name = path.display();
        ensure!(!path.exists() || path.is_dir(), "{name}: is a file, not a folder");
        let list = fs::read_to_string(path.join(LIST)).unwrap_or_default();
        let ours: BTreeSet<&str> = list.lines().collect();
        let mut found = BTreeSet::new();
        let is_complete = !path.exists()
            || files(path, path, 0, &mut found).with_context(|| format!("{name}: cannot be read"))?;
        let is_again = found.iter().any(|file| ours.contains(file.as_str()));
        found.retain(|file| !ours.contains(file.as_str()));
        Ok(Self { path: path.to_owned(), foreign: is_complete.then_some(found), is_again })
    }

    /// Whether all files in the folder are Hypatia's own.
    pub(crate) fn is_ours(&self) -> bool {
        self.foreign.as_ref().is_some_and(BTreeSet::is_empty)
    }

    /// Makes sure that none of these files is somebody else's.
    pub(crate) fn ensure_ours(&self, names: &[&str]) -> Result<()> {
        for name in names {
            let is_taken = match &self.foreign {
                Some(foreign) => foreign.contains(*name),
                None => self.path.join(name).exists(),
            };
            if is_taken {
                let path = self.path.join(name);
                bail!("{}: was not written by this command; --force replaces it", path.display());
            }
        }
        Ok(())
    }

    /// Notes what was written, and says so if it replaced something.
    pub(crate) fn finish(self) -> Result<()> {
        let Some(foreign) = &self.foreign else { return Ok(()) };
        let mut found = BTreeSet::new();
        files(&self.path, &self.path, 0, &mut found)?;
        let ours = found.difference(foreign).map(|file| format!("{file}\n"));
        WholeFile::create_beside(&self.path.join(LIST))?.write(ours.collect::<String>().as_bytes())?;
        if self.is_again {
            note(&format!("{}: replaced", self.path.display()));
        }
        Ok(())
    }
}

/// Collects the files below a folder, by their names from the root with slashes; whether these are all.
fn files(root: &Path, folder: &Path, depth: usize, found: &mut BTreeSet<String>) -> Result<bool> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        if entry.file_type()?.is_dir() {
            if depth >= DEEPEST || !files(root, &path, depth + 1, found)? {
                return Ok(false);
            }
            continue;
        }
        let Ok(name) = path.strip_prefix(root) else { continue };
        if name == Path::new(LIST) {
            continue;
        }
        if found.len() >= MOST {
            return Ok(false);
        }
        found.insert(name.to_string_lossy().into_owned());
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::TempDir;

    #[test]
    fn own_files_are_replaced_and_others_stay() {
        let dir = TempDir::new("output-folder");
        let path = dir.path().join("out");
        let folder = OutputFolder::open(&path).unwrap();
        assert!(folder.is_ours());
        fs::create_dir_all(path.join("a")).unwrap();
        fs::write(path.join("a/b.txt"), "ours").unwrap();
        folder.finish().unwrap();

        fs::write(path.join("mine.txt"), "somebody's").unwrap();
        let folder = OutputFolder::open(&path).unwrap();
        assert!(folder.is_again && !folder.is_ours());
        folder.ensure_ours(&["a/b.txt", "new.txt"]).unwrap();
        let error = folder.ensure_ours(&["mine.txt"]).unwrap_err().to_string();
        assert!(error.ends_with("mine.txt: was not written by this command; --force replaces it"), "{error}");
        // What is somebody's stays so.
        folder.finish().unwrap();
        assert!(OutputFolder::open(&path).unwrap().ensure_ours(&["mine.txt"]).is_err());
    }
}
