//! Folders into which a command writes several files.
//!
//! Files of an earlier run of the same command are replaced, with a note; all others stay. To tell them apart,
//! the hidden file [`LIST`] records what each command wrote: a file that is not in it, or that has changed since,
//! is somebody's work.

use super::{WholeFile, note};
use anyhow::{Context, Result, bail, ensure};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// The record of what was written: command, name, size and time of each file.
const LIST: &str = ".hypatia";

/// What a file was like when it was written.
type Stamp = (u64, u128);

/// A folder that is about to be written to.
#[derive(Debug)]
pub(crate) struct OutputFolder {
    path: PathBuf,
    command: &'static str,
    /// Command and name of every file that was written here.
    written: BTreeMap<(String, String), Stamp>,
}

impl OutputFolder {
    /// Reads what was written to a folder before, which need not exist.
    pub(crate) fn open(path: &Path, command: &'static str) -> Result<Self> {
        ensure!(!path.exists() || path.is_dir(), "{}: is a file, not a folder", path.display());
        // Without a list that can be read, nothing is known to be ours.
        let list = fs::read_to_string(path.join(LIST)).unwrap_or_default();
        let written = list.lines().filter_map(|line| {
            let [command, size, time, name] = line.splitn(4, '\t').collect::<Vec<_>>()[..] else {
                return None;
            };
            Some(((command.to_owned(), name.to_owned()), (size.parse().ok()?, time.parse().ok()?)))
        });
        Ok(Self { path: path.to_owned(), command, written: written.collect() })
    }

    /// Whether this command has written here before.
    pub(crate) fn is_again(&self) -> bool {
        self.written.keys().any(|(command, _)| command == self.command)
    }

    /// The files that this command wrote and nobody has changed since.
    pub(crate) fn own_files(&self) -> Vec<PathBuf> {
        let names = self.written.keys().filter(|(command, _)| command == self.command);
        names.filter(|(_, name)| self.is_own(name)).map(|(_, name)| self.path.join(name)).collect()
    }

    fn is_own(&self, name: &str) -> bool {
        let stamp = self.written.get(&(self.command.to_owned(), name.to_owned()));
        stamp.is_some_and(|stamp| stamp_of(&self.path.join(name)).as_ref() == Some(stamp))
    }

    /// Makes sure that each of these files is missing, or is this command's own.
    pub(crate) fn ensure_own<'n>(&self, names: impl IntoIterator<Item = &'n str>) -> Result<()> {
        for name in names {
            let path = self.path.join(name);
            if path.symlink_metadata().is_ok() && !self.is_own(name) {
                bail!(
                    "{}: was not written by this command, or was changed; --force replaces it",
                    path.display()
                );
            }
        }
        Ok(())
    }

    /// Records the files that were written, and says so if they replaced earlier ones.
    pub(crate) fn finish<'n>(mut self, names: impl IntoIterator<Item = &'n str>) -> Result<()> {
        let is_again = self.is_again();
        self.written.retain(|(command, _), _| command != self.command);
        for name in names {
            let stamp = stamp_of(&self.path.join(name)).with_context(|| format!("{name}: is gone"))?;
            // What one command replaces is not another's any more.
            self.written.retain(|(_, written), _| written != name);
            self.written.insert((self.command.to_owned(), name.to_owned()), stamp);
        }
        let line = |((command, name), (size, time)): (&(String, String), &Stamp)| {
            format!("{command}\t{size}\t{time}\t{name}\n")
        };
        let list: String = self.written.iter().map(line).collect();
        WholeFile::create_beside(&self.path.join(LIST))?.write(list.as_bytes())?;
        if is_again {
            note(&format!("{}: replaced", self.path.display()));
        }
        Ok(())
    }
}

/// Size and time of a plain file.
fn stamp_of(path: &Path) -> Option<Stamp> {
    let data = fs::symlink_metadata(path).ok().filter(fs::Metadata::is_file)?;
    let time = data.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    Some((data.len(), time.as_nanos()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::TempDir;

    fn refused(folder: &OutputFolder, name: &str) -> bool {
        folder.ensure_own([name]).is_err_and(|error| error.to_string().contains("--force replaces it"))
    }

    #[test]
    fn own_files_are_replaced_and_others_stay() {
        let dir = TempDir::new("output-folder");
        let path = dir.path().join("out");
        let open = |command| OutputFolder::open(&path, command).unwrap();
        let folder = open("sample");
        assert!(!folder.is_again());
        folder.ensure_own(["a/b.txt"]).unwrap();
        fs::create_dir_all(path.join("a")).unwrap();
        fs::write(path.join("a/b.txt"), "ours").unwrap();
        fs::write(path.join("mine.txt"), "somebody's").unwrap();
        folder.finish(["a/b.txt"]).unwrap();

        let folder = open("sample");
        assert!(folder.is_again());
        folder.ensure_own(["a/b.txt", "new.txt"]).unwrap();
        assert!(refused(&folder, "mine.txt"));
        assert_eq!(folder.own_files(), [path.join("a/b.txt")]);
        // Another command has not written it.
        assert!(!open("synth").is_again() && refused(&open("synth"), "a/b.txt"));
        // Once it is forced, it is that command's.
        open("synth").finish(["a/b.txt"]).unwrap();
        assert!(refused(&open("sample"), "a/b.txt"));
        open("synth").ensure_own(["a/b.txt"]).unwrap();
        // A file that was changed is somebody's work.
        fs::write(path.join("a/b.txt"), "edited").unwrap();
        assert!(refused(&open("synth"), "a/b.txt"));
    }
}
