//! Posts that have formulas like those of a query, as the system's stage for formulas finds them.
//!
//! What was found for a formula of the query is spread to the posts that it stands in:
//!
//! ```text
//! weight · Σ share · score of a formula of the post
//! ```
//!
//! By default the formula of the query whose best score is highest has the share `best`, and each other
//! `others`. With `shares = "sizes"` a formula of four symbols or more has an equal share of 1, and a smaller
//! one less: a single letter stands in every other post.

use super::{best_listed, listed_scores};
use crate::engine::{Engine, Work};
use crate::error::Error;
use crate::formulas::{FormulaSearch, Places, Sought};
use crate::hits::{Clue, ClueKind, FormulaHit, Hit};
use crate::pipeline::need::Need;
use crate::pipeline::stage::{Filter, LikeFormulas, LookedFor, OpenPostSource, PostSource};
use crate::query::Query;
use crate::sources::terms::chosen;
use crate::system::{ByFormulas, Chosen, FormulaGain, FormulaStage, Kept, Shares};
use index::Document;
use latex::Mode;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use store::Part;

/// A formula of so many symbols or more has a whole share by its size.
const WHOLE_SIZE: usize = 4;
/// So many places of a formula are looked at between two looks at the clock.
const PLACES: usize = 1024;

/// Finds posts by their formulas.
#[derive(Clone, Debug)]
pub(crate) struct PostsByFormulas {
    by: ByFormulas,
    formulas: FormulaSearch,
}

/// Posts with formulas like those of a query.
struct OpenByFormulas<'q> {
    engine: &'q Engine,
    choose: Chosen,
    /// What was found for each formula of the query, and the scores that posts have by it.
    formulas: Vec<LikeFormulas>,
    gains: Vec<BTreeMap<Document, f64>>,
    sums: Arc<BTreeMap<Document, f64>>,
    all_scored: Option<usize>,
}

impl PostsByFormulas {
    pub(crate) fn new(by: ByFormulas, formulas: &FormulaStage) -> Self {
        Self { by, formulas: FormulaSearch::new(formulas) }
    }

    /// What a hit brings to the posts that it stands in; nothing if it was not compared and only what was
    /// counts.
    fn gain(&self, hit: &FormulaHit) -> Option<f64> {
        match self.by.gain {
            FormulaGain::Score => Some(hit.score),
            FormulaGain::Similarity => hit.similarity.filter(|similarity| *similarity > 0.0).map(f64::from),
        }
    }

    /// How much each formula of the query counts.
    fn shares(&self, formulas: &[LikeFormulas], work: &mut Work) -> Vec<f64> {
        match self.by.shares {
            Shares::Best => {
                let highest: Vec<f64> = formulas
                    .iter()
                    .map(|like| like.hits.first().map_or(f64::NEG_INFINITY, |hit| hit.score))
                    .collect();
                let most = highest.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                let best = highest.iter().position(|score| *score == most);
                let share = |place| if Some(place) == best { self.by.best } else { self.by.others };
                (0..formulas.len()).map(|place| self.by.weight * share(place)).collect()
            }
            Shares::Sizes => {
                let mut share = |latex: &str| {
                    work.extractor.read(latex, Mode::Query);
                    let size = work.extractor.size().clamp(1, WHOLE_SIZE);
                    self.by.weight * (size as f64 / (WHOLE_SIZE * formulas.len()) as f64)
                };
                formulas.iter().map(|like| share(&like.latex)).collect()
            }
        }
    }
}

