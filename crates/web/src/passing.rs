//! What every request passes through on either site: headers, compression and a name in the log.

use axum::extract::{MatchedPath, Request};
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::middleware::Next;
use axum::response::Response;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tower_http::CompressionLevel;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{And, NotForContentType, Predicate, SizeAbove};

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

/// Compresses what is worth it; the font is compressed already.
pub(crate) fn compression() -> CompressionLayer<And<SizeAbove, NotForContentType>> {
    let large = SizeAbove::new(SMALL).and(NotForContentType::const_new("font/"));
    CompressionLayer::new().quality(CompressionLevel::Precise(EFFORT)).compress_when(large)
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
