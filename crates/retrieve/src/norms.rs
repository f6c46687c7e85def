//! What is worked out once about an index: norms of documents, statistics of terms, which posts are answers.

use crate::engine::Work;
use crate::error::Error;
use crate::model::{Model, TermStatistics, Totals};
use crate::sources::terms::vector_lengths;
use crate::system::{Features, Part, Returns};
use index::postings::Block;
use index::top::{Level, Spread};
use index::{Document, FeatureKind, Field, Index, Segment};
use std::collections::{BTreeSet, HashMap};
use std::hash::Hash;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, TryLockError};
use std::time::Duration;
use text::StopWords;

/// The norms of a segment's documents.
#[derive(Debug)]
pub(crate) struct DocumentNorms {
    pub(crate) norms: Vec<f32>,
    /// The least of each window.
    pub(crate) least: Vec<f32>,
    pub(crate) totals: Totals,
    /// Whether answers have the norms of their questions, and questions have these, too.
    pub(crate) level: Level,
}

/// A field that counts to the length of a document: whose it is, and how often it counts.
pub(crate) type Measured = (Field, Spread, f64);

/// The documents of each segment that a system returns: those of the right kind that are valid.
#[derive(Debug)]
pub(crate) struct Returned(Vec<Vec<u64>>);

impl Returned {
    fn new(index: &Index, work: &mut Work, is_returned: impl Fn(Document) -> bool) -> Result<Self, Error> {
        let mut all = Vec::new();
        for (number, segment) in index.segments().iter().enumerate() {
            let mut bits = vec![0; (segment.posts.documents() as usize).div_ceil(64)];
            work.each(0..segment.posts.documents(), |doc| {
                if segment.is_live(doc) && is_returned(Document { segment: number, doc }) {
                    bits[doc as usize / 64] |= 1 << (doc % 64);
                }
            })?;
            all.push(bits);
        }
        Ok(Self(all))
    }

    /// Whether there is none.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().flatten().all(|bits| *bits == 0)
    }

    /// Whether a document is among them.
    #[inline]
    pub(crate) fn has(&self, document: Document) -> bool {
        self.0[document.segment][document.doc as usize / 64] >> (document.doc % 64) & 1 == 1
    }
}

/// Values that are worked out once.
#[derive(Debug)]
struct Once<K, V>(Mutex<HashMap<K, Arc<Slot<V>>>>);

/// A value, and who works it out.
#[derive(Debug)]
struct Slot<V> {
    value: OnceLock<V>,
    working: Mutex<()>,
}

impl<K, V> Default for Once<K, V> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<V> Default for Slot<V> {
    fn default() -> Self {
        Self { value: OnceLock::new(), working: Mutex::default() }
    }
}

impl<K: Hash + Eq, V: Clone> Once<K, V> {
    /// A value; it is worked out if nobody did before. If another thread does so now, this one waits for it,
    /// as long as it has time. Work that was begun is finished whatever the deadline: thrown away, it would
    /// be begun again by the next, and never be done.
    fn get(
        &self,
        key: K,
        work: &mut Work,
        work_out: impl FnOnce(&mut Work) -> Result<V, Error>,
    ) -> Result<V, Error> {
        let slot = {
            let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(known.entry(key).or_default())
        };
        if let Some(value) = slot.value.get() {
            return Ok(value.clone());
        }
        let _working = loop {
            if work.is_over() {
                return Err(Error::Stopped);
            }
            match slot.working.try_lock() {
                Ok(working) => break working,
                Err(TryLockError::Poisoned(working)) => break working.into_inner(),
                Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_micros(200)),
            }
        };
        if let Some(value) = slot.value.get() {
            return Ok(value.clone());
        }
        let value = work.finish(work_out)?;
        Ok(slot.value.get_or_init(|| value).clone())
    }
}

/// How many terms have their statistics remembered.
const REMEMBERED: usize = 500_000;

/// What terms were found to be, and which documents systems return.
#[derive(Debug, Default)]
pub(crate) struct TermCache {
    returned: Once<Returns, Arc<Returned>>,
    statistics: Mutex<HashMap<(u64, u64), TermStatistics, foldhash::fast::FixedState>>,
}

impl TermCache {
    /// The documents that are returned.
    pub(crate) fn returned(
        &self,
        index: &Index,
        returns: Returns,
        work: &mut Work,
        is_returned: impl Fn(Document) -> bool,
    ) -> Result<Arc<Returned>, Error> {
        self.returned.get(returns, work, |work| Ok(Arc::new(Returned::new(index, work, is_returned)?)))
    }

