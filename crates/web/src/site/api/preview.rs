//! `GET /preview`: what is being typed, taken apart and drawn, with the places of mistakes.

use super::objects::{NoteObject, QueryObject, mathml, notes};
use super::params::Params;
use super::{answer, written};
use crate::site::error::ApiError;
use crate::site::state::App;
use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;
use latex::Mode;
use retrieve::typed::Typed;
use serde::Serialize;

/// So many formulas are drawn.
const MOST: usize = 8;
/// So many remarks are made on each.
const MOST_REMARKS: usize = 20;

#[derive(Serialize)]
struct PreviewObject<'a> {
    query: QueryObject<'a>,
    notes: Vec<NoteObject<'a>>,
    formulas: Vec<DrawnObject<'a>>,
}

#[derive(Serialize)]
struct DrawnObject<'a> {
    latex: &'a str,
    mathml: String,
    /// Where it stands in the query, in bytes.
    span: [usize; 2],
    diagnostics: Vec<RemarkObject>,
}

#[derive(Serialize)]
struct RemarkObject {
    kind: &'static str,
    message: String,
    /// Whether a part of the formula could not be read.
    error: bool,
    /// What of the LaTeX it is about, in bytes.
    span: [usize; 2],
}

pub(super) async fn preview(State(app): State<App>, uri: Uri) -> Result<Response, ApiError> {
    let query = Params::read(&uri, &["q", "f"])?.query()?;
    // It needs no index, but it is work all the same.
    answer(&app, move |_, _| {
        let typed = Typed::read(&query);
        let mut formulas = Vec::new();
        for formula in typed.formulas.iter().take(MOST) {
            let parse = latex::parse_bytes(formula.latex.as_bytes(), Mode::Query);
            let remarks = parse.diagnostics.iter().take(MOST_REMARKS);
            formulas.push(DrawnObject {
                latex: &formula.latex,
                mathml: mathml(&formula.latex, Mode::Query),
                span: [formula.span.start, formula.span.end],
                diagnostics: remarks
                    .map(|remark| RemarkObject {
                        kind: remark.kind.name(),
                        message: remark.message.to_string(),
                        error: remark.kind.is_error(),
                        span: [remark.span.range().start, remark.span.range().end],
                    })
                    .collect(),
            });
        }
        written(&PreviewObject {
            query: QueryObject::new(&query, &typed),
            notes: notes(&typed.notes, &query),
            formulas,
        })
    })
    .await
}
