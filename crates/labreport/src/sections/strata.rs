//! The systems on each kind of topics.

use super::labels::{LabelKinds, kinds};
use super::{exposure_note, rows, run_cell};
use crate::document::Section;
use crate::scored::ScoredTask;
use crate::words::{count_cell, optional};
use eval::{RunScores, StrataStudy, Stratum, strata};
use figures::chart::{Heatmap, Range, Scale};
use figures::table::{Cell, Column, Mark, Row, Table};

/// More systems than this make no readable heat map.
const MOST_SYSTEMS: usize = 80;

/// A part for each label that parts the judged topics.
pub(super) fn part(task: &ScoredTask<'_, '_>) -> Section {
    let key = &task.task.key;
    let mut section = Section::new(format!("{key}-kinds-part"), task.task.name.clone());
    let set = task.current();
    if set.with_scores().is_empty() {
        return section;
    }
    for (index, label) in kinds(set.set).iter().enumerate() {
        let strata = judged_strata(task, label);
        if strata.len() < 2 {
            continue;
        }
        let study = Study::new(task, &strata);
        section.table(format!("{key}-kinds-{}", index + 1), values(task, label, &strata, &study));
        if study.systems.len() <= MOST_SYSTEMS && study.systems.len() > 1 {
            let caption = format!("{} on {} by {}.", task.columns[0].name, set.set.name, label.name);
            section.chart(heatmap(task, label, &strata, &study), caption);
        }
        if study.systems.len() > 2 {
            section.table(format!("{key}-kinds-{}-tau", index + 1), agreement(task, label, &strata, &study));
        }
    }
    section
}

/// The values of a label that judged topics have.
fn judged_strata(task: &ScoredTask<'_, '_>, label: &LabelKinds) -> Vec<Stratum> {
    let judged = |topic: &formats::TopicId| task.current().tested().any(|(id, _)| id == topic);
    let strata = label.values.iter().map(|(value, topics)| Stratum {
        name: value.clone(),
        topics: topics.iter().filter(|topic| judged(topic)).cloned().collect(),
    });
    strata.filter(|stratum| !stratum.topics.is_empty()).collect()
}

/// A study and the systems it is of.
struct Study {
    systems: Vec<usize>,
    study: StrataStudy,
}

impl Study {
    fn new(task: &ScoredTask<'_, '_>, strata: &[Stratum]) -> Self {
        let set = task.current();
        let systems: Vec<usize> = task.systems().filter(|system| set.value(*system, 0).is_some()).collect();
        let scores: Vec<&RunScores> =
            systems.iter().filter_map(|system| set.scores[*system].as_ref()).collect();
        Self { systems, study: strata::study(&scores, strata, 0, set.set.policy) }
    }

    /// The value of a system on a stratum; nothing where it is over no topics.
    fn value(&self, stratum: usize, system: usize) -> Option<f64> {
        let place = self.systems.iter().position(|other| *other == system)?;
        let average = self.study.values[stratum][place];
        (average.topics > 0).then_some(average.value)
    }
}

fn values(task: &ScoredTask<'_, '_>, label: &LabelKinds, strata: &[Stratum], study: &Study) -> Table {
    let set = task.current();
    let mut columns = vec![Column::left("Run"), Column::right("all")];
    columns.extend(
        strata.iter().map(|stratum| Column::right(format!("{} ({})", stratum.name, stratum.topics.len()))),
    );
    let best: Vec<Option<f64>> = (0..strata.len())
        .map(|stratum| {
            study.systems.iter().filter_map(|system| study.value(stratum, *system)).reduce(f64::max)
        })
        .collect();
    let rows = rows(task, |system| {
        let all = set.value(system, 0)?;
        let mut cells = vec![run_cell(task, system), Cell::number(all, 3)];
        for (stratum, best) in best.iter().enumerate() {
            let value = study.value(stratum, system);
            let cell = optional(value, 3);
            let is_best = study.systems.len() > 1 && value.is_some() && value >= *best;
            cells.push(if is_best { cell.marked(Mark::Best) } else { cell });
        }
        Some(cells)
    });
    let mut footnotes = vec![
        "In parentheses: how many judged topics. Bold: the best of a column, baselines included.".to_owned(),
    ];
    footnotes.extend(exposure_note(task, &rows));
    let labelled: usize = strata.iter().map(|stratum| stratum.topics.len()).sum();
    let tested = set.tested().count();
    if labelled < tested {
        footnotes.push(format!("{} of the judged topics have no such label.", tested - labelled));
    }
    let caption =
        vec![format!("{}: {} on {} by {}.", task.task.name, task.columns[0].name, set.set.name, label.name)];
    Table { caption, columns, rows, footnotes }
}

fn heatmap(task: &ScoredTask<'_, '_>, label: &LabelKinds, strata: &[Stratum], study: &Study) -> String {
    let ranking = task.ranking();
    let values = ranking.iter().map(|system| {
        (0..strata.len()).map(|stratum| study.value(stratum, *system).unwrap_or(f64::NAN)).collect()
    });
    Heatmap {
        title: format!("{}: {} by {}", task.task.name, task.columns[0].name, label.name),
        rows: ranking.iter().map(|system| task.names[*system].clone()).collect(),
        columns: strata.iter().map(|stratum| stratum.name.clone()).collect(),
        values: values.collect(),
        measure: task.columns[0].name.clone(),
        scale: Scale::Sequential,
        range: Range::FROM_ZERO,
        decimals: 3,
        notes: Vec::new(),
    }
    .to_svg()
}

/// How the kinds of topics agree on the order of the systems.
fn agreement(task: &ScoredTask<'_, '_>, label: &LabelKinds, strata: &[Stratum], study: &Study) -> Table {
    let mut columns = vec![Column::left("Kinds")];
    columns.extend(["tau-b", "swaps", "mean move"].map(Column::right));
    let rows = study.study.pairs.iter().map(|pair| {
        let (left, right) = (&strata[pair.left].name, &strata[pair.right].name);
        Row::Cells(vec![
            Cell::text(format!("{left} : {right}")),
            optional(pair.tau_b, 2),
            count_cell(usize::try_from(pair.swaps).unwrap_or(usize::MAX)),
            Cell::number(pair.mean_move, 1),
        ])
    });
    let mut footnotes = vec![format!(
        "Over {} systems. tau-b: Kendall's, of the systems' values. swaps: pairs of systems in another order. \
         mean move: by how many places a system moves.",
        study.systems.len()
    )];
    if let Some(gap) = study.study.mean_gap {
        footnotes.push(format!("The mean difference between neighbours on all topics is {gap:.3}."));
    }
    let caption = vec![format!(
        "{}: do the kinds of topics by {} order the systems alike?",
        task.task.name, label.name
    )];
    Table { caption, columns, rows: rows.collect(), footnotes }
}
