//! Formulas compared with the query as approach0 does: what structure they share at the best pair of roots,
//! and how many symbols in it.
//!
//! The index knows how many formulas have a path and how many leaves all paths have together; approach0
//! counts pairs of a path and a root for both.

use super::{Compared, FormulaScorer, each_in_time};
use crate::engine::{Engine, Work};
use crate::error::Error;
use crate::formulas::Candidate;
use crate::model::{Model, Structure};
use crate::pipeline::need::Need;
use crate::system::Features;
use formula::features::paths::Paths;
use formula::similarity::structure::{LENGTH_PENALTY, best_match, inverse_path_frequency};
use index::FeatureKind;
use latex::Mode;
use serde::Deserialize;
use std::collections::HashMap;

/// Compares by approach0's scores of structure and symbols.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ByStructure {
    /// How much long formulas lose, from 0 to 1.
    #[serde(default = "length_penalty")]
    penalty: f64,
}

fn length_penalty() -> f64 {
    LENGTH_PENALTY
}

impl FormulaScorer for ByStructure {
    fn needs(&self) -> Vec<Need> {
        vec![Need::Features(FeatureKind::Paths)]
    }

    fn score(
        &self,
        engine: &Engine,
        query: Compared<'_>,
        candidates: &mut [Candidate],
        work: &mut Work,
    ) -> Result<usize, Error> {
        if candidates.is_empty() {
            return Ok(0);
        }
        work.extractor.read(query.latex, Mode::Query);
        let query: Paths = work.extractor.paths().clone();
        let sources = engine.index.sources();
        let paths = Features(vec![(FeatureKind::Paths, 1.0)]);
        let model = Model::Structure(Structure { penalty: self.penalty });
        let norms = engine.norms.of_formulas(&engine.index, 0, &paths, model, work)?;
        let total = norms.totals.length() as u64;
        let mut weights: HashMap<u64, f64, foldhash::fast::FixedState> = HashMap::default();
        for path in query.iter() {
            weights.entry(path.hash()).or_insert_with(|| {
                let lists = sources.iter().filter_map(|source| source.formulas.postings(FeatureKind::Paths));
                let formulas =
                    lists.filter_map(|lists| lists.find(path.hash())).map(|list| u64::from(list.len()));
                inverse_path_frequency(total, formulas.sum())
            });
        }
        Ok(each_in_time(candidates, work, |candidate, work| {
            work.extractor.read(engine.candidate_latex(candidate), Mode::Document);
            let paths = work.extractor.paths();
            let found = best_match(&query, paths, |path| weights.get(&path).copied().unwrap_or(0.0));
            candidate.score = found.map_or(0.0, |found| found.score(paths.leaves(), self.penalty));
        }))
    }
}
