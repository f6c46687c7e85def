//! The first formulas, compared with the query one by one.

use super::{Candidate, sort};
use crate::engine::{Engine, Memory};
use crate::model::{Model, Structure};
use crate::system::{Features, Find, FormulaStage, Rerank};
use formula::features::paths::Paths;
use formula::similarity::structure::{best_match, inverse_path_frequency};
use formula::similarity::tangent_s::{Prepared, Scores, combine};
use index::FeatureKind;
use latex::Mode;
use std::collections::HashMap;

impl Engine {
    /// Ranks the first by comparing them with the formula that was read last. The others follow in their order,
    /// below them.
    pub(super) fn rerank(
        &self,
        stage: &FormulaStage,
        rerank: Rerank,
        candidates: &mut [Candidate],
        memory: &mut Memory,
    ) {
        let depth = rerank.depth().min(candidates.len());
        let (first, others) = candidates.split_at_mut(depth);
        let floor = match rerank {
            Rerank::Matcher { .. } => {
                self.by_matcher(first, memory);
                1.0
            }
            Rerank::TangentS { .. } => {
                self.by_alignment(stage, first, memory);
                lowest(first)
            }
            Rerank::Approach0 { penalty, .. } => {
                self.by_structure(penalty, first, memory);
                lowest(first)
            }
        };
        sort(first);
        let highest = others.first().map_or(1.0, |candidate| candidate.score).max(f64::MIN_POSITIVE);
        for candidate in others {
            candidate.score = floor - 1.0 + candidate.score / highest * 0.999;
        }
    }

    fn candidate_latex(&self, candidate: &Candidate) -> &str {
        self.index.sources()[candidate.source].formulas.latex(candidate.doc)
    }

    /// Our own matcher; a score from 1 to 2.
    fn by_matcher(&self, candidates: &mut [Candidate], memory: &mut Memory) {
        let query = memory.preparer.from_slt(memory.extractor.slt());
        for candidate in candidates {
            memory.extractor.read(self.candidate_latex(candidate), Mode::Document);
            let prepared = memory.preparer.from_slt(memory.extractor.slt());
            candidate.score = 1.0 + f64::from(memory.matcher.score(&query, &prepared).value);
        }
    }

    /// Tangent-S: each way to find ranks what it found by its own trees, and the scores of both are combined.
    fn by_alignment(&self, stage: &FormulaStage, candidates: &mut [Candidate], memory: &mut Memory) {
        let ways = |wanted: FeatureKind, other: FeatureKind| {
            let counts = |(_, find): &(usize, &Find)| find.features.has(wanted) || !find.features.has(other);
            stage.find.iter().enumerate().filter(counts).fold(0_u32, |ways, (way, _)| ways | 1 << way)
        };
        let by_layout = ways(FeatureKind::Pairs, FeatureKind::PairsOpt);
        let by_operators = ways(FeatureKind::PairsOpt, FeatureKind::Pairs);
        let layout = Prepared::from(memory.extractor.slt());
        let operators = Prepared::from(memory.extractor.opt());
        for candidate in candidates {
            memory.extractor.read(self.candidate_latex(candidate), Mode::Document);
            let (mut of_layout, mut of_operators) = (Scores::default(), Scores::default());
            if candidate.ways & by_layout != 0 {
                let prepared = Prepared::from(memory.extractor.slt());
                of_layout = memory.aligner.align(&layout, &prepared).scores;
            }
            if candidate.ways & by_operators != 0 {
                let prepared = Prepared::from(memory.extractor.opt());
                of_operators = memory.aligner.align(&operators, &prepared).scores;
            }
            candidate.score = combine(of_layout, of_operators);
        }
    }

    /// approach0: what structure is shared at the best pair of roots, and how many symbols in it.
    ///
    /// The index knows how many formulas have a path and how many leaves all paths have together; approach0
    /// counts pairs of a path and a root for both.
    fn by_structure(&self, penalty: f64, candidates: &mut [Candidate], memory: &mut Memory) {
        let query: Paths = memory.extractor.paths().clone();
        if candidates.is_empty() {
            return;
        }
        let sources = self.index.sources();
        let paths = Features(vec![(FeatureKind::Paths, 1.0)]);
        let model = Model::Structure(Structure { penalty });
        let total = self.norms.of_formulas(&self.index, 0, &paths, model).totals.length() as u64;
        let mut weights: HashMap<u64, f64, foldhash::fast::FixedState> = HashMap::default();
        for path in query.iter() {
            weights.entry(path.hash()).or_insert_with(|| {
                let lists = sources.iter().filter_map(|source| source.formulas.postings(FeatureKind::Paths));
                let formulas =
                    lists.filter_map(|lists| lists.find(path.hash())).map(|list| u64::from(list.len()));
                inverse_path_frequency(total, formulas.sum())
            });
        }
        for candidate in candidates {
            memory.extractor.read(self.candidate_latex(candidate), Mode::Document);
            let paths = memory.extractor.paths();
            let found = best_match(&query, paths, |path| weights.get(&path).copied().unwrap_or(0.0));
            candidate.score = found.map_or(0.0, |found| found.score(paths.leaves(), penalty));
        }
    }
}

/// The lowest score.
fn lowest(candidates: &[Candidate]) -> f64 {
    candidates.iter().map(|candidate| candidate.score).fold(f64::INFINITY, f64::min)
}