    /// The statistics of a term, counted in some way.
    pub(crate) fn statistics(
        &self,
        (way, key): (u64, u64),
        count: impl FnOnce() -> Result<TermStatistics, Error>,
    ) -> Result<TermStatistics, Error> {
        let lock = || self.statistics.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().get(&(way, key)) {
            return Ok(*known);
        }
        let statistics = count()?;
        let mut known = lock();
        if known.len() >= REMEMBERED {
            known.clear();
        }
        known.insert((way, key), statistics);
        Ok(statistics)
    }
}

/// The norms that were asked for so far.
#[derive(Debug, Default)]
pub(crate) struct NormCache(Once<String, Vec<Arc<DocumentNorms>>>);

impl NormCache {
    /// The norms of all segments.
    pub(crate) fn of_posts(
        &self,
        index: &Index,
        part: &Part,
        measured: &[Measured],
        (returns, returned): (Returns, &Returned),
        work: &mut Work,
    ) -> Result<Vec<Arc<DocumentNorms>>, Error> {
        let by_vectors = matches!(part.model, Model::TfIdfCosine(_));
        let stem = if by_vectors { part.stem.name() } else { "" };
        let key = format!("{measured:?} {:?} {:?} {returns:?} {stem}", part.model, part.stop);
        self.0.get(key, work, |work| {
            let lengths = if by_vectors {
                vector_lengths(index, part, measured, returned, work)?
            } else {
                let mut all = Vec::new();
                for segment in index.segments() {
                    all.push(lengths(segment, measured, part.stop, work)?);
                }
                all
            };
            let (mut documents, mut sum) = (0.0, 0.0);
            for (number, lengths) in lengths.iter().enumerate() {
                work.each((0_u32..).zip(lengths), |(doc, length)| {
                    if returned.has(Document { segment: number, doc }) {
                        documents += 1.0;
                        sum += f64::from(*length);
                    }
                })?;
            }
            let totals = Totals { documents, mean_length: sum / f64::max(documents, 1.0) };
            let of_questions =
                !by_vectors && measured.iter().all(|(_, spread, _)| *spread == Spread::Answers);
            let mut norms = Vec::new();
            for (segment, mut lengths) in index.segments().iter().zip(lengths) {
                let is_given = of_questions && give_to_questions(segment, &mut lengths, work)?;
                let level = if is_given { Level::Question } else { Level::Document };
                let windows = segment.posts.windows();
                norms.push(Arc::new(DocumentNorms::new(lengths, windows, part.model, totals, level, work)?));
            }
            Ok(norms)
        })
    }

    /// The norms of the formulas of a collection.
    pub(crate) fn of_formulas(
        &self,
        index: &Index,
        source: usize,
        features: &Features,
        model: Model,
        work: &mut Work,
    ) -> Result<Arc<DocumentNorms>, Error> {
        let kinds: Vec<FeatureKind> = features.kinds().iter().map(|(kind, _)| *kind).collect();
        let all = self.0.get(format!("formulas {kinds:?} {model:?}"), work, |work| {
            let lengths = match model {
                Model::TfIdfCosine(_) => formula_vector_lengths(index, &kinds, model, work)?,
                _ => formula_lengths(index, &kinds, work)?,
            };
            let documents: f64 = lengths.iter().map(|lengths| lengths.len() as f64).sum();
            let mut sum = 0.0;
            work.each(lengths.iter().flatten(), |length| sum += f64::from(*length))?;
            let totals = Totals { documents, mean_length: sum / documents.max(1.0) };
            let mut norms = Vec::new();
            for (source, lengths) in index.sources().iter().zip(lengths) {
                let windows = source.formulas.space().windows;
                norms.push(Arc::new(DocumentNorms::new(
                    lengths,
                    windows,
                    model,
                    totals,
                    Level::Document,
                    work,
                )?));
            }
            Ok(norms)
        })?;
        Ok(Arc::clone(&all[source]))
    }
}

impl DocumentNorms {
    fn new(
        lengths: Vec<f32>,
        windows: &[u32],
        model: Model,
        totals: Totals,
        level: Level,
        work: &mut Work,
    ) -> Result<Self, Error> {
        let mut norms = lengths;
        work.each(&mut norms, |norm| *norm = model.norm(f64::from(*norm), totals))?;
        let ends = windows.iter().skip(1).map(|end| *end as usize).chain([norms.len()]);
        let least = windows
            .iter()
            .zip(ends)
            .map(|(start, end)| norms[*start as usize..end].iter().copied().fold(f32::INFINITY, f32::min));
        Ok(Self { least: least.collect(), norms, totals, level })
    }
}

