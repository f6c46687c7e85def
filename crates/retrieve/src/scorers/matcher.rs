//! Formulas compared with the query by our own matcher; scores are from 1 to 2, one more than its own.

use super::{Compared, FormulaScorer, each_in_time};
use crate::engine::{Engine, Work};
use crate::error::Error;
use crate::formulas::Candidate;
use latex::Mode;
use serde::Deserialize;

/// A query of more bytes than this is a long one.
const LONG: usize = 300;

/// Compares by the matcher.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ByMatcher {
    /// How many candidates are compared with a query of more than 300 bytes; as many as with others if it is
    /// missing.
    depth_if_long: Option<usize>,
}

impl FormulaScorer for ByMatcher {
    fn depth(&self, depth: usize, query: Compared<'_>) -> usize {
        let most = self.depth_if_long.filter(|_| query.latex.len() > LONG);
        most.map_or(depth, |most| most.min(depth))
    }

    fn score(
        &self,
        engine: &Engine,
        query: Compared<'_>,
        candidates: &mut [Candidate],
        work: &mut Work,
    ) -> Result<usize, Error> {
        work.extractor.read(query.latex, Mode::Query);
        let query = work.preparer.from_slt(work.extractor.slt());
        Ok(each_in_time(candidates, work, |candidate, work| {
            work.extractor.read(engine.candidate_latex(candidate), Mode::Document);
            let prepared = work.preparer.from_slt(work.extractor.slt());
            candidate.score = 1.0 + f64::from(work.matcher.score(&query, &prepared).value);
        }))
    }

    fn floor(&self, _: &[Candidate]) -> f64 {
        1.0
    }

    fn similarity(&self, score: f64) -> Option<f32> {
        Some((score - 1.0).clamp(0.0, 1.0) as f32)
    }
}
