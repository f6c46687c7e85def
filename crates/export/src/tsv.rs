//! The labs' tables of formulas, in the columns of ARQMath-3.
//!
//! `latex_representation.tsv`, `slt_representation.tsv` (Presentation MathML) and
//! `opt_representation.tsv` (Content MathML) have a row for each formula id, in the order of ids.
//! Fields are quoted as Python's `excel-tab` does: those with a tab, a quote or a line break. Lines
//! end in LF.
//!
//! An id that stands at several places has one row: the place that its table named, else the
//! first. One that stands nowhere has the place that its table named.
//!
//! Each form is converted once, in the order of forms; what comes out waits in a file beside the
//! tables until its rows are written, with 8 bytes of memory for each form.

use crate::convert::{Cell, Converter, OptAs};
use crate::error::Error;
use crate::files::Folder;
use crate::formulas::{Place, claimed};
use crate::{Output, Watch};
use spool::Spool;
use std::fmt::Write as _;
use std::ops::Range;
use store::{Collection, FormNo, FormulaMarks, FormulaNo, Part, Reader};

mod spool;

/// Forms that are converted at once by a core.
const BATCH: u32 = 512;
/// Rows between two reports.
const ROWS: u64 = 1024;
const HEADER: &str = "id\tpost_id\tthread_id\ttype\tcomment_id\told_visual_id\tvisual_id\tissue\tformula\n";

/// A table that can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Table {
    /// `latex_representation.tsv`.
    Latex,
    /// `slt_representation.tsv`: Presentation MathML.
    Slt,
    /// `opt_representation.tsv`: Content MathML.
    Opt,
    /// `visual_ids.tsv`: formula id and visual id.
    VisualIds,
}

impl Table {
    /// All of them, in the order in which they are written.
    pub const ALL: [Self; 4] = [Self::Latex, Self::Slt, Self::Opt, Self::VisualIds];

    fn stem(self) -> &'static str {
        match self {
            Self::Latex => "latex_representation",
            Self::Slt => "slt_representation",
            Self::Opt => "opt_representation",
            Self::VisualIds => "visual_ids",
        }
    }

    /// The files of the table.
    fn files(self, split: Option<u32>) -> Vec<String> {
        let stem = self.stem();
        match split {
            Some(parts) if self != Self::VisualIds => {
                (1..=parts.max(1)).map(|part| format!("{stem}/{part}.tsv")).collect()
            }
            _ => vec![format!("{stem}.tsv")],
        }
    }
}

/// Whose MathML is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mathml {
    /// Ours, made from LaTeX.
    Ours(OptAs),
    /// What came with the formulas; cells are empty where nothing came.
    Given,
}

/// What to write.
#[derive(Clone, Debug)]
pub struct Options {
    /// The tables.
    pub tables: Vec<Table>,
    /// Whose MathML.
    pub mathml: Mathml,
    /// In how many numbered files each table is written.
    pub split: Option<u32>,
}

impl Options {
    /// The items of which the watch hears.
    #[must_use]
    pub fn items(&self, collection: &Collection) -> u64 {
        let converted = self.tables.iter().filter(|table| matches!(table, Table::Slt | Table::Opt)).count();
        u64::from(collection.num_forms()) * converted as u64
            + u64::from(collection.num_formulas()) * self.tables.len() as u64
    }
}

/// What was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Rows of each table: distinct formula ids.
    pub rows: u64,
    /// Places beyond the first of their id, which have no row.
    pub other_places: u64,
    /// Rows whose cell is empty in `slt_representation.tsv`.
    pub without_slt: u64,
    /// Rows whose cell is empty in `opt_representation.tsv`.
    pub without_opt: u64,
}

