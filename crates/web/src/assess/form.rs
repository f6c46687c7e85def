//! What people send: forms that come from our own pages.

use super::app::AssessApp;
use super::error::AssessError;
use super::person::{Arrived, Known, Visitor};
use axum::body::Bytes;
use axum::extract::{Form, FromRequest, FromRequestParts, Json, Request};
use axum::http::{HeaderMap, header};
use serde::de::DeserializeOwned;

/// The field of a form that says that it comes from a page of ours.
pub(super) const FIELD: &str = "csrf";
/// The header that says the same of what a script sends.
pub(super) const HEADER: &str = "x-csrf";

const OLD: &str = "the page from which this was sent is too old, or is not ours; open it anew and try again";

/// A form, or JSON, that somebody who is signed in has sent from a page of ours.
///
/// The token comes in the field `csrf` or in the header `x-csrf`; JSON needs the header.
#[derive(Clone, Debug)]
pub(crate) struct Checked<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<AssessApp> for Checked<T> {
    type Rejection = AssessError;

    async fn from_request(request: Request, app: &AssessApp) -> Result<Self, AssessError> {
        let (mut parts, body) = request.into_parts();
        let arrived = <Arrived as FromRequestParts<AssessApp>>::from_request_parts(&mut parts, app).await?;
        let request = Request::from_parts(parts, body);
        checked(request, app, &arrived.person.csrf).await.map(Self)
    }
}

/// A form that somebody has sent before they are in.
#[derive(Clone, Debug)]
pub(super) struct Visited<T>(pub(super) T);

impl<T: DeserializeOwned> FromRequest<AssessApp> for Visited<T> {
    type Rejection = AssessError;

    async fn from_request(request: Request, app: &AssessApp) -> Result<Self, AssessError> {
        let (mut parts, body) = request.into_parts();
        let visitor = Visitor::from_request_parts(&mut parts, app).await?;
        if visitor.known == Known::No {
            return Err(AssessError::Forged(
                "the browser sent no cookie with this form; allow cookies for this site, open the page anew and try again",
            ));
        }
        checked(Request::from_parts(parts, body), app, &visitor.csrf()).await.map(Self)
    }
}

/// Reads what was sent if it holds the right token.
async fn checked<T: DeserializeOwned>(
    request: Request,
    app: &AssessApp,
    csrf: &str,
) -> Result<T, AssessError> {
    let (parts, body) = request.into_parts();
    let bytes = read_whole(body, app.config().limits.form).await?;
    let headers = &parts.headers;
    let kind = kind(headers);
    let given = headers.get(HEADER).and_then(|token| token.to_str().ok()).map(ToOwned::to_owned);
    let rebuilt = |bytes: Bytes| Request::from_parts(parts.clone(), axum::body::Body::from(bytes));
    match kind.as_str() {
        "application/x-www-form-urlencoded" => {
            let bad = || AssessError::BadRequest("the form could not be read".to_owned());
            let given = match given {
                Some(given) => Some(given),
                None => {
                    let pairs = Form::<Vec<(String, String)>>::from_request(rebuilt(bytes.clone()), app);
                    let pairs = pairs.await.map_err(|_| bad())?.0;
                    pairs.into_iter().find(|(name, _)| name == FIELD).map(|(_, value)| value)
                }
            };
            compare(given.as_deref(), csrf)?;
            let form = Form::<T>::from_request(rebuilt(bytes), app).await;
            form.map(|form| form.0).map_err(|error| said(&error.body_text(), "the form could not be read"))
        }
        "application/json" => {
            compare(given.as_deref(), csrf)?;
            let json = Json::<T>::from_bytes(&bytes);
            json.map(|json| json.0).map_err(|error| said(&error.body_text(), "the JSON could not be read"))
        }
        _ => Err(AssessError::MediaType("what was sent is neither a form nor JSON".to_owned())),
    }
}

/// What of a form was not understood, in one line without what was typed.
fn said(cause: &str, otherwise: &str) -> AssessError {
    let field = cause
        .split('`')
        .nth(1)
        .filter(|field| field.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_'));
    AssessError::BadRequest(match field {
        Some(field) if cause.contains("missing field") => format!("{otherwise}: {field} is missing"),
        _ => otherwise.to_owned(),
    })
}

/// The media type without its parameters.
pub(super) fn kind(headers: &HeaderMap) -> String {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// Reads all that is sent, as long as it is not too long.
pub(super) async fn read_whole(body: axum::body::Body, most: usize) -> Result<Bytes, AssessError> {
    axum::body::to_bytes(body, most).await.map_err(|error| {
        let mut source: Option<&dyn std::error::Error> = Some(&error);
        while let Some(cause) = source {
            if cause.to_string().contains("length limit exceeded") {
                return AssessError::TooLong(most);
            }
            source = cause.source();
        }
        AssessError::BadRequest("what was sent broke off".to_owned())
    })
}

/// Compares a token in a time that does not tell where it differs.
pub(super) fn compare(given: Option<&str>, csrf: &str) -> Result<(), AssessError> {
    let given = given.unwrap_or_default().as_bytes();
    let differs = given.iter().zip(csrf.as_bytes()).fold(0, |all, (one, other)| all | (one ^ other));
    if given.len() == csrf.len() && std::hint::black_box(differs) == 0 {
        Ok(())
    } else {
        Err(AssessError::Forged(OLD))
    }
}
