//! What every request passes through: limits, headers, caching, the log and the metrics.

pub(crate) mod counted;
mod tag;

use crate::config::Queries;
use crate::error::{ApiError, AppError};
use crate::server::page;
use crate::state::App;
use axum::Router;
use axum::body::Body;
use axum::extract::{DefaultBodyLimit, MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use counted::{CountedBody, Line};
use std::any::Any;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tower_http::CompressionLevel;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{And, NotForContentType, Predicate, SizeAbove};

/// What is sent to us is no longer than this.
pub(crate) const LONGEST_BODY: usize = 1 << 20;
/// Addresses are no longer than this.
pub(crate) const LONGEST_ADDRESS: usize = 48 * 1024;
/// Answers smaller than this fit into a packet as they are.
const SMALL: u64 = 1024;
/// How hard to compress: more takes longer than it saves.
const EFFORT: i32 = 4;
/// Beyond the time for the work, how long a request may take to be read.
pub(crate) const READING: Duration = Duration::from_secs(20);

/// Nothing is loaded from elsewhere, and nothing runs that stands in a page itself.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; \
     connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; manifest-src 'self'";

/// Headers that every answer has.
const HEADERS: [(HeaderName, &str); 7] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "same-origin"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (
        HeaderName::from_static("permissions-policy"),
        "camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()",
    ),
    (header::X_FRAME_OPTIONS, "DENY"),
];

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

/// Compresses what is worth it; the font is compressed already.
pub(crate) fn compression() -> CompressionLayer<And<SizeAbove, NotForContentType>> {
    let worth = SizeAbove::new(SMALL).and(NotForContentType::const_new("font/"));
    CompressionLayer::new().quality(CompressionLevel::Precise(EFFORT)).compress_when(worth)
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

/// Adds the headers that every answer has.
pub(crate) async fn with_headers(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    add_headers(response.headers_mut());
    response
}

/// Adds those of the headers that an answer does not have yet.
pub(crate) fn add_headers(headers: &mut HeaderMap) {
    for (name, value) in HEADERS {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
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

/// What the log calls a request.
pub(crate) fn request_id(headers: &HeaderMap) -> String {
    static NUMBER: AtomicU64 = AtomicU64::new(1);
    given_id(headers).unwrap_or_else(|| format!("{:08x}", NUMBER.fetch_add(1, Ordering::Relaxed)))
}

/// Tells what the log calls a request.
pub(crate) fn set_request_id(response: &mut Response, id: &str) {
    if let Ok(id) = HeaderValue::from_str(id) {
        response.headers_mut().insert(HeaderName::from_static("x-request-id"), id);
    }
}

/// The route of a request, as it stands in the program.
pub(crate) fn route_of(request: &Request) -> String {
    request.extensions().get::<MatchedPath>().map_or("none", MatchedPath::as_str).to_owned()
}

/// The number that a proxy gave the request, if it is a plain one.
fn given_id(headers: &HeaderMap) -> Option<String> {
    let id = headers.get("x-request-id")?.to_str().ok()?;
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    (1..=64).contains(&id.len()).then_some(id).filter(|id| id.bytes().all(plain)).map(ToOwned::to_owned)
}
