//! Every candidate against its queries, on all cores and in bounded memory.
//!
//! The workers score batches of the table, and the caller's thread takes the
//! results in the order of the table and keeps the best of each query, so that
//! the outcome does not depend on which worker was faster.
//! Workers leave out what cannot get among the best any more; they know the
//! worst score that is kept from an earlier batch or a later one, but what they
//! leave out would have been turned away in any case.

use super::best::Best;
use super::notes::Notes;
use super::queries::{Queries, Query, read_trees};
use super::table::{COLUMNS, NOTATIONS, Row, Table, Wanted, is_usable};
use crate::engine::{Alike, Formula, Measure, Measurer, Trees};
use crate::progress::Progress;
use crate::records::Batch;
use anyhow::{Context, Result};
use formula::matching::Prepared;
use latex::Mode;
use std::convert::Infallible;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU32, Ordering};

/// The score of a formula that is not there: below all others.
const NOTHING: f32 = -1.0;

/// What became of the candidates.
#[derive(Debug)]
pub(super) struct Outcome {
    /// For each query, in the order of the queries.
    pub(super) best: Vec<Best>,
    /// What was wrong with the table.
    pub(super) notes: Notes,
    /// How many rows it has.
    pub(super) rows: u64,
}

/// Scores all candidates of a table.
pub(super) fn score(
    mut table: Table<'_>,
    wanted: Wanted,
    queries: &Queries,
    measure: Option<&'static Measure>,
    depth: Option<NonZeroUsize>,
    threads: NonZeroUsize,
) -> Result<Outcome> {
    let name = table.name.clone();
    let floors: Vec<AtomicU32> =
        queries.all.iter().map(|_| AtomicU32::new(f32::NEG_INFINITY.to_bits())).collect();
    let floors = floors.as_slice();
    let best = queries.all.iter().map(|_| Best::new(depth)).collect();
    let mut outcome = Outcome { best, notes: Notes::default(), rows: 0 };
    let mut progress = Progress::new(table.total);
    let produce = |put: &mut dyn FnMut(Batch) -> ControlFlow<()>| {
        while let Some(batch) = table.reader.read_batch()? {
            if put(batch).is_break() {
                break;
            }
        }
        Ok(())
    };
    let by = || measure.map(|measure| (measure, Measurer::default()));
    let worker = || Worker { alike: Alike::default(), by: by(), wanted, queries, floors };
    let read = parallel::ordered_on(
        threads,
        produce,
        worker,
        |worker, batch| worker.work(&batch),
        |done| {
            progress.advance(done.bytes);
            keep(&mut outcome, done, floors);
            Ok::<(), Infallible>(())
        },
    );
    match read {
        Ok(read) => read.with_context(|| name).map(|()| outcome),
        Err(never) => match never {},
    }
}

/// What a worker makes of a batch.
#[derive(Debug, Default)]
struct Done {
    bytes: u64,
    rows: u64,
    notes: Notes,
    ids: Vec<String>,
    hits: Vec<Hit>,
}

/// A score that may be among the best.
#[derive(Clone, Copy, Debug)]
struct Hit {
    query: u32,
    /// Where in [`Done::ids`] the id is.
    id: u32,
    score: f32,
}

fn keep(outcome: &mut Outcome, done: Done, floors: &[AtomicU32]) {
    outcome.rows += done.rows;
    outcome.notes.join(done.notes);
    for Hit { query, id, score } in done.hits {
        let best = &mut outcome.best[query as usize];
        best.offer(&done.ids[id as usize], score);
        floors[query as usize].store(best.floor().to_bits(), Ordering::Relaxed);
    }
}

struct Worker<'q> {
    alike: Alike,
    /// Another measure than our own.
    by: Option<(&'static Measure, Measurer)>,
    wanted: Wanted,
    queries: &'q Queries,
    floors: &'q [AtomicU32],
}

