//! The best documents of a weighted disjunction, exactly.
//!
//! A query is a list of [clauses](Clause), and a document's score is the sum of
//! what its clauses are worth. Sums are whole numbers, so they do not depend on
//! the order in which they are added. Documents are looked at in windows: for
//! each window there is a bound on what each clause can be worth in it, from the
//! highest frequencies of blocks and the least norm in the window. Windows are
//! taken with the highest bound first, and once `k` documents are known, those
//! that cannot reach the last of them are left out. In a window, clauses whose
//! bounds together stay below that mark (the cheap ones) bring no new document;
//! they are looked up only for documents that the others have found.
//!
//! Nothing is left out that could be among the first `k`, whatever the model:
//! it need only be worth more with a higher frequency and less with a higher norm.

mod again;
mod bound;
mod pace;
mod walk;

pub use again::Counted;
pub use pace::Effort;

use crate::deadline::Deadline;
use crate::postings::{Block, List};
use crate::stored::number;
use pace::Pace;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;
use walk::{each_posting, look_up};

/// What a key is worth to a document.
pub trait TermScorer {
    /// What it is worth to a document that has it `frequency` times and has this norm. It never
    /// falls when the frequency rises, and never rises when the norm does.
    fn score(&self, frequency: f32, norm: f32) -> f32;

    /// The most that it can be worth to any document.
    fn most(&self) -> f32;
}

/// The norm of each document: what makes a frequency count for less.
pub trait Norms {
    /// That of a document.
    fn of(&self, doc: u32) -> f32;
    /// The least in a window.
    fn least(&self, window: usize) -> f32;
}

/// Norms by the length class of a document.
#[derive(Clone, Debug)]
pub struct ByClass<'i> {
    /// The class of each document.
    pub classes: &'i [u8],
    /// The least class of each window.
    pub least: &'i [u8],
    /// The norm of each class, ascending.
    pub norms: &'i [f32; 256],
}

impl Norms for ByClass<'_> {
    #[inline]
    fn of(&self, doc: u32) -> f32 {
        self.norms[usize::from(self.classes[doc as usize])]
    }

    fn least(&self, window: usize) -> f32 {
        self.norms[usize::from(self.least[window])]
    }
}

/// Norms that were worked out for each document.
#[derive(Clone, Debug)]
pub struct ByDocument<'i> {
    /// The norm of each document.
    pub norms: &'i [f32],
    /// The least of each window.
    pub least: &'i [f32],
}

impl Norms for ByDocument<'_> {
    #[inline]
    fn of(&self, doc: u32) -> f32 {
        self.norms[doc as usize]
    }

    fn least(&self, window: usize) -> f32 {
        self.least[window]
    }
}

/// Whom a posting counts for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spread {
    /// The document itself.
    Own,
    /// The answers to it.
    Answers,
}

/// A posting list that is part of a clause.
#[derive(Clone, Copy, Debug)]
pub struct Member<'i> {
    /// The list.
    pub list: List<'i>,
    /// What its frequencies are multiplied with.
    pub factor: f32,
    /// Whom its postings count for.
    pub spread: Spread,
}

/// A part of a query: lists whose frequencies add up, and what they are worth.
#[derive(Clone, Debug)]
pub struct Clause<'i, W, N> {
    /// The lists.
    pub members: Vec<Member<'i>>,
    /// What a frequency is worth.
    pub scorer: W,
    /// The norms of documents.
    pub norms: N,
}

/// The documents that are searched: where windows begin, and which document answers which.
#[derive(Clone, Copy, Debug)]
pub struct Space<'i> {
    /// How many documents there are.
    pub documents: u32,
    /// Where each window begins; a document and the answers to it are in the same window.
    pub windows: &'i [u32],
    /// For each document the one that it answers, or `u32::MAX`; empty if none does. Answers follow
    /// what they answer without a gap.
    pub parents: &'i [u8],
    /// Of two documents with the same score, the one with the higher number here is first; empty
    /// for the order of documents.
    pub ranks: &'i [u8],
}

impl Space<'_> {
    fn window(&self, window: usize) -> Range<u32> {
        let end = self.windows.get(window + 1).copied().unwrap_or(self.documents);
        self.windows[window]..end
    }

    fn parent(&self, doc: u32) -> u32 {
        number(self.parents, doc).unwrap_or(u32::MAX)
    }

    fn rank(&self, doc: u32) -> u32 {
        number(self.ranks, doc).unwrap_or(doc)
    }

    /// The answers to a document.
    #[inline]
    #[must_use]
    pub fn answers(&self, doc: u32) -> Range<u32> {
        let mut end = doc + 1;
        while end < self.documents && self.parent(end) == doc {
            end += 1;
        }
        doc + 1..end
    }
}

/// A document that was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Found {
    /// The document.
    pub doc: u32,
    /// Its score.
    pub score: f64,
}

/// The power of two that scores are multiplied with before they become whole numbers. It depends on
/// the most that a document can score, and so on the query alone.
#[must_use]
pub fn scale_for(most: f32) -> f32 {
    let mut scale = 16_777_216.0_f32;
    while scale > 1.0 && most * scale >= 2_147_483_648.0 {
        scale /= 2.0;
    }
    scale
}

