//! What is wrong with a lab's folder: every damage is named, and nothing is guessed or mended.

mod files;
mod records;

use crate::database;
use crate::error::Error;
use crate::folder::{DATABASE, Lab, exposed, read_manifest};
use rusqlite::Connection;
use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::Path;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// It cannot be got at, so that nobody can tell whether it is damaged.
    Unreadable,
    /// Something is lost, changed or contradicts something else.
    Damage,
    /// Nothing is lost, but somebody should know.
    Note,
}

/// Something that is wrong with a lab.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// How bad it is.
    pub severity: Severity,
    /// The file or the part of the database that it is about.
    pub place: String,
    /// What is wrong, and what to do about it.
    pub text: String,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match self.severity {
            Severity::Unreadable => "cannot be read",
            Severity::Damage => "damage",
            Severity::Note => "note",
        };
        write!(f, "{}: {word}: {}", self.place, self.text)
    }
}

/// What was found so far.
#[derive(Default)]
struct Findings(Vec<Damage>);

impl Findings {
    fn damage(&mut self, place: impl fmt::Display, text: impl fmt::Display) {
        self.add(Severity::Damage, place, text);
    }

    fn note(&mut self, place: impl fmt::Display, text: impl fmt::Display) {
        self.add(Severity::Note, place, text);
    }

    fn add(&mut self, severity: Severity, place: impl fmt::Display, text: impl fmt::Display) {
        self.0.push(Damage { severity, place: place.to_string(), text: text.to_string() });
    }

    /// An error as damage, or as what is in the way; what it says of its file is not said again.
    fn error(&mut self, place: &str, error: &Error) {
        match error {
            Error::Folder { reason, .. } => self.damage(place, reason),
            Error::Unreadable { reason, .. } => self.unreadable(place, reason),
            Error::Io { cause, .. } => self.io(place, cause),
            Error::Database { cause, .. } => self.database(cause, place),
            other => self.damage(place, other),
        }
    }

    fn io(&mut self, place: &str, cause: &io::Error) {
        match cause.kind() {
            io::ErrorKind::NotFound => {
                self.damage(place, "the file is missing; restore it from a copy of the lab");
            }
            _ => self.unreadable(place, cause),
        }
    }

    fn database(&mut self, cause: &rusqlite::Error, place: &str) {
        if database::is_obstacle(cause) {
            self.unreadable(place, cause);
        } else {
            self.damage(place, cause);
        }
    }

    fn unreadable(&mut self, place: impl fmt::Display, text: impl fmt::Display) {
        self.add(Severity::Unreadable, place, text);
    }
}

/// Looks at every part of a lab and tells what is wrong; an empty list means that all is well.
///
/// A lab that cannot be opened at all is told, too: there is no error but what is in the list.
#[must_use]
pub fn verify(root: &Path) -> Vec<Damage> {
    let mut findings = Findings::default();
    if let Err(error) = read_manifest(root) {
        findings.error("lab.toml", &error);
    }
    if !root.is_dir() {
        return findings.0;
    }
    match database::open_to_read(&root.join(DATABASE)) {
        Err(error) => findings.error(DATABASE, &error),
        Ok(readable) => {
            let connection = &readable.connection;
            match database::complaints(connection) {
                Ok(complaints) => {
                    for complaint in complaints {
                        findings.damage(DATABASE, complaint);
                    }
                }
                Err(cause) => findings.database(&cause, DATABASE),
            }
            match other_tables(connection) {
                Ok(others) => {
                    for other in others {
                        findings.damage(DATABASE, other);
                    }
                }
                Err(cause) => findings.database(&cause, DATABASE),
            }
        }
    }
    for (name, mode) in exposed(root) {
        let text = format!(
            "others on this computer may read it (mode {mode:03o}), and it holds passwords and judgments; chmod \
             600 it, or 700 the folder"
        );
        findings.note(name, text);
    }
    // What is deeper can be looked at only where these two can be read.
    if findings.0.iter().all(|found| found.severity == Severity::Note) {
        match Lab::open_to_read(root) {
            Err(error) => findings.error("lab", &error),
            Ok(lab) => {
                files::check(&lab, &mut findings);
                records::check(&lab, &mut findings);
            }
        }
    }
    findings.0.sort_by(|a, b| (a.severity, &a.place).cmp(&(b.severity, &b.place)));
    findings.0
}

/// Tables, indexes and triggers that are not as the program makes them.
fn other_tables(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let read = |connection: &Connection| -> rusqlite::Result<BTreeMap<String, String>> {
        let select = "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'";
        let mut statement = connection.prepare(select)?;
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        rows.collect()
    };
    let (found, expected) = (read(connection)?, read(&database::in_memory()?)?);
    let mut complaints = Vec::new();
    for (name, sql) in &expected {
        match found.get(name) {
            None => complaints.push(format!("{name} is missing")),
            Some(other) if other != sql => complaints.push(format!("{name} was changed by another program")),
            Some(_) => {}
        }
    }
    complaints.extend(
        found
            .keys()
            .filter(|name| !expected.contains_key(*name))
            .map(|name| format!("{name} is not of the lab")),
    );
    Ok(complaints)
}
