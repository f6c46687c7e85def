//! Posts cut into text and formulas.

use crate::quote;
use collection::Html;
use eval::task3::{Piece, PostText};
use markup::{Cleaner, Display, Dollars, Markup};
use store::{Collection, FormulaMarks, FormulaNo, PostNo, Reader};

/// Stands for a formula while a text is cut into pieces; stored texts have no such character.
pub const MARK: char = markup::MARKER;

/// A formula of a post.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formula {
    /// Its LaTeX, without dollars.
    pub latex: String,
    /// Whether it stands on lines of its own.
    pub display: bool,
}

/// A post cut into text and formulas.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pieces {
    /// The text in lines, a block on each, with [`MARK`] for each formula.
    pub(crate) text: String,
    /// The formulas, in their order.
    pub(crate) formulas: Vec<Formula>,
}

impl Pieces {
    /// From a text in lines with [`MARK`] for each formula. Marks without a formula and formulas without a
    /// mark are left out.
    #[must_use]
    pub fn new(text: &str, mut formulas: Vec<Formula>) -> Self {
        let marks = text.matches(MARK).count();
        formulas.truncate(marks);
        let mut kept = 0;
        let text = text.chars().filter(|c| {
            kept += usize::from(*c == MARK);
            *c != MARK || kept <= formulas.len()
        });
        Self { text: text.collect(), formulas }
    }

    /// The formulas, in their order.
    #[must_use]
    pub fn formulas(&self) -> &[Formula] {
        &self.formulas
    }

    /// The text in lines, with [`MARK`] for each formula.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text with `$…$` around formulas, in one line.
    #[must_use]
    pub fn plain(&self) -> String {
        let mut out = String::new();
        for (at, text) in self.text.split(MARK).enumerate() {
            quote::push_text(&mut out, text);
            if let Some(formula) = self.formulas.get(at) {
                quote::push_formula(&mut out, &formula.latex, quote::Dollars::One);
            }
        }
        out.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// The text as answers are compared by their words.
    #[must_use]
    pub fn compared(&self) -> PostText {
        let mut pieces: Vec<Piece<'_>> = Vec::new();
        for (at, text) in self.text.split(MARK).enumerate() {
            pieces.push(Piece::Text(text));
            pieces.extend(self.formulas.get(at).map(|formula| Piece::Formula(&formula.latex)));
        }
        PostText::from_pieces(pieces)
    }
}

/// The body of a post.
///
/// # Errors
///
/// When the collection is damaged.
pub fn body(
    collection: &Collection,
    reader: &mut Reader<'_>,
    number: PostNo,
) -> Result<Pieces, store::Error> {
    let post = reader.post(number)?;
    let in_title = post.title.as_deref().map_or(0, markup::markers);
    let numbers = collection.formulas_of_post(number).skip(in_title).take(markup::markers(&post.body));
    let text = markup::text(&post.body, |_, out| out.push(MARK));
    let mut formulas = Vec::with_capacity(numbers.len());
    for number in numbers.map(FormulaNo) {
        let latex = reader.latex(collection.formula_form(number))?.to_owned();
        let display = collection.formula_marks(number).has(FormulaMarks::BLOCK);
        formulas.push(Formula { latex, display });
    }
    Ok(Pieces::new(&text, formulas))
}

/// A title or question of a topic as one line of plain text.
#[must_use]
pub fn plain_html(html: &Html) -> String {
    let cleaned = Cleaner::new().clean(html.as_str(), Markup::Html, Dollars::Math);
    let text = markup::text(&cleaned.html, |_, out| out.push(MARK));
    let formula =
        |found: markup::Found| Formula { display: found.display == Display::Block, latex: found.latex };
    Pieces::new(&text, cleaned.formulas.into_iter().map(formula).collect()).plain()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_stand_between_dollars() {
        let html = Html::new("<p>Is $x^2$\nless than 5\\$ &amp; <b>why</b>?</p>");
        assert_eq!(plain_html(&html), "Is $x^2$ less than 5\\$ & why?");
        let formula = |latex: &str| Formula { latex: latex.to_owned(), display: false };
        let pieces = Pieces::new("Take \u{FDD0}, then \u{FDD0}", vec![formula("x"), formula(" ")]);
        assert_eq!(pieces.plain(), "Take $x$, then");
        assert_eq!(pieces.compared().text, "Take [MATH] x [/MATH] , then [MATH]");
    }

    #[test]
    fn marks_and_formulas_that_have_no_partner_are_left_out() {
        let formula = |latex: &str| Formula { latex: latex.to_owned(), display: false };
        let pieces = Pieces::new("a \u{FDD0} b \u{FDD0} c", vec![formula("x")]);
        assert_eq!(pieces.plain(), "a $x$ b c");
        let pieces = Pieces::new("a", vec![formula("x")]);
        assert_eq!((pieces.plain().as_str(), pieces.formulas().len()), ("a", 0));
    }
}
