//! Opening the database to read it, wherever it lies: in a folder that cannot be written, on a disk
//! that is full, beside a program that writes.
//!
//! SQLite reads a database in WAL mode with the help of a file `lab.db-shm`, which it must be able to
//! make. Where it cannot, nobody else has the database open, since they would need that file, too. So
//! it is read as it lies there, as one that never changes. SQLite would then pass over `lab.db-wal`,
//! which holds what a program that was killed did not bring into `lab.db`: judgments could be lost
//! without a word. So where there is one, both are copied, and the copy is read.

use super::{APPLICATION, Refused, VERSION, check_kind, upgrade};
use crate::error::{Error, Result};
use crate::files::private_folder;
use rusqlite::{Connection, OpenFlags};
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

/// Files beside a database that hold changes which it does not have yet.
const BESIDE: [&str; 2] = ["-wal", "-journal"];
/// How often a copy is tried that changes while it is made.
const TRIES: usize = 5;

/// A database that is open to be read.
#[derive(Debug)]
pub(crate) struct Readable {
    pub(crate) connection: Connection,
    pub(crate) copy: Option<Copy>,
}

/// A copy of a database, which is removed when it is not needed any more.
#[derive(Debug)]
pub(crate) struct Copy(PathBuf);

impl Drop for Copy {
    fn drop(&mut self) {
        // A folder for temporary files may hold one more.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Opens the database of a lab to read it; anything else is refused. Nothing is written that stays,
/// but on a full disk an empty `lab.db-shm`.
pub(crate) fn open_to_read(path: &Path) -> Result<Readable> {
    super::is_there(path)?;
    match in_place(path) {
        Ok(connection) => Ok(Readable { connection, copy: None }),
        Err(Error::Database { cause, .. }) if is_obstacle(&cause) => aside(path),
        // An older version is brought to the present one in a copy.
        Err(Error::Folder { .. }) if is_older(path) => copied(path),
        Err(error) => Err(error),
    }
}

/// Whether an error says that the database cannot be got at, not that it is damaged.
pub(crate) fn is_obstacle(cause: &rusqlite::Error) -> bool {
    use rusqlite::ffi::ErrorCode as Code;
    /// `SQLITE_IOERR_SHORT_READ`: the file is shorter than it says.
    const SHORT: i32 = 522;
    cause.sqlite_error().is_some_and(|error| {
        error.extended_code != SHORT
            && matches!(
                error.code,
                Code::CannotOpen
                    | Code::ReadOnly
                    | Code::PermissionDenied
                    | Code::DatabaseBusy
                    | Code::DatabaseLocked
                    | Code::SystemIoFailure
                    | Code::DiskFull
                    | Code::FileLockingProtocolFailed
                    | Code::OutOfMemory
            )
    })
}

/// Where it lies, as any program does.
fn in_place(path: &Path) -> Result<Connection> {
    // Allowed to write, where that is possible: only then are the files beside it removed in the end.
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    read_by(path, Connection::open_with_flags(path, flags))
}

/// Where it lies, if it is whole by itself; else in a copy.
pub(super) fn aside(path: &Path) -> Result<Readable> {
    if BESIDE.iter().any(|end| fs::metadata(beside(path, end)).is_ok_and(|file| file.len() > 0)) {
        return copied(path);
    }
    let full = fs::canonicalize(path).map_err(Error::io(path))?;
    let mut uri = String::from("file:");
    for byte in full.as_os_str().as_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' => {
                uri.push(char::from(*byte));
            }
            other => uri.push_str(&format!("%{other:02X}")),
        }
    }
    uri.push_str("?immutable=1");
    let flags =
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = read_by(path, Connection::open_with_flags(uri, flags));
    match connection {
        Err(Error::Folder { .. }) if is_older(path) => copied(path),
        other => other.map(|connection| Readable { connection, copy: None }),
    }
}

/// Whether the header of the file has the mark of an older version. SQLite keeps both numbers there.
fn is_older(path: &Path) -> bool {
    let Ok(mut file) = fs::File::open(path) else { return false };
    let mut head = [0; 72];
    if io::Read::read_exact(&mut file, &mut head).is_err() {
        return false;
    }
    let number = |at: usize| i32::from_be_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
    number(68) == APPLICATION && number(60) < VERSION
}

