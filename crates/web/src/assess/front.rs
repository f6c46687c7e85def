//! What every request passes through: who asks, how often, how long it may take, and what every answer has.

use super::app::AssessApp;
use super::cookies::Cookie;
use super::error::{AssessError, Remedy, Told};
use super::form::kind;
use super::person::{Arrived, Person};
use super::upload::MULTIPART;
use super::{page, see};
use crate::counted::{CountedBody, Sent};
use crate::passing::{
    LONGEST_ADDRESS, READING, compression, request_id, route_of, set_request_id, with_headers,
};
use crate::view::encode;
use askama::Template;
use axum::Router;
use axum::body::Body;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use std::any::Any;
use std::time::Instant;
use tower_http::catch_panic::CatchPanicLayer;

/// What says nothing about anybody, and needs nobody.
const OPEN: [&str; 4] = ["/static/", "/healthz", "/favicon.ico", "/robots.txt"];

/// Puts all of it around routes.
pub(super) fn build(routes: Router<AssessApp>, app: &AssessApp) -> Router<AssessApp> {
    routes
        .layer(DefaultBodyLimit::disable())
        .layer(CatchPanicLayer::custom(panicked))
        .layer(from_fn_with_state(app.clone(), limited))
        .layer(from_fn_with_state(app.clone(), arrive))
        .layer(CatchPanicLayer::custom(panicked))
        .layer(compression())
        .layer(from_fn(with_headers))
        .layer(from_fn(noted))
}

/// The hook for panics has told the log.
fn panicked(_: Box<dyn Any + Send + 'static>) -> Response {
    AssessError::Broken.into_response()
}

/// Sends away what is too long and gives up what takes too long.
async fn limited(State(app): State<AssessApp>, request: Request, next: Next) -> Response {
    let length = request.uri().path_and_query().map_or(0, |whole| whole.as_str().len());
    if length > LONGEST_ADDRESS {
        return AssessError::AddressTooLong(LONGEST_ADDRESS).into_response();
    }
    let limits = &app.config().limits;
    // Files come from organisers only; everything else is a form.
    let organises =
        request.extensions().get::<Arrived>().is_some_and(|arrived| arrived.person.is_organiser());
    let uploads = organises && kind(request.headers()) == MULTIPART;
    let most = if uploads { limits.upload } else { limits.form };
    // Who says beforehand how much it is need not send it.
    let said = request.headers().get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok());
    if said.and_then(|length| length.parse::<usize>().ok()).is_some_and(|length| length > most) {
        return AssessError::TooLong(most).into_response();
    }
    match tokio::time::timeout(app.config().time_limit + READING, next.run(request)).await {
        Ok(response) => response,
        Err(_) => AssessError::Silence.into_response(),
    }
}

/// Finds out who asks, and makes pages of what goes wrong.
async fn arrive(State(app): State<AssessApp>, mut request: Request, next: Next) -> Response {
    let (uri, method, headers) = (request.uri().clone(), request.method().clone(), request.headers().clone());
    let open = OPEN.iter().any(|open| uri.path().starts_with(open));
    let mut response = match look(&app, &method, &headers, open).await {
        Ok(arrived) => {
            if let Some(arrived) = arrived {
                request.extensions_mut().insert(arrived.clone());
                let response = next.run(request).await;
                written(response, &uri, &method, &headers, Some(arrived.person))
            } else {
                written(next.run(request).await, &uri, &method, &headers, None)
            }
        }
        Err(error) => written(error.into_response(), &uri, &method, &headers, None),
    };
    // What somebody sees is for them alone, and only now.
    response.headers_mut().entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

/// Who asks, if anybody, and whether they may.
async fn look(
    app: &AssessApp,
    method: &Method,
    headers: &HeaderMap,
    open: bool,
) -> Result<Option<Arrived>, AssessError> {
    if open {
        return Ok(None);
    }
    if ![Method::GET, Method::HEAD, Method::OPTIONS].contains(method) {
        is_ours(app, headers)?;
    }
    let Some(secret) = Cookie::Session.read(app.config(), headers) else { return Ok(None) };
    let (limits, known) = (app.config().sessions, secret.clone());
    let Some(session) = app.read(move |books| books.session(&known, &limits)).await? else { return Ok(None) };
    app.limits().request(&secret.checksum()).map_err(AssessError::TooOften)?;
    if session.is_stale(app.office().now()) {
        let seen = secret.clone();
        app.write_later(move |books| books.touch_session(&seen, &limits));
    }
    Ok(Some(Arrived::new(session.account, secret)))
}

/// Refuses what a page of another site sends, as far as the browser tells.
fn is_ours(app: &AssessApp, headers: &HeaderMap) -> Result<(), AssessError> {
    const OTHER: &str = "this was sent from a page of another site";
    let text = |name: &str| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    if text("sec-fetch-site") == Some("cross-site") {
        return Err(AssessError::Forged(OTHER));
    }
    let Some(origin) = text("origin") else { return Ok(()) };
    let host = |address: &str| address.split_once("://").map(|(_, host)| host.to_ascii_lowercase());
    let forwarded = text("x-forwarded-host").filter(|_| app.config().trust_proxy);
    let ours = [app.config().address.as_deref().and_then(|address| host(address.trim_end_matches('/')))]
        .into_iter()
        .flatten()
        .chain(forwarded.or(text("host")).map(str::to_ascii_lowercase));
    let theirs = host(origin);
    if ours.into_iter().any(|ours| Some(&ours) == theirs.as_ref()) {
        Ok(())
    } else {
        Err(AssessError::Forged(OTHER))
    }
}

#[derive(Template)]
#[template(path = "assess/error.html")]
struct Failed {
    title: &'static str,
    told: Told,
    message: String,
    person: Person,
}

impl Failed {
    fn here(&self) -> &'static str {
        ""
    }
}

