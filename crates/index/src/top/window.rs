//! The scores of the documents of a window.

use super::{Level, Member, Norms, Part, Searcher, Space, Spread, TermScorer, whole};
use crate::postings::BLOCK;
use std::cmp::Reverse;
use std::ops::Range;

/// One in so many documents of a window are many candidates.
const MANY: usize = 8;
/// Where one in so many documents of a window have the key of a clause, all are worked out.
const DENSE: usize = 2;
/// Looking up a document takes as long as reading so many postings.
const LOOKED_UP: usize = 16;

/// Documents whose scores are worked out together, so that the arithmetic is done on several at once.
#[derive(Debug)]
pub(super) struct Batch {
    docs: [u32; BLOCK],
    frequencies: [f32; BLOCK],
    norms: [f32; BLOCK],
    len: usize,
}

impl Default for Batch {
    fn default() -> Self {
        Self { docs: [0; BLOCK], frequencies: [0.0; BLOCK], norms: [0.0; BLOCK], len: 0 }
    }
}

/// The clause whose scores are added, the first document of the window, and the scores of the window.
type Target<'a, 'q, 'i, W, N> = (&'a Part<'q, 'i, W, N>, u32, &'a mut [u32]);

impl Batch {
    /// Adds a document; when the batch is full, the scores are added to those of the window.
    #[inline]
    fn push<W: TermScorer, N: Norms>(
        &mut self,
        (doc, frequency): (u32, f32),
        (part, start, scores): Target<'_, '_, '_, W, N>,
    ) {
        self.docs[self.len] = doc;
        self.frequencies[self.len] = frequency;
        self.len += 1;
        if self.len == BLOCK {
            self.finish((part, start, scores));
        }
    }

    /// Adds the scores of the documents that were pushed to those of the window.
    fn finish<W: TermScorer, N: Norms>(&mut self, target: Target<'_, '_, '_, W, N>) {
        let Self { docs, frequencies, norms, len } = self;
        if *len > 0 {
            let docs = &docs[..*len];
            pulp::Arch::new().dispatch(AddScores { docs, frequencies, norms, target });
            *len = 0;
        }
    }

    /// Adds the scores of the documents at these places, and makes their frequencies nought again.
    fn take<W: TermScorer, N: Norms>(
        &mut self,
        places: &[u32],
        all: &mut [f32],
        (part, start, scores): Target<'_, '_, '_, W, N>,
    ) {
        let Self { docs, frequencies, norms, .. } = self;
        for places in places.chunks(BLOCK) {
            for ((doc, frequency), place) in docs.iter_mut().zip(&mut *frequencies).zip(places) {
                *doc = start + place;
                *frequency = std::mem::take(&mut all[*place as usize]);
            }
            let (docs, target) = (&docs[..places.len()], (part, start, &mut *scores));
            pulp::Arch::new().dispatch(AddScores { docs, frequencies, norms, target });
        }
    }

    /// Adds the scores of documents that have a key so many times.
    fn add<W: TermScorer, N: Norms>(
        &mut self,
        docs: &[u32],
        counts: &[u32],
        factor: f32,
        (part, start, scores): Target<'_, '_, '_, W, N>,
    ) {
        let Self { frequencies, norms, .. } = self;
        for (docs, counts) in docs.chunks(BLOCK).zip(counts.chunks(BLOCK)) {
            for (frequency, count) in frequencies.iter_mut().zip(counts) {
                *frequency = *count as f32 * factor;
            }
            let target = (part, start, &mut *scores);
            pulp::Arch::new().dispatch(AddScores { docs, frequencies, norms, target });
        }
    }
}

/// Adds the scores of all documents of a window, most of which have the key, and makes their frequencies nought
/// again: norms and scores are read one behind the other.
struct AddAllScores<'a, 'q, 'i, W, N> {
    /// How often each document of the window has the key.
    frequencies: &'a mut [f32],
    norms: &'a mut [f32; BLOCK],
    target: Target<'a, 'q, 'i, W, N>,
}

impl<W: TermScorer, N: Norms> pulp::WithSimd for AddAllScores<'_, '_, '_, W, N> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _simd: S) {
        let Self { frequencies, norms, target: (part, start, scores) } = self;
        let mut worth = [0.0; BLOCK];
        let firsts = (start..).step_by(BLOCK);
        for ((first, frequencies), scores) in
            firsts.zip(frequencies.chunks_mut(BLOCK)).zip(scores.chunks_mut(BLOCK))
        {
            let len = frequencies.len();
            let (norms, worth) = (&mut norms[..len], &mut worth[..len]);
            part.clause.norms.of_range(first, norms);
            worth.copy_from_slice(frequencies);
            part.clause.scorer.score_all(worth, norms);
            for ((frequency, worth), score) in frequencies.iter().zip(&*worth).zip(scores) {
                *score += if *frequency > 0.0 { whole(*worth * part.scale) } else { 0 };
            }
            frequencies.fill(0.0);
        }
    }
}

