//! Meaning as vectors: those of an index, those of queries, and the texts that models read.

use crate::engine::{Engine, Work};
use crate::error::Error;
use crate::query::Query;
use crate::sources::Best;
use crate::system::QueryText;
use dense::text::{FormulaStyle, Masking, TextWriter};
use dense::{Encode, EncodeError, Settings, VectorFile};
use index::Document;
use index::parts::Over;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use store::{FormulaNo, Reader};
use text::FORMULA;

/// The number of queries whose vectors are kept.
const KEPT: usize = 64;

/// Vectors of queries that were encoded lately.
#[derive(Debug, Default)]
pub(crate) struct QueryVectors(Mutex<Kept>);

/// Vectors by the fingerprint of the model and the text.
type Kept = BTreeMap<(String, String), Arc<Vec<f32>>>;

/// The vectors of an index.
#[derive(Clone, Debug)]
pub(crate) struct IndexVectors {
    part: String,
    pub(crate) settings: Settings,
}

impl IndexVectors {
    /// The open vectors of posts, for each segment.
    pub(crate) fn files<'e>(&self, engine: &'e Engine) -> Result<Vec<Option<VectorFile<'e>>>, Error> {
        let file = |segment: &'e index::Segment| {
            segment.part(&self.part).map(|file| VectorFile::new(file, &self.settings)).transpose()
        };
        Ok(engine.index.segments().iter().map(file).collect::<Result<_, _>>()?)
    }
}

/// An error of a model.
pub(crate) fn failed(cause: impl std::fmt::Display) -> Error {
    Error::Model { reason: cause.to_string() }
}

impl Engine {
    /// The vectors of posts or formulas by a model, or by any if none is named; what is lacking if there are none or
    /// the model is missing. Nothing is opened.
    pub(crate) fn vectors(&self, over: Over, model: Option<&str>) -> Result<IndexVectors, String> {
        let parts = self.index.parts().iter().filter(|label| label.over == over);
        let mut known = parts.filter_map(|label| Some((label.name.clone(), Settings::read(label)?)));
        let found = known.find(|(_, settings)| model.is_none_or(|model| model == settings.model));
        let Some((part, settings)) = found else {
            let what = match over {
                Over::Posts => "vectors",
                Over::Formulas => "vectors of formulas",
            };
            return Err(model.map_or(what.to_owned(), |model| format!("{what} by {model}")));
        };
        if !self.resources.knows_model(&settings.model) {
            return Err(format!("the model {}, which made its vectors", settings.model));
        }
        Ok(IndexVectors { part, settings })
    }

    /// An error that says what ranking by meaning lacks.
    pub(crate) fn lacks_meaning(&self, what: &str) -> Error {
        failed(format!("{}: ranking by meaning lacks {what}", self.index.path().display()))
    }

