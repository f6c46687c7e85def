//! Formulas found by their features.

use super::{Candidate, Places, drop_twins, sort};
use crate::engine::{Engine, Work};
use crate::error::Error;
use crate::model::{Model, ModelScorer, Overlap, TermStatistics, Totals};
use crate::system::Find;
use index::FeatureKind;
use index::postings::List;
use index::top::{ByClass, ByDocument, Clause, Found, Level, Member, Norms, Searcher, Space, Spread};
use latex::Mode;
use std::collections::BTreeMap;

/// A feature of a query.
struct Feature<'i> {
    kind: FeatureKind,
    key: u64,
    weight: f64,
    frequency: f64,
    statistics: TermStatistics,
    /// The statistics for the idf, if those are of something else.
    idf_of: Option<TermStatistics>,
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
    /// How many features the query has, wildcards and what no formula has included.
    length: f64,
    depth: usize,
    places: Places,
}

/// What is counted in a query: its weight, how often it occurs, and the feature for the idf.
struct Count {
    weight: f64,
    frequency: f64,
    idf_of: Option<u64>,
}

impl Engine {
    /// The best formulas of all collections for a formula, best first.
    pub(super) fn find_formulas(
        &self,
        find: &Find,
        (latex, places): (&str, Places),
        depth: usize,
        work: &mut Work,
    ) -> Result<Vec<Candidate>, Error> {
        work.extractor.read(latex, Mode::Query);
        let query = FormulaQuery { places, ..self.formula_query(find, depth, work)? };
        let by_size =
            find.features.only() == Some(FeatureKind::Parts) && matches!(find.model, Model::Overlap(_));
        let mut best = Vec::new();
        for (number, source) in self.index.sources().iter().enumerate() {
            let found = if by_size {
                let norms = ByClass {
                    classes: source.formulas.sizes(),
                    least: source.formulas.least_sizes(),
                    norms: &Overlap::norms(query.size),
                };
                let totals = Totals { documents: query.documents, mean_length: 0.0 };
                self.search_source(&query, number, &norms, totals, work)
            } else {
                let norms = self.norms.of_formulas(&self.index, number, &find.features, find.model, work)?;
                let by_document = ByDocument { norms: &norms.norms, least: &norms.least };
                let mut found = self.search_source(&query, number, &by_document, norms.totals, work);
                if let Model::Dice(model) = find.model {
                    for found in &mut found {
                        let length = f64::from(norms.norms[found.doc as usize]);
                        found.score = model.settled(found.score, query.length, length);
                    }
                }
                found
            };
            best.extend(found.into_iter().map(|Found { doc, score }| {
                let visual_id = source.collection.visual_id(source.formulas.visual(doc));
                Candidate { source: number, doc, score, visual_id, ways: 0 }
            }));
        }
        let several = self.index.sources().len() > 1;
        if several || matches!(find.model, Model::Dice(_)) {
            sort(&mut best);
        }
        if several {
            drop_twins(&mut best);
        }
        best.truncate(depth);
        Ok(best)
    }

