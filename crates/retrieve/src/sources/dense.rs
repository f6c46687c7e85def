//! Posts that mean what the query means: vectors of posts, compared with the vector of the query.
//!
//! Every post with a vector is compared, so the ranking is exact, except in large segments whose vectors stand in
//! lists: there the posts nearest to the query are found by the lists, and so are the answers to the questions
//! nearest to it. A post that was cut into passages is as near as the nearest of them.

use super::{Best, best};
use crate::engine::{Engine, Work};
use crate::error::Error;
use crate::hits::{Clue, ClueKind, Hit};
use crate::meaning::PostVectors;
use crate::pipeline::find::step;
use crate::pipeline::need::Need;
use crate::pipeline::stage::{Filter, OpenPostSource, PostSource};
use crate::query::Query;
use crate::system::{Dense, Need as Must, Normalise};
use index::Document;
use index::parts::Over;
use std::collections::BTreeSet;

/// The group of the clues.
pub(crate) const GROUP: &str = "meaning";
/// In lists, this many times the posts that are asked for are found: some are not wanted, and the question of an
/// answer counts as well.
const MARGIN: usize = 4;

/// Finds posts by vectors.
#[derive(Clone, Debug)]
pub(crate) struct DenseSearch {
    dense: Dense,
}

impl DenseSearch {
    pub(crate) fn new(dense: &Dense) -> Self {
        Self { dense: dense.clone() }
    }

    /// The vectors, compared with that of the query; nothing if they are missing and may be.
    fn compared<'q>(&'q self, engine: &'q Engine, query: &Query) -> Result<Option<PostVectors<'q>>, Error> {
        let found = engine.vectors(Over::Posts, self.dense.model.as_deref());
        let vectors = found.map_err(|what| engine.lacks_meaning(&what))?;
        if !query.is_rankable() {
            return Ok(None);
        }
        let vector = engine.query_vector(&vectors, query, self.dense.query)?;
        PostVectors::open(engine, &vectors, vector).map(Some)
    }
}

impl PostSource for DenseSearch {
    fn name(&self) -> &'static str {
        "dense"
    }

    fn model(&self, engine: &Engine) -> Option<String> {
        let vectors = engine.vectors(Over::Posts, self.dense.model.as_deref());
        vectors.ok().map(|vectors| vectors.settings.model)
    }

    fn needs(&self) -> Vec<Need> {
        match self.dense.need {
            Must::Required => vec![Need::Vectors(Over::Posts, self.dense.model.clone())],
            Must::Optional => Vec::new(),
        }
    }

    fn open<'q>(
        &'q self,
        engine: &'q Engine,
        query: &'q Query,
        work: &mut Work,
    ) -> Result<Box<dyn OpenPostSource + 'q>, Error> {
        let vectors = match self.compared(engine, query) {
            // Missing vectors and a model that fails are no reason to find nothing.
            Err(Error::Model { .. }) if self.dense.need == Must::Optional => None,
            vectors => vectors?,
        };
        let segments = vectors.as_ref().map_or(0, PostVectors::segments);
        let mut open =
            OpenDense { engine, dense: &self.dense, vectors, scanned: vec![None; segments], scale: 1.0 };
        if self.dense.normalise == Normalise::Max {
            open.scale = open.highest(work)?;
        }
        Ok(Box::new(open))
    }
}

struct OpenDense<'q> {
    engine: &'q Engine,
    dense: &'q Dense,
    /// Nothing if nothing is compared.
    vectors: Option<PostVectors<'q>>,
    /// For each segment the similarities of all its posts, once they are needed.
    scanned: Vec<Option<Vec<f32>>>,
    /// What similarities are divided by.
    scale: f64,
}

