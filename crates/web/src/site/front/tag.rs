//! Tags by which a browser knows that what it has is still right.
//!
//! What is answered depends on the index, the program, the model that may write and the address alone. So the
//! tag is known before any work is done, and who has the right one is told so at once. The exception is work
//! that ran out of time or was told to hurry: what it found has no tag and is not kept.

use crate::site::pages::assets;
use crate::site::state::App;
use crate::site::waiting::HURRIED;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::cell::Cell;
use std::sync::LazyLock;
use std::time::{Instant, UNIX_EPOCH};
use xxhash_rust::xxh3::Xxh3Default;

/// Another one for another build of the program.
static PROGRAM: LazyLock<String> = LazyLock::new(|| {
    let file = std::env::current_exe().and_then(std::fs::metadata).ok();
    let built = file.as_ref().and_then(|file| file.modified().ok());
    let built = built.and_then(|time| time.duration_since(UNIX_EPOCH).ok()).unwrap_or_default();
    let size = file.map_or(0, |file| file.len());
    format!("{} {} {size} {}", env!("CARGO_PKG_VERSION"), built.as_nanos(), assets::hash())
});

/// Answers with 304 where that is enough, and tags what is answered in full.
pub(super) async fn tagged(State(app): State<App>, request: Request, next: Next) -> Response {
    let reads = request.method() == Method::GET || request.method() == Method::HEAD;
    let tag = tag(&app, &request);
    if reads && matches(request.headers(), &tag) {
        let mut response = StatusCode::NOT_MODIFIED.into_response();
        set(&mut response, &tag);
        return response;
    }
    let start = Instant::now();
    let run = async {
        let response = next.run(request).await;
        (response, HURRIED.with(Cell::get))
    };
    let (mut response, hurried) = HURRIED.scope(Cell::new(false), run).await;
    let in_time = start.elapsed() < app.config().searched() && !hurried;
    if !response.headers().contains_key(header::CACHE_CONTROL) {
        if reads && in_time && response.status() == StatusCode::OK {
            set(&mut response, &tag);
        } else {
            response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        }
    }
    response
}

fn set(response: &mut Response, tag: &str) {
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    if let Ok(tag) = HeaderValue::from_str(tag) {
        headers.insert(header::ETAG, tag);
    }
    // As on the answer in full, which may be compressed.
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
}

/// Weak, since the same is sent in several encodings.
fn tag(app: &App, request: &Request) -> String {
    let mut hash = Xxh3Default::new();
    hash.update(&app.served().fingerprint().to_le_bytes());
    hash.update(PROGRAM.as_bytes());
    if let Some(model) = &app.config().model {
        hash.update(model.full_name().as_bytes());
        hash.update(&[0]);
        hash.update(model.display_name.as_bytes());
    }
    hash.update(&[0]);
    hash.update(app.config().address.as_deref().unwrap_or_default().as_bytes());
    hash.update(&[0]);
    hash.update(request.uri().path_and_query().map_or("", |whole| whole.as_str()).as_bytes());
    format!("W/\"{:032x}\"", hash.digest128())
}

fn matches(headers: &HeaderMap, tag: &str) -> bool {
    let opaque = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
    let wanted = opaque(tag);
    let given = headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    given.flat_map(|value| value.split(',')).any(|given| opaque(given) == wanted)
}
