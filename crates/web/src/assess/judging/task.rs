//! The page on which one judges: the question on one side, what was found on the other.

use super::rules::rules_of;
use super::scale::{GradeButton, grade_name, scale, task_of};
use super::words::{duration, moment, title_of};
use crate::assess::material::{Material, Wanted};
use crate::assess::{Answer, AssessApp, Person, page};
use crate::view::Html;
use askama::Template;
use assess::{
    Asks, AssignmentNo, Flags, LONGEST_COMMENT, Outline, PartNo, Secret, Shown, ShownPart, State as Standing,
    TaskNo,
};
use axum::extract::{Path, State};
use formats::check::Task;
use lab::{Context, PoolKind};
use pool::ItemKind;

#[derive(Template)]
#[template(path = "assess/task.html")]
struct TaskPage {
    person: Person,
    assignment: AssignmentNo,
    task: TaskNo,
    /// What the batch is about.
    title: String,
    topic: String,
    place: usize,
    of: usize,
    done: usize,
    previous: Option<TaskNo>,
    following: Option<TaskNo>,
    /// Why what is judged may not count as it seems.
    gone: Option<&'static str>,
    /// What was not done, as a sentence.
    notice: Option<String>,
    asks: &'static str,
    question: Html,
    question_thread: Option<String>,
    /// The rules of judging, as sentences.
    rules: Vec<&'static str>,
    /// The formula that was found, above the posts it stands in.
    found: Option<Html>,
    /// What the grades mean, where there is no room for it on the buttons.
    legend: Vec<GradeButton>,
    parts: Vec<PartView>,
    /// All pages for the script: number, whether it is done, how often it was put off.
    steps: String,
    judged: usize,
    timed: usize,
    seconds: f64,
    each: Option<String>,
    request: String,
    longest: usize,
}

impl TaskPage {
    fn here(&self) -> &'static str {
        "judge"
    }
}

