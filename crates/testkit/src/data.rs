//! Real data that may or may not be there, and tables.

use crate::workspace_root;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The folder of real data: the one that `HYPATIA_DATA` names, else
/// `../shared/data` seen from the workspace; `None` when it is not there.
///
/// Tests that need it start with:
///
/// ```
/// let Some(data) = testkit::data_dir() else {
///     return testkit::skip("the real data is not there");
/// };
/// assert!(data.is_dir());
/// ```
#[must_use]
pub fn data_dir() -> Option<PathBuf> {
    let dir = match std::env::var_os("HYPATIA_DATA") {
        Some(dir) => PathBuf::from(dir),
        None => workspace_root().join("../shared/data"),
    };
    dir.is_dir().then_some(dir)
}

/// Says clearly that a test was skipped and why. Written past the test
/// harness's capture, so that it shows for tests that pass, too.
pub fn skip(reason: &str) {
    let name = std::thread::current().name().unwrap_or("a test").to_owned();
    let _ = writeln!(std::io::stderr(), "SKIPPED {name}: {reason} (set HYPATIA_DATA to the folder)");
}

/// A folder of a language model, by its name in the folder that `HYPATIA_MODELS` names, by default
/// `models` where cargo builds; `None`, and a word that the test was skipped, when it is not there.
///
/// ```
/// let Some(folder) = testkit::model_dir("smollm2") else { return };
/// assert!(folder.is_dir());
/// ```
#[must_use]
pub fn model_dir(name: &str) -> Option<PathBuf> {
    let models = match (std::env::var_os("HYPATIA_MODELS"), std::env::var_os("CARGO_TARGET_DIR")) {
        (Some(models), _) => PathBuf::from(models),
        (None, Some(target)) => PathBuf::from(target).join("models"),
        (None, None) => workspace_root().join("target/models"),
    };
    let dir = models.join(name);
    if dir.is_dir() {
        return Some(dir);
    }
    let test = std::thread::current().name().unwrap_or("a test").to_owned();
    let reason = format!("the model {name} is not in {} (set HYPATIA_MODELS)", models.display());
    let _ = writeln!(std::io::stderr(), "SKIPPED {test}: {reason}");
    None
}

/// The rows of a table with a header line, each as column to value.
///
/// # Panics
///
/// When the file cannot be read.
#[must_use]
pub fn read_tsv(path: &Path) -> Vec<BTreeMap<String, String>> {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    parse_tsv(&bytes)
}

/// Like [`read_tsv`], from memory. Bytes that are not UTF-8 become U+FFFD, and
/// rows may be shorter than the header.
///
/// ```
/// let rows = testkit::parse_tsv(b"id\tformula\n1\t\"a\tb\"\n");
/// assert_eq!(rows[0]["formula"], "a\tb");
/// ```
///
/// # Panics
///
/// When there is no such table in the bytes.
#[must_use]
pub fn parse_tsv(bytes: &[u8]) -> Vec<BTreeMap<String, String>> {
    let text = |field: &[u8]| String::from_utf8_lossy(field).into_owned();
    let mut reader = csv::ReaderBuilder::new().delimiter(b'\t').flexible(true).from_reader(bytes);
    let header: Vec<String> = reader.byte_headers().expect("a header").iter().map(text).collect();
    reader
        .byte_records()
        .map(|row| header.iter().cloned().zip(row.expect("a row").iter().map(text)).collect())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_with_quotes_and_short_rows() {
        let rows = parse_tsv(b"id\tformula\r\n1\t\"say \"\"x\"\"\ny\"\r\n2\n3\t\xFF\n");
        assert_eq!(rows.len(), 3);
        assert_eq!(rows[0]["formula"], "say \"x\"\ny");
        assert_eq!(rows[1].get("formula"), None);
        assert_eq!(rows[2]["formula"], "\u{FFFD}");
    }
}
