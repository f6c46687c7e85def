//! A lab as a folder: made, opened, and what is in it.
//!
//! ```text
//! lab.toml     what the lab is
//! lab.db       submissions, pools, judgments
//! topics/SET/  topics, labels and earlier judgments, as they were given
//! runs/SET/    runs, as they were submitted
//! pools/       pools as tables, written from the database
//! qrels/       judgments as files, with how they were made
//! report/      the report
//! ```

use crate::change::staged;
use crate::clock::{now, stamp};
use crate::database;
use crate::error::{Error, Result};
use crate::files::{self, checksum, is_plain_name};
use crate::known::{Known, open_known};
use crate::manifest::{CollectionFile, Manifest, SetFiles, TestSet};
use formats::check::Task;
use formats::qrels::{Qrels, Scale};
use formats::{Source, TopicFile, TopicId, TopicLabels, read_labels, read_topics};
use rusqlite::{Connection, params};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use store::Collection;

/// The name of the file that says what the lab is.
pub const MANIFEST: &str = "lab.toml";
/// The name of the database.
pub const DATABASE: &str = "lab.db";

/// A lab that is open.
#[derive(Debug)]
pub struct Lab {
    root: PathBuf,
    manifest: Manifest,
    database: Connection,
    /// Where the database lies if it cannot be read in its place; dropped after it.
    _copy: Option<database::Copy>,
}

/// The files of a set that shall be copied into a new lab.
#[derive(Clone, Debug, Default)]
pub struct NewSet {
    /// Its name.
    pub name: String,
    /// Files of questions, for Tasks 1 and 3.
    pub questions: Option<NewFiles>,
    /// Files of formulas, for Task 2.
    pub formulas: Option<NewFiles>,
}

/// Files for one kind of topics.
#[derive(Clone, Debug, Default)]
pub struct NewFiles {
    /// The topics.
    pub topics: PathBuf,
    /// What organisers say of them.
    pub labels: Option<PathBuf>,
    /// Judgments of earlier years.
    pub qrels: Option<PathBuf>,
}

impl Lab {
    /// Makes a lab in a folder that is empty or not there yet.
    ///
    /// `manifest` says what the lab is; its sets, its collection and the fingerprint of its topic threads are
    /// filled in here. The file
    /// `lab.toml` is written last, so that half a lab is none.
    ///
    /// # Errors
    ///
    /// When the folder is in use, a file cannot be read, or the parts do not go together.
    pub fn create(
        root: &Path,
        mut manifest: Manifest,
        collection: Option<&Path>,
        sets: &[NewSet],
    ) -> Result<Self> {
        if root.exists() {
            let mut entries = fs::read_dir(root).map_err(Error::io(root))?;
            if entries.next().is_some() {
                return Err(Error::folder(root, "the folder is not empty; a lab begins in one of its own"));
            }
        }
        if let Some(path) = collection {
            let opened = Collection::open_whole(path)?;
            let path = seen_from(root, path)?;
            manifest.collection =
                Some(CollectionFile { path, fingerprint: format!("{:016x}", opened.fingerprint()) });
        }
        let mut copies: Vec<(String, Vec<u8>)> = Vec::new();
        manifest.sets = sets.iter().map(|set| plan_set(set, &mut copies)).collect::<Result<_>>()?;
        if let Some(table) = &manifest.formulas {
            manifest.formulas = Some(seen_from(root, table)?);
        }
        if let Some(threads) = &mut manifest.topic_threads {
            let opened = Collection::open_whole(&threads.path)?;
            threads.fingerprint = format!("{:016x}", opened.fingerprint());
            threads.path = seen_from(root, &threads.path)?;
        }
        if let Some(problem) = manifest.problem() {
            return Err(Error::asked(problem));
        }
        files::private_folders(root).map_err(Error::io(root))?;
        let database = database::create(&root.join(DATABASE)).map_err(|error| match error {
            Error::Io { cause, .. } if cause.kind() == io::ErrorKind::AlreadyExists => {
                Error::folder(root, "another program makes a lab in this folder")
            }
            other => other,
        })?;
        let lab = Self { root: root.to_owned(), manifest, database, _copy: None };
        lab.change(|change| -> Result<()> {
            for (path, bytes) in &copies {
                change.file(path, bytes)?;
            }
            lab.note_event("organiser", &format!("made the lab {}", lab.manifest.name))
        })?;
        files::write(&root.join(MANIFEST), lab.manifest.to_toml().as_bytes())?;
        Ok(lab)
    }

    /// Opens a lab to change it, and finishes what a program left unfinished that was killed.
    ///
    /// # Errors
    ///
    /// When the folder is no lab, or its database is not one that can be read and written. What else
    /// may be wrong with it is told by [`crate::verify`].
    pub fn open(root: &Path) -> Result<Self> {
        let manifest = read_manifest(root)?;
        let database = database::open(&root.join(DATABASE))?;
        let lab = Self { root: root.to_owned(), manifest, database, _copy: None };
        lab.recover()?;
        Ok(lab)
    }

