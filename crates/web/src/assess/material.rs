//! What assessors look at: questions of topics, posts, written answers and formulas, drawn.
//!
//! All of it comes from the lab: topics are read once, posts and formulas when they are asked for. What was
//! drawn is kept for a while, since many people judge the same. Everything here was written by strangers; it
//! is made harmless by `render` and `markup`, and nothing else turns it into HTML. What is missing is told in
//! a sentence, so that people can say that they could not judge it.

mod piece;
mod question;
mod shelf;
mod topic_threads;

pub(crate) use piece::{Piece, Wanted};
pub(crate) use question::Question;

use crate::view::{Html, Pen};
use formats::Topics;
use formula::mathml::Display;
use lab::{Known, Lab, Manifest, PoolKind};
use latex::Mode;
use render::{Around, Fragment, Highlight, Links, Options, Page};
use shelf::Shelf;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;
use store::{Collection, FormulaNo, Reader};
use topic_threads::TopicThreads;

/// So many formulas are highlighted in a thread.
const MOST_HIGHLIGHTED: usize = 50;

/// What a lab's assessors look at. One is shared by all requests.
pub struct Material {
    /// Topics by set and kind, or why they cannot be read.
    topics: BTreeMap<(String, PoolKind), Result<Topics, String>>,
    known: Known,
    /// The threads of the topics, with what was posted later.
    topic_threads: Option<TopicThreads>,
    manifest: Manifest,
    questions: Shelf<(String, PoolKind, String), Question>,
    pieces: Shelf<Wanted, Piece>,
}

impl fmt::Debug for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Material").field("lab", &self.manifest.name).finish_non_exhaustive()
    }
}

impl Material {
    /// Opens what a lab has: all its topics and its collection.
    ///
    /// # Errors
    ///
    /// When the lab names a collection that is not there or is another one.
    pub fn open(lab: &Lab) -> Result<Self, lab::Error> {
        let mut topics = BTreeMap::new();
        for set in &lab.manifest().sets {
            for kind in [PoolKind::Answers, PoolKind::Formulas] {
                if set.files(kind.task()).is_none() {
                    continue;
                }
                let read = lab.topics(&set.name, kind.task()).map(|file| file.topics);
                topics.insert((set.name.clone(), kind), read.map_err(|error| error.to_string()));
            }
        }
        Ok(Self {
            topics,
            known: lab.known()?,
            topic_threads: lab.topic_threads()?.map(TopicThreads::new),
            manifest: lab.manifest().clone(),
            questions: Shelf::new(500, 16 << 20),
            pieces: Shelf::new(2_000, 48 << 20),
        })
    }

    /// What the lab is, and what its grades mean.
    pub(crate) fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The question of a topic.
    pub(crate) fn question(&self, set: &str, kind: PoolKind, topic: &str) -> Arc<Question> {
        let key = (set.to_owned(), kind, topic.to_owned());
        self.questions.get_or(key, || question::draw(self, set, kind, topic))
    }

    /// Something that is judged.
    pub(crate) fn piece(&self, wanted: Wanted) -> Arc<Piece> {
        self.pieces.get_or(wanted.clone(), || piece::draw(self, &wanted))
    }

    /// The thread of a post with some formulas highlighted, by their ids or visual ids; `None` if the collection
    /// has no such post.
    ///
    /// # Errors
    ///
    /// When the collection is damaged.
    pub(crate) fn thread(
        &self,
        post: &str,
        formulas: impl Iterator<Item = String>,
        visuals: impl Iterator<Item = u64>,
    ) -> Result<Option<Fragment>, store::Error> {
        let Some(collection) = self.known.collection() else { return Ok(None) };
        let Some(post) = collection.find_post(post) else { return Ok(None) };
        let formulas: BTreeSet<String> = formulas.take(MOST_HIGHLIGHTED).collect();
        let visuals = visuals.take(MOST_HIGHLIGHTED).collect();
        let page = page(collection, Highlight { formulas, visuals });
        page.thread_fragment(&mut collection.reader(), post).map(Some)
    }

    /// The thread of a topic; `None` if the lab has no such thread.
    ///
    /// # Errors
    ///
    /// When the collection of topic threads is damaged.
    pub(crate) fn topic_thread(&self, post: &str) -> Result<Option<Fragment>, store::Error> {
        let Some(TopicThreads { collection: threads, .. }) = &self.topic_threads else { return Ok(None) };
        let Some(post) = threads.find_post(post) else { return Ok(None) };
        let mut thread = page(threads, Highlight::default()).thread_fragment(&mut threads.reader(), post)?;
        // The writers of `render` spell links this way only; these lead to posts of the same collection.
        thread.content = thread.content.replace("href=\"/thread/", "href=\"/topic-thread/");
        Ok(Some(thread))
    }

    fn collection(&self) -> Option<&Collection> {
        self.known.collection()
    }
}

fn page(collection: &Collection, highlight: Highlight) -> Page<'static> {
    let options = Options { highlight, links: Links::Server, around: Around::Nothing, ..Options::default() };
    Page::new(collection, options)
}

/// Where the thread of a post is.
fn thread_address(post: &str) -> String {
    let post = crate::view::encode(post);
    format!("/thread/{post}#post-{post}")
}

/// Threads that a text leads to are opened beside the page, on which there may be unsaved work.
fn in_new_tabs(html: &str) -> String {
    // The writers of `render` spell links this way only, and text in them holds no `<`.
    html.replace("<a href=\"/thread/", "<a target=\"_blank\" rel=\"noopener\" href=\"/thread/")
}

/// A formula of the collection by itself.
fn formula_alone(reader: &mut Reader<'_>, formula: FormulaNo) -> Result<Html, store::Error> {
    let form = reader.collection().formula_form(formula);
    let latex = post::latex_of(reader, form)?;
    Ok(Pen::default().block(latex.trim(), Mode::Document, &[]))
}

/// Draws a formula of a text that `markup` has cleaned: its LaTeX, and how the text has it.
fn draw_found(
    (latex, given): (&str, markup::Display),
    room: Display,
    highlighted: bool,
    pen: &mut Pen,
    out: &mut String,
) {
    let display = match (given, room) {
        (markup::Display::Block, Display::Block) => Display::Block,
        _ => Display::Inline,
    };
    let mut html = Html::default();
    html.push("<span class=\"math-container");
    html.push(if display == Display::Block { " block" } else { "" });
    html.push(if highlighted { " hit\" title=\"" } else { "\" title=\"" });
    html.push_text(latex);
    html.push("\">");
    pen.draw(latex, Mode::Document, display, &[], &mut html);
    html.push("</span>");
    out.push_str(html.as_str());
}

#[cfg(test)]
mod tests;
