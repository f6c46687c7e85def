//! `GET /formulas`: formulas like those of a query, and everything about one formula.

use super::objects::{
    HitObject, Mathml, NoteObject, QueryObject, Shown, VisualObject, is_more, mathml, milliseconds, notes,
};
use super::params::{Id, Params};
use super::{answer, written};
use crate::site::error::{ApiError, AppError};
use crate::site::state::{App, Served};
use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;
use latex::Mode;
use retrieve::Deadline;
use retrieve::people::{FoundVisual, SearchOptions, Visual};
use retrieve::typed::Typed;
use serde::Serialize;

#[derive(Serialize)]
struct FormulasObject<'a> {
    query: QueryObject<'a>,
    notes: Vec<NoteObject<'a>>,
    total: usize,
    /// Whether there are more than the total, which were not counted.
    more: bool,
    milliseconds: f64,
    hits: Vec<VisualObject<'a>>,
}

#[derive(Serialize)]
struct FormulaObject<'a> {
    visual_id: String,
    latex: &'a str,
    mathml: String,
    spellings: Vec<SpellingObject<'a>>,
    posts: usize,
    instances: usize,
}

#[derive(Serialize)]
struct SpellingObject<'a> {
    latex: &'a str,
    instances: usize,
}

#[derive(Serialize)]
struct ListObject<'a> {
    visual_id: String,
    hits: Vec<VisualObject<'a>>,
}

#[derive(Serialize)]
struct InstancesObject<'a> {
    visual_id: String,
    total: usize,
    instances: Vec<InstanceObject<'a>>,
}

#[derive(Serialize)]
struct InstanceObject<'a> {
    post: HitObject<'a>,
    times: usize,
}

fn shown(params: &Params) -> Result<Shown, AppError> {
    let mathml = params.choice("mathml", [("false", Mathml::None), ("true", Mathml::Drawn)])?;
    Ok(Shown { mathml, ..Shown::default() })
}

pub(super) async fn search(State(app): State<App>, uri: Uri) -> Result<Response, ApiError> {
    let params = Params::read(&uri, &["q", "f", "limit", "offset", "mathml"])?;
    let (query, shown) = (params.query()?, shown(&params)?);
    let options =
        SearchOptions { limit: params.limit()?, offset: params.offset()?, ..SearchOptions::default() };
    answer(&app, move |served, deadline| {
        let typed = Typed::read(&query);
        let options = SearchOptions { deadline: deadline.clone(), ..options };
        let results = served.engine.search_formulas(&typed, &options)?;
        written(&FormulasObject {
            query: QueryObject::new(&query, &typed),
            notes: notes(&results.notes, &query),
            total: results.total.known(),
            more: is_more(results.total),
            milliseconds: milliseconds(results.elapsed),
            hits: results.hits.iter().map(|hit| VisualObject::new(hit, shown)).collect(),
        })
    })
    .await
}

/// The number in an address; anything else names nothing.
fn number(text: &str) -> Result<u64, AppError> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| plain).ok_or_else(|| no_formula(text))
}

fn no_formula(name: &str) -> AppError {
    let name: String = name.chars().take(40).collect();
    AppError::NotFound(format!("formula with the visual id {name:?}"))
}

fn find(served: &Served, visual_id: u64, deadline: &Deadline) -> Result<Visual, AppError> {
    served.engine.visual(visual_id, deadline)?.ok_or_else(|| no_formula(&visual_id.to_string()))
}

pub(super) async fn formula(State(app): State<App>, Id(id): Id, uri: Uri) -> Result<Response, ApiError> {
    Params::read(&uri, &[])?;
    let id = number(&id)?;
    answer(&app, move |served, deadline| {
        let visual = find(served, id, deadline)?;
        written(&FormulaObject {
            visual_id: id.to_string(),
            latex: &visual.latex,
            mathml: mathml(&visual.latex, Mode::Document),
            spellings: visual
                .spellings
                .iter()
                .map(|spelling| SpellingObject { latex: &spelling.latex, instances: spelling.instances })
                .collect(),
            posts: visual.posts,
            instances: visual.instances,
        })
    })
    .await
}

/// A list of formulas that have to do with one.
async fn list(
    app: App,
    id: &str,
    uri: &Uri,
    find_all: impl FnOnce(&Served, u64, usize, &Deadline) -> Result<Vec<FoundVisual>, AppError> + Send + 'static,
) -> Result<Response, ApiError> {
    let params = Params::read(uri, &["limit", "mathml"])?;
    let (id, limit, shown) = (number(id)?, params.limit()?, shown(&params)?);
    answer(&app, move |served, deadline| {
        find(served, id, deadline)?;
        let found = find_all(served, id, limit, deadline)?;
        let hits = found.iter().map(|hit| VisualObject::new(hit, shown)).collect();
        written(&ListObject { visual_id: id.to_string(), hits })
    })
    .await
}

pub(super) async fn similar(State(app): State<App>, Id(id): Id, uri: Uri) -> Result<Response, ApiError> {
    list(app, &id, &uri, |served, id, limit, deadline| {
        Ok(served.engine.similar_formulas(id, limit, deadline)?)
    })
    .await
}

pub(super) async fn containing(State(app): State<App>, Id(id): Id, uri: Uri) -> Result<Response, ApiError> {
    list(app, &id, &uri, |served, id, limit, deadline| {
        Ok(served.engine.containing_formulas(id, limit, deadline)?)
    })
    .await
}

pub(super) async fn instances(State(app): State<App>, Id(id): Id, uri: Uri) -> Result<Response, ApiError> {
    let params = Params::read(&uri, &["limit", "offset", "mathml"])?;
    let (id, limit, offset, shown) = (number(&id)?, params.limit()?, params.offset()?, shown(&params)?);
    answer(&app, move |served, deadline| {
        find(served, id, deadline)?;
        let found = served.engine.instances(id, offset, limit, deadline)?;
        written(&InstancesObject {
            visual_id: id.to_string(),
            total: found.total,
            instances: found
                .instances
                .iter()
                .map(|found| InstanceObject { post: HitObject::new(&found.post, shown), times: found.times })
                .collect(),
        })
    })
    .await
}
