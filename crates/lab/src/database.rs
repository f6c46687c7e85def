//! `lab.db`: the database of a lab, made, opened and looked over.

mod reading;

pub(crate) use reading::{Copy, is_obstacle, open_to_read};

use crate::error::{Error, Result};
use crate::files::private_file;
use rusqlite::{Connection, OpenFlags};
use std::path::Path;

/// What marks a database of SQLite as one of a lab: `HYLB` in ASCII.
pub(crate) const APPLICATION: i32 = 0x4859_4C42;
/// The version of the tables.
pub(crate) const VERSION: i32 = 2;

/// What every version has.
const SCHEMA: &str = include_str!("schema.sql");
/// What version 2 added: how people judge.
const ASSESS: &str = include_str!("assess.sql");

/// Makes an empty database where there is none. Nobody else can read it, from the first moment.
pub(crate) fn create(path: &Path) -> Result<Connection> {
    // SQLite gives the files beside a database the permissions of the database.
    private_file(path).map_err(Error::io(path))?;
    let failed = |cause| Error::Database { path: path.to_owned(), cause };
    let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE).map_err(failed)?;
    prepare(&connection).map_err(failed)?;
    let make = format!(
        "BEGIN; PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION};\n{SCHEMA}\n{ASSESS}\nCOMMIT;"
    );
    connection.execute_batch(&make).map_err(failed)?;
    Ok(connection)
}

/// An empty database in memory, to compare others with.
pub(crate) fn in_memory() -> rusqlite::Result<Connection> {
    let connection = Connection::open_in_memory()?;
    connection.execute_batch(SCHEMA)?;
    connection.execute_batch(ASSESS)?;
    Ok(connection)
}

/// Why a database is none of a lab that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Refused {
    /// It is one.
    No,
    Other,
    Version(i32),
}

impl Refused {
    fn reason(self) -> String {
        match self {
            Self::No | Self::Other => "this is no database of a lab, or an empty one".to_owned(),
            Self::Version(version) => {
                format!("the database has version {version}, and this program reads version {VERSION}")
            }
        }
    }
}

fn check_kind(connection: &Connection) -> rusqlite::Result<Refused> {
    let number = |name: &str| connection.pragma_query_value(None, name, |row| row.get::<_, i32>(0));
    if number("application_id")? != APPLICATION {
        return Ok(Refused::Other);
    }
    Ok(match number("user_version")? {
        VERSION => Refused::No,
        version => Refused::Version(version),
    })
}

fn is_there(path: &Path) -> Result<()> {
    match path.metadata() {
        Ok(file) if file.is_file() => Ok(()),
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(Error::io(path)(error)),
        _ => Err(Error::folder(path, "the database is missing; restore it from a copy of the lab")),
    }
}

/// Opens the database of a lab to change it; anything else is refused.
pub(crate) fn open(path: &Path) -> Result<Connection> {
    is_there(path)?;
    let failed = |cause| Error::Database { path: path.to_owned(), cause };
    let open = || -> Result<Connection> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE;
        let connection = Connection::open_with_flags(path, flags).map_err(failed)?;
        upgrade(&connection, path)?;
        prepare(&connection).map_err(failed)?;
        Ok(connection)
    };
    open().map_err(|error| match error {
        Error::Database { path, cause } if is_obstacle(&cause) => {
            let reason = format!(
                "cannot be opened for writing ({cause}): the folder may be read-only, or the disk full"
            );
            Error::Unreadable { path, reason }
        }
        other => other,
    })
}

/// Brings a database of an older version to the present one; anything but a database of a lab is refused.
fn upgrade(connection: &Connection, path: &Path) -> Result<()> {
    let failed = |cause| Error::Database { path: path.to_owned(), cause };
    match check_kind(connection).map_err(failed)? {
        Refused::No => Ok(()),
        Refused::Version(1) => {
            prepare(connection).map_err(failed)?;
            add_assessing(connection).map_err(failed)
        }
        refused => Err(Error::folder(path, refused.reason())),
    }
}

/// Brings a database of the first version to the second. Two programs may try it at once.
fn add_assessing(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch("BEGIN IMMEDIATE")?;
    let version = connection.pragma_query_value(None, "user_version", |row| row.get::<_, i32>(0))?;
    if version == 1 {
        connection.execute_batch(ASSESS)?;
        connection.pragma_update(None, "user_version", 2)?;
    }
    connection.execute_batch("COMMIT")
}

/// What every connection needs: nothing is told done before it is on the disk.
fn prepare(connection: &Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(std::time::Duration::from_secs(10))?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", true)
}

/// What SQLite itself finds wrong, in its own words.
pub(crate) fn complaints(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let mut found = Vec::new();
    let mut check = connection.prepare("PRAGMA integrity_check(20)")?;
    let rows = check.query_map([], |row| row.get::<_, String>(0))?;
    for row in rows {
        let text = row?;
        if text != "ok" {
            found.push(text);
        }
    }
    let mut check = connection.prepare("PRAGMA foreign_key_check")?;
    let rows = check.query_map([], |row| {
        Ok((row.get::<_, String>(0)?, row.get::<_, Option<i64>>(1)?, row.get::<_, String>(2)?))
    })?;
    for row in rows.take(20) {
        let (table, number, parent) = row?;
        let number = number.map_or_else(String::new, |number| format!(" {number}"));
        found.push(format!("row{number} of {table} leads to nothing in {parent}"));
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::TempDir;

    #[test]
    fn judgments_cannot_be_changed_or_removed() {
        let dir = TempDir::new("lab-database");
        let path = dir.path().join("lab.db");
        let connection = create(&path).unwrap();
        let row = "INSERT INTO judgment (kind, topic_set, topic, item, stage, assessor, verdict, comment, judged_at, \
                   origin) VALUES ('answers', 's', 'A.1', '7', 'main', 'a', '3', '', 't', 'o')";
        connection.execute(row, []).unwrap();
        for change in ["UPDATE judgment SET verdict = '0'", "DELETE FROM judgment"] {
            let message = connection.execute(change, []).unwrap_err().to_string();
            assert!(message.contains("never"), "{message}");
        }
        drop(connection);
        let connection = open(&path).unwrap();
        assert!(complaints(&connection).unwrap().is_empty());
        let count: i64 = connection.query_row("SELECT count(*) FROM judgment", [], |row| row.get(0)).unwrap();
        assert_eq!(count, 1);
    }

    #[test]
    fn the_first_version_becomes_the_second() {
        let dir = TempDir::new("lab-database-first");
        let path = dir.path().join("lab.db");
        let connection = Connection::open(&path).unwrap();
        connection
            .execute_batch(&format!(
                "PRAGMA application_id = {APPLICATION}; PRAGMA user_version = 1; {SCHEMA}"
            ))
            .unwrap();
        connection.execute("INSERT INTO event (at, who, what) VALUES ('t', 'w', 'x')", []).unwrap();
        drop(connection);
        drop(open(&path).unwrap());
        let connection = open(&path).unwrap();
        let count = |table: &str| -> i64 {
            connection.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0)).unwrap()
        };
        assert_eq!((count("event"), count("account")), (1, 0));
    }

    #[test]
    fn other_files_are_refused() {
        let dir = TempDir::new("lab-database-other");
        let text = dir.write("text.db", "hello, I am no database at all, but I am long enough");
        assert!(open(&text).is_err());
        let empty = dir.write("empty.db", "");
        assert!(open(&empty).unwrap_err().to_string().contains("no database of a lab"));
        let missing = open(&dir.path().join("none.db")).unwrap_err().to_string();
        assert!(missing.contains("missing"), "{missing}");
    }
}
