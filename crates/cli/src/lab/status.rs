//! `hypatia lab status`: how far a lab is.

use super::counted;
use crate::output;
use crate::{Exit, Run};
use ::formats::check::{Evaluation, RunType};
use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use figures::table::{Align, Cell, Colour, Column, Row, Table};
use lab::status::Judging;
use lab::{Lab, Role};
use serde_json::json;
use std::path::PathBuf;

const LONG_ABOUT: &str = "\
Tells how far a lab is: which systems have runs on which sets of topics, what was pooled, and how much \
of it was judged by whom.";

const EXAMPLES: &str = "\
Examples:
  hypatia lab status mylab
  hypatia lab status mylab --format json | jq '.judging[].judged'";

/// Tell how far a lab is
#[derive(Debug, Args)]
#[command(long_about = LONG_ABOUT, after_help = EXAMPLES)]
pub(crate) struct Status {
    /// The folder of the lab
    #[arg(value_name = "LAB")]
    folder: PathBuf,

    /// How to print
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Tables for people
    Text,
    /// An object
    Json,
}

impl Run for Status {
    fn run(self) -> Result<Exit> {
        let lab = super::open_to_read(&self.folder)?;
        let status = lab.status()?;
        let out = match self.format {
            Format::Text => text(&lab, &status),
            Format::Json => json_text(&lab, &status)?,
        };
        output::print(out.as_bytes())?;
        Ok(Exit::Yes)
    }
}

fn text(lab: &Lab, status: &lab::status::Status) -> String {
    let manifest = lab.manifest();
    let mut out = format!("{}, by the rules of {}\n\n", manifest.name, manifest.rules);
    let sets: Vec<&str> = manifest.sets.iter().map(|set| set.name.as_str()).collect();
    let mut columns =
        vec![Column::left("System"), Column::left("task"), Column::left("kind"), Column::left("data")];
    columns.extend(sets.iter().map(|set| Column { align: Align::Right, ..Column::right(*set) }));
    let rows = status.systems.iter().map(|system| {
        let role = match (system.role, system.evaluation) {
            (Role::Baseline, _) => "baseline",
            (Role::Team, Evaluation::Primary) => "primary",
            (Role::Team, Evaluation::Alternate) => "alternate",
        };
        let manual = if system.run_type == RunType::Manual { ", manual" } else { "" };
        let mut cells = vec![
            Cell::text(system.to_string()),
            Cell::text(system.task.number().to_string()),
            Cell::text(format!("{role}{manual}")),
            Cell::text(system.data.word()),
        ];
        cells.extend(sets.iter().map(|set| match (system.on(set), lab.manifest().set(Some(set))) {
            (Some(run), _) => {
                let trained = if system.trained_on.iter().any(|on| on == set) { "†" } else { "" };
                Cell::text(format!("{}{trained}", run.rows))
            }
            (None, Ok(known)) if known.files(system.task).is_some() => Cell::text("missing"),
            _ => Cell::text("–"),
        }));
        Row::Cells(cells)
    });
    let table = Table {
        caption: vec!["Rows of each system on each set of topics".to_owned()],
        columns,
        rows: rows.collect(),
        footnotes: vec!["† the system learned from judgments of this set".to_owned()],
    };
    if status.systems.is_empty() {
        out.push_str("No runs yet.\n");
    } else {
        out.push_str(&table.to_text(Colour::Off));
    }
    for judging in &status.judging {
        out.push_str(&in_words(judging));
    }
    out
}

fn in_words(judging: &Judging) -> String {
    let mut out = format!("\n{} of {}: ", judging.kind, judging.set);
    match judging.pool {
        None => out.push_str("no pool; "),
        Some(number) => out.push_str(&format!(
            "pool {number} has {} over {}; ",
            counted(judging.items, "item", "items"),
            counted(judging.topics, "topic", "topics")
        )),
    }
    out.push_str(&format!("{} judged, {} of them without a grade", judging.judged, judging.codes));
    if judging.pool.is_some() {
        out.push_str(&format!("; {} done", counted(judging.topics_done, "topic", "topics")));
    }
    if judging.held > 0 {
        out.push_str(&format!("; {} held back", judging.held));
    }
    out.push('\n');
    for (assessor, (count, seconds)) in &judging.assessors {
        let hours = if *seconds > 0.0 { format!(" in {:.1} hours", seconds / 3600.0) } else { String::new() };
        out.push_str(&format!("  {assessor}: {count}{hours}\n"));
    }
    out
}

fn json_text(lab: &Lab, status: &lab::status::Status) -> Result<String> {
    let systems: Vec<_> = status
        .systems
        .iter()
        .map(|system| {
            let runs: Vec<_> = system
                .submissions
                .iter()
                .map(|run| {
                    json!({ "set": run.set, "file": run.path, "sha256": run.sha256, "rows": run.rows,
                            "topics": run.topics, "warnings": run.warnings, "by": run.by, "at": run.at })
                })
                .collect();
            json!({
                "team": system.team, "task": system.task.number(), "run": system.run,
                "baseline": system.role == Role::Baseline, "primary": system.evaluation == Evaluation::Primary,
                "pooled_as_primary": system.pooled_as == Evaluation::Primary,
                "manual": system.run_type == RunType::Manual, "data": system.data.word(),
                "trained_on": system.trained_on, "runs": runs,
            })
        })
        .collect();
    let judging: Vec<_> = status
        .judging
        .iter()
        .map(|judging| {
            json!({ "kind": judging.kind.word(), "set": judging.set, "pool": judging.pool, "items": judging.items,
                    "held": judging.held, "judged": judging.judged, "codes": judging.codes,
                    "topics": judging.topics, "topics_done": judging.topics_done })
        })
        .collect();
    let missing: Vec<_> = status
        .missing_runs
        .iter()
        .map(|run| json!({ "system": run.system, "task": run.task, "set": run.set }))
        .collect();
    let object = json!({ "lab": lab.manifest().name, "systems": systems, "missing_runs": missing, "judging": judging });
    Ok(serde_json::to_string_pretty(&object).context("writing JSON")? + "\n")
}
