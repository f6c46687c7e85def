//! A formula of a question, looked at once.

use crate::complexity::{Measure, measure};
use crate::elements::{Elements, elements};
use formula::FormulaParser;
use latex::Mode;

/// What is known of a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Look {
    pub(crate) measure: Measure,
    pub(crate) elements: Elements,
    /// Formulas that look the same have the same.
    pub(crate) key: u64,
    pub(crate) readable: Readable,
}

/// Whether all of the LaTeX could be placed in a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Readable {
    Yes,
    No,
}

/// Looks at formulas one after another and keeps its buffers between them.
#[derive(Default)]
pub(crate) struct Looker {
    parser: FormulaParser,
}

impl Looker {
    pub(crate) fn look(&mut self, latex: &str) -> Look {
        let mut parsed = self.parser.parse(latex, "", Mode::Document);
        let tree = parsed.layout().map(|parse| &parse.tree);
        Look {
            measure: tree.map(measure).unwrap_or_default(),
            elements: tree.map(elements).unwrap_or_default(),
            key: parsed.key().bits() as u64,
            readable: if parsed.is_readable() { Readable::Yes } else { Readable::No },
        }
    }
}