impl OpenDense<'_> {
    /// How near a post is, from -1 to 1.
    fn similarity(&self, document: Document) -> Option<f64> {
        let similarity = match self.scanned.get(document.segment)? {
            Some(scanned) => *scanned.get(document.doc as usize)?,
            None => self.vectors.as_ref()?.nearest(document)?.1,
        };
        (!similarity.is_nan()).then_some(f64::from(similarity))
    }

    /// The post itself and the question it answers, with what they count.
    fn parts(&self, document: Document) -> [(&'static str, Document, f64); 2] {
        let Dense { own, question, .. } = *self.dense;
        match self.engine.parent(document) {
            Some(parent) => [("post", document, own), ("question", parent, question)],
            // A question answers none.
            None => [("post", document, own + question), ("question", document, 0.0)],
        }
    }

    fn score_of(&self, document: Document) -> f64 {
        let score = |(_, document, weight): (&str, Document, f64)| {
            if weight == 0.0 { 0.0 } else { weight * self.similarity(document).unwrap_or(0.0) }
        };
        let sum: f64 = self.parts(document).into_iter().map(score).sum();
        let is_near = self.scale > 0.0 && (self.dense.least <= 0.0 || sum >= self.dense.least);
        if is_near { self.dense.weight * sum / self.scale } else { 0.0 }
    }

    /// The greatest similarity of a post, if it and its question were as near.
    fn highest(&mut self, work: &mut Work) -> Result<f64, Error> {
        let mut highest = 0.0_f64;
        for segment in 0..self.scanned.len() {
            if let Some(first) = self.listed(segment, 1, work)? {
                let first = first.first().and_then(|doc| self.similarity(Document { segment, doc: *doc }));
                highest = highest.max(first.unwrap_or(0.0));
            } else {
                let all = self.scan(segment, work)?.iter().filter(|value| !value.is_nan());
                highest = all.fold(highest, |best, value| best.max(f64::from(*value)));
            }
        }
        Ok(highest * (self.dense.own + self.dense.question))
    }

    /// The similarities of all posts of a segment.
    fn scan(&mut self, segment: usize, work: &mut Work) -> Result<&[f32], Error> {
        let (scanned, Some(vectors)) = (&mut self.scanned[segment], &self.vectors) else { return Ok(&[]) };
        if scanned.is_none() {
            if work.is_over() {
                return Err(Error::Stopped);
            }
            *scanned = Some(vectors.all(segment)?);
        }
        Ok(scanned.as_deref().unwrap_or_default())
    }

    /// About the nearest posts of a segment, if its vectors stand in lists that may be used.
    fn listed(&self, segment: usize, depth: usize, work: &mut Work) -> Result<Option<Vec<u32>>, Error> {
        match &self.vectors {
            Some(vectors) if !self.dense.exact => vectors.nearest_listed(segment, depth, work),
            _ => Ok(None),
        }
    }

    /// Posts of a segment among which the best `depth` that are accepted are, as far as lists can tell; nothing if
    /// all have to be looked at.
    fn candidates(
        &self,
        segment: usize,
        depth: usize,
        accept: &Filter<'_>,
        work: &mut Work,
    ) -> Result<Option<BTreeSet<u32>>, Error> {
        let posts = &self.engine.index.segments()[segment].posts;
        let depth = step(depth);
        let mut wanted = depth.saturating_mul(MARGIN);
        // Beyond that, looking at all of them is as fast.
        while wanted < posts.documents() as usize / MARGIN {
            let Some(found) = self.listed(segment, wanted, work)? else { return Ok(None) };
            let mut candidates: BTreeSet<u32> = found.iter().copied().collect();
            if self.dense.question != 0.0 {
                let answers = found.iter().flat_map(|doc| posts.space().answers(*doc));
                candidates.extend(answers);
            }
            candidates.retain(|doc| accept(Document { segment, doc: *doc }));
            if candidates.len() >= depth || found.len() < wanted {
                return Ok(Some(candidates));
            }
            wanted = wanted.saturating_mul(MARGIN);
        }
        Ok(None)
    }
}

impl OpenPostSource for OpenDense<'_> {
    fn top(&mut self, depth: usize, accept: &Filter<'_>, work: &mut Work) -> Result<Vec<Hit>, Error> {
        let mut found = Best::new(depth);
        for segment in 0..self.scanned.len() {
            let candidates = self.candidates(segment, depth, accept, work)?;
            let documents = match &candidates {
                Some(_) => 0,
                None => self.scan(segment, work)?.len() as u32,
            };
            let listed = candidates.into_iter().flatten();
            work.each(listed.chain(0..documents), |doc| {
                let document = Document { segment, doc };
                let score = self.score_of(document);
                let is_found = score > 0.0 || self.dense.least <= 0.0;
                if is_found && found.takes(score) && accept(document) {
                    found.push(document, score);
                }
            })?;
        }
        Ok(best(self.engine, found.into_scored(), depth))
    }

    fn score(&mut self, documents: &[Document], _: &mut Work) -> Result<Vec<f64>, Error> {
        Ok(documents.iter().map(|document| self.score_of(*document)).collect())
    }

    fn explain(&mut self, document: Document, _: &mut Work) -> Result<Vec<Clue>, Error> {
        let mut clues = Vec::new();
        let Some(vectors) = self.vectors.as_ref().filter(|_| self.score_of(document) != 0.0) else {
            return Ok(clues);
        };
        for (place, document, weight) in self.parts(document) {
            let Some((passage, similarity)) = vectors.nearest(document).filter(|_| weight != 0.0) else {
                continue;
            };
            let term = match passage {
                0 => "matched by meaning".to_owned(),
                later => format!("matched by meaning, passage {}", later + 1),
            };
            clues.push(Clue {
                group: GROUP.to_owned(),
                place,
                term,
                kind: ClueKind::Remark,
                frequency: similarity,
                score: self.dense.weight * weight * f64::from(similarity) / self.scale,
            });
        }
        Ok(clues)
    }
}
