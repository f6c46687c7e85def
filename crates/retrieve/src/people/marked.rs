//! Text in which words and formulas are marked.

use crate::pipeline::find::Rest;
use std::ops::Range;

/// A text with what was found in it. Formulas stand in it as LaTeX between dollars.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marked {
    /// The text, in one line.
    pub text: String,
    /// Where words stand that were looked for, in order, outside of formulas.
    pub words: Vec<Range<usize>>,
    /// The formulas, in order.
    pub formulas: Vec<MarkedFormula>,
    /// Whether something was left out before the text.
    pub before: Rest,
    /// Whether something was left out after it.
    pub after: Rest,
}

/// A formula in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarkedFormula {
    /// Where it stands, with its dollars.
    pub span: Range<usize>,
    /// The formula of the query that it is like, by its place in [`Typed::formulas`](crate::typed::Typed).
    pub like: Option<usize>,
}

impl Marked {
    /// The LaTeX of a formula.
    #[must_use]
    pub fn latex(&self, formula: &MarkedFormula) -> &str {
        self.text.get(formula.span.start + 1..formula.span.end.saturating_sub(1)).unwrap_or_default()
    }
}
