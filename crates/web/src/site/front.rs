//! What every request passes through: limits, headers, caching, the log and the metrics.

mod line;
mod tag;

use crate::counted::CountedBody;
use crate::passing::{
    LONGEST_ADDRESS, READING, compression, request_id, route_of, set_request_id, with_headers,
};
use crate::site::config::Queries;
use crate::site::error::{ApiError, AppError};
use crate::site::page;
use crate::site::state::App;
use axum::Router;
use axum::body::Body;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use line::Line;
use std::any::Any;
use std::time::Instant;
use tower_http::catch_panic::CatchPanicLayer;

/// What is sent to us is no longer than this.
pub(crate) const LONGEST_BODY: usize = 1 << 20;
/// Headers for other sites that may call the API.
const CROSSED: [(HeaderName, &str); 4] = [
    (header::ACCESS_CONTROL_ALLOW_METHODS, "GET, HEAD, POST"),
    (header::ACCESS_CONTROL_ALLOW_HEADERS, "content-type, if-none-match"),
    (header::ACCESS_CONTROL_EXPOSE_HEADERS, "etag, retry-after, x-request-id"),
    (HeaderName::from_static("cross-origin-resource-policy"), "cross-origin"),
];

/// Puts all of it around routes.
pub(crate) fn build(routes: Router<App>, app: &App) -> Router<App> {
    routes
        .layer(DefaultBodyLimit::max(LONGEST_BODY))
        .layer(from_fn_with_state(app.clone(), tag::tagged))
        .layer(from_fn_with_state(app.clone(), limited))
        .layer(CatchPanicLayer::custom(panicked))
        .layer(compression())
        .layer(from_fn_with_state(app.clone(), crossed))
        .layer(from_fn(with_headers))
        .layer(from_fn_with_state(app.clone(), noted))
}

/// Whether a path belongs to the API.
fn is_api(path: &str) -> bool {
    path == "/api/v1" || path.starts_with("/api/v1/")
}

/// An error in the form that fits the path.
pub(crate) fn failed(path: &str, error: AppError) -> Response {
    if is_api(path) { ApiError(error).into_response() } else { page(&error) }
}

/// The hook for panics has told the log.
fn panicked(_: Box<dyn Any + Send + 'static>) -> Response {
    ApiError(AppError::Broken).into_response()
}

/// Sends away what is too long and gives up what takes too long.
async fn limited(State(app): State<App>, request: Request, next: Next) -> Response {
    let uri = request.uri();
    let path = uri.path().to_owned();
    let length = uri.path_and_query().map_or(0, |whole| whole.as_str().len());
    if length > LONGEST_ADDRESS {
        return failed(&path[..path.len().min(8)], AppError::AddressTooLong(LONGEST_ADDRESS));
    }
    // Who says beforehand how much it is need not send it.
    let said = request.headers().get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok());
    if said.and_then(|length| length.parse::<usize>().ok()).is_some_and(|length| length > LONGEST_BODY) {
        return failed(&path, AppError::TooLong(LONGEST_BODY));
    }
    let limit = app.config().longest_work() + READING;
    match tokio::time::timeout(limit, next.run(request)).await {
        Ok(response) => response,
        Err(_) => failed(&path, AppError::Silence),
    }
}

/// Whether a request comes from a page of the site that may call the API, as far as the browser tells.
pub(crate) fn is_allowed(allow_origin: Option<&str>, headers: &HeaderMap) -> bool {
    let origin = headers.get(header::ORIGIN).and_then(|origin| origin.to_str().ok());
    match allow_origin {
        Some("*") => true,
        Some(allowed) => origin == Some(allowed),
        None => false,
    }
}

/// Refuses what a page of another site sends, as far as the browser tells.
pub(crate) fn is_ours(headers: &HeaderMap) -> Result<(), AppError> {
    let text = |name: &str| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    match text("sec-fetch-site") {
        Some("same-origin" | "none") => return Ok(()),
        Some(_) => return Err(AppError::Foreign),
        None => {}
    }
    // Older browsers tell the origin at least; what is no browser tells neither.
    let Some(origin) = text("origin") else { return Ok(()) };
    let theirs = origin.split_once("://").map(|(_, host)| host);
    let same = theirs.zip(text("host")).is_some_and(|(theirs, ours)| theirs.eq_ignore_ascii_case(ours));
    if same { Ok(()) } else { Err(AppError::Foreign) }
}

/// Answers OPTIONS, and lets other sites call the API if that is wished.
async fn crossed(State(app): State<App>, request: Request, next: Next) -> Response {
    let asked = request.method() == Method::OPTIONS;
    let api = is_api(request.uri().path());
    let mut response = next.run(request).await;
    if asked && response.status() == StatusCode::METHOD_NOT_ALLOWED {
        // Which methods there are is added further out.
        response = StatusCode::NO_CONTENT.into_response();
    }
    let origin = app.config().allow_origin.as_deref().and_then(|origin| HeaderValue::from_str(origin).ok());
    if let Some(origin) = origin.filter(|_| api) {
        let headers = response.headers_mut();
        if origin != "*" {
            headers.append(header::VARY, HeaderValue::from_static("origin"));
        }
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        for (name, value) in CROSSED {
            headers.insert(name, HeaderValue::from_static(value));
        }
    }
    response
}

/// Notes what was asked and what came of it.
async fn noted(State(app): State<App>, request: Request, next: Next) -> Response {
    let start = Instant::now();
    let (id, route) = (request_id(request.headers()), route_of(&request));
    let method = request.method().clone();
    let query = match app.config().queries {
        Queries::Private => None,
        Queries::Logged => request.uri().query().map(ToOwned::to_owned),
    };
    let generation = app.served().engine.index().generation();
    let mut response = next.run(request).await;
    set_request_id(&mut response, &id);
    let status = response.status();
    let line = Line { app, method, route, status, start, id, generation, query };
    response.map(|body| Body::new(CountedBody::new(body, line)))
}
