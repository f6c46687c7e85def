//! Something that is judged, drawn: a post, a written answer, a formula in its post or by itself.

use super::shelf::Weight;
use super::{Material, formula_alone, in_new_tabs, page, question, thread_address};
use crate::view::{Html, encode};
use askama::Template;
use lab::Context;
use render::Highlight;
use std::collections::BTreeSet;
use store::{Collection, FormulaNo, PostKind, PostNo};

/// What shall be drawn.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Wanted {
    /// A post.
    Post(String),
    /// An answer that a system wrote, by its id.
    Written {
        /// The id of the answer.
        id: String,
        /// Its text, if the lab has it.
        text: Option<String>,
    },
    /// A formula where it stands.
    Instance {
        /// The id of the formula.
        formula: String,
        /// The post in which it stands, as the pool has it.
        post: Option<String>,
    },
}

/// Something that is judged.
#[derive(Clone, Debug, Default, Template)]
#[template(path = "assess/piece.html")]
pub(crate) struct Piece {
    /// What it is, such as `Answer`. Judging is blind: an answer of the collection and one that a system wrote
    /// have the same heading, and no heading has an id.
    pub(crate) heading: String,
    /// The title of the question that an answer of the collection was given to.
    pub(crate) question: Option<Html>,
    /// Its text.
    pub(crate) body: Html,
    /// The formula that is judged, by itself.
    pub(crate) formula: Option<Html>,
    /// Where its thread is.
    pub(crate) thread: Option<String>,
    /// What is wrong with it, in a sentence.
    pub(crate) trouble: Option<String>,
}

impl Weight for Piece {
    fn weight(&self) -> usize {
        let html = |html: &Html| html.as_str().len();
        200 + self.heading.len() + html(&self.body) + self.formula.as_ref().map_or(0, html)
    }
}

impl Piece {
    /// It as part of a page: a formula if there is no text, what is wrong, and the text.
    pub(crate) fn html(&self) -> Html {
        // Only a formatter that fails can make it fail, and none of ours does.
        Html::trusted(self.render().unwrap_or_default())
    }

    /// It as part of a page on which nothing may tell whether it comes from the collection: without links.
    pub(crate) fn blind_html(&self) -> Html {
        Html::trusted(without_links(self.html().as_str()))
    }

    fn missing(heading: &str, sentence: impl Into<String>) -> Self {
        Self { heading: heading.to_owned(), trouble: Some(sentence.into()), ..Self::default() }
    }
}

/// The heading of every answer, wherever it comes from.
const ANSWER: &str = "Answer";
/// The heading of a formula.
const FORMULA: &str = "Formula";
/// Why an answer cannot be shown, in words that do not tell where it should have come from.
const NO_TEXT: &str = "The text of this item is missing from the lab.";

pub(super) fn draw(material: &Material, wanted: &Wanted) -> Piece {
    match wanted {
        Wanted::Written { text: Some(text), .. } => {
            Piece { heading: ANSWER.to_owned(), body: question::written(material, text), ..Piece::default() }
        }
        Wanted::Written { text: None, .. } => Piece::missing(ANSWER, NO_TEXT),
        Wanted::Post(id) => draw_post(material, id),
        Wanted::Instance { formula, post } => draw_instance(material, formula, post.as_deref()),
    }
}

fn draw_post(material: &Material, id: &str) -> Piece {
    let Some(collection) = material.collection() else {
        return Piece::missing(ANSWER, NO_TEXT);
    };
    match collection.find_post(id) {
        Some(post) => Piece {
            question: own_question(material, collection, post),
            ..text_of(collection, post, Highlight::default())
        },
        None => Piece::missing(ANSWER, NO_TEXT),
    }
}

/// The title of the question that a post answers.
fn own_question(material: &Material, collection: &Collection, post: PostNo) -> Option<Html> {
    let thread = collection.thread_of(post);
    if thread == post || collection.post_facts(post).kind != PostKind::Answer {
        return None;
    }
    let question =
        page(collection, Highlight::default()).text_fragment(&mut collection.reader(), thread).ok()?;
    Some(question::line(material, &question.title))
}

