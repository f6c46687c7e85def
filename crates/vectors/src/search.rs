//! The scan: bounds of scores from 8-bit rows, then scores from 16-bit rows.
//!
//! Rows are scanned in waves. After each wave the k-th best lower bound among the documents seen so
//! far is a limit: a row whose upper bound is below it can neither be nor decide a hit, and is
//! dropped. The rows that are left at the end are scored exactly. The limit only drops rows that
//! cannot matter, so neither the size of waves nor the number of threads changes the result.

use crate::Error;
use crate::bytes::{ByteRows, Query};
use crate::half::HalfRows;
use rayon::prelude::*;

/// Rows of the first wave; each wave doubles it, since the limit gets better.
const FIRST_WAVE: usize = 4096;

/// Rows of the largest wave, about a millisecond of work.
const LAST_WAVE: usize = 32_768;

/// Rows that one thread scans at a time.
const PIECE: usize = 2048;

/// Rows whose codes stay in the cache of a core while all queries are multiplied with them.
const BLOCK: usize = 64;

/// How much of a collection a search looks at.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Effort {
    /// All rows: nothing that belongs to the result is lost.
    Exact,
}

/// A document, its best row and that row's score. In a search of rows, the document is the row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    /// The document.
    pub document: u32,
    /// Its row with the largest score; the first of several.
    pub row: u32,
    /// The dot product of the query with the 16-bit row.
    pub score: f32,
}

/// The result of a search.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// Hits by falling score; of equal scores, the smaller row first.
    pub hits: Vec<Hit>,
    /// Whether the search ran to its end. If it was stopped, hits are the best among the rows it saw.
    pub complete: bool,
    /// The number of 8-bit rows scanned.
    pub scanned: usize,
    /// The number of 16-bit rows scored.
    pub scored: usize,
}

/// Stored vectors, ready to be searched.
#[derive(Debug, Clone, Copy)]
pub struct Vectors<'a> {
    half: HalfRows<'a>,
    bytes: ByteRows<'a>,
}

impl<'a> Vectors<'a> {
    /// Vectors as rows of 16 bits and the same rows in 8 bits.
    ///
    /// # Errors
    ///
    /// If the two differ in dimension or number.
    pub fn new(half: HalfRows<'a>, bytes: ByteRows<'a>) -> Result<Self, Error> {
        if half.dimension() != bytes.dimension() {
            return Err(Error::Length { expected: half.dimension(), found: bytes.dimension() });
        }
        if half.len() != bytes.len() {
            return Err(Error::RowCount { half: half.len(), bytes: bytes.len() });
        }
        Ok(Self { half, bytes })
    }

