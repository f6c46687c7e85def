//! Forms as MathML, by our own reader and writers.

use crate::error::Error;
use crate::texts::Texts;
use formula::FormulaParser;
use formula::mathml::{Display, Label, MathmlOptions, Styles, write_mathml_into};
use formula::opt::content::write_content_mathml;
use latex::Mode;
use store::{Collection, FormNo};

const OPTIONS: MathmlOptions =
    MathmlOptions { display: Display::Inline, label: Label::None, styles: Styles::Inline };
const NAMESPACE: &str = " xmlns=\"http://www.w3.org/1998/Math/MathML\"";

/// What operator trees say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OptAs {
    /// What the labs' tools build: f(x) is f times x.
    #[default]
    Labs,
    /// What a mathematician reads: functions are applied.
    Meaning,
}

/// What a form is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cell {
    /// Presentation MathML of ours.
    Presentation,
    /// Content MathML of ours.
    Content(OptAs),
    /// The Presentation MathML that came with it.
    GivenPresentation,
    /// The Content MathML that came with it.
    GivenContent,
}

/// Writes forms; each core has its own.
#[derive(Debug)]
pub(crate) struct Converter<'c> {
    texts: Texts<'c>,
    parser: FormulaParser,
}

impl<'c> Converter<'c> {
    pub(crate) fn new(collection: &'c Collection) -> Self {
        Self { texts: Texts::new(collection), parser: FormulaParser::default() }
    }

    /// A form as one line; empty when it cannot be.
    pub(crate) fn cell(&mut self, form: FormNo, cell: Cell) -> Result<String, Error> {
        let says = match cell {
            Cell::GivenPresentation => return Ok(in_one_line(self.texts.reader.presentation(form)?)),
            Cell::GivenContent => return Ok(in_one_line(self.texts.reader.content(form)?)),
            Cell::Presentation => None,
            Cell::Content(says) => Some(says),
        };
        let latex = self.texts.latex(form)?;
        // Nothing was typed, or nothing but blanks.
        if latex.trim().is_empty() {
            return Ok(String::new());
        }
        let Some(says) = says else {
            let parse = self.parser.layout(&latex, Mode::Document);
            let mut mathml = String::with_capacity(256 + latex.len() * 16);
            write_mathml_into(&parse.tree, &latex, OPTIONS, &mut mathml);
            mathml.insert_str("<math".len(), NAMESPACE);
            return Ok(in_one_line(&mathml));
        };
        let mut parsed = self.parser.parse_latex(&latex, Mode::Document);
        let opt = match says {
            OptAs::Labs => parsed.opt_of_labs(),
            OptAs::Meaning => parsed.opt_by_meaning(),
        };
        Ok(in_one_line(&write_content_mathml(opt)))
    }
}

/// Breaks of lines become blanks, as in the labs' tables.
fn in_one_line(mathml: &str) -> String {
    mathml.trim().replace(['\n', '\r'], " ")
}
