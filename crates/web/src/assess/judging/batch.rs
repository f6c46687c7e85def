//! The pages of one batch.

use super::scale::{grade_name, task_of};
use super::words::{duration, item_name, stage_of, title_of};
use super::work::Nothing;
use crate::assess::{Answer, AssessApp, AssessError, Checked, Person, page, see};
use crate::view::Html;
use askama::Template;
use assess::{AssignmentNo, State as Standing, TaskLine, TaskNo, Work};
use axum::extract::{Path, State};

#[derive(Template)]
#[template(path = "assess/batch.html")]
struct BatchPage {
    person: Person,
    assignment: AssignmentNo,
    title: String,
    question: Option<Html>,
    stage: Option<String>,
    state: &'static str,
    tasks: usize,
    parts: usize,
    parts_done: usize,
    each: Option<String>,
    left: String,
    waiting: usize,
    next: Option<TaskNo>,
    lines: Vec<Line>,
}

impl BatchPage {
    fn here(&self) -> &'static str {
        "work"
    }
}

/// A page in the list.
struct Line {
    task: TaskNo,
    place: usize,
    name: &'static str,
    /// What was said of each part, in words; empty for nothing yet.
    said: Vec<String>,
    state: &'static str,
}

pub(super) async fn batch(
    State(app): State<AssessApp>,
    person: Person,
    Path(assignment): Path<i64>,
) -> Answer {
    let assignment = AssignmentNo(assignment);
    let material = app.material().await?;
    let account = person.account.clone();
    let read = app.read(move |books| {
        let lines = books.tasks_of(account.number, assignment)?;
        let works = books.work_of(account.number)?;
        let work = works.into_iter().find(|work| work.assignment == assignment);
        let next = books.first_task(account.number, assignment)?;
        Ok((lines, work, next, books.waiting_for(&account)?, books.now()))
    });
    let (lines, work, next, waiting, now) = read.await?;
    let work: Work = work.ok_or_else(|| AssessError::NotFound("such batch among your work".to_owned()))?;
    let question = material.question(&work.batch.set, work.batch.kind, work.batch.topic.as_str());
    let manifest = material.manifest();
    let line = |line: &TaskLine| {
        let task = task_of(work.batch.kind, line.kind);
        let said = |verdict: &Option<lab::Verdict>| match (verdict, line.flagged) {
            (Some(verdict), _) => grade_name(manifest, task, *verdict),
            (None, true) => "answered".to_owned(),
            (None, false) => String::new(),
        };
        Line {
            task: line.task,
            place: line.place,
            name: item_name(line.kind),
            said: line.verdicts.iter().map(said).collect(),
            state: match (line.done, line.skipped) {
                (true, _) => "done",
                (false, true) => "skipped",
                (false, false) if line.verdicts.iter().any(Option::is_some) => "begun",
                (false, false) => "open",
            },
        }
    };
    #[expect(clippy::cast_precision_loss, reason = "seconds and counts")]
    let each = (work.parts_done > 0 && work.seconds > 0.0).then(|| work.seconds / work.parts_done as f64);
    #[expect(clippy::cast_precision_loss, reason = "seconds of a few years")]
    let left = duration((work.expires_at - now) as f64);
    page(&BatchPage {
        person,
        assignment,
        title: title_of(&work.batch),
        question: question.title.clone(),
        stage: stage_of(&work.batch),
        state: match work.state {
            Standing::Open if work.expires_at <= now => "expired",
            state => state.word(),
        },
        tasks: work.tasks,
        parts: work.parts,
        parts_done: work.parts_done,
        each: each.map(duration),
        left,
        waiting,
        next,
        lines: lines.iter().map(line).collect(),
    })
}

/// Leads to the next page that is not done.
pub(super) async fn next(
    State(app): State<AssessApp>,
    person: Person,
    Path(assignment): Path<i64>,
) -> Answer {
    let account = person.account.number;
    let number = AssignmentNo(assignment);
    let first = app.read(move |books| books.first_task(account, number)).await?;
    Ok(see(&match first {
        Some(task) => format!("/task/{assignment}/{task}"),
        None => format!("/batch/{assignment}"),
    }))
}

/// Gives a batch back to the queue.
pub(super) async fn give_back(
    State(app): State<AssessApp>,
    person: Person,
    Path(assignment): Path<i64>,
    _: Checked<Nothing>,
) -> Answer {
    let account = person.account.number;
    app.write(move |books| books.give_back(account, AssignmentNo(assignment))).await?;
    Ok(see("/"))
}
