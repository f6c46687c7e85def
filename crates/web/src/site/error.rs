//! What can go wrong: people see a plain sentence, the log gets the cause.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

/// Why a request was not answered as wished.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AppError {
    /// There is no such thing.
    #[error("there is no {0}")]
    NotFound(String),
    /// The request makes no sense.
    #[error("{0}")]
    BadRequest(String),
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
    #[error("the address is longer than {0} bytes; use a shorter query")]
    AddressTooLong(usize),
    /// What was to be sent did not come.
    #[error("what was to be sent did not come in time")]
    Silence,
    /// Too many requests wait.
    #[error("too many people are searching just now; try again in a moment")]
    Busy,
    /// Too many wait for the language model.
    #[error("the language model is busy with the questions of others; try again in half a minute")]
    ModelBusy,
    /// It took too long.
    #[error("this took too long; a shorter query may help")]
    TooSlow,
    /// Our own mistake, which the log tells more about.
    #[error("something went wrong here; it was noted")]
    Broken,
    /// The engine could not do it.
    #[error("{0}")]
    Engine(retrieve::Error),
    /// The index is not as it was written.
    #[error("{0}")]
    Index(index::Error),
    /// A page of another site asks for what only ours may.
    #[error("this was asked by a page of another site")]
    Foreign,
    /// No answer could be made.
    #[error("{0}")]
    Answer(answer::Error),
    /// The collection could not be read.
    #[error("something went wrong here; it was noted")]
    Store(#[from] store::Error),
}

impl AppError {
    /// The status that says the same to programs.
    #[must_use]
    pub fn status(&self) -> StatusCode {
        match self {
            Self::NotFound(_) => StatusCode::NOT_FOUND,
            Self::BadRequest(_) => StatusCode::BAD_REQUEST,
            Self::Foreign => StatusCode::FORBIDDEN,
            Self::Answer(answer::Error::Generate(generate::Error::TooLong { .. })) => StatusCode::BAD_REQUEST,
            Self::Answer(answer::Error::Generate(_)) => StatusCode::SERVICE_UNAVAILABLE,
            Self::Method(_) => StatusCode::METHOD_NOT_ALLOWED,
            Self::MediaType(_) => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::TooLong(_) => StatusCode::PAYLOAD_TOO_LARGE,
            Self::AddressTooLong(_) => StatusCode::URI_TOO_LONG,
            Self::Silence => StatusCode::REQUEST_TIMEOUT,
            Self::Busy | Self::ModelBusy | Self::TooSlow => StatusCode::SERVICE_UNAVAILABLE,
            // The system was chosen by who asks.
            Self::Engine(retrieve::Error::Other { .. }) => StatusCode::BAD_REQUEST,
            Self::Engine(retrieve::Error::Index(index::Error::Missing { .. })) => StatusCode::BAD_REQUEST,
            Self::Broken | Self::Store(_) | Self::Engine(_) | Self::Index(_) | Self::Answer(_) => {
                StatusCode::INTERNAL_SERVER_ERROR
            }
        }
    }

    /// What is told to who asked: nothing about our files, except which one is damaged.
    #[must_use]
    pub fn told(&self) -> String {
        match self {
            Self::Index(error) | Self::Engine(retrieve::Error::Index(error)) if error.is_damage() => {
                match error.damage() {
                    Some((file, what)) => format!("the index is damaged: {file}: {what}"),
                    None => Self::Broken.to_string(),
                }
            }
            Self::Store(store::Error::Damaged { file, what }) => {
                let name = file.file_name().unwrap_or_default().display();
                format!("the index is damaged: {name}: {what}")
            }
            Self::Engine(retrieve::Error::Index(index::Error::Missing { what, .. })) => {
                format!("this system needs {what}, which the index was built without")
            }
            Self::Answer(answer::Error::Generate(generate::Error::TooLong { .. })) => {
                "the question is longer than what the language model can look at".to_owned()
            }
            Self::Answer(answer::Error::Generate(_)) => {
                "the language model gave no answer; try again later".to_owned()
            }
            _ if self.status() == StatusCode::INTERNAL_SERVER_ERROR => Self::Broken.to_string(),
            _ => self.to_string(),
        }
    }

    /// Notes the cause if it is our own mistake, and says when to come back.
    pub(crate) fn note(&self, response: &mut Response) {
        if self.status() == StatusCode::INTERNAL_SERVER_ERROR || matches!(self, Self::Answer(_)) {
            let mut cause = self.to_string();
            let mut source = std::error::Error::source(self);
            while let Some(error) = source {
                cause = format!("{cause}: {error}");
                source = error.source();
            }
            tracing::error!(cause, "a request failed");
        }
        if self.status() == StatusCode::SERVICE_UNAVAILABLE {
            // A search is done in a moment, an answer that a model writes is not.
            let seconds = if matches!(self, Self::ModelBusy) { "30" } else { "1" };
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static(seconds));
        }
    }
}

impl From<retrieve::Error> for AppError {
    fn from(error: retrieve::Error) -> Self {
        match error {
            retrieve::Error::Stopped => Self::TooSlow,
            error => Self::Engine(error),
        }
    }
}

impl From<answer::Error> for AppError {
    fn from(error: answer::Error) -> Self {
        match error {
            answer::Error::Retrieve(error) => error.into(),
            answer::Error::Collection(error) => Self::Store(error),
            error => Self::Answer(error),
        }
    }
}

/// An error as the API tells it: a problem by RFC 9457.
pub(crate) struct ApiError(pub(crate) AppError);

#[derive(Serialize)]
struct Problem<'a> {
    title: &'a str,
    status: u16,
    detail: &'a str,
}

impl<E: Into<AppError>> From<E> for ApiError {
    fn from(error: E) -> Self {
        Self(error.into())
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let status = self.0.status();
        let problem = Problem {
            title: status.canonical_reason().unwrap_or("Error"),
            status: status.as_u16(),
            detail: &self.0.told(),
        };
        let body = serde_json::to_string(&problem).unwrap_or_default();
        let kind = (header::CONTENT_TYPE, "application/problem+json");
        let mut response = (status, [kind], body).into_response();
        self.0.note(&mut response);
        response
    }
}
