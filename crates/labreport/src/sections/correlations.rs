//! Do measures order the systems alike, and do test sets?

use crate::document::Section;
use crate::scored::{ScoredSet, ScoredTask};
use crate::words::{count_cell, optional};
use figures::chart::{Diagonal, Point, Range, Scatter, Spacing, Tone};
use figures::table::{Cell, Column, Row, Table};
use stats::correlation::{pearson, tau_b};

/// Fewer systems than this have no order to speak of.
const FEWEST: usize = 3;

/// A coefficient of two lists.
pub(super) type Coefficient = fn(&[f64], &[f64]) -> Result<f64, stats::Error>;

/// Measures beside measures, and test sets beside test sets.
pub(super) fn part(task: &ScoredTask<'_, '_>) -> Section {
    let key = &task.task.key;
    let mut section = Section::new(format!("{key}-agreement-part"), task.task.name.clone());
    let set = task.current();
    let systems = set.with_scores();
    if systems.len() >= FEWEST && task.columns.len() > 1 {
        let measures: Vec<(String, Vec<Option<f64>>)> = task
            .columns
            .iter()
            .enumerate()
            .map(|(measure, column)| {
                (
                    column.name.clone(),
                    (0..task.task.systems.len()).map(|system| set.value(system, measure)).collect(),
                )
            })
            .collect();
        for (name, words, coefficient) in coefficients() {
            let caption = format!("{}: {words} between measures on {}.", task.task.name, set.set.name);
            section.table(format!("{key}-measures-{name}"), matrix(caption, &measures, coefficient));
        }
    }
    sets(task, &mut section);
    section
}

/// Pearson's r and Kendall's tau-b.
pub(super) fn coefficients() -> [(&'static str, &'static str, Coefficient); 2] {
    [("pearson", "Pearson's r", pearson), ("kendall", "Kendall's tau-b", tau_b)]
}

/// Every measure beside every other, over the systems that have both.
pub(super) fn matrix(
    caption: String,
    measures: &[(String, Vec<Option<f64>>)],
    coefficient: Coefficient,
) -> Table {
    let mut columns = vec![Column::left("")];
    columns.extend(measures.iter().map(|(name, _)| Column::right(name.as_str())));
    let mut systems = Vec::new();
    let rows = measures
        .iter()
        .map(|(name, left)| {
            let mut cells = vec![Cell::text(name.as_str())];
            for (_, right) in measures {
                let (x, y) = both(left, right);
                systems.push(x.len());
                cells.push(optional(coefficient(&x, &y).ok(), 3));
            }
            Row::Cells(cells)
        })
        .collect();
    let (least, most) =
        (systems.iter().min().copied().unwrap_or(0), systems.iter().max().copied().unwrap_or(0));
    let over = if least == most {
        format!("Over {most} systems.")
    } else {
        format!("Over {least} to {most} systems.")
    };
    Table { caption: vec![caption], columns, rows, footnotes: vec![over] }
}

/// The values of systems that have both.
fn both(left: &[Option<f64>], right: &[Option<f64>]) -> (Vec<f64>, Vec<f64>) {
    left.iter().zip(right).filter_map(|(a, b)| Some(((*a)?, (*b)?))).unzip()
}

/// Every two test sets by the first measure.
fn sets(task: &ScoredTask<'_, '_>, section: &mut Section) {
    let mut rows = Vec::new();
    for (place, left) in task.sets.iter().enumerate() {
        for right in &task.sets[place + 1..] {
            let all = shared(left, right);
            if all.len() < FEWEST {
                continue;
            }
            let fair: Vec<usize> = all
                .iter()
                .copied()
                .filter(|system| !task.trained_on(*system, left.set) && !task.trained_on(*system, right.set))
                .collect();
            let tau = |systems: &[usize]| {
                let of = |set: &ScoredSet<'_, '_>| -> Vec<f64> {
                    systems.iter().filter_map(|system| set.value(*system, 0)).collect()
                };
                tau_b(&of(left), &of(right)).ok()
            };
            rows.push(Row::Cells(vec![
                Cell::text(format!("{} : {}", left.set.name, right.set.name)),
                count_cell(all.len()),
                optional(tau(&all), 3),
                count_cell(fair.len()),
                optional(tau(&fair), 3),
            ]));
        }
    }
    if rows.is_empty() {
        return;
    }
    let mut columns = vec![Column::left("Test sets")];
    columns.extend(["systems", "tau-b"].map(|title| Column::right(title).under("All systems")));
    columns.extend(["systems", "tau-b"].map(|title| Column::right(title).under("Not trained on either")));
    let caption = vec![format!(
        "{}: do the test sets order the systems alike by {}?",
        task.task.name, task.columns[0].name
    )];
    let footnotes = vec!["Over the systems that were run on both.".to_owned()];
    section.table(format!("{}-sets-tau", task.task.key), Table { caption, columns, rows, footnotes });
    if let [.., before, current] = task.sets.as_slice()
        && shared(before, current).len() >= FEWEST
    {
        let caption = format!(
            "{} of every system on {} and on {}.",
            task.columns[0].name, before.set.name, current.set.name
        );
        section.chart(scatter(task, before, current), caption);
    }
}

/// The systems that have values on both sets.
fn shared(left: &ScoredSet<'_, '_>, right: &ScoredSet<'_, '_>) -> Vec<usize> {
    left.with_scores().into_iter().filter(|system| right.value(*system, 0).is_some()).collect()
}

fn scatter(task: &ScoredTask<'_, '_>, before: &ScoredSet<'_, '_>, current: &ScoredSet<'_, '_>) -> String {
    let points = shared(before, current).into_iter().map(|system| Point {
        label: task.names[system].clone(),
        x: before.value(system, 0).unwrap_or(f64::NAN),
        y: current.value(system, 0).unwrap_or(f64::NAN),
        tone: match (task.is_baseline(system), task.trained_on(system, before.set)) {
            (true, _) => Tone::Dim,
            (false, true) => Tone::Accent,
            (false, false) => Tone::Plain,
        },
    });
    Scatter {
        title: format!("{}: {} and {}", task.task.name, before.set.name, current.set.name),
        x_label: format!("{} on {}", task.columns[0].name, before.set.name),
        y_label: format!("{} on {}", task.columns[0].name, current.set.name),
        points: points.collect(),
        diagonal: Diagonal::Equal,
        x_spacing: Spacing::Linear,
        x_range: Range::Data,
        y_range: Range::Data,
        decimals: 3,
        summary: String::new(),
        notes: vec![format!(
            "Systems that were trained on {} stand out in colour; baselines are grey.",
            before.set.name
        )],
    }
    .to_svg()
}
