//! Tables of formulas: a header that names the columns, and rows with formulas in several notations.

use super::notes::Notes;
use crate::engine::Notation;
use crate::nearest;
use crate::records::{Layout, Record, RecordReader, fields};
use anyhow::{Context, Result, ensure};
use formats::Source;
use std::borrow::Cow;
use std::io::BufRead;
use std::path::Path;

/// The notations a table can have, the one that is preferred first.
pub(super) const NOTATIONS: [Notation; 4] = [Notation::Latex, Notation::Mathml, Notation::Slt, Notation::Opt];

/// What their columns are called.
pub(super) const COLUMNS: [&str; 4] = ["latex", "mathml", "slt", "opt"];

/// A table that is open and whose header was read.
pub(super) struct Table<'p> {
    /// What to call it in messages.
    pub(super) name: String,
    /// How many bytes it has, if that is known.
    pub(super) total: Option<u64>,
    /// Its rows.
    pub(super) reader: RecordReader<Box<dyn BufRead + Send + 'p>>,
    header: Vec<String>,
}

impl<'p> Table<'p> {
    /// Opens a file, packed with gzip or not, or standard input.
    pub(super) fn open(path: &'p Path) -> Result<Self> {
        let packed = path.extension().is_some_and(|extension| extension == "gz");
        let length = std::fs::metadata(path).ok().filter(|data| data.is_file()).map(|data| data.len());
        let source = Source::path(path);
        let name = source.name().to_owned();
        let mut reader = RecordReader::new(source.open()?, Layout::Tsv);
        let header = reader.read_header().with_context(|| name.clone())?;
        ensure!(!header.is_empty(), "{name}: is empty, but a table needs a header line");
        let blank = header.iter().all(String::is_empty);
        ensure!(!blank, "{name}: the first line is blank, but a table needs a header line");
        Ok(Self { name, total: length.filter(|_| !packed), reader, header })
    }

    /// The column with this name.
    pub(super) fn column(&self, name: &str) -> Result<usize> {
        self.find(name).with_context(|| {
            let known = nearest::suggest(name, &self.header);
            let commas = self.header.len() == 1 && self.header[0].contains([',', ';']);
            let tabs = if commas { " (columns are separated by tabs)" } else { "" };
            format!(
                "{}: no column '{name}' in the first line, which has to be the header; {known}{tabs}",
                self.name
            )
        })
    }

    /// The column with this name, if there is one.
    pub(super) fn find(&self, name: &str) -> Option<usize> {
        self.header.iter().position(|column| column == name)
    }

    /// The columns of formulas.
    pub(super) fn formulas(&self) -> Result<FormulaColumns> {
        let columns = COLUMNS.map(|name| self.find(name));
        ensure!(
            columns.iter().any(Option::is_some),
            "{}: no column of formulas ({}) in the first line, which has to be the header; known: {}",
            self.name,
            COLUMNS.join(", "),
            nearest::list(&self.header)
        );
        Ok(columns)
    }
}

/// Where the formulas stand, in the order of [`NOTATIONS`].
pub(super) type FormulaColumns = [Option<usize>; 4];

/// Which columns of a row are wanted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted {
    /// The id or topic.
    pub(super) id: usize,
    /// What the other table has, too.
    pub(super) by: Option<usize>,
    /// The formulas.
    pub(super) formulas: FormulaColumns,
}

/// The wanted fields of a row; empty where the row is too short.
#[derive(Debug, Default)]
pub(super) struct Row<'r> {
    /// The id or topic, without blanks around it.
    pub(super) id: Cow<'r, str>,
    /// What the other table has, too.
    pub(super) by: Cow<'r, str>,
    /// The formulas, in the order of [`NOTATIONS`].
    pub(super) formulas: [Cow<'r, str>; 4],
}

impl Row<'_> {
    /// Whether there is a formula in this notation.
    pub(super) fn has(&self, notation: usize) -> bool {
        !self.formulas[notation].trim().is_empty()
    }
}

impl Wanted {
    /// Takes a row apart.
    pub(super) fn select<'r>(&self, record: Record<'r>, notes: &mut Notes) -> Row<'r> {
        let mut row = Row::default();
        for (index, field) in fields(record.bytes).enumerate() {
            let formula = self.formulas.iter().position(|column| *column == Some(index));
            if formula.is_none() && self.id != index && self.by != Some(index) {
                continue;
            }
            let text = text(field, record.line, notes);
            // One column can be asked for twice.
            if self.by == Some(index) {
                row.by = Cow::Owned(text.trim().to_owned());
            }
            if self.id == index {
                row.id = Cow::Owned(text.trim().to_owned());
            }
            if let Some(formula) = formula {
                row.formulas[formula] = text;
            }
        }
        row
    }
}

/// Bytes as text; those that are none become U+FFFD and are counted.
fn text<'r>(bytes: Cow<'r, [u8]>, line: u64, notes: &mut Notes) -> Cow<'r, str> {
    let text = match bytes {
        Cow::Borrowed(bytes) => match std::str::from_utf8(bytes) {
            Ok(text) => return Cow::Borrowed(text),
            Err(_) => String::from_utf8_lossy(bytes).into_owned(),
        },
        Cow::Owned(bytes) => match String::from_utf8(bytes) {
            Ok(text) => return Cow::Owned(text),
            Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
        },
    };
    notes.invalid_utf8.add(line);
    Cow::Owned(text)
}

/// Whether an id can stand in a run.
pub(super) fn is_usable(id: &str) -> bool {
    !id.is_empty() && !id.contains(|character: char| character.is_whitespace() || character.is_control())
}