    /// Opens a lab to read it, also where nothing can be written: in a folder that is read-only, or
    /// on a disk that is full.
    ///
    /// # Errors
    ///
    /// When the folder is no lab, or its database is not one that can be read.
    pub fn open_to_read(root: &Path) -> Result<Self> {
        let manifest = read_manifest(root)?;
        let readable = database::open_to_read(&root.join(DATABASE))?;
        Ok(Self { root: root.to_owned(), manifest, database: readable.connection, _copy: readable.copy })
    }

    /// Files with passwords and judgments that others on this computer can read, with their modes.
    #[must_use]
    pub fn exposed(&self) -> Vec<(String, u32)> {
        exposed(&self.root)
    }

    /// The folder.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// What the lab is.
    #[must_use]
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The database, for what is kept in tables of others than this crate.
    #[must_use]
    pub fn database(&self) -> &Connection {
        &self.database
    }

    /// An error of the database, with its place.
    pub fn failed(&self) -> impl Fn(rusqlite::Error) -> Error + use<> {
        let path = self.root.join(DATABASE);
        move |cause| Error::Database { path: path.clone(), cause }
    }

    /// Where a file of the lab is.
    #[must_use]
    pub fn path(&self, relative: &str) -> PathBuf {
        self.root.join(relative)
    }

    /// Reads a file of the lab that must be as it was when the lab took it.
    ///
    /// # Errors
    ///
    /// When it is missing, or its checksum is another.
    pub fn unchanged(&self, relative: &str) -> Result<Vec<u8>> {
        let path = self.path(relative);
        let Some(sha256) = self.registered(relative)? else {
            files::read(&path)?;
            return Err(Error::folder(&path, "the lab does not know this file"));
        };
        let is_whole = |bytes: &Vec<u8>| checksum(bytes) == sha256;
        let found = files::read(&path);
        if let Ok(bytes) = found.as_ref()
            && is_whole(bytes)
        {
            return found;
        }
        // A program that was killed may have registered the file without moving it into place; one
        // that runs now may do so between two looks.
        let hidden = self.path(&staged(relative, &sha256));
        let again = [hidden.as_path(), path.as_path()].into_iter().find_map(|path| {
            let bytes = fs::read(path).ok()?;
            is_whole(&bytes).then_some(bytes)
        });
        match (again, found) {
            (Some(bytes), _) => Ok(bytes),
            (None, Err(error)) => Err(error),
            (None, Ok(_)) => {
                let reason = "the file was changed since the lab took it (its checksum is another)";
                Err(Error::folder(&path, reason))
            }
        }
    }

    /// Writes down what somebody did.
    ///
    /// # Errors
    ///
    /// When the database cannot be written.
    pub fn note_event(&self, who: &str, what: &str) -> Result<()> {
        let insert = "INSERT INTO event (at, who, what) VALUES (?1, ?2, ?3)";
        self.database.execute(insert, params![stamp(now()), who, what]).map(|_| ()).map_err(self.failed())
    }

    fn set_files(&self, set: &str, task: Task) -> Result<&SetFiles> {
        let set = self.manifest.set(Some(set))?;
        set.files(task).ok_or_else(|| {
            Error::asked(format!("the set {} has no topics for task {}", set.name, task.number()))
        })
    }

    /// The topics of a set for a task.
    ///
    /// # Errors
    ///
    /// When there are none, or their file is missing or was changed.
    pub fn topics(&self, set: &str, task: Task) -> Result<TopicFile> {
        let path = &self.set_files(set, task)?.topics;
        let bytes = self.unchanged(path)?;
        Ok(read_topics(Source::bytes(&self.path(path).display().to_string(), bytes))?)
    }

    /// The ids of the topics of a set for a task, in the order of the file.
    ///
    /// # Errors
    ///
    /// As [`Lab::topics`].
    pub fn topic_ids(&self, set: &str, task: Task) -> Result<Vec<TopicId>> {
        Ok(self.topics(set, task)?.topics.iter().map(|topic| topic.id.clone()).collect())
    }

    /// What organisers say of the topics, if they do.
    ///
    /// # Errors
    ///
    /// When the file is missing, was changed or is none of labels.
    pub fn labels(&self, set: &str, task: Task) -> Result<Option<TopicLabels>> {
        let Some(path) = &self.set_files(set, task)?.labels else { return Ok(None) };
        let bytes = self.unchanged(path)?;
        Ok(Some(read_labels(Source::bytes(&self.path(path).display().to_string(), bytes))?.0))
    }

    /// The judgments that the set came with, if there were any.
    ///
    /// # Errors
    ///
    /// When the file is missing, was changed or is none of judgments.
    pub fn given_qrels(&self, set: &str, task: Task) -> Result<Option<Qrels>> {
        let Some(path) = &self.set_files(set, task)?.qrels else { return Ok(None) };
        let bytes = self.unchanged(path)?;
        let source = Source::bytes(&self.path(path).display().to_string(), bytes);
        let scale = if task == Task::Task3 { Scale::Task3 } else { Scale::Coded };
        Ok(Some(Qrels::read(source, scale)?.0))
    }