    /// The number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.half.len()
    }

    /// Whether there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.half.is_empty()
    }

    /// Numbers in a row.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.half.dimension()
    }

    /// The 16-bit rows.
    #[must_use]
    pub fn half(&self) -> HalfRows<'a> {
        self.half
    }

    /// Compares every row with what a writer produces.
    ///
    /// # Errors
    ///
    /// The first row that is not normalised, or whose 8-bit form is not that of its 16-bit form.
    pub fn check(&self) -> Result<(), Error> {
        self.half.check()?;
        let mut spare = Vec::new();
        for row in 0..self.len() as u32 {
            if !self.bytes.is_quantised(row, &self.half, row, &mut spare) {
                return Err(Error::Row { row, reason: "its 8-bit form is not that of its 16-bit form" });
            }
        }
        Ok(())
    }

    /// The `k` rows with the largest dot products with `query`, among those that `accept` takes.
    ///
    /// The search asks `should_stop` about once a millisecond of work and then returns what it has.
    /// It runs on the threads of the current rayon pool. It needs 12 bytes for each row that could
    /// belong to the result: little more than `k` rows, unless most vectors are the same.
    ///
    /// # Errors
    ///
    /// If the query has another dimension or a number that is not finite.
    pub fn top(
        &self,
        query: &[f32],
        k: usize,
        effort: Effort,
        accept: impl Fn(u32) -> bool + Sync,
        should_stop: impl FnMut() -> bool,
    ) -> Result<Found, Error> {
        self.one(query, k, effort, &Each, accept, should_stop)
    }

    /// The `k` documents with the largest dot products of one of their rows with `query`.
    ///
    /// `document_of` names the document of a row; `accept` decides on documents. See [`Vectors::top`]
    /// for the rest.
    ///
    /// # Errors
    ///
    /// As those of [`Vectors::top`].
    pub fn top_documents(
        &self,
        query: &[f32],
        k: usize,
        effort: Effort,
        document_of: impl Fn(u32) -> u32 + Sync,
        accept: impl Fn(u32) -> bool + Sync,
        should_stop: impl FnMut() -> bool,
    ) -> Result<Found, Error> {
        self.one(query, k, effort, &Grouped(document_of), accept, should_stop)
    }

    /// As [`Vectors::top_documents`] for several queries in one pass over the rows.
    ///
    /// # Errors
    ///
    /// As those of [`Vectors::top`], for any of the queries.
    pub fn top_documents_of_each(
        &self,
        queries: &[&[f32]],
        k: usize,
        effort: Effort,
        document_of: impl Fn(u32) -> u32 + Sync,
        accept: impl Fn(u32) -> bool + Sync,
        should_stop: impl FnMut() -> bool,
    ) -> Result<Vec<Found>, Error> {
        self.search(queries, k, effort, &Grouped(document_of), accept, should_stop)
    }

    fn one(
        &self,
        query: &[f32],
        k: usize,
        effort: Effort,
        documents: &impl Documents,
        accept: impl Fn(u32) -> bool + Sync,
        should_stop: impl FnMut() -> bool,
    ) -> Result<Found, Error> {
        let mut found = self.search(&[query], k, effort, documents, accept, should_stop)?;
        Ok(found.pop().expect("a query has a result"))
    }

    fn search(
        &self,
        queries: &[&[f32]],
        k: usize,
        effort: Effort,
        documents: &impl Documents,
        accept: impl Fn(u32) -> bool + Sync,
        mut should_stop: impl FnMut() -> bool,
    ) -> Result<Vec<Found>, Error> {
        let queries =
            queries.iter().map(|query| Query::new(query, self.dimension())).collect::<Result<Vec<_>, _>>()?;
        match effort {
            Effort::Exact => {
                let pieces = pieces(self.bytes.len());
                let mut searches: Vec<_> = queries.iter().map(|query| Search::new(query, k)).collect();
                let scan =
                    |piece: &Piece, searches: &[Search<'_>]| self.scan(*piece, searches, documents, &accept);
                let complete = run(&pieces, &mut searches, documents, scan, &mut should_stop);
                Ok(searches
                    .into_iter()
                    .map(|search| search.finish(&self.half, documents, complete, &mut should_stop))
                    .collect())
            }
        }
    }

    /// The candidates of each search among the rows of a piece.
    fn scan(
        &self,
        piece: Piece,
        searches: &[Search<'_>],
        documents: &impl Documents,
        accept: &(impl Fn(u32) -> bool + Sync),
    ) -> Vec<Vec<Candidate>> {
        let mut candidates = vec![Vec::new(); searches.len()];
        let mut dots = Vec::with_capacity(BLOCK);
        for start in (piece.start..piece.end).step_by(BLOCK) {
            let Some(bytes) = self.bytes.rows(start, piece.end.min(start + BLOCK)) else { break };
            for (search, candidates) in searches.iter().zip(&mut candidates) {
                search.query.bounds(bytes, &mut dots, |place, bounds| {
                    let row = (start + place) as u32;
                    if bounds.most >= search.limit && accept(documents.of(row)) {
                        candidates.push(Candidate { row, least: bounds.least, most: bounds.most });
                    }
                });
            }
        }
        candidates
    }
}

/// Rows that one thread scans at a time.
#[derive(Debug, Clone, Copy)]
struct Piece {
    start: usize,
    end: usize,
}

fn pieces(rows: usize) -> Vec<Piece> {
    (0..rows).step_by(PIECE).map(|start| Piece { start, end: rows.min(start + PIECE) }).collect()
}

/// Scans all pieces in waves; false if it was stopped.
fn run<'q>(
    pieces: &[Piece],
    searches: &mut [Search<'q>],
    documents: &impl Documents,
    scan: impl Fn(&Piece, &[Search<'q>]) -> Vec<Vec<Candidate>> + Sync,
    should_stop: &mut impl FnMut() -> bool,
) -> bool {
    let mut next = 0;
    let mut wave = FIRST_WAVE;
    while next < pieces.len() {
        if should_stop() {
            return false;
        }
        let (first, mut rows) = (next, 0);
        while next < pieces.len() && rows < wave {
            rows += pieces[next].end - pieces[next].start;
            next += 1;
        }
        let scanning: &[Search<'q>] = searches;
        let scanned: Vec<Vec<Vec<Candidate>>> = if rayon::current_num_threads() > 1 && next - first > 1 {
            pieces[first..next].par_iter().map(|piece| scan(piece, scanning)).collect()
        } else {
            pieces[first..next].iter().map(|piece| scan(piece, scanning)).collect()
        };
        for piece in scanned {
            for (search, candidates) in searches.iter_mut().zip(piece) {
                search.candidates.extend(candidates);
            }
        }
        for search in searches.iter_mut() {
            search.scanned += rows;
            search.prune(documents);
        }
        wave = (wave * 2).min(LAST_WAVE);
    }
    true
}

/// A row that may belong to the result, with the bounds of its score.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    row: u32,
    least: f32,
    most: f32,
}

/// A search on its way.
struct Search<'q> {
    query: &'q Query,
    k: usize,
    /// Rows whose scores are below cannot belong to the result.
    limit: f32,
    candidates: Vec<Candidate>,
    scanned: usize,
}

impl<'q> Search<'q> {
    fn new(query: &'q Query, k: usize) -> Self {
        // No score is above infinity: without room for a hit, no row is a candidate.
        let limit = if k == 0 { f32::INFINITY } else { f32::NEG_INFINITY };
        Self { query, k, limit, candidates: Vec::new(), scanned: 0 }
    }

    /// Raises the limit to the k-th best lower bound of documents and drops the rows below it.
    fn prune(&mut self, documents: &impl Documents) {
        if self.k == 0 {
            self.candidates.clear();
            return;
        }
        let mut least = documents.best(&self.candidates);
        if least.len() < self.k {
            return;
        }
        let (_, kth, _) = least.select_nth_unstable_by(self.k - 1, |one, other| other.total_cmp(one));
        self.limit = self.limit.max(*kth);
        let limit = self.limit;
        self.candidates.retain(|candidate| candidate.most >= limit);
    }

    /// Scores the candidates by their 16-bit rows.
    fn finish(
        mut self,
        half: &HalfRows<'_>,
        documents: &impl Documents,
        complete: bool,
        should_stop: &mut impl FnMut() -> bool,
    ) -> Found {
        let mut complete = complete;
        let by_promise = |one: &Candidate, other: &Candidate| {
            other.least.total_cmp(&one.least).then(one.row.cmp(&other.row))
        };
        if !complete && self.candidates.len() > self.k {
            // There is no more time, so only the most promising rows are scored.
            self.candidates.select_nth_unstable_by(self.k, by_promise);
            self.candidates.truncate(self.k);
        }
        let mut hits = Vec::with_capacity(self.candidates.len());
        for wave in self.candidates.chunks(LAST_WAVE) {
            if complete && !hits.is_empty() && should_stop() {
                complete = false;
                break;
            }
            let score = |candidates: &[Candidate]| {
                half.dots(candidates.iter().map(|candidate| candidate.row), &self.query.numbers)
            };
            let scores: Vec<f32> = if rayon::current_num_threads() > 1 && wave.len() > 2 * PIECE {
                wave.par_chunks(PIECE).flat_map_iter(score).collect()
            } else {
                score(wave)
            };
            hits.extend(wave.iter().zip(scores).map(|(candidate, score)| Hit {
                document: documents.of(candidate.row),
                row: candidate.row,
                score,
            }));
        }
        let scored = hits.len();
        documents.keep_best(&mut hits);
        if hits.len() > self.k {
            hits.select_nth_unstable_by(self.k, by_score);
            hits.truncate(self.k);
        }
        hits.sort_unstable_by(by_score);
        Found { hits, complete, scanned: self.scanned, scored }
    }
}

/// The order of hits: the larger score first, then the smaller row.
fn by_score(one: &Hit, other: &Hit) -> std::cmp::Ordering {
    other.score.total_cmp(&one.score).then(one.row.cmp(&other.row))
}

/// Which rows belong together.
trait Documents: Sync {
    fn of(&self, row: u32) -> u32;
    /// The best lower bound of each document.
    fn best(&self, candidates: &[Candidate]) -> Vec<f32>;
    /// Keeps the best row of each document.
    fn keep_best(&self, hits: &mut Vec<Hit>);
}

/// Each row is a document.
struct Each;

impl Documents for Each {
    fn of(&self, row: u32) -> u32 {
        row
    }

    fn best(&self, candidates: &[Candidate]) -> Vec<f32> {
        candidates.iter().map(|candidate| candidate.least).collect()
    }

    fn keep_best(&self, _hits: &mut Vec<Hit>) {}
}

/// Rows are passages of the documents that the function names.
struct Grouped<F>(F);

impl<F: Fn(u32) -> u32 + Sync> Documents for Grouped<F> {
    fn of(&self, row: u32) -> u32 {
        self.0(row)
    }

    fn best(&self, candidates: &[Candidate]) -> Vec<f32> {
        let mut bounds: Vec<_> =
            candidates.iter().map(|candidate| (self.of(candidate.row), candidate.least)).collect();
        bounds.sort_unstable_by(|one, other| one.0.cmp(&other.0).then(other.1.total_cmp(&one.1)));
        bounds.dedup_by_key(|bound| bound.0);
        bounds.into_iter().map(|(_, least)| least).collect()
    }

    fn keep_best(&self, hits: &mut Vec<Hit>) {
        hits.sort_unstable_by(|one, other| one.document.cmp(&other.document).then(by_score(one, other)));
        hits.dedup_by_key(|hit| hit.document);
    }
}
