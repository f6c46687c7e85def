//! Posts that mean what the query means: vectors of posts, compared with the vector of the query.
//!
//! Every post with a vector is compared, so the ranking is exact. A post that was cut into passages is as near as the
//! nearest of them.

use super::best;
use crate::engine::{Engine, Work};
use crate::error::Error;
use crate::hits::{Clue, ClueKind, Hit};
use crate::pipeline::need::Need;
use crate::pipeline::stage::{Filter, OpenPostSource, PostSource};
use crate::query::Query;
use crate::system::{Dense, Need as Must, Normalise};
use dense::text::TextWriter;
use dense::{Encode, Settings, VectorFile};
use index::{Document, Segment};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use text::FORMULA;

/// The group of the clues.
pub(crate) const GROUP: &str = "meaning";
/// The queries whose vectors are kept.
const KEPT: usize = 64;

/// Finds posts by vectors.
#[derive(Clone, Debug)]
pub(crate) struct DenseSearch {
    dense: Dense,
}

impl DenseSearch {
    pub(crate) fn new(dense: &Dense) -> Self {
        Self { dense: dense.clone() }
    }
}

/// Vectors of queries that were encoded lately.
#[derive(Debug, Default)]
pub(crate) struct QueryVectors(Mutex<Kept>);

/// Vectors by model and text.
type Kept = BTreeMap<(String, String), Arc<Vec<f32>>>;

/// The vectors of an index.
#[derive(Clone, Debug)]
pub(crate) struct IndexVectors {
    pub(crate) part: String,
    pub(crate) settings: Settings,
}

impl Engine {
    /// The vectors of posts by a model, or by any if none is named, and whether the model is there; what is lacking
    /// if there are none. Nothing is opened.
    pub(crate) fn vectors(&self, model: Option<&str>) -> Result<IndexVectors, String> {
        let parts = self.index.parts().iter().filter(|label| label.over == index::parts::Over::Posts);
        let mut known = parts.filter_map(|label| Some((label.name.clone(), Settings::read(label)?)));
        let found = known.find(|(_, settings)| model.is_none_or(|model| model == settings.model));
        let Some((part, settings)) = found else {
            return Err(model.map_or("vectors".to_owned(), |model| format!("vectors of {model}")));
        };
        if !self.resources.knows_model(&settings.model) {
            return Err(format!("the model {}, which made its vectors", settings.model));
        }
        Ok(IndexVectors { part, settings })
    }

    /// The encoder that made vectors.
    fn encoder(&self, settings: &Settings) -> Result<Arc<dyn Encode>, Error> {
        let failed = |reason: String| Error::Model { reason };
        let models = self.resources.models().ok_or_else(|| failed("there are no models".to_owned()))?;
        let opened = models.encoder(&settings.model, Some(settings.tokens));
        let encoder = opened.map_err(|cause| failed(cause.to_string()))?;
        if encoder.fingerprint() != settings.fingerprint {
            return Err(failed(format!(
                "{}: its vectors were made by another model of the name {}; make them again with `hypatia index`",
                self.index.path().display(),
                settings.model
            )));
        }
        Ok(encoder)
    }

    /// The vector of a query.
    pub(crate) fn query_vector(&self, vectors: &IndexVectors, query: &Query) -> Result<Arc<Vec<f32>>, Error> {
        let text = query_text(query, &mut TextWriter::new(vectors.settings.formulas));
        let key = (vectors.settings.fingerprint.clone(), text);
        let known = |kept: &Kept| kept.get(&key).cloned();
        if let Some(vector) = known(&self.query_vectors.0.lock().unwrap_or_else(PoisonError::into_inner)) {
            return Ok(vector);
        }
        let encoded = self.encoder(&vectors.settings)?.encode(&[&key.1]);
        let vector = encoded.map_err(|cause| Error::Model { reason: cause.to_string() })?;
        if vector.len() != vectors.settings.dimensions {
            let reason = format!(
                "the model {} gives vectors of {} numbers, and the index has {}",
                vectors.settings.model,
                vector.len(),
                vectors.settings.dimensions
            );
            return Err(Error::Model { reason });
        }
        let vector = Arc::new(vector);
        let mut kept = self.query_vectors.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= KEPT {
            kept.clear();
        }
        kept.insert(key, Arc::clone(&vector));
        Ok(vector)
    }
}

/// The text of a query, as an encoder reads it.
pub(crate) fn query_text(query: &Query, writer: &mut TextWriter) -> String {
    let Some(typed) = query.typed.as_deref() else {
        let Query { title, body, .. } = query;
        return writer.query((&title.text, &title.formulas), (&body.text, &body.formulas));
    };
    let (text, formulas) = typed.typed.in_order(FORMULA);
    writer.query((&text, &formulas), ("", &[]))
}

