//! Documents that are known already: counted, looked at, scored again.

use super::pace::Pace;
use super::walk::{each_posting, look_up};
use super::{Clause, Found, Member, Norms, Part, Searcher, Space, Spread, TermScorer, scale_for};

/// Lists up to so many times as long as the documents to be found in them are read as a whole.
const SCANNED: usize = 8;

/// How many documents have a key, and how often.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Counted {
    /// How many documents.
    pub documents: u32,
    /// How often, all together.
    pub occurrences: f64,
}

impl Searcher {
    /// How many of the accepted documents have one of the lists' keys, and how often.
    pub fn count(
        &mut self,
        members: &[Member<'_>],
        space: &Space<'_>,
        accept: impl Fn(u32) -> bool,
    ) -> Counted {
        let mut seen = vec![0_u64; (space.documents as usize).div_ceil(64)];
        let mut occurrences = 0_u64;
        let mut see = |doc: u32, frequency: u32| {
            if accept(doc) {
                seen[doc as usize / 64] |= 1 << (doc % 64);
                occurrences += u64::from(frequency);
            }
        };
        for Member { list, spread, .. } in members {
            let all = 0..space.documents;
            each_posting(list, &all, &mut self.block, &mut self.pace, |doc, frequency| match spread {
                Spread::Own => see(doc, frequency),
                Spread::Answers => space.answers(doc).for_each(|answer| see(answer, frequency)),
            });
        }
        let documents = seen.iter().map(|word| word.count_ones()).sum();
        Counted { documents, occurrences: occurrences as f64 }
    }

    /// How often a document has one of the lists' keys, factors included.
    pub fn frequency(&mut self, members: &[Member<'_>], space: &Space<'_>, doc: u32) -> f32 {
        let mut sum = 0.0;
        // A block for each list is read at most, so no deadline is looked at.
        let mut pace = Pace::default();
        for member in members {
            let docs = std::iter::once(doc);
            look_up(member, space, docs, &mut self.block, &mut pace, |_, frequency| sum += frequency);
        }
        sum
    }

    /// Scores documents that were found by other clauses, and brings them into the new order.
    pub fn rescore<W: TermScorer, N: Norms>(
        &mut self,
        clauses: &[Clause<'_, W, N>],
        space: &Space<'_>,
        found: &mut [Found],
    ) {
        let scale = scale_for(clauses.iter().map(|clause| clause.scorer.most()).sum());
        found.sort_unstable_by_key(|found| found.doc);
        let mut sums = vec![0_u32; found.len()];
        self.frequencies.clear();
        self.frequencies.resize(found.len(), 0.0);
        for clause in clauses {
            let part = Part { clause, scale, cursors: 0..0 };
            for member in &clause.members {
                if member.spread == Spread::Own && (member.list.len() as usize) < found.len() * SCANNED {
                    self.scan_for(member, space, found);
                } else {
                    let Self { frequencies, block, pace, .. } = self;
                    let docs = found.iter().map(|found| found.doc);
                    look_up(member, space, docs, block, pace, |place, frequency| {
                        frequencies[place] += frequency;
                    });
                }
            }
            for ((found, frequency), sum) in found.iter().zip(&mut self.frequencies).zip(&mut sums) {
                let frequency = std::mem::take(frequency);
                if frequency > 0.0 {
                    *sum += part.score(frequency, found.doc);
                }
            }
        }
        self.frequencies.clear();
        for (found, sum) in found.iter_mut().zip(sums) {
            found.score = f64::from(sum) / f64::from(scale);
            if let Some(slot) = self.slots.get_mut(found.doc as usize) {
                *slot = 0;
            }
        }
        found.sort_by(|left, right| {
            right.score.total_cmp(&left.score).then_with(|| space.rank(right.doc).cmp(&space.rank(left.doc)))
        });
    }

    /// Adds the frequencies of documents that were found, by reading all of a list.
    fn scan_for(&mut self, member: &Member<'_>, space: &Space<'_>, found: &[Found]) {
        self.slots.resize(self.slots.len().max(space.documents as usize), 0);
        if found.first().is_some_and(|first| self.slots[first.doc as usize] == 0) {
            for (slot, found) in (1_u32..).zip(found) {
                self.slots[found.doc as usize] = slot;
            }
        }
        let Self { slots, frequencies, block, pace, .. } = self;
        each_posting(&member.list, &(0..space.documents), block, pace, |doc, frequency| {
            let slot = slots[doc as usize] as usize;
            if slot > 0 {
                frequencies[slot - 1] += frequency as f32 * member.factor;
            }
        });
    }
}
