//! Posts that have formulas like those of a query, as the system's stage for formulas finds them.
//!
//! What was found for a formula of the query is spread to the posts that it stands in:
//!
//! ```text
//! weight · Σ share · score of a formula of the post,   share = best for one formula of the query, else others
//! ```

use super::terms::chosen;
use super::{Filter, GroupQuery};
use crate::engine::{Engine, Memory};
use crate::error::Error;
use crate::hits::{Clue, Hit};
use crate::query::Query;
use crate::system::{ByFormulas, Kept, Returns, System};
use collection::{DocId, order};
use index::Document;
use index::top::Found;
use std::collections::{BTreeMap, BTreeSet};
use store::Part;

/// What posts gain by a formula of the query.
pub(super) struct Gain {
    latex: String,
    posts: BTreeMap<Document, f64>,
}

/// What a document gains by all formulas.
fn gained(gains: &[Gain], document: Document) -> f64 {
    gains.iter().filter_map(|gain| gain.posts.get(&document)).sum()
}

impl Engine {
    /// What posts gain by the formulas of a query that are chosen, a formula after the other.
    pub(super) fn gains(
        &self,
        system: &System,
        by: ByFormulas,
        query: &Query,
        memory: &mut Memory,
    ) -> Result<Vec<Gain>, Error> {
        let mut gains: Vec<Gain> = Vec::new();
        let mut highest = Vec::new();
        let formulas = chosen(query, by.choose, &mut memory.extractor);
        let mut seen = BTreeSet::new();
        for latex in formulas.into_iter().flatten().filter(|latex| seen.insert(*latex)) {
            let hits = self.formulas(system, latex, by.depth)?;
            highest.push(hits.first().map_or(f64::NEG_INFINITY, |hit| hit.score));
            let mut posts = BTreeMap::new();
            for hit in hits {
                for document in self.posts_with(hit.visual_id) {
                    match by.keep {
                        // The best comes first.
                        Kept::Best => _ = posts.entry(document).or_insert(hit.score),
                        Kept::Last => _ = posts.insert(document, hit.score),
                    }
                }
            }
            gains.push(Gain { latex: latex.to_owned(), posts });
        }
        let most = highest.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let best = highest.iter().position(|score| *score == most);
        for (place, gain) in gains.iter_mut().enumerate() {
            let share = by.weight * if Some(place) == best { by.best } else { by.others };
            gain.posts.values_mut().for_each(|score| *score *= share);
        }
        Ok(gains)
    }

    /// The valid posts that have a formula, whatever their kind; comments do not count.
    pub(crate) fn posts_with(&self, visual_id: u64) -> Vec<Document> {
        let mut documents = Vec::new();
        for (number, source) in self.index.sources().iter().enumerate() {
            let collection = &source.collection;
            let Some(visual) = collection.find_visual(visual_id) else { continue };
            let places =
                collection.forms_of_visual(visual).flat_map(|form| collection.formulas_of_form(form));
            let places = places.filter(|place| collection.formula_marks(*place).part() != Part::Comment);
            let found = |place| self.index.document(number, collection.formula_post(place)?);
            documents.extend(places.filter_map(found));
        }
        documents.sort_unstable();
        documents.dedup();
        documents
    }

    /// Adds what posts gain to what they are worth by the groups, and ranks both kinds together.
    pub(super) fn add_gains(
        &self,
        hits: Vec<Hit>,
        gains: &[Gain],
        groups: &[GroupQuery<'_, '_>],
        (returns, depth): (Returns, usize),
        filter: &Filter<'_>,
        memory: &mut Memory,
    ) -> Vec<Hit> {
        let mut scores: BTreeMap<Document, f64> =
            hits.into_iter().map(|hit| (hit.document, hit.score)).collect();
        let returned = self.returned(returns);
        let others: BTreeSet<Document> = gains
            .iter()
            .flat_map(|gain| gain.posts.keys().copied())
            .filter(|document| !scores.contains_key(document))
            .filter(|document| returned.has(*document) && filter(*document))
            .collect();
        scores.extend(self.score_documents(groups, &others, memory));
        let hit = |(document, score): (Document, f64)| {
            let (source, post) = self.index.post(document);
            let id = source.collection.post_id(post).to_string();
            Hit { document, id, score: score + gained(gains, document) }
        };
        let mut hits: Vec<Hit> = scores.into_iter().map(hit).collect();
        hits.sort_by(|left, right| {
            order::compare((left.score, DocId(&left.id)), (right.score, DocId(&right.id)))
        });
        hits.truncate(depth);
        hits
    }

    /// What documents are worth by the groups.
    pub(crate) fn score_documents<'d>(
        &self,
        groups: &[GroupQuery<'_, '_>],
        documents: impl IntoIterator<Item = &'d Document> + Clone,
        memory: &mut Memory,
    ) -> Vec<(Document, f64)> {
        let mut scores = Vec::new();
        for (number, segment) in self.index.segments().iter().enumerate() {
            let of_segment = documents.clone().into_iter().filter(|document| document.segment == number);
            let mut found: Vec<Found> =
                of_segment.map(|document| Found { doc: document.doc, score: 0.0 }).collect();
            let clauses = super::clauses_of(groups, number, super::Which::All);
            memory.searcher.rescore(&clauses, &segment.posts.space(), &mut found);
            scores.extend(
                found.into_iter().map(|Found { doc, score }| (Document { segment: number, doc }, score)),
            );
        }
        scores
    }
}

/// What a document gains, as clues.
pub(super) fn clues(gains: &[Gain], document: Document) -> impl Iterator<Item = Clue> {
    gains.iter().filter_map(move |gain| {
        let worth = *gain.posts.get(&document)?;
        let (group, term) = ("formulas".to_owned(), gain.latex.clone());
        Some(Clue { group, place: "post", term, frequency: 1.0, worth })
    })
}