/// Writes the tables to a folder.
///
/// # Errors
///
/// When the collection is damaged or a file cannot be written.
pub fn write(
    collection: &Collection,
    options: &Options,
    folder: &mut Folder,
    watch: Watch<'_>,
) -> Result<Summary, Error> {
    let tables = || Table::ALL.into_iter().filter(|table| options.tables.contains(table));
    let names: Vec<String> = tables().flat_map(|table| table.files(options.split)).collect();
    folder.ensure_free(&names)?;
    let mut summary = Summary::default();
    for table in tables() {
        let cell = match (table, options.mathml) {
            (Table::Slt, Mathml::Ours(_)) => Some(Cell::Presentation),
            (Table::Slt, Mathml::Given) => Some(Cell::GivenPresentation),
            (Table::Opt, Mathml::Ours(says)) => Some(Cell::Content(says)),
            (Table::Opt, Mathml::Given) => Some(Cell::GivenContent),
            (Table::Latex | Table::VisualIds, _) => None,
        };
        let mut spool = match cell {
            Some(cell) => Some(convert(collection, cell, folder, watch)?),
            None => None,
        };
        let mut reader = collection.reader();
        let mut empty = 0;
        let mut parts = Parts::new(collection, table, options.split, folder)?;
        let counts = each_id(collection, watch, |formula| {
            let mut row = String::new();
            if table == Table::VisualIds {
                let visual = collection.form_visual(collection.formula_form(formula));
                let _ = writeln!(row, "{}\t{}", collection.formula_id(formula), collection.visual_id(visual));
                return parts.put(&row, folder);
            }
            let form = collection.formula_form(formula);
            push_facts(&mut row, &mut reader, formula)?;
            match &mut spool {
                Some(spool) => {
                    let cell = spool.get(form.0)?;
                    empty += u64::from(cell.is_empty());
                    push_field(&mut row, cell);
                }
                None => push_field(&mut row, reader.latex(form)?),
            }
            row.push('\n');
            parts.put(&row, folder)
        })?;
        parts.finish(folder)?;
        (summary.rows, summary.other_places) = counts;
        match table {
            Table::Slt => summary.without_slt = empty,
            Table::Opt => summary.without_opt = empty,
            Table::Latex | Table::VisualIds => {}
        }
    }
    Ok(summary)
}

/// Converts all forms, each once.
fn convert(collection: &Collection, cell: Cell, folder: &Folder, watch: Watch<'_>) -> Result<Spool, Error> {
    let mut spool = Spool::create(folder.scratch("forms"), collection.num_forms())?;
    let worker = || {
        let mut converter = Converter::new(collection);
        move |forms: Range<u32>| {
            forms.map(|form| converter.cell(FormNo(form), cell)).collect::<Result<Vec<String>, Error>>()
        }
    };
    parallel::batches(collection.num_forms(), BATCH, worker, |cells: Vec<String>| {
        watch(cells.len() as u64);
        cells.iter().try_for_each(|cell| spool.push(cell))
    })?;
    spool.finish()?;
    Ok(spool)
}

/// Gives the place that stands for each formula id, in the order of ids; says how many ids there
/// are and how many places do not stand for theirs.
fn each_id(
    collection: &Collection,
    watch: Watch<'_>,
    mut row: impl FnMut(FormulaNo) -> Result<(), Error>,
) -> Result<(u64, u64), Error> {
    let (mut rows, mut others, mut unsaid) = (0, 0, 0);
    let mut chosen: Option<FormulaNo> = None;
    for formula in collection.formulas_by_id() {
        match chosen {
            Some(before) if collection.formula_id(before) == collection.formula_id(formula) => {
                others += 1;
                let elsewhere = |formula| {
                    let marks = collection.formula_marks(formula);
                    marks.part() == Part::Nowhere || marks.has(FormulaMarks::ELSEWHERE)
                };
                if elsewhere(before) && !elsewhere(formula) {
                    chosen = Some(formula);
                }
            }
            before => {
                if let Some(before) = before {
                    row(before)?;
                    rows += 1;
                }
                chosen = Some(formula);
            }
        }
        unsaid += 1;
        if unsaid == ROWS {
            watch(unsaid);
            unsaid = 0;
        }
    }
    if let Some(last) = chosen {
        row(last)?;
        rows += 1;
    }
    watch(unsaid);
    Ok((rows, others))
}

