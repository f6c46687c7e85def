//! What can be typed, and the keys.

use super::{Link, page};
use crate::view::Search;
use askama::Template;
use axum::response::Response;

/// What can be typed, and what it means.
const ROWS: &[(&[&str], &str)] = &[
    (&["inverse of a matrix"], "words; each helps"),
    (
        &["$x^2+y^2$", r"\(x\)", "a^2+b^2>=2ab"],
        "formulas, with marks or without where they look like formulas",
    ),
    (&[r"$\int ?f dx$"], "?f stands for anything, the same name for the same thing"),
    (
        &["+limit", "-limit"],
        "results must have the word, or must not: as it is written, not other forms of it",
    ),
    (&[r#""mean value theorem""#, r#"-"mean value""#], "these words must stand together, or must not"),
    (&["+$x^2$", "-$x^2$"], "results must contain the formula, or must not"),
    (&["+$a^2+b^2=c^2$ letters:any"], "the same, whatever the letters are called"),
    (&["tag:calculus", "[calculus]"], "the post or its question has the tag"),
    (&["is:question", "is:answer", "is:accepted"], "what the post is"),
    (&["user:17"], "its author, by the name that is shown or by number"),
    (&["score:>5", "score:3..10"], "votes"),
    (&["year:2015", "date:>=2015-03", "date:2014-06..2015"], "when it was written"),
    (
        &["answers:0", "answers:>2"],
        "how many answers the question has, or the question that the post answers",
    ),
];

struct Row {
    typed: Vec<Link>,
    means: &'static str,
}

#[derive(Template)]
#[template(path = "help.html")]
struct Help {
    rows: Vec<Row>,
}

impl Help {
    fn here(&self) -> &'static str {
        "help"
    }
}

/// The page.
pub(super) async fn help() -> Response {
    let link = |q: &&str| Link::new(Search { q: (*q).to_owned(), page: 1, ..Search::default() }.address(), q);
    let row =
        |(typed, means): &(&[&str], &'static str)| Row { typed: typed.iter().map(link).collect(), means };
    page(&Help { rows: ROWS.iter().map(row).collect() })
}
