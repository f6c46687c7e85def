//! The LaTeX of stored formulas.

use formula::FormulaParser;
use store::{Error, FormNo, Reader};

/// Reads the LaTeX of stored formulas; keeps its memory.
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
}

/// The LaTeX of one form, as [`FormulaTexts::latex`] gives it.
///
/// # Errors
///
/// When the collection is damaged.
pub fn latex_of(reader: &mut Reader<'_>, form: FormNo) -> Result<String, Error> {
    FormulaTexts::default().latex(reader, form)
}