    /// The encoder that made vectors.
    fn encoder(&self, settings: &Settings) -> Result<Arc<dyn Encode>, Error> {
        let encoder = self.model(|models| models.encoder(&settings.model, Some(settings.tokens)))?;
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
    pub(crate) fn query_vector(
        &self,
        vectors: &IndexVectors,
        query: &Query,
        what: QueryText,
    ) -> Result<Arc<Vec<f32>>, Error> {
        let mut writer = TextWriter::new(vectors.settings.formulas);
        let text = match what {
            QueryText::Title if query.typed.is_none() && !query.title.is_empty() => {
                writer.query((&query.title.text, &query.title.formulas), ("", &[]))
            }
            _ => query_text(query, &mut writer),
        };
        self.text_vector(vectors, text)
    }

    /// The vector of a formula.
    pub(crate) fn formula_vector(&self, vectors: &IndexVectors, latex: &str) -> Result<Arc<Vec<f32>>, Error> {
        self.text_vector(vectors, TextWriter::new(vectors.settings.formulas).formula_alone(latex))
    }

    fn text_vector(&self, vectors: &IndexVectors, text: String) -> Result<Arc<Vec<f32>>, Error> {
        let key = (vectors.settings.fingerprint.clone(), text);
        let known = |kept: &Kept| kept.get(&key).cloned();
        if let Some(vector) = known(&self.query_vectors.0.lock().unwrap_or_else(PoisonError::into_inner)) {
            return Ok(vector);
        }
        let vector = self.encoder(&vectors.settings)?.encode(&[&key.1]).map_err(failed)?;
        if vector.len() != vectors.settings.dimensions {
            return Err(failed(format!(
                "the model {} gives vectors of {} numbers, and the index has {}",
                vectors.settings.model,
                vector.len(),
                vectors.settings.dimensions
            )));
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
fn query_text(query: &Query, writer: &mut TextWriter) -> String {
    let Some(typed) = query.typed.as_deref() else {
        let Query { title, body, .. } = query;
        return writer.query((&title.text, &title.formulas), (&body.text, &body.formulas));
    };
    let (text, formulas) = typed.typed.in_order(FORMULA);
    writer.query((&text, &formulas), ("", &[]))
}

/// The vectors of all posts of an index, compared with one vector.
#[derive(Debug)]
pub(crate) struct PostVectors<'e> {
    engine: &'e Engine,
    query: Arc<Vec<f32>>,
    /// One for each segment.
    files: Vec<Option<VectorFile<'e>>>,
}

impl<'e> PostVectors<'e> {
    /// Opens the vectors; nothing is compared.
    pub(crate) fn open(
        engine: &'e Engine,
        vectors: &IndexVectors,
        query: Arc<Vec<f32>>,
    ) -> Result<Self, Error> {
        Ok(Self { engine, query, files: vectors.files(engine)? })
    }

    /// The number of segments.
    pub(crate) fn segments(&self) -> usize {
        self.files.len()
    }

    /// How near a post is, from -1 to 1, and which of its passages is nearest; nothing without a vector.
    pub(crate) fn nearest(&self, document: Document) -> Option<(usize, f32)> {
        self.files.get(document.segment)?.as_ref()?.nearest(document.doc, &self.query)
    }

    /// How near every post of a segment is; not a number for posts without a vector.
    pub(crate) fn all(&self, segment: usize) -> Result<Vec<f32>, Error> {
        let documents = self.engine.index.segments()[segment].posts.documents();
        let Some(file) = &self.files[segment] else { return Ok(vec![f32::NAN; documents as usize]) };
        let rows = file.rows().scores(&self.query).map_err(failed)?;
        let of = |doc: u32| {
            let rows = file.of(doc).map_while(|row| rows.get(row as usize).copied());
            rows.reduce(f32::max).unwrap_or(f32::NAN)
        };
        Ok((0..documents).map(of).collect())
    }

    /// About the nearest posts of a segment, if its vectors stand in lists.
    pub(crate) fn nearest_listed(
        &self,
        segment: usize,
        depth: usize,
        work: &mut Work,
    ) -> Result<Option<Vec<u32>>, Error> {
        let Some(file) = &self.files[segment] else { return Ok(None) };
        let found = file.top_listed(&self.query, depth, |_| true, || work.is_over()).map_err(failed)?;
        Ok(found.map(|found| found.into_iter().map(|(doc, _)| doc).collect()))
    }
}

/// The vectors of all formulas of an index by a model, compared with that of one formula.
#[derive(Debug)]
pub(crate) struct FormulaVectors<'e> {
    query: Arc<Vec<f32>>,
    /// One for each collection.
    files: Vec<Option<VectorFile<'e>>>,
}

impl<'e> FormulaVectors<'e> {
    /// Opens the vectors, and makes that of the formula.
    pub(crate) fn open(engine: &'e Engine, model: &str, latex: &str) -> Result<Self, Error> {
        let found = engine.vectors(Over::Formulas, Some(model));
        let vectors = found.map_err(|what| engine.lacks_meaning(&what))?;
        let query = engine.formula_vector(&vectors, latex)?;
        let file = |source: &'e index::Source| {
            source.part(&vectors.part).map(|file| VectorFile::new(file, &vectors.settings)).transpose()
        };
        let files = engine.index.sources().iter().map(file).collect::<Result<_, _>>()?;
        Ok(Self { query, files })
    }

    /// How near a formula is, from -1 to 1; nothing without a vector.
    pub(crate) fn cosine(&self, source: usize, doc: u32) -> Option<f64> {
        let (_, near) = self.files.get(source)?.as_ref()?.nearest(doc, &self.query)?;
        near.is_finite().then_some(f64::from(near))
    }
}

/// The formulas of a collection that are nearest to a formula, with how near they are.
pub(crate) fn nearest_formulas(
    engine: &Engine,
    (vectors, source): (&IndexVectors, usize),
    query: &[f32],
    (depth, exact): (usize, bool),
    accept: impl Fn(u32) -> bool + Sync,
    work: &mut Work,
) -> Result<Vec<(u32, f64)>, Error> {
    let Some(file) = engine.index.sources()[source].part(&vectors.part) else { return Ok(Vec::new()) };
    let file = VectorFile::new(file, &vectors.settings)?;
    if !exact {
        let found = file.top_listed(query, depth, &accept, || work.is_over()).map_err(failed)?;
        if let Some(found) = found {
            return Ok(found.into_iter().map(|(doc, similarity)| (doc, f64::from(similarity))).collect());
        }
    }
    let similarities = file.rows().scores(query).map_err(failed)?;
    let mut best = Best::new(depth);
    work.each((0..).zip(similarities), |(doc, similarity)| {
        if best.takes(f64::from(similarity)) && accept(doc) {
            best.push(doc, f64::from(similarity));
        }
    })?;
    Ok(best.into_scored())
}

/// The texts of posts and queries as a model reads them.
pub(crate) struct Texts<'q> {
    engine: &'q Engine,
    writer: TextWriter,
    readers: Vec<(u16, Reader<'q>)>,
}

impl<'q> Texts<'q> {
    pub(crate) fn new(engine: &'q Engine, formulas: FormulaStyle) -> Self {
        let sources = engine.index.sources().iter();
        let readers = sources.map(|source| (source.number, source.collection.reader())).collect();
        Self { engine, writer: TextWriter::new(formulas), readers }
    }

    /// The text of a query.
    pub(crate) fn query(&mut self, query: &Query) -> String {
        query_text(query, &mut self.writer)
    }

    /// The text of a post.
    pub(crate) fn post(&mut self, document: Document) -> Result<String, Error> {
        let (source, post) = self.engine.index.post(document);
        let reader = self.readers.iter_mut().find(|(number, _)| *number == source.number);
        let reader = &mut reader.expect("there is a reader for each collection").1;
        Ok(self.writer.post(reader, post)?)
    }
}

impl Texts<'_> {
    /// The text of a post around one of its formulas; all others are masks.
    pub(crate) fn around(
        &mut self,
        document: Document,
        place: FormulaNo,
        masking: &Masking<'_>,
    ) -> Result<String, Error> {
        let (source, post) = self.engine.index.post(document);
        let reader = self.readers.iter_mut().find(|(number, _)| *number == source.number);
        let reader = &mut reader.expect("there is a reader for each collection").1;
        Ok(self.writer.around_formula(reader, post, &|number| number == place, masking)?)
    }
}

impl From<EncodeError> for Error {
    fn from(cause: EncodeError) -> Self {
        failed(cause)
    }
}
