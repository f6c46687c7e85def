//! The scan: bounds of scores from 8-bit rows, then scores from 16-bit rows.
//!
//! Rows are scanned in waves. After each wave the k-th best lower bound among the documents seen so
//! far is a limit: a row whose upper bound is below it can neither be nor decide a hit, and is
//! dropped. The rows that are left at the end are scored exactly. The limit only drops rows that
//! cannot matter, so neither the size of waves nor the number of threads changes the result.
//!
//! With lists, an approximate search scans the most promising first and ends when waves bring hardly
//! any new hits. Waves are counted in rows, so this does not depend on threads either.

use crate::Error;
use crate::bytes::{ByteRows, Query};
use crate::half::HalfRows;
use crate::lists::Lists;
use rayon::prelude::*;
use std::ops::Range;

/// Rows of the first wave; each wave doubles it, since the limit gets better.
const FIRST_WAVE: usize = 4096;

/// Rows of the largest wave, about a millisecond of work.
const LAST_WAVE: usize = 32_768;

/// Rows that one thread scans at a time.
const PIECE: usize = 2048;

/// Rows whose codes stay in the cache of a core while all queries are multiplied with them.
const BLOCK: usize = 64;

/// The share of rows in a wave among lists.
const STEP: f32 = 0.01;

/// A search among lists ends after this many waves that brought little.
const PATIENCE: u32 = 2;

/// The share of hits that counts as little.
const TOLERANCE: f32 = 0.001;

/// Fewer hits than this are too few to tell whether lists still bring any, so this many are looked for.
const LEAST_HITS: usize = 100;

/// How much of a collection a search looks at. Without [`Lists`] it always looks at all.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub enum Effort {
    /// All rows: nothing that belongs to the result is lost.
    Exact,
    /// The most promising lists, until two waves of 1 % of the rows each have brought at most one in a
    /// thousand of the hits. Where rows form groups, as those of texts do, recall is 0.98 and more; where
    /// they do not, the search goes on until it has seen nearly all.
    #[default]
    Usual,
    /// The most promising lists, until they hold this share of the rows, between 0 and 1.
    Share(f32),
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
    lists: Option<Lists<'a>>,
    /// The rows after those in lists.
    bytes: ByteRows<'a>,
}

impl<'a> Vectors<'a> {
    /// Vectors as rows of 16 bits and the same rows in 8 bits.
    ///
    /// # Errors
    ///
    /// If the two differ in dimension or number.
    pub fn new(half: HalfRows<'a>, bytes: ByteRows<'a>) -> Result<Self, Error> {
        Self::open(half, None, bytes)
    }

    /// Vectors as rows of 16 bits, with lists for the first of them and rows of 8 bits for the others.
    ///
    /// # Errors
    ///
    /// If the three differ in dimension, or the number of rows in 8 bits is not that in 16.
    pub fn with_lists(half: HalfRows<'a>, lists: Lists<'a>, rest: ByteRows<'a>) -> Result<Self, Error> {
        Self::open(half, Some(lists), rest)
    }

    fn open(half: HalfRows<'a>, lists: Option<Lists<'a>>, bytes: ByteRows<'a>) -> Result<Self, Error> {
        for found in lists.map(|lists| lists.dimension()).into_iter().chain([bytes.dimension()]) {
            if half.dimension() != found {
                return Err(Error::Length { expected: half.dimension(), found });
            }
        }
        let rows = lists.map_or(0, |lists| lists.rows()) + bytes.len();
        if half.len() != rows {
            return Err(Error::RowCount { half: half.len(), bytes: rows });
        }
        Ok(Self { half, lists, bytes })
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
        if let Some(lists) = self.lists {
            lists.check(&self.half)?;
        }
        let mut spare = Vec::new();
        for (place, row) in (self.listed()..self.len()).enumerate() {
            let (place, row) = (place as u32, row as u32);
            if !self.bytes.is_quantised(place, &self.half, row, &mut spare) {
                return Err(Error::Row { row, reason: "its 8-bit form is not that of its 16-bit form" });
            }
        }
        Ok(())
    }

