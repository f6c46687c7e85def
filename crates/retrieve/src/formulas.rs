//! Formulas ranked: found by features, then perhaps compared with the query one by one.

mod find;
mod rerank;

use crate::engine::{Engine, Memory};
use crate::error::Error;
use crate::hits::{FormulaHit, FormulaPlace};
use crate::system::{FormulaStage, System};
use collection::DocId;
use index::{Formulas, Source};
use latex::Mode;
use std::collections::{BTreeSet, HashMap};
use store::FormulaNo;

/// A formula as it is ranked.
#[derive(Clone, Copy)]
struct Candidate {
    source: usize,
    doc: u32,
    score: f64,
    visual_id: u64,
    /// The ways in which it was found: the lowest bit is the first of the system's file.
    ways: u32,
}

impl Engine {
    /// Ranks formulas by a system: the best `depth`, best first.
    ///
    /// # Errors
    ///
    /// When the index lacks the features that the system needs.
    pub fn formulas(&self, system: &System, latex: &str, depth: usize) -> Result<Vec<FormulaHit>, Error> {
        let Some(stage) = &system.formulas else {
            let (system, returns, wanted) = (system.name.clone(), "posts", "formulas");
            return Err(Error::Other { system, returns, wanted });
        };
        self.with_memory(|memory| self.rank_formulas(stage, latex, depth, memory))
    }

    fn rank_formulas(
        &self,
        stage: &FormulaStage,
        latex: &str,
        depth: usize,
        memory: &mut Memory,
    ) -> Result<Vec<FormulaHit>, Error> {
        memory.extractor.read(latex, Mode::Query);
        let mut ways = Vec::new();
        for find in &stage.find {
            ways.push(self.find_formulas(find, find.depth.unwrap_or(depth), memory)?);
        }
        let mut best = put_together(ways);
        if let Some(rerank) = stage.rerank.filter(|rerank| rerank.depth() > 0) {
            self.rerank(stage, rerank, &mut best, memory);
        }
        best.truncate(depth);
        let hit =
            |Candidate { source, doc, score, visual_id, .. }| FormulaHit { source, doc, visual_id, score };
        Ok(best.into_iter().map(hit).collect())
    }

    /// The first place of a formula in a post that is valid.
    fn first_place(&self, source: usize, formulas: &Formulas, doc: u32) -> Option<FormulaNo> {
        let collection = &self.index.sources()[source].collection;
        let places = collection.forms_of_visual(formulas.visual(doc)).filter_map(|form| {
            collection.formulas_of_form(form).find(|place| {
                collection.formula_comment(*place).is_none()
                    && collection
                        .formula_post(*place)
                        .is_some_and(|post| self.index.document(source, post).is_some())
            })
        });
        places.min()
    }

    /// Where a formula that was found stands first, in a post that is valid.
    #[must_use]
    pub fn formula_place(&self, hit: &FormulaHit) -> Option<FormulaPlace> {
        let Source { collection, formulas, .. } = &self.index.sources()[hit.source];
        let place = self.first_place(hit.source, formulas, hit.doc)?;
        let post = collection.formula_post(place)?;
        Some(FormulaPlace {
            formula_id: collection.formula_id(place).to_string(),
            post_id: collection.post_id(post).to_string(),
        })
    }

    /// The LaTeX of a formula that was found.
    #[must_use]
    pub fn formula_latex(&self, hit: &FormulaHit) -> &str {
        self.index.sources()[hit.source].formulas.latex(hit.doc)
    }
}

/// Best first; the house's rule decides between equal scores.
fn sort(candidates: &mut [Candidate]) {
    candidates.sort_by(|left, right| {
        right.score.total_cmp(&left.score).then_with(|| {
            let (left, right) = (left.visual_id.to_string(), right.visual_id.to_string());
            DocId(&right).cmp(&DocId(&left))
        })
    });
}

/// Of what looks the same in several collections, the best stays.
fn drop_twins(candidates: &mut Vec<Candidate>) {
    let mut seen = BTreeSet::new();
    candidates.retain(|candidate| seen.insert(candidate.visual_id));
}

/// What was found in several ways, each formula once with the sum of its scores.
fn put_together(ways: Vec<Vec<Candidate>>) -> Vec<Candidate> {
    let several = ways.len() > 1;
    let mut all: Vec<Candidate> = Vec::new();
    let mut places: HashMap<u64, usize, foldhash::fast::FixedState> = HashMap::default();
    for (way, found) in ways.into_iter().enumerate() {
        for candidate in found {
            let place =
                if several { *places.entry(candidate.visual_id).or_insert(all.len()) } else { all.len() };
            match all.get_mut(place) {
                Some(known) => {
                    known.score += candidate.score;
                    known.ways |= 1 << way;
                }
                None => all.push(Candidate { ways: 1 << way, ..candidate }),
            }
        }
    }
    if several {
        sort(&mut all);
    }
    all
}
