//! The pages that people see.

mod answer;
pub(crate) mod assets;
mod fail;
mod formula;
mod help;
mod home;
mod palette;
mod post;
mod question;
mod search;
mod why;

pub(crate) use answer::source_address;
pub(crate) use fail::{PageError, error_page};

use crate::site::state::App;
use crate::view::Html;
use askama::Template;
use axum::Router;
use axum::response::{Html as Page, IntoResponse, Response};
use axum::routing::get;

/// All pages.
pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route("/", get(home::home))
        .route("/search", get(search::search))
        .route("/preview", get(search::preview))
        .route("/formula/{id}", get(formula::formula))
        .route("/thread/{id}", get(post::thread))
        .route("/post/{id}", get(post::post))
        .route("/answer", get(answer::answer))
        .route("/answer/part", get(answer::part))
        .route("/answer/write", get(answer::not_written).post(answer::write))
        .route("/ask", get(question::ask))
        .route("/ask/preview", get(question::preview))
        .route("/help", get(help::help))
        .route("/opensearch.xml", get(assets::opensearch))
        .route("/favicon.ico", get(assets::favicon))
        .route("/robots.txt", get(assets::robots))
        .route("/static/{hash}/{name}", get(assets::asset))
}

/// Parameters of an address in their order; any number of each.
pub(crate) type Pairs = axum::extract::Query<Vec<(String, String)>>;

/// Whether a link leads to where one is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Current {
    /// It does.
    Here,
    /// It leads elsewhere.
    Elsewhere,
}

/// Whether something is so, for templates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Accepted {
    /// It is.
    Yes,
    /// It is not.
    No,
}

/// Where the cursor stands when a page opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Focus {
    /// In the box.
    Box,
    /// Nowhere.
    Nowhere,
}

/// A link.
#[derive(Clone, Debug)]
pub(crate) struct Link {
    /// Where it leads.
    pub(crate) address: String,
    /// What is read.
    pub(crate) text: Html,
}

impl Link {
    fn new(address: String, text: &str) -> Self {
        Self { address, text: Html::text(text) }
    }
}

/// Makes a page of a template.
fn page(template: &impl Template) -> Response {
    match template.render() {
        Ok(html) => Page(html).into_response(),
        Err(error) => {
            // Only a formatter that fails can make it fail, and none of ours does.
            tracing::error!(%error, "a page could not be written");
            axum::http::StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}
