//! Formulas ranked: found by features, then compared by the matcher.

use crate::engine::{Engine, Memory};
use crate::error::Error;
use crate::hits::{FormulaHit, FormulaPlace};
use crate::model::{Model, Overlap, TermStatistics, TermWorth, Totals};
use crate::system::{FormulaStage, System};
use collection::DocId;
use index::postings::List;
use index::top::{ByClass, ByDocument, Clause, Found, Member, Norms, Spread};
use index::{FeatureKind, Formulas, Source};
use latex::Mode;
use std::collections::{BTreeMap, BTreeSet};
use store::FormulaNo;

/// A feature of a query.
struct Feature<'i> {
    key: u64,
    weight: f64,
    frequency: f64,
    statistics: TermStatistics,
    lists: Vec<Option<List<'i>>>,
}

/// A query for formulas.
struct FormulaQuery<'i> {
    model: Model,
    /// The rarest first.
    features: Vec<Feature<'i>>,
    /// How many features are searched for; the others count for what these find.
    searched: usize,
    /// How many formulas there are.
    documents: f64,
    /// How many symbols the query has.
    size: usize,
    depth: usize,
}

/// A formula as it is ranked.
#[derive(Clone, Copy)]
struct Candidate {
    source: usize,
    doc: u32,
    score: f64,
    visual_id: u64,
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
        memory.slt.clone_from(memory.extractor.slt());
        let query = self.formula_query(stage, depth, memory)?;
        let mut best = Vec::new();
        for (number, source) in self.index.sources().iter().enumerate() {
            let by_size = stage.features == FeatureKind::Parts && matches!(stage.model, Model::Overlap(_));
            let found = if by_size {
                let norms = ByClass {
                    classes: source.formulas.sizes(),
                    least: source.formulas.least_sizes(),
                    norms: &Overlap::norms(query.size),
                };
                let totals = Totals { documents: query.documents, mean_length: 0.0 };
                self.search_formulas(&query, number, &norms, totals, memory)
            } else {
                let norms = self.norms.of_formulas(&self.index, number, stage.features, stage.model);
                let by_document = ByDocument { norms: &norms.norms, least: &norms.least };
                self.search_formulas(&query, number, &by_document, norms.totals, memory)
            };
            best.extend(found.into_iter().map(|Found { doc, score }| {
                let visual_id = source.collection.visual_id(source.formulas.visual(doc));
                Candidate { source: number, doc, score, visual_id }
            }));
        }
        if self.index.sources().len() > 1 {
            sort(&mut best);
            drop_twins(&mut best);
        }
        best.truncate(depth);
        if stage.rerank > 0 {
            self.rerank(&mut best, stage.rerank, memory);
        }
        let hit = |Candidate { source, doc, score, visual_id }| FormulaHit { source, doc, visual_id, score };
        Ok(best.into_iter().map(hit).collect())
    }

    /// The features of the formula that was read last, the rarest first.
    fn formula_query<'e>(
        &'e self,
        stage: &'e FormulaStage,
        depth: usize,
        memory: &mut Memory,
    ) -> Result<FormulaQuery<'e>, Error> {
        let mut counted: BTreeMap<u64, (f64, f64)> = BTreeMap::new();
        let mut size = 0;
        let mut count = |key: u64, weight: f32| {
            let entry = counted.entry(key).or_insert((f64::from(weight), 0.0));
            entry.1 += 1.0;
        };
        match stage.features {
            FeatureKind::Parts => size = memory.extractor.parts(&mut count),
            kind => memory.extractor.features(kind, |key| count(key, 1.0)),
        }
        let sources = self.index.sources();
        let mut postings = Vec::new();
        for source in sources {
            let lists = source.formulas.postings(stage.features);
            postings.push(lists.ok_or_else(|| index::Error::Missing {
                file: self.index.path().to_owned(),
                what: stage.features.name().to_owned(),
            })?);
        }
        let feature = |(key, (weight, frequency))| {
            let lists: Vec<_> = postings.iter().map(|postings| postings.find(key)).collect();
            let documents = lists.iter().flatten().map(|list| f64::from(list.len())).sum();
            let statistics = TermStatistics { documents, occurrences: documents };
            Feature { key, weight, frequency, statistics, lists }
        };
        let mut features: Vec<Feature<'_>> = counted.into_iter().map(feature).collect();
        features.retain(|feature| feature.statistics.documents > 0.0);
        features.sort_by(|left, right| {
            let (by, than) = (left.statistics.documents, right.statistics.documents);
            by.total_cmp(&than).then(left.key.cmp(&right.key))
        });
        let documents: f64 = sources.iter().map(|source| f64::from(source.formulas.documents())).sum();
        let searched = match stage.budget {
            None => features.len(),
            Some(budget) => {
                let lengths = features.iter().map(|feature| feature.statistics.documents);
                budget.allows(lengths, documents).min(features.len())
            }
        };
        Ok(FormulaQuery { model: stage.model, features, searched, documents, size, depth })
    }

    /// The best formulas of one collection: those features are searched for that come first, then all count.
    fn search_formulas<'e, N: Norms + Clone>(
        &'e self,
        query: &FormulaQuery<'e>,
        number: usize,
        norms: &N,
        totals: Totals,
        memory: &mut Memory,
    ) -> Vec<Found> {
        let clause = |feature: &Feature<'e>| {
            let worth: TermWorth =
                query.model.term(feature.weight, feature.frequency, feature.statistics, totals);
            let members = vec![Member { list: feature.lists[number]?, factor: 1.0, spread: Spread::Own }];
            Some(Clause { members, worth, norms: norms.clone() })
        };
        let clauses: Vec<_> = query.features[..query.searched].iter().filter_map(clause).collect();
        let formulas = &self.index.sources()[number].formulas;
        let live = self.index.segments().iter().all(|segment| segment.live() == segment.posts.documents());
        let accept = |doc: u32| live || self.first_place(number, formulas, doc).is_some();
        let mut found = memory.searcher.top(&clauses, &formulas.space(), query.depth, accept);
        if query.searched < query.features.len() {
            let clauses: Vec<_> = query.features.iter().filter_map(clause).collect();
            memory.searcher.rescore(&clauses, &formulas.space(), &mut found);
        }
        found
    }

    /// Ranks the first by the matcher. The others follow in their order, below them.
    fn rerank(&self, candidates: &mut [Candidate], depth: usize, memory: &mut Memory) {
        let depth = depth.min(candidates.len());
        let query = memory.preparer.from_slt(&memory.slt);
        for candidate in &mut candidates[..depth] {
            let source = &self.index.sources()[candidate.source];
            memory.extractor.read(source.formulas.latex(candidate.doc), Mode::Document);
            let prepared = memory.preparer.from_slt(memory.extractor.slt());
            candidate.score = 1.0 + f64::from(memory.matcher.score(&query, &prepared).value);
        }
        sort(&mut candidates[..depth]);
        let highest = candidates.get(depth).map_or(1.0, |candidate| candidate.score).max(f64::MIN_POSITIVE);
        for candidate in &mut candidates[depth..] {
            candidate.score = candidate.score / highest * 0.999;
        }
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
