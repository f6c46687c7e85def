//! A formula of a question, looked at once.

use crate::complexity::{Measure, measure};
use formula::identity::{Formula, Keyer};
use formula::slt::{LatexToSlt, Slt};
use latex::Mode;

/// What is known of a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Look {
    pub(crate) measure: Measure,
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
    reader: latex::Reader,
    keyer: Keyer,
    to_slt: LatexToSlt,
    slt: Slt,
}

impl Looker {
    pub(crate) fn look(&mut self, latex: &str) -> Look {
        let parse = self.reader.read(latex.as_bytes(), Mode::Document);
        self.to_slt.read(&parse.tree, &mut self.slt);
        let key = self.keyer.key(Formula { slt: Some(&self.slt), latex }).bits() as u64;
        let readable = if parse.has_errors() { Readable::No } else { Readable::Yes };
        Look { measure: measure(&parse.tree), key, readable }
    }
}
