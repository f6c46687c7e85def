//! The queries: read as a whole, since every candidate meets them.

use super::notes::Notes;
use super::table::{COLUMNS, NOTATIONS, Row, Table, Wanted, is_usable};
use crate::engine::{Alike, Formula, Measure, Measurer, Notation, Trees};
use anyhow::{Context, Result, bail, ensure};
use formats::TopicId;
use formula::matching::Prepared;
use latex::Mode;
use std::collections::HashMap;

/// A query in all the notations its row has.
#[derive(Debug)]
pub(super) struct Query {
    pub(super) topic: TopicId,
    /// In the order of [`NOTATIONS`]; none where there is nothing to read.
    pub(super) formulas: [Option<Prepared>; 4],
    /// Its trees, where another measure than our own compares them.
    pub(super) trees: Option<Trees>,
}

/// All queries.
#[derive(Debug)]
pub(super) struct Queries {
    /// In the order of the table.
    pub(super) all: Vec<Query>,
    /// For each value of the column that candidates are chosen by, the queries that have it.
    groups: Option<HashMap<String, Vec<usize>>>,
    everyone: Vec<usize>,
}

impl Queries {
    /// Reads the table; `by` names the column that candidates are chosen by.
    pub(super) fn read(
        mut table: Table<'_>,
        by: Option<&str>,
        measure: Option<&'static Measure>,
    ) -> Result<Self> {
        let id = table.column("topic")?;
        let wanted = Wanted {
            id,
            // The topic is all a query needs to be known by.
            by: by.map(|name| table.find(name).unwrap_or(id)),
            formulas: table.formulas()?,
        };
        let name = table.name.clone();
        let mut notes = Notes::default();
        let mut alike = Alike::default();
        let mut measurer = measure.map(|_| Measurer::default());
        let mut all: Vec<Query> = Vec::new();
        let mut lines: HashMap<String, u64> = HashMap::new();
        let mut groups: HashMap<String, Vec<usize>> = HashMap::new();
        while let Some(batch) = table.reader.read_batch().with_context(|| name.clone())? {
            for record in batch.records() {
                let line = record.line;
                let row = wanted.select(record, &mut notes);
                ensure!(is_usable(&row.id), "{name}:{line}: the topic '{}' is empty or holds blanks", row.id);
                if let Some(first) = lines.insert(row.id.to_string(), line) {
                    bail!("{name}:{line}: topic '{}' is there twice, first in line {first}", row.id);
                }
                groups.entry(row.by.to_string()).or_default().push(all.len());
                let formulas = read_row(&mut alike, &row, line, &mut notes);
                let trees = match &mut measurer {
                    Some(measurer) => read_trees(measurer, &row, Mode::Query)
                        .map_err(|(column, reason)| notes.add_unread(line, column, &reason))
                        .ok()
                        .flatten(),
                    None => None,
                };
                all.push(Query { topic: TopicId::from(&*row.id), formulas, trees });
            }
        }
        ensure!(!all.is_empty(), "{name}: no queries, only a header");
        notes.report(&name, ["so not used", "so nothing is alike"]);
        let everyone = (0..all.len()).collect();
        Ok(Self { all, groups: by.map(|_| groups), everyone })
    }

    /// The queries that rank a candidate with this value.
    pub(super) fn of(&self, value: &str) -> &[usize] {
        match &self.groups {
            Some(groups) => groups.get(value).map_or(&[], Vec::as_slice),
            None => &self.everyone,
        }
    }
}

/// The trees of a row: the layout tree of its first notation that has one, and the operator tree that it gives, else
/// that of the layout. The error names the column.
pub(super) fn read_trees(
    measurer: &mut Measurer,
    row: &Row<'_>,
    mode: Mode,
) -> Result<Option<Trees>, (&'static str, String)> {
    let formula = |index: usize| {
        let source = row.formulas[index].trim();
        Formula { notation: NOTATIONS[index], mode, source }
    };
    let layout = (0..NOTATIONS.len()).find(|&index| row.has(index) && NOTATIONS[index] != Notation::Opt);
    let operators = (0..NOTATIONS.len()).find(|&index| row.has(index) && NOTATIONS[index] == Notation::Opt);
    let read = match (layout, operators) {
        (Some(layout), Some(operators)) => measurer.read_both(formula(layout), formula(operators)),
        (Some(one), None) | (None, Some(one)) => measurer.read(formula(one)),
        (None, None) => return Ok(None),
    };
    let column = COLUMNS[layout.or(operators).unwrap_or(0)];
    read.map(Some).map_err(|reason| (column, reason))
}

fn read_row(alike: &mut Alike, row: &Row<'_>, line: u64, notes: &mut Notes) -> [Option<Prepared>; 4] {
    let formulas = std::array::from_fn(|index| {
        if !row.has(index) {
            return None;
        }
        let source = row.formulas[index].trim();
        let read = alike.read(Formula { notation: NOTATIONS[index], mode: Mode::Query, source });
        read.map_err(|reason| notes.add_unread(line, COLUMNS[index], &reason)).ok()
    });
    if formulas.iter().all(Option::is_none) {
        notes.empty.add(line);
    }
    formulas
}
