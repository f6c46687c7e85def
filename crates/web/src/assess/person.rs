//! Who asks.

use super::app::AssessApp;
use super::cookies::Cookie;
use super::error::AssessError;
use crate::connections::Peer;
use assess::{Account, Secret};
use axum::extract::{FromRequestParts, OptionalFromRequestParts};
use axum::http::request::Parts;
use std::convert::Infallible;
use std::net::IpAddr;

/// What the tokens in forms are for, so that they tell nothing about the secret they come from.
const CSRF: &str = "csrf";

/// Somebody who is signed in.
#[derive(Clone, Debug)]
pub(crate) struct Person {
    /// Who.
    pub(crate) account: Account,
    /// What every form of theirs must hold in its field `csrf`, and every script send as `x-csrf`.
    pub(crate) csrf: String,
}

impl Person {
    /// Whether they run the lab.
    pub(crate) fn is_organiser(&self) -> bool {
        self.account.is_organiser()
    }
}

/// Somebody who is signed in and runs the lab; to others the page is not there.
#[derive(Clone, Debug)]
pub(crate) struct Organiser(pub(crate) Person);

/// What `front.rs` has found out about who asks.
#[derive(Clone, Debug)]
pub(super) struct Arrived {
    pub(super) person: Person,
    pub(super) secret: Secret,
}

impl Arrived {
    pub(super) fn new(account: Account, secret: Secret) -> Self {
        Self { person: Person { account, csrf: secret.derived(CSRF) }, secret }
    }
}

impl FromRequestParts<AssessApp> for Arrived {
    type Rejection = AssessError;

    async fn from_request_parts(parts: &mut Parts, _: &AssessApp) -> Result<Self, AssessError> {
        parts.extensions.get::<Self>().cloned().ok_or(AssessError::SignedOut)
    }
}

impl FromRequestParts<AssessApp> for Person {
    type Rejection = AssessError;

    async fn from_request_parts(parts: &mut Parts, app: &AssessApp) -> Result<Self, AssessError> {
        <Arrived as FromRequestParts<AssessApp>>::from_request_parts(parts, app)
            .await
            .map(|arrived| arrived.person)
    }
}

impl OptionalFromRequestParts<AssessApp> for Person {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &AssessApp) -> Result<Option<Self>, Infallible> {
        Ok(parts.extensions.get::<Arrived>().map(|arrived| arrived.person.clone()))
    }
}

impl OptionalFromRequestParts<AssessApp> for Arrived {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &AssessApp) -> Result<Option<Self>, Infallible> {
        Ok(parts.extensions.get::<Self>().cloned())
    }
}

impl FromRequestParts<AssessApp> for Organiser {
    type Rejection = AssessError;

    async fn from_request_parts(parts: &mut Parts, app: &AssessApp) -> Result<Self, AssessError> {
        let person = <Person as FromRequestParts<AssessApp>>::from_request_parts(parts, app).await?;
        if person.is_organiser() {
            return Ok(Self(person));
        }
        // As if there were nothing: the same as for any other address.
        let path: String = parts.uri.path().chars().take(100).collect();
        Err(AssessError::NotFound(format!("page at {path}")))
    }
}

/// Somebody who looks at a form before they are in.
#[derive(Clone, Debug)]
pub(super) struct Visitor {
    pub(super) secret: Secret,
    /// Whether the browser has the secret already.
    pub(super) known: Known,
}

/// Whether the browser has something already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    /// It has.
    Yes,
    /// It must be told.
    No,
}

impl Visitor {
    /// What the form must hold.
    pub(super) fn csrf(&self) -> String {
        self.secret.derived(CSRF)
    }
}

impl FromRequestParts<AssessApp> for Visitor {
    type Rejection = AssessError;

    async fn from_request_parts(parts: &mut Parts, app: &AssessApp) -> Result<Self, AssessError> {
        match Cookie::Visit.read(app.config(), &parts.headers) {
            Some(secret) => Ok(Self { secret, known: Known::Yes }),
            None => Ok(Self { secret: Secret::new()?, known: Known::No }),
        }
    }
}

/// From where a request comes, as far as that can be known.
#[derive(Clone, Copy, Debug)]
pub(super) struct From(pub(super) Option<IpAddr>);

impl FromRequestParts<AssessApp> for From {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &AssessApp) -> Result<Self, Infallible> {
        let peer = parts.extensions.get::<Peer>().map(|peer| peer.0);
        if !app.config().trust_proxy {
            return Ok(Self(peer));
        }
        // The last one is what our own proxy saw; all before it is what it was told.
        let mut lines = parts.headers.get_all("x-forwarded-for").iter().filter_map(|line| line.to_str().ok());
        let last = lines.next_back().and_then(|line| line.rsplit(',').next());
        Ok(Self(last.and_then(|address| address.trim().parse().ok()).or(peer)))
    }
}
