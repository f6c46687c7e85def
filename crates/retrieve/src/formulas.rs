//! Formulas ranked: found by features, then perhaps compared with the query one by one.

mod context;
mod find;
mod places;

pub(crate) use places::Places;

use crate::engine::{Engine, Work};
use crate::error::Error;
use crate::hits::FormulaHit;
use crate::pipeline::need::Need;
use crate::query::Query;
use crate::scorers::Compared;
use crate::system::{FormulaStage, Need as Must};
use formats::DocId;
use fuse::Ranked;
use index::parts::Over;
use std::cmp::Ordering;
use std::collections::{BTreeSet, HashMap};

/// A formula as it is ranked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    pub(crate) source: usize,
    pub(crate) doc: u32,
    pub(crate) score: f64,
    pub(crate) visual_id: u64,
    /// The ways in which it was found: the lowest bit is the first of the system's file.
    pub(crate) ways: u32,
}

/// A formula that is looked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sought<'q> {
    /// The formula.
    pub(crate) latex: &'q str,
    /// The topic; empty where none is asked.
    pub(crate) topic: &'q str,
    /// The question in which it is looked for.
    pub(crate) question: &'q Query,
    /// Which of its instances count.
    pub(crate) places: Places,
}

/// Searches for formulas.
#[derive(Clone, Debug)]
pub(crate) struct FormulaSearch {
    stage: FormulaStage,
}

impl FormulaSearch {
    pub(crate) fn new(stage: &FormulaStage) -> Self {
        Self { stage: stage.clone() }
    }

    /// What it cannot do without.
    pub(crate) fn needs(&self) -> Vec<Need> {
        let kinds = self.stage.find.iter().flat_map(|find| find.features.kinds());
        let mut needs: Vec<Need> = kinds.map(|(kind, _)| Need::Features(*kind)).collect();
        if let Some(dense) = &self.stage.dense {
            needs.push(Need::Vectors(Over::Formulas, dense.model.clone()));
        }
        needs.extend(self.stage.rerank.iter().flat_map(|rerank| rerank.scorer.needs()));
        if let Some(context) = self.stage.context.as_ref().filter(|context| context.need == Must::Required) {
            needs.push(Need::Vectors(Over::Posts, context.model.clone()));
        }
        needs
    }

    /// The models that it uses with an engine, by name.
    pub(crate) fn models(&self, engine: &Engine) -> Vec<String> {
        let dense = self.stage.dense.as_ref().map(|dense| (Over::Formulas, &dense.model));
        let context = self.stage.context.as_ref().map(|context| (Over::Posts, &context.model));
        let used = dense.into_iter().chain(context);
        let vectors = used.filter_map(|(over, model)| engine.vectors(over, model.as_deref()).ok());
        let of_scorer = self.stage.rerank.iter().flat_map(|rerank| rerank.scorer.models());
        vectors.map(|vectors| vectors.settings.model).chain(of_scorer).collect()
    }

    /// Ranks formulas: the best `depth`, best first.
    pub(crate) fn rank(
        &self,
        engine: &Engine,
        sought: Sought<'_>,
        depth: usize,
        work: &mut Work,
    ) -> Result<Vec<FormulaHit>, Error> {
        let found = self.find(engine, sought, depth, work)?;
        let mut hits = self.order(engine, sought, found, work)?;
        hits.truncate(depth);
        Ok(hits)
    }

    /// Finds formulas in all ways that the system has.
    fn find(
        &self,
        engine: &Engine,
        sought: Sought<'_>,
        depth: usize,
        work: &mut Work,
    ) -> Result<Vec<Candidate>, Error> {
        let Sought { latex, places, .. } = sought;
        let mut ways = Vec::new();
        for find in &self.stage.find {
            ways.push(engine.find_formulas(find, (latex, places), find.depth.unwrap_or(depth), work)?);
        }
        if let Some(dense) = &self.stage.dense {
            let depth = dense.depth.unwrap_or(depth);
            ways.push(engine.find_by_vectors(dense, (latex, places), depth, work)?);
        }
        Ok(put_together(ways))
    }

    /// The features of what is found, or of what another system has found, from which the scorer's weights can be
    /// learned: visual ids with their features; nothing if the scorer does not learn.
    pub(crate) fn features(
        &self,
        engine: &Engine,
        sought: Sought<'_>,
        given: Option<&[Ranked<String>]>,
        depth: usize,
        work: &mut Work,
    ) -> Result<Option<(Vec<String>, FeatureRows)>, Error> {
        let Some(rerank) = &self.stage.rerank else { return Ok(None) };
        let mut candidates = match given {
            Some(given) => candidates_of(engine, given),
            None => self.find(engine, sought, depth, work)?,
        };
        candidates.truncate(rerank.depth);
        let query = Compared::new(sought, &self.stage.find);
        let Some(values) = rerank.scorer.values(engine, query, &mut candidates, work)? else {
            return Ok(None);
        };
        let rows = candidates.iter().map(|candidate| candidate.visual_id).zip(values.rows).collect();
        Ok(Some((values.names, rows)))
    }

