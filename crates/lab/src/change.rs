//! Changes of a lab: checked and registered under one write lock, and files published afterwards.
//!
//! A limit that is checked before the lock is taken is no limit: ten programs that check at once
//! all see room for one more. So a change begins with the lock, reads what it is checked against,
//! writes its rows, and ends. Its files take three steps:
//!
//! 1. the bytes go to a hidden file beside the final one, `.NAME.CHECKSUM.tmp`, and to the disk;
//! 2. path and checksum are committed with the other rows;
//! 3. the hidden file is renamed, under a second lock.
//!
//! A program that dies before step 2 leaves a hidden file that no row names, which the next change
//! removes. One that dies after step 2 leaves a hidden file that a row names: readers take it for
//! the final one, and the next change renames it.
//!
//! A file is removed the other way round: it gets its hidden name, then its row is deleted. Until that is
//! committed the row still names the hidden file, and afterwards no row does.

use crate::error::{Error, Result};
use crate::files::{self, checksum};
use crate::folder::Lab;
use rusqlite::{OptionalExtension as _, params};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Folders in which the lab knows every file.
pub(crate) const OWN: [&str; 4] = ["topics", "runs", "pools", "qrels"];
/// Number of digits of the checksum in the name of a hidden file.
const DIGITS: usize = 16;

/// A change that is under way. It holds the lab's write lock.
pub(crate) struct Change<'l> {
    lab: &'l Lab,
    staged: Vec<PathBuf>,
    /// Final and hidden names of files that are removed.
    removed: Vec<(PathBuf, PathBuf)>,
}

impl Change<'_> {
    /// Writes a file beside its final place and registers it; it is published once the change is
    /// committed.
    pub(crate) fn file(&mut self, relative: &str, bytes: &[u8]) -> Result<()> {
        let sha256 = checksum(bytes);
        let staged = self.lab.path(&staged(relative, &sha256));
        self.staged.push(staged.clone());
        files::write_synced(&staged, bytes)?;
        let size = i64::try_from(bytes.len()).unwrap_or(i64::MAX);
        let insert = "INSERT INTO file (path, bytes, sha256) VALUES (?1, ?2, ?3)
                      ON CONFLICT (path) DO UPDATE SET bytes = ?2, sha256 = ?3";
        let added = self.lab.database().execute(insert, params![relative, size, sha256]);
        added.map(|_| ()).map_err(self.lab.failed())
    }

    /// Removes a file of the lab, if there is one: it is hidden now, and gone once the change is committed.
    pub(crate) fn remove(&mut self, relative: &str) -> Result<()> {
        let Some(sha256) = self.lab.registered(relative)? else { return Ok(()) };
        let (path, hidden) = (self.lab.path(relative), self.lab.path(&staged(relative, &sha256)));
        match files::rename_synced(&path, &hidden) {
            Ok(()) => self.removed.push((path, hidden)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(Error::io(&path)(error)),
        }
        let removed = self.lab.database().execute("DELETE FROM file WHERE path = ?1", [relative]);
        removed.map(|_| ()).map_err(self.lab.failed())
    }
}

