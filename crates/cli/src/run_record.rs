//! Records beside runs, as commands use them: a damaged one is a warning, and the marks of exposed runs.

use crate::output::WholeFile;
use crate::warn;
use ::formats::{Exposed, RecordFile, RecordedModel, RunRecord};
use anyhow::Result;
use figures::table::{Cell, Mark};
use serde_json::{Value, json};
use std::path::Path;

/// The column of CSV tables for the exposure of a run, and its field in JSON.
pub(crate) const EXPOSURE_FIELD: &str = "math_stack_exchange";

/// The record beside a run. A damaged one is a warning, and the run counts as one without a record.
pub(crate) fn beside(run: &Path) -> Option<RecordFile> {
    RecordFile::beside(run).unwrap_or_else(|error| {
        warn(&format!("{error}; {} is read without its record", run.display()));
        None
    })
}

/// The models of a run, by the record beside it.
pub(crate) fn models(run: &Path) -> Vec<RecordedModel> {
    beside(run).map(|file| file.record.models).unwrap_or_default()
}

/// Models of several runs, each once.
pub(crate) fn joined(models: impl IntoIterator<Item = RecordedModel>) -> Vec<RecordedModel> {
    let mut models: Vec<RecordedModel> = models.into_iter().collect();
    models.sort();
    models.dedup();
    models
}

/// Writes a record beside a run, unless the run went to a pipe or a device.
pub(crate) fn write(run: &Path, record: &RunRecord) -> Result<()> {
    if !run.is_file() {
        return Ok(());
    }
    WholeFile::create_beside(&RecordFile::path(run))?.write(record.to_json().as_bytes())
}

/// The name of a run or system in a table, with the mark ‡ if one of its models is exposed.
pub(crate) fn name_cell(name: &str, models: &[RecordedModel]) -> Cell {
    let cell = Cell::text(name);
    if Exposed::among(models).is_empty() { cell } else { cell.marked(Mark::DoubleDagger) }
}

/// The exposure of a run as a cell of a CSV table.
pub(crate) fn exposure_cell(models: &[RecordedModel]) -> Cell {
    Cell::text(Exposed::among(models).exposure().word())
}

/// Adds the models of a run and their exposure to its object.
pub(crate) fn add_to(object: &mut Value, models: &[RecordedModel]) {
    object["models"] = json!(models);
    object[EXPOSURE_FIELD] = json!(Exposed::among(models).exposure());
}
