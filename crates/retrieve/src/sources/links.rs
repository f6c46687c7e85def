//! Answers to the questions that a topic is linked to, those with most votes first.
//!
//! The labs' organisers knew such links, which those who took part did not.

use super::{best_listed, listed_scores};
use crate::engine::{Engine, Work};
use crate::error::Error;
use crate::hits::{Clue, ClueKind, Hit};
use crate::pipeline::need::Need;
use crate::pipeline::stage::{Filter, OpenPostSource, PostSource};
use crate::query::Query;
use crate::sources::terms::answers;
use crate::system::{Linked, Links};
use index::postings::{Block, List};
use index::{Document, Field, Source, word_key};
use post::{FormulaTexts, PostView};
use std::collections::BTreeMap;
use std::sync::Arc;
use store::{LinkKind, PostNo};
use text::Tokenizer;

/// So many questions are read to find the one that has a topic's title.
const READ: usize = 10_000;

/// Finds answers to linked questions.
#[derive(Clone, Debug)]
pub(crate) struct LinkedAnswers {
    links: Links,
}

/// Answers to the questions that a query is linked to.
struct OpenLinks<'q> {
    engine: &'q Engine,
    votes: Arc<BTreeMap<Document, f64>>,
    /// The ids of the questions that they answer.
    questions: BTreeMap<Document, String>,
}

impl LinkedAnswers {
    pub(crate) fn new(links: &Links) -> Self {
        Self { links: links.clone() }
    }
}

impl PostSource for LinkedAnswers {
    fn name(&self) -> &'static str {
        "links"
    }

    fn needs(&self) -> Vec<Need> {
        Vec::new()
    }

    fn open<'q>(
        &'q self,
        engine: &'q Engine,
        query: &'q Query,
        work: &mut Work,
    ) -> Result<Box<dyn OpenPostSource + 'q>, Error> {
        let questions = engine.linked_answers(&self.links, query, work)?;
        let votes = |document: &Document| {
            let (source, post) = engine.index.post(*document);
            (*document, f64::from(source.collection.post_facts(post).score.unwrap_or(0)))
        };
        Ok(Box::new(OpenLinks { engine, votes: Arc::new(questions.keys().map(votes).collect()), questions }))
    }
}

impl OpenPostSource for OpenLinks<'_> {
    fn top(&mut self, depth: usize, accept: &Filter<'_>, _: &mut Work) -> Result<Vec<Hit>, Error> {
        Ok(best_listed(self.engine, &self.votes, depth, accept))
    }

    fn score(&mut self, documents: &[Document], _: &mut Work) -> Result<Vec<f64>, Error> {
        Ok(listed_scores(&self.votes, documents))
    }

    /// Which link led to a post; its votes are its score.
    fn explain(&mut self, document: Document, _: &mut Work) -> Result<Vec<Clue>, Error> {
        let clue = |(question, score): (&String, &f64)| Clue {
            group: "links".to_owned(),
            place: "question",
            term: question.clone(),
            kind: ClueKind::Remark,
            frequency: 1.0,
            score: *score,
        };
        let found = self.questions.get(&document).zip(self.votes.get(&document));
        Ok(found.map(clue).into_iter().collect())
    }

    fn listed(&self) -> Option<&Arc<BTreeMap<Document, f64>>> {
        Some(&self.votes)
    }
}

impl Engine {
    /// The answers to linked questions, each with the id of its question.
    fn linked_answers(
        &self,
        links: &Links,
        query: &Query,
        work: &mut Work,
    ) -> Result<BTreeMap<Document, String>, Error> {
        let linked =
            if query.linked.is_empty() { self.own_links(links, query, work)? } else { query.linked.clone() };
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
    fn own_links(&self, links: &Links, query: &Query, work: &mut Work) -> Result<Vec<String>, Error> {
        let named = query.post.as_ref().and_then(|id| self.index.find(id));
        let Some(document) =
            named.map_or_else(|| self.find_title(query, work), |document| Ok(Some(document)))?
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
    fn find_title(&self, query: &Query, work: &mut Work) -> Result<Option<Document>, Error> {
        let mut keys = Vec::new();
        Tokenizer::default().tokenize(&query.title.text, |word| keys.push(word_key(word.term)));
        let mut block = Block::default();
        for (number, segment) in self.index.segments().iter().enumerate() {
            let Some(titles) = segment.posts.postings(Field::Words(index::Part::Title)) else { continue };
            let lists: Option<Vec<List<'_>>> = keys.iter().map(|key| titles.find(*key)).collect();
            let rarest = lists.and_then(|lists| lists.into_iter().min_by_key(List::len));
            let Some(list) = rarest.filter(|list| list.len() as usize <= READ) else { continue };
            for place in 0..list.num_blocks() {
                list.unpack(place, &mut block);
                for (doc, _) in block.postings().filter(|(doc, _)| segment.is_live(*doc)) {
                    if work.is_over() {
                        return Ok(None);
                    }
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
    let Some(title) = PostView::read(&mut reader, post)?.title else { return Ok(false) };
    if title.text.trim() != query.title.text.trim() {
        return Ok(false);
    }
    let mut texts = FormulaTexts::default();
    for (form, latex) in title.forms(collection).zip(&query.title.formulas) {
        if texts.latex(&mut reader, form)?.trim() != latex.trim() {
            return Ok(false);
        }
    }
    Ok(true)
}
