//! A set of numbers: a bit for each.

use crate::engine::Work;
use crate::error::Error;
use index::postings::{Block, List};

/// Blocks of postings that are read between two looks at the clock.
const BLOCKS: usize = 256;

/// A set of documents of one space: posts of a segment, or formulas of a collection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Bits(Vec<u64>);

impl Bits {
    /// The empty set of a space with this many documents.
    pub(super) fn none(documents: u32) -> Self {
        Self(vec![0; (documents as usize).div_ceil(64)])
    }

    /// Takes all documents in.
    pub(super) fn fill(&mut self) {
        self.0.fill(u64::MAX);
    }

    pub(super) fn insert(&mut self, doc: u32) {
        if let Some(bits) = self.0.get_mut(doc as usize / 64) {
            *bits |= 1 << (doc % 64);
        }
    }

    pub(super) fn contains(&self, doc: u32) -> bool {
        self.0.get(doc as usize / 64).is_some_and(|bits| bits >> (doc % 64) & 1 == 1)
    }

    pub(super) fn len(&self) -> usize {
        self.0.iter().map(|bits| bits.count_ones() as usize).sum()
    }

    /// Keeps what another set has, too.
    pub(super) fn keep(&mut self, others: &Self) {
        self.0.iter_mut().zip(&others.0).for_each(|(bits, others)| *bits &= others);
    }

    /// The documents, in ascending order.
    pub(super) fn iter(&self) -> impl Iterator<Item = u32> {
        let words = (0..).zip(&self.0).filter(|(_, bits)| **bits != 0);
        words.flat_map(|(word, bits)| {
            (0..64).filter(move |bit| bits >> bit & 1 == 1).map(move |bit| word * 64 + bit)
        })
    }
}

/// Hands over the documents of a posting list, as long as there is time.
pub(super) fn each_in(list: List<'_>, work: &mut Work, mut each: impl FnMut(u32)) -> Result<(), Error> {
    let mut block = Block::default();
    for place in 0..list.num_blocks() {
        if place.is_multiple_of(BLOCKS) && work.is_over() {
            return Err(Error::Stopped);
        }
        list.unpack(place, &mut block);
        block.postings().for_each(|(doc, _)| each(doc));
    }
    Ok(())
}