    /// The `k` rows with the largest dot products with `query`, among those that `accept` takes.
    ///
    /// The search asks `should_stop` after each wave, about a millisecond of work or 1 % of the rows, and
    /// if so returns what it has.
    /// It runs on the threads of the current rayon pool. It needs 16 bytes for each row that could
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
        let scan = |piece: &Piece, searches: &[Search<'_>]| self.scan(*piece, searches, documents, &accept);
        let mut rest = Vec::new();
        cut(Part::Rest, 0..self.bytes.len(), &mut rest);
        let mut found = Vec::with_capacity(queries.len());
        match self.lists {
            Some(lists) if effort != Effort::Exact => {
                // Each query has lists of its own.
                for query in &queries {
                    let mut searches = [Search::new(query, k, k.max(LEAST_HITS))];
                    let mut complete = run(&rest, &mut searches, documents, scan, &mut should_stop, |_| None);
                    if complete {
                        let mut listed = Vec::new();
                        for places in lists.by_promise(query) {
                            cut(Part::Lists, places, &mut listed);
                        }
                        let mut plan = Plan::new(effort, lists.rows(), self.bytes.len());
                        complete = run(&listed, &mut searches, documents, scan, &mut should_stop, |search| {
                            Some(search.map_or(plan.step, |search| plan.next(search)))
                        });
                    }
                    let [search] = searches;
                    found.push(search.finish(&self.half, documents, complete, &mut should_stop));
                }
            }
            _ => {
                let mut pieces = Vec::new();
                cut(Part::Lists, 0..self.listed(), &mut pieces);
                pieces.extend(rest);
                let mut searches: Vec<_> = queries.iter().map(|query| Search::new(query, k, k)).collect();
                let complete = run(&pieces, &mut searches, documents, scan, &mut should_stop, |_| None);
                let finish =
                    |search: Search<'_>| search.finish(&self.half, documents, complete, &mut should_stop);
                found.extend(searches.into_iter().map(finish));
            }
        }
        Ok(found)
    }

