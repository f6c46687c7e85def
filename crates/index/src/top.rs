//! The best documents of a weighted disjunction, exactly.
//!
//! A query is a list of [clauses](Clause), and a document's score is the sum of
//! the scores of its clauses. Scores are whole numbers, so a sum does not depend
//! on the order in which they are added. Documents are scored in windows: for
//! each window there is an upper bound on the score of each clause, from the
//! highest frequencies of blocks and the least norm in the window. Windows are
//! taken with the highest bound first, and once `k` documents are known, windows
//! that cannot reach the last of them are left out. In a window, the clauses
//! whose bounds together stay below that threshold are not essential: they bring
//! no new document, and are looked up only for documents that the others have
//! brought (MaxScore, in windows).
//!
//! Nothing is left out that could be among the first `k`, whatever the model:
//! its score need only rise with the frequency and fall with the norm.

mod again;
mod best;
mod bound;
mod cursor;
mod pace;
mod walk;
mod window;

pub use again::Counted;
pub use pace::Effort;

use crate::deadline::Deadline;
use crate::postings::{Block, List};
use crate::stored::number;
use best::Best;
use cursor::Cursors;
use pace::Pace;
use std::cmp::Reverse;
use std::ops::Range;
use window::Batch;

/// The score of a key.
pub trait TermScorer {
    /// The score of a document that has the key `frequency` times and has this norm. It never
    /// falls when the frequency rises, and never rises when the norm does.
    fn score(&self, frequency: f32, norm: f32) -> f32;

    /// The highest score that any document can have.
    fn most(&self) -> f32;

    /// Puts scores in the place of frequencies, those of documents with these norms.
    #[inline(always)]
    fn score_all(&self, frequencies: &mut [f32], norms: &[f32]) {
        for (frequency, norm) in frequencies.iter_mut().zip(norms) {
            *frequency = self.score(*frequency, *norm);
        }
    }
}

/// The norm of each document: what makes a frequency count for less.
pub trait Norms {
    /// That of a document.
    fn of(&self, doc: u32) -> f32;

    /// Those of documents, of as many as there is room for.
    #[inline(always)]
    fn of_all(&self, docs: &[u32], norms: &mut [f32]) {
        for (norm, doc) in norms.iter_mut().zip(docs) {
            *norm = self.of(*doc);
        }
    }

    /// Those of the documents from one on, of as many as there is room for.
    #[inline(always)]
    fn of_range(&self, first: u32, norms: &mut [f32]) {
        for (norm, doc) in norms.iter_mut().zip(first..) {
            *norm = self.of(doc);
        }
    }

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

    #[inline(always)]
    fn of_range(&self, first: u32, norms: &mut [f32]) {
        norms.copy_from_slice(&self.norms[first as usize..][..norms.len()]);
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

/// A part of a query: lists whose frequencies add up, and the score of their sum.
#[derive(Clone, Debug)]
pub struct Clause<'i, W, N> {
    /// The lists.
    pub members: Vec<Member<'i>>,
    /// The score of a frequency.
    pub scorer: W,
    /// The norms of documents.
    pub norms: N,
    /// Where its scores are worked out.
    pub level: Level,
}

/// Where the scores of a clause are worked out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// For each document.
    Document,
    /// Once for all answers to a document: all members count for the answers, and all of these have the norm of
    /// the document that they answer.
    Question,
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

    /// For each document of a range the one that it answers, or `u32::MAX`.
    fn parents_of(&self, range: &Range<u32>) -> impl Iterator<Item = u32> {
        let parents = self.parents.get(range.start as usize * 4..range.end as usize * 4).unwrap_or_default();
        parents.as_chunks::<4>().0.iter().map(|bytes| u32::from_le_bytes(*bytes))
    }

    fn rank(&self, doc: u32) -> u32 {
        number(self.ranks, doc).unwrap_or(doc)
    }

