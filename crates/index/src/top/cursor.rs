//! The postings of a query's lists, window by window.

use super::pace::Pace;
use super::walk::inside;
use super::{Member, Space, Spread};
use crate::postings::{BLOCK, Block, List, Packed};
use std::ops::Range;

/// Lists with fewer postings a window are unpacked before the search: their blocks reach over several windows.
const SPARSE: usize = 16;

/// Where the postings of each list are.
#[derive(Debug, Default)]
pub(super) struct Cursors {
    all: Vec<Cursor>,
    /// The first block of a list in each window, or the place of its first posting in `docs`; and the end.
    starts: Vec<u32>,
    /// Postings of lists that are unpacked.
    docs: Vec<u32>,
    counts: Vec<u32>,
    block: Block,
}

/// Where the postings of a list are.
#[derive(Clone, Copy, Debug)]
struct Cursor {
    /// The place of its numbers among the starts.
    starts: usize,
    is_unpacked: bool,
}

impl Cursors {
    pub(super) fn clear(&mut self) {
        self.all.clear();
        self.starts.clear();
        self.docs.clear();
        self.counts.clear();
    }

    /// Adds the list of a member, and to the peak of each window the highest frequency that may be in it.
    pub(super) fn push(
        &mut self,
        member: &Member<'_>,
        space: &Space<'_>,
        peaks: &mut [f32],
        pace: &mut Pace,
    ) {
        let is_unpacked = (member.list.len() as usize) < space.windows.len() * SPARSE;
        self.all.push(Cursor { starts: self.starts.len(), is_unpacked });
        if is_unpacked {
            self.unpack(member, space, peaks, pace);
        } else {
            pace.step(member.list.num_blocks() as u64 / 16 + 1);
            self.find_blocks(member, space, peaks);
        }
    }

    fn unpack(&mut self, member: &Member<'_>, space: &Space<'_>, peaks: &mut [f32], pace: &mut Pace) {
        let first = self.starts.len();
        let here = |docs: &[u32]| u32::try_from(docs.len()).unwrap_or(u32::MAX);
        let (mut window, mut range, mut peak, mut next) = (0, 0..0, 0, 0);
        for number in 0..member.list.num_blocks() {
            member.list.unpack(number, &mut self.block);
            pace.step(1);
            for (doc, count) in self.block.postings() {
                if doc < next {
                    // Blocks of a damaged list may not follow each other.
                    continue;
                }
                next = doc + 1;
                if doc >= range.end {
                    peaks[window] += peak as f32 * member.factor;
                    peak = 0;
                    window = space.windows.partition_point(|start| *start <= doc) - 1;
                    range = space.window(window);
                    self.starts.resize(first + window + 1, here(&self.docs));
                }
                peak = peak.max(count);
                self.docs.push(doc);
                self.counts.push(count);
            }
        }
        peaks[window] += peak as f32 * member.factor;
        self.starts.resize(first + space.windows.len() + 1, here(&self.docs));
    }

    fn find_blocks(&mut self, member: &Member<'_>, space: &Space<'_>, peaks: &mut [f32]) {
        let list = &member.list;
        let blocks = list.num_blocks();
        let mut block = 0;
        for (window, peak) in peaks.iter_mut().enumerate() {
            let range = space.window(window);
            while block < blocks && list.last_doc(block) < range.start {
                block += 1;
            }
            self.starts.push(u32::try_from(block).unwrap_or(u32::MAX));
            let mut highest = 0;
            // A block begins behind the last document of the one before.
            let mut first = range.start;
            while block < blocks && first < range.end {
                highest = highest.max(list.highest_in(block));
                first = list.last_doc(block).saturating_add(1);
                block += usize::from(first < range.end);
            }
            *peak += highest as f32 * member.factor;
        }
        self.starts.push(u32::try_from(blocks).unwrap_or(u32::MAX));
    }

    /// Looks up documents of a window, which come in ascending order: gives the place of each among them that the
    /// member counts for, and how often it has the key, the member's factor included.
    pub(super) fn look_up(
        &mut self,
        (cursor, member): (usize, &Member<'_>),
        window: usize,
        docs: impl Iterator<Item = u32>,
        space: &Space<'_>,
        pace: &mut Pace,
        mut each: impl FnMut(usize, f32),
    ) {
        let Member { list, factor, spread } = member;
        // What answers nothing has no question.
        let wanted = docs.enumerate().map(|(place, doc)| match spread {
            Spread::Own => (place, doc),
            Spread::Answers => (place, space.parent(doc)),
        });
        let wanted = wanted.filter(|(_, doc)| *doc < space.documents);
        let Cursor { starts, is_unpacked } = self.all[cursor];
        let start = self.starts[starts + window] as usize;
        if is_unpacked {
            let mut from = start;
            let end = self.starts[starts + window + 1] as usize;
            for (place, doc) in wanted {
                from += self.docs[from..end].partition_point(|known| *known < doc);
                if self.docs[from..end].first() == Some(&doc) {
                    each(place, self.counts[from] as f32 * factor);
                }
            }
            return;
        }
        let (mut from, mut unpacked, mut packed) = (start, usize::MAX, None);
        for (place, doc) in wanted {
            from = list.seek(from, doc);
            if from >= list.num_blocks() {
                break;
            }
            if from != unpacked {
                if pace.is_over() {
                    break;
                }
                packed = list.unpack_docs(from, &mut self.block);
                pace.block();
                unpacked = from;
            }
            let docs = &self.block.docs[..self.block.len];
            let at = docs.partition_point(|known| *known < doc);
            if docs.get(at) == Some(&doc) {
                let count =
                    packed.map_or(self.block.frequencies[at], |packed: Packed<'_>| packed.frequency(at));
                each(place, count as f32 * factor);
            }
        }
    }

    /// About how many postings lists have in a window.
    pub(super) fn postings(&self, cursors: Range<usize>, window: usize) -> usize {
        let postings = self.all[cursors].iter().map(|cursor| {
            let starts = &self.starts[cursor.starts + window..][..2];
            let between = (starts[1] - starts[0]) as usize;
            if cursor.is_unpacked { between } else { (between + 1) * BLOCK }
        });
        postings.sum()
    }

    /// Gives the documents of a list in a window and how often each has the key, some at a time, as far as
    /// there is time.
    #[inline]
    pub(super) fn each(
        &mut self,
        (cursor, list): (usize, &List<'_>),
        (window, range): (usize, &Range<u32>),
        pace: &mut Pace,
        mut each: impl FnMut(&[u32], &[u32]),
    ) {
        let Cursor { starts, is_unpacked } = self.all[cursor];
        let start = self.starts[starts + window] as usize;
        if is_unpacked {
            let end = self.starts[starts + window + 1] as usize;
            pace.step((end - start) as u64 / 512);
            each(&self.docs[start..end], &self.counts[start..end]);
            return;
        }
        for number in start..list.num_blocks() {
            if pace.is_over() {
                break;
            }
            list.unpack(number, &mut self.block);
            pace.block();
            let inside = inside(&self.block, range);
            each(&self.block.docs[inside.clone()], &self.block.frequencies[inside.clone()]);
            if inside.end < self.block.len || list.last_doc(number) >= range.end - 1 {
                break;
            }
        }
    }
}
