//! Words and numbers of the school.

use formats::check::Task;
use lab::{Manifest, PoolKind, Verdict};
use pool::ItemKind;
use std::borrow::Borrow;

/// What is judged, in a heading.
pub(super) fn kind_name(kind: PoolKind) -> &'static str {
    match kind {
        PoolKind::Answers => "answers",
        PoolKind::Formulas => "formulas",
    }
}

/// The task whose grades an item has.
pub(super) fn task_of(kind: PoolKind, item: ItemKind) -> Task {
    if item == ItemKind::Answer { Task::Task3 } else { kind.task() }
}

/// What a verdict is called.
pub(super) fn verdict_name(manifest: &Manifest, task: Task, verdict: Verdict) -> String {
    match verdict {
        Verdict::Grade(number) => {
            let grades = manifest.grades_of(task);
            let known = grades.iter().find(|grade| grade.grade == number);
            known.map_or_else(|| number.to_string(), |grade| grade.name.clone())
        }
        Verdict::SystemFailure => "System failure".to_owned(),
        Verdict::DoNotKnow => "Do not know".to_owned(),
        Verdict::Withdrawn => "Taken back".to_owned(),
    }
}

/// The class by which a verdict has its colour.
pub(super) fn verdict_class(verdict: Verdict) -> String {
    match verdict {
        Verdict::Grade(grade) => format!("grade-{}", grade.clamp(0, 4)),
        Verdict::SystemFailure | Verdict::DoNotKnow | Verdict::Withdrawn => "grade-none".to_owned(),
    }
}

/// From which grade on something is relevant, in the names of the grades: `High or Medium`.
pub(super) fn relevant_name(manifest: &Manifest, kind: PoolKind, from: i32) -> String {
    let grades = manifest.grades_of(kind.task());
    let names: Vec<&str> =
        grades.iter().filter(|grade| grade.grade >= from).map(|grade| grade.name.as_str()).collect();
    names.join(" or ")
}

/// A kappa, or a dash where there is none.
pub(super) fn kappa(value: impl Borrow<Option<f64>>) -> String {
    value.borrow().map_or_else(|| "–".to_owned(), |value| format!("{value:.2}").replace('-', "−"))
}

/// A share in per cent, or a dash.
pub(super) fn percent(value: impl Borrow<Option<f64>>) -> String {
    value.borrow().map_or_else(|| "–".to_owned(), |value| format!("{:.0} %", value * 100.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_are_not_there_are_dashes() {
        assert_eq!(
            (kappa(None), kappa(Some(-0.125)), kappa(Some(1.0))),
            ("–".into(), "−0.12".into(), "1.00".into())
        );
        assert_eq!((percent(None), percent(Some(0.456))), ("–".into(), "46 %".into()));
    }
}
