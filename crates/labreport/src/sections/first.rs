//! Task 1 runs cut after their first answer and scored as answers (Table 7).

use super::{exposure_note, results};
use crate::document::Section;
use crate::error::OverviewError;
use crate::input::{Kind, Output};
use crate::scored::{ScoredTask, team_sections};
use crate::words::{count_cell, shown};
use eval::Preset;
use eval::task3::{CodeRule, Relevance, RelevanceConfig, Task3Error, first_answers, relevance};
use figures::table::{Cell, Column, Row, Table};
use formats::qrels::Qrels;
use formats::{DocId, TopicId};
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
        let tested = other.task.current.tested(qrels);
        let scores = scores(other, &tested)?;
        if scores.iter().any(Option::is_some) {
            section.table(format!("{}-{}-first", task.task.key, other.task.key), table(task, other, &scores));
        }
    }
    Ok(())
}

/// AR and P@1 of the first answers of a run, with answers that have codes alone left out and as 0.
struct FirstScores {
    left_out: Relevance,
    zero: Relevance,
}

impl FirstScores {
    fn new(answers: Vec<(TopicId, DocId<'_>)>, qrels: &Qrels) -> Result<Self, Task3Error> {
        let of = |codes| {
            let config = RelevanceConfig { codes, ..RelevanceConfig::default() };
            relevance(answers.iter().cloned(), qrels, &config)
        };
        Ok(Self { left_out: of(CodeRule::LeftOut)?, zero: of(CodeRule::Zero)? })
    }

    fn by(&self, codes: CodeRule) -> &Relevance {
        match codes {
            CodeRule::LeftOut => &self.left_out,
            CodeRule::Zero => &self.zero,
        }
    }
}

/// The scores of every run.
fn scores(other: &ScoredTask<'_, '_>, qrels: &Qrels) -> Result<Vec<Option<FirstScores>>, OverviewError> {
    let mut scores = Vec::new();
    for system in 0..other.task.systems.len() {
        let Some(Some(Output::Ranking(run))) = other.task.current.outputs.get(system) else {
            scores.push(None);
            continue;
        };
        let found = first_answers(run).and_then(|answers| FirstScores::new(answers, qrels));
        let found = found.map_err(|cause| super::overlap::failed(other, system, cause))?;
        scores.push(Some(found).filter(|found| found.zero.num_topics() > 0));
    }
    Ok(scores)
}

/// A mean over the topics of a run.
type Mean = fn(&Relevance) -> Option<f64>;

/// A column of values, one for each system.
struct Values {
    codes: CodeRule,
    name: &'static str,
    values: Vec<Option<f64>>,
}

/// The columns: by the rule that the published values fit, then by the other one where it differs.
fn values(scores: &[Option<FirstScores>]) -> Vec<Values> {
    let differ = scores.iter().flatten().any(|found| found.zero.num_topics() != found.left_out.num_topics());
    let rules: &[CodeRule] = if differ { &[CodeRule::LeftOut, CodeRule::Zero] } else { &[CodeRule::LeftOut] };
    let measures: [(&str, Mean); 2] = [("AR", Relevance::ar), ("P@1", |found| found.p_at_1().value())];
    let columns = rules.iter().flat_map(|codes| measures.map(|(name, of)| (*codes, name, of)));
    columns
        .map(|(codes, name, of)| Values {
            codes,
            name,
            values: scores.iter().map(|found| of(found.as_ref()?.by(codes))).collect(),
        })
        .collect()
}

fn table(task: &ScoredTask<'_, '_>, other: &ScoredTask<'_, '_>, scores: &[Option<FirstScores>]) -> Table {
    let found = values(scores);
    let by_both = found.len() > 2;
    let mut columns = results::type_columns(other);
    for Values { codes, name, .. } in &found {
        let column = Column::right(*name);
        columns.push(if by_both { column.under(codes.to_string()) } else { column });
        if *name == "P@1" {
            let topics = Column::right("topics");
            columns.push(if by_both { topics.under(codes.to_string()) } else { topics });
        }
    }
    let marks: Vec<_> =
        found.iter().map(|column| results::best_marks(other, &column.values, |_| false)).collect();
    let relevance = &found[0].values;
    let mut rows = Vec::new();
    for section in team_sections(&other.task.systems, relevance) {
        rows.push(Row::Section(section.heading));
        for system in section.systems {
            let Some(score) = &scores[system] else { continue };
            let mut cells = results::type_cells(other, system);
            for (Values { codes, name, values }, marks) in found.iter().zip(&marks) {
                let cell = values[system].map_or_else(|| Cell::text("–"), |value| Cell::number(value, 3));
                cells.push(match &marks[system] {
                    Some(mark) => cell.marked(mark.clone()),
                    None => cell,
                });
                if *name == "P@1" {
                    cells.push(count_cell(score.by(*codes).num_topics()));
                }
            }
            rows.push(Row::Cells(cells));
        }
    }
    let mut footnotes = vec![
        results::type_words(other),
        "Each run is cut after its first answer. Topics whose first answer is not judged are left out of the means; \
         answers of these runs may be longer than the task allows."
            .to_owned(),
        if by_both {
            "Codes left out: a topic counts only if its first answer has a grade, which is what the published values \
             of ARQMath-3 fit. Codes as 0: a first answer with \"system failure\" or \"do not know\" alone counts 0."
        } else {
            "No first answer has \"system failure\" or \"do not know\" alone, so it does not matter whether codes are \
             left out or count 0."
        }
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