/// How many features of some kinds each formula has, a collection after the other.
fn formula_lengths(index: &Index, kinds: &[FeatureKind], work: &mut Work) -> Result<Vec<Vec<f32>>, Error> {
    let mut lengths: Vec<Vec<f32>> = Vec::new();
    for source in index.sources() {
        let mut sums = vec![0.0; source.formulas.documents() as usize];
        for kind in kinds {
            work.each(sums.iter_mut().zip(source.formulas.lengths(*kind)), |(sum, length)| {
                *sum += f32::from(length);
            })?;
        }
        lengths.push(sums);
    }
    Ok(lengths)
}

/// How long the vector of each formula is, a collection after the other: all lists are read once.
fn formula_vector_lengths(
    index: &Index,
    kinds: &[FeatureKind],
    model: Model,
    work: &mut Work,
) -> Result<Vec<Vec<f32>>, Error> {
    let sources = index.sources();
    let number = |source: &index::Source| source.formulas.documents();
    let totals =
        Totals { documents: sources.iter().map(|source| f64::from(number(source))).sum(), mean_length: 0.0 };
    let mut squares: Vec<Vec<f64>> =
        sources.iter().map(|source| vec![0.0; number(source) as usize]).collect();
    let mut block = Block::default();
    for kind in kinds {
        let postings: Vec<_> = sources.iter().map(|source| source.formulas.postings(*kind)).collect();
        let keys: BTreeSet<u64> = postings.iter().flatten().flat_map(|postings| postings.keys()).collect();
        for key in keys {
            if work.is_over() {
                return Err(Error::Stopped);
            }
            let lists: Vec<_> =
                postings.iter().map(|postings| postings.as_ref().and_then(|lists| lists.find(key))).collect();
            let documents = lists.iter().flatten().map(|list| f64::from(list.len())).sum();
            let idf = model.idf(TermStatistics { documents, occurrences: documents }, totals);
            for (list, squares) in lists.iter().zip(&mut squares) {
                for part in 0..list.as_ref().map_or(0, index::postings::List::num_blocks) {
                    list.iter().for_each(|list| list.unpack(part, &mut block));
                    for (doc, frequency) in block.postings() {
                        squares[doc as usize] += (f64::from(frequency) * idf).powi(2);
                    }
                }
            }
        }
    }
    let roots = |squares: Vec<f64>| squares.into_iter().map(|sum| libm::sqrt(sum) as f32).collect();
    Ok(squares.into_iter().map(roots).collect())
}

/// Gives questions the lengths that their answers have; says whether it did. It does not where an answer is answered,
/// too, since that has lengths of both kinds.
fn give_to_questions(segment: &Segment, lengths: &mut [f32], work: &mut Work) -> Result<bool, Error> {
    let posts = &segment.posts;
    let mut is_plain = true;
    work.each(0..posts.documents(), |doc| {
        is_plain &= posts.parent(doc).is_none_or(|parent| posts.parent(parent).is_none());
    })?;
    if is_plain {
        work.each(0..posts.documents(), |doc| {
            if let Some(parent) = posts.parent(doc) {
                lengths[parent as usize] = lengths[doc as usize];
            }
        })?;
    }
    Ok(is_plain)
}

/// How long each document of a segment is.
fn lengths(
    segment: &Segment,
    measured: &[Measured],
    stop: StopWords,
    work: &mut Work,
) -> Result<Vec<f32>, Error> {
    let posts = &segment.posts;
    let mut sums = vec![0.0; posts.documents() as usize];
    for (field, spread, factor) in measured {
        let factor = *factor as f32;
        match spread {
            Spread::Own => work.each(sums.iter_mut().zip(posts.lengths(*field, stop)), |(sum, length)| {
                *sum += factor * f32::from(length);
            })?,
            Spread::Answers => {
                let lengths: Vec<u16> = posts.lengths(*field, stop).collect();
                work.each((0_u32..).zip(&mut sums), |(doc, sum)| {
                    if let Some(parent) = posts.parent(doc) {
                        *sum +=
                            factor * lengths.get(parent as usize).map_or(0.0, |length| f32::from(*length));
                    }
                })?;
            }
        }
    }
    Ok(sums)
}
