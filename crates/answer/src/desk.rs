//! Posts as they are read: title, text, sentences and formulas; those read last are at hand.

use crate::error::Error;
use crate::words::{Counts, Reader as Words};
use formula::matching::{Prepared, Preparer, Weights};
use index::{Document, Extractor};
use latex::Mode;
use post::{FormulaTexts, Pieces, PostView, Unit};
use retrieve::{Deadline, Engine};
use std::collections::HashMap;
use std::rc::Rc;
use store::Reader;

/// So many posts are kept at hand.
const AT_HAND: usize = 512;
/// So many formulas of a post are compared, the largest.
const MOST_FORMULAS: usize = 24;
/// Longer formulas (bytes) are not compared.
const LONGEST_FORMULA: usize = 2_000;

/// A post, read.
pub(crate) struct Post {
    pub(crate) id: String,
    /// Its title in plain text with [`post::MARK`] for each formula; empty if it has none.
    pub(crate) title: String,
    /// Its title as people read it, with formulas between dollars.
    pub(crate) shown_title: String,
    pub(crate) tags: Vec<String>,
    pub(crate) body: Pieces,
    pub(crate) units: Vec<Unit>,
    /// The words of its text.
    pub(crate) words: Counts,
    /// The formulas of title and text that are compared.
    pub(crate) formulas: Vec<Rc<Formula>>,
    /// Votes for it less votes against it.
    pub(crate) votes: Option<i32>,
    /// Whether whoever asked accepted it.
    pub(crate) accepted: bool,
}

impl Post {
    /// Its text, if it is quoted as it is.
    pub(crate) fn characters(&self) -> usize {
        post::Quote::of(&self.units).characters()
    }
}

/// A formula, ready to be compared.
pub(crate) struct Formula {
    pub(crate) prepared: Prepared,
    /// How many symbols it has.
    pub(crate) size: usize,
}

impl Formula {
    /// Its weight among others: the larger, the more it says.
    pub(crate) fn weight(&self) -> f64 {
        libm::log(1.0 + self.size as f64)
    }
}

/// Reads posts.
pub(crate) struct Desk<'e> {
    pub(crate) engine: &'e Engine,
    deadline: Deadline,
    readers: Vec<(u16, Reader<'e>)>,
    texts: FormulaTexts,
    at_hand: HashMap<Document, Rc<Post>>,
    extractor: Extractor,
    preparer: Preparer,
    pub(crate) words: Words,
}

impl<'e> Desk<'e> {
    pub(crate) fn new(engine: &'e Engine, deadline: &Deadline) -> Self {
        let readers = engine.index().sources().iter();
        Self {
            engine,
            deadline: deadline.clone(),
            readers: readers.map(|source| (source.number, source.collection.reader())).collect(),
            texts: FormulaTexts::default(),
            at_hand: HashMap::new(),
            extractor: Extractor::default(),
            preparer: Preparer::new(Weights::default()),
            words: Words::default(),
        }
    }

    /// Whether time is up.
    pub(crate) fn is_over(&self) -> bool {
        self.deadline.is_over()
    }

    /// The question that a document answers.
    pub(crate) fn question(&self, document: Document) -> Option<Document> {
        let posts = &self.engine.index().segments()[document.segment].posts;
        posts.parent(document.doc).map(|doc| Document { doc, ..document })
    }

    /// The answers to a question that can be found, in the order of the collection.
    pub(crate) fn answers(&self, question: Document) -> Vec<Document> {
        let index = self.engine.index();
        let (source, number) = index.post(question);
        let place = index.sources().iter().position(|one| one.number == source.number);
        let answers = source.collection.answers(number);
        place.map_or_else(Vec::new, |place| answers.filter_map(|post| index.document(place, post)).collect())
    }

    /// Reads a post.
    pub(crate) fn read(&mut self, document: Document) -> Result<Rc<Post>, Error> {
        if let Some(post) = self.at_hand.get(&document) {
            return Ok(Rc::clone(post));
        }
        if self.deadline.is_cancelled() {
            return Err(retrieve::Error::Stopped.into());
        }
        let (source, number) = self.engine.index().post(document);
        let collection = &source.collection;
        let reader = self.readers.iter_mut().find(|(known, _)| *known == source.number);
        let reader = &mut reader.expect("there is a reader for each collection").1;
        let PostView { post, title, body } = PostView::read(reader, number)?;
        let body = body.pieces(reader, &mut self.texts)?;
        let in_title =
            title.map(|title| title.pieces(reader, &mut self.texts)).transpose()?.unwrap_or_default();
        let latex = in_title.latex().chain(body.latex());
        let formulas = self.formulas(latex, MOST_FORMULAS, Mode::Document);
        let parent = post.facts.parent;
        let read = Rc::new(Post {
            id: post.id.to_string(),
            shown_title: in_title.plain(),
            words: self.words.count(body.text()),
            units: post::units(&body),
            formulas,
            votes: post.facts.score,
            accepted: parent.is_some_and(|parent| collection.post_facts(parent).accepted == Some(number)),
            title: in_title.text().to_owned(),
            tags: post.tags,
            body,
        });
        if self.at_hand.len() >= AT_HAND {
            self.at_hand.clear();
        }
        self.at_hand.insert(document, Rc::clone(&read));
        Ok(read)
    }

    /// The largest of some formulas, each once, ready to be compared.
    pub(crate) fn formulas<'l>(
        &mut self,
        latex: impl Iterator<Item = &'l str>,
        most: usize,
        mode: Mode,
    ) -> Vec<Rc<Formula>> {
        let mut sized: Vec<(usize, &str)> = Vec::new();
        for latex in latex.filter(|latex| latex.len() <= LONGEST_FORMULA) {
            if !sized.iter().any(|(_, known)| *known == latex) {
                self.extractor.read(latex, mode);
                sized.push((self.extractor.size(), latex));
            }
        }
        // A stable sort: of the same size, the first stay first.
        sized.sort_by_key(|(size, _)| std::cmp::Reverse(*size));
        sized.truncate(most);
        let prepare = |(size, latex): (usize, &str)| {
            self.extractor.read(latex, mode);
            Rc::new(Formula { prepared: self.preparer.from_slt(self.extractor.slt()), size })
        };
        sized.into_iter().map(prepare).collect()
    }
}
