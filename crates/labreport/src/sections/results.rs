//! The tables of results, as the overviews of ARQMath print them.

use super::answers::AnswerMeasures;
use super::{exposure_note, rows, run_cell, significance, systems};
use crate::document::Section;
use crate::error::OverviewError;
use crate::input::{Kind, Pooled, Role};
use crate::scored::{ScoredSet, ScoredTask};
use crate::words::{count, list, some};
use eval::Outcome;
use figures::table::{Align, Cell, Column, Mark, Table};
use formats::check::{AnswerType, Evaluation};

/// More columns of values than this do not stand side by side.
const WIDEST: usize = 9;

/// A task's results: the table, the chart, intervals and tests.
pub(super) fn part(
    task: &ScoredTask<'_, '_>,
    answers: Option<&AnswerMeasures>,
    tasks: &[ScoredTask<'_, '_>],
) -> Result<Section, OverviewError> {
    let key = &task.task.key;
    let mut section = Section::new(format!("{key}-results-part"), task.task.name.clone());
    if task.task.systems.is_empty() {
        return Ok(section);
    }
    if task.sets.iter().all(|set| set.with_scores().is_empty()) {
        section.paragraph("There are no results: nothing that a run returned is judged.");
        return Ok(section);
    }
    match answers {
        Some(answers) => section.table(format!("{key}-results"), answers.table(task)),
        None => {
            let scored: Vec<&ScoredSet<'_, '_>> =
                task.sets.iter().filter(|set| !set.with_scores().is_empty()).collect();
            if scored.len() * task.columns.len() <= WIDEST {
                section.table(format!("{key}-results"), table(task, &scored));
            } else {
                for (index, set) in scored.iter().enumerate() {
                    let last = index + 1 == scored.len();
                    let name =
                        if last { format!("{key}-results") } else { format!("{key}-results-{}", index + 1) };
                    section.table(name, table(task, std::slice::from_ref(set)));
                }
            }
        }
    }
    let training: Vec<&ScoredSet<'_, '_>> = task
        .sets
        .iter()
        .filter_map(|set| set.training.as_deref())
        .filter(|set| !set.with_scores().is_empty())
        .collect();
    for (index, sets) in training.chunks((WIDEST / task.columns.len()).max(1)).enumerate() {
        if index == 0 {
            section.paragraph(
                "Topics that were set apart for training are in none of these means; they have a table of their own.",
            );
        }
        let number = if index == 0 { String::new() } else { format!("-{}", index + 1) };
        let mut table = table(task, sets);
        table.caption = vec![format!("{}: results on topics set apart for training.", task.task.name)];
        section.table(format!("{key}-results-train{number}"), table);
    }
    if !task.current().with_scores().is_empty() {
        section.chart(systems::chart(task), systems::caption(task));
        significance::add(task, &mut section);
    }
    if let Some(answers) = answers {
        answers.add(task, tasks, &mut section)?;
    }
    Ok(section)
}

/// The columns on the left: what kind of run it is.
pub(super) fn type_columns(task: &ScoredTask<'_, '_>) -> Vec<Column> {
    let centred = |title: &str| Column { title: title.to_owned(), group: None, align: Align::Centre };
    let mut columns = vec![Column::left("Run"), centred("Data"), centred("P"), centred("M")];
    if matches!(task.task.kind, Kind::Answers(_)) {
        columns.push(centred("G"));
    }
    columns
}

/// Name, data, primary, manual and, for answers, generative.
pub(super) fn type_cells(task: &ScoredTask<'_, '_>, system: usize) -> Vec<Cell> {
    let name = run_cell(task, system);
    let system = &task.task.systems[system];
    let check = |holds: bool| if holds { Cell::text("✓") } else { Cell::default() };
    let primary = match (system.role, system.pooled) {
        (Role::Submitted(Evaluation::Primary), _) => Cell::text("✓"),
        (Role::Baseline, Pooled::AsPrimary) => Cell::text("(✓)"),
        _ => Cell::default(),
    };
    let data = Cell::text(system.data.sign());
    let manual = check(system.run_type == formats::check::RunType::Manual);
    let mut cells = vec![name, data, primary, manual];
    if matches!(task.task.kind, Kind::Answers(_)) {
        cells.push(check(system.answer_type == Some(AnswerType::Generate)));
    }
    cells
}

/// What the columns on the left mean.
pub(super) fn type_words(task: &ScoredTask<'_, '_>) -> String {
    let generative = match task.task.kind {
        Kind::Answers(_) => " G: generative system.",
        Kind::Ranked(_) => "",
    };
    format!(
        "P: primary run, (✓): baseline pooled like a primary run. M: manual run.{generative} \
         Data: (T)ext, (M)ath, (B)oth, or links (*L)."
    )
}

/// Which values of a column stand out: one for each system.
///
/// The best run is bold, and if it is manual the best automatic one, too. A
/// baseline that is better than all runs stands in parentheses. Values that
/// `excluded` names do not compete.
pub(super) fn best_marks(
    task: &ScoredTask<'_, '_>,
    values: &[Option<f64>],
    excluded: impl Fn(usize) -> bool,
) -> Vec<Option<Mark>> {
    let mut marks = vec![None; values.len()];
    let competes = |system: &usize| !task.is_baseline(*system) && !excluded(*system);
    let best = |automatic_only: bool| {
        let systems = (0..values.len()).filter(competes);
        let systems = systems.filter(|system| !automatic_only || !task.is_manual(*system));
        systems.filter_map(|system| values[system]).reduce(f64::max)
    };
    let (Some(highest), automatic) = (best(false), best(true)) else { return marks };
    for (system, value) in values.iter().enumerate() {
        let Some(value) = *value else { continue };
        if task.is_baseline(system) {
            if value > highest {
                marks[system] = Some(Mark::Parentheses);
            }
        } else if !excluded(system)
            && (value >= highest || (!task.is_manual(system) && automatic.is_some_and(|best| value >= best)))
        {
            marks[system] = Some(Mark::Best);
        }
    }
    // One run is not the best of anything.
    if (0..values.len()).filter(|system| values[*system].is_some()).count() < 2 {
        marks.fill(None);
    }
    marks
}