/// Something that is judged, with its buttons.
struct PartView {
    part: PartNo,
    place: usize,
    piece: Html,
    heading: String,
    /// The title of the question that an answer was given to, where judging is not blind.
    question: Option<Html>,
    thread: Option<String>,
    buttons: Vec<GradeButton>,
    /// What counts now, as it is sent.
    said: String,
    comment: String,
    /// What waits for a comment, and its name.
    waits: Option<(String, String)>,
    changes: usize,
    /// The questions that are asked afterwards: name of the field, words, and the answer.
    asked: [(&'static str, &'static str, &'static str); 2],
    request: String,
}

/// What somebody tried to say and that was not kept, to be shown again.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    pub(super) part: PartNo,
    pub(super) verdict: String,
    pub(super) comment: String,
    /// Why it was not kept, as a sentence.
    pub(super) sentence: String,
}

pub(super) async fn task(
    State(app): State<AssessApp>,
    person: Person,
    Path((assignment, task)): Path<(i64, i64)>,
) -> Answer {
    show(&app, person, AssignmentNo(assignment), TaskNo(task), None).await
}

/// Draws the page, with what was not kept if there is something.
pub(super) async fn show(
    app: &AssessApp,
    person: Person,
    assignment: AssignmentNo,
    task: TaskNo,
    draft: Option<Draft>,
) -> Answer {
    let material = app.material().await?;
    let account = person.account.number;
    let read = app.read(move |books| {
        let shown = books.show(account, assignment, task)?;
        let outline = books.outline(account, assignment)?;
        let drawn = draw(&material, person, &shown, &outline, draft.as_ref())?;
        Ok(drawn)
    });
    page(&read.await?)
}

fn draw(
    material: &Material,
    person: Person,
    shown: &Shown,
    outline: &Outline,
    draft: Option<&Draft>,
) -> assess::Result<TaskPage> {
    let batch = &shown.batch;
    let question = material.question(&batch.set, batch.kind, batch.topic.as_str());
    let grades = scale(material.manifest(), task_of(batch.kind, shown.kind), None);
    let mut found = None;
    let mut parts = Vec::with_capacity(shown.parts.len());
    for (place, part) in (1..).zip(&shown.parts) {
        let piece = material.piece(wanted(shown, part));
        found = found.or_else(|| piece.formula.clone());
        let draft = draft.filter(|draft| draft.part == part.part);
        let said = part.said.as_ref().map(|said| said.verdict);
        let waits = draft.and_then(|draft| {
            let button = grades.iter().find(|button| button.value == draft.verdict && !button.is_grade)?;
            Some((button.value.clone(), button.name.clone()))
        });
        parts.push(PartView {
            part: part.part,
            place,
            heading: piece.heading.clone(),
            // Where systems write answers, too, a title would tell theirs from those of the collection.
            question: piece.question.clone().filter(|_| {
                batch.kind == PoolKind::Formulas
                    || !material.manifest().all_tasks().any(|task| task == Task::Task3)
            }),
            // Every item has the same link, also one without a thread; where people are asked whether an answer
            // looks machine-made, none has.
            thread: (batch.asks == Asks::Grades && material.manifest().context != Context::Formula)
                .then(|| format!("/task/{}/{}/thread/{}", shown.assignment, shown.task, part.part)),
            buttons: scale(material.manifest(), task_of(batch.kind, shown.kind), said),
            said: said.map(|verdict| verdict.to_string()).unwrap_or_default(),
            comment: match (draft, &part.said) {
                (Some(draft), _) => draft.comment.clone(),
                (None, Some(said)) => said.comment.clone(),
                (None, None) => String::new(),
            },
            waits,
            changes: part.changes,
            asked: [
                (
                    "machine",
                    "Does this answer look machine-generated?",
                    answer(part.flags, |flags| flags.machine_generated),
                ),
                (
                    "unrelated",
                    "Does it hold information that is unrelated to the question?",
                    answer(part.flags, |flags| flags.unrelated),
                ),
            ],
            request: Secret::new()?.as_str().to_owned(),
            piece: match batch.asks {
                Asks::Grades => piece.html(),
                Asks::Flags => piece.blind_html(),
            },
        });
    }
    let steps =
        outline.steps.iter().map(|step| format!("{}:{}:{}", step.task, u8::from(step.done), step.skips));
    Ok(TaskPage {
        assignment: shown.assignment,
        task: shown.task,
        title: title_of(batch),
        topic: batch.topic.as_str().to_owned(),
        place: shown.place,
        of: shown.of,
        done: shown.done,
        previous: shown.previous,
        following: shown.following,
        gone: gone(shown.state),
        notice: draft.map(|draft| draft.sentence.clone()),
        asks: batch.asks.word(),
        question_thread: question.thread.clone(),
        rules: if batch.asks == Asks::Grades {
            rules_of(material.manifest(), batch.kind)
        } else {
            Vec::new()
        },
        question: question.html(),
        found: found.filter(|_| matches!(shown.kind, ItemKind::Formula | ItemKind::Instance)),
        legend: if shown.parts.len() > 1 && batch.asks == Asks::Grades { grades } else { Vec::new() },
        parts,
        steps: steps.collect::<Vec<_>>().join(","),
        judged: outline.pace.judged,
        timed: outline.pace.timed,
        seconds: outline.pace.seconds,
        each: outline.pace.each().map(duration),
        request: Secret::new()?.as_str().to_owned(),
        longest: LONGEST_COMMENT,
        person,
    })
}

/// What is shown for a part.
pub(crate) fn wanted(shown: &Shown, part: &ShownPart) -> Wanted {
    match shown.kind {
        ItemKind::Post => Wanted::Post(shown.item.clone()),
        ItemKind::Answer => Wanted::Written { id: shown.item.clone(), text: shown.text.clone() },
        ItemKind::Formula | ItemKind::Instance => Wanted::Instance {
            formula: part.instance.clone().unwrap_or_else(|| shown.item.clone()),
            post: part.post.clone(),
        },
    }
}

/// The answer to a question of those that are asked afterwards.
fn answer(flags: Option<Flags>, which: impl Fn(Flags) -> Option<bool>) -> &'static str {
    match flags.map(which) {
        None => "",
        Some(None) => "open",
        Some(Some(true)) => "yes",
        Some(Some(false)) => "no",
    }
}

fn gone(state: Standing) -> Option<&'static str> {
    match state {
        Standing::Open | Standing::Done => None,
        Standing::Expired => Some(
            "You have not judged here for a while, so the batch has returned to the queue. It is yours again if you \
             judge something before somebody else takes it.",
        ),
        Standing::Returned => Some(
            "This batch has been given back, so somebody else may have it now. What you judge here is still kept.",
        ),
    }
}

#[derive(Template)]
#[template(path = "assess/history.html")]
struct HistoryPage {
    person: Person,
    lines: Vec<HistoryLine>,
}

impl HistoryPage {
    fn here(&self) -> &'static str {
        "judge"
    }
}

struct HistoryLine {
    at: String,
    name: String,
    comment: String,
}

/// All that somebody said of one thing.
pub(super) async fn history(State(app): State<AssessApp>, person: Person, Path(part): Path<i64>) -> Answer {
    let material = app.material().await?;
    let account = person.account.number;
    let (said, kind) = app
        .read(move |books| {
            let part = PartNo(part);
            Ok((books.history(account, part)?, books.kind_of_part(part)?))
        })
        .await?;
    let task = task_of(kind.0, kind.1);
    let line = |said: assess::Said| HistoryLine {
        at: moment(&said.at),
        name: grade_name(material.manifest(), task, said.verdict),
        comment: said.comment,
    };
    let lines = said.into_iter().map(line).collect();
    page(&HistoryPage { person, lines })
}