fn read_by(path: &Path, opened: rusqlite::Result<Connection>) -> Result<Connection> {
    let failed = |cause| Error::Database { path: path.to_owned(), cause };
    let connection = opened.map_err(failed)?;
    connection.busy_timeout(Duration::from_secs(10)).map_err(failed)?;
    connection.pragma_update(None, "query_only", true).map_err(failed)?;
    match check_kind(&connection).map_err(failed)? {
        Refused::No => {}
        refused => return Err(Error::folder(path, refused.reason())),
    }
    // The header can be read without what reading a table needs.
    connection.query_row("SELECT count(*) FROM sqlite_master", [], |_| Ok(())).map_err(failed)?;
    Ok(connection)
}

/// In a copy of all its files.
fn copied(path: &Path) -> Result<Readable> {
    let copy = Copy(temporary_folder()?);
    let to = copy.0.join("lab.db");
    let failed = |cause: io::Error| {
        let wal = beside(path, BESIDE[0]);
        let reason = if fs::metadata(&wal).is_ok_and(|file| file.len() > 0) {
            format!(
                "{} holds changes that are not in the database yet. They can be read only in a copy, which \
                 cannot be made in {} ({cause}); name another folder with TMPDIR",
                wal.display(),
                std::env::temp_dir().display(),
            )
        } else {
            let place = std::env::temp_dir();
            format!(
                "the database can be read only in a copy, which cannot be made in {} ({cause})",
                place.display()
            )
        };
        Error::Unreadable { path: path.to_owned(), reason }
    };
    let files = [""].into_iter().chain(BESIDE);
    for tried in 1.. {
        let before = states(path);
        for end in files.clone() {
            let from = beside(path, end);
            if from.exists() {
                // Not as `fs::copy`, which makes a file that cannot be written of one that cannot.
                let bytes = fs::read(&from).map_err(Error::io(&from))?;
                crate::files::write_synced(&beside(&to, end), &bytes).map_err(|error| match error {
                    Error::Io { cause, .. } => failed(cause),
                    other => other,
                })?;
            }
        }
        if states(path) == before {
            break;
        }
        if tried == TRIES {
            return Err(failed(io::Error::other("the database changes while it is copied")));
        }
    }
    let failed = |cause| Error::Database { path: path.to_owned(), cause };
    let connection = Connection::open_with_flags(&to, OpenFlags::SQLITE_OPEN_READ_WRITE).map_err(failed)?;
    upgrade(&connection, path)?;
    drop(connection);
    let connection = read_by(path, Connection::open_with_flags(&to, OpenFlags::SQLITE_OPEN_READ_WRITE))?;
    Ok(Readable { connection, copy: Some(copy) })
}

/// Sizes and times of change of all files of a database.
fn states(path: &Path) -> Vec<Option<(u64, Option<SystemTime>)>> {
    let state = |end: &str| {
        let file = fs::metadata(beside(path, end)).ok()?;
        Some((file.len(), file.modified().ok()))
    };
    [""].into_iter().chain(BESIDE).map(state).collect()
}

fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    PathBuf::from(name)
}

