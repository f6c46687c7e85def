//! How much was judged and found relevant for a topic, as in Table 5 of the comparison of six collections
//! for formula retrieval: the least, the most and the mean, for topics of tests and of training apart.

use crate::counts::{JudgedPart, JudgedRow, judged_table};
use crate::input::Kind;
use crate::scored::{ScoredSet, ScoredTask};
use eval::{Codes, JudgedCounts, Preset, topic_grades};
use figures::table::Table;
use formats::TopicId;

/// The table; nothing without judgments.
pub(super) fn table(task: &ScoredTask<'_, '_>) -> Option<Table> {
    let is_visual = matches!(task.task.kind, Kind::Ranked(Preset::Task2));
    let mut instances = Vec::new();
    for set in &task.sets {
        let Some(qrels) = set.set.instance_qrels else { continue };
        let judged = topic_grades(qrels, Codes::Unjudged);
        let judged: Vec<(TopicId, Vec<i32>)> =
            judged.into_iter().map(|topic| (topic.id, topic.grades)).collect();
        add(set, &judged, &mut instances);
    }
    let mut rows = Vec::new();
    task.sets.iter().for_each(|set| add(set, &set.judged, &mut rows));
    let mut parts = Vec::new();
    let mut heading = None;
    if !instances.is_empty() {
        parts.push(JudgedPart { heading: Some("Formula instances".to_owned()), rows: instances });
        heading = Some("Visually distinct formulas".to_owned());
    }
    parts.push(JudgedPart { heading, rows });
    let things = if is_visual { "visually distinct formulas" } else { "items" };
    let is_filled = parts.iter().any(|part| !part.rows.is_empty());
    is_filled.then(|| judged_table(format!("{}: {things} judged for a topic.", task.task.name), &parts))
}

/// Adds a set: all of it, then its topics for tests and for training where some were set apart.
fn add(set: &ScoredSet<'_, '_>, judged: &[(TopicId, Vec<i32>)], rows: &mut Vec<JudgedRow>) {
    let mut line = |name: String, keep: &dyn Fn(&TopicId) -> bool| {
        let kept = judged.iter().filter(|(topic, _)| keep(topic)).map(|(_, grades)| grades.as_slice());
        rows.extend(JudgedCounts::of(kept).map(|counts| JudgedRow { name, counts }));
    };
    line(set.set.name.clone(), &|_| true);
    if !set.set.train.is_empty() {
        line("– test".to_owned(), &|topic| set.set.is_tested(topic));
        line("– train".to_owned(), &|topic| !set.set.is_tested(topic));
    }
}
