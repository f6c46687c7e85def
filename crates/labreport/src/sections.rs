//! The sections of the report, one file each, in the order of the report.

mod answers;
mod assessment;
mod correlations;
mod first;
mod grades;
mod judged;
mod labels;
mod made;
mod overlap;
mod pools;
mod relevant;
mod reliability;
mod results;
mod significance;
mod strata;
mod submissions;
mod summary;
mod systems;
mod topics;
mod training;

use crate::document::Section;
use crate::error::OverviewError;
use crate::input::{Lab, TopicPages};
use crate::scored::ScoredTask;
use figures::table::{Cell, Mark, Row};
use formats::Exposed;

/// All sections that have something to say.
pub(crate) fn all(lab: &Lab<'_>, tasks: &[ScoredTask<'_, '_>]) -> Result<Vec<Section>, OverviewError> {
    let mut answered = Vec::new();
    for task in tasks {
        answered.push(answers::AnswerMeasures::new(task, tasks)?);
    }
    let by_task = |id: &str, title: &str, part: &dyn Fn(&ScoredTask<'_, '_>) -> Section| {
        let mut section = Section::new(id, title);
        tasks.iter().for_each(|task| section.part(part(task)));
        section
    };
    let mut reliability = Section::new("reliability", "How far the judgments can be trusted");
    for task in tasks {
        reliability.part(reliability::part(task, &lab.settings)?);
    }
    let mut results = Section::new("results", "Results");
    for (task, measures) in tasks.iter().zip(&answered) {
        results.part(results::part(task, measures.as_ref(), tasks)?);
    }
    let mut sections = vec![
        summary::section(lab, tasks),
        submissions::section(tasks),
        grades::section(tasks),
        labels::section(tasks),
        by_task("pools", "Pools", &pools::part),
        by_task("assessment", "Assessment", &assessment::part),
        results,
        by_task("kinds", "Kinds of topics", &strata::part),
        by_task("agreement", "Do measures and test sets agree?", &correlations::part),
        reliability,
    ];
    if lab.settings.topic_pages == TopicPages::Current {
        sections.push(by_task("topics", "Topics one by one", &topics::part));
    }
    sections.push(made::section(lab));
    sections.retain(|section| !section.is_empty());
    Ok(sections)
}

/// The name of a run as the first cell of its row. Its mark ‡ is explained by [`exposure_note`].
fn run_cell(task: &ScoredTask<'_, '_>, system: usize) -> Cell {
    let name = Cell::text(task.task.systems[system].run.as_str());
    if task.exposed(system).is_empty() { name } else { name.marked(Mark::DoubleDagger) }
}

/// The footnote of a table in which runs have the mark of [`run_cell`].
fn exposure_note(task: &ScoredTask<'_, '_>, rows: &[Row]) -> Option<String> {
    let is_marked = |row: &Row| match row {
        Row::Cells(cells) => cells.first().is_some_and(|cell| cell.marks.contains(&Mark::DoubleDagger)),
        Row::Section(_) | Row::Rule => false,
    };
    let models = task.task.systems.iter().flat_map(|system| &system.models);
    Exposed::among(models).note().filter(|_| rows.iter().any(is_marked))
}

/// The rows of a table of all systems under their headings, made by `row`.
fn rows(task: &ScoredTask<'_, '_>, mut row: impl FnMut(usize) -> Option<Vec<Cell>>) -> Vec<Row> {
    let mut rows = Vec::new();
    for section in &task.sections {
        let members: Vec<Row> =
            section.systems.iter().filter_map(|system| row(*system)).map(Row::Cells).collect();
        if !members.is_empty() {
            rows.push(Row::Section(section.heading.clone()));
            rows.extend(members);
        }
    }
    rows
}
