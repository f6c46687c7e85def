//! `GET /search`: posts by words and formulas.

use super::answer;
use super::objects::{Mathml, Reasons, Shown, search_json};
use super::params::Params;
use crate::site::error::ApiError;
use crate::site::state::App;
use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;
use retrieve::people::{Grouping, SearchOptions, Sort};
use retrieve::typed::{Typed, Understanding};

/// Facets are counted over so many of the best posts.
const COUNTED: usize = 1000;

pub(super) async fn search(State(app): State<App>, uri: Uri) -> Result<Response, ApiError> {
    let known =
        ["q", "f", "limit", "offset", "system", "group", "sort", "read", "facets", "explain", "mathml"];
    let params = Params::read(&uri, &known)?;
    let query = params.query()?;
    let options = SearchOptions {
        pipeline: params.pipeline()?,
        limit: params.limit()?,
        offset: params.offset()?,
        grouping: params.choice("group", [("posts", Grouping::Posts), ("threads", Grouping::Threads)])?,
        sort: params.choice("sort", Sort::ALL.map(|sort| (sort.name(), sort)))?,
        understanding: params.choice("read", Understanding::ALL.map(|known| (known.name(), known)))?,
        facets: params.choice("facets", [("false", 0), ("true", COUNTED)])?,
        ..SearchOptions::default()
    };
    let shown = Shown {
        mathml: params.choice("mathml", [("false", Mathml::None), ("true", Mathml::Drawn)])?,
        reasons: params.choice("explain", [("false", Reasons::None), ("true", Reasons::Told)])?,
    };
    answer(&app, move |served, deadline| {
        let typed = Typed::read_as(&query, options.understanding);
        let options = SearchOptions { deadline: deadline.clone(), ..options };
        let results = served.engine.search(&typed, &options)?;
        Ok(search_json(&query, &typed, &results, shown))
    })
    .await
}
