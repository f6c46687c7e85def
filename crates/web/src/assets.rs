//! Files that pages load: their addresses hold a checksum, so that they can be kept for ever.

use axum::http::header;
use axum::response::{IntoResponse, Redirect, Response};
use std::borrow::Cow;
use xxhash_rust::xxh3::Xxh3;

pub(crate) const STYLE: &str = "text/css; charset=utf-8";
pub(crate) const SCRIPT: &str = "text/javascript; charset=utf-8";
/// Its licence stands beside it.
const FONT: &[u8] = include_bytes!("../assets/hypatia-math.woff2");

/// Name, kind and content.
pub(crate) type Asset = (&'static str, &'static str, Cow<'static, [u8]>);

/// A file that stands in the program as it is given.
pub(crate) fn given(name: &'static str, kind: &'static str, text: &'static str) -> Asset {
    (name, kind, Cow::Borrowed(text.as_bytes()))
}

/// A file that is put together.
pub(crate) fn made(name: &'static str, kind: &'static str, text: String) -> Asset {
    (name, kind, Cow::Owned(text.into_bytes()))
}

/// The files of a site.
#[derive(Debug)]
pub(crate) struct Assets {
    files: Vec<Asset>,
    /// A checksum of them all: modules load each other from the same folder.
    hash: String,
}

impl Assets {
    /// Those that both sites load, and these.
    pub(crate) fn new(own: Vec<Asset>) -> Self {
        let style = format!("{}{}", include_str!("../assets/style.css"), formula::mathml::STYLE_SHEET);
        let mut files = vec![
            made("style.css", STYLE, style),
            given("wide.js", SCRIPT, include_str!("../assets/wide.js")),
            ("hypatia-math.woff2", "font/woff2", Cow::Borrowed(FONT)),
            given("icon.svg", "image/svg+xml", include_str!("../assets/icon.svg")),
        ];
        files.extend(own);
        let mut hash = Xxh3::new();
        for (name, _, content) in &files {
            hash.update(name.as_bytes());
            hash.update(content);
        }
        Self { files, hash: format!("{:016x}", hash.digest()) }
    }

    /// The checksum of all files.
    pub(crate) fn hash(&self) -> &str {
        &self.hash
    }

    /// The address of a file.
    pub(crate) fn address(&self, name: &str) -> String {
        format!("/static/{}/{name}", self.hash)
    }

    /// A file, if there is one of that name.
    pub(crate) fn file(&self, wanted: &str, name: &str) -> Option<Response> {
        let (_, kind, content) = self.files.iter().find(|(known, ..)| *known == name)?;
        // A page of an older program asks for an older file: it gets ours, but shall not keep it.
        let keep = if wanted == self.hash { "public, max-age=31536000, immutable" } else { "no-cache" };
        let headers = [(header::CONTENT_TYPE, *kind), (header::CACHE_CONTROL, keep)];
        Some((headers, content.clone()).into_response())
    }

    /// Old browsers ask for it without being told.
    pub(crate) fn favicon(&self) -> Redirect {
        Redirect::permanent(&self.address("icon.svg"))
    }
}
