//! The search site: pages and API over an index that may change while it is served.
//!
//! `state.rs` holds the index that is served and the gate that all work goes through, `watch.rs` swaps the index
//! when it changes, `front.rs` is what every request passes through here: limits, caching, the log and the metrics.
//! `api` is the JSON, `pages` the HTML, `systems.rs` which systems can be named where, `answers.rs` those that give
//! one answer, and `model.rs` the language model that may write it.
//!
//! It names nothing of the assessment site, nor that anything of this one: a test sees to it.

mod answers;
mod api;
mod checking;
mod config;
mod error;
mod front;
mod gate;
mod metrics;
mod model;
mod pages;
mod state;
mod systems;
mod waiting;
mod watch;

pub use api::{Mathml, Reasons, Shown, search_json};
pub use config::{Config, Queries};
pub use error::AppError;
pub use model::Model;
pub use state::{App, Served};

use crate::connections::{Door, serve_router};
use crate::passing::READING;
use axum::Router;
use axum::extract::State;
use axum::http::{Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use serde_json::json;
use std::future::Future;
use std::io;
use std::net::TcpListener;

/// Everything that is served, without a socket.
pub fn router(app: App) -> Router {
    let routes = Router::new()
        .merge(pages::routes())
        .merge(api::page())
        .route("/healthz", get(healthy))
        .route("/metrics", get(metrics))
        .fallback(unknown)
        .method_not_allowed_fallback(wrong_method)
        .nest("/api/v1", api::routes());
    front::build(routes, &app).with_state(app)
}

async fn unknown(uri: Uri) -> Response {
    let path: String = uri.path().chars().take(100).collect();
    front::failed(uri.path(), AppError::NotFound(format!("page at {path}")))
}

async fn wrong_method(method: Method) -> Response {
    page(&AppError::Method(method.to_string()))
}

/// An error as a page.
pub(crate) fn page(error: &AppError) -> Response {
    let mut response = pages::error_page(error.status(), &error.told());
    error.note(&mut response);
    response
}

async fn healthy(State(app): State<App>) -> Response {
    let generation = app.served().engine.index().generation();
    let (status, code) = match app.served().engine.index().sound() {
        Ok(()) => ("ok", StatusCode::OK),
        Err(_) => ("damaged", StatusCode::SERVICE_UNAVAILABLE),
    };
    let health = json!({ "status": status, "version": env!("CARGO_PKG_VERSION"), "generation": generation });
    (code, [(header::CACHE_CONTROL, "no-store")], axum::Json(health)).into_response()
}

async fn metrics(State(app): State<App>) -> Response {
    let kind = (header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8");
    let text = app.metrics().to_text(&app);
    (StatusCode::OK, [kind, (header::CACHE_CONTROL, "no-store")], text).into_response()
}

/// Serves until `stop` ends, and then what is under way for as long as the configuration says.
///
/// # Errors
///
/// When the listener is not one.
pub async fn serve(listener: TcpListener, app: App, stop: impl Future<Output = ()>) -> io::Result<()> {
    let config = app.config();
    let door = Door {
        connections: config.connections,
        per_address: config.per_address,
        patience: config.patience,
        life: config.connection_life,
        longest: config.longest_work() + READING,
        farewell: config.farewell,
    };
    if let Some(model) = &config.model {
        tracing::info!(
            model = model.full_name(),
            called = model.display_name,
            "a language model writes answers"
        );
    }
    let watcher = tokio::spawn(watch::watch(app.clone()));
    let (counts, enter) = (app.metrics().door(), || app.metrics().connects());
    let served = serve_router(listener, router(app.clone()), door, counts, enter, stop).await;
    watcher.abort();
    served
}
