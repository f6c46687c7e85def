//! MathML that came with formulas, kept aside until the formulas are known.

use crate::build::BuildError;
use crate::tables::TableRow;
use std::collections::HashMap;
use std::path::Path;
use store::{Row, Table, TableWriter, Texts, TextsWriter};
use xxhash_rust::xxh3::xxh3_128;

/// What a table of MathML goes by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GivenBy {
    Formula,
    Visual,
}

/// Which text belongs to a formula or visual id.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GivenRow {
    key: u64,
    text: u32,
    visual: u64,
    file: u32,
    line: u32,
}

impl Row for GivenRow {
    const LENGTH: usize = 28;

    fn key(&self) -> u64 {
        self.key
    }

    fn write(&self, bytes: &mut [u8]) {
        bytes[..8].copy_from_slice(&self.key.to_le_bytes());
        bytes[8..12].copy_from_slice(&self.text.to_le_bytes());
        bytes[12..20].copy_from_slice(&self.visual.to_le_bytes());
        bytes[20..24].copy_from_slice(&self.file.to_le_bytes());
        bytes[24..].copy_from_slice(&self.line.to_le_bytes());
    }

    fn read(bytes: &[u8]) -> Self {
        let number = |from: usize| u32::from_le_bytes(bytes[from..from + 4].try_into().expect("four bytes"));
        let long = |from: usize| u64::from_le_bytes(bytes[from..from + 8].try_into().expect("eight bytes"));
        Self { key: long(0), text: number(8), visual: long(12), file: number(20), line: number(24) }
    }
}

/// Collects the MathML of tables of one kind: each text once.
pub(crate) struct GivenWriter {
    texts: TextsWriter,
    known: HashMap<u128, u32, foldhash::fast::FixedState>,
    by_formula: TableWriter<GivenRow>,
    by_visual: TableWriter<GivenRow>,
}

impl GivenWriter {
    pub(crate) fn create(path: &Path) -> Result<Self, BuildError> {
        Ok(Self {
            texts: TextsWriter::create(&path.with_extension("texts"))?,
            known: HashMap::default(),
            by_formula: TableWriter::create(&path.with_extension("by-formula"))?,
            by_visual: TableWriter::create(&path.with_extension("by-visual"))?,
        })
    }

    pub(crate) fn push(&mut self, row: &TableRow) -> Result<(), BuildError> {
        if row.formula.is_empty() {
            return Ok(());
        }
        let text = match self.known.entry(xxh3_128(row.formula.as_bytes())) {
            std::collections::hash_map::Entry::Occupied(known) => *known.get(),
            std::collections::hash_map::Entry::Vacant(new) => *new.insert(self.texts.push(&row.formula)?),
        };
        let (table, key) = match (row.id, row.visual) {
            (Some(id), _) => (&mut self.by_formula, id),
            (None, Some(visual)) => (&mut self.by_visual, visual),
            (None, None) => return Ok(()),
        };
        let line = u32::try_from(row.at.line).unwrap_or(u32::MAX);
        table.push(&GivenRow {
            key,
            text,
            visual: row.visual.unwrap_or(u64::MAX),
            file: row.at.file,
            line,
        })?;
        Ok(())
    }

    pub(crate) fn finish(self) -> Result<Given, BuildError> {
        let by_formula = self.by_formula.finish()?;
        let used = vec![false; by_formula.len()];
        Ok(Given { texts: self.texts.finish()?, by_formula, by_visual: self.by_visual.finish()?, used })
    }
}

/// The MathML of tables of one kind.
pub(crate) struct Given {
    texts: Texts,
    by_formula: Table<GivenRow>,
    by_visual: Table<GivenRow>,
    used: Vec<bool>,
}

/// What a table of MathML says about a formula.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GivenText {
    pub(crate) number: u32,
    pub(crate) visual: Option<u64>,
    pub(crate) by: GivenBy,
}

impl Given {
    /// The text for a formula, by its id or else by its visual id.
    pub(crate) fn find(&mut self, id: u64, visual: Option<u64>) -> Option<GivenText> {
        if let Some(at) = self.by_formula.find(id) {
            self.used[at] = true;
            let row = self.by_formula.row(at);
            let visual = (row.visual != u64::MAX).then_some(row.visual);
            return Some(GivenText { number: row.text, visual, by: GivenBy::Formula });
        }
        let at = self.by_visual.find(visual?)?;
        Some(GivenText { number: self.by_visual.row(at).text, visual, by: GivenBy::Visual })
    }

    pub(crate) fn text(&mut self, number: u32) -> Option<&str> {
        self.texts.get(number)
    }

    /// Rows that nobody asked for, with formula, file and line.
    pub(crate) fn leftovers(&self) -> impl Iterator<Item = (Leftover, u64, u32, u64)> {
        (0..self.used.len()).filter(|at| !self.used[*at]).map(|at| {
            let row = self.by_formula.row(at);
            let again = at.checked_sub(1).is_some_and(|before| self.by_formula.row(before).key == row.key);
            let why = if again { Leftover::Repeated } else { Leftover::Unasked };
            (why, row.key, row.file, u64::from(row.line))
        })
    }
}

/// Why nobody asked for a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Leftover {
    /// A row before it is for the same formula.
    Repeated,
    /// There is no such formula.
    Unasked,
}