impl Lab {
    /// Does work under the write lock. If the work fails, the lab stays as it was.
    pub(crate) fn change<T, E: From<Error>>(
        &self,
        work: impl FnOnce(&mut Change<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let (value, hidden) = self.register(work)?;
        if !hidden.is_empty() {
            self.publish()?;
        }
        Ok(value)
    }

    /// The first half of a change: all but the renaming and removal of its files, whose hidden names it returns.
    pub(crate) fn register<T, E: From<Error>>(
        &self,
        work: impl FnOnce(&mut Change<'_>) -> Result<T, E>,
    ) -> Result<(T, Vec<PathBuf>), E> {
        self.begin()?;
        let mut change = Change { lab: self, staged: Vec::new(), removed: Vec::new() };
        let done = self.settle().map_err(E::from).and_then(|()| work(&mut change));
        let Change { mut staged, removed, .. } = change;
        let committed = done.and_then(|value| {
            self.database().execute_batch("COMMIT").map_err(self.failed())?;
            Ok(value)
        });
        match committed {
            Ok(value) => {
                staged.extend(removed.into_iter().map(|(_, hidden)| hidden));
                Ok((value, staged))
            }
            Err(error) => {
                // Hidden files are removed while nobody else can write any; where SQLite has given up
                // the lock by itself, the next change removes them.
                if !self.database().is_autocommit() {
                    for path in staged {
                        let _ = fs::remove_file(path);
                    }
                    for (path, hidden) in removed {
                        let _ = fs::rename(hidden, path);
                    }
                    let _ = self.database().execute_batch("ROLLBACK");
                }
                Err(error)
            }
        }
    }

    /// The second half: renames registered files to their final names.
    fn publish(&self) -> Result<()> {
        self.begin()?;
        let settled = self.settle();
        let ended = self.database().execute_batch("COMMIT").map_err(self.failed());
        settled.and(ended)
    }

    /// Finishes what a program left unfinished that was killed; does nothing in any other lab.
    pub(crate) fn recover(&self) -> Result<()> {
        if self.staged_files().is_empty() { Ok(()) } else { self.publish() }
    }

    fn begin(&self) -> Result<()> {
        self.database().execute_batch("BEGIN IMMEDIATE").map_err(self.failed())
    }

    /// Renames hidden files that are registered and removes those that are not. Only the holder of
    /// the write lock may do so: a hidden file without a row may be that of a change under way.
    fn settle(&self) -> Result<()> {
        for (relative, hidden) in self.staged_files() {
            let from = self.path(&hidden);
            match self.registered(&relative)? {
                Some(sha256) if hidden == staged(&relative, &sha256) => {
                    // One that is not whole is left for `verify` to name.
                    if checksum(&files::read(&from)?) == sha256 {
                        let to = self.path(&relative);
                        files::rename_synced(&from, &to).map_err(|error| {
                            let reason = format!(
                                "the file is registered, but not in place yet: {error}; the next command \
                                 that changes the lab tries again"
                            );
                            Error::folder(&to, reason)
                        })?;
                    }
                }
                _ => fs::remove_file(&from).map_err(Error::io(&from))?,
            }
        }
        Ok(())
    }

    /// The checksum that a file of the lab has, if the lab knows it.
    pub(crate) fn registered(&self, relative: &str) -> Result<Option<String>> {
        let select = "SELECT sha256 FROM file WHERE path = ?1";
        let found = self.database().query_row(select, [relative], |row| row.get(0));
        found.optional().map_err(self.failed())
    }

    /// Hidden files of changes that were not finished, each behind its final name.
    fn staged_files(&self) -> Vec<(String, String)> {
        let mut found = BTreeSet::new();
        for folder in OWN {
            list(self.root(), Path::new(folder), &mut found);
        }
        found.into_iter().filter_map(|hidden| Some((unstaged(&hidden)?, hidden))).collect()
    }
}

/// The hidden name of a file of the lab until it is published.
pub(crate) fn staged(relative: &str, sha256: &str) -> String {
    let (folder, name) = relative.rsplit_once('/').unwrap_or(("", relative));
    let digits = sha256.get(..DIGITS).unwrap_or(sha256);
    if folder.is_empty() { format!(".{name}.{digits}.tmp") } else { format!("{folder}/.{name}.{digits}.tmp") }
}

/// The final name of a hidden file.
pub(crate) fn unstaged(hidden: &str) -> Option<String> {
    let (folder, name) = hidden.rsplit_once('/')?;
    let (name, digits) = name.strip_prefix('.')?.strip_suffix(".tmp")?.rsplit_once('.')?;
    let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    (digits.len() == DIGITS && digits.bytes().all(is_digit)).then(|| format!("{folder}/{name}"))
}

/// All files below a folder, seen from the root.
pub(crate) fn list(root: &Path, folder: &Path, found: &mut BTreeSet<String>) {
    let Ok(entries) = fs::read_dir(root.join(folder)) else { return };
    for entry in entries.flatten() {
        let path = folder.join(entry.file_name());
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            list(root, &path, found);
        } else {
            let parts = path.components().map(|part| part.as_os_str().to_string_lossy());
            found.insert(parts.collect::<Vec<_>>().join("/"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Manifest, NewFiles, NewSet, Rules};
    use testkit::TempDir;

    #[test]
    fn hidden_names_lead_back_to_final_ones() {
        let sha256 = checksum(b"a run");
        let hidden = staged("runs/now/a.b.tsv", &sha256);
        assert!(hidden.starts_with("runs/now/.a.b.tsv."), "{hidden}");
        assert_eq!(unstaged(&hidden).as_deref(), Some("runs/now/a.b.tsv"));
        for other in ["runs/now/a.tsv", "runs/now/.a.tsv.17.tmp", "runs/now/.a.tsv.tmp", ".a.tmp"] {
            assert_eq!(unstaged(other), None, "{other}");
        }
    }

    fn small(dir: &TempDir) -> Lab {
        let topics = "<Topics><Topic number=\"A.1\"><Title>One</Title><Question>Is $x$ one?</Question></Topic></Topics>";
        let questions = NewFiles { topics: dir.write("questions.xml", topics), ..NewFiles::default() };
        let set = NewSet { name: "now".to_owned(), questions: Some(questions), formulas: None };
        let manifest = Manifest { most_runs: 1, ..Manifest::new("small", Rules::Arqmath, &[1]) };
        Lab::create(&dir.path().join("lab"), manifest, None, &[set]).unwrap()
    }

    /// A removal that is not committed leaves the file under its hidden name, where readers and the next
    /// change find it; one that is committed leaves nothing.
    #[test]
    fn a_removal_is_undone_or_done() {
        let dir = TempDir::new("lab-removal");
        let lab = small(&dir);
        let relative = "runs/now/a.tsv.json";
        lab.change(|change| change.file(relative, b"{}")).unwrap();
        let failed: Result<()> = lab.change(|change| {
            change.remove(relative)?;
            Err(Error::asked("no"))
        });
        failed.unwrap_err();
        assert_eq!(lab.unchanged(relative).unwrap(), b"{}");
        assert!(lab.path(relative).exists());
        // A program that dies before the commit leaves the hidden file.
        let hidden = staged(relative, &checksum(b"{}"));
        fs::rename(lab.path(relative), lab.path(&hidden)).unwrap();
        assert_eq!(lab.unchanged(relative).unwrap(), b"{}");
        lab.recover().unwrap();
        assert!(lab.path(relative).exists() && !lab.path(&hidden).exists());
        // One that dies after it leaves a hidden file without a row.
        lab.register(|change| change.remove(relative)).unwrap();
        assert!(lab.path(&hidden).exists());
        lab.recover().unwrap();
        assert!(!lab.path(relative).exists() && !lab.path(&hidden).exists());
        assert_eq!(lab.registered(relative).unwrap(), None);
    }
}
