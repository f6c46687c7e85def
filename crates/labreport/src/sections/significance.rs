//! How sure the results are: intervals, and tests against the base.

use super::{exposure_note, rows, run_cell};
use crate::document::Section;
use crate::input::Kind;
use crate::scored::{SIGNIFICANT, ScoredTask};
use crate::words::{count_cell, optional};
use eval::Comparison;
use figures::table::{Cell, Column, Mark, Table};

/// Adds the table of intervals and the table of tests.
pub(super) fn add(task: &ScoredTask<'_, '_>, section: &mut Section) {
    section.table(format!("{}-intervals", task.task.key), intervals(task));
    match task.base {
        Some(base) if task.current().with_scores().iter().any(|system| *system != base) => {
            section.table(format!("{}-significance", task.task.key), tests(task, base));
        }
        Some(_) => {}
        None => section.paragraph("There is no baseline with results, so no run is tested against one."),
    }
}

/// The star of a comparison, if it has one.
fn star(comparison: &Comparison) -> Option<Mark> {
    match comparison.corrected? {
        p if p < SIGNIFICANT[1] => Some(Mark::DoubleStar),
        p if p < SIGNIFICANT[0] => Some(Mark::Star),
        _ => None,
    }
}

fn intervals(task: &ScoredTask<'_, '_>) -> Table {
    let set = task.current();
    let ranked = matches!(task.task.kind, Kind::Ranked(_));
    let mut columns = vec![Column::left("Run")];
    for column in &task.columns {
        columns.push(Column::right("value").under(column.name.as_str()));
        columns.push(Column::right("95 % interval").under(column.name.as_str()));
    }
    columns.push(Column::right("topics"));
    columns.push(Column::right(if ranked { "judged@10" } else { "judged" }));
    let rows = rows(task, |system| {
        let average = set.average(system, 0)?;
        let mut cells = vec![run_cell(task, system)];
        for measure in 0..task.columns.len() {
            let mut cell = optional(set.value(system, measure), 3);
            if let Some(mark) = task.comparison(measure, system).and_then(star) {
                cell = cell.marked(mark);
            }
            cells.push(cell);
            cells.push(match set.interval(system, measure) {
                Some(interval) => Cell::text(format!("{:.3}–{:.3}", interval.low, interval.high)),
                None => Cell::text("–"),
            });
        }
        cells.push(count_cell(average.topics));
        cells.push(optional(set.judged_share(system), 3));
        Some(cells)
    });
    let mut footnotes = Vec::new();
    if let Some(base) = task.base {
        footnotes.push(format!(
            "* p < {}, ** p < {} against {} ({}, two-sided, {} over the runs).",
            SIGNIFICANT[0], SIGNIFICANT[1], task.names[base], task.method.test, task.method.correction
        ));
    }
    footnotes.push(
        if ranked {
            "judged@10: share of the first ten results that is judged. topics: how many are in the mean."
        } else {
            "judged: share of the answers that is judged. topics: how many are in the mean."
        }
        .to_owned(),
    );
    footnotes.extend(exposure_note(task, &rows));
    let caption = vec![format!("{}: intervals on {}.", task.task.name, set.set.name)];
    Table { caption, columns, rows, footnotes }
}

/// Every run beside the base by the first measure.
fn tests(task: &ScoredTask<'_, '_>, base: usize) -> Table {
    let mut columns = vec![Column::left("Run")];
    columns.extend(["difference", "p", "corrected p", "effect"].map(Column::right));
    columns.extend(["better", "equal", "worse"].map(|title| Column::right(title).under("Topics")));
    let mut tiny = false;
    let rows = rows(task, |system| {
        let comparison = task.comparison(0, system)?;
        tiny |= [comparison.p, comparison.corrected].into_iter().flatten().any(|p| p < 0.000_05);
        let mut corrected = optional(comparison.corrected, 4);
        if let Some(mark) = star(comparison) {
            corrected = corrected.marked(mark);
        }
        let mut cells = vec![
            run_cell(task, system),
            optional(Some(comparison.difference), 3),
            optional(comparison.p, 4),
            corrected,
            optional(comparison.effect, 2),
        ];
        cells.extend([comparison.better, comparison.equal, comparison.worse].map(count_cell));
        Some(cells)
    });
    let mut footnotes = vec![format!(
        "{}, two-sided, {} over the runs. effect: the mean difference in standard deviations of the differences. \
         Topics: those on which the run is better than the baseline, equal, and worse.",
        sentence(&task.method.test.to_string()),
        task.method.correction
    )];
    footnotes.extend(exposure_note(task, &rows));
    if tiny {
        footnotes.push("0.0000 means less than 0.00005.".to_owned());
    }
    let caption = vec![format!(
        "{}: {} on {} compared with {}.",
        task.task.name,
        task.columns[0].name,
        task.current().set.name,
        task.names[base]
    )];
    Table { caption, columns, rows, footnotes }
}

/// The text with a capital letter.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
