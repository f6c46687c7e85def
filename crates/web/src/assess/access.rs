//! The pages by which one comes in: sign in, and make an account by a link.

use super::app::AssessApp;
use super::cookies::{self, Cookie};
use super::error::AssessError;
use super::form::{Checked, Visited};
use super::front::sentence;
use super::person::{Arrived, From, Known, Visitor};
use super::{Answer, page, see};
use askama::Template;
use assess::{Secret, SignedIn};
use axum::Router;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{get, post};
use serde::Deserialize;

/// Where somebody wanted to go is remembered if it is no longer than this.
pub(super) const LONGEST_NEXT: usize = 500;

/// The pages by which one comes in and goes.
pub(super) fn routes() -> Router<AssessApp> {
    Router::new()
        .route("/login", get(login).post(sign_in))
        .route("/join/{token}", get(invited).post(join))
        .route("/logout", post(sign_out))
}

#[derive(Template)]
#[template(path = "assess/login.html")]
struct Login {
    csrf: String,
    name: String,
    next: String,
    /// What was wrong, as a sentence.
    wrong: String,
    /// What has just happened.
    news: &'static str,
}

#[derive(Debug, Default, Deserialize)]
struct Wanted {
    #[serde(default)]
    next: String,
    #[serde(default)]
    gone: String,
}

/// A path of ours that is safe to be led to, whatever stands there.
fn own_path(next: &str) -> &str {
    let plain = |byte: u8| byte.is_ascii_graphic() && !b"\\\"<>".contains(&byte);
    let inside = next.starts_with('/') && !next.starts_with("//");
    let leads_out = ["/login", "/logout", "/join"].iter().any(|page| next.starts_with(page));
    if inside && !leads_out && next.len() <= LONGEST_NEXT && next.bytes().all(plain) { next } else { "/" }
}

/// Shows a form to a visitor, who is told their secret if they have none.
fn to_visitor(app: &AssessApp, visitor: &Visitor, template: &impl Template) -> Answer {
    let mut response = page(template)?;
    if visitor.known == Known::No {
        cookies::add(&mut response, Cookie::Visit.set(app.config(), &visitor.secret));
    }
    Ok(response)
}

async fn login(
    State(app): State<AssessApp>,
    arrived: Option<Arrived>,
    visitor: Visitor,
    Query(wanted): Query<Wanted>,
) -> Answer {
    let next = own_path(&wanted.next).to_owned();
    if arrived.is_some() {
        return Ok(see(&next));
    }
    let news = if wanted.gone.is_empty() { "" } else { "You are signed out." };
    let csrf = visitor.csrf();
    to_visitor(&app, &visitor, &Login { csrf, name: String::new(), next, wrong: String::new(), news })
}

#[derive(Deserialize)]
struct Credentials {
    name: String,
    password: String,
    #[serde(default)]
    next: String,
}

async fn sign_in(
    State(app): State<AssessApp>,
    arrived: Option<Arrived>,
    From(address): From,
    visitor: Visitor,
    Visited(sent): Visited<Credentials>,
) -> Answer {
    let folded = assess::folded_name(&sent.name.chars().take(100).collect::<String>());
    app.limits().attempt(&folded, address).map_err(AssessError::TooOften)?;
    let next = own_path(&sent.next).to_owned();
    let (limits, name) = (app.config().sessions, sent.name.clone());
    let signed_in =
        app.with_passwords(move |office| office.sign_in(&sent.name, &sent.password, limits)).await?;
    let Some(signed_in) = signed_in else {
        let name = name.chars().take(100).collect();
        let wrong = "The name or the password is not right.".to_owned();
        let shown = Login { csrf: visitor.csrf(), name, next, wrong, news: "" };
        return Ok(with_status(StatusCode::FORBIDDEN, to_visitor(&app, &visitor, &shown)?));
    };
    app.limits().forgive(&folded, address);
    enter(&app, &signed_in, arrived, &next).await
}

/// Gives somebody who has just come in their session; one that they had before ends.
pub(super) async fn enter(
    app: &AssessApp,
    signed_in: &SignedIn,
    before: Option<Arrived>,
    next: &str,
) -> Answer {
    if let Some(before) = before {
        let who = before.person.account.name;
        app.write(move |books| books.sign_out(&before.secret, &who)).await?;
    }
    let mut response = see(next);
    cookies::add(&mut response, Cookie::Session.set(app.config(), &signed_in.secret));
    cookies::add(&mut response, Cookie::Visit.end(app.config()));
    Ok(response)
}

/// A form without fields of its own.
#[derive(Deserialize)]
pub(super) struct Nothing {}

