//! A stored post as text: its title and body with a mark for each formula, and which formulas these are.

use crate::MARK;
use crate::formulas::FormulaTexts;
use crate::pieces::{Formula, Pieces};
use std::ops::Range;
use store::{Collection, Error, FormNo, FormulaMarks, FormulaNo, Post, PostNo, Reader};

/// A post with its title and body as text.
#[derive(Clone, Debug)]
pub struct PostView<'c> {
    /// What else is stored of it.
    pub post: Post<'c>,
    /// The title, if it has one.
    pub title: Option<Passage>,
    /// The body.
    pub body: Passage,
}

/// A text with [`MARK`] for each formula.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Passage {
    /// The text in lines, a block on each.
    pub text: String,
    /// The formulas that belong to it, in order. They are as many as there are marks unless the collection is odd:
    /// then marks at the end have no formula, or formulas at the end no mark.
    pub formulas: Range<u32>,
}

impl<'c> PostView<'c> {
    /// Reads a post.
    ///
    /// # Errors
    ///
    /// When the collection is damaged.
    pub fn read(reader: &mut Reader<'c>, number: PostNo) -> Result<Self, Error> {
        let post = reader.post(number)?;
        let formulas = reader.collection().formulas_of_post(number);
        let in_title = post.title.as_deref().map_or(0, markup::markers);
        let in_title = u32::try_from(in_title).unwrap_or(u32::MAX);
        let middle = formulas.start.saturating_add(in_title).min(formulas.end);
        let title = post.title.as_deref().map(|html| Passage::new(html, formulas.start..middle));
        let body = Passage::new(&post.body, middle..formulas.end);
        Ok(Self { post, title, body })
    }

    /// The text of the title; empty if there is none.
    #[must_use]
    pub fn title_text(&self) -> &str {
        self.title.as_ref().map_or("", |title| &title.text)
    }

    /// How many formulas of the post are in its title.
    #[must_use]
    pub fn formulas_in_title(&self) -> usize {
        self.title.as_ref().map_or(0, |title| title.formulas.len())
    }
}

impl Passage {
    /// Stored HTML whose formulas have these numbers.
    #[must_use]
    pub fn new(html: &str, formulas: Range<u32>) -> Self {
        Self { text: plain(html), formulas }
    }

    /// The forms of its formulas, in order.
    pub fn forms<'c>(&self, collection: &'c Collection) -> impl Iterator<Item = FormNo> + use<'c> {
        self.formulas.clone().map(|number| collection.formula_form(FormulaNo(number)))
    }

    /// The text with its formulas as LaTeX.
    ///
    /// # Errors
    ///
    /// When the collection is damaged.
    pub fn pieces(&self, reader: &mut Reader<'_>, texts: &mut FormulaTexts) -> Result<Pieces, Error> {
        let collection = reader.collection();
        let marks = self.text.matches(MARK).count();
        let mut formulas = Vec::new();
        for number in self.formulas.clone().take(marks).map(FormulaNo) {
            let latex = texts.latex(reader, collection.formula_form(number))?;
            let display = collection.formula_marks(number).has(FormulaMarks::BLOCK);
            formulas.push(Formula { latex, display });
        }
        Ok(Pieces::new(&self.text, formulas))
    }
}

/// Stored HTML as plain text in lines, with [`MARK`] for each formula.
#[must_use]
pub fn plain(html: &str) -> String {
    markup::text(html, |_, out| out.push(MARK))
}