/// All columns but the last, each with its tab.
fn push_facts(row: &mut String, reader: &mut Reader<'_>, formula: FormulaNo) -> Result<(), Error> {
    let collection = reader.collection();
    let place = Place::of(collection, formula);
    let form = collection.formula_form(formula);
    push_field(row, &collection.formula_id(formula).to_string());
    row.push('\t');
    if let Some(post) = place.post {
        push_field(row, &collection.post_id(post).to_string());
        row.push('\t');
        push_field(row, &collection.post_id(collection.thread_of(post)).to_string());
        let _ = write!(row, "\t{}\t", place.kind);
        if let Some(comment) = place.comment {
            push_field(row, &collection.comment_id(comment).to_string());
        }
    } else if let Some(claim) = claimed(reader, formula)? {
        push_field(row, &claim.post);
        row.push('\t');
        if let Some(post) = collection.find_post(&claim.post) {
            push_field(row, &collection.post_id(collection.thread_of(post)).to_string());
        }
        row.push('\t');
        push_field(row, &claim.part);
        row.push('\t');
        push_field(row, &claim.comment.unwrap_or_default());
    } else {
        row.push_str("\t\t\t");
    }
    row.push('\t');
    if let Some(old) = collection.form_old_visual(form) {
        let _ = write!(row, "{old}");
    }
    let visual = collection.visual_id(collection.form_visual(form));
    let _ = write!(row, "\t{visual}\t{}\t", collection.formula_marks(formula).issue());
    Ok(())
}

/// Appends a field, quoted where it must be.
fn push_field(out: &mut String, field: &str) {
    if !field.contains(['\t', '"', '\n', '\r']) {
        out.push_str(field);
        return;
    }
    out.push('"');
    for c in field.chars() {
        if c == '"' {
            out.push('"');
        }
        out.push(c);
    }
    out.push('"');
}

/// The files of a table, one after another.
struct Parts {
    names: std::vec::IntoIter<String>,
    header: &'static str,
    output: Output,
    rows: u64,
    rows_each: u64,
}

impl Parts {
    fn new(
        collection: &Collection,
        table: Table,
        split: Option<u32>,
        folder: &Folder,
    ) -> Result<Self, Error> {
        let names = table.files(split);
        let rows_each = u64::from(collection.about().counts.formula_ids).div_ceil(names.len() as u64).max(1);
        let header = if table == Table::VisualIds { "id\tvisual_id\n" } else { HEADER };
        let mut names = names.into_iter();
        let first = names.next().expect("a table has at least one file");
        Ok(Self { output: begin(folder, &first, header)?, names, header, rows: 0, rows_each })
    }

    fn put(&mut self, row: &str, folder: &mut Folder) -> Result<(), Error> {
        // What the count did not promise goes to the last file.
        if self.rows == self.rows_each && self.next(folder)? {
            self.rows = 0;
        }
        self.rows += 1;
        self.output.put(row.as_bytes())
    }

    /// Goes to the next file, if there is one.
    fn next(&mut self, folder: &mut Folder) -> Result<bool, Error> {
        let Some(name) = self.names.next() else { return Ok(false) };
        let output = begin(folder, &name, self.header)?;
        folder.keep(std::mem::replace(&mut self.output, output))?;
        Ok(true)
    }

    /// All files are there, even when there were too few rows for them.
    fn finish(mut self, folder: &mut Folder) -> Result<(), Error> {
        while self.next(folder)? {}
        folder.keep(self.output)
    }
}

fn begin(folder: &Folder, name: &str, header: &str) -> Result<Output, Error> {
    let mut output = folder.file(name)?;
    output.put(header.as_bytes())?;
    Ok(output)
}

#[cfg(test)]
mod tests {
    use super::push_field;

    #[test]
    fn fields_are_quoted_as_python_does() {
        for (field, written) in [
            ("", ""),
            ("x^2", "x^2"),
            ("a b'c", "a b'c"),
            ("<mo a=\"1\">", "\"<mo a=\"\"1\"\">\""),
            ("a\tb", "\"a\tb\""),
            ("a\nb", "\"a\nb\""),
        ] {
            let mut out = String::new();
            push_field(&mut out, field);
            assert_eq!(out, written);
        }
    }
}
