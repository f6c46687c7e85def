//! Formulas found by their vectors, and formulas in their context.

use super::{Candidate, Places, drop_twins, in_order, put_below, sort};
use crate::engine::{Engine, Work};
use crate::error::Error;
use crate::hits::FormulaHit;
use crate::meaning::{PostVectors, nearest_formulas};
use crate::query::Query;
use crate::system::{FormulaContext, FormulaDense, Identical, Need as Must, QueryText};
use index::Document;
use index::parts::Over;
use std::collections::HashMap;
use store::FormulaNo;

/// The number of instances of a formula that are compared, the first ones. Formulas that stand in more posts, such
/// as a single letter, say little.
const MOST_PLACES: usize = 4096;

impl Engine {
    /// The formulas whose vectors are nearest to that of a formula, best first.
    pub(super) fn find_by_vectors(
        &self,
        dense: &FormulaDense,
        (latex, places): (&str, Places),
        depth: usize,
        work: &mut Work,
    ) -> Result<Vec<Candidate>, Error> {
        let found = self.vectors(Over::Formulas, dense.model.as_deref());
        let vectors = found.map_err(|what| self.lacks_meaning(&what))?;
        let query = self.formula_vector(&vectors, latex)?;
        let live = self.index.segments().iter().all(|segment| segment.live() == segment.posts.documents());
        let all = live && places == Places::All;
        let mut best = Vec::new();
        for (number, source) in self.index.sources().iter().enumerate() {
            let formulas = &source.formulas;
            let accept = |doc: u32| all || self.first_place(number, doc, places).is_some();
            let effort = (depth, dense.exact);
            let found = nearest_formulas(self, (&vectors, number), &query, effort, accept, work)?;
            best.extend(found.into_iter().map(|(doc, similarity)| Candidate {
                source: number,
                doc,
                score: dense.weight * similarity,
                visual_id: source.collection.visual_id(formulas.visual(doc)),
                ways: 0,
            }));
        }
        sort(&mut best);
        drop_twins(&mut best);
        best.truncate(depth);
        Ok(best)
    }

    /// Adds to the first formulas what the nearest of the posts that they stand in is worth, and brings them into
    /// their new order; the others stay below.
    pub(super) fn add_context(
        &self,
        context: &FormulaContext,
        (question, places): (&Query, Places),
        hits: &mut [FormulaHit],
        work: &mut Work,
    ) -> Result<(), Error> {
        let mut nearness = match self.nearness(context, question) {
            Err(Error::Model { .. }) if context.need == Must::Optional => return Ok(()),
            nearness => nearness?,
        };
        let (first, others) = hits.split_at_mut(context.depth.min(hits.len()));
        let mut compared = Vec::with_capacity(first.len());
        for hit in &*first {
            if work.is_over() {
                return Ok(());
            }
            compared.push(self.nearest_place(hit, places, &mut nearness));
        }
        let most = context.own + context.question;
        for (hit, nearest) in first.iter_mut().zip(compared) {
            let is_same = hit.similarity.is_some_and(|similarity| similarity >= 1.0);
            hit.place = nearest.map(|(place, _)| place);
            hit.score += context.weight
                * match nearest {
                    _ if is_same && context.identical == Identical::Always => most,
                    Some((_, similarity)) => similarity,
                    None => 0.0,
                };
        }
        first.sort_by(|left, right| in_order((left.score, left.visual_id), (right.score, right.visual_id)));
        if let Some(last) = first.last() {
            put_below(last.score, others.iter_mut().map(|hit| &mut hit.score));
        }
        Ok(())
    }

    fn nearness<'e>(&'e self, context: &FormulaContext, question: &Query) -> Result<Nearness<'e>, Error> {
        let found = self.vectors(Over::Posts, context.model.as_deref());
        let vectors = found.map_err(|what| self.lacks_meaning(&what))?;
        let query = self.query_vector(&vectors, question, QueryText::All)?;
        let vectors = PostVectors::open(self, &vectors, query)?;
        let FormulaContext { own, question, .. } = *context;
        Ok(Nearness { engine: self, vectors, own, question, known: HashMap::default() })
    }

    /// The instance of a formula in the nearest post, the first of several, and how near that is.
    fn nearest_place(
        &self,
        hit: &FormulaHit,
        of: Places,
        nearness: &mut Nearness<'_>,
    ) -> Option<(FormulaNo, f64)> {
        let source = &self.index.sources()[hit.source];
        let forms = source.collection.forms_of_visual(source.formulas.visual(hit.doc));
        let places = forms.flat_map(|form| source.collection.formulas_of_form(form));
        let mut nearest: Option<(FormulaNo, f64)> = None;
        for place in places.take(MOST_PLACES) {
            let Some(document) = self.document_of_place(hit.source, place, of) else { continue };
            let Some(similarity) = nearness.of(document) else { continue };
            let is_nearer = nearest.is_none_or(|(best, most)| (similarity, best) > (most, place));
            if is_nearer {
                nearest = Some((place, similarity));
            }
        }
        nearest
    }
}

/// How near posts are to a question.
struct Nearness<'e> {
    engine: &'e Engine,
    vectors: PostVectors<'e>,
    own: f64,
    question: f64,
    known: HashMap<Document, Option<f64>, foldhash::fast::FixedState>,
}

impl Nearness<'_> {
    fn of(&mut self, document: Document) -> Option<f64> {
        if let Some(known) = self.known.get(&document) {
            return *known;
        }
        let near = |document| {
            let nearest = self.vectors.nearest(document)?.1;
            // A damaged vector has no meaning.
            nearest.is_finite().then_some(f64::from(nearest))
        };
        let similarity = near(document).map(|own| {
            // A question answers none.
            let question = self.engine.parent(document).and_then(near).unwrap_or(own);
            self.own * own + self.question * question
        });
        self.known.insert(document, similarity);
        similarity
    }
}