/// Searches; keeps its memory between searches.
#[derive(Debug, Default)]
pub struct Searcher {
    scores: Vec<u32>,
    frequencies: Vec<f32>,
    touched: Vec<u32>,
    candidates: Vec<u32>,
    /// The documents of a window that have a score, some perhaps twice.
    seen: Vec<u32>,
    bounds: Vec<u32>,
    peaks: Vec<f32>,
    block: Block,
    pace: Pace,
    /// For each document its place among those that are scored again, from 1 on.
    slots: Vec<u32>,
}

/// Looking up a document takes as long as reading so many postings.
const LOOKED_UP: usize = 8;

/// The documents kept so far, the last of them on top.
type Kept = BinaryHeap<Reverse<(u32, u32, u32)>>;

/// Part of a query as it is searched.
struct Part<'q, 'i, W, N> {
    clause: &'q Clause<'i, W, N>,
    scale: f32,
}

impl<W: TermScorer, N: Norms> Part<'_, '_, W, N> {
    #[inline]
    fn score(&self, frequency: f32, doc: u32) -> u32 {
        (self.clause.scorer.score(frequency, self.clause.norms.of(doc)) * self.scale) as u32
    }

    /// The most that it can be worth in a window, one more for what cutting off could lose.
    fn bound(&self, peak: f32, window: usize) -> u32 {
        let worth = self.clause.scorer.score(peak, self.clause.norms.least(window)) * self.scale;
        (worth as u32).saturating_add(1)
    }
}

impl Searcher {
    /// How much work the last search was.
    #[must_use]
    pub fn effort(&self) -> Effort {
        self.pace.effort
    }

    /// Ends all work at a deadline from now on. What is cut short gives what it has.
    pub fn end_at(&mut self, deadline: Deadline) {
        self.pace.begin(deadline);
    }

    /// Whether work was cut short since the deadline was set.
    #[must_use]
    pub fn is_cut_short(&self) -> bool {
        self.pace.is_over()
    }

