//! What can go wrong: people see a plain sentence, the log gets the cause.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use std::time::Duration;

/// Why a request was not answered as wished. `front.rs` makes a page of it, or JSON for scripts.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AssessError {
    /// Nobody is signed in: pages lead to where one signs in.
    #[error("you are not signed in, or not any more; sign in and try again")]
    SignedOut,
    /// There is no such thing, or it is not for them: which of the two is not told.
    #[error("there is no {0}")]
    NotFound(String),
    /// The request makes no sense.
    #[error("{0}")]
    BadRequest(String),
    /// It did not come from a page of ours, or from one that is too old.
    #[error("{0}")]
    Forged(&'static str),
    /// Too often.
    #[error("that was too often; try again in {} s", seconds(*.0))]
    TooOften(Duration),
    /// The path is right, the method is not.
    #[error("this address does not answer to {0}")]
    Method(String),
    /// What was sent is not what is read here.
    #[error("{0}")]
    MediaType(String),
    /// What was sent is too long.
    #[error("what was sent is longer than {0} bytes")]
    TooLong(usize),
    /// The address is too long.
    #[error("the address is longer than {0} bytes")]
    AddressTooLong(usize),
    /// What was to be sent did not come.
    #[error("what was to be sent did not come in time")]
    Silence,
    /// Too many requests wait.
    #[error("too many people are at work just now; try again in a moment")]
    Busy,
    /// The books do not allow it, or could not be read or written.
    #[error("{0}")]
    Books(#[from] assess::Error),
    /// Our own mistake, which the log tells more about.
    #[error("something went wrong here; it was noted")]
    Broken,
}

/// Whole seconds, at least one.
pub(super) fn seconds(wait: Duration) -> u64 {
    wait.as_millis().div_ceil(1000).max(1).try_into().unwrap_or(u64::MAX)
}

/// What an answer says went wrong, for whoever writes it down.
#[derive(Clone, Debug)]
pub(super) struct Told {
    pub(super) status: StatusCode,
    pub(super) sentence: String,
    /// When to come back, in seconds.
    pub(super) again: Option<u64>,
    /// Whether signing in would help.
    pub(super) remedy: Remedy,
}

/// What can be done about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Remedy {
    /// Signing in.
    SignIn,
    /// Nothing that we know.
    None,
}

impl AssessError {
    /// The status that says the same to programs.
    #[must_use]
    pub fn status(&self) -> StatusCode {
        match self {
            Self::SignedOut => StatusCode::UNAUTHORIZED,
            Self::NotFound(_) | Self::Books(assess::Error::NotYours(_)) => StatusCode::NOT_FOUND,
            Self::BadRequest(_) => StatusCode::BAD_REQUEST,
            Self::Forged(_) => StatusCode::FORBIDDEN,
            Self::TooOften(_) => StatusCode::TOO_MANY_REQUESTS,
            Self::Method(_) => StatusCode::METHOD_NOT_ALLOWED,
            Self::MediaType(_) => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::TooLong(_) => StatusCode::PAYLOAD_TOO_LARGE,
            Self::AddressTooLong(_) => StatusCode::URI_TOO_LONG,
            Self::Silence => StatusCode::REQUEST_TIMEOUT,
            Self::Books(assess::Error::Refused(_)) => StatusCode::UNPROCESSABLE_ENTITY,
            Self::Busy | Self::Books(assess::Error::NotKept(_)) => StatusCode::SERVICE_UNAVAILABLE,
            Self::Books(_) | Self::Broken => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// What is told to who asked: nothing about our files.
    #[must_use]
    pub fn told(&self) -> String {
        match self {
            Self::Books(assess::Error::NotKept(_)) => {
                "this could not be kept just now, so it was not done; try again in a moment".to_owned()
            }
            _ if self.status() == StatusCode::INTERNAL_SERVER_ERROR => Self::Broken.to_string(),
            _ => self.to_string(),
        }
    }
}

impl IntoResponse for AssessError {
    fn into_response(self) -> Response {
        let status = self.status();
        if status.is_server_error() {
            tracing::error!(cause = self.to_string(), "a request failed");
        }
        let again = match &self {
            Self::TooOften(wait) => Some(seconds(*wait)),
            _ if status == StatusCode::SERVICE_UNAVAILABLE => Some(1),
            _ => None,
        };
        let remedy = if matches!(self, Self::SignedOut) { Remedy::SignIn } else { Remedy::None };
        let told = Told { status, sentence: self.told(), again, remedy };
        let mut response = (status, told.sentence.clone()).into_response();
        response.extensions_mut().insert(told);
        response
    }
}
