//! The LaTeX of formulas, made from their MathML where none was given: of stored ones, of those that `markup` finds
//! in a text, and of those that a topic gives.

use formula::FormulaParser;
use std::borrow::Cow;
use store::{Error, FormNo, Reader};

/// Reads the LaTeX of formulas; keeps its memory.
#[derive(Debug, Default)]
pub struct FormulaTexts {
    parser: FormulaParser,
}

impl FormulaTexts {
    /// The LaTeX of a form, made from the Presentation MathML that came with it where there is none; empty where
    /// neither can be read.
    ///
    /// # Errors
    ///
    /// When the collection is damaged.
    pub fn latex(&mut self, reader: &mut Reader<'_>, form: FormNo) -> Result<String, Error> {
        let latex = reader.latex(form)?.to_owned();
        if !latex.trim().is_empty() {
            return Ok(latex);
        }
        Ok(self.parser.latex(&latex, reader.presentation(form)?).into_owned())
    }

    /// The LaTeX of a formula that was found in a text; empty where neither it nor its MathML can be read.
    pub fn found<'f>(&mut self, found: &'f markup::Found) -> Cow<'f, str> {
        self.parser.latex(&found.latex, found.mathml.as_deref().unwrap_or_default())
    }

    /// The LaTeX of a formula of a topic, with entities of HTML resolved; made from its MathML or its symbol layout
    /// tree where there is none. `None` where nothing of it can be read.
    pub fn given<'f>(&mut self, formula: &'f formats::Formula) -> Option<Cow<'f, str>> {
        if let Some(latex) = formula.plain_latex().filter(|latex| !latex.trim().is_empty()) {
            return Some(latex);
        }
        let mathml = [&formula.presentation_mathml, &formula.mathml].into_iter().flatten();
        let made = mathml.into_iter().find_map(|mathml| self.parser.latex_of_mathml(mathml));
        let made = made.or_else(|| formula.slt.as_ref().and_then(|slt| self.parser.latex_of_slt(slt)));
        made.map(Cow::Owned)
    }
}

/// The LaTeX of one form, as [`FormulaTexts::latex`] gives it.
///
/// # Errors
///
/// When the collection is damaged.
pub fn latex_of(reader: &mut Reader<'_>, form: FormNo) -> Result<String, Error> {
    FormulaTexts::default().latex(reader, form)
}

#[cfg(test)]
mod tests {
    use super::*;
    use formats::{Formula, Role};
    use markup::{Cleaner, Dollars, Markup};

    #[test]
    fn what_is_given_as_a_tree_alone_has_latex() {
        let mut texts = FormulaTexts::default();
        let html = "$y$ and <math><msup><mi>x</mi><mn>2</mn></msup></math>";
        let cleaned = Cleaner::new().clean(html, Markup::Html, Dollars::Math);
        let found: Vec<_> = cleaned.formulas.iter().map(|found| texts.found(found)).collect();
        assert_eq!(found, ["y", "x^{{2}}"]);

        let mut formula = Formula::new(Role::Query);
        assert_eq!(texts.given(&formula), None);
        formula.slt = Some("[V!z]".to_owned());
        assert_eq!(texts.given(&formula).as_deref(), Some("z"));
        formula.mathml = Some("<math><mi>y</mi></math>".to_owned());
        assert_eq!(texts.given(&formula).as_deref(), Some("y"));
        formula.presentation_mathml = Some("<math".to_owned());
        assert_eq!(texts.given(&formula).as_deref(), Some("y"), "what cannot be read is passed over");
        formula.latex = Some("a&lt;b".to_owned());
        assert_eq!(texts.given(&formula).as_deref(), Some("a<b"));
    }
}