    /// The best `k` documents that are accepted, best first. When the deadline passes, the best of those
    /// that were looked at until then: each with its whole score.
    pub fn top<W: TermScorer, N: Norms>(
        &mut self,
        clauses: &[Clause<'_, W, N>],
        space: &Space<'_>,
        k: usize,
        accept: impl Fn(u32) -> bool,
    ) -> Vec<Found> {
        self.pace.effort = Effort::default();
        let scale = scale_for(clauses.iter().map(|clause| clause.scorer.most()).sum());
        let parts: Vec<_> = clauses.iter().map(|clause| Part { clause, scale }).collect();
        let windows = space.windows.len();
        self.bound(&parts, space);
        let bound_of = |bounds: &[u32], window: usize| -> u64 {
            (0..parts.len()).map(|part| u64::from(bounds[part * windows + window])).sum()
        };
        let mut order: Vec<(Reverse<u64>, usize)> =
            (0..windows).map(|window| (Reverse(bound_of(&self.bounds, window)), window)).collect();
        order.sort_unstable();
        let mut kept = Kept::with_capacity(k.min(space.documents as usize) + 1);
        for (Reverse(bound), window) in order {
            let mark = if kept.len() < k { 0 } else { kept.peek().map_or(0, |Reverse(last)| last.0) };
            if k == 0 || bound == 0 || bound < u64::from(mark) {
                break;
            }
            self.window(window, &parts, space, mark);
            if self.pace.is_over() {
                // Scores of this window may lack some clauses.
                self.forget(space.windows[window]);
                break;
            }
            for &doc in &self.candidates {
                let score = self.scores[(doc - space.windows[window]) as usize];
                let full = kept.len() == k;
                let entry = (score, space.rank(doc), doc);
                if score == 0 || (full && kept.peek().is_some_and(|Reverse(last)| entry < *last)) {
                    continue;
                }
                if accept(doc) {
                    if full {
                        kept.pop();
                    }
                    kept.push(Reverse(entry));
                }
            }
            self.forget(space.windows[window]);
        }
        let found = |Reverse((score, _, doc)): Reverse<(u32, u32, u32)>| Found {
            doc,
            score: f64::from(score) / f64::from(scale),
        };
        kept.into_sorted_vec().into_iter().map(found).collect()
    }

    /// Makes all scores of a window nought again.
    fn forget(&mut self, start: u32) {
        for doc in self.seen.drain(..) {
            self.scores[(doc - start) as usize] = 0;
        }
    }

    /// Scores the documents of a window that can reach the mark; leaves them in `candidates`.
    fn window<W: TermScorer, N: Norms>(
        &mut self,
        window: usize,
        parts: &[Part<'_, '_, W, N>],
        space: &Space<'_>,
        mark: u32,
    ) {
        self.pace.effort.windows += 1;
        self.pace.step(1 + parts.len() as u64 / 16);
        let windows = space.windows.len();
        let range = space.window(window);
        let mut order: Vec<(u32, usize)> = (0..parts.len())
            .map(|part| (self.bounds[part * windows + window], part))
            .filter(|(bound, _)| *bound > 0)
            .collect();
        // What is worth most comes first; the last that stay below the mark together bring nothing new.
        order.sort_unstable_by_key(|&(bound, part)| (Reverse(bound), part));
        let (mut cheap, mut rest) = (order.len(), 0_u64);
        while cheap > 0 && rest + u64::from(order[cheap - 1].0) < u64::from(mark) {
            cheap -= 1;
            rest += u64::from(order[cheap].0);
        }
        self.scores.resize(range.len().max(self.scores.len()), 0);
        for &(_, part) in &order[..cheap] {
            if self.pace.is_over() {
                break;
            }
            self.add_all(&parts[part], &range, space);
        }
        let reaches = |score: u32, rest: u64| u64::from(score) + rest >= u64::from(mark);
        self.candidates.clear();
        if self.seen.len() * 8 < range.len() {
            self.seen.sort_unstable();
            self.seen.dedup();
        } else {
            // So many that looking at all is quicker than sorting.
            self.seen.clear();
            let scored = range.clone().zip(&self.scores).filter(|(_, score)| **score > 0);
            self.seen.extend(scored.map(|(doc, _)| doc));
        }
        let scores = &self.scores;
        let score = |doc: u32| scores[(doc - range.start) as usize];
        self.candidates.extend(self.seen.iter().copied().filter(|doc| reaches(score(*doc), rest)));
        for &(bound, part) in &order[cheap..] {
            if self.candidates.is_empty() || self.pace.is_over() {
                break;
            }
            let members = &parts[part].clause.members;
            let postings: usize = members.iter().map(|member| member.list.len() as usize / windows).sum();
            if postings < self.candidates.len() * LOOKED_UP {
                self.add_all(&parts[part], &range, space);
            } else {
                self.add_to_candidates(&parts[part], &range, space);
            }
            rest -= u64::from(bound);
            let scores = &self.scores;
            self.candidates.retain(|doc| reaches(scores[(doc - range.start) as usize], rest));
        }
    }

    /// Adds what a clause is worth to every document of a window.
    fn add_all<W: TermScorer, N: Norms>(
        &mut self,
        part: &Part<'_, '_, W, N>,
        range: &Range<u32>,
        space: &Space<'_>,
    ) {
        if let [Member { list, factor, spread: Spread::Own }] = &part.clause.members[..] {
            let Self { scores, seen, block, pace, .. } = self;
            each_posting(list, range, block, pace, |doc, frequency| {
                let score = &mut scores[(doc - range.start) as usize];
                if *score == 0 {
                    seen.push(doc);
                }
                *score += part.score(frequency as f32 * factor, doc);
            });
            return;
        }
        self.frequencies.resize(range.len().max(self.frequencies.len()), 0.0);
        self.touched.clear();
        let Self { frequencies, touched, block, pace, .. } = self;
        let mut add = |doc: u32, frequency: f32| {
            let place = &mut frequencies[(doc - range.start) as usize];
            if *place == 0.0 {
                touched.push(doc);
            }
            *place += frequency;
        };
        for Member { list, factor, spread } in &part.clause.members {
            each_posting(list, range, block, pace, |doc, frequency| {
                let frequency = frequency as f32 * factor;
                match spread {
                    Spread::Own => add(doc, frequency),
                    Spread::Answers => space.answers(doc).for_each(|answer| add(answer, frequency)),
                }
            });
        }
        for &doc in &self.touched {
            let place = (doc - range.start) as usize;
            let frequency = std::mem::take(&mut self.frequencies[place]);
            if self.scores[place] == 0 {
                self.seen.push(doc);
            }
            self.scores[place] += part.score(frequency, doc);
        }
    }

    /// Adds what a clause is worth to the candidates.
    fn add_to_candidates<W: TermScorer, N: Norms>(
        &mut self,
        part: &Part<'_, '_, W, N>,
        range: &Range<u32>,
        space: &Space<'_>,
    ) {
        self.frequencies.resize(self.candidates.len().max(self.frequencies.len()), 0.0);
        let Self { frequencies, candidates, block, pace, .. } = self;
        for member in &part.clause.members {
            let docs = candidates.iter().copied();
            look_up(member, space, docs, block, pace, |place, frequency| frequencies[place] += frequency);
        }
        for (&doc, frequency) in self.candidates.iter().zip(&mut self.frequencies) {
            let frequency = std::mem::take(frequency);
            if frequency > 0.0 {
                self.scores[(doc - range.start) as usize] += part.score(frequency, doc);
            }
        }
    }
}

/// Cuts documents into windows of about the same length, none between a document and its answers.
#[must_use]
pub fn windows(documents: u32, length: u32, parent: impl Fn(u32) -> Option<u32>) -> Vec<u32> {
    let mut starts = Vec::new();
    let mut start = 0;
    while start < documents {
        starts.push(start);
        start = start.saturating_add(length);
        while start < documents && parent(start).is_some() {
            start += 1;
        }
    }
    if starts.is_empty() { vec![0] } else { starts }
}

#[cfg(test)]
mod tests;
