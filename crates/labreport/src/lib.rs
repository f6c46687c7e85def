//! What does the paper about this lab say?
//!
//! A lab is described by plain values: see [`Lab`]. [`overview`] scores every
//! run, compares, counts and lays out, and gives an [`Overview`]: one HTML page
//! that loads nothing and runs nothing, and the same tables as Markdown and
//! LaTeX. Scores come from `eval`, tests and agreement from `stats`, tables and
//! charts from `figures`. This crate reads and writes no file, asks no clock,
//! and gives the same bytes for the same lab.
//!
//! What is not known is left out, or one sentence says that it is missing; it
//! is never shown as 0.
//!
//! ```
//! use formats::check::{Evaluation, RunType};
//! use formats::qrels::{Qrels, Scale};
//! use formats::run::{Run, RunKind};
//! use formats::Source;
//! use labreport::{DataUsed, Kind, Lab, Output, Pooled, Role, System, Task, overview};
//!
//! let (qrels, _) = Qrels::read(Source::bytes("qrels", "A.1 0 x 3\nA.1 0 y 0\n"), Scale::Plain)?;
//! let run = Run::read(Source::bytes("run", "A.1 Q0 x 1 0.9 us\n"), RunKind::Documents)?;
//! let mut task = Task::new("Task 1: Answer Retrieval", "task1", Kind::Ranked(eval::Preset::Task1));
//! task.systems.push(System {
//!     team: "us".into(),
//!     run: "tree".into(),
//!     role: Role::Submitted(Evaluation::Primary),
//!     pooled: Pooled::AsPrimary,
//!     run_type: RunType::Auto,
//!     data: DataUsed::Both,
//!     answer_type: None,
//!     trained_on: Vec::new(),
//!     models: Vec::new(),
//!     warnings: 0,
//!     filtered: 0,
//! });
//! task.current.name = "Our lab".into();
//! task.current.qrels = Some(&qrels);
//! task.current.outputs.push(Some(Output::Ranking(&run)));
//! let lab = Lab { name: "Our lab".into(), tasks: vec![task], ..Lab::default() };
//! let report = overview(&lab)?;
//! assert!(report.to_html().starts_with("<!DOCTYPE html>"));
//! assert!(report.latex_files().iter().any(|file| file.name == "task1-results"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod counts;
mod document;
mod error;
mod input;
mod kappa;
mod scored;
mod sections;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod words;

pub use counts::{JudgedPart, JudgedRow, Level, RelevantGroup, RelevantItems, RelevantKind, judged_table};
pub use document::{FigureFile, Overview, TableFile};
pub use error::{OverviewError, Scored};
pub use input::*;

use scored::ScoredTask;
use std::collections::BTreeSet;

/// Makes the report about a lab.
///
/// # Errors
///
/// When a run cannot be scored by the rules of its test set, a system has
/// another kind of output than its task asks for, or a task has no usable key.
pub fn overview(lab: &Lab<'_>) -> Result<Overview, OverviewError> {
    let mut keys = BTreeSet::new();
    for task in &lab.tasks {
        let fit = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        if task.key.is_empty() || !task.key.bytes().all(fit) || !keys.insert(task.key.as_str()) {
            return Err(OverviewError::Key(task.key.clone()));
        }
    }
    let tasks: Vec<ScoredTask<'_, '_>> =
        lab.tasks.iter().map(|task| ScoredTask::new(task, &lab.settings)).collect::<Result<_, _>>()?;
    Ok(Overview { title: lab.name.clone(), lead: lab.about.clone(), sections: sections::all(lab, &tasks)? })
}
