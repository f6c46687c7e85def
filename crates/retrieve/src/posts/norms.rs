//! The norms of documents, worked out once for each model and choice of fields.

use super::vectors;
use crate::model::{Model, TermStatistics, Totals};
use crate::system::{Features, Part, Returns};
use index::top::Spread;
use index::{Document, FeatureKind, Field, Index, Segment};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use text::StopWords;

/// The norms of a segment's documents.
#[derive(Debug)]
pub(crate) struct DocumentNorms {
    pub(crate) norms: Vec<f32>,
    /// The least of each window.
    pub(crate) least: Vec<f32>,
    pub(crate) totals: Totals,
}

/// A field that counts to the length of a document: whose it is, and how often it counts.
pub(crate) type Measured = (Field, Spread, f64);

/// The documents of each segment that a system returns: those of the right kind that are valid.
#[derive(Debug)]
pub(crate) struct Returned(Vec<Vec<u64>>);

impl Returned {
    fn new(index: &Index, is_returned: impl Fn(Document) -> bool) -> Self {
        let bits = |(number, segment): (usize, &Segment)| {
            let mut bits = vec![0; (segment.posts.documents() as usize).div_ceil(64)];
            for doc in (0..segment.posts.documents()).filter(|doc| segment.is_live(*doc)) {
                if is_returned(Document { segment: number, doc }) {
                    bits[doc as usize / 64] |= 1 << (doc % 64);
                }
            }
            bits
        };
        Self(index.segments().iter().enumerate().map(bits).collect())
    }

    /// Whether a document is among them.
    #[inline]
    pub(crate) fn has(&self, document: Document) -> bool {
        self.0[document.segment][document.doc as usize / 64] >> (document.doc % 64) & 1 == 1
    }
}

/// How many terms have their statistics remembered.
const REMEMBERED: usize = 500_000;

/// What terms were found to be, and which documents systems return.
#[derive(Debug, Default)]
pub(crate) struct TermCache {
    returned: Mutex<HashMap<Returns, Arc<Returned>>>,
    statistics: Mutex<HashMap<(u64, u64), TermStatistics, foldhash::fast::FixedState>>,
}

impl TermCache {
    /// The documents that are returned.
    pub(crate) fn returned(
        &self,
        index: &Index,
        returns: Returns,
        is_returned: impl Fn(Document) -> bool,
    ) -> Arc<Returned> {
        let mut known = self.returned.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(known.entry(returns).or_insert_with(|| Arc::new(Returned::new(index, is_returned))))
    }

    /// The statistics of a term, counted in some way.
    pub(crate) fn statistics(
        &self,
        (way, key): (u64, u64),
        count: impl FnOnce() -> TermStatistics,
    ) -> TermStatistics {
        let lock = || self.statistics.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().get(&(way, key)) {
            return *known;
        }
        let statistics = count();
        let mut known = lock();
        if known.len() >= REMEMBERED {
            known.clear();
        }
        known.insert((way, key), statistics);
        statistics
    }
}

/// The norms that were asked for so far.
#[derive(Debug, Default)]
pub(crate) struct NormCache(Mutex<HashMap<String, Vec<Arc<DocumentNorms>>>>);

impl NormCache {
    /// The norms of all segments.
    pub(crate) fn of_posts(
        &self,
        index: &Index,
        part: &Part,
        measured: &[Measured],
        returns: Returns,
        returned: &Returned,
    ) -> Vec<Arc<DocumentNorms>> {
        let by_vectors = matches!(part.model, Model::TfIdfCosine(_));
        let stem = if by_vectors { part.stem.name() } else { "" };
        let key = format!("{measured:?} {:?} {:?} {returns:?} {stem}", part.model, part.stop);
        self.get(key, || {
            let lengths: Vec<Vec<f32>> = if by_vectors {
                vectors::lengths(index, part, measured, returned)
            } else {
                index.segments().iter().map(|segment| lengths(segment, measured, part.stop)).collect()
            };
            let (mut documents, mut sum) = (0.0, 0.0);
            for (number, lengths) in lengths.iter().enumerate() {
                for (doc, length) in (0_u32..).zip(lengths) {
                    if returned.has(Document { segment: number, doc }) {
                        documents += 1.0;
                        sum += f64::from(*length);
                    }
                }
            }
            let totals = Totals { documents, mean_length: sum / f64::max(documents, 1.0) };
            let norms = index.segments().iter().zip(lengths).map(|(segment, lengths)| {
                DocumentNorms::new(lengths, segment.posts.windows(), part.model, totals)
            });
            norms.collect()
        })
    }

    /// The norms of the formulas of a collection.
    pub(crate) fn of_formulas(
        &self,
        index: &Index,
        source: usize,
        features: &Features,
        model: Model,
    ) -> Arc<DocumentNorms> {
        let kinds: Vec<FeatureKind> = features.kinds().iter().map(|(kind, _)| *kind).collect();
        let all = self.get(format!("formulas {kinds:?} {model:?}"), || {
            let lengths: Vec<Vec<f32>> = index
                .sources()
                .iter()
                .map(|source| {
                    let mut sums = vec![0.0; source.formulas.documents() as usize];
                    for kind in &kinds {
                        for (sum, length) in sums.iter_mut().zip(source.formulas.lengths(*kind)) {
                            *sum += f32::from(length);
                        }
                    }
                    sums
                })
                .collect();
            let documents: f64 = lengths.iter().map(|lengths| lengths.len() as f64).sum();
            let sum: f64 = lengths.iter().flatten().map(|length| f64::from(*length)).sum();
            let totals = Totals { documents, mean_length: sum / documents.max(1.0) };
            let norms = index.sources().iter().zip(lengths).map(|(source, lengths)| {
                DocumentNorms::new(lengths, source.formulas.space().windows, model, totals)
            });
            norms.collect()
        });
        Arc::clone(&all[source])
    }

    fn get(&self, key: String, work_out: impl FnOnce() -> Vec<DocumentNorms>) -> Vec<Arc<DocumentNorms>> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let norms = known.entry(key).or_insert_with(|| work_out().into_iter().map(Arc::new).collect());
        norms.clone()
    }
}

impl DocumentNorms {
    fn new(lengths: Vec<f32>, windows: &[u32], model: Model, totals: Totals) -> Self {
        let mut norms = lengths;
        for norm in &mut norms {
            *norm = model.norm(f64::from(*norm), totals);
        }
        let ends = windows.iter().skip(1).map(|end| *end as usize).chain([norms.len()]);
        let least = windows
            .iter()
            .zip(ends)
            .map(|(start, end)| norms[*start as usize..end].iter().copied().fold(f32::INFINITY, f32::min));
        Self { least: least.collect(), norms, totals }
    }
}

/// How long each document of a segment is.
fn lengths(segment: &Segment, measured: &[Measured], stop: StopWords) -> Vec<f32> {
    let posts = &segment.posts;
    let mut sums = vec![0.0; posts.documents() as usize];
    for (field, spread, factor) in measured {
        let factor = *factor as f32;
        match spread {
            Spread::Own => {
                for (sum, length) in sums.iter_mut().zip(posts.lengths(*field, stop)) {
                    *sum += factor * f32::from(length);
                }
            }
            Spread::Answers => {
                let lengths: Vec<u16> = posts.lengths(*field, stop).collect();
                for (doc, sum) in (0_u32..).zip(&mut sums) {
                    if let Some(parent) = posts.parent(doc) {
                        *sum +=
                            factor * lengths.get(parent as usize).map_or(0.0, |length| f32::from(*length));
                    }
                }
            }
        }
    }
    sums
}
