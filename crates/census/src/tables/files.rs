//! The files that a collection was built from, and what was wrong with them.

use super::{grouped_decimal, number};
use crate::Sheet;
use figures::table::{Cell, Column, Row, Table};

/// What was wrong with the files, and what was changed afterwards.
pub(super) fn dirt(sheet: &Sheet<'_>) -> Option<Table> {
    let about = sheet.collection.about();
    let mut rows = Vec::new();
    for (section, notes) in [("When it was built", &about.dirt), ("Repairs since then", &about.repairs)] {
        if notes.is_empty() {
            continue;
        }
        if !about.repairs.is_empty() {
            rows.push(Row::Section(section.into()));
        }
        rows.extend(notes.iter().map(|note| {
            Row::Cells(vec![
                Cell::text(note.kind.as_str()),
                Cell::text(note.action.as_str()),
                number(note.count),
            ])
        }));
    }
    (!rows.is_empty()).then(|| Table {
        caption: vec!["What was wrong with the files.".into()],
        columns: vec![Column::left("Kind"), Column::left("Action"), Column::right("Number")],
        rows,
        ..Table::default()
    })
}

/// Records that were read and are not kept.
pub(super) fn passed_over(sheet: &Sheet<'_>) -> Option<Table> {
    let passed_over = &sheet.collection.about().passed_over;
    (!passed_over.is_empty()).then(|| Table {
        caption: vec!["Records that are not kept.".into()],
        columns: vec![Column::left("Kind"), Column::right("Number")],
        rows: passed_over
            .iter()
            .map(|(kind, count)| Row::Cells(vec![Cell::text(kind.as_str()), number(*count)]))
            .collect(),
        ..Table::default()
    })
}

/// The files and their sizes, and the collection's.
pub(super) fn inputs(sheet: &Sheet<'_>) -> Table {
    let about = sheet.collection.about();
    let bytes: u64 = about.inputs.iter().map(|input| input.bytes).sum();
    let size = sheet.collection.size();
    let mut rows: Vec<Row> = about
        .inputs
        .iter()
        .map(|input| Row::Cells(vec![Cell::text(input.name.as_str()), number(input.bytes)]))
        .collect();
    if !rows.is_empty() {
        rows.push(Row::Rule);
    }
    if rows.len() > 2 {
        rows.push(Row::Cells(vec![Cell::text("all files"), number(bytes)]));
    }
    rows.push(Row::Cells(vec![Cell::text("the collection"), number(size)]));
    if bytes > 0 {
        let ratio = grouped_decimal(size as f64 / bytes as f64, 3);
        rows.push(Row::Cells(vec![Cell::text("collection / files"), Cell::text(ratio)]));
    }
    Table {
        caption: vec!["Files.".into()],
        columns: vec![Column::left("File"), Column::right("Bytes, unpacked")],
        rows,
        ..Table::default()
    }
}