impl PostSource for DenseSearch {
    fn name(&self) -> &'static str {
        "dense"
    }

    fn model(&self, engine: &Engine) -> Option<String> {
        engine.vectors(self.dense.model.as_deref()).ok().map(|vectors| vectors.settings.model)
    }

    fn needs(&self) -> Vec<Need> {
        match self.dense.need {
            Must::Required => vec![Need::Vectors(self.dense.model.clone())],
            Must::Optional => Vec::new(),
        }
    }

    fn open<'q>(
        &'q self,
        engine: &'q Engine,
        query: &'q Query,
        work: &mut Work,
    ) -> Result<Box<dyn OpenPostSource + 'q>, Error> {
        let nothing = OpenDense { engine, dense: &self.dense, near: Vec::new(), scale: 0.0 };
        let vectors = match engine.vectors(self.dense.model.as_deref()) {
            Ok(vectors) => vectors,
            Err(_) if self.dense.need == Must::Optional => return Ok(Box::new(nothing)),
            Err(what) => {
                let index = engine.index.path().display();
                let reason = format!("{index}: ranking by meaning lacks {what}");
                return Err(Error::Model { reason });
            }
        };
        if !query.is_rankable() {
            return Ok(Box::new(nothing));
        }
        let vector = match engine.query_vector(&vectors, query) {
            Ok(vector) => vector,
            // A model that fails is no reason to find nothing.
            Err(Error::Model { .. }) if self.dense.need == Must::Optional => return Ok(Box::new(nothing)),
            Err(error) => return Err(error),
        };
        let mut near = Vec::new();
        for segment in engine.index.segments() {
            if work.is_over() {
                return Err(Error::Stopped);
            }
            near.push(nearness(segment, &vectors, &vector)?);
        }
        let mut open = OpenDense { near, ..nothing };
        open.scale = match self.dense.normalise {
            Normalise::None => 1.0,
            Normalise::Max => open.highest(),
        };
        Ok(Box::new(open))
    }
}

/// How near each post of a segment is to a query, and which of its passages is nearest.
struct Near {
    /// Not a number for posts without a vector.
    similarities: Vec<f32>,
    passages: Vec<u16>,
}

fn nearness(segment: &Segment, vectors: &IndexVectors, query: &[f32]) -> Result<Near, Error> {
    let documents = segment.posts.documents() as usize;
    let mut near = Near { similarities: vec![f32::NAN; documents], passages: vec![0; documents] };
    let Some(file) = segment.part(&vectors.part) else { return Ok(near) };
    let file = VectorFile::of_posts(file, &vectors.settings)?;
    let similarities = file.rows.scores(query).map_err(|cause| Error::Model { reason: cause.to_string() })?;
    for doc in 0..segment.posts.documents() {
        let rows = file.of(doc);
        for (passage, row) in (0..).zip(rows) {
            let (similarity, best) = (similarities[row as usize], &mut near.similarities[doc as usize]);
            if best.is_nan() || similarity > *best {
                *best = similarity;
                near.passages[doc as usize] = passage;
            }
        }
    }
    Ok(near)
}

struct OpenDense<'q> {
    engine: &'q Engine,
    dense: &'q Dense,
    /// For each segment; nothing if nothing is compared.
    near: Vec<Near>,
    /// What similarities are divided by.
    scale: f64,
}

impl OpenDense<'_> {
    /// How near a post is, from -1 to 1.
    fn similarity(&self, document: Document) -> Option<f64> {
        let similarity = *self.near.get(document.segment)?.similarities.get(document.doc as usize)?;
        (!similarity.is_nan()).then_some(f64::from(similarity))
    }

    /// The post itself and the question it answers, with what they count.
    fn parts(&self, document: Document) -> [(&'static str, Document, f64); 2] {
        let posts = &self.engine.index.segments()[document.segment].posts;
        let Dense { own, question, .. } = *self.dense;
        match posts.parent(document.doc) {
            Some(parent) => {
                [("post", document, own), ("question", Document { doc: parent, ..document }, question)]
            }
            // A question answers none.
            None => [("post", document, own + question), ("question", document, 0.0)],
        }
    }

    fn score_of(&self, document: Document) -> f64 {
        let worth = |(_, document, weight): (&str, Document, f64)| {
            if weight == 0.0 { 0.0 } else { weight * self.similarity(document).unwrap_or(0.0) }
        };
        let sum: f64 = self.parts(document).into_iter().map(worth).sum();
        let is_near = self.scale > 0.0 && sum >= self.dense.least;
        if is_near { self.dense.weight * sum / self.scale } else { 0.0 }
    }

    /// The greatest similarity of a post.
    fn highest(&self) -> f64 {
        let all = self.near.iter().flat_map(|near| &near.similarities).filter(|value| !value.is_nan());
        let total = self.dense.own + self.dense.question;
        f64::from(all.fold(0.0_f32, |best, value| best.max(*value))) * total
    }
}

impl OpenPostSource for OpenDense<'_> {
    fn top(&mut self, depth: usize, accept: &Filter<'_>, work: &mut Work) -> Result<Vec<Hit>, Error> {
        let mut scored = Vec::new();
        for (segment, near) in self.near.iter().enumerate() {
            work.each(0..near.similarities.len() as u32, |doc| {
                let document = Document { segment, doc };
                if accept(document) {
                    let score = self.score_of(document);
                    if score > 0.0 || self.dense.least <= 0.0 {
                        scored.push((document, score));
                    }
                }
            })?;
        }
        Ok(best(self.engine, scored, depth))
    }

    fn score(&mut self, documents: &[Document], _: &mut Work) -> Result<Vec<f64>, Error> {
        Ok(documents.iter().map(|document| self.score_of(*document)).collect())
    }

    fn explain(&mut self, document: Document, _: &mut Work) -> Result<Vec<Clue>, Error> {
        let mut clues = Vec::new();
        if self.score_of(document) == 0.0 {
            return Ok(clues);
        }
        for (place, document, weight) in self.parts(document) {
            let Some(similarity) = self.similarity(document).filter(|_| weight != 0.0 && self.scale > 0.0)
            else {
                continue;
            };
            let passage = self.near[document.segment].passages[document.doc as usize];
            let term = match passage {
                0 => "matched by meaning".to_owned(),
                later => format!("matched by meaning, passage {}", later + 1),
            };
            clues.push(Clue {
                group: GROUP.to_owned(),
                place,
                term,
                kind: ClueKind::Remark,
                frequency: similarity as f32,
                worth: self.dense.weight * weight * similarity / self.scale,
            });
        }
        Ok(clues)
    }
}