/// A measure on a test set: a value and a mark for each system.
struct ValueColumn {
    /// Which of the test sets that are shown.
    set: usize,
    values: Vec<Option<f64>>,
    marks: Vec<Option<Mark>>,
}

/// All systems by all measures of some test sets.
fn table(task: &ScoredTask<'_, '_>, sets: &[&ScoredSet<'_, '_>]) -> Table {
    let mut columns = type_columns(task);
    let mut values: Vec<ValueColumn> = Vec::new();
    for (set, scored) in sets.iter().enumerate() {
        let group = format!("{}, {}", scored.name, count(scored.topics_in_means(), "topic", "topics"));
        for (measure, column) in task.columns.iter().enumerate() {
            columns.push(Column::right(column.name.as_str()).under(group.clone()));
            let of: Vec<Option<f64>> =
                (0..task.task.systems.len()).map(|system| scored.value(system, measure)).collect();
            let marks = best_marks(task, &of, |system| task.trained_on(system, scored.set));
            values.push(ValueColumn { set, values: of, marks });
        }
    }
    let mut trained = false;
    let rows = rows(task, |system| {
        let mut cells = type_cells(task, system);
        for column in &values {
            let value = column.values[system];
            let mut cell = value.map_or_else(|| Cell::text("–"), |value| Cell::number(value, 3));
            if let Some(mark) = &column.marks[system] {
                cell = cell.marked(mark.clone());
            }
            if value.is_some() && task.trained_on(system, sets[column.set].set) {
                trained = true;
                cell = cell.marked(Mark::Dagger);
            }
            cells.push(cell);
        }
        Some(cells)
    });
    let mut footnotes = vec![type_words(task)];
    footnotes.push(
        "Bold: the best run of a column, and where that is a manual one the best automatic run, too. In parentheses: \
         a baseline that is better than every run. –: no run on these topics."
            .to_owned(),
    );
    if trained {
        footnotes.push(
            "†: the system was trained on topics of this test set; such values do not compete for the best."
                .to_owned(),
        );
    }
    footnotes.extend(exposure_note(task, &rows));
    if let Kind::Ranked(preset) = task.task.kind {
        footnotes.push(format!("{}.", preset.rules()));
    }
    footnotes.extend(means_over(sets));
    footnotes.extend(sets.iter().filter_map(|set| highest(task, set)));
    footnotes.extend(sets.iter().flat_map(|set| remarks(task, set)));
    Table { caption: vec![format!("{}: results.", task.task.name)], columns, rows, footnotes }
}

/// What the best order of the judged documents would score, where that is not 1.
pub(super) fn highest(task: &ScoredTask<'_, '_>, set: &ScoredSet<'_, '_>) -> Option<String> {
    let below: Vec<String> = task
        .columns
        .iter()
        .enumerate()
        .filter_map(|(measure, column)| Some((column, set.highest(measure)?)))
        .filter(|(_, highest)| (highest - 1.0).abs() > 5e-4)
        .map(|(column, highest)| format!("{highest:.3} for {}", column.name))
        .collect();
    let others = if below.len() < task.columns.len() { ", and 1 for the others" } else { "" };
    (!below.is_empty())
        .then(|| format!("The highest possible values on {} are {}{others}.", set.name, list(below)))
}

/// Over which topics the means go, once for all sets with the same rule.
pub(super) fn means_over(sets: &[&ScoredSet<'_, '_>]) -> Vec<String> {
    let mut policies: Vec<(eval::TopicPolicy, Vec<&str>)> = Vec::new();
    for set in sets {
        match policies.iter_mut().find(|(policy, _)| *policy == set.set.policy) {
            Some((_, names)) => names.push(&set.name),
            None => policies.push((set.set.policy, vec![&set.name])),
        }
    }
    match policies.as_slice() {
        [(policy, _)] => vec![format!("Means are over {policy}.")],
        _ => policies
            .iter()
            .map(|(policy, names)| format!("Means on {} are over {policy}.", list(names)))
            .collect(),
    }
}

/// What a reader of the means should know: which runs miss topics.
pub(super) fn remarks(task: &ScoredTask<'_, '_>, set: &ScoredSet<'_, '_>) -> Vec<String> {
    let mut remarks = Vec::new();
    let with = |outcome: Outcome| -> Vec<String> {
        let systems = set.with_scores().into_iter();
        let of = systems.filter_map(|system| {
            let scores = set.scores[system].as_ref()?;
            let topics = scores.topics.iter().filter(|topic| topic.outcome == outcome).count();
            (topics > 0).then(|| format!("{} ({topics})", task.names[system]))
        });
        of.collect()
    };
    let missing = with(Outcome::NoResults);
    if !missing.is_empty() {
        remarks.push(format!("Without results on some topics of {}: {}.", set.name, some(missing, 8)));
    }
    let blind = with(Outcome::NothingJudged);
    if !blind.is_empty() {
        let what = match task.task.kind {
            Kind::Ranked(_) => "Without a judged result on some topics",
            Kind::Answers(_) => "With answers that nobody judged, on some topics",
        };
        remarks.push(format!("{what} of {}: {}.", set.name, some(blind, 8)));
    }
    remarks
}
