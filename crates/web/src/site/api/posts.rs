//! `GET /posts/{id}` and `GET /threads/{id}`: what people wrote, in full.

use super::objects::{Mathml, Shown};
use super::params::{Id, Params};
use super::{answer, written};
use crate::site::error::{ApiError, AppError};
use crate::site::state::{App, Served};
use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;
use index::{Index, Source};
use post::FormulaTexts;
use serde::Serialize;
use store::{FormulaNo, PostKind, PostNo, Reader};

#[derive(Serialize)]
struct PostObject {
    id: String,
    thread_id: String,
    question_id: Option<String>,
    kind: &'static str,
    accepted: bool,
    accepted_answer_id: Option<String>,
    title: Option<String>,
    text: String,
    tags: Vec<String>,
    votes: Option<i32>,
    views: Option<u32>,
    date: Option<String>,
    user: Option<String>,
    formulas: Vec<PlacedFormula>,
    comments: Vec<CommentObject>,
}

#[derive(Serialize)]
struct PlacedFormula {
    visual_id: String,
    latex: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    mathml: Option<String>,
    /// Where it stands: title or body.
    field: &'static str,
}

#[derive(Serialize)]
struct CommentObject {
    id: String,
    text: String,
    votes: Option<i32>,
    date: Option<String>,
    user: Option<String>,
}

#[derive(Serialize)]
struct ThreadObject {
    id: String,
    title: Option<String>,
    posts: Vec<PostObject>,
}

/// A collection of the index, being read.
struct Shelf<'s> {
    index: &'s Index,
    place: usize,
    source: &'s Source,
    reader: Reader<'s>,
    texts: FormulaTexts,
    shown: Shown,
}

impl<'s> Shelf<'s> {
    /// The post with an id, if it is valid, and the collection it is in.
    fn find(served: &'s Served, id: &str, shown: Shown) -> Result<(Self, PostNo), AppError> {
        let index = served.engine.index();
        let none = || {
            let id: String = id.chars().take(40).collect();
            AppError::NotFound(format!("post with the id {id:?}"))
        };
        let document = index.find(id).ok_or_else(none)?;
        let (source, post) = index.post(document);
        let place =
            index.sources().iter().position(|known| known.number == source.number).ok_or_else(none)?;
        Ok((
            Self {
                index,
                place,
                source,
                reader: source.collection.reader(),
                texts: FormulaTexts::default(),
                shown,
            },
            post,
        ))
    }

    fn id(&self, post: PostNo) -> String {
        self.source.collection.post_id(post).to_string()
    }

    /// The name of a user, or the number where there is no name.
    fn user(&mut self, owner: Option<String>) -> Result<Option<String>, AppError> {
        let Some(owner) = owner else { return Ok(None) };
        Ok(Some(self.reader.user(&owner)?.unwrap_or(owner)))
    }

    /// The formulas with these numbers, as LaTeX and visual id.
    fn formulas(&mut self, numbers: impl Iterator<Item = u32>) -> Result<Vec<(u64, String)>, AppError> {
        let collection = &self.source.collection;
        let mut formulas = Vec::new();
        for number in numbers {
            let form = collection.formula_form(FormulaNo(number));
            let visual = collection.visual_id(collection.form_visual(form));
            formulas.push((visual, self.texts.latex(&mut self.reader, form)?));
        }
        Ok(formulas)
    }

    fn read(&mut self, number: PostNo) -> Result<PostObject, AppError> {
        let collection = &self.source.collection;
        let post = self.reader.post(number)?;
        let formulas = self.formulas(collection.formulas_of_post(number))?;
        let title = post.title.as_deref().unwrap_or_default();
        let in_title = markup::markers(title);
        let mut comments = Vec::new();
        for comment in collection.comments_on(number) {
            let formulas = self.formulas(collection.formulas_of_comment(comment))?;
            let comment = self.reader.comment(comment)?;
            comments.push(CommentObject {
                id: comment.id.to_string(),
                text: plain(&comment.text, &formulas),
                votes: comment.score,
                date: comment.date.map(|date| date.to_string()),
                user: self.user(comment.owner)?,
            });
        }
        let question = post.facts.parent;
        let accepted =
            question.is_some_and(|question| collection.post_facts(question).accepted == Some(number));
        let placed = |(place, (visual, latex)): (usize, &(u64, String))| PlacedFormula {
            visual_id: visual.to_string(),
            latex: latex.clone(),
            mathml: self.shown.draw(latex),
            field: if place < in_title { "title" } else { "body" },
        };
        Ok(PostObject {
            id: self.id(number),
            thread_id: self.id(collection.thread_of(number)),
            question_id: post.parent_id,
            kind: post.facts.kind.name(),
            accepted,
            accepted_answer_id: post.facts.accepted.map(|answer| self.id(answer)),
            text: plain(&post.body, formulas.get(in_title..).unwrap_or_default()),
            formulas: formulas.iter().enumerate().map(placed).collect(),
            title: post.title.as_deref().map(|title| plain(title, &formulas)),
            tags: post.tags,
            votes: post.facts.score,
            views: post.views,
            date: post.facts.date.map(|date| date.to_string()),
            user: self.user(post.owner)?,
            comments,
        })
    }

    /// The posts of a thread that are valid: the question, then answers, the accepted one first and then by
    /// votes.
    fn thread(&self, post: PostNo) -> Vec<PostNo> {
        let collection = &self.source.collection;
        let first = collection.thread_of(post);
        let accepted = collection.post_facts(first).accepted;
        let mut answers: Vec<PostNo> = match collection.post_facts(first).kind {
            PostKind::Question => collection.answers(first).filter(|answer| *answer != first).collect(),
            _ => Vec::new(),
        };
        answers.sort_by_key(|answer| {
            let votes = collection.post_facts(*answer).score.unwrap_or(0);
            (Some(*answer) != accepted, std::cmp::Reverse(votes), answer.index())
        });
        answers.insert(0, first);
        answers.retain(|post| self.index.document(self.place, *post).is_some());
        answers
    }
}

/// Plain text with LaTeX between dollars.
fn plain(html: &str, formulas: &[(u64, String)]) -> String {
    markup::text(html, |place, out| {
        let latex = formulas.get(place).map_or("", |(_, latex)| latex.trim());
        out.extend(["$", latex, "$"]);
    })
}

fn shown(uri: &Uri) -> Result<Shown, AppError> {
    let params = Params::read(uri, &["mathml"])?;
    let mathml = params.choice("mathml", [("false", Mathml::None), ("true", Mathml::Drawn)])?;
    Ok(Shown { mathml, ..Shown::default() })
}

pub(super) async fn post(State(app): State<App>, Id(id): Id, uri: Uri) -> Result<Response, ApiError> {
    let shown = shown(&uri)?;
    answer(&app, move |served, _| {
        let (mut shelf, post) = Shelf::find(served, &id, shown)?;
        written(&shelf.read(post)?)
    })
    .await
}

pub(super) async fn thread(State(app): State<App>, Id(id): Id, uri: Uri) -> Result<Response, ApiError> {
    let shown = shown(&uri)?;
    answer(&app, move |served, _| {
        let (mut shelf, post) = Shelf::find(served, &id, shown)?;
        let mut posts = Vec::new();
        for number in shelf.thread(post) {
            posts.push(shelf.read(number)?);
        }
        let title = posts.first().and_then(|post| post.title.clone());
        written(&ThreadObject { id: shelf.id(shelf.source.collection.thread_of(post)), title, posts })
    })
    .await
}
