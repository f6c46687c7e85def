//! The first page.

use super::{Focus, page};
use crate::site::state::App;
use crate::view::{Html, Pen, Preview, Search, View, count, texts};
use askama::Template;
use axum::extract::State;
use axum::response::Response;
use index::Index;

/// What can be typed, by example: what it shows, the box, the formula row, and the view.
const EXAMPLES: &[(&str, &str, &str, View)] = &[
    ("Words and a formula", r"limit of $\left(1+\frac1n\right)^n$", "", View::Threads),
    ("A wildcard: ?f stands for anything", "", r"\int_0^\infty \frac{?f}{x}\,dx", View::Formulas),
    ("A phrase and a filter", r#""symmetric matrix" eigenvalues score:>2"#, "", View::Threads),
    ("An integral", r"$\int_0^\infty e^{-x^2}\,dx$", "", View::Threads),
    ("A matrix", r"determinant of $\begin{pmatrix} a & b \\ b & a \end{pmatrix}$", "", View::Threads),
    ("An inequality, under any names", "", r"a^2+b^2\ge 2ab", View::Formulas),
];

struct Example {
    what: &'static str,
    shown: Html,
    address: String,
}

#[derive(Template)]
#[template(path = "home.html")]
struct Home {
    search: Search,
    preview: Preview,
    autofocus: Focus,
    examples: Vec<Example>,
    posts: String,
    formulas: String,
}

impl Home {
    fn here(&self) -> &'static str {
        "home"
    }
}

/// The box, what can be typed, and how much there is to find.
pub(super) async fn home(State(app): State<App>) -> Response {
    let served = app.served();
    let (posts, formulas) = size(served.engine.index());
    let mut pen = Pen::default();
    let example = |(what, q, f, view): &(&'static str, &str, &str, View)| {
        let search =
            Search { q: (*q).to_owned(), f: (*f).to_owned(), view: *view, page: 1, ..Search::default() };
        Example {
            what,
            shown: texts(&mut pen, &search.query(), latex::Mode::Query),
            address: search.address(),
        }
    };
    page(&Home {
        examples: EXAMPLES.iter().map(example).collect(),
        search: Search { page: 1, ..Search::default() },
        preview: Preview::default(),
        autofocus: Focus::Box,
        posts: count(posts, "post", "posts"),
        formulas: count(formulas, "distinct formula", "distinct formulas"),
    })
}

/// How many posts and visually distinct formulas there are.
pub(super) fn size(index: &Index) -> (usize, usize) {
    let visuals = index.sources().iter().map(|source| source.collection.num_visuals() as usize).sum();
    (index.num_posts() as usize, visuals)
}
