//! Forms as MathML, by our own reader and writers.

use crate::error::Error;
use crate::texts::Texts;
use formula::mathml::{Display, Label, MathmlOptions, Styles, write_mathml_into};
use formula::opt::Opt;
use formula::opt::content::write_content_mathml;
use formula::opt::labs::LabsOpt;
use formula::opt::meaning::SltToOpt;
use formula::slt::{LatexToSlt, Slt};
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
    latex: latex::Reader,
    to_slt: LatexToSlt,
    slt: Slt,
    to_labs: LabsOpt,
    to_meaning: SltToOpt,
    opt: Opt,
}

impl<'c> Converter<'c> {
    pub(crate) fn new(collection: &'c Collection) -> Self {
        Self {
            texts: Texts::new(collection),
            latex: latex::Reader::default(),
            to_slt: LatexToSlt::default(),
            slt: Slt::default(),
            to_labs: LabsOpt::default(),
            to_meaning: SltToOpt::default(),
            opt: Opt::default(),
        }
    }

    /// A form as one line; empty when it cannot be.
    pub(crate) fn cell(&mut self, form: FormNo, cell: Cell) -> Result<String, Error> {
        match cell {
            Cell::GivenPresentation => return Ok(in_one_line(self.texts.reader.presentation(form)?)),
            Cell::GivenContent => return Ok(in_one_line(self.texts.reader.content(form)?)),
            Cell::Presentation | Cell::Content(_) => {}
        }
        let latex = self.texts.latex(form)?;
        let parse = self.latex.read(latex.as_bytes(), Mode::Document);
        // Nothing was typed, or nothing but blanks and comments.
        if parse.tree.root().is_none_or(|_| latex.trim().is_empty()) {
            return Ok(String::new());
        }
        let says = match cell {
            Cell::Content(says) => says,
            _ => {
                let mut mathml = String::with_capacity(256 + latex.len() * 16);
                write_mathml_into(&parse.tree, &latex, OPTIONS, &mut mathml);
                mathml.insert_str("<math".len(), NAMESPACE);
                return Ok(in_one_line(&mathml));
            }
        };
        self.to_slt.read(&parse.tree, &mut self.slt);
        match says {
            OptAs::Labs => self.to_labs.read_typed(&self.slt, &latex, &mut self.opt),
            OptAs::Meaning => self.to_meaning.read(&self.slt, &mut self.opt),
        }
        if self.opt.root().is_none() {
            return Ok(String::new());
        }
        Ok(in_one_line(&write_content_mathml(&self.opt)))
    }
}

/// Breaks of lines become blanks, as in the labs' tables.
fn in_one_line(mathml: &str) -> String {
    mathml.trim().replace(['\n', '\r'], " ")
}