    /// Ranks formulas that another system has found: visual ids with their scores there, best first.
    pub(crate) fn rerank_given(
        &self,
        engine: &Engine,
        sought: Sought<'_>,
        given: &[Ranked<String>],
        work: &mut Work,
    ) -> Result<Vec<FormulaHit>, Error> {
        self.order(engine, sought, candidates_of(engine, given), work)
    }

    /// Brings candidates into their last order: by the scorer, then with their context.
    fn order(
        &self,
        engine: &Engine,
        sought: Sought<'_>,
        mut best: Vec<Candidate>,
        work: &mut Work,
    ) -> Result<Vec<FormulaHit>, Error> {
        let Sought { question, places, .. } = sought;
        let similarities = self.rerank(engine, sought, &mut best, work)?;
        let hit = |(place, candidate): (usize, Candidate)| {
            let Candidate { source, doc, score, visual_id, .. } = candidate;
            let similarity = similarities.get(place).copied();
            FormulaHit { source, doc, visual_id, score, similarity, place: None }
        };
        let mut hits: Vec<FormulaHit> = best.into_iter().enumerate().map(hit).collect();
        if let Some(context) = self.stage.context.as_ref().filter(|_| question.is_rankable()) {
            engine.add_context(context, (question, places), &mut hits, work)?;
        }
        Ok(hits)
    }

    /// Ranks the first by comparing them with the query; the others follow in their order, below them. Gives
    /// how alike the first are, where the scorer says that.
    fn rerank(
        &self,
        engine: &Engine,
        sought: Sought<'_>,
        candidates: &mut [Candidate],
        work: &mut Work,
    ) -> Result<Vec<f32>, Error> {
        let Some(rerank) = self.stage.rerank.as_ref().filter(|rerank| rerank.depth > 0) else {
            return Ok(Vec::new());
        };
        let query = Compared::new(sought, &self.stage.find);
        let depth = rerank.scorer.depth(rerank.depth, query).min(candidates.len());
        let scored = rerank.scorer.score(engine, query, &mut candidates[..depth], work)?;
        let (first, others) = candidates.split_at_mut(scored);
        sort(first);
        let floor = rerank.scorer.floor(first);
        // Without time for any comparison, what was found stays as it is.
        if !first.is_empty() {
            put_below(floor, others.iter_mut().map(|candidate| &mut candidate.score));
        }
        Ok(first.iter().map_while(|candidate| rerank.scorer.similarity(candidate.score)).collect())
    }
}

impl Engine {
    /// The formula of a visual id: the first collection that has it, and the document there.
    pub(crate) fn formula_of_visual(&self, visual_id: u64) -> Option<(usize, u32)> {
        self.index.sources().iter().enumerate().find_map(|(number, source)| {
            let visual = source.collection.find_visual(visual_id)?;
            Some((number, source.formulas.document(visual)?))
        })
    }

    /// The LaTeX of a formula that was found.
    pub(crate) fn candidate_latex(&self, candidate: &Candidate) -> &str {
        self.index.sources()[candidate.source].formulas.latex(candidate.doc)
    }

    /// The LaTeX of a formula that was found.
    #[must_use]
    pub fn formula_latex(&self, hit: &FormulaHit) -> &str {
        self.index.sources()[hit.source].formulas.latex(hit.doc)
    }
}

/// Visual ids and the features of each.
pub(crate) type FeatureRows = Vec<(u64, Vec<f64>)>;

/// Formulas that another system has found.
fn candidates_of(engine: &Engine, given: &[Ranked<String>]) -> Vec<Candidate> {
    let candidate = |found: &Ranked<String>| {
        let visual_id = found.id.parse().ok()?;
        let (source, doc) = engine.formula_of_visual(visual_id)?;
        Some(Candidate { source, doc, score: found.score, visual_id, ways: 1 })
    };
    given.iter().filter_map(candidate).collect()
}

/// Moves scores, highest first, below a score; their order stays.
fn put_below<'s>(floor: f64, scores: impl Iterator<Item = &'s mut f64>) {
    let mut highest = None;
    for score in scores {
        let highest: f64 = *highest.get_or_insert(*score);
        let share = if highest > 0.0 { *score / highest } else { 1.0 / (1.0 + highest - *score) };
        *score = floor - 1.0 + share * 0.999;
    }
}

/// Best first; the house's rule decides between equal scores.
fn sort(candidates: &mut [Candidate]) {
    candidates.sort_by(|left, right| in_order((left.score, left.visual_id), (right.score, right.visual_id)));
}

/// Which of two formulas comes first, by scores and visual ids.
pub(crate) fn in_order(left: (f64, u64), right: (f64, u64)) -> Ordering {
    right.0.total_cmp(&left.0).then_with(|| {
        let (left, right) = (left.1.to_string(), right.1.to_string());
        DocId(&right).cmp(&DocId(&left))
    })
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
