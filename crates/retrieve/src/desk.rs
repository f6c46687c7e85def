//! Posts as they are read: plain text, tags, author and formulas.

use crate::alike::Comparer;
use crate::engine::Engine;
use crate::error::Error;
use index::Document;
use post::{FormulaTexts, PostView};
use std::collections::HashMap;
use std::rc::Rc;
use store::{FormNo, FormulaNo, Reader};

/// So many posts are kept at hand.
const AT_HAND: usize = 256;
/// And so many labels.
const LABELS_AT_HAND: usize = 20_000;

/// The words of a post.
#[derive(Debug, Default)]
pub(crate) struct Words {
    /// Plain text with [`post::MARK`] for each formula; empty if it has none.
    pub(crate) title: String,
    pub(crate) body: String,
}

/// A post, read.
#[derive(Debug, Default)]
pub(crate) struct PostText {
    /// Plain text with [`post::MARK`] for each formula; empty if it has none.
    pub(crate) title: String,
    pub(crate) body: String,
    pub(crate) tags: Vec<String>,
    pub(crate) owner: Option<String>,
    /// The LaTeX of its formulas, those of the title first.
    pub(crate) formulas: Vec<String>,
    /// How many of them stand in the title.
    pub(crate) in_title: usize,
}

/// What is known of a post beside its text.
#[derive(Debug)]
pub(crate) struct Label {
    pub(crate) tags: Vec<String>,
    pub(crate) owner: Option<String>,
}

/// Reads posts; those read last are at hand.
pub(crate) struct Desk<'e> {
    pub(crate) engine: &'e Engine,
    readers: Vec<(u16, Reader<'e>)>,
    texts: FormulaTexts,
    at_hand: HashMap<Document, Rc<PostText>>,
    labels: HashMap<Document, Rc<Label>>,
    pub(crate) comparer: Comparer,
}

impl Engine {
    /// The question that a document answers.
    pub(crate) fn question_of(&self, document: Document) -> Option<Document> {
        let posts = &self.index.segments()[document.segment].posts;
        posts.parent(document.doc).map(|doc| Document { doc, ..document })
    }
}

impl<'e> Desk<'e> {
    pub(crate) fn new(engine: &'e Engine) -> Self {
        let readers = engine.index().sources().iter();
        let readers = readers.map(|source| (source.number, source.collection.reader())).collect();
        Self {
            engine,
            readers,
            texts: FormulaTexts::default(),
            at_hand: HashMap::new(),
            labels: HashMap::new(),
            comparer: Comparer::default(),
        }
    }

    /// The question that a document answers.
    pub(crate) fn question(&self, document: Document) -> Option<Document> {
        self.engine.question_of(document)
    }

    /// Reads a post.
    pub(crate) fn read(&mut self, document: Document) -> Result<Rc<PostText>, Error> {
        if let Some(post) = self.at_hand.get(&document) {
            return Ok(Rc::clone(post));
        }
        let (source, number) = self.engine.index().post(document);
        let reader = self.readers.iter_mut().find(|(known, _)| *known == source.number);
        let reader = &mut reader.expect("there is a reader for each collection").1;
        let view = PostView::read(reader, number)?;
        let mut formulas = Vec::new();
        for formula in source.collection.formulas_of_post(number) {
            let form = source.collection.formula_form(FormulaNo(formula));
            formulas.push(self.texts.latex(reader, form)?);
        }
        let in_title = view.formulas_in_title();
        let PostView { post, title, body } = view;
        let text = Rc::new(PostText {
            title: title.map(|title| title.text).unwrap_or_default(),
            body: body.text,
            tags: post.tags,
            owner: post.owner,
            formulas,
            in_title,
        });
        if self.at_hand.len() >= AT_HAND {
            self.at_hand.clear();
        }
        self.at_hand.insert(document, Rc::clone(&text));
        Ok(text)
    }

    /// The words of a post; its formulas, which stand elsewhere in the collection, are not read.
    pub(crate) fn words(&mut self, document: Document) -> Result<Words, Error> {
        let (source, number) = self.engine.index().post(document);
        let PostView { title, body, .. } = PostView::read(self.reader(source.number), number)?;
        Ok(Words { title: title.map(|title| title.text).unwrap_or_default(), body: body.text })
    }

    /// Tags and author of a post; nothing else of it is made ready.
    pub(crate) fn label(&mut self, document: Document) -> Result<Rc<Label>, Error> {
        if let Some(label) = self.labels.get(&document) {
            return Ok(Rc::clone(label));
        }
        let (source, number) = self.engine.index().post(document);
        let post = self.reader(source.number).post(number)?;
        let label = Rc::new(Label { tags: post.tags, owner: post.owner });
        if self.labels.len() >= LABELS_AT_HAND {
            self.labels.clear();
        }
        self.labels.insert(document, Rc::clone(&label));
        Ok(label)
    }

    /// The LaTeX of a form of the collection with this place.
    pub(crate) fn latex(&mut self, source: usize, form: FormNo) -> Result<String, Error> {
        let number = self.engine.index().sources()[source].number;
        let reader = self.readers.iter_mut().find(|(known, _)| *known == number);
        let reader = &mut reader.expect("there is a reader for each collection").1;
        Ok(self.texts.latex(reader, form)?)
    }

    /// For each formula of a post, in the order of [`PostText::formulas`], whether it looks like this.
    pub(crate) fn places_of(&self, document: Document, visual_id: u64) -> Vec<Option<usize>> {
        let (source, number) = self.engine.index().post(document);
        let collection = &source.collection;
        let place = |formula: u32| {
            let visual = collection.form_visual(collection.formula_form(FormulaNo(formula)));
            (collection.visual_id(visual) == visual_id).then_some(0)
        };
        collection.formulas_of_post(number).map(place).collect()
    }

    fn reader(&mut self, source: u16) -> &mut Reader<'e> {
        let reader = self.readers.iter_mut().find(|(known, _)| *known == source);
        &mut reader.expect("there is a reader for each collection").1
    }

    /// The name of a user of the collection that a document is in.
    pub(crate) fn user(&mut self, document: Document, id: &str) -> Result<Option<String>, Error> {
        let number = self.engine.index().post(document).0.number;
        Ok(self.reader(number).user(id)?)
    }
}
