//! What surrounds a post: its whole thread, for those who are signed in.

use crate::assess::{Answer, AssessApp, AssessError, Person, page};
use crate::view::Html;
use askama::Template;
use axum::extract::{Path, Query, State};

#[derive(Template)]
#[template(path = "assess/thread.html")]
struct ThreadPage {
    person: Person,
    title: String,
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
    let thread = match drawn.await {
        Ok(Ok(thread)) => thread,
        Ok(Err(error)) => {
            tracing::error!(cause = error.to_string(), "a thread could not be read");
            return Err(AssessError::Broken);
        }
        Err(_) => return Err(AssessError::Broken),
    };
    let thread = thread.ok_or_else(|| AssessError::NotFound(format!("post {name} in the collection")))?;
    page(&ThreadPage { person, title: thread.title, content: Html::trusted(thread.content) })
}
