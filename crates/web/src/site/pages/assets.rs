//! Files that the pages of the search site load, and what crawlers and browsers ask for by itself.

use super::palette;
use crate::assets::{Assets, SCRIPT, STYLE, given, made};
use crate::site::state::App;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use std::sync::LazyLock;

static ASSETS: LazyLock<Assets> = LazyLock::new(|| {
    Assets::new(vec![
        given("api.css", STYLE, include_str!("../../../assets/api.css")),
        given("main.js", SCRIPT, include_str!("../../../assets/main.js")),
        given("preview.js", SCRIPT, include_str!("../../../assets/preview.js")),
        given("copy.js", SCRIPT, include_str!("../../../assets/copy.js")),
        given("slots.js", SCRIPT, include_str!("../../../assets/slots.js")),
        given("palette.js", SCRIPT, include_str!("../../../assets/palette.js")),
        given("complete.js", SCRIPT, include_str!("../../../assets/complete.js")),
        given("answer.js", SCRIPT, include_str!("../../../assets/answer.js")),
        given("keys.js", SCRIPT, include_str!("../../../assets/keys.js")),
        made("palette.json", "application/json", palette::json()),
    ])
});

/// The checksum of all files.
pub(crate) fn hash() -> &'static str {
    ASSETS.hash()
}

/// The address of a file.
pub(crate) fn address(name: &str) -> String {
    ASSETS.address(name)
}

/// Gives a file.
pub(super) async fn asset(Path((wanted, name)): Path<(String, String)>) -> Response {
    let file = ASSETS.file(&wanted, &name);
    file.unwrap_or_else(|| super::error_page(StatusCode::NOT_FOUND, "there is no such file"))
}

/// The icon by its old address.
pub(super) async fn favicon() -> Redirect {
    ASSETS.favicon()
}

/// Searches are not for crawlers.
pub(super) async fn robots() -> &'static str {
    "User-agent: *\nDisallow: /search\nDisallow: /preview\nDisallow: /ask\nDisallow: /answer\nDisallow: /api/\n"
}

/// What browsers need to offer this as a search engine. It must name a whole address: the one that
/// the server was given, else the one that the browser used. That is an answer for this browser alone,
/// which no cache may give to others.
pub(super) async fn opensearch(State(app): State<App>, headers: axum::http::HeaderMap) -> Response {
    let given = app.config().address.as_ref();
    let address = given.cloned().unwrap_or_else(|| {
        // A host that is no plain name is none.
        let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or("localhost");
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b".-:[]".contains(&byte);
        let host = if host.bytes().all(plain) { host } else { "localhost" };
        let scheme = match headers.get("x-forwarded-proto").map(|value| value.as_bytes()) {
            Some(b"https") => "https",
            _ => "http",
        };
        format!("{scheme}://{host}")
    });
    let xml = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <OpenSearchDescription xmlns=\"http://a9.com/-/spec/opensearch/1.1/\">\n\
         <ShortName>Hypatia</ShortName>\n\
         <Description>Mathematics by words and formulas</Description>\n\
         <InputEncoding>UTF-8</InputEncoding>\n\
         <Url type=\"text/html\" template=\"{address}/search?q={{searchTerms}}\"/>\n\
         </OpenSearchDescription>\n"
    );
    let kind = [(header::CONTENT_TYPE, "application/opensearchdescription+xml")];
    if given.is_some() {
        return (kind, xml).into_response();
    }
    let alone = [(header::CACHE_CONTROL, "no-store"), (header::VARY, "host, x-forwarded-proto")];
    (kind, alone, xml).into_response()
}
