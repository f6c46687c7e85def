//! Runs of Task 3 beside a baseline, over the topics where people judged both.

use super::super::compare::{LEVELS, RESAMPLES};
use super::super::{Eval, TestName};
use super::Scored;
use super::entries::Entry;
use anyhow::{Result, ensure};
use eval::task3::{Difference, GradeComparison, compare_grades};
use report::table::{Cell, Column, Mark, Row, Table};
use serde_json::{Value, json};
use stats::paired::Resampling;

/// Comparisons with the base, one for each run.
pub(super) struct Against {
    base: usize,
    /// Nothing for the base itself, and where no topic of both was judged.
    runs: Vec<Option<Compared>>,
    correction: eval::Correction,
}

struct Compared {
    grades: GradeComparison,
    /// The corrected p-values of AR and P@1.
    corrected: [f64; 2],
}

impl Compared {
    fn measures(&self) -> [(&'static str, Difference, f64); 2] {
        let [ar, p_at_1] = self.corrected;
        [("AR", self.grades.ar, ar), ("P@1", self.grades.p_at_1, p_at_1)]
    }
}

impl Against {
    /// Compares all runs with the base.
    pub(super) fn new(args: &Eval, entries: &[Entry], scored: &[Scored], base: usize) -> Result<Self> {
        ensure!(entries.len() > 1, "--against compares runs: give another one than the base");
        ensure!(
            matches!(args.compare.test, None | Some(TestName::Random)),
            "--test: grades of Task 3 are compared by the randomisation test (random)"
        );
        let resampling = Resampling { resamples: RESAMPLES, seed: args.compare.seed };
        let mut runs: Vec<Option<Compared>> = Vec::new();
        for (run, found) in scored.iter().enumerate() {
            let grades = match run == base {
                true => None,
                false => compare_grades(&found.relevance, &scored[base].relevance, &resampling)?,
            };
            runs.push(grades.map(|grades| Compared { corrected: [grades.ar.p, grades.p_at_1.p], grades }));
        }
        let correction = args.compare.correction.correction();
        for measure in 0..2 {
            let mut compared: Vec<&mut Compared> = runs.iter_mut().flatten().collect();
            let p_values: Vec<f64> = compared.iter().map(|run| run.corrected[measure]).collect();
            for (run, p) in compared.iter_mut().zip(correction.apply(&p_values)) {
                run.corrected[measure] = p;
            }
        }
        Ok(Self { base, runs, correction })
    }

    /// Every run beside the base.
    pub(super) fn table(&self, entries: &[Entry]) -> Table {
        let base = &entries[self.base].name;
        let mut columns = vec![Column::left("Run"), Column::left("Measure")];
        columns.extend(
            ["topics", "run", "base", "difference", "p", "corrected", "better", "equal", "worse"]
                .map(Column::right),
        );
        let mut rows = Vec::new();
        let mut footnotes = vec![
            "Over exactly the topics where the answers of both runs were judged, so that the means are not those above."
                .to_owned(),
            format!("Randomisation test of the mean, two-sided, {} over the runs.", self.correction),
        ];
        for (entry, compared) in entries.iter().zip(&self.runs) {
            let Some(compared) = compared else {
                if entry.name != *base {
                    footnotes.push(format!("{}: no topic has a judged answer of both runs.", entry.name));
                }
                continue;
            };
            for (measure, found, corrected) in compared.measures() {
                let mut cells = vec![
                    Cell::text(entry.name.as_str()),
                    Cell::text(measure),
                    count(compared.grades.topics.len()),
                    Cell::number(found.run, 3),
                    Cell::number(found.base, 3),
                    Cell::number(found.value(), 3),
                    Cell::number(found.p, 4),
                    star(Cell::number(corrected, 4), corrected),
                ];
                cells.extend([found.better, found.equal, found.worse].map(count));
                rows.push(Row::Cells(cells));
            }
        }
        Table { caption: vec![format!("Against {base}")], columns, rows, footnotes }
    }

    /// The comparison of a run, if it is not the base.
    pub(super) fn json(&self, entries: &[Entry], run: usize) -> Option<Value> {
        let base = &entries[self.base].name;
        if run == self.base {
            return None;
        }
        let mut object = json!({
            "run": base, "test": eval::PairedTest::Randomisation.to_string(),
            "correction": self.correction.to_string(), "topics": 0, "measures": {},
        });
        if let Some(compared) = &self.runs[run] {
            object["topics"] = json!(compared.grades.topics.len());
            for (measure, found, corrected) in compared.measures() {
                object["measures"][measure] = json!({
                    "run": found.run, "base": found.base, "difference": found.value(), "p": found.p,
                    "p_corrected": corrected, "better": found.better, "equal": found.equal, "worse": found.worse,
                });
            }
        }
        Some(object)
    }
}

fn star(cell: Cell, p: f64) -> Cell {
    match p {
        p if p < LEVELS[1] => cell.marked(Mark::DoubleStar),
        p if p < LEVELS[0] => cell.marked(Mark::Star),
        _ => cell,
    }
}

#[expect(clippy::cast_precision_loss, reason = "a number of topics")]
fn count(number: usize) -> Cell {
    Cell::number(number as f64, 0)
}
