//! The buttons by which one judges.

use formats::check::Task;
use lab::{Manifest, PoolKind, Verdict};
use pool::ItemKind;

/// What is said of what cannot be judged, and when.
pub(super) const FAILURE: (&str, &str) =
    ("System failure", "It is not shown, or not as it should be: say in a comment what is wrong.");
/// What is said by who cannot judge, and when.
pub(super) const UNKNOWN: (&str, &str) =
    ("Do not know", "You cannot judge it, even after some thought: say in a comment why.");

/// A button by which one judges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct GradeButton {
    /// What is sent: a grade, `failure` or `unknown`.
    pub(crate) value: String,
    /// The key that does the same.
    pub(crate) key: String,
    /// What stands on it.
    pub(crate) name: String,
    /// When it is pressed.
    pub(crate) about: String,
    /// Whether it is what counts now: `true` or `false`, as the attribute has it.
    pub(crate) pressed: &'static str,
    /// Whether it is a grade.
    pub(crate) is_grade: bool,
}

/// The task by whose grades something is judged.
pub(crate) fn task_of(kind: PoolKind, item: ItemKind) -> Task {
    if item == ItemKind::Answer { Task::Task3 } else { kind.task() }
}

/// The buttons for something, highest grade first; what was said is pressed.
pub(crate) fn scale(manifest: &Manifest, task: Task, said: Option<Verdict>) -> Vec<GradeButton> {
    let pressed = |verdict: Verdict| if said == Some(verdict) { "true" } else { "false" };
    let grades = manifest.grades_of(task).into_iter().map(|grade| GradeButton {
        value: grade.grade.to_string(),
        key: grade.grade.to_string(),
        name: grade.name.clone(),
        about: grade.definition.clone(),
        pressed: pressed(Verdict::Grade(grade.grade)),
        is_grade: true,
    });
    let others = [(Verdict::SystemFailure, "f", FAILURE), (Verdict::DoNotKnow, "d", UNKNOWN)];
    let others = others.map(|(verdict, key, (name, about))| GradeButton {
        value: verdict.to_string(),
        key: key.to_owned(),
        name: name.to_owned(),
        about: about.to_owned(),
        pressed: pressed(verdict),
        is_grade: false,
    });
    grades.chain(others).collect()
}

/// What a verdict is called.
pub(crate) fn grade_name(manifest: &Manifest, task: Task, verdict: Verdict) -> String {
    match verdict {
        Verdict::Grade(number) => {
            let known = manifest.grades_of(task).into_iter().find(|grade| grade.grade == number);
            known.map_or_else(|| number.to_string(), |grade| grade.name.clone())
        }
        Verdict::SystemFailure => FAILURE.0.to_owned(),
        Verdict::DoNotKnow => UNKNOWN.0.to_owned(),
        Verdict::Withdrawn => "Taken back".to_owned(),
    }
}
