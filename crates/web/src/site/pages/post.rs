//! Threads and posts.

use super::{PageError, Pairs, page};
use crate::site::error::AppError;
use crate::site::state::{App, Served};
use crate::view::{Html, encode};
use askama::Template;
use axum::extract::{Path, Query, State};
use axum::response::Response;
use render::{Fragment, Highlight, Links, Options, Page};
use std::collections::BTreeSet;
use store::PostNo;

/// So many formulas are highlighted.
const MOST: usize = 50;

/// What of a thread is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// All of it.
    Thread,
    /// One post.
    Post,
}

#[derive(Template)]
#[template(path = "thread.html")]
struct ThreadPage {
    title: String,
    content: Html,
    /// The address of the thread, for a post that is shown alone.
    thread: Option<String>,
}

impl ThreadPage {
    fn here(&self) -> &'static str {
        "thread"
    }
}

/// The thread of a post.
pub(super) async fn thread(
    State(app): State<App>,
    Path(id): Path<String>,
    Query(pairs): Pairs,
) -> Result<Response, PageError> {
    show(app, id, pairs, Part::Thread).await
}

/// A post alone.
pub(super) async fn post(
    State(app): State<App>,
    Path(id): Path<String>,
    Query(pairs): Pairs,
) -> Result<Response, PageError> {
    show(app, id, pairs, Part::Post).await
}

async fn show(app: App, id: String, pairs: Vec<(String, String)>, part: Part) -> Result<Response, PageError> {
    let name: String = id.chars().take(80).collect();
    let made = app.work(move |served, _| draw(served, &id, &pairs, part)).await?;
    Ok(page(&made.ok_or_else(|| AppError::NotFound(format!("post {name}")))?))
}

fn draw(
    served: &Served,
    id: &str,
    pairs: &[(String, String)],
    part: Part,
) -> Result<Option<ThreadPage>, AppError> {
    let index = served.engine.index();
    let Some(document) = index.find(id) else { return Ok(None) };
    let (source, post) = index.post(document);
    let wanted = pairs.iter().filter(|(name, _)| name == "hl").flat_map(|(_, value)| value.split(','));
    let visuals: BTreeSet<u64> = wanted.filter_map(|visual| visual.trim().parse().ok()).take(MOST).collect();
    let highlight = Highlight { visuals, ..Highlight::default() };
    let first = source.collection.thread_of(post);
    let place = index.sources().iter().position(|known| known.number == source.number);
    let is_gone = |post: &PostNo| place.is_none_or(|place| index.document(place, *post).is_none());
    let gone = std::iter::once(first).chain(source.collection.answers(first)).filter(is_gone).collect();
    let options = Options { highlight, links: Links::Server, gone, ..Options::default() };
    let drawer = Page::new(&source.collection, options);
    let mut reader = source.collection.reader();
    let Fragment { title, content, .. } = match part {
        Part::Thread => drawer.thread_fragment(&mut reader, post)?,
        Part::Post => drawer.post_fragment(&mut reader, post)?,
    };
    let thread = (part == Part::Post).then(|| {
        let first = source.collection.post_id(first).to_string();
        format!("/thread/{}#post-{}", encode(&first), encode(id))
    });
    Ok(Some(ThreadPage { title, content: Html::trusted(content), thread }))
}
