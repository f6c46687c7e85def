//! Something that is judged, drawn: a post, a written answer, a formula in its post or by itself.

use super::shelf::Weight;
use super::{Material, formula_alone, in_new_tabs, page, question, thread_address};
use crate::view::{Html, encode};
use askama::Template;
use lab::Context;
use std::collections::BTreeSet;
use store::{Collection, FormulaNo, PostKind, PostNo};
use thread::Highlight;

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
    /// What it is, such as `Answer 12`.
    pub(crate) heading: String,
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

    fn missing(heading: String, sentence: impl Into<String>) -> Self {
        Self { heading, trouble: Some(sentence.into()), ..Self::default() }
    }
}

pub(super) fn draw(material: &Material, wanted: &Wanted) -> Piece {
    match wanted {
        Wanted::Written { text: Some(text), .. } => Piece {
            heading: "Written answer".to_owned(),
            body: question::written(material, text),
            ..Piece::default()
        },
        Wanted::Written { id, text: None } => Piece::missing(
            "Written answer".to_owned(),
            format!("The lab does not have the text of the answer {id}."),
        ),
        Wanted::Post(id) => draw_post(material, id),
        Wanted::Instance { formula, post } => draw_instance(material, formula, post.as_deref()),
    }
}

fn draw_post(material: &Material, id: &str) -> Piece {
    let heading = format!("Post {id}");
    let Some(collection) = material.collection() else {
        return Piece::missing(heading, "The lab has no collection, so its posts cannot be shown.");
    };
    let Some(post) = collection.find_post(id) else {
        return Piece::missing(heading, format!("The collection has no post {id}."));
    };
    text_of(collection, post, Highlight::default())
}

/// The text of a post, and where its thread is.
fn text_of(collection: &Collection, post: PostNo, highlight: Highlight) -> Piece {
    let heading = name_of(collection, post);
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
                body: Html::trusted(in_new_tabs(&text.content)),
                thread: Some(thread_address(&id)),
                trouble: trouble.or(empty),
                formula: None,
            }
        }
        Err(error) => Piece::missing(heading, format!("The post {id} cannot be read: {error}.")),
    }
}

fn name_of(collection: &Collection, post: PostNo) -> String {
    let kind = match collection.post_facts(post).kind {
        PostKind::Answer => "Answer",
        PostKind::Question => "Question",
        PostKind::Document => "Document",
    };
    format!("{kind} {}", collection.post_id(post))
}

fn draw_instance(material: &Material, id: &str, post: Option<&str>) -> Piece {
    let heading = format!("Formula {id}");
    let Some(collection) = material.collection() else {
        return Piece::missing(heading, "The lab has no collection, so its formulas cannot be shown.");
    };
    let post = post.and_then(|post| collection.find_post(post));
    let Some(formula) = find(collection, id, post) else {
        return Piece::missing(heading, format!("The collection has no formula {id}."));
    };
    let alone = match formula_alone(&mut collection.reader(), formula) {
        Ok(alone) => alone,
        Err(error) => return Piece::missing(heading, format!("The formula {id} cannot be read: {error}.")),
    };
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
    Piece { formula: Some(alone), thread: Some(thread), ..piece }
}

/// Where an id stands in several places, that in the post counts, then that in the text of any post.
fn find(collection: &Collection, id: &str, post: Option<PostNo>) -> Option<FormulaNo> {
    collection.find_formulas(id).min_by_key(|formula| {
        let elsewhere = post.is_some() && collection.formula_post(*formula) != post;
        (elsewhere, collection.formula_comment(*formula).is_some())
    })
}
