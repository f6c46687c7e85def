//! Posts as they are read: plain text, tags, author and formulas.

use crate::engine::Engine;
use crate::error::Error;
use crate::people::alike::Comparer;
use index::Document;
use std::collections::HashMap;
use std::rc::Rc;
use store::{FormulaNo, Reader};
use text::FORMULA;

/// So many posts are kept at hand.
const AT_HAND: usize = 256;

/// A post, read.
#[derive(Debug, Default)]
pub(super) struct PostText {
    /// Plain text with [`FORMULA`] for each formula; empty if it has none.
    pub(super) title: String,
    pub(super) body: String,
    pub(super) tags: Vec<String>,
    pub(super) owner: Option<String>,
    /// The LaTeX of its formulas, those of the title first.
    pub(super) formulas: Vec<String>,
    /// How many of them stand in the title.
    pub(super) in_title: usize,
}

/// Reads posts; those read last are at hand.
pub(super) struct Desk<'e> {
    pub(super) engine: &'e Engine,
    readers: Vec<(u16, Reader<'e>)>,
    at_hand: HashMap<Document, Rc<PostText>>,
    pub(super) comparer: Comparer,
}

impl<'e> Desk<'e> {
    pub(super) fn new(engine: &'e Engine) -> Self {
        let readers = engine.index().sources().iter();
        let readers = readers.map(|source| (source.number, source.collection.reader())).collect();
        Self { engine, readers, at_hand: HashMap::new(), comparer: Comparer::default() }
    }

    /// The question that a document answers.
    pub(super) fn question(&self, document: Document) -> Option<Document> {
        let posts = &self.engine.index().segments()[document.segment].posts;
        posts.parent(document.doc).map(|doc| Document { doc, ..document })
    }

    /// Reads a post.
    pub(super) fn read(&mut self, document: Document) -> Result<Rc<PostText>, Error> {
        if let Some(post) = self.at_hand.get(&document) {
            return Ok(Rc::clone(post));
        }
        let (source, number) = self.engine.index().post(document);
        let reader = self.readers.iter_mut().find(|(known, _)| *known == source.number);
        let reader = &mut reader.expect("there is a reader for each collection").1;
        let post = reader.post(number)?;
        let plain = |html: &str| markup::text(html, |_, out| out.push(FORMULA));
        let title = post.title.as_deref().unwrap_or_default();
        let mut formulas = Vec::new();
        for formula in source.collection.formulas_of_post(number) {
            let form = source.collection.formula_form(FormulaNo(formula));
            let mut latex = reader.latex(form)?.to_owned();
            if latex.trim().is_empty() {
                // It was given as MathML only; the index knows it as LaTeX.
                let doc = source.formulas.document(source.collection.form_visual(form));
                latex = doc.map_or(latex, |doc| source.formulas.latex(doc).to_owned());
            }
            formulas.push(latex);
        }
        let text = Rc::new(PostText {
            title: plain(title),
            body: plain(&post.body),
            tags: post.tags,
            owner: post.owner,
            formulas,
            in_title: markup::markers(title),
        });
        if self.at_hand.len() >= AT_HAND {
            self.at_hand.clear();
        }
        self.at_hand.insert(document, Rc::clone(&text));
        Ok(text)
    }

    /// The name of a user of the collection that a document is in.
    pub(super) fn user(&mut self, document: Document, id: &str) -> Result<Option<String>, Error> {
        let number = self.engine.index().post(document).0.number;
        let reader = self.readers.iter_mut().find(|(known, _)| *known == number);
        Ok(reader.expect("there is a reader for each collection").1.user(id)?)
    }
}
