//! The formula table of a collection: what it says about each formula id, and which were seen.

use crate::build::BuildError;
use crate::record::At;
use crate::tables::{RowPart, TableRow};
use std::path::Path;
use store::{FormNo, Row, Table, TableWriter};

/// What the table says about a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct IndexRow {
    pub(crate) id: u64,
    pub(crate) form: FormNo,
    pub(crate) post: u32,
    pub(crate) comment: u32,
    pub(crate) part: RowPart,
    pub(crate) changed: bool,
    pub(crate) at: At,
}

/// Stands for a post or comment that is not given.
pub(crate) const UNSAID: u32 = u32::MAX;

impl IndexRow {
    pub(crate) fn new(id: u64, form: FormNo, row: &TableRow) -> Self {
        Self {
            id,
            form,
            post: row.post.unwrap_or(UNSAID),
            comment: row.comment.unwrap_or(UNSAID),
            part: row.part,
            changed: row.changed,
            at: row.at,
        }
    }
}

impl Row for IndexRow {
    const LENGTH: usize = 30;

    fn key(&self) -> u64 {
        self.id
    }

    fn write(&self, bytes: &mut [u8]) {
        bytes[..8].copy_from_slice(&self.id.to_le_bytes());
        bytes[8..12].copy_from_slice(&self.form.0.to_le_bytes());
        bytes[12..16].copy_from_slice(&self.post.to_le_bytes());
        bytes[16..20].copy_from_slice(&self.comment.to_le_bytes());
        bytes[20] = self.part as u8;
        bytes[21] = u8::from(self.changed);
        bytes[22..26].copy_from_slice(&self.at.file.to_le_bytes());
        bytes[26..].copy_from_slice(&u32::try_from(self.at.line).unwrap_or(u32::MAX).to_le_bytes());
    }

    fn read(bytes: &[u8]) -> Self {
        let number = |from: usize| u32::from_le_bytes(bytes[from..from + 4].try_into().expect("four bytes"));
        Self {
            id: u64::from_le_bytes(bytes[..8].try_into().expect("eight bytes")),
            form: FormNo(number(8)),
            post: number(12),
            comment: number(16),
            part: RowPart::from_byte(bytes[20]),
            changed: bytes[21] != 0,
            at: At { file: number(22), line: u64::from(number(26)) },
        }
    }
}

/// The text that a formula was found in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// The number of the post or comment.
    pub(crate) number: u32,
    pub(crate) part: store::Part,
    /// The id of the post, or of the post that the comment is about.
    pub(crate) post: Option<u32>,
    pub(crate) comment: Option<u32>,
}

/// What was seen of a row so far.
const SEEN: u8 = 1;
const AT_HOME: u8 = 2;
const IN_MANY: u8 = 4;

/// The table, and what was seen of it: 5 bytes a row in memory.
pub(crate) struct FormulaTable {
    table: Table<IndexRow>,
    seen: Vec<u8>,
    first: Vec<u32>,
}

/// What seeing a formula at a place means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sighting {
    pub(crate) row: IndexRow,
    pub(crate) elsewhere: bool,
    /// It is the first time that the formula stands in a second post or comment.
    pub(crate) newly_many: bool,
}

impl FormulaTable {
    pub(crate) fn create(path: &Path) -> Result<TableWriter<IndexRow>, BuildError> {
        Ok(TableWriter::create(path)?)
    }

    pub(crate) fn new(table: Table<IndexRow>) -> Self {
        let rows = table.len();
        Self { table, seen: vec![0; rows], first: vec![0; rows] }
    }

    /// The highest id.
    pub(crate) fn highest(&self) -> u64 {
        self.table.len().checked_sub(1).map_or(0, |last| self.table.row(last).id)
    }

    /// All rows but those whose id a row before them has.
    pub(crate) fn rows(&self) -> impl Iterator<Item = IndexRow> {
        let again = |at: usize| at > 0 && self.table.row(at).id == self.table.row(at - 1).id;
        (0..self.table.len()).filter(move |at| !again(*at)).map(|at| self.table.row(at))
    }

    /// Rows whose id a row before them has.
    pub(crate) fn repeated(&self) -> impl Iterator<Item = IndexRow> {
        let again = |at: &usize| self.table.row(*at).id == self.table.row(*at - 1).id;
        (1..self.table.len()).filter(again).map(|at| self.table.row(at))
    }

    pub(crate) fn see(&mut self, id: u64, place: Place) -> Option<Sighting> {
        let at = self.table.find(id)?;
        let row = self.table.row(at);
        let known = |said: u32, found: Option<u32>| found == Some(said);
        let home = match row.part {
            RowPart::Unsaid => true,
            RowPart::Title => place.part == store::Part::Title && known(row.post, place.post),
            RowPart::Question | RowPart::Answer => {
                place.part == store::Part::Body && known(row.post, place.post)
            }
            RowPart::Comment if row.comment == UNSAID => {
                place.part == store::Part::Comment && known(row.post, place.post)
            }
            RowPart::Comment => place.part == store::Part::Comment && known(row.comment, place.comment),
        };
        let code = place.number << 1 | u32::from(place.part == store::Part::Comment);
        let seen = &mut self.seen[at];
        let newly_many = *seen & (SEEN | IN_MANY) == SEEN && self.first[at] != code;
        if *seen & SEEN == 0 {
            self.first[at] = code;
        }
        *seen |= SEEN | if home { AT_HOME } else { 0 } | if newly_many { IN_MANY } else { 0 };
        Some(Sighting { row, elsewhere: !home, newly_many })
    }

    /// Rows that were never seen, and rows that were seen but never where they say.
    pub(crate) fn strays(&self) -> impl Iterator<Item = (IndexRow, Stray)> {
        (0..self.table.len()).filter_map(|at| {
            let row = self.table.row(at);
            let repeated = at.checked_sub(1).is_some_and(|before| self.table.row(before).id == row.id);
            match self.seen[at] {
                _ if repeated => None,
                0 => Some((row, Stray::Nowhere)),
                seen if seen & AT_HOME == 0 => Some((row, Stray::Elsewhere)),
                _ => None,
            }
        })
    }
}

/// How a row is not borne out by the texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stray {
    Nowhere,
    Elsewhere,
}
