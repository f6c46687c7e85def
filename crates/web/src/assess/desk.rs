//! The organiser's desk: how far the lab is, who works, and what has to be decided.
//!
//! One file for each page; what they show is worked out by `assess`. Every page takes [`Organiser`], and
//! everything that changes something is a form of ours. After a form the page is shown anew by an address
//! that says what was done in one of a few words, never in a sentence that somebody could put there.

mod adjudicate;
mod agreement;
mod alarms;
mod batches;
mod chart;
mod checklist;
mod checks;
mod comments;
mod confirm;
mod disagreements;
mod files;
mod log;
mod overview;
mod people;
mod words;

use super::Answer;
use super::app::AssessApp;
use super::error::AssessError;
use super::front::sentence;
use super::page;
use askama::Template;
use axum::Router;
use axum::http::StatusCode;
use axum::routing::{get, post};

/// All the pages of organisers.
pub(super) fn routes() -> Router<AssessApp> {
    Router::new()
        .route("/desk", get(overview::overview))
        .route("/desk/now", get(overview::now))
        .route("/desk/last-day", post(overview::last_day))
        .route("/desk/people", get(people::people))
        .route("/desk/people/invite", post(people::invite))
        .route("/desk/people/withdraw", post(people::withdraw))
        .route("/desk/people/{account}/reset", post(people::reset))
        .route("/desk/people/{account}/promote", post(people::promote))
        .route("/desk/people/{account}/leave", post(people::leave))
        .route("/desk/people/{account}/return", post(people::come_back))
        .route("/desk/batches", get(batches::batches).post(batches::change))
        .route("/desk/batches/make", get(batches::preview).post(batches::make))
        .route("/desk/comments", get(comments::comments))
        .route("/desk/comments/{judgment}", post(comments::reply))
        .route("/desk/disagreements", get(disagreements::disagreements))
        .route("/desk/adjudicate/{judgment}", get(adjudicate::adjudicate).post(adjudicate::decide))
        .route("/desk/adjudicate/{judgment}/thread", get(adjudicate::thread))
        .route("/desk/checks", get(checks::checks).post(checks::make))
        .route("/desk/files", get(files::files))
        .route("/desk/files/{name}", get(files::download))
        .route("/desk/log", get(log::log))
}

/// What has just happened, or was not done.
#[derive(Clone, Debug, Default)]
pub(super) struct Flash {
    /// What was done, as a sentence.
    pub(super) news: String,
    /// What was not done and why, as a sentence.
    pub(super) wrong: String,
}

impl Flash {
    /// That something was done.
    fn done(news: String) -> Self {
        Self { news, wrong: String::new() }
    }

    /// Takes what a rule refused, to be shown on the page from which it was sent.
    fn refused(error: AssessError) -> Result<Self, AssessError> {
        match error {
            AssessError::Books(assess::Error::Refused(wrong)) => {
                Ok(Self { news: String::new(), wrong: sentence(&wrong) })
            }
            other => Err(other),
        }
    }
}

/// A page, with the status that says whether what was asked for was done.
fn with_flash(template: &impl Template, flash: &Flash) -> Answer {
    let mut response = page(template)?;
    if !flash.wrong.is_empty() {
        *response.status_mut() = StatusCode::UNPROCESSABLE_ENTITY;
    }
    Ok(response)
}

/// Names and values of an address or a form, in their order.
#[derive(Clone, Debug, Default, serde::Deserialize)]
#[serde(transparent)]
struct Pairs(Vec<(String, String)>);

impl Pairs {
    /// The first value of a name, without blanks around it; empty if there is none.
    fn get(&self, name: &str) -> &str {
        let found = self.0.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.trim()).unwrap_or_default()
    }

    fn all<'p>(&'p self, name: &'p str) -> impl Iterator<Item = &'p str> + use<'p> {
        self.0.iter().filter(move |(known, _)| known == name).map(|(_, value)| value.trim())
    }

    /// A number; nothing if there is none or it is not one.
    fn number<T: std::str::FromStr>(&self, name: &str) -> Option<T> {
        self.get(name).parse().ok()
    }
}

/// Where one is in a list that is longer than a page.
struct Paging {
    /// Which are shown, of how many.
    range: String,
    before: Option<String>,
    after: Option<String>,
}

impl Paging {
    /// Of the part of a list that begins at `from`; `address` makes the address of another beginning.
    fn new(
        from: usize,
        shown: usize,
        total: usize,
        at_most: usize,
        address: impl Fn(usize) -> String,
    ) -> Self {
        let range = match (shown, total) {
            (0, total) => format!("none of {total}"),
            (shown, total) if shown == total => format!("all {total}"),
            (shown, total) => format!("{} to {} of {total}", from + 1, from + shown),
        };
        Self {
            range,
            before: (from > 0).then(|| address(from.saturating_sub(at_most))),
            after: (from + shown < total).then(|| address(from + shown)),
        }
    }
}

/// Something that can be chosen from a list.
struct Choice {
    value: String,
    name: String,
    chosen: Chosen,
}

/// Whether something is what counts now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Chosen {
    Yes,
    No,
}

impl Choice {
    fn new(value: impl Into<String>, name: impl Into<String>, chosen: &str) -> Self {
        let value = value.into();
        let chosen = if value == chosen { Chosen::Yes } else { Chosen::No };
        Self { value, name: name.into(), chosen }
    }

    /// For templates.
    fn is_chosen(&self) -> bool {
        self.chosen == Chosen::Yes
    }
}
