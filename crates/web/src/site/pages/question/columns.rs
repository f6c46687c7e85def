//! Answers of several systems side by side, with marks that say where each stands in the others.

use crate::site::pages::search::{HitView, bare};
use crate::view::{Formulas, Pen};
use retrieve::people::Answers;

/// What one system answers.
pub(super) struct Column {
    pub(super) id: usize,
    pub(super) name: String,
    pub(super) time: String,
    pub(super) notes: Vec<String>,
    pub(super) answers: Vec<AnswerView>,
}

/// An answer in a column.
pub(super) struct AnswerView {
    pub(super) hit: HitView,
    pub(super) post: String,
    pub(super) elsewhere: Vec<Elsewhere>,
}

/// Where the same answer stands in another column.
pub(super) struct Elsewhere {
    pub(super) system: String,
    /// None if it is not there.
    pub(super) rank: Option<usize>,
    /// Its anchor there.
    pub(super) anchor: String,
    /// Against its place here.
    pub(super) way: &'static str,
}

/// Puts answers side by side.
pub(super) fn columns(pen: &mut Pen, found: &[(String, Answers)]) -> Vec<Column> {
    let place = |column: usize, id: &str| found[column].1.hits.iter().position(|hit| hit.id == id);
    let column = |(number, (name, answers)): (usize, &(String, Answers))| Column {
        id: number + 1,
        name: name.clone(),
        time: format!("{:.0}\u{A0}ms", (answers.elapsed.as_secs_f64() * 1000.0).max(1.0)),
        notes: answers.notes.iter().map(|note| note.message.clone()).collect(),
        answers: answers
            .hits
            .iter()
            .enumerate()
            .map(|(here, hit)| {
                let others = (0..found.len()).filter(|other| *other != number);
                let elsewhere = others.map(|other| {
                    let there = place(other, &hit.id);
                    Elsewhere {
                        system: found[other].0.clone(),
                        rank: there.map(|there| there + 1),
                        anchor: format!("answer-{}-{}", other + 1, there.map_or(0, |there| there + 1)),
                        way: match there {
                            Some(there) if there < here => "↑",
                            Some(there) if there > here => "↓",
                            Some(_) => "=",
                            None => "",
                        },
                    }
                });
                let mut view = bare(pen, hit, Formulas::Links);
                view.rank = here + 1;
                AnswerView { hit: view, post: hit.id.clone(), elsewhere: elsewhere.collect() }
            })
            .collect(),
    };
    found.iter().enumerate().map(column).collect()
}