impl Worker<'_> {
    fn work(&mut self, batch: &Batch) -> Done {
        let mut done = Done { bytes: batch.len() as u64, ..Done::default() };
        for record in batch.records() {
            done.rows += 1;
            let row = self.wanted.select(record, &mut done.notes);
            if !is_usable(&row.id) {
                done.notes.without_id.add(record.line);
                continue;
            }
            let queries = self.queries.of(&row.by);
            if !queries.is_empty() {
                self.candidate(row, record.line, queries, &mut done);
            }
        }
        done
    }

    fn candidate(&mut self, row: Row<'_>, line: u64, queries: &[usize], done: &mut Done) {
        let trees = match &mut self.by {
            Some((_, measurer)) => match read_trees(measurer, &row, Mode::Document) {
                Ok(trees) => trees,
                Err((column, reason)) => {
                    done.notes.add_unread(line, column, &reason);
                    None
                }
            },
            None => None,
        };
        let mut candidate = Candidate { read: [None, None, None, None], row: &row, line };
        if candidate.first().is_none() {
            done.notes.empty.add(line);
        }
        let id = done.ids.len() as u32;
        let mut kept = false;
        for &query in queries {
            let ours = &self.queries.all[query];
            let score = match &mut self.by {
                Some((measure, measurer)) => by_measure(measure, measurer, ours, trees.as_ref()),
                None => self.pair(ours, &mut candidate, &mut done.notes),
            };
            if score >= f32::from_bits(self.floors[query].load(Ordering::Relaxed)) {
                done.hits.push(Hit { query: query as u32, id, score });
                kept = true;
            }
        }
        if kept {
            done.ids.push(row.id.into_owned());
        }
    }

    /// Scores a candidate for a query by the first notation that both have, else each by its first.
    fn pair(&mut self, query: &Query, candidate: &mut Candidate<'_>, notes: &mut Notes) -> f32 {
        let both = (0..NOTATIONS.len())
            .find(|&notation| query.formulas[notation].is_some() && candidate.row.has(notation));
        let ours = both.or_else(|| query.formulas.iter().position(Option::is_some));
        let theirs = both.or_else(|| candidate.first());
        let Some(notation) = theirs else { return NOTHING };
        let candidate = candidate.read(notation, &mut self.alike, notes);
        if candidate.nodes().is_empty() {
            return NOTHING;
        }
        let Some(query) = ours.and_then(|notation| query.formulas[notation].as_ref()) else { return 0.0 };
        let score = self.alike.score(query, candidate).value;
        // What is not a number has no place in a ranking, and there is only one zero.
        if score.is_finite() { score + 0.0 } else { 0.0 }
    }
}

/// Scores a candidate by a measure; what has not the trees for it is not there.
fn by_measure(measure: &Measure, measurer: &mut Measurer, query: &Query, candidate: Option<&Trees>) -> f32 {
    let (Some(query), Some(candidate)) = (&query.trees, candidate) else { return NOTHING };
    let score = measurer.value(measure, query, candidate).unwrap_or(0.0);
    #[expect(clippy::cast_possible_truncation, reason = "runs hold 32 bits")]
    let score = score as f32;
    if score.is_finite() { score + 0.0 } else { 0.0 }
}

/// A candidate, read in the notations that were asked for.
struct Candidate<'r> {
    row: &'r Row<'r>,
    line: u64,
    read: [Option<Prepared>; 4],
}

impl Candidate<'_> {
    /// The first notation it has.
    fn first(&self) -> Option<usize> {
        (0..NOTATIONS.len()).find(|&notation| self.row.has(notation))
    }

    fn read(&mut self, notation: usize, alike: &mut Alike, notes: &mut Notes) -> &Prepared {
        self.read[notation].get_or_insert_with(|| {
            let source = self.row.formulas[notation].trim();
            let formula = Formula { notation: NOTATIONS[notation], mode: Mode::Document, source };
            match alike.read(formula) {
                Ok(prepared) => {
                    if prepared.nodes().is_empty() {
                        notes.empty.add(self.line);
                    }
                    prepared
                }
                Err(reason) => {
                    notes.add_unread(self.line, COLUMNS[notation], &reason);
                    Prepared::default()
                }
            }
        })
    }
}
