//! What is sent from the page on which one judges: by a form, which leads to the next page, or by the script,
//! which is told what became of it.

use super::task::{self, Draft};
use crate::assess::{Answer, AssessApp, AssessError, Checked, Person, see, sentence};
use assess::{AssignmentNo, Flags, NewFlags, NewGrade, PartNo, Receipt, TaskNo};
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::IntoResponse;
use lab::Verdict;
use serde::Deserialize;
use serde_json::json;

/// Who has sent something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sender {
    /// A form: it is led to the next page.
    Form,
    /// The script: it is told what became of it.
    Script,
}

fn sender(headers: &HeaderMap) -> Sender {
    let accepted = headers.get(header::ACCEPT).and_then(|kinds| kinds.to_str().ok()).unwrap_or_default();
    if accepted.contains("application/json") { Sender::Script } else { Sender::Form }
}

/// A time in seconds; what is no number is none.
fn seconds(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|seconds: &f64| seconds.is_finite())
}

#[derive(Deserialize)]
pub(super) struct SentGrade {
    assignment: i64,
    task: i64,
    part: i64,
    verdict: String,
    #[serde(default)]
    comment: String,
    #[serde(default)]
    seconds: String,
    request: String,
}

pub(super) async fn judge(
    State(app): State<AssessApp>,
    person: Person,
    headers: HeaderMap,
    Checked(sent): Checked<SentGrade>,
) -> Answer {
    let verdict = Verdict::stored(&sent.verdict)
        .ok_or_else(|| AssessError::BadRequest("there is no such grade".to_owned()))?;
    let (assignment, task) = (AssignmentNo(sent.assignment), TaskNo(sent.task));
    let new = NewGrade {
        assignment,
        part: PartNo(sent.part),
        verdict,
        comment: sent.comment.clone(),
        seconds: seconds(&sent.seconds),
        request: sent.request,
    };
    let account = person.account.clone();
    let kept = app.write(move |books| books.judge(&account, &new)).await;
    match (kept, sender(&headers)) {
        (Err(AssessError::Books(assess::Error::Refused(reason))), Sender::Form) => {
            // What was typed is not lost.
            let draft = Draft {
                part: PartNo(sent.part),
                verdict: sent.verdict,
                comment: sent.comment,
                sentence: sentence(&reason),
            };
            let mut response = task::show(&app, person, assignment, task, Some(draft)).await?;
            *response.status_mut() = StatusCode::UNPROCESSABLE_ENTITY;
            Ok(response)
        }
        (Err(error), _) => Err(error),
        (Ok(receipt), sender) => {
            kept_at(&app, &person, (assignment, task), PartNo(sent.part), receipt, sender).await
        }
    }
}

#[derive(Deserialize)]
pub(super) struct SentFlags {
    assignment: i64,
    task: i64,
    part: i64,
    #[serde(default)]
    machine: String,
    #[serde(default)]
    unrelated: String,
    #[serde(default)]
    seconds: String,
    request: String,
}

pub(super) async fn flag(
    State(app): State<AssessApp>,
    person: Person,
    headers: HeaderMap,
    Checked(sent): Checked<SentFlags>,
) -> Answer {
    let read = |answer: &str| match answer {
        "yes" => Ok(Some(true)),
        "no" => Ok(Some(false)),
        // Who cannot tell leaves it open.
        "open" | "" => Ok(None),
        _ => Err(AssessError::BadRequest("an answer is yes, no or open".to_owned())),
    };
    let flags = Flags { machine_generated: read(&sent.machine)?, unrelated: read(&sent.unrelated)? };
    let (assignment, task, part) = (AssignmentNo(sent.assignment), TaskNo(sent.task), PartNo(sent.part));
    let new = NewFlags { assignment, part, flags, seconds: seconds(&sent.seconds), request: sent.request };
    let account = person.account.clone();
    let receipt = app.write(move |books| books.flag(&account, &new)).await?;
    kept_at(&app, &person, (assignment, task), part, receipt, sender(&headers)).await
}

/// Tells the script that something was kept, or leads to what comes next.
async fn kept_at(
    app: &AssessApp,
    person: &Person,
    (assignment, task): (AssignmentNo, TaskNo),
    part: PartNo,
    receipt: Receipt,
    sender: Sender,
) -> Answer {
    if sender == Sender::Script {
        let Receipt { again, task_done, batch_done, .. } = receipt;
        let told = json!({ "again": again, "task_done": task_done, "batch_done": batch_done });
        return Ok(axum::Json(told).into_response());
    }
    let account = person.account.number;
    let shown = app.read(move |books| books.show(account, assignment, task)).await?;
    if !receipt.task_done {
        // The next one on the page that nothing was said of.
        let waiting = |shown: &&assess::ShownPart| shown.said.is_none() && shown.flags.is_none();
        let next = shown.parts.iter().find(waiting).map_or(part, |next| next.part);
        return Ok(see(&format!("/task/{assignment}/{task}#part-{next}")));
    }
    Ok(see(&match shown.next {
        Some(next) => format!("/task/{assignment}/{next}"),
        None => format!("/batch/{assignment}"),
    }))
}

#[derive(Deserialize)]
pub(super) struct SentUndo {
    assignment: i64,
    request: String,
}

/// Takes back the last thing that was said.
pub(super) async fn undo(
    State(app): State<AssessApp>,
    person: Person,
    headers: HeaderMap,
    Checked(sent): Checked<SentUndo>,
) -> Answer {
    let (account, assignment) = (person.account, AssignmentNo(sent.assignment));
    let task = app.write(move |books| books.undo(&account, assignment, &sent.request)).await?;
    Ok(match (sender(&headers), task) {
        (Sender::Script, task) => axum::Json(json!({ "task": task })).into_response(),
        (Sender::Form, Some(task)) => see(&format!("/task/{assignment}/{task}")),
        (Sender::Form, None) => see(&format!("/batch/{assignment}")),
    })
}

#[derive(Deserialize)]
pub(super) struct SentSkip {
    assignment: i64,
    task: i64,
}

/// Puts a page off.
pub(super) async fn skip(
    State(app): State<AssessApp>,
    person: Person,
    headers: HeaderMap,
    Checked(sent): Checked<SentSkip>,
) -> Answer {
    let (account, assignment, task) =
        (person.account.number, AssignmentNo(sent.assignment), TaskNo(sent.task));
    let next = app.write(move |books| books.skip(account, assignment, task)).await?;
    Ok(match (sender(&headers), next) {
        (Sender::Script, next) => axum::Json(json!({ "next": next })).into_response(),
        (Sender::Form, Some(next)) => see(&format!("/task/{assignment}/{next}")),
        // It is the last one: there is nothing else to do first.
        (Sender::Form, None) => see(&format!("/batch/{assignment}")),
    })
}