fn temporary_folder() -> Result<PathBuf> {
    static FOLDERS: AtomicU64 = AtomicU64::new(0);
    let place = std::env::temp_dir();
    loop {
        let number = FOLDERS.fetch_add(1, Ordering::Relaxed);
        let folder = place.join(format!("hypatia-lab-{}-{number}", std::process::id()));
        match private_folder(&folder) {
            Ok(()) => return Ok(folder),
            // Left behind by a program that had the same number.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(Error::io(&folder)(error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::TempDir;

    const JUDGED: &str = "INSERT INTO judgment (kind, topic_set, topic, item, stage, assessor, verdict, comment, \
        judged_at, origin) VALUES ('answers', 's', 'A.1', '7', 'main', 'a', '3', '', 't', 'o')";

    fn judgments(connection: &Connection) -> i64 {
        connection.query_row("SELECT count(*) FROM judgment", [], |row| row.get(0)).unwrap()
    }

    /// A database and the files beside it as a program that was killed leaves them: one judgment is
    /// in the database, another in its log alone.
    fn killed(dir: &TempDir) -> PathBuf {
        let path = dir.path().join("lab.db");
        let connection = super::super::create(&path).unwrap();
        connection.execute(JUDGED, []).unwrap();
        drop(connection);
        let connection = super::super::open(&path).unwrap();
        connection.execute(JUDGED, []).unwrap();
        let left = dir.path().join("left");
        fs::create_dir(&left).unwrap();
        for end in ["", "-wal"] {
            fs::copy(beside(&path, end), beside(&left.join("lab.db"), end)).unwrap();
        }
        left.join("lab.db")
    }

    #[test]
    fn what_is_in_the_log_alone_is_never_passed_over() {
        let dir = TempDir::new("lab-reading-wal");
        let path = killed(&dir);
        // What SQLite by itself would make of it, if told that nothing changes.
        let uri = format!("file:{}?immutable=1", path.display());
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
        assert_eq!(judgments(&Connection::open_with_flags(uri, flags).unwrap()), 1);

        let before = (fs::read(&path).unwrap(), fs::read(beside(&path, "-wal")).unwrap());
        let readable = aside(&path).unwrap();
        assert_eq!(judgments(&readable.connection), 2);
        assert_eq!((fs::read(&path).unwrap(), fs::read(beside(&path, "-wal")).unwrap()), before);
        let copy = readable.copy.as_ref().unwrap().0.clone();
        assert!(copy.is_dir());
        drop(readable);
        assert!(!copy.exists(), "a copy does not stay");
    }

    #[test]
    fn a_database_without_a_log_is_read_where_it_lies() {
        let dir = TempDir::new("lab-reading #1%20?");
        let path = dir.path().join("lab.db");
        super::super::create(&path).unwrap().execute(JUDGED, []).unwrap();
        for readable in [aside(&path).unwrap(), open_to_read(&path).unwrap()] {
            assert!(readable.copy.is_none());
            assert_eq!(judgments(&readable.connection), 1);
            let refused = readable.connection.execute(JUDGED, []).unwrap_err().to_string();
            assert!(refused.contains("readonly"), "{refused}");
        }
        let names: Vec<_> =
            fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(names, ["lab.db"], "reading leaves nothing behind");
    }

    #[test]
    fn a_program_that_writes_meanwhile_is_seen() {
        let dir = TempDir::new("lab-reading-live");
        let path = dir.path().join("lab.db");
        let writer = super::super::create(&path).unwrap();
        let reader = open_to_read(&path).unwrap();
        writer.execute(JUDGED, []).unwrap();
        assert_eq!(judgments(&reader.connection), 1);
    }

    #[test]
    fn an_older_version_is_read_without_being_changed() {
        let dir = TempDir::new("lab-reading-older");
        let path = dir.path().join("lab.db");
        let connection = Connection::open(&path).unwrap();
        let schema = super::super::SCHEMA;
        let make =
            format!("PRAGMA application_id = {APPLICATION}; PRAGMA user_version = 1; {schema}; {JUDGED};");
        connection.execute_batch(&make).unwrap();
        drop(connection);
        let before = fs::read(&path).unwrap();
        for readable in [open_to_read(&path).unwrap(), aside(&path).unwrap()] {
            let accounts =
                readable.connection.query_row("SELECT count(*) FROM account", [], |row| row.get(0));
            assert_eq!((judgments(&readable.connection), accounts), (1, Ok(0)));
        }
        assert_eq!(fs::read(&path).unwrap(), before);
    }

    #[test]
    fn damage_is_not_taken_for_an_obstacle() {
        let dir = TempDir::new("lab-reading-damage");
        let text = dir.write("text.db", "hello, I am no database at all, but I am long enough ".repeat(20));
        let Err(Error::Database { cause, .. }) = open_to_read(&text) else { panic!("it is read") };
        assert!(!is_obstacle(&cause), "{cause}");
        let folder = dir.path().join("none").join("lab.db");
        assert!(matches!(open_to_read(&folder), Err(Error::Folder { .. })));
    }
}
