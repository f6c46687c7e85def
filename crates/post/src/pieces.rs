//! Posts cut into text and formulas.

use crate::formulas::FormulaTexts;
use crate::quote;
use crate::view::{PostView, plain};
use formats::Html;
use markup::{Cleaned, Cleaner, Display, Dollars, Markup};
use store::{PostNo, Reader};

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

    /// From a text that `markup` has cleaned.
    #[must_use]
    pub fn of_cleaned(cleaned: &Cleaned) -> Self {
        let mut texts = FormulaTexts::default();
        let formulas = cleaned.formulas.iter().map(|found| Formula {
            latex: texts.found(found).into_owned(),
            display: found.display == Display::Block,
        });
        Self::new(&plain(&cleaned.html), formulas.collect())
    }

    /// The formulas, in their order.
    #[must_use]
    pub fn formulas(&self) -> &[Formula] {
        &self.formulas
    }

    /// The LaTeX of the formulas, in their order.
    pub fn latex(&self) -> impl Iterator<Item = &str> {
        self.formulas.iter().map(|formula| formula.latex.as_str())
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
}

/// The body of a post.
///
/// # Errors
///
/// When the collection is damaged.
pub fn body(reader: &mut Reader<'_>, number: PostNo) -> Result<Pieces, store::Error> {
    PostView::read(reader, number)?.body.pieces(reader, &mut FormulaTexts::default())
}

/// A title or question of a topic as one line of plain text.
#[must_use]
pub fn plain_html(html: &Html) -> String {
    let cleaned = Cleaner::new().clean(html.as_str(), Markup::Html, Dollars::Math);
    Pieces::of_cleaned(&cleaned).plain()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_stand_between_dollars() {
        let html = Html::new("<p>Is $x^2$\nless than 5\\$ &amp; <b>why</b>?</p>");
        assert_eq!(plain_html(&html), "Is $x^2$ less than 5\\$ & why?");
        let mathml = Html::new("Is <math><msup><mi>x</mi><mn>2</mn></msup></math> even?");
        assert_eq!(plain_html(&mathml), "Is $x^{{2}}$ even?");
        let formula = |latex: &str| Formula { latex: latex.to_owned(), display: false };
        let pieces = Pieces::new("Take \u{FDD0}, then \u{FDD0}", vec![formula("x"), formula(" ")]);
        assert_eq!(pieces.plain(), "Take $x$, then");
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