/// Adds the scores of documents to those of the window, with the widest registers that there are.
struct AddScores<'a, 'q, 'i, W, N> {
    docs: &'a [u32],
    frequencies: &'a mut [f32; BLOCK],
    norms: &'a mut [f32; BLOCK],
    target: Target<'a, 'q, 'i, W, N>,
}

impl<W: TermScorer, N: Norms> pulp::WithSimd for AddScores<'_, '_, '_, W, N> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _simd: S) {
        let Self { docs, frequencies, norms, target: (part, start, scores) } = self;
        part.clause.norms.of_all(docs, norms);
        // Some more than there are, so that registers are full.
        let full = docs.len().next_multiple_of(16).min(BLOCK);
        let (frequencies, norms) = (&mut frequencies[..full], &norms[..full]);
        part.clause.scorer.score_all(frequencies, norms);
        let mut wholes = [0; BLOCK];
        for (whole_score, score) in wholes.iter_mut().zip(frequencies) {
            *whole_score = whole(*score * part.scale);
        }
        for (doc, score) in docs.iter().zip(wholes) {
            scores[(doc - start) as usize] += score;
        }
    }
}

impl Searcher {
    /// Scores the documents of a window that can reach the threshold; leaves them in `candidates`.
    pub(super) fn window<W: TermScorer, N: Norms>(
        &mut self,
        window: usize,
        parts: &[Part<'_, '_, W, N>],
        space: &Space<'_>,
        threshold: u32,
    ) {
        self.pace.effort.windows += 1;
        self.pace.step(1 + parts.len() as u64 / 16);
        let windows = space.windows.len();
        let range = space.window(window);
        let mut order: Vec<(u32, usize)> = (0..parts.len())
            .map(|part| (self.bounds[part * windows + window], part))
            .filter(|(bound, _)| *bound > 0)
            .collect();
        // The highest bounds come first; the last that stay below the threshold together are not essential.
        order.sort_unstable_by_key(|&(bound, part)| (Reverse(bound), part));
        let (mut essential, mut rest) = (order.len(), 0_u64);
        while essential > 0 && rest + u64::from(order[essential - 1].0) < u64::from(threshold) {
            essential -= 1;
            rest += u64::from(order[essential].0);
        }
        let len = range.len().max(self.scores.len());
        self.scores.resize(len, 0);
        self.question_scores.resize(len + 1, 0);
        self.frequencies.resize(len, 0.0);
        self.touched.resize(len + 1, 0);
        for &(_, part) in &order[..essential] {
            if self.pace.is_over() {
                break;
            }
            self.add_all(&parts[part], window, &range, space);
        }
        self.spread(&range, space);
        let needed =
            |rest: u64| u32::try_from(u64::from(threshold).saturating_sub(rest)).unwrap_or(u32::MAX).max(1);
        // While most documents are candidates, they are not listed, and counted now and then only.
        let mut is_listed = self.list_if_few(&range, needed(rest));
        let mut counted_at = rest;
        for &(bound, part) in &order[essential..] {
            if is_listed && self.candidates.is_empty() || self.pace.is_over() {
                break;
            }
            let part = &parts[part];
            let postings = || self.cursors.postings(part.cursors.clone(), window);
            if is_listed && postings() > self.candidates.len() * LOOKED_UP {
                self.add_to_candidates(part, window, &range, space);
            } else {
                self.add_all(part, window, &range, space);
            }
            rest -= u64::from(bound);
            if is_listed {
                self.spread_to_candidates(&range, space);
                let (scores, needed) = (&self.scores, needed(rest));
                self.candidates.retain(|doc| scores[(doc - range.start) as usize] >= needed);
            } else if rest < counted_at / 4 * 3 {
                self.spread(&range, space);
                is_listed = self.list_if_few(&range, needed(rest));
                counted_at = rest;
            }
        }
        if !is_listed {
            self.spread(&range, space);
            self.list(&range, needed(rest));
        }
    }

    /// Adds the scores that count for answers to theirs.
    fn spread(&mut self, range: &Range<u32>, space: &Space<'_>) {
        if !std::mem::take(&mut self.has_question_scores) {
            return;
        }
        let (start, len) = (range.start, range.len());
        // What answers nothing finds a nought behind the scores: a branch would often be mispredicted.
        let questions = &self.question_scores[..=len];
        let parents = space.parents_of(range);
        for (score, parent) in self.scores[..len].iter_mut().zip(parents) {
            *score += questions[(parent.wrapping_sub(start) as usize).min(len)];
        }
        self.question_scores[..len].fill(0);
    }

    /// The same for those of the candidates alone; what counts for other documents is dropped.
    fn spread_to_candidates(&mut self, range: &Range<u32>, space: &Space<'_>) {
        if !std::mem::take(&mut self.has_question_scores) {
            return;
        }
        let (start, len) = (range.start, range.len());
        for &doc in &self.candidates {
            let question = (space.parent(doc).wrapping_sub(start) as usize).min(len);
            self.scores[(doc - start) as usize] += self.question_scores[question];
        }
        self.question_scores[..len].fill(0);
    }

