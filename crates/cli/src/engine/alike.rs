//! How alike two formulas are: reading them for the matcher, and scoring.

use super::{Engine, Formula, Notation};
use formula::matching::{Alignment, Matcher, Prepared, Preparer, Score, TERMS, Term, Weights};
use formula::opt::Opt;
use std::borrow::Cow;

/// Reads formulas and says how alike they are; each thread has its own.
#[derive(Debug)]
pub(crate) struct Alike {
    pub(super) engine: Engine,
    preparer: Preparer,
    matcher: Matcher,
    pub(super) opt: Opt,
}

impl Default for Alike {
    fn default() -> Self {
        let weights = Weights::default();
        Self {
            engine: Engine::default(),
            preparer: Preparer::new(weights.clone()),
            matcher: Matcher::new(weights),
            opt: Opt::default(),
        }
    }
}

impl Alike {
    /// Reads a formula for [`Alike::score`].
    ///
    /// # Errors
    ///
    /// Why it could not be read; LaTeX always can.
    pub(crate) fn read(&mut self, formula: Formula<'_>) -> Result<Prepared, String> {
        let Engine { reader, to_slt, tolerant, slt, .. } = &mut self.engine;
        match formula.notation {
            Notation::Latex => {
                let parse = reader.read(formula.source.as_bytes(), formula.mode);
                to_slt.read(&parse.tree, slt);
            }
            Notation::Mathml => {
                tolerant.read(formula.source, slt).map_err(|error| error.to_string())?;
            }
            Notation::Slt => slt.read_repaired_into(formula.source).map_err(|error| error.to_string())?,
            Notation::Opt => {
                self.opt.read_repaired_into(formula.source).map_err(|error| error.to_string())?;
                return Ok(self.preparer.from_opt(&self.opt));
            }
        }
        Ok(self.preparer.from_slt(slt))
    }

    /// Scores a candidate.
    pub(crate) fn score(&mut self, query: &Prepared, candidate: &Prepared) -> Score {
        self.matcher.score(query, candidate)
    }

    /// How the last two formulas that were scored lie on each other.
    pub(crate) fn alignment(&self) -> &Alignment {
        self.matcher.alignment()
    }

    /// The formula as LaTeX, to be shown; none for an operator tree, which does not say how it was laid out.
    pub(crate) fn shown<'s>(&mut self, formula: Formula<'s>) -> Option<Cow<'s, str>> {
        match formula.notation {
            Notation::Latex => Some(Cow::Borrowed(formula.source)),
            Notation::Mathml | Notation::Slt => Some(Cow::Owned(self.engine.latex(formula))),
            Notation::Opt => None,
        }
    }
}

/// How much each term of a score counts, in the order of the terms.
pub(crate) fn term_weights() -> [(Term, f32); TERMS] {
    let weights = Weights::default().terms;
    std::array::from_fn(|index| (Term::ALL[index], weights[index]))
}
