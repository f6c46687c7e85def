//! Answers to the questions that a topic is linked to, those with most votes first.
//!
//! The labs' organisers knew such links, which those who took part did not.

use super::Filter;
use super::vectors::answers;
use crate::engine::Engine;
use crate::error::Error;
use crate::hits::{Clue, Hit, Why};
use crate::query::Query;
use crate::system::{Linked, Links, Returns};
use collection::{DocId, order};
use index::postings::{Block, List};
use index::{Document, Field, Source, word_key};
use std::collections::BTreeMap;
use store::{FormulaNo, LinkKind, PostNo};
use text::{Cutter, FORMULA};

/// So many questions are read to find the one that has a topic's title.
const READ: usize = 10_000;

impl Engine {
    /// Answers to the questions that a query is linked to.
    pub(super) fn linked_posts(
        &self,
        links: &Links,
        returns: Returns,
        query: &Query,
        depth: usize,
        filter: &Filter<'_>,
    ) -> Result<Vec<Hit>, Error> {
        let returned = self.returned(returns);
        let hit = |document: Document| {
            let (source, post) = self.index.post(document);
            let votes = source.collection.post_facts(post).score.unwrap_or(0);
            Hit { document, id: source.collection.post_id(post).to_string(), score: f64::from(votes) }
        };
        let answers = self.linked_answers(links, query)?.into_keys();
        let mut hits: Vec<Hit> =
            answers.filter(|document| returned.has(*document) && filter(*document)).map(hit).collect();
        hits.sort_by(|left, right| {
            order::compare((left.score, DocId(&left.id)), (right.score, DocId(&right.id)))
        });
        hits.truncate(depth);
        Ok(hits)
    }

    /// Which link led to a post; its votes are what it is worth.
    pub(super) fn explain_link(
        &self,
        links: &Links,
        query: &Query,
        document: Document,
    ) -> Result<Why, Error> {
        let Some(question) = self.linked_answers(links, query)?.remove(&document) else {
            return Ok(Why { clues: Vec::new(), score: 0.0 });
        };
        let (source, post) = self.index.post(document);
        let worth = f64::from(source.collection.post_facts(post).score.unwrap_or(0));
        let clue =
            Clue { group: "links".to_owned(), place: "question", term: question, frequency: 1.0, worth };
        Ok(Why { clues: vec![clue], score: worth })
    }

    /// The answers to linked questions, each with the id of its question.
    fn linked_answers(&self, links: &Links, query: &Query) -> Result<BTreeMap<Document, String>, Error> {
        let linked =
            if query.linked.is_empty() { self.own_links(links, query)? } else { query.linked.clone() };
        let mut found = BTreeMap::new();
        for id in linked {
            let Some(Document { segment, doc }) = self.index.find(&id) else { continue };
            let posts = &self.index.segments()[segment].posts;
            let question = posts.parent(doc).unwrap_or(doc);
            for doc in answers(posts, question) {
                found.entry(Document { segment, doc }).or_insert_with(|| id.clone());
            }
        }
        Ok(found)
    }

    /// What the post is linked to that a topic was taken from.
    fn own_links(&self, links: &Links, query: &Query) -> Result<Vec<String>, Error> {
        let named = query.post.as_ref().and_then(|id| self.index.find(id));
        let Some(document) = named.map_or_else(|| self.find_title(query), |document| Ok(Some(document)))?
        else {
            return Ok(Vec::new());
        };
        let (source, post) = self.index.post(document);
        let id = source.collection.post_id(post).to_string();
        let mut reader = source.collection.reader();
        let mut linked = Vec::new();
        for link in source.collection.links_of(post) {
            let link = reader.link(link)?;
            let kind = match link.kind {
                LinkKind::Duplicate => Linked::Duplicate,
                LinkKind::Related => Linked::Related,
            };
            let other = if link.from == id { link.to } else { link.from };
            if links.kinds.contains(&kind) && other != id {
                linked.push(other);
            }
        }
        Ok(linked)
    }

    /// The question that has exactly the title of a query.
    fn find_title(&self, query: &Query) -> Result<Option<Document>, Error> {
        let mut keys = Vec::new();
        Cutter::default().cut(&query.title.text, |word| keys.push(word_key(word.term)));
        let mut block = Block::default();
        for (number, segment) in self.index.segments().iter().enumerate() {
            let Some(titles) = segment.posts.postings(Field::Words(index::Part::Title)) else { continue };
            let lists: Option<Vec<List<'_>>> = keys.iter().map(|key| titles.find(*key)).collect();
            let rarest = lists.and_then(|lists| lists.into_iter().min_by_key(List::len));
            let Some(list) = rarest.filter(|list| list.len() as usize <= READ) else { continue };
            for place in 0..list.num_blocks() {
                list.unpack(place, &mut block);
                for (doc, _) in block.postings().filter(|(doc, _)| segment.is_live(*doc)) {
                    let document = Document { segment: number, doc };
                    let (source, post) = self.index.post(document);
                    if has_title(source, post, query)? {
                        return Ok(Some(document));
                    }
                }
            }
        }
        Ok(None)
    }
}

/// Whether a post has the title of a query: the same words and formulas.
fn has_title(source: &Source, post: PostNo, query: &Query) -> Result<bool, Error> {
    let collection = &source.collection;
    let mut reader = collection.reader();
    let Some(title) = reader.post(post)?.title else { return Ok(false) };
    let text = markup::text(&title, |_, out| out.push(FORMULA));
    if text.trim() != query.title.text.trim() {
        return Ok(false);
    }
    let formulas = collection.formulas_of_post(post).take(markup::markers(&title));
    for (formula, latex) in formulas.zip(&query.title.formulas) {
        if reader.latex(collection.formula_form(FormulaNo(formula)))?.trim() != latex.trim() {
            return Ok(false);
        }
    }
    Ok(true)
}