    /// Lists the documents of a window that have a score of at least so much, if few have.
    fn list_if_few(&mut self, range: &Range<u32>, needed: u32) -> bool {
        let scores = &self.scores[..range.len()];
        let num: u32 = scores.iter().map(|score| u32::from(*score >= needed)).sum();
        let are_few = (num as usize) < range.len() / MANY;
        if are_few {
            self.list(range, needed);
        }
        are_few
    }

    /// Makes the documents of a window candidates that have a score of at least so much.
    fn list(&mut self, range: &Range<u32>, needed: u32) {
        /// So many scores are compared at once.
        const LANES: usize = 32;
        self.candidates.clear();
        let scores = &self.scores[..range.len()];
        for (start, lanes) in (range.start..).step_by(LANES).zip(scores.chunks(LANES)) {
            if lanes.iter().fold(false, |any, score| any | (*score >= needed)) {
                let docs = (start..).zip(lanes).filter(|(_, score)| **score >= needed).map(|(doc, _)| doc);
                self.candidates.extend(docs);
            }
        }
    }

    /// Adds the scores of a clause to those of every document of a window.
    fn add_all<W: TermScorer, N: Norms>(
        &mut self,
        part: &Part<'_, '_, W, N>,
        window: usize,
        range: &Range<u32>,
        space: &Space<'_>,
    ) {
        let members = &part.clause.members;
        let Self { scores, question_scores, frequencies, touched, batch, cursors, pace, .. } = self;
        let at_question = part.clause.level == Level::Question;
        let scores = if at_question { question_scores } else { scores };
        self.has_question_scores |= at_question;
        let start = range.start;
        let is_dense = cursors.postings(part.cursors.clone(), window) * DENSE >= range.len();
        let lists = std::iter::zip(part.cursors.clone(), members);
        if let [Member { factor, spread, .. }] = &members[..]
            && (at_question || *spread == Spread::Own)
            && !(is_dense && *factor > 0.0)
        {
            for (cursor, member) in lists {
                cursors.each((cursor, &member.list), (window, range), pace, |docs, counts| {
                    batch.add(docs, counts, *factor, (part, start, scores));
                });
            }
            return;
        }
        if is_dense {
            let frequencies = &mut frequencies[..range.len()];
            for (cursor, Member { list, factor, spread }) in lists.filter(|(_, member)| member.factor > 0.0) {
                let is_own = *spread == Spread::Own || at_question;
                cursors.each((cursor, list), (window, range), pace, |docs, counts| {
                    for (&doc, &count) in docs.iter().zip(counts) {
                        let frequency = count as f32 * factor;
                        if is_own {
                            frequencies[(doc - start) as usize] += frequency;
                        } else {
                            for answer in space.answers(doc) {
                                frequencies[(answer - start) as usize] += frequency;
                            }
                        }
                    }
                });
            }
            let target = (part, start, &mut scores[..range.len()]);
            pulp::Arch::new().dispatch(AddAllScores { frequencies, norms: &mut batch.norms, target });
            return;
        }
        let mut num_touched = 0;
        let mut add = |doc: u32, frequency: f32| {
            let place = doc - start;
            let sum = &mut frequencies[place as usize];
            // Written whether it is new or not: a branch would often be mispredicted.
            touched[num_touched] = place;
            num_touched += usize::from(*sum == 0.0);
            *sum += frequency;
        };
        // Members that count for nothing have no say, and would be touched again and again.
        for (cursor, Member { list, factor, spread }) in lists.filter(|(_, member)| member.factor > 0.0) {
            cursors.each((cursor, list), (window, range), pace, |docs, counts| {
                for (&doc, &count) in docs.iter().zip(counts) {
                    let frequency = count as f32 * factor;
                    if *spread == Spread::Own || at_question {
                        add(doc, frequency);
                    } else {
                        space.answers(doc).for_each(|answer| add(answer, frequency));
                    }
                }
            });
        }
        batch.take(&touched[..num_touched], frequencies, (part, start, scores));
    }

    /// Adds the scores of a clause to those of the candidates.
    fn add_to_candidates<W: TermScorer, N: Norms>(
        &mut self,
        part: &Part<'_, '_, W, N>,
        window: usize,
        range: &Range<u32>,
        space: &Space<'_>,
    ) {
        let Self { scores, frequencies, candidates, batch, cursors, pace, .. } = self;
        for (cursor, member) in std::iter::zip(part.cursors.clone(), &part.clause.members) {
            let docs = candidates.iter().copied();
            cursors.look_up((cursor, member), window, docs, space, pace, |place, frequency| {
                frequencies[place] += frequency;
            });
        }
        for (&doc, frequency) in candidates.iter().zip(frequencies) {
            let frequency = std::mem::take(frequency);
            if frequency > 0.0 {
                batch.push((doc, frequency), (part, range.start, scores));
            }
        }
        batch.finish((part, range.start, scores));
    }
}
