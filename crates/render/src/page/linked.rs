//! The end of a page: the questions that a thread is linked with.

use super::words::label;
use super::{Draw, Sheet};
use crate::escape;
use crate::weave::Place;
use std::collections::BTreeSet;
use store::{Error, Link, LinkKind, PostNo};

/// A post of another thread.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Other {
    /// Its id as a number, if it is one.
    rank: u64,
    id: String,
    thread: Option<PostNo>,
}

impl Sheet<'_, '_, '_> {
    /// The questions that posts of this thread are linked with, each once.
    pub(super) fn linked(&mut self, answers: &[PostNo], out: &mut String) -> Result<(), Error> {
        let collection = self.collection;
        let mut groups: [BTreeSet<Other>; 3] = Default::default();
        for post in std::iter::once(self.thread).chain(answers.iter().copied()) {
            let own = collection.post_id(post).to_string();
            for number in collection.links_of(post) {
                let Link { from, to, kind, .. } = self.reader.link(number)?;
                let outgoing = from == own;
                let id = if outgoing { to } else { from };
                let thread = collection.find_post(&id).map(|post| collection.thread_of(post));
                if thread == Some(self.thread) {
                    continue;
                }
                let group = match (kind, outgoing) {
                    (LinkKind::Duplicate, true) => 0,
                    (LinkKind::Duplicate, false) => 1,
                    (LinkKind::Related, _) => 2,
                };
                let rank = id.parse().unwrap_or(u64::MAX);
                groups[group].insert(Other { rank, id, thread });
            }
        }
        let headings =
            [("duplicate-of", "Duplicate of"), ("duplicates", "Duplicates of this"), ("related", "Related")];
        for ((anchor, heading), others) in headings.into_iter().zip(groups) {
            if others.is_empty() {
                continue;
            }
            out.push_str(&format!("<section class=\"linked\" id=\"{anchor}\">\n<h2>{heading}</h2>\n<ul>\n"));
            let mut seen = BTreeSet::new();
            let mut absent = Vec::new();
            for other in others {
                match other.thread {
                    Some(thread) if seen.insert(thread) => self.other(thread, out)?,
                    Some(_) => {}
                    None => absent.push(escape::text(&other.id)),
                }
            }
            if !absent.is_empty() {
                let absent = absent.join(", ");
                out.push_str(&format!("<li class=\"absent\">Not in the collection: {absent}</li>\n"));
            }
            out.push_str("</ul>\n</section>\n");
        }
        Ok(())
    }

    fn other(&mut self, thread: PostNo, out: &mut String) -> Result<(), Error> {
        let post = self.reader.post(thread)?;
        let mut title = String::new();
        let formulas = self.collection.formulas_of_post(thread);
        match &post.title {
            Some(html) => {
                self.text(html, formulas, Place::InLink, Draw::Elsewhere, &mut title)?;
            }
            None => title = label(post.facts.kind, post.id),
        }
        let title = title.trim();
        let id = escape::text(&post.id.to_string());
        match self.page.links.address(self.collection, thread) {
            Some(address) => {
                let address = escape::text(&address);
                out.push_str(&format!("<li><a href=\"{address}\">{title}</a> <small>{id}</small></li>\n"));
            }
            None => out.push_str(&format!("<li>{title} <small>{id}</small></li>\n")),
        }
        Ok(())
    }
}