    /// What is known of the collection: where posts and formulas are.
    ///
    /// # Errors
    ///
    /// When the collection is missing or another one.
    pub fn known(&self) -> Result<Known> {
        Known::open(self)
    }

    /// The threads of the topics, if the lab has them. They are for assessors: runs cannot return their posts.
    ///
    /// # Errors
    ///
    /// When the collection is missing or another one.
    pub fn topic_threads(&self) -> Result<Option<Collection>> {
        self.manifest.topic_threads.as_ref().map(|file| open_known(self, file)).transpose()
    }
}

/// Files of the database that others on this computer can read, with their modes.
pub(crate) fn exposed(root: &Path) -> Vec<(String, u32)> {
    if files::lets_others_in(root).is_none() {
        return Vec::new();
    }
    let names = ["", "-wal", "-shm", "-journal"].into_iter().map(|end| format!("{DATABASE}{end}"));
    names.filter_map(|name| files::lets_others_in(&root.join(&name)).map(|mode| (name, mode))).collect()
}

/// A path as it is written into the lab: what lies beside the lab's folder is told from there, so
/// that both can be moved together.
fn seen_from(root: &Path, path: &Path) -> Result<PathBuf> {
    let full = fs::canonicalize(path).map_err(Error::io(path))?;
    let beside = root.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let Ok(beside) = fs::canonicalize(beside) else { return Ok(full) };
    Ok(full.strip_prefix(&beside).map_or(full.clone(), |inside| Path::new("..").join(inside)))
}

/// Reads what the lab is.
pub(crate) fn read_manifest(root: &Path) -> Result<Manifest> {
    let path = root.join(MANIFEST);
    if !root.is_dir() {
        return Err(Error::folder(root, "there is no such folder; `hypatia lab init` makes a lab"));
    }
    match path.metadata() {
        Ok(file) if file.is_file() => {}
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(Error::io(&path)(error)),
        _ => {
            return Err(Error::folder(
                root,
                "this is no lab: it has no lab.toml; `hypatia lab init` makes one",
            ));
        }
    }
    let bytes = files::read(&path)?;
    let text = String::from_utf8(bytes).map_err(|_| Error::folder(&path, "the file is not UTF-8"))?;
    Manifest::read(&path, &text)
}

/// Reads the files of a set, sees that they are what they are said to be, and plans their copies.
fn plan_set(set: &NewSet, copies: &mut Vec<(String, Vec<u8>)>) -> Result<TestSet> {
    if !is_plain_name(&set.name) {
        return Err(Error::asked(format!(
            "the name of a set may have letters, digits and ._-+, not {:?}",
            set.name
        )));
    }
    let mut plan = |files: &NewFiles, task: Task| -> Result<SetFiles> {
        let mut copy = |path: &Path| -> Result<(String, Vec<u8>)> {
            let bytes = files::read(path)?;
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            let name: String = name
                .chars()
                .map(|letter| if is_plain_name(&letter.to_string()) || letter == '.' { letter } else { '_' })
                .collect();
            let mut target = format!("topics/{}/{name}", set.name);
            // Files of the two kinds may have one name.
            if copies.iter().any(|(other, bytes_of)| *other == target && *bytes_of != bytes) {
                target = format!("topics/{}/task{}-{name}", set.name, task.number());
            }
            if !copies.iter().any(|(other, _)| *other == target) {
                copies.push((target.clone(), bytes.clone()));
            }
            Ok((target, bytes))
        };
        let (topics, bytes) = copy(&files.topics)?;
        let shown = files.topics.display().to_string();
        let read = read_topics(Source::bytes(&shown, bytes))?;
        if read.topics.is_empty() {
            return Err(Error::folder(&files.topics, "there are no topics in this file"));
        }
        let mut labels = None;
        if let Some(path) = &files.labels {
            let (target, bytes) = copy(path)?;
            read_labels(Source::bytes(&path.display().to_string(), bytes))?;
            labels = Some(target);
        }
        let mut qrels = None;
        if let Some(path) = &files.qrels {
            let (target, bytes) = copy(path)?;
            let judged = Qrels::read(Source::bytes(&path.display().to_string(), bytes), Scale::Plain)?.0;
            if let Some(stranger) =
                judged.topics().find(|topic| read.topics.get(topic.id().as_str()).is_none())
            {
                let reason = format!("topic {} is judged here, but it is not in {shown}", stranger.id());
                return Err(Error::folder(path, reason));
            }
            qrels = Some(target);
        }
        Ok(SetFiles { topics, labels, qrels })
    };
    let questions = set.questions.as_ref().map(|files| plan(files, Task::Task1)).transpose()?;
    let formulas = set.formulas.as_ref().map(|files| plan(files, Task::Task2)).transpose()?;
    Ok(TestSet { name: set.name.clone(), questions, formulas })
}
