//! Runs of Task 3 beside a baseline: by grades over the topics where people judged both, by similarities over
//! those where both have some.

use super::super::compare::{LEVELS, RESAMPLES};
use super::super::{Eval, TestName};
use super::entries::Entry;
use super::{Scored, Similar};
use anyhow::{Result, ensure};
use eval::task3::{Difference, compare_grades, compare_similarity};
use figures::table::{Cell, Column, Mark, Row, Table};
use serde_json::{Value, json};
use stats::paired::Resampling;
use std::collections::BTreeSet;

/// Comparisons with the base, some for each run.
pub(super) struct Against {
    base: usize,
    /// By each measure that both have; none for the base itself, and where no topic is common to both.
    runs: Vec<Vec<Compared>>,
    correction: eval::Correction,
}

/// A run beside the base by one measure.
struct Compared {
    measure: String,
    topics: usize,
    found: Difference,
    /// The p-value, corrected over the runs.
    corrected: f64,
}

impl Compared {
    fn new(measure: &str, topics: usize, found: Difference) -> Self {
        Self { measure: measure.to_owned(), topics, found, corrected: found.p }
    }
}

const AR: &str = "AR";
const P_AT_1: &str = "P@1";

impl Against {
    /// Compares all runs with the base.
    pub(super) fn new(args: &Eval, entries: &[Entry], scored: &[Scored], base: usize) -> Result<Self> {
        ensure!(entries.len() > 1, "--against compares runs: give another one than the base");
        ensure!(
            matches!(args.compare.test, None | Some(TestName::Random)),
            "--test: grades of Task 3 are compared by the randomisation test (random)"
        );
        let resampling = Resampling { resamples: RESAMPLES, seed: args.compare.seed };
        let mut runs: Vec<Vec<Compared>> = Vec::new();
        for (run, found) in scored.iter().enumerate() {
            runs.push(match run == base {
                true => Vec::new(),
                false => compare(found, &scored[base], &resampling)?,
            });
        }
        let correction = args.compare.correction.correction();
        let measures: BTreeSet<String> = runs.iter().flatten().map(|found| found.measure.clone()).collect();
        for measure in measures {
            let compared = runs.iter_mut().flatten().filter(|found| found.measure == measure);
            let mut compared: Vec<&mut Compared> = compared.collect();
            let p_values: Vec<f64> = compared.iter().map(|found| found.corrected).collect();
            for (found, p) in compared.iter_mut().zip(correction.apply(&p_values)) {
                found.corrected = p;
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
        let others = self.runs.iter().flatten().filter(|found| !is_grade(found));
        let others: BTreeSet<&str> = others.map(|found| found.measure.as_str()).collect();
        for measure in others.into_iter().rev() {
            footnotes.push(format!(
                "{measure}: over the topics where the answers of both runs have references, each those that are left for it."
            ));
        }
        for (run, (entry, compared)) in entries.iter().zip(&self.runs).enumerate() {
            if run != self.base && !compared.iter().any(is_grade) {
                footnotes.push(format!("{}: no topic has a judged answer of both runs.", entry.name));
            }
            for Compared { measure, topics, found, corrected } in compared {
                let mut cells = vec![
                    Cell::text(entry.name.as_str()),
                    Cell::text(measure.as_str()),
                    count(*topics),
                    Cell::number(found.run, 3),
                    Cell::number(found.base, 3),
                    Cell::number(found.value(), 3),
                    Cell::number(found.p, 4),
                    star(Cell::number(*corrected, 4), *corrected),
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
        for Compared { measure, topics, found, corrected } in &self.runs[run] {
            if measure == AR {
                object["topics"] = json!(topics);
            }
            object["measures"][measure.as_str()] = json!({
                "topics": topics, "run": found.run, "base": found.base, "difference": found.value(), "p": found.p,
                "p_corrected": corrected, "better": found.better, "equal": found.equal, "worse": found.worse,
            });
        }
        Some(object)
    }
}

/// A run beside the base by all measures that both have.
fn compare(run: &Scored, base: &Scored, resampling: &Resampling) -> Result<Vec<Compared>> {
    let mut compared = Vec::new();
    if let Some(grades) = compare_grades(&run.relevance, &base.relevance, resampling)? {
        let topics = grades.topics.len();
        compared.extend([Compared::new(AR, topics, grades.ar), Compared::new(P_AT_1, topics, grades.p_at_1)]);
    }
    for similar in &run.similar {
        let same = |other: &&Similar| other.score.measure == similar.score.measure;
        let Some(other) = base.similar.iter().find(same) else { continue };
        if let Some(found) = compare_similarity(&similar.score, &other.score, resampling)? {
            compared.push(Compared::new(&similar.score.measure, found.topics.len(), found.difference));
        }
    }
    Ok(compared)
}

/// Whether a comparison is by people's grades.
fn is_grade(compared: &Compared) -> bool {
    [AR, P_AT_1].contains(&compared.measure.as_str())
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
