//! The checklist on the desk, in words: what each step is, how far it is, and where or how to do it.

use crate::view::{count, number_of};
use assess::{ListedStep, StepName, StepState};

/// A step as the page shows it.
pub(super) struct StepView {
    pub(super) name: &'static str,
    /// How far it is.
    pub(super) text: String,
    /// `done`, `next`, `later` or `optional`: a class, and a word on the page.
    pub(super) state: &'static str,
    /// The page on which it is done, with the words of the link.
    pub(super) link: Option<(&'static str, &'static str)>,
    /// The command by which it is done.
    pub(super) command: Option<&'static str>,
}

pub(super) fn step_view(step: &ListedStep) -> StepView {
    let of = step.of.unwrap_or_default();
    let is_done = step.state == StepState::Done;
    let (name, text, link, command) = match step.name {
        StepName::Topics => {
            ("Topics", count(step.done, "topic set", "topic sets"), None, Some("hypatia lab init"))
        }
        StepName::Runs => (
            "Runs",
            if step.done == 0 { "No runs yet".to_owned() } else { count(step.done, "run", "runs") },
            None,
            Some("hypatia lab submit LAB RUN…"),
        ),
        StepName::Pools => (
            "Pools",
            format!("{} of {}", step.done, count(of, "pool", "pools")),
            None,
            Some("hypatia lab pool LAB"),
        ),
        StepName::People => (
            "People",
            if step.done == 0 {
                "No assessors yet".to_owned()
            } else {
                count(step.done, "assessor", "assessors")
            },
            Some(("/desk/people", "Invite assessors")),
            None,
        ),
        StepName::Training => (
            "Training",
            match of {
                0 => "No training rounds".to_owned(),
                of => format!("{} of {} judged by all", step.done, count(of, "round", "rounds")),
            },
            Some(("/desk/school", "Training rounds")),
            None,
        ),
        StepName::Batches => (
            "Batches",
            match (step.done, of - step.done) {
                (0, 0) => "No batches yet".to_owned(),
                (done, 0) => count(done, "batch", "batches"),
                (done, outside) => format!(
                    "{}; {} in no batch",
                    count(done, "batch", "batches"),
                    count(outside, "pool item", "pool items")
                ),
            },
            Some(("/desk/batches", "Make batches")),
            None,
        ),
        StepName::Judging => (
            "Judging",
            format!("{} of {}", number_of(step.done), count(of, "judgment", "judgments")),
            Some(("/desk/batches", "See the batches")),
            None,
        ),
        StepName::Agreement => (
            "Agreement",
            match step.done {
                0 => "No item has two judgments".to_owned(),
                pairs => format!("{} of assessors", count(pairs, "pair", "pairs")),
            },
            Some(("/desk/checks", "Make cross-checks")),
            None,
        ),
        StepName::Qrels => (
            "Qrels",
            match (is_done, step.done) {
                (true, tasks) => format!("Made for {}", count(tasks, "task", "tasks")),
                (false, 0) => "Not made yet".to_owned(),
                (false, made) if made < of => format!("{made} of {}", count(of, "task", "tasks")),
                (false, _) => "Older than the last judgments".to_owned(),
            },
            None,
            Some("hypatia lab qrels LAB"),
        ),
        StepName::Report => (
            "Report",
            match (is_done, step.done) {
                (true, _) => "Written",
                (false, 0) => "Not written yet",
                (false, _) => "Older than the qrels",
            }
            .to_owned(),
            None,
            Some("hypatia lab report LAB"),
        ),
    };
    let state = match step.state {
        StepState::Done => "done",
        StepState::Next => "next",
        StepState::Later => "later",
        StepState::Optional => "optional",
    };
    // What is done needs no instructions.
    let (link, command) = if is_done { (None, None) } else { (link, command) };
    StepView { name, text, state, link, command }
}
