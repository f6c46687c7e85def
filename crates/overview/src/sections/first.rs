//! Task 1 runs cut after their first answer and scored as answers (Table 7).

use super::{exposure_note, results};
use crate::document::Section;
use crate::error::OverviewError;
use crate::input::{Answer, Kind, Output};
use crate::scored::{ScoredTask, answer_scores, team_sections};
use crate::words::{count_cell, shown};
use collection::qrels::Qrels;
use eval::task3::first_answers;
use eval::{Codes, Judgments, Measure, Preset, RunScores, TopicPolicy};
use report::table::{Cell, Column, Row, Table};
use stats::correlation::tau_b;

/// Adds a table for each Task 1 of the lab, if there are judgments for it.
pub(super) fn add(
    task: &ScoredTask<'_, '_>,
    tasks: &[ScoredTask<'_, '_>],
    section: &mut Section,
) -> Result<(), OverviewError> {
    let Kind::Answers(answers) = &task.task.kind else { return Ok(()) };
    let Some(qrels) = answers.first_answers else { return Ok(()) };
    for other in tasks.iter().filter(|other| matches!(other.task.kind, Kind::Ranked(Preset::Task1))) {
        let scores = scores(task, other, qrels)?;
        if scores.iter().any(Option::is_some) {
            section.table(format!("{}-{}-first", task.task.key, other.task.key), table(task, other, &scores));
        }
    }
    Ok(())
}

/// AR and P@1 of the first answers of every run.
fn scores(
    task: &ScoredTask<'_, '_>,
    other: &ScoredTask<'_, '_>,
    qrels: &Qrels,
) -> Result<Vec<Option<RunScores>>, OverviewError> {
    let judgments = Judgments::new(qrels, Codes::Zero);
    let measures: Vec<Measure> = task.columns.iter().map(|column| column.measure.clone()).collect();
    let mut scores = Vec::new();
    for system in 0..other.task.systems.len() {
        let Some(Some(Output::Ranking(run))) = other.task.current.outputs.get(system) else {
            scores.push(None);
            continue;
        };
        let failed = |cause| super::overlap::failed(other, system, cause);
        let answers: Vec<Answer> = first_answers(run)
            .map_err(failed)?
            .into_iter()
            .map(|(topic, doc)| Answer { topic, id: doc.to_string(), text: None })
            .collect();
        let found = answer_scores(&answers, qrels, &judgments, &measures).map_err(failed)?;
        scores.push(Some(found).filter(|found| found.average(0, TopicPolicy::Judged).topics > 0));
    }
    Ok(scores)
}

fn table(task: &ScoredTask<'_, '_>, other: &ScoredTask<'_, '_>, scores: &[Option<RunScores>]) -> Table {
    let value = |measure: usize| -> Vec<Option<f64>> {
        let of = |scores: &RunScores| scores.average(measure, TopicPolicy::Judged).value;
        scores.iter().map(|scores| scores.as_ref().map(of)).collect()
    };
    let columns_of: Vec<(&str, Vec<Option<f64>>)> = task
        .columns
        .iter()
        .enumerate()
        .map(|(measure, column)| (column.name.as_str(), value(measure)))
        .collect();
    let mut columns = results::type_columns(other);
    columns.extend(columns_of.iter().map(|(name, _)| Column::right(*name)));
    columns.push(Column::right("topics"));
    let marks: Vec<_> =
        columns_of.iter().map(|(_, values)| results::best_marks(other, values, |_| false)).collect();
    let relevance = &columns_of[0].1;
    let mut rows = Vec::new();
    for section in team_sections(&other.task.systems, relevance) {
        rows.push(Row::Section(section.heading));
        for system in section.systems {
            let Some(found) = &scores[system] else { continue };
            let mut cells = results::type_cells(other, system);
            for ((_, values), marks) in columns_of.iter().zip(&marks) {
                let cell = Cell::number(values[system].unwrap_or(f64::NAN), 3);
                cells.push(match &marks[system] {
                    Some(mark) => cell.marked(mark.clone()),
                    None => cell,
                });
            }
            cells.push(count_cell(found.average(0, TopicPolicy::Judged).topics));
            rows.push(Row::Cells(cells));
        }
    }
    let mut footnotes = vec![
        results::type_words(other),
        "Each run is cut after its first answer. Topics whose first answer is not judged are left out of the means; \
         answers of these runs may be longer than the task allows."
            .to_owned(),
    ];
    footnotes.extend(exposure_note(other, &rows));
    let both = relevance
        .iter()
        .enumerate()
        .filter_map(|(system, value)| Some(((*value)?, other.current().value(system, 0)?)));
    let (first, ranked): (Vec<f64>, Vec<f64>) = both.unzip();
    if let Ok(tau) = tau_b(&first, &ranked) {
        footnotes.push(format!(
            "Kendall's tau-b between AR here and {} of the whole rankings is {}.",
            other.columns[0].name,
            shown(Some(tau), 3)
        ));
    }
    let caption =
        vec![format!("{}: measures of answers for the runs of {}.", task.task.name, other.task.name)];
    Table { caption, columns, rows, footnotes }
}