/// The text of a post, and where its thread is.
fn text_of(collection: &Collection, post: PostNo, highlight: Highlight) -> Piece {
    let heading = name_of(collection, post).to_owned();
    let highlighted = !highlight.formulas.is_empty();
    let id = collection.post_id(post).to_string();
    match page(collection, highlight).text_fragment(&mut collection.reader(), post) {
        Ok(text) => {
            let anchor = text.hits.first().map(|anchor| encode(anchor));
            let trouble = (highlighted && anchor.is_none()).then(|| {
                "The formula does not stand in the text of this post: it may be in a comment on it."
                    .to_owned()
            });
            let empty = text.content.trim().is_empty().then(|| "The post is empty.".to_owned());
            Piece {
                heading,
                body: Html::trusted(in_new_tabs(&without_visual_ids(&text.content))),
                thread: Some(thread_address(&id)),
                trouble: trouble.or(empty),
                ..Piece::default()
            }
        }
        Err(error) => {
            tracing::error!(post = id, cause = error.to_string(), "a post that is judged cannot be read");
            Piece::missing(&heading, "The text of this item cannot be read.")
        }
    }
}

/// Formulas of written answers have no visual ids, so those of posts would tell the two apart.
fn without_visual_ids(html: &str) -> String {
    // The writers of `render` spell the attribute this way only, and escape quotes in texts.
    let mut parts = html.split(" data-visual-id=\"");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        out.push_str(part.split_once('"').map_or(part, |(_, rest)| rest));
    }
    out
}

fn name_of(collection: &Collection, post: PostNo) -> &'static str {
    match collection.post_facts(post).kind {
        PostKind::Answer => ANSWER,
        PostKind::Question => "Question",
        PostKind::Document => "Document",
    }
}

fn draw_instance(material: &Material, id: &str, post: Option<&str>) -> Piece {
    let Some(collection) = material.collection() else {
        return Piece::missing(FORMULA, "The lab has no collection, so its formulas cannot be shown.");
    };
    let post = post.and_then(|post| collection.find_post(post));
    let Some(formula) = find(collection, id, post) else {
        return Piece::missing(FORMULA, format!("The collection has no formula {id}."));
    };
    let alone = match formula_alone(&mut collection.reader(), formula) {
        Ok(alone) => alone,
        Err(error) => return Piece::missing(FORMULA, format!("The formula {id} cannot be read: {error}.")),
    };
    let heading = FORMULA.to_owned();
    let post = collection.formula_post(formula).or(post);
    if material.manifest.context == Context::Formula {
        return Piece { heading, formula: Some(alone), ..Piece::default() };
    }
    let Some(post) = post else {
        let trouble = "It is not known in which post it stands.".to_owned();
        return Piece { heading, formula: Some(alone), trouble: Some(trouble), ..Piece::default() };
    };
    let highlight = Highlight { formulas: BTreeSet::from([id.to_owned()]), ..Highlight::default() };
    let piece = text_of(collection, post, highlight);
    let post = collection.post_id(post).to_string();
    let thread =
        format!("/thread/{}?formula={}#{}", encode(&post), encode(id), encode(&format!("post-{post}")));
    let post = collection.find_post(&post);
    let question = post.and_then(|post| own_question(material, collection, post));
    Piece { formula: Some(alone), thread: Some(thread), question, ..piece }
}

/// Where an id stands in several places, that in the post counts, then that in the text of any post.
fn find(collection: &Collection, id: &str, post: Option<PostNo>) -> Option<FormulaNo> {
    collection.find_formulas(id).min_by_key(|formula| {
        let elsewhere = post.is_some() && collection.formula_post(*formula) != post;
        (elsewhere, collection.formula_comment(*formula).is_some())
    })
}

/// A text whose links are plain words. The writers of `render` and `markup` escape what looks like a tag in text and
/// attributes, so that `<a ` is always a link.
fn without_links(html: &str) -> String {
    let mut out = String::with_capacity(html.len());
    let mut rest = html;
    while let Some(at) = rest.find("<a ") {
        let (before, link) = rest.split_at(at);
        out.push_str(before);
        rest = link.split_once('>').map_or("", |(_, behind)| behind);
    }
    out.push_str(rest);
    out.replace("</a>", "")
}
