//! Records beside runs, as commands use them: a damaged one is a warning, and the marks of exposed runs.

use crate::output::WholeFile;
use crate::warn;
use ::formats::{Exposed, RecordFile, RecordedModel, RecordedQueries, RunRecord};
use anyhow::{Context, Result, ensure};
use figures::table::{Cell, Mark};
use serde_json::{Value, json};
use std::fs;
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

/// The queries made by hand that the record of a run names, which lie beside it. That they are missing is a warning.
///
/// # Errors
///
/// When they cannot be read, or are not those that the record was made with.
pub(crate) fn queries(run: &Path, record: &RunRecord) -> Result<Option<Vec<u8>>> {
    let Some(RecordedQueries { kept, fingerprint }) = &record.queries else { return Ok(None) };
    let is_name = Path::new(kept).file_name().is_some_and(|name| name == kept.as_str());
    let path = run.with_file_name(kept);
    if !is_name || !path.is_file() {
        warn(&format!(
            "{}: its queries made by hand are kept in {kept}, which is not beside it",
            run.display()
        ));
        return Ok(None);
    }
    let bytes = fs::read(&path).with_context(|| path.display().to_string())?;
    ensure!(
        fingerprint.is_empty() || *fingerprint == format!("{:016x}", xxhash_rust::xxh3::xxh3_64(&bytes)),
        "{}: was changed since {} was made with it",
        path.display(),
        run.display()
    );
    Ok(Some(bytes))
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
