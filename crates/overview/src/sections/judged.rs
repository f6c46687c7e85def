//! How much was judged and found relevant for a topic, as in Table 5 of the comparison of six collections
//! for formula retrieval: the least, the most and the mean, for topics of tests and of training apart.

use crate::input::Kind;
use crate::scored::{ScoredSet, ScoredTask};
use crate::words::{count_cell, mean, optional};
use collection::TopicId;
use collection::qrels::{Judgment, Qrels};
use eval::Preset;
use report::table::{Cell, Column, Row, Table};

/// The grades of topics.
type Grades = Vec<(TopicId, Vec<i32>)>;

/// How many things were judged and found relevant, for each topic.
#[derive(Default)]
struct PerTopic {
    judged: Vec<usize>,
    relevant: Vec<usize>,
}

impl PerTopic {
    fn count<'a>(topics: impl Iterator<Item = &'a [i32]>) -> Self {
        let mut counts = Self::default();
        for grades in topics {
            counts.judged.push(grades.len());
            counts.relevant.push(grades.iter().filter(|grade| **grade > 0).count());
        }
        counts
    }

    /// Topics, then the least, the most and the mean of both.
    fn cells(&self) -> Vec<Cell> {
        let mut cells = vec![count_cell(self.judged.len())];
        for numbers in [&self.judged, &self.relevant] {
            cells.extend(
                [numbers.iter().min(), numbers.iter().max()].map(|n| count_cell(n.copied().unwrap_or(0))),
            );
            cells.push(optional(mean(numbers), 1));
        }
        cells
    }
}

/// The table; nothing without judgments.
pub(super) fn table(task: &ScoredTask<'_, '_>) -> Option<Table> {
    let mut columns = vec![Column::left("Test set"), Column::right("topics")];
    for group in ["judged", "relevant"] {
        columns.extend(["min", "max", "avg"].map(|title| Column::right(title).under(group)));
    }
    let is_visual = matches!(task.task.kind, Kind::Ranked(Preset::Task2));
    let mut rows = Vec::new();
    let instances: Vec<(&ScoredSet<'_, '_>, Grades)> =
        task.sets.iter().filter_map(|set| Some((set, grades(set.set.instance_qrels?)))).collect();
    if !instances.is_empty() {
        rows.push(Row::Section("Formula instances".to_owned()));
        instances.iter().for_each(|(set, judged)| add(set, judged, &mut rows));
        rows.push(Row::Section("Visually distinct formulas".to_owned()));
    }
    for set in &task.sets {
        add(set, &set.judged, &mut rows);
    }
    let things = if is_visual { "visually distinct formulas" } else { "items" };
    let caption = vec![format!("{}: {things} judged for a topic.", task.task.name)];
    let footnotes =
        vec!["relevant: of grade 1 or more. Topics without a judgment are none of these.".to_owned()];
    let is_filled = rows.iter().any(|row| matches!(row, Row::Cells(_)));
    is_filled.then_some(Table { caption, columns, rows, footnotes })
}

/// Adds a set: all of it, then its topics for tests and for training where some were set apart.
fn add(set: &ScoredSet<'_, '_>, judged: &[(TopicId, Vec<i32>)], rows: &mut Vec<Row>) {
    if judged.is_empty() {
        return;
    }
    let train = &set.set.train;
    let mut line = |name: String, keep: &dyn Fn(&TopicId) -> bool| {
        let kept = judged.iter().filter(|(topic, _)| keep(topic)).map(|(_, grades)| grades.as_slice());
        let counts = PerTopic::count(kept);
        if !counts.judged.is_empty() {
            let mut cells = vec![Cell::text(name)];
            cells.extend(counts.cells());
            rows.push(Row::Cells(cells));
        }
    };
    line(set.set.name.clone(), &|_| true);
    if !train.is_empty() {
        line("– test".to_owned(), &|topic| !train.contains(topic));
        line("– train".to_owned(), &|topic| train.contains(topic));
    }
}

/// The grades of every topic that has some.
fn grades(qrels: &Qrels) -> Grades {
    let of_topic = |topic: collection::qrels::TopicJudgments<'_>| {
        let grades = topic.rows().filter_map(|row| match row.judgment() {
            Judgment::Grade(grade) => Some(grade),
            Judgment::SystemFailure | Judgment::DoNotKnow | Judgment::Unjudged => None,
        });
        (topic.id().clone(), grades.collect::<Vec<i32>>())
    };
    qrels.topics().map(of_topic).filter(|(_, grades)| !grades.is_empty()).collect()
}
