//! What somebody has to do.

use super::words::{duration, stage_of, title_of};
use crate::assess::{Answer, AssessApp, Checked, Person, page, see};
use crate::view::{Html, number_of};
use askama::Template;
use assess::{AssignmentNo, Pace, Standing, State as Standing_, Work};
use axum::extract::State;
use serde::Deserialize;

/// So many answers of organisers are shown.
const MOST_REPLIES: usize = 5;
/// So many batches that are done are listed.
const MOST_DONE: usize = 50;

#[derive(Template)]
#[template(path = "assess/work.html")]
struct WorkPage {
    person: Person,
    lab: String,
    about: String,
    applicant: bool,
    open: Vec<Line>,
    done: Vec<Line>,
    /// How many more are done than are listed.
    more: usize,
    waiting: usize,
    /// What organisers answered to comments.
    replies: Vec<ReplyLine>,
    today: Told,
    ever: Told,
}

impl WorkPage {
    fn here(&self) -> &'static str {
        "work"
    }
}

/// A batch in the list.
struct Line {
    assignment: AssignmentNo,
    title: String,
    /// The title of its question.
    question: Option<Html>,
    stage: Option<String>,
    parts: usize,
    parts_done: usize,
    state: &'static str,
    /// Until when, for those that are open.
    left: String,
    each: Option<String>,
}

/// A comment and what an organiser answered.
struct ReplyLine {
    topic: String,
    comment: String,
    who: String,
    text: String,
}

/// How much, and how fast.
struct Told {
    judged: String,
    each: Option<String>,
}

fn told(pace: &Pace) -> Told {
    Told { judged: number_of(pace.judged), each: pace.each().map(duration) }
}

pub(super) async fn work(State(app): State<AssessApp>, person: Person) -> Answer {
    let material = app.material().await?;
    let account = person.account.clone();
    let read = app.read(move |books| {
        let works = books.work_of(account.number)?;
        let pace = books.pace_of(account.number)?;
        let replies = books.replies_to(&account.name, MOST_REPLIES)?;
        Ok((works, books.waiting_for(&account)?, pace, replies, books.now(), books.manifest().clone()))
    });
    let (works, waiting, (today, ever), replies, now, manifest) = read.await?;
    let line = |work: &Work| {
        let question = material.question(&work.batch.set, work.batch.kind, work.batch.topic.as_str());
        #[expect(clippy::cast_precision_loss, reason = "seconds and counts")]
        let each = (work.parts_done > 0 && work.seconds > 0.0).then(|| work.seconds / work.parts_done as f64);
        #[expect(clippy::cast_precision_loss, reason = "seconds of a few years")]
        let left = duration((work.expires_at - now) as f64);
        Line {
            assignment: work.assignment,
            title: title_of(&work.batch),
            question: question.title.clone(),
            stage: stage_of(&work.batch),
            parts: work.parts,
            parts_done: work.parts_done,
            state: match work.state {
                // It is returned to the queue when somebody asks for work, and theirs again if they go on.
                Standing_::Open if work.expires_at <= now => "expired",
                state => state.word(),
            },
            left,
            each: each.map(duration),
        }
    };
    let (open, others): (Vec<&Work>, Vec<&Work>) =
        works.iter().partition(|work| work.state == Standing_::Open);
    page(&WorkPage {
        lab: manifest.name,
        about: manifest.about,
        applicant: person.account.standing == Standing::Applicant,
        open: open.into_iter().map(line).collect(),
        more: others.len().saturating_sub(MOST_DONE),
        done: others.into_iter().take(MOST_DONE).map(line).collect(),
        waiting,
        replies: replies.into_iter().filter_map(reply_line).collect(),
        today: told(&today),
        ever: told(&ever),
        person,
    })
}

fn reply_line(comment: assess::Comment) -> Option<ReplyLine> {
    let reply = comment.reply?;
    let (topic, comment) = (comment.topic.to_string(), comment.comment);
    Some(ReplyLine { topic, comment, who: reply.who, text: reply.text })
}

#[derive(Deserialize)]
pub(super) struct Nothing {}

/// Takes the next batch from the queue and leads to its first page.
pub(super) async fn take(State(app): State<AssessApp>, person: Person, _: Checked<Nothing>) -> Answer {
    let account = person.account;
    let taken = app.write(move |books| books.take(&account)).await?;
    Ok(match taken {
        Some(assignment) => see(&format!("/batch/{assignment}/next")),
        None => see("/"),
    })
}
