//! What surrounds a post: its whole thread, for those who are signed in.

use super::task::wanted;
use crate::assess::{Answer, AssessApp, AssessError, Person, page, see};
use crate::view::Html;
use askama::Template;
use assess::{Asks, AssignmentNo, PartNo, TaskNo};
use axum::extract::{Path, Query, State};
use render::Fragment;
use tokio::task::JoinHandle;

#[derive(Template)]
#[template(path = "assess/thread.html")]
struct ThreadPage {
    person: Person,
    title: String,
    /// What the thread is, in a sentence.
    about: &'static str,
    content: Html,
}

impl ThreadPage {
    fn here(&self) -> &'static str {
        "thread"
    }
}

pub(super) async fn thread(
    State(app): State<AssessApp>,
    person: Person,
    Path(post): Path<String>,
    Query(pairs): Query<Vec<(String, String)>>,
) -> Answer {
    let name: String = post.chars().take(80).collect();
    let material = app.material().await?;
    // What is looked up is an id of the collection, never a file.
    let drawn = tokio::task::spawn_blocking(move || {
        let values = |wanted: &'static str| {
            let of = pairs.iter().filter(move |(name, _)| name == wanted);
            of.flat_map(|(_, value)| value.split(',')).map(|value| value.trim().to_owned())
        };
        material.thread(&post, values("formula"), values("hl").filter_map(|id| id.parse().ok()))
    });
    let thread = drawn_thread(drawn).await?;
    let thread = thread.ok_or_else(|| AssessError::NotFound(format!("post {name} in the collection")))?;
    let about = "The thread as it stands in the collection.";
    page(&ThreadPage { person, title: thread.title, about, content: Html::trusted(thread.content) })
}

/// The thread of a topic, with what was posted later.
pub(super) async fn of_topic(
    State(app): State<AssessApp>,
    person: Person,
    Path(post): Path<String>,
) -> Answer {
    let material = app.material().await?;
    let drawn = tokio::task::spawn_blocking(move || material.topic_thread(&post));
    let thread =
        drawn_thread(drawn).await?.ok_or_else(|| AssessError::NotFound("such topic thread".to_owned()))?;
    let about = "The thread of the topic, with what was posted later; no system searched it.";
    page(&ThreadPage { person, title: thread.title, about, content: Html::trusted(thread.content) })
}

/// A thread that is drawn on another thread of the program.
async fn drawn_thread(
    drawn: JoinHandle<Result<Option<Fragment>, store::Error>>,
) -> Result<Option<Fragment>, AssessError> {
    match drawn.await {
        Ok(Ok(thread)) => Ok(thread),
        Ok(Err(error)) => {
            tracing::error!(cause = error.to_string(), "a thread could not be read");
            Err(AssessError::Broken)
        }
        Err(_) => Err(AssessError::Broken),
    }
}

#[derive(Template)]
#[template(path = "assess/no_thread.html")]
struct NoThreadPage {
    person: Person,
}

impl NoThreadPage {
    fn here(&self) -> &'static str {
        "thread"
    }
}

/// The thread of something that is judged, by the address of its page: the page itself does not tell whether there
/// is one.
pub(super) async fn of_part(
    State(app): State<AssessApp>,
    person: Person,
    Path((assignment, task, part)): Path<(i64, i64, i64)>,
) -> Answer {
    let account = person.account.number;
    let material = app.material().await?;
    let found = app.read(move |books| {
        let shown = books.show(account, AssignmentNo(assignment), TaskNo(task))?;
        if shown.batch.asks == Asks::Flags {
            return Ok(None);
        }
        let part = shown.parts.iter().find(|one| one.part == PartNo(part));
        Ok(part.map(|part| material.piece(wanted(&shown, part)).thread.clone()))
    });
    match found.await? {
        Some(thread) => see_thread(person, thread),
        None => Err(AssessError::NotFound("such thread".to_owned())),
    }
}

/// Leads to a thread, or says that there is none.
pub(crate) fn see_thread(person: Person, thread: Option<String>) -> Answer {
    match thread {
        Some(thread) => Ok(see(&thread)),
        None => page(&NoThreadPage { person }),
    }
}