impl PostSource for PostsByFormulas {
    fn name(&self) -> &'static str {
        "formulas"
    }

    fn needs(&self) -> Vec<Need> {
        self.formulas.needs()
    }

    fn open<'q>(
        &'q self,
        engine: &'q Engine,
        query: &'q Query,
        work: &mut Work,
    ) -> Result<Box<dyn OpenPostSource + 'q>, Error> {
        let chosen = chosen(query.searched(), self.by.choose, &mut work.extractor);
        let mut seen = BTreeSet::new();
        let mut formulas = Vec::new();
        let mut gains = Vec::new();
        if chosen.iter().any(|formulas| !formulas.is_empty()) {
            engine.ensure(&self.needs())?;
        }
        let all = chosen.into_iter().flatten().filter(|latex| seen.insert(*latex));
        for latex in all.take(self.by.most.unwrap_or(usize::MAX)) {
            if work.is_over() {
                break;
            }
            let sought = Sought { latex, topic: "", question: &Query::EMPTY, places: Places::All };
            let hits = self.formulas.rank(engine, sought, self.by.depth, work)?;
            let mut gained = BTreeMap::new();
            let mut posts = Vec::new();
            for hit in &hits {
                let Some(gain) = self.gain(hit) else { break };
                let with = engine.posts_with(hit.visual_id, work);
                posts.push(with.len());
                for document in with {
                    match self.by.keep {
                        // The best comes first.
                        Kept::Best => _ = gained.entry(document).or_insert(gain),
                        Kept::Last => _ = gained.insert(document, gain),
                    }
                }
            }
            formulas.push(LikeFormulas { latex: latex.to_owned(), hits, posts });
            gains.push(gained);
        }
        let shares = self.shares(&formulas, work);
        let mut sums = BTreeMap::new();
        for (posts, share) in gains.iter_mut().zip(shares) {
            for (document, gain) in posts {
                *gain *= share;
                *sums.entry(*document).or_insert(0.0) += *gain;
            }
        }
        let (choose, all_scored) = (self.by.choose, self.by.all_scored);
        let sums = Arc::new(sums);
        Ok(Box::new(OpenByFormulas { engine, choose, formulas, gains, sums, all_scored }))
    }
}

impl OpenPostSource for OpenByFormulas<'_> {
    fn top(&mut self, depth: usize, accept: &Filter<'_>, _: &mut Work) -> Result<Vec<Hit>, Error> {
        Ok(best_listed(self.engine, &self.sums, depth, accept))
    }

    fn score(&mut self, documents: &[Document], _: &mut Work) -> Result<Vec<f64>, Error> {
        Ok(listed_scores(&self.sums, documents))
    }

    fn explain(&mut self, document: Document, _: &mut Work) -> Result<Vec<Clue>, Error> {
        let clue = |(like, gains): (&LikeFormulas, &BTreeMap<Document, f64>)| {
            let score = *gains.get(&document)?;
            let (group, term) = ("formulas".to_owned(), like.latex.clone());
            Some(Clue { group, place: "post", term, kind: ClueKind::Formula, frequency: 1.0, score })
        };
        Ok(self.formulas.iter().zip(&self.gains).filter_map(clue).collect())
    }

    fn listed(&self) -> Option<&Arc<BTreeMap<Document, f64>>> {
        Some(&self.sums)
    }

    fn lists_too_many(&self) -> bool {
        self.all_scored.is_some_and(|most| self.sums.len() > most)
    }

    fn looked_for(&self) -> LookedFor {
        LookedFor { words: None, formulas: Some(self.choose) }
    }

    fn formulas(&self) -> &[LikeFormulas] {
        &self.formulas
    }
}

impl Engine {
    /// The valid posts that have a formula, whatever their kind; comments do not count. Of very many, those
    /// that there is time for.
    pub(crate) fn posts_with(&self, visual_id: u64, work: &mut Work) -> Vec<Document> {
        let mut documents = Vec::new();
        for (number, source) in self.index.sources().iter().enumerate() {
            if work.is_over() {
                break;
            }
            let collection = &source.collection;
            let Some(visual) = collection.find_visual(visual_id) else { continue };
            let places =
                collection.forms_of_visual(visual).flat_map(|form| collection.formulas_of_form(form));
            for (count, place) in places.enumerate() {
                if count % PLACES == PLACES - 1 && work.is_over() {
                    break;
                }
                if collection.formula_marks(place).part() != Part::Comment {
                    let post = collection.formula_post(place);
                    documents.extend(post.and_then(|post| self.index.document(number, post)));
                }
            }
        }
        documents.sort_unstable();
        documents.dedup();
        documents
    }
}