#[derive(Template)]
#[template(path = "assess/error_outside.html")]
struct FailedOutside {
    title: &'static str,
    told: Told,
    message: String,
}

/// What went wrong, as a page or, for scripts, as JSON.
fn written(
    response: Response,
    uri: &Uri,
    method: &Method,
    headers: &HeaderMap,
    person: Option<Person>,
) -> Response {
    let Some(told) = told(&response) else { return response };
    let accepted = headers.get(header::ACCEPT).and_then(|kinds| kinds.to_str().ok()).unwrap_or_default();
    let mut answer = if accepted.contains("application/json") {
        axum::Json(serde_json::json!({ "error": told.sentence })).into_response()
    } else if told.remedy == Remedy::SignIn {
        let reads = method == Method::GET || method == Method::HEAD;
        let path = uri.path_and_query().map_or("/", |whole| whole.as_str());
        let next = reads && path != "/" && path.len() <= super::access::LONGEST_NEXT;
        return see(&if next { format!("/login?next={}", encode(path)) } else { "/login".to_owned() });
    } else {
        let (status, message) = (told.status, sentence(&told.sentence));
        let made = match person {
            Some(person) => page(&Failed { title: title(status), told: told.clone(), message, person }),
            None => page(&FailedOutside { title: title(status), told: told.clone(), message }),
        };
        made.unwrap_or_else(|_| status.into_response())
    };
    *answer.status_mut() = told.status;
    // Such as which methods there are.
    for (name, value) in response.headers() {
        if name == header::ALLOW || name == header::SET_COOKIE {
            answer.headers_mut().append(name, value.clone());
        }
    }
    if let Some(again) = told.again {
        answer.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(again));
    }
    answer
}

/// What an answer says went wrong, if anything. Where a part of an address or a form is not what it should
/// be, the framework says so in a line of its own, which holds what was sent and is not for people.
fn told(response: &Response) -> Option<Told> {
    if let Some(told) = response.extensions().get::<Told>() {
        return Some(told.clone());
    }
    let status = response.status();
    let kind = response.headers().get(header::CONTENT_TYPE).map(HeaderValue::as_bytes).unwrap_or_default();
    let failed = status.is_client_error() || status.is_server_error();
    (failed && kind.starts_with(b"text/plain")).then(|| Told {
        status,
        sentence: "that was not understood: a part of the address or of the form is not what it should be"
            .to_owned(),
        again: None,
        remedy: Remedy::None,
    })
}

fn title(status: StatusCode) -> &'static str {
    match status {
        StatusCode::NOT_FOUND => "Not found",
        StatusCode::FORBIDDEN => "Not from here",
        StatusCode::BAD_REQUEST | StatusCode::URI_TOO_LONG => "That was not understood",
        StatusCode::UNPROCESSABLE_ENTITY => "That was not done",
        StatusCode::PAYLOAD_TOO_LARGE => "Too long",
        StatusCode::METHOD_NOT_ALLOWED => "Not that way",
        StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE | StatusCode::REQUEST_TIMEOUT => {
            "One moment"
        }
        _ => "Something went wrong",
    }
}

/// Begins with a capital and ends with a full stop, as a sentence does.
pub(crate) fn sentence(message: &str) -> String {
    let mut letters = message.trim_end_matches('.').chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", letters.as_str())
}

/// What the log says about a request.
struct Line {
    method: Method,
    route: String,
    status: StatusCode,
    start: Instant,
    id: String,
}

impl Sent for Line {
    fn sent(&self, bytes: u64) {
        let milliseconds = (self.start.elapsed().as_secs_f64() * 1e5).round() / 100.0;
        tracing::info!(
            method = self.method.as_str(),
            route = self.route,
            status = self.status.as_u16(),
            milliseconds,
            bytes,
            id = self.id,
            "answered"
        );
    }
}

/// Notes what was asked and what came of it: by the route, since addresses hold secrets.
async fn noted(request: Request, next: Next) -> Response {
    let start = Instant::now();
    let (id, route) = (request_id(request.headers()), route_of(&request));
    let method = request.method().clone();
    let mut response = next.run(request).await;
    set_request_id(&mut response, &id);
    let line = Line { method, route, status: response.status(), start, id };
    response.map(|body| Body::new(CountedBody::new(body, line)))
}
