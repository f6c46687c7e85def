//! Cutting lines into fields, and telling layouts, headers and tasks by them.

use crate::check::Columns;
use crate::check::file_name::Task;
use crate::fields::lines;
use crate::run::RunLayout;

/// What stands in the second column of a TREC run.
const TREC_MARKS: [&str; 2] = ["Q0", "xxx"];

/// How a line was cut.
pub(super) struct Cut<'a> {
    pub(super) fields: Vec<&'a str>,
    pub(super) layout: Option<RunLayout>,
    /// What parted the fields, if not a tab.
    pub(super) separator: Option<&'static str>,
}

impl<'a> Cut<'a> {
    pub(super) fn new(whole: &'a str, task: Task, columns: Columns) -> Self {
        let tabs: Vec<&str> = whole.split('\t').collect();
        if let Some(layout) = layout(task, &tabs) {
            return Self { fields: tabs, layout: Some(layout), separator: None };
        }
        let blanks: Vec<&str> = whole.split_ascii_whitespace().collect();
        let layout_of_blanks = layout(task, &blanks);
        if layout_of_blanks.is_some() {
            let allowed = columns == Columns::Trec && layout_of_blanks == Some(RunLayout::Trec);
            let several = if whole.contains(' ') { "blanks" } else { "several tabs" };
            let separator = (!allowed).then_some(several);
            return Self { fields: blanks, layout: layout_of_blanks, separator };
        }
        for (letter, name) in [(',', "commas"), (';', "semicolons"), ('|', "bars")] {
            let fields: Vec<&str> = whole.split(letter).collect();
            if let Some(layout) = layout(task, &fields) {
                return Self { fields, layout: Some(layout), separator: Some(name) };
            }
        }
        Self { fields: tabs, layout: None, separator: None }
    }
}

/// The layout of a row, if it can be one of the task.
fn layout(task: Task, fields: &[&str]) -> Option<RunLayout> {
    let is_trec = fields.get(1).is_some_and(|mark| TREC_MARKS.contains(&mark.trim()));
    match (task, fields.len()) {
        (Task::Task1 | Task::Task2, 6) if is_trec => Some(RunLayout::Trec),
        (Task::Task1, 5) => Some(RunLayout::Task1),
        (Task::Task2, 6) => Some(RunLayout::Task2),
        (Task::Task2, 5) => Some(RunLayout::Task2WithoutPost),
        _ => None,
    }
}

pub(super) fn is_header(fields: &[&str]) -> bool {
    let is_topic = |field: &str| field.split_once('.').is_some_and(|(_, rest)| rest.parse::<u64>().is_ok());
    let is_value = |field: &&str| field.trim().parse::<f64>().is_ok() || is_topic(field.trim());
    fields.len() > 1 && !fields.iter().any(is_value)
}

/// The task that the first rows look like.
pub(in crate::check) fn guess_task(text: &str) -> Task {
    let is_number = |field: &str| field.trim().parse::<f64>().is_ok();
    for (_, start, end) in lines(text).take(5) {
        let fields: Vec<&str> = text[start..end].split('\t').collect();
        match fields.as_slice() {
            [_, rank, score, tag, _, _] if is_number(rank) && is_number(score) && !is_number(tag) => {
                return Task::Task3;
            }
            [topic, ..] if topic.starts_with("B.") => return Task::Task2,
            [topic, ..] if topic.starts_with("A.") => return Task::Task1,
            _ => {}
        }
    }
    Task::Task1
}
