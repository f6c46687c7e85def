//! Pages for when something went wrong.

use crate::site::error::AppError;
use askama::Template;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

#[derive(Template)]
#[template(path = "error.html")]
struct Failed<'a> {
    status: u16,
    title: &'a str,
    message: String,
}

impl Failed<'_> {
    fn here(&self) -> &'static str {
        ""
    }
}

/// A page that says what went wrong.
pub(crate) fn error_page(status: StatusCode, message: &str) -> Response {
    let title = match status {
        StatusCode::NOT_FOUND => "Not found",
        StatusCode::BAD_REQUEST | StatusCode::URI_TOO_LONG => "That was not understood",
        StatusCode::METHOD_NOT_ALLOWED => "Not that way",
        StatusCode::SERVICE_UNAVAILABLE | StatusCode::REQUEST_TIMEOUT => "One moment",
        _ => "Something went wrong",
    };
    (status, super::page(&Failed { status: status.as_u16(), title, message: sentence(message) }))
        .into_response()
}

/// Begins with a capital, as a sentence does.
fn sentence(message: &str) -> String {
    let mut letters = message.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// What went wrong while a page was made.
pub(crate) struct PageError(pub(crate) AppError);

impl<E: Into<AppError>> From<E> for PageError {
    fn from(error: E) -> Self {
        Self(error.into())
    }
}

impl IntoResponse for PageError {
    fn into_response(self) -> Response {
        crate::site::page(&self.0)
    }
}
