//! One's own account: another password, and where one is signed in.

use super::access::{Nothing, enter};
use super::app::AssessApp;
use super::cookies::{self, Cookie};
use super::error::AssessError;
use super::form::Checked;
use super::front::sentence;
use super::person::{Arrived, From, Person};
use super::{Answer, page, see};
use askama::Template;
use axum::Router;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::routing::{get, post};
use serde::Deserialize;

/// The page and its forms.
pub(super) fn routes() -> Router<AssessApp> {
    Router::new()
        .route("/account", get(account))
        .route("/account/password", post(change_password))
        .route("/account/sessions", post(end_sessions))
}

#[derive(Template)]
#[template(path = "assess/account.html")]
struct AccountPage {
    person: Person,
    sessions: usize,
    wrong: String,
    news: &'static str,
}

impl AccountPage {
    fn here(&self) -> &'static str {
        "account"
    }
}

#[derive(Debug, Default, Deserialize)]
struct News {
    #[serde(default)]
    changed: String,
}

async fn account(State(app): State<AssessApp>, person: Person, Query(news): Query<News>) -> Answer {
    let news = if news.changed.is_empty() {
        ""
    } else {
        "The password was changed, and you are signed out elsewhere."
    };
    page(&AccountPage { sessions: sessions(&app, &person).await?, person, wrong: String::new(), news })
}

async fn sessions(app: &AssessApp, person: &Person) -> Result<usize, AssessError> {
    let (number, limits) = (person.account.number, app.config().sessions);
    app.read(move |books| books.num_sessions(number, &limits)).await
}

#[derive(Deserialize)]
struct Change {
    old: String,
    new: String,
    again: String,
}

async fn change_password(
    State(app): State<AssessApp>,
    arrived: Arrived,
    From(address): From,
    Checked(sent): Checked<Change>,
) -> Answer {
    let person = arrived.person;
    let folded = assess::folded_name(&person.account.name);
    app.limits().attempt(&folded, address).map_err(AssessError::TooOften)?;
    let changed = if sent.new == sent.again {
        let (number, limits) = (person.account.number, app.config().sessions);
        app.with_passwords(move |office| office.change_password(number, &sent.old, &sent.new, limits)).await
    } else {
        Err(assess::Error::refused("the two new passwords are not the same").into())
    };
    match changed {
        Ok(signed_in) => {
            app.limits().forgive(&folded, address);
            // All sessions have ended, this one too.
            enter(&app, &signed_in, None, "/account?changed=1").await
        }
        Err(AssessError::Books(assess::Error::Refused(wrong))) => {
            let sessions = sessions(&app, &person).await?;
            let mut response = page(&AccountPage { person, sessions, wrong: sentence(&wrong), news: "" })?;
            *response.status_mut() = StatusCode::UNPROCESSABLE_ENTITY;
            Ok(response)
        }
        Err(error) => Err(error),
    }
}

async fn end_sessions(State(app): State<AssessApp>, person: Person, _: Checked<Nothing>) -> Answer {
    app.write(move |books| {
        books.end_sessions(person.account.number)?;
        books.note(&person.account.name, "signed out everywhere")
    })
    .await?;
    let mut response = see("/login?gone=1");
    cookies::add(&mut response, Cookie::Session.end(app.config()));
    Ok(response)
}
