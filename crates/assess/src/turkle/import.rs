//! What assessors said in Turkle.

use super::columns::{Columns, Places};
use super::export::read_id;
use super::moment::moment;
use crate::books::Books;
use crate::error::{Error, Result};
use formats::{Assessment, CsvRow, Source, TopicId, read_csv};
use lab::Stage;
use lab::judgments::{ImportOptions, Imported, Unpooled};
use std::collections::BTreeSet;

/// How results of Turkle are taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurkleOptions {
    /// The set of topics; the current one if none is named.
    pub set: Option<String>,
    /// For what it was judged.
    pub stage: Stage,
    /// Where things stand in the table.
    pub columns: Columns,
}

impl Default for TurkleOptions {
    /// Of the current set, for the lab's judgments, with the usual columns.
    fn default() -> Self {
        Self { set: None, stage: Stage::Main, columns: Columns::default() }
    }
}

impl Books<'_> {
    /// Takes a table of Turkle's results: all rows or none. What the log has already is not added
    /// again.
    ///
    /// # Errors
    ///
    /// When it is no such table, or rows do not fit the lab: then all of them are told, with their
    /// lines.
    pub fn import_turkle(&self, source: Source<'_>, options: &TurkleOptions, by: &str) -> Result<Imported> {
        let origin = source.name().to_owned();
        let table = read_csv(source).map_err(lab::Error::from)?;
        let places = options.columns.find(&table.columns).map_err(Error::refused)?;
        let mut problems = Vec::new();
        let mut rows = Vec::new();
        for row in &table.rows {
            match assessments(row, &places) {
                Ok(found) => rows.extend(found),
                Err(reasons) => {
                    problems.extend(reasons.into_iter().map(|reason| format!("{}: {reason}", row.place)));
                }
            }
        }
        let how =
            ImportOptions { set: options.set.clone(), stage: options.stage, unpooled: Unpooled::Refuse };
        let (rows, result) = match self.lab().fit_judgments(&rows, &origin, &how) {
            Ok(fitting) if problems.is_empty() => fitting,
            Ok(_) => return Err(lab::Error::Rows(problems).into()),
            Err(lab::Error::Rows(more)) => {
                problems.extend(more);
                return Err(lab::Error::Rows(problems).into());
            }
            Err(other) => return Err(other.into()),
        };
        for row in &rows {
            self.lab().append_judgment(row)?;
        }
        if result.added > 0 {
            self.note(by, &format!("imported {} judgments of Turkle from {origin}", result.added))?;
        }
        Ok(result)
    }
}

/// What one row says: one judgment for every thing of the task.
fn assessments(row: &CsvRow, places: &Places) -> std::result::Result<Vec<Assessment>, Vec<String>> {
    let field = |column: usize| row.fields.get(column).map_or("", |field| field.trim());
    let at = |columns: &std::collections::BTreeMap<usize, usize>, number: usize| {
        columns.get(&number).map_or("", |column| field(*column))
    };
    let mut problems = Vec::new();
    let assessor = Some(field(places.assessor)).filter(|name| !name.is_empty());
    let assessor = assessor.or(places.other_assessor.map(field)).unwrap_or_default();
    for (what, text) in [("topic", field(places.topic)), ("item", field(places.item)), ("assessor", assessor)]
    {
        if text.is_empty() {
            problems.push(format!("the {what} is empty"));
        }
    }
    let seconds = match places.seconds.map(field).filter(|text| !text.is_empty()) {
        None => None,
        Some(text) => match text.parse::<f64>() {
            Ok(seconds) if seconds.is_finite() && seconds >= 0.0 => Some(seconds),
            _ => {
                problems.push(format!("{text:?} is no number of seconds"));
                None
            }
        },
    };
    let numbers: BTreeSet<usize> = places.verdicts.keys().chain(places.instances.keys()).copied().collect();
    let mut found: Vec<Assessment> = Vec::new();
    for number in numbers {
        let (verdict, instance) = (at(&places.verdicts, number), at(&places.instances, number));
        match (verdict.is_empty(), instance.is_empty()) {
            (true, true) => continue,
            (true, false) => {
                problems.push(format!("nothing is said of instance {instance}"));
                continue;
            }
            (false, true) if number > 1 && !places.instances.is_empty() => {
                problems
                    .push(format!("{verdict:?} is said of thing {number}, and there is no such instance"));
                continue;
            }
            (false, _) => {}
        }
        found.push(Assessment {
            place: row.place.clone(),
            topic: TopicId::from(read_id(field(places.topic)).as_str()),
            item: read_id(field(places.item)),
            instance: (!instance.is_empty()).then(|| read_id(instance)),
            assessor: assessor.to_owned(),
            verdict: word(verdict),
            seconds,
            comment: at(&places.comments, number).to_owned(),
            stage: None,
            at: places.sent.and_then(|column| moment(field(column))),
        });
    }
    if found.is_empty() && problems.is_empty() {
        problems.push("nothing is said".to_owned());
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    // Turkle measures the whole task.
    let count = found.len() as f64;
    for assessment in &mut found {
        assessment.seconds = seconds.map(|seconds| seconds / count);
    }
    Ok(found)
}

/// A word for a verdict as labs write it, where others write it in other ways.
fn word(text: &str) -> String {
    let plain: String = text.chars().filter(char::is_ascii_alphanumeric).collect();
    match plain.to_ascii_lowercase().as_str() {
        "h" | "highly" | "highlyrelevant" => "high".to_owned(),
        "m" => "medium".to_owned(),
        "l" => "low".to_owned(),
        "n" | "notrelevant" | "nonrelevant" | "irrelevant" | "not" => "not relevant".to_owned(),
        "systemfailure" | "failure" => "system failure".to_owned(),
        "donotknow" | "dontknow" | "dnk" => "do not know".to_owned(),
        _ => text.to_owned(),
    }
}