    /// The answers to a document.
    #[inline]
    #[must_use]
    pub fn answers(&self, doc: u32) -> Range<u32> {
        let after = self.parents.get((doc as usize + 1) * 4..).unwrap_or_default().as_chunks::<4>().0;
        let answers = after.iter().take_while(|parent| u32::from_le_bytes(**parent) == doc);
        let first = doc + 1;
        first..answers.fold(first, |end, _| end + 1)
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
    /// The scores of the documents of a window.
    scores: Vec<u32>,
    /// Scores that count for the answers to a document; not added to theirs yet.
    question_scores: Vec<u32>,
    has_question_scores: bool,
    /// How often each document of a window has the key of a clause, and which have it.
    frequencies: Vec<f32>,
    touched: Vec<u32>,
    candidates: Vec<u32>,
    batch: Batch,
    /// The upper bound of each clause in each window.
    bounds: Vec<u32>,
    peaks: Vec<f32>,
    cursors: Cursors,
    block: Block,
    pace: Pace,
    /// For each document its place among those that are scored again, from 1 on.
    slots: Vec<u32>,
}

/// Part of a query as it is searched.
struct Part<'q, 'i, W, N> {
    clause: &'q Clause<'i, W, N>,
    scale: f32,
    /// The cursors of its members.
    cursors: Range<usize>,
}

impl<W: TermScorer, N: Norms> Part<'_, '_, W, N> {
    #[inline]
    fn score(&self, frequency: f32, doc: u32) -> u32 {
        whole(self.clause.scorer.score(frequency, self.clause.norms.of(doc)) * self.scale)
    }

    /// The highest score in a window, and one more for what cutting off could lose.
    fn bound(&self, peak: f32, window: usize) -> u32 {
        let score = self.clause.scorer.score(peak, self.clause.norms.least(window)) * self.scale;
        whole(score).saturating_add(1)
    }
}

/// A score without its fraction: scores are at least 0, and the scale keeps them below 2³¹. As `score as u32`, but
/// in steps that can be taken for many scores at once.
#[inline(always)]
fn whole(score: f32) -> u32 {
    let bits = score.max(0.0).to_bits() & 0x7fff_ffff;
    let exponent = (bits >> 23).min(127 + 31);
    let digits = bits & 0x007f_ffff | 0x0080_0000;
    let left = exponent.saturating_sub(127 + 23);
    let right = (127 + 23_u32).saturating_sub(exponent).min(31);
    digits << left >> right
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
    /// that were scored until then: each with its whole score.
    pub fn top<W: TermScorer, N: Norms>(
        &mut self,
        clauses: &[Clause<'_, W, N>],
        space: &Space<'_>,
        k: usize,
        accept: impl Fn(u32) -> bool,
    ) -> Vec<Found> {
        self.pace.effort = Effort::default();
        let scale = scale_for(clauses.iter().map(|clause| clause.scorer.most()).sum());
        let mut cursors = 0..0;
        let mut parts = Vec::with_capacity(clauses.len());
        for clause in clauses {
            cursors = cursors.end..cursors.end + clause.members.len();
            parts.push(Part { clause, scale, cursors: cursors.clone() });
        }
        let windows = space.windows.len();
        self.bound(&parts, space);
        let mut order: Vec<(Reverse<u64>, usize)> = (0..windows)
            .map(|window| {
                let bounds = (0..parts.len()).map(|part| u64::from(self.bounds[part * windows + window]));
                (Reverse(bounds.sum()), window)
            })
            .collect();
        order.sort_unstable();
        let mut best = Best::new(k.min(space.documents as usize));
        for (Reverse(bound), window) in order {
            let threshold = best.threshold();
            if k == 0 || bound == 0 || bound < u64::from(threshold) {
                break;
            }
            self.window(window, &parts, space, threshold);
            if self.pace.is_over() {
                // Scores of this window may lack some clauses.
                self.forget(&space.window(window));
                break;
            }
            for &doc in &self.candidates {
                let score = self.scores[(doc - space.windows[window]) as usize];
                if score >= best.threshold() && score > 0 {
                    let entry = (score, space.rank(doc), doc);
                    if best.takes(entry) && accept(doc) {
                        best.push(entry);
                    }
                }
            }
            best.settle();
            self.forget(&space.window(window));
        }
        let found =
            |(score, _, doc): (u32, u32, u32)| Found { doc, score: f64::from(score) / f64::from(scale) };
        best.into_sorted().into_iter().map(found).collect()
    }

    /// Makes all scores of a window nought again.
    fn forget(&mut self, range: &Range<u32>) {
        self.scores[..range.len()].fill(0);
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
