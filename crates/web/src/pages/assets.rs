//! Files that pages load: their names hold a checksum, so that they can be kept for ever.

use super::palette;
use crate::state::App;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use std::borrow::Cow;
use std::sync::LazyLock;
use xxhash_rust::xxh3::Xxh3;

const STYLE: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
/// Its licence stands beside it.
const FONT: &[u8] = include_bytes!("../../assets/hypatia-math.woff2");

/// Name, kind and content.
type Asset = (&'static str, &'static str, Cow<'static, [u8]>);

/// All of them.
static ASSETS: LazyLock<Vec<Asset>> = LazyLock::new(|| {
    let given = |text: &'static str| Cow::Borrowed(text.as_bytes());
    let made = |text: String| Cow::Owned(text.into_bytes());
    let style = format!("{}{}", include_str!("../../assets/style.css"), formula::mathml::STYLE_SHEET);
    let school = format!("{}{}", figures::chart::STYLE, include_str!("../../assets/school.css"));
    let desk = format!("{}{}", figures::chart::STYLE, include_str!("../../assets/desk.css"));
    vec![
        ("style.css", STYLE, made(style)),
        ("assess.css", STYLE, given(include_str!("../../assets/assess.css"))),
        ("school.css", STYLE, made(school)),
        ("judge.css", STYLE, given(include_str!("../../assets/judge.css"))),
        ("judge.js", SCRIPT, given(include_str!("../../assets/judge.js"))),
        ("judge-clock.js", SCRIPT, given(include_str!("../../assets/judge-clock.js"))),
        ("judge-keys.js", SCRIPT, given(include_str!("../../assets/judge-keys.js"))),
        ("judge-sheet.js", SCRIPT, given(include_str!("../../assets/judge-sheet.js"))),
        ("wide.js", SCRIPT, given(include_str!("../../assets/wide.js"))),
        ("judge-outbox.js", SCRIPT, given(include_str!("../../assets/judge-outbox.js"))),
        ("desk.css", STYLE, made(desk)),
        ("api.css", STYLE, given(include_str!("../../assets/api.css"))),
        ("hypatia-math.woff2", "font/woff2", Cow::Borrowed(FONT)),
        ("icon.svg", "image/svg+xml", given(include_str!("../../assets/icon.svg"))),
        ("main.js", SCRIPT, given(include_str!("../../assets/main.js"))),
        ("preview.js", SCRIPT, given(include_str!("../../assets/preview.js"))),
        ("copy.js", SCRIPT, given(include_str!("../../assets/copy.js"))),
        ("slots.js", SCRIPT, given(include_str!("../../assets/slots.js"))),
        ("palette.js", SCRIPT, given(include_str!("../../assets/palette.js"))),
        ("complete.js", SCRIPT, given(include_str!("../../assets/complete.js"))),
        ("answer.js", SCRIPT, given(include_str!("../../assets/answer.js"))),
        ("keys.js", SCRIPT, given(include_str!("../../assets/keys.js"))),
        ("desk.js", SCRIPT, given(include_str!("../../assets/desk.js"))),
        ("palette.json", "application/json", made(palette::json())),
    ]
});

/// A checksum of them all: modules load each other from the same folder.
static HASH: LazyLock<String> = LazyLock::new(|| {
    let mut hash = Xxh3::new();
    for (name, _, content) in ASSETS.iter() {
        hash.update(name.as_bytes());
        hash.update(content);
    }
    format!("{:016x}", hash.digest())
});

/// The checksum of all files.
pub(crate) fn hash() -> &'static str {
    &HASH
}

/// The address of a file.
pub(crate) fn address(name: &str) -> String {
    format!("/static/{}/{name}", hash())
}

/// Gives a file.
pub(super) async fn asset(Path((wanted, name)): Path<(String, String)>) -> Response {
    file(&wanted, &name).unwrap_or_else(|| super::error_page(StatusCode::NOT_FOUND, "there is no such file"))
}

/// A file, if there is one of that name.
pub(crate) fn file(wanted: &str, name: &str) -> Option<Response> {
    let (_, kind, content) = ASSETS.iter().find(|(known, ..)| *known == name)?;
    // A page of an older program asks for an older file: it gets ours, but shall not keep it.
    let keep = if wanted == hash() { "public, max-age=31536000, immutable" } else { "no-cache" };
    let headers = [(header::CONTENT_TYPE, *kind), (header::CACHE_CONTROL, keep)];
    Some((headers, content.clone()).into_response())
}

/// Old browsers ask for it without being told.
pub(crate) async fn favicon() -> Redirect {
    Redirect::permanent(&address("icon.svg"))
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
