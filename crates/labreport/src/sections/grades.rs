//! What the grades mean, and what becomes of judgments that are none.

use crate::document::Section;
use crate::scored::ScoredTask;
use figures::table::{Align, Cell, Column, Row, Table};

/// The table of grades, and the rules in words.
pub(super) fn section(tasks: &[ScoredTask<'_, '_>]) -> Section {
    let mut section = Section::new("grades", "Relevance grades");
    let mut rows = Vec::new();
    for task in tasks.iter().filter(|task| !task.task.grades.is_empty()) {
        rows.push(Row::Section(task.task.name.clone()));
        for grade in &task.task.grades {
            rows.push(Row::Cells(vec![
                Cell::number(f64::from(grade.grade), 0),
                Cell::text(grade.name.as_str()),
                Cell::text(grade.definition.as_str()),
            ]));
        }
    }
    if !rows.is_empty() {
        let score = Column { title: "Score".to_owned(), group: None, align: Align::Centre };
        let columns = vec![score, Column::left("Rating"), Column::left("Definition")];
        let caption = vec!["Relevance assessment criteria.".to_owned()];
        section.table("grades", Table { caption, columns, rows, footnotes: Vec::new() });
    }
    for task in tasks {
        let words = [&task.task.aggregation, &task.task.codes].into_iter().flatten();
        let words: Vec<&str> = words.map(String::as_str).collect();
        if !words.is_empty() {
            section.paragraph(format!("{}. {}", task.task.name, words.join(" ")));
        }
    }
    section
}
