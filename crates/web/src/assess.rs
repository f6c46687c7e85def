//! The pages on which people judge, and from which organisers run a lab.
//!
//! All that is known and decided is in the crate `assess`; here it is shown. `app.rs` holds the office and the
//! gates to it, `front.rs` is what every request passes through, `person.rs` who asks, `form.rs` what they
//! send, `limits.rs` how often. `access.rs` has the pages by which one comes in, and `material.rs` draws what is
//! judged.
//!
//! A handler takes [`Person`] (or [`Organiser`]) and, when it changes something, [`Checked`]; it reads and
//! writes by [`AssessApp::read`] and [`AssessApp::write`], and what goes wrong is an [`AssessError`], of which
//! `front.rs` makes a page or JSON.

mod access;
mod account;
mod app;
pub(crate) mod assets;
mod config;
mod cookies;
mod desk;
mod error;
mod form;
mod front;
mod judging;
mod limits;
mod material;
mod person;
mod school;
mod streamed;
mod turkle;
mod upload;

pub use app::{AssessApp, Ticks};
pub use config::{AssessConfig, AttemptLimits, RequestLimits};
pub use error::AssessError;
pub(crate) use form::Checked;
pub(crate) use front::sentence;
pub use material::Material;
pub(crate) use person::{Organiser, Person};
pub use turkle::{turkle_template, write_turkle};

use crate::connections::{Door, DoorCounts, serve_router};
use axum::Router;
use axum::http::{Method, StatusCode, Uri, header};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use std::future::Future;
use std::io;
use std::net::TcpListener;
use std::time::Duration;

/// How often to look for work that was left.
const HOUSEKEEPING: Duration = Duration::from_secs(300);

/// What a handler gives.
pub(crate) type Answer = Result<Response, AssessError>;

/// All pages for assessors and organisers, without a socket.
pub fn assess_router(app: AssessApp) -> Router {
    let routes = Router::new()
        .merge(access::routes())
        .merge(account::routes())
        .merge(judging::routes())
        .merge(desk::routes())
        .merge(school::routes())
        .merge(turkle::routes())
        .route("/healthz", get(healthy))
        .route("/favicon.ico", get(assets::favicon))
        .route("/robots.txt", get(robots))
        .route("/static/{hash}/{name}", get(assets::asset))
        .fallback(unknown)
        .method_not_allowed_fallback(wrong_method);
    front::build(routes, &app).with_state(app)
}

/// Serves the pages for assessors until `stop` ends, and then what is under way.
///
/// # Errors
///
/// When the listener is not one.
pub async fn serve_assess(
    listener: TcpListener,
    app: AssessApp,
    stop: impl Future<Output = ()>,
) -> io::Result<()> {
    let config = app.config();
    let door = Door {
        connections: config.connections,
        per_address: config.per_address,
        patience: config.patience,
        life: config.connection_life,
        longest: config.time_limit + crate::passing::READING,
        farewell: config.farewell,
    };
    let keeper = tokio::spawn(keep_house(app.clone()));
    let counts = DoorCounts::default();
    let served = serve_router(listener, assess_router(app.clone()), door, &counts, || (), stop).await;
    keeper.abort();
    served
}

/// Returns to the queue what nobody works on, now and then, for ever.
async fn keep_house(app: AssessApp) {
    loop {
        tokio::time::sleep(HOUSEKEEPING).await;
        app.write_later(|books| books.expire().map(|_| ()));
    }
}

async fn healthy(axum::extract::State(app): axum::extract::State<AssessApp>) -> Answer {
    // It is well when the books can be read.
    app.read(|books| books.num_organisers()).await?;
    let health = serde_json::json!({ "status": "ok", "version": env!("CARGO_PKG_VERSION") });
    Ok(axum::Json(health).into_response())
}

/// Nothing here is for crawlers.
async fn robots() -> &'static str {
    "User-agent: *\nDisallow: /\n"
}

async fn unknown(uri: Uri) -> AssessError {
    let path: String = uri.path().chars().take(100).collect();
    AssessError::NotFound(format!("page at {path}"))
}

async fn wrong_method(method: Method) -> AssessError {
    AssessError::Method(method.to_string())
}

/// Makes a page of a template.
pub(crate) fn page(template: &impl askama::Template) -> Answer {
    match template.render() {
        Ok(html) => Ok(Html(html).into_response()),
        Err(error) => {
            // Only a formatter that fails can make it fail, and none of ours does.
            tracing::error!(%error, "a page could not be written");
            Err(AssessError::Broken)
        }
    }
}

/// Leads elsewhere after something was done, to a path of ours.
pub(crate) fn see(path: &str) -> Response {
    (StatusCode::SEE_OTHER, [(header::LOCATION, path)]).into_response()
}
