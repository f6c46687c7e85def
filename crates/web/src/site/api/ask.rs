//! `POST /ask`: a question in full, answered by one or several systems.

use super::objects::{HitObject, Mathml, NoteObject, Reasons, Shown, milliseconds, notes};
use super::params::{Params, bad, check_length};
use super::{answer, written};
use crate::site::error::{ApiError, AppError};
use crate::site::front::LONGEST_BODY;
use crate::site::state::App;
use crate::site::systems;
use axum::body::Bytes;
use axum::extract::State;
use axum::extract::rejection::BytesRejection;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use retrieve::people::{Answers, Question};
use retrieve::typed::LONGEST;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

/// So many systems answer one question.
const MOST_SYSTEMS: usize = 4;
/// So many tags are read.
const MOST_TAGS: usize = 20;
/// So many characters of a question are read.
const LONGEST_QUESTION: usize = 100_000;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    #[serde(default)]
    title: String,
    #[serde(default)]
    body: String,
    #[serde(default)]
    tags: Vec<String>,
    #[serde(default)]
    systems: Vec<String>,
    #[serde(default = "ten", deserialize_with = "whole")]
    limit: usize,
    #[serde(default)]
    mathml: bool,
    #[serde(default)]
    explain: bool,
}

fn ten() -> usize {
    10
}

/// A whole number, also if it is written as `10.0`, which JSON does not tell from 10.
fn whole<'de, D: Deserializer<'de>>(from: D) -> Result<usize, D::Error> {
    let number = f64::deserialize(from)?;
    // More than is allowed stays more than is allowed.
    if number.fract() == 0.0 && number >= 0.0 {
        Ok(number as usize)
    } else {
        Err(D::Error::custom(format!("limit is a whole number from 1 to 100, not {number}")))
    }
}

#[derive(Serialize)]
struct AskObject<'a> {
    rankings: Vec<RankingObject<'a>>,
}

#[derive(Serialize)]
struct RankingObject<'a> {
    system: &'a str,
    milliseconds: f64,
    notes: Vec<NoteObject<'a>>,
    hits: Vec<HitObject<'a>>,
}

/// Reads what was sent.
fn read(headers: &HeaderMap, body: Result<Bytes, BytesRejection>) -> Result<Asked, AppError> {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim();
    if !kind.eq_ignore_ascii_case("application/json") {
        return Err(AppError::MediaType(
            "send JSON, with the header content-type: application/json".to_owned(),
        ));
    }
    let body = body.map_err(|rejection| match rejection.into_response().status() {
        StatusCode::PAYLOAD_TOO_LARGE => AppError::TooLong(LONGEST_BODY),
        _ => bad("what was sent broke off"),
    })?;
    // A list in the order of the fields would be read, too, if it were not looked at first.
    let value: Value = serde_json::from_slice(&body).map_err(|error| bad(&error.to_string()))?;
    if !value.is_object() {
        return Err(bad("a question is a JSON object, such as {\"title\": \"…\"}"));
    }
    let asked: Asked = serde_json::from_value(value).map_err(|error| bad(&error.to_string()))?;
    check_length("title", &asked.title, LONGEST)?;
    check_length("body", &asked.body, LONGEST_QUESTION)?;
    asked.tags.iter().try_for_each(|tag| check_length("a tag", tag, 100))?;
    if asked.tags.len() > MOST_TAGS {
        return Err(bad(&format!("a question may have {MOST_TAGS} tags, and there are more")));
    }
    if asked.systems.len() > MOST_SYSTEMS {
        return Err(bad(&format!("{MOST_SYSTEMS} systems may answer at once, and there are more")));
    }
    if !(1..=100).contains(&asked.limit) {
        return Err(bad(&format!("limit is a whole number from 1 to 100, not {}", asked.limit)));
    }
    Ok(asked)
}

/// The names of the systems, each once; none for the usual one.
fn names(asked: &Asked) -> Result<Vec<String>, AppError> {
    let mut names: Vec<String> = Vec::new();
    for name in &asked.systems {
        if names.contains(name) {
            return Err(bad(&format!("the system {name} is there twice")));
        }
        names.push(name.clone());
    }
    Ok(names)
}

pub(super) async fn ask(
    State(app): State<App>,
    uri: Uri,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<Response, ApiError> {
    Params::read(&uri, &[])?;
    let asked = read(&headers, body)?;
    let mut names = names(&asked)?;
    let shown = Shown {
        mathml: if asked.mathml { Mathml::Drawn } else { Mathml::None },
        reasons: if asked.explain { Reasons::Told } else { Reasons::None },
    };
    answer(&app, move |served, deadline| {
        if names.is_empty() {
            names.push(served.engine.default_posts().to_owned());
        }
        let question = Question { title: asked.title, body: asked.body, tags: asked.tags };
        let mut found: Vec<(&str, Answers)> = Vec::new();
        for name in &names {
            let pipeline = systems::for_questions(&served.engine, name)?;
            found.push((name, served.engine.ask(pipeline, &question, asked.limit, deadline)?));
        }
        let rankings = found.iter().map(|(system, answers)| RankingObject {
            system,
            milliseconds: milliseconds(answers.elapsed),
            notes: notes(&answers.notes, ""),
            hits: answers.hits.iter().map(|hit| HitObject::new(hit, shown)).collect(),
        });
        written(&AskObject { rankings: rankings.collect() })
    })
    .await
}
