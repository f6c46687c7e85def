//! The API: the same as the pages, as JSON.
//!
//! `data/openapi.json` describes it; a test compares the two. Errors are problems by RFC 9457, see
//! `error.rs`.

mod about;
mod answer;
mod ask;
mod document;
mod formulas;
mod objects;
mod params;
mod posts;
mod preview;
mod search;

pub use objects::{Mathml, Reasons, Shown, search_json};

use crate::site::error::{ApiError, AppError};
use crate::site::state::{App, Served};
use axum::Router;
use axum::http::{Method, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use retrieve::Deadline;
use serde::Serialize;

/// All that stands below `/api/v1`.
pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route("/search", get(search::search))
        .route("/formulas", get(formulas::search))
        .route("/formulas/{visual_id}", get(formulas::formula))
        .route("/formulas/{visual_id}/similar", get(formulas::similar))
        .route("/formulas/{visual_id}/containing", get(formulas::containing))
        .route("/formulas/{visual_id}/instances", get(formulas::instances))
        .route("/posts/{id}", get(posts::post))
        .route("/threads/{id}", get(posts::thread))
        .route("/preview", get(preview::preview))
        .route("/ask", post(ask::ask))
        .route("/answer", get(answer::answer))
        .route("/systems", get(about::systems))
        .route("/index", get(about::index))
        .route("/openapi.json", get(document::json))
        .fallback(unknown)
        .method_not_allowed_fallback(wrong_method)
}

/// The page that shows what the API can do.
pub(crate) fn page() -> Router<App> {
    Router::new().route("/api", get(document::page))
}

async fn unknown(uri: Uri) -> ApiError {
    let path: String = uri.path().chars().take(100).collect();
    ApiError(AppError::NotFound(format!("/api/v1{path} here; /api lists what there is")))
}

async fn wrong_method(method: Method) -> ApiError {
    ApiError(AppError::Method(method.to_string()))
}

/// Works something out on the index and answers with it. It is written as JSON where it was worked out, so
/// that it may borrow from the index, and long answers hold nobody up.
async fn answer(
    app: &App,
    work: impl FnOnce(&Served, &Deadline) -> Result<String, AppError> + Send + 'static,
) -> Result<Response, ApiError> {
    let json = app.work(work).await?;
    Ok(([(header::CONTENT_TYPE, "application/json")], json).into_response())
}

/// A value as JSON.
fn written(value: &impl Serialize) -> Result<String, AppError> {
    serde_json::to_string(value).map_err(|error| {
        tracing::error!(cause = error.to_string(), "an answer cannot be written");
        AppError::Broken
    })
}