    /// The features of the formula that was read last, the rarest first.
    fn formula_query<'e>(
        &'e self,
        find: &Find,
        depth: usize,
        work: &mut Work,
    ) -> Result<FormulaQuery<'e>, Error> {
        let sources = self.index.sources();
        let documents: f64 = sources.iter().map(|source| f64::from(source.formulas.documents())).sum();
        let (mut features, mut size, mut length) = (Vec::new(), 0, 0.0);
        for &(kind, weight) in find.features.kinds() {
            let (counted, symbols) = count(kind, find.model, work);
            size = size.max(symbols);
            length += counted.values().map(|count| count.frequency).sum::<f64>();
            let mut postings = Vec::new();
            for source in sources {
                let lists = source.formulas.postings(kind);
                postings.push(lists.ok_or_else(|| index::Error::Missing {
                    file: self.index.path().to_owned(),
                    what: kind.name().to_owned(),
                })?);
            }
            let statistics = |lists: &[Option<List<'_>>]| {
                let documents = lists.iter().flatten().map(|list| f64::from(list.len())).sum();
                TermStatistics { documents, occurrences: documents }
            };
            let find_lists =
                |key: u64| -> Vec<_> { postings.iter().map(|postings| postings.find(key)).collect() };
            features.extend(counted.into_iter().map(|(key, count)| {
                let lists = find_lists(key);
                Feature {
                    kind,
                    key,
                    weight: weight * count.weight,
                    frequency: count.frequency,
                    statistics: statistics(&lists),
                    idf_of: count.idf_of.map(|key| statistics(&find_lists(key))),
                    lists,
                }
            }));
        }
        features.retain(|feature| feature.statistics.documents > 0.0 && feature.weight > 0.0);
        if matches!(find.model, Model::TfIdfCosine(_)) {
            // Features that no formula has are no part of the vector.
            let totals = Totals { documents, mean_length: 0.0 };
            let number = |feature: &Feature<'_>| {
                feature.weight * feature.frequency * find.model.idf(feature.statistics, totals)
            };
            let length = libm::sqrt(features.iter().map(|feature| number(feature).powi(2)).sum());
            features.iter_mut().filter(|_| length > 0.0).for_each(|feature| feature.weight /= length);
        }
        features.sort_by(|left, right| {
            let (by, than) = (left.statistics.documents, right.statistics.documents);
            by.total_cmp(&than).then(left.key.cmp(&right.key)).then(left.kind.cmp(&right.kind))
        });
        let searched = match find.budget {
            None => features.len(),
            Some(budget) => {
                let lengths = features.iter().map(|feature| feature.statistics.documents);
                budget.allows(lengths, documents).min(features.len())
            }
        };
        Ok(FormulaQuery {
            model: find.model,
            features,
            searched,
            documents,
            size,
            length,
            depth,
            places: Places::All,
        })
    }

    /// The best formulas of one collection: those features are searched for that come first, then all count.
    fn search_source<'e, N: Norms + Clone>(
        &'e self,
        query: &FormulaQuery<'e>,
        number: usize,
        norms: &N,
        totals: Totals,
        work: &mut Work,
    ) -> Vec<Found> {
        let clause = |feature: &Feature<'e>| {
            let weight = match query.model {
                model if model.compares_frequencies() => feature.weight,
                _ => feature.weight * feature.frequency,
            };
            let statistics = feature.idf_of.unwrap_or(feature.statistics);
            let scorer: ModelScorer =
                query.model.term(weight, feature.frequency, statistics, totals).in_query_of(query.length);
            let members = vec![Member { list: feature.lists[number]?, factor: 1.0, spread: Spread::Own }];
            Some(Clause { members, scorer, norms: norms.clone(), level: Level::Document })
        };
        let clauses =
            |features: usize| -> Vec<_> { query.features[..features].iter().filter_map(clause).collect() };
        let formulas = &self.index.sources()[number].formulas;
        let live = self.index.segments().iter().all(|segment| segment.live() == segment.posts.documents());
        let all = live && query.places == Places::All;
        let counts = |doc: u32| self.has_place(number, doc, query.places);
        let space = formulas.space();
        let search = |searcher: &mut Searcher, features: usize| {
            if all {
                searcher.top(&clauses(features), &space, query.depth, |_| true)
            } else {
                top_that_count(searcher, &clauses(features), &space, query.depth, counts)
            }
        };
        let mut found = search(&mut work.searcher, query.searched);
        if query.searched < query.features.len() {
            // Where the rarest features find too little, the common ones may be all that is known of a formula.
            if found.len() < query.depth && !work.searcher.is_cut_short() {
                return search(&mut work.searcher, query.features.len());
            }
            work.searcher.rescore(&clauses(query.features.len()), &space, &mut found);
        }
        found
    }
}

/// The best formulas that count. Nearly all do, and finding out takes long, so it is asked of the best alone, and of
/// all candidates only where many of those do not.
fn top_that_count<N: Norms>(
    searcher: &mut Searcher,
    clauses: &[Clause<'_, ModelScorer, N>],
    space: &Space<'_>,
    depth: usize,
    counts: impl Fn(u32) -> bool,
) -> Vec<Found> {
    let some_more = depth.saturating_add(depth / 8 + 8);
    let mut found = searcher.top(clauses, space, some_more, |_| true);
    let is_all = found.len() < some_more;
    found.retain(|found| counts(found.doc));
    if found.len() < depth && !is_all {
        return searcher.top(clauses, space, depth, counts);
    }
    found.truncate(depth);
    found
}

/// Counts the features of the formula that was read last; says how many symbols it has if that is known.
fn count(kind: FeatureKind, model: Model, work: &mut Work) -> (BTreeMap<u64, Count>, usize) {
    let mut counted: BTreeMap<u64, Count> = BTreeMap::new();
    let mut size = 0;
    let mut count = |key: u64, weight: f32, idf_of: Option<u64>| {
        let entry = counted.entry(key).or_insert(Count { weight: f64::from(weight), frequency: 0.0, idf_of });
        entry.frequency += 1.0;
    };
    let by_symbol = model.weighs_symbols();
    match kind {
        FeatureKind::Parts => size = work.extractor.parts(|key, weight| count(key, weight, None)),
        FeatureKind::PhocXy5 | FeatureKind::PhocXy7o4 if by_symbol => {
            work.extractor.regions(kind, |key, whole| count(key, 1.0, Some(whole)));
        }
        kind => work.extractor.features(kind, |key| count(key, 1.0, None)),
    }
    (counted, size)
}
