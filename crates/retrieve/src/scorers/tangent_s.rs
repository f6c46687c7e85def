//! Formulas aligned with the query as Tangent-S does: each way to find ranks what it found by its own trees,
//! and the scores of both are combined. What only `pairs` found has no scores for operator trees, and the
//! other way round.

use super::{Compared, FormulaScorer, each_in_time};
use crate::engine::{Engine, Work};
use crate::error::Error;
use crate::formulas::Candidate;
use crate::system::Find;
use formula::similarity::tangent_s::{Prepared, Scores, combine};
use index::FeatureKind;
use latex::Mode;
use serde::Deserialize;

/// Compares by Tangent-S's alignments of layout and operator trees.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ByAlignment {}

/// The ways to find by `wanted`, or by neither: a bit for each.
fn ways(finds: &[Find], wanted: FeatureKind, other: FeatureKind) -> u32 {
    let counts = |(_, find): &(usize, &Find)| find.features.has(wanted) || !find.features.has(other);
    finds.iter().enumerate().filter(counts).fold(0, |ways, (way, _)| ways | 1 << way)
}

impl FormulaScorer for ByAlignment {
    fn score(
        &self,
        engine: &Engine,
        query: Compared<'_>,
        candidates: &mut [Candidate],
        work: &mut Work,
    ) -> Result<usize, Error> {
        let by_layout = ways(query.finds, FeatureKind::Pairs, FeatureKind::PairsOpt);
        let by_operators = ways(query.finds, FeatureKind::PairsOpt, FeatureKind::Pairs);
        work.extractor.read(query.latex, Mode::Query);
        let layout = Prepared::from(work.extractor.slt());
        let operators = Prepared::from(work.extractor.opt());
        Ok(each_in_time(candidates, work, |candidate, work| {
            work.extractor.read(engine.candidate_latex(candidate), Mode::Document);
            let (mut of_layout, mut of_operators) = (Scores::default(), Scores::default());
            if candidate.ways & by_layout != 0 {
                let prepared = Prepared::from(work.extractor.slt());
                of_layout = work.aligner.align(&layout, &prepared).scores;
            }
            if candidate.ways & by_operators != 0 {
                let prepared = Prepared::from(work.extractor.opt());
                of_operators = work.aligner.align(&operators, &prepared).scores;
            }
            candidate.score = combine(of_layout, of_operators);
        }))
    }
}