    /// The number of rows in lists.
    fn listed(&self) -> usize {
        self.lists.map_or(0, |lists| lists.rows())
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
        let (codes, lists) = match (piece.part, self.lists) {
            (Part::Lists, Some(lists)) => (lists.codes(), Some(lists)),
            _ => (self.bytes, None),
        };
        let row_at = |place: usize| match lists {
            // A damaged section may hold any number.
            Some(lists) => lists.row(place).filter(|&row| (row as usize) < lists.rows()),
            None => Some((self.listed() + place) as u32),
        };
        for start in (piece.start..piece.end).step_by(BLOCK) {
            let Some(bytes) = codes.rows(start, piece.end.min(start + BLOCK)) else { break };
            for (search, candidates) in searches.iter().zip(&mut candidates) {
                search.query.bounds(bytes, &mut dots, |place, bounds| {
                    if bounds.most < search.limit {
                        return;
                    }
                    let Some(row) = row_at(start + place) else { return };
                    if accept(documents.of(row)) {
                        candidates.push(Candidate {
                            row,
                            wave: search.wave,
                            least: bounds.least,
                            most: bounds.most,
                        });
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
    part: Part,
    start: usize,
    end: usize,
}

/// Where 8-bit rows lie.
#[derive(Debug, Clone, Copy)]
enum Part {
    Lists,
    Rest,
}

/// Cuts a range of places into pieces.
fn cut(part: Part, places: Range<usize>, pieces: &mut Vec<Piece>) {
    let end = places.end;
    pieces.extend(places.step_by(PIECE).map(|start| Piece { part, start, end: end.min(start + PIECE) }));
}

/// When to stop among lists, the most promising of which come first.
struct Plan {
    /// Rows of a wave.
    step: usize,
    /// Rows to scan at most.
    most: usize,
    tolerance: f32,
    patience: u32,
    quiet: u32,
}

impl Plan {
    fn new(effort: Effort, listed: usize, rest: usize) -> Self {
        let share = |share: f32| (listed as f64 * f64::from(share.clamp(0.0, 1.0))).ceil() as usize;
        let mut plan =
            Self { step: LAST_WAVE, most: usize::MAX, tolerance: 0.0, patience: u32::MAX, quiet: 0 };
        match effort {
            Effort::Exact => {}
            Effort::Share(part) => plan.most = share(part).saturating_add(rest),
            Effort::Usual => {
                plan.step = share(STEP);
                plan.patience = PATIENCE;
                plan.tolerance = TOLERANCE;
            }
        }
        plan.step = plan.step.min(plan.most - rest);
        plan
    }

    /// The rows of the next wave; none when the search has enough.
    fn next(&mut self, search: &Search<'_>) -> usize {
        let quiet = search.newcomers as f32 <= self.tolerance * search.depth as f32 && search.full();
        self.quiet = if quiet { self.quiet + 1 } else { 0 };
        if self.quiet >= self.patience { 0 } else { self.step.min(self.most.saturating_sub(search.scanned)) }
    }
}

/// Scans all pieces in waves; false if it was stopped. `plan` may say how many rows the next wave has,
/// given the search after the last one.
fn run<'q>(
    pieces: &[Piece],
    searches: &mut [Search<'q>],
    documents: &impl Documents,
    scan: impl Fn(&Piece, &[Search<'q>]) -> Vec<Vec<Candidate>> + Sync,
    should_stop: &mut impl FnMut() -> bool,
    mut plan: impl FnMut(Option<&Search<'q>>) -> Option<usize>,
) -> bool {
    let mut next = 0;
    let mut wave = FIRST_WAVE;
    let mut planned = plan(None);
    while next < pieces.len() && planned != Some(0) {
        if should_stop() {
            return false;
        }
        let (first, mut rows) = (next, 0);
        while next < pieces.len() && rows < planned.unwrap_or(wave) {
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
        planned = plan(searches.first());
        wave = (wave * 2).min(LAST_WAVE);
    }
    true
}

/// A row that may belong to the result, with the bounds of its score.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    row: u32,
    /// The wave that found it.
    wave: u32,
    least: f32,
    most: f32,
}

/// A search on its way.
struct Search<'q> {
    query: &'q Query,
    k: usize,
    /// The number of hits that are looked for, `k` or more.
    depth: usize,
    /// Rows whose scores are below cannot belong to the result.
    limit: f32,
    candidates: Vec<Candidate>,
    scanned: usize,
    wave: u32,
    /// Rows of the last wave that are among the best so far.
    newcomers: usize,
}

impl<'q> Search<'q> {
    fn new(query: &'q Query, k: usize, depth: usize) -> Self {
        // No score is above infinity: without room for a hit, no row is a candidate.
        let limit = if k == 0 { f32::INFINITY } else { f32::NEG_INFINITY };
        Self { query, k, depth, limit, candidates: Vec::new(), scanned: 0, wave: 0, newcomers: 0 }
    }

    /// Raises the limit to the k-th best lower bound of documents and drops the rows below it.
    fn prune(&mut self, documents: &impl Documents) {
        if self.k == 0 {
            self.candidates.clear();
            return;
        }
        let mut least = documents.best(&self.candidates);
        if least.len() >= self.depth {
            let (_, kth, _) = least.select_nth_unstable_by(self.depth - 1, |one, other| other.total_cmp(one));
            self.limit = self.limit.max(*kth);
            let limit = self.limit;
            self.candidates.retain(|candidate| candidate.most >= limit);
        }
        let new = |candidate: &&Candidate| candidate.wave == self.wave && candidate.least >= self.limit;
        self.newcomers = self.candidates.iter().filter(new).count();
        self.wave += 1;
    }

    /// Whether there are as many documents as hits wanted.
    fn full(&self) -> bool {
        self.limit > f32::NEG_INFINITY
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
