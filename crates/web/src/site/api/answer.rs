//! `GET /answer`: one answer to a question, cut out of a post or written by a language model.

use super::objects::milliseconds;
use super::params::{Params, check_length};
use super::written;
use crate::site::answers::{self, Asked, Made};
use crate::site::error::{ApiError, AppError};
use crate::site::front::{is_allowed, is_ours};
use crate::site::pages::source_address;
use crate::site::state::App;
use crate::view::{Pen, said};
use ::answer::{Answer, DEFAULT};
use axum::extract::State;
use axum::http::{HeaderMap, Method, Uri, header};
use axum::response::{IntoResponse, Response};
use retrieve::people::Question;
use retrieve::typed::Understanding;
use serde::Serialize;

/// So many tags are read.
const MOST_TAGS: usize = 20;
/// So many characters of a question are read, as on the pages: an address hardly holds more.
const LONGEST_QUESTION: usize = 20_000;

#[derive(Serialize)]
struct AnswerObject<'a> {
    /// What was asked, as it was understood.
    question: &'a str,
    system: &'a str,
    answer: Option<&'a str>,
    html: Option<String>,
    kind: Option<&'static str>,
    model: Option<&'a str>,
    score: Option<f64>,
    whole: Option<bool>,
    /// How much of what is asked the first source speaks of.
    fit: Option<f64>,
    /// Whether it names the sources, or was cut from them.
    cited: Option<bool>,
    /// Whether the model wrote more, or would have.
    cut: bool,
    sources: Vec<SourceObject<'a>>,
    /// The claims of what a model wrote, tested.
    claims: Vec<ClaimObject<'a>>,
    milliseconds: f64,
}

#[derive(Serialize)]
struct ClaimObject<'a> {
    claim: String,
    status: &'static str,
    note: &'a str,
}

#[derive(Serialize)]
struct SourceObject<'a> {
    number: Option<usize>,
    id: &'a str,
    thread: &'a str,
    title: &'a str,
    url: String,
}

/// What is asked by the parameters: what is typed, then the title.
fn read(params: &Params) -> Result<Asked, AppError> {
    let understanding = params.choice("read", Understanding::ALL.map(|known| (known.name(), known)))?;
    let Asked(typed) = Asked::typed(&params.query()?, understanding);
    let title = format!("{} {}", typed.title, params.text("title")?.trim());
    let body = params.get("body").unwrap_or_default();
    check_length("body", body, LONGEST_QUESTION)?;
    let tags = params.text("tags")?;
    let tags = tags.split(|c: char| c.is_whitespace() || c == ',').filter(|tag| !tag.is_empty());
    let tags = tags.take(MOST_TAGS).map(str::to_lowercase).collect();
    Ok(Asked(Question { title: title.trim().to_owned(), body: body.to_owned(), tags }))
}

pub(super) async fn answer(
    State(app): State<App>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let params = Params::read(&uri, &["q", "f", "read", "title", "body", "tags", "system"])?;
    let asked = read(&params)?;
    let name = params.get("system").unwrap_or(DEFAULT);
    let maker = answers::ready(name, &app.served().engine, app.config().model.as_ref())?;
    if !maker.system().is_generative() {
        return super::answer(&app, move |served, deadline| {
            json(&answers::extract(served, maker, &asked, deadline)?)
        })
        .await;
    }
    // Pages of other sites may have it written only where they may call the API. That a site may is not enough:
    // a picture on any other page would call it, too, so it has to be the one that asks.
    if !is_allowed(app.config().allow_origin.as_deref(), &headers) {
        is_ours(&headers)?;
    }
    let kinds = [(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-store")];
    // Who wants the head alone wants no answer, and none is written that nobody reads.
    if method == Method::HEAD {
        return Ok(kinds.into_response());
    }
    let json = app
        .write(move |served, model, patience| json(&answers::write(served, maker, &asked, model, patience)?))
        .await?;
    Ok((kinds, json).into_response())
}

fn claims(answer: &Answer) -> Vec<ClaimObject<'_>> {
    let claims = answer.claims.iter().map(|one| ClaimObject {
        claim: one.quoted(&answer.text),
        status: one.status.word(),
        note: &one.note,
    });
    claims.collect()
}

fn json(made: &Made) -> Result<String, AppError> {
    let answer = made.answer.as_ref();
    let cited = answer.into_iter().flat_map(|answer| &answer.sources);
    let addresses: Vec<(usize, String)> =
        cited.clone().filter_map(|source| Some((source.number?, source_address(source)))).collect();
    let sources = cited.map(|source| SourceObject {
        number: source.number,
        id: &source.id,
        thread: &source.thread,
        title: &source.title,
        url: source_address(source),
    });
    written(&AnswerObject {
        question: &made.question,
        system: made.system,
        answer: answer.map(|answer| answer.text.as_str()),
        html: answer.map(|answer| said(&mut Pen::default(), &answer.text, &addresses).as_str().to_owned()),
        kind: answer.map(|answer| answer.kind.word()),
        model: answer.and_then(|answer| answer.model.as_deref()),
        score: answer.map(|answer| answer.score),
        whole: answer.map(|answer| answer.whole),
        fit: answer.and_then(|answer| answer.fit),
        cited: answer.map(|answer| answer.cited),
        cut: made.stopped || answer.is_some_and(|answer| answer.cut),
        sources: sources.collect(),
        claims: answer.map_or_else(Vec::new, claims),
        milliseconds: milliseconds(made.elapsed),
    })
}
