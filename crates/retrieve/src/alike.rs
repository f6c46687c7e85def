//! Formulas of the query and of posts, compared.

pub use formula::matching::Containment;

use formula::matching::{Letters, Likeness, Matcher, Prepared, Preparer, Weights};
use index::Extractor;
use latex::Mode;
use std::ops::Range;

/// Formulas of more bytes are not compared one by one.
const LONGEST: usize = 4_000;

/// Compares formulas; keeps its memory.
pub(crate) struct Comparer {
    extractor: Extractor,
    preparer: Preparer,
    matcher: Matcher,
}

impl Default for Comparer {
    fn default() -> Self {
        Self {
            extractor: Extractor::default(),
            preparer: Preparer::new(Weights::default()),
            matcher: Matcher::default(),
        }
    }
}

impl Comparer {
    /// Makes a formula ready; none if it is too long.
    pub(crate) fn prepare(&mut self, latex: &str, mode: Mode) -> Option<Prepared> {
        if latex.len() > LONGEST {
            return None;
        }
        self.extractor.read(latex, mode);
        Some(self.preparer.from_slt(self.extractor.slt()))
    }

    /// For each symbol of a formula of a query: the parts of which a formula has at least one if it holds all
    /// of the query.
    pub(crate) fn needed_parts(&mut self, latex: &str, letters: Letters) -> Vec<Vec<u64>> {
        self.extractor.read(latex, Mode::Query);
        self.extractor.needed_parts(letters)
    }

    /// How many symbols a formula of a query has.
    pub(crate) fn size(&mut self, latex: &str) -> usize {
        self.extractor.read(latex, Mode::Query);
        self.extractor.size()
    }

    /// How alike two formulas are.
    pub(crate) fn similarity(&mut self, query: &Prepared, candidate: &Prepared) -> f32 {
        self.matcher.score(query, candidate).value
    }

    /// Whether all of a query stands in a candidate.
    pub(crate) fn holds(&mut self, query: &Prepared, candidate: &Prepared) -> Containment {
        formula::matching::holds(query, candidate)
    }

    /// What of the two sources was aligned, and how: first the query, then the candidate.
    pub(crate) fn spans(
        &mut self,
        (query, query_source): (&Prepared, &str),
        (candidate, candidate_source): (&Prepared, &str),
    ) -> [Vec<(Range<usize>, Likeness)>; 2] {
        self.matcher.score(query, candidate);
        let mut fates = [vec![None; query.nodes().len()], vec![None; candidate.nodes().len()]];
        for pair in &self.matcher.alignment().pairs {
            let like = Some(pair.likeness).filter(|likeness| *likeness != Likeness::Different);
            fates[0][pair.query as usize] = like;
            fates[1][pair.candidate as usize] = like;
            if pair.likeness == Likeness::Wildcard {
                // It stands for all that is below, too.
                let nodes = candidate.nodes();
                let mut open = vec![pair.candidate];
                while let Some(node) = open.pop() {
                    fates[1][node as usize] = like;
                    open.extend_from_slice(nodes.children(&nodes.all()[node as usize]));
                }
            }
        }
        [paint(query, query_source, &fates[0]), paint(candidate, candidate_source, &fates[1])]
    }
}

/// Runs of bytes with the same fate; a byte has that of the smallest part it belongs to.
fn paint(formula: &Prepared, source: &str, fates: &[Option<Likeness>]) -> Vec<(Range<usize>, Likeness)> {
    let mut painted: Vec<Option<Likeness>> = vec![None; source.len()];
    // Children stand before their parents. A part has at most the whole formula to paint, and there are at
    // most 600 parts.
    for (node, fate) in formula.nodes().all().iter().zip(fates).rev() {
        let range = node.span.range();
        if source.get(range.clone()).is_some_and(|part| !part.is_empty()) {
            painted[range].fill(*fate);
        }
    }
    let mut spans: Vec<(Range<usize>, Likeness)> = Vec::new();
    for (at, fate) in painted.into_iter().enumerate() {
        let Some(fate) = fate else { continue };
        match spans.last_mut() {
            Some((range, last)) if range.end == at && *last == fate => range.end += 1,
            _ => spans.push((at..at + 1, fate)),
        }
    }
    // Parts were typed with whole characters, but one may end where a smaller one of another fate begins.
    spans.retain(|(range, _)| source.get(range.clone()).is_some());
    spans
}