async fn sign_out(State(app): State<AssessApp>, arrived: Arrived, _: Checked<Nothing>) -> Answer {
    let Arrived { person, secret } = arrived;
    app.write(move |books| books.sign_out(&secret, &person.account.name)).await?;
    let mut response = see("/login?gone=1");
    cookies::add(&mut response, Cookie::Session.end(app.config()));
    Ok(response)
}

fn with_status(status: StatusCode, mut response: Response) -> Response {
    *response.status_mut() = status;
    response
}

#[derive(Template)]
#[template(path = "assess/join.html")]
struct Join {
    csrf: String,
    /// The path that the form goes to.
    path: String,
    lab: String,
    /// The account whose password is set, if it is for that.
    resets: Option<String>,
    /// As what they are invited.
    role: &'static str,
    name: String,
    wrong: String,
}

const USELESS: &str = "link that can be used: it was used, withdrawn, is too old, or was not copied whole. Ask an \
                       organiser for another";

/// What a link is for, as long as it can be used.
async fn link(app: &AssessApp, visitor: &Visitor, token: &str) -> Result<(Secret, Join), AssessError> {
    let useless = || AssessError::NotFound(USELESS.to_owned());
    let secret = Secret::read(token).ok_or_else(useless)?;
    let wanted = secret.clone();
    let found = app.read(move |books| {
        let Some(invitation) = books.invitation(&wanted)? else { return Ok(None) };
        let account = invitation.resets.map(|number| books.account(number)).transpose()?;
        Ok(Some((invitation, account, books.manifest().name.clone())))
    });
    let (invitation, account, lab) = found.await?.ok_or_else(useless)?;
    let role = match (invitation.role, invitation.standing) {
        (assess::Role::Organiser, _) => "an organiser",
        (_, assess::Standing::Applicant) => "an applicant: you judge a few samples first",
        _ => "an assessor",
    };
    let join = Join {
        csrf: visitor.csrf(),
        path: format!("/join/{}", secret.as_str()),
        lab,
        resets: account.map(|account| account.name),
        role,
        name: String::new(),
        wrong: String::new(),
    };
    Ok((secret, join))
}

async fn invited(State(app): State<AssessApp>, visitor: Visitor, Path(token): Path<String>) -> Answer {
    let (_, join) = link(&app, &visitor, &token).await?;
    to_visitor(&app, &visitor, &join)
}

#[derive(Deserialize)]
struct NewAccount {
    #[serde(default)]
    name: String,
    password: String,
    again: String,
}

async fn join(
    State(app): State<AssessApp>,
    arrived: Option<Arrived>,
    From(address): From,
    visitor: Visitor,
    Path(token): Path<String>,
    Visited(sent): Visited<NewAccount>,
) -> Answer {
    let key: String = token.chars().take(64).collect();
    app.limits().attempt(&key, address).map_err(AssessError::TooOften)?;
    let (secret, shown) = link(&app, &visitor, &token).await?;
    let again = |wrong: &str| {
        let name = sent.name.chars().take(100).collect();
        let shown = Join { name, wrong: sentence(wrong), ..shown };
        Ok(with_status(StatusCode::UNPROCESSABLE_ENTITY, to_visitor(&app, &visitor, &shown)?))
    };
    if sent.password != sent.again {
        return again("the two passwords are not the same");
    }
    let (limits, name, password) = (app.config().sessions, sent.name.clone(), sent.password.clone());
    let joined = app.with_passwords(move |office| {
        let account = office.join(&secret, &name, &password)?;
        office.welcome(&account, limits)
    });
    match joined.await {
        Ok(signed_in) => {
            // An organiser begins at the desk, where the checklist says what is next.
            let next = if signed_in.account.role == assess::Role::Organiser { "/desk" } else { "/" };
            enter(&app, &signed_in, arrived, next).await
        }
        Err(AssessError::Books(assess::Error::Refused(wrong))) => again(&wrong),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_own_paths_are_led_to() {
        for own in ["/", "/work/7", "/desk?tab=people&x=%20", "/a/../b"] {
            assert_eq!(own_path(own), own);
        }
        let long = format!("/{}", "a".repeat(LONGEST_NEXT));
        for other in [
            "",
            "//evil.org",
            "/\\evil.org",
            "https://evil.org",
            "evil.org",
            "javascript:alert(1)",
            "/a\r\nb: c",
            "/\t/evil.org",
            "/ /x",
            "/logout",
            "/login?next=/",
            "\\\\evil.org",
            "/é",
            &long,
        ] {
            assert_eq!(own_path(other), "/", "{other:?}");
        }
    }
}
