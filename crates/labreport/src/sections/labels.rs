//! How many topics there are of each kind.

use crate::document::Section;
use crate::input::TestSet;
use crate::scored::ScoredTask;
use crate::words::{count, count_cell};
use figures::table::{Cell, Column, Row, Table};
use formats::TopicId;
use std::cmp::Ordering;
use std::collections::BTreeSet;

/// The topics of the current test sets by their labels.
pub(super) fn section(tasks: &[ScoredTask<'_, '_>]) -> Section {
    let mut section = Section::new("labels", "Topics");
    let mut shown: Vec<&ScoredTask<'_, '_>> = Vec::new();
    for task in tasks {
        let set = &task.task.current;
        if set.topics.is_empty() {
            continue;
        }
        let same = |other: &&&ScoredTask<'_, '_>| other.task.current.topics == set.topics;
        if let Some(other) = shown.iter().find(same) {
            section.paragraph(format!("The topics of {} are those of {}.", task.task.name, other.task.name));
            continue;
        }
        let judged = task.current().num_topics();
        let judged = if judged == 0 { "none is judged".to_owned() } else { format!("{judged} are judged") };
        section.paragraph(format!(
            "{} has {} in {}; {judged}.",
            task.task.name,
            count(set.topics.len(), "topic", "topics"),
            set.name
        ));
        if let Some(table) = table(task) {
            section.table(format!("{}-labels", task.task.key), table);
        }
        shown.push(task);
    }
    section
}

fn table(task: &ScoredTask<'_, '_>) -> Option<Table> {
    let judged: BTreeSet<&TopicId> = task.current().judged.iter().map(|(topic, _)| topic).collect();
    let labels = kinds(&task.task.current);
    let mut rows = Vec::new();
    for label in &labels {
        rows.push(Row::Section(label.name.clone()));
        for (value, topics) in &label.values {
            let of_judged = topics.iter().filter(|topic| judged.contains(topic)).count();
            let mut cells = vec![Cell::text(value.as_str()), count_cell(topics.len())];
            if !judged.is_empty() {
                cells.push(count_cell(of_judged));
            }
            rows.push(Row::Cells(cells));
        }
    }
    let mut columns = vec![Column::left("Label"), Column::right("Topics")];
    if !judged.is_empty() {
        columns.push(Column::right("Judged"));
    }
    let caption = vec![format!("{}: topics by label.", task.task.name)];
    (!labels.is_empty()).then_some(Table { caption, columns, rows, footnotes: Vec::new() })
}

/// A label and the topics of each of its values.
pub(super) struct LabelKinds {
    pub(super) name: String,
    pub(super) values: Vec<(String, BTreeSet<TopicId>)>,
}

/// All labels in the order in which topics have them; low before medium before high.
pub(super) fn kinds(set: &TestSet<'_>) -> Vec<LabelKinds> {
    let mut kinds: Vec<LabelKinds> = Vec::new();
    for topic in &set.topics {
        for label in &topic.labels {
            let place = kinds.iter().position(|kind| kind.name == label.name).unwrap_or_else(|| {
                kinds.push(LabelKinds { name: label.name.clone(), values: Vec::new() });
                kinds.len() - 1
            });
            let values = &mut kinds[place].values;
            match values.iter_mut().find(|(value, _)| *value == label.value) {
                Some((_, topics)) => drop(topics.insert(topic.id.clone())),
                None => values.push((label.value.clone(), BTreeSet::from([topic.id.clone()]))),
            }
        }
    }
    for kind in &mut kinds {
        kind.values.sort_by(|(left, _), (right, _)| compare_values(left, right));
    }
    kinds
}

fn compare_values(left: &str, right: &str) -> Ordering {
    let level = |value: &str| {
        let words = [["low", "easy"], ["medium", "medium"], ["high", "hard"]];
        words.iter().position(|words| words.contains(&value.to_lowercase().as_str())).unwrap_or(words.len())
    };
    let number = |value: &str| value.parse::<f64>().unwrap_or(f64::INFINITY);
    level(left)
        .cmp(&level(right))
        .then_with(|| number(left).total_cmp(&number(right)))
        .then_with(|| left.cmp(right))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_in_the_order_people_expect() {
        let mut values = ["Proof", "Hard", "10", "Easy", "Medium", "9", "Concept"];
        values.sort_by(|a, b| compare_values(a, b));
        assert_eq!(values, ["Easy", "Medium", "Hard", "9", "10", "Concept", "Proof"]);
    }
}
