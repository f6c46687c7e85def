//! Scores as JSON: an array with an object for each run.

use super::remarks::remarks;
use super::score::Results;
use super::{StudyName, around, compare};
use anyhow::Result;
use eval::{Makeup, RunScores, TopicPolicy, TopicScores};
use figures::table::{Cell, Column, Row, Table};
use formats::{Exposed, Exposure, RecordedModel};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Value, json};

/// Names and values in their order.
struct Pairs<V>(Vec<(String, V)>);

impl<V: Serialize> Serialize for Pairs<V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

#[derive(serde::Serialize)]
struct RunObject {
    run: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    judgments: Option<String>,
    topics: usize,
    measures: Pairs<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    per_topic: Option<Pairs<Pairs<f64>>>,
    file: String,
    tag: String,
    models: Vec<RecordedModel>,
    math_stack_exchange: Exposure,
    averaged_over: String,
    definitions: Pairs<String>,
    around: Pairs<Value>,
    judged_at_10: f64,
    pool_share: f64,
    judged_share: f64,
    made_of_judged_only: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    against: Option<Value>,
    notes: Vec<String>,
    made_by: &'static str,
}

/// The tables of a study: rows with the values of their columns by name, all digits kept.
pub(super) fn study(name: StudyName, tables: &[Table]) -> Result<String> {
    let study = StudyObject {
        study: name.name(),
        tables: tables.iter().map(table).collect(),
        made_by: concat!("hypatia ", env!("CARGO_PKG_VERSION")),
    };
    Ok(serde_json::to_string_pretty(&study)?)
}

#[derive(serde::Serialize)]
struct StudyObject<'t> {
    study: &'static str,
    tables: Vec<TableObject<'t>>,
    made_by: &'static str,
}

#[derive(serde::Serialize)]
struct TableObject<'t> {
    caption: String,
    rows: Vec<Pairs<Value>>,
    notes: &'t [String],
}

/// A table as its caption, rows and notes. A column under a group is called `group: title`, as in CSV, and the
/// heading over a row is its `section`.
fn table(table: &Table) -> TableObject<'_> {
    let name = |column: &Column| match &column.group {
        Some(group) => format!("{group}: {}", column.title),
        None => column.title.clone(),
    };
    let value = |cell: &Cell| match &cell.value {
        figures::table::Value::Text(text) => json!(text),
        // Counts are whole numbers and stay that.
        figures::table::Value::Number { value, decimals: 0 }
            if value.abs() < 9e15 && value.fract() == 0.0 =>
        {
            #[expect(clippy::cast_possible_truncation, reason = "a whole number of at most 16 digits")]
            let count = *value as i64;
            json!(count)
        }
        figures::table::Value::Number { value, .. } if value.is_finite() => json!(value),
        figures::table::Value::Empty | figures::table::Value::Number { .. } => Value::Null,
    };
    let mut section = None;
    let mut rows = Vec::new();
    for row in &table.rows {
        match row {
            Row::Section(heading) => section = Some(heading),
            Row::Rule => section = None,
            Row::Cells(cells) => {
                let mut fields: Vec<(String, Value)> =
                    section.iter().map(|heading| ("section".to_owned(), json!(heading))).collect();
                fields.extend(table.columns.iter().map(name).zip(cells.iter().map(value)));
                rows.push(Pairs(fields));
            }
        }
    }
    TableObject { caption: table.caption.join(" "), rows, notes: &table.footnotes }
}

/// All runs by all judgments.
pub(super) fn array(results: &Results<'_>) -> Result<String> {
    let comparisons = compare::values(results)?;
    let mut objects = Vec::new();
    for (index, set) in results.sets.iter().enumerate() {
        for (run, scores) in set.scores.iter().enumerate() {
            let coverage = scores.coverage(results.policy);
            objects.push(RunObject {
                run: results.runs[run].name.clone(),
                judgments: (results.sets.len() > 1).then(|| set.name.clone()),
                topics: scores.admitted(results.policy).count(),
                measures: measures(results, |measure| scores.average(measure, results.policy).value),
                per_topic: results.args.per_topic.then(|| per_topic(results, scores)),
                file: results.runs[run].path.display().to_string(),
                tag: results.runs[run].run.tag().to_string(),
                models: results.runs[run].models.clone(),
                math_stack_exchange: Exposed::among(&results.runs[run].models).exposure(),
                averaged_over: results.policy.to_string(),
                definitions: measures(results, |measure| scores.measures[measure].to_string()),
                around: measures(results, |measure| around::json(results, index, run, measure)),
                judged_at_10: results.judged_at(scores),
                pool_share: coverage.pool_share,
                judged_share: coverage.judged_share,
                made_of_judged_only: scores.coverage(TopicPolicy::All).makeup == Makeup::JudgedOnly,
                against: comparisons.as_ref().map(|all| all[index][run].clone()),
                notes: remarks(results, run).iter().map(ToString::to_string).collect(),
                made_by: concat!("hypatia ", env!("CARGO_PKG_VERSION")),
            });
        }
    }
    Ok(serde_json::to_string_pretty(&objects)?)
}

fn measures<V>(results: &Results<'_>, value: impl Fn(usize) -> V) -> Pairs<V> {
    let names = results.columns.iter().enumerate();
    Pairs(names.map(|(measure, column)| (column.name.clone(), value(measure))).collect())
}

fn per_topic(results: &Results<'_>, scores: &RunScores) -> Pairs<Pairs<f64>> {
    let values = |topic: &TopicScores| measures(results, |measure| topic.values[measure]);
    Pairs(scores.admitted(results.policy).map(|topic| (topic.id.to_string(), values(topic))).collect())
}

/// A range as JSON.
pub(super) fn range(low: f64, high: f64) -> Value {
    json!([low, high])
}
