//! One posting list.
//!
//! First come the number of postings and the highest frequency. Then, for each
//! full block, its last document, where it ends and its highest frequency, so
//! that blocks can be passed over; then the blocks, with as many bits a number
//! as the block needs; then what is left over, a number after the other.

use bitpacking::{BitPacker, BitPacker4x};
use frame::varint;

/// How many postings a full block has.
pub const BLOCK: usize = BitPacker4x::BLOCK_LEN;
/// The bytes of a block's line in the table of blocks.
const LINE: usize = 9;

/// Documents and frequencies of a block.
#[derive(Clone, Debug)]
pub struct Block {
    /// The documents, in ascending order; only the first [`Block::len`] count.
    pub docs: [u32; BLOCK],
    /// How often each has the key.
    pub frequencies: [u32; BLOCK],
    /// How many there are.
    pub len: usize,
}

impl Default for Block {
    fn default() -> Self {
        Self { docs: [0; BLOCK], frequencies: [0; BLOCK], len: 0 }
    }
}

impl Block {
    /// The postings.
    pub fn postings(&self) -> impl Iterator<Item = (u32, u32)> {
        std::iter::zip(&self.docs[..self.len], &self.frequencies[..self.len]).map(|(doc, tf)| (*doc, *tf))
    }
}

/// A full block: the numbers of the documents, each less the one before and one, and the frequencies, each less one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Packed<'i> {
    doc_bits: u8,
    docs: &'i [u8],
    frequency_bits: u8,
    frequencies: &'i [u8],
}

impl<'i> Packed<'i> {
    fn new(bytes: &'i [u8]) -> Option<Self> {
        let (&[doc_bits, frequency_bits], packed) = bytes.split_first_chunk()?;
        let (docs, frequencies) = packed.split_at_checked(usize::from(doc_bits) * BLOCK / 8)?;
        let is_whole = frequencies.len() == usize::from(frequency_bits) * BLOCK / 8;
        (is_whole && doc_bits <= 32 && frequency_bits <= 32).then_some(Self {
            doc_bits,
            docs,
            frequency_bits,
            frequencies,
        })
    }

    fn docs(&self, before: Option<u32>, block: &mut Block) {
        BitPacker4x::new().decompress_strictly_sorted(before, self.docs, &mut block.docs, self.doc_bits);
        // The sum of so few small numbers cannot overflow, so the documents ascend.
        let is_small = self.doc_bits <= 23 && before.is_none_or(|before| before <= u32::MAX / 2);
        let ascends = is_small || block.docs.windows(2).all(|pair| pair[0] < pair[1]);
        block.len = if ascends { BLOCK } else { 0 };
    }

    fn frequencies(&self, block: &mut Block) {
        BitPacker4x::new().decompress(self.frequencies, &mut block.frequencies, self.frequency_bits);
        let frequencies = block.frequencies.iter_mut();
        if self.frequency_bits < 32 {
            frequencies.for_each(|frequency| *frequency += 1);
        } else {
            frequencies.for_each(|frequency| *frequency = frequency.saturating_add(1));
        }
    }

    /// One frequency, without unpacking the others: of each four numbers the first belong to the first word of four,
    /// one behind the other, and so on.
    #[inline]
    pub(crate) fn frequency(&self, place: usize) -> u32 {
        let bits = usize::from(self.frequency_bits);
        let (bit, lane) = (place / 4 * bits, place % 4);
        let word = |number: usize| {
            let start = (number * 4 + lane) * 4;
            let bytes = self.frequencies.get(start..start + 4).and_then(|bytes| bytes.try_into().ok());
            u64::from(u32::from_le_bytes(bytes.unwrap_or_default()))
        };
        let both = word(bit / 32) | word(bit / 32 + 1) << 32;
        let less = both >> (bit % 32) & ((1_u64 << bits) - 1);
        u32::try_from(less).unwrap_or(u32::MAX).saturating_add(1)
    }
}

/// The documents that have a key.
#[derive(Clone, Copy, Debug)]
pub struct List<'i> {
    len: u32,
    highest: u32,
    documents: u32,
    table: &'i [u8],
    blocks: &'i [u8],
    rest: &'i [u8],
}

impl<'i> List<'i> {
    pub(crate) fn new(mut bytes: &'i [u8], documents: u32) -> Option<Self> {
        let len = varint::take_u32(&mut bytes)?;
        let highest = varint::take_u32(&mut bytes)?;
        let (table, bytes) = bytes.split_at_checked(len as usize / BLOCK * LINE)?;
        let mut list = Self { len, highest, documents, table, blocks: &[], rest: bytes };
        let end = list.full_blocks().checked_sub(1).map_or(0, |last| list.block_end(last));
        (list.blocks, list.rest) = bytes.split_at_checked(end)?;
        Some(list)
    }

    /// How many documents have the key.
    #[must_use]
    pub fn len(&self) -> u32 {
        self.len
    }

    /// Whether none has.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The highest frequency in all of it.
    #[must_use]
    pub fn highest(&self) -> u32 {
        self.highest
    }

    fn full_blocks(&self) -> usize {
        self.table.len() / LINE
    }

    /// How many blocks there are.
    #[must_use]
    pub fn num_blocks(&self) -> usize {
        (self.len as usize).div_ceil(BLOCK)
    }

    /// The last document of a block; of the last block, the last document there is.
    #[must_use]
    pub fn last_doc(&self, block: usize) -> u32 {
        let line = self.table.get(block * LINE..block * LINE + 4);
        line.map_or(self.documents.saturating_sub(1), |bytes| {
            u32::from_le_bytes(bytes.try_into().expect("four bytes"))
        })
    }

    /// The highest frequency in a block, or something higher.
    #[must_use]
    pub fn highest_in(&self, block: usize) -> u32 {
        match self.table.get(block * LINE + 8) {
            None | Some(&u8::MAX) => self.highest,
            Some(&frequency) => u32::from(frequency),
        }
    }

    fn block_end(&self, block: usize) -> usize {
        let bytes = &self.table[block * LINE + 4..block * LINE + 8];
        u32::from_le_bytes(bytes.try_into().expect("four bytes")) as usize
    }

    /// The first block, from one on, that may hold a document.
    #[must_use]
    pub fn seek(&self, from: usize, doc: u32) -> usize {
        let (mut low, mut step) = (from, 1);
        while low + step < self.num_blocks() && self.last_doc(low + step - 1) < doc {
            low += step;
            step *= 2;
        }
        let mut high = (low + step).min(self.num_blocks());
        while low < high {
            let middle = low.midpoint(high);
            if self.last_doc(middle) < doc { low = middle + 1 } else { high = middle }
        }
        low
    }

    /// Unpacks a block. One that is damaged is empty.
    pub fn unpack(&self, number: usize, block: &mut Block) {
        block.len = 0;
        if number < self.full_blocks() {
            let before = number.checked_sub(1).map(|before| self.last_doc(before));
            if let Some(packed) = self.packed(number) {
                packed.docs(before, block);
                packed.frequencies(block);
            }
        } else {
            let before = self.full_blocks().checked_sub(1).map(|before| self.last_doc(before));
            self.unpack_rest(before, block);
        }
        // Documents that do not exist cannot be looked up; they can come from a damaged file only.
        if block.len > 0 && block.docs[block.len - 1] >= self.documents {
            block.len = 0;
        }
    }

    /// A full block as it is in the file; `None` if it is damaged.
    fn packed(&self, number: usize) -> Option<Packed<'i>> {
        let start = number.checked_sub(1).map_or(0, |before| self.block_end(before));
        Packed::new(self.blocks.get(start..self.block_end(number))?)
    }

    /// Unpacks the documents of a block. Gives what their frequencies are read from; if there is nothing, the
    /// frequencies are unpacked, too.
    pub(crate) fn unpack_docs(&self, number: usize, block: &mut Block) -> Option<Packed<'i>> {
        if number >= self.full_blocks() {
            self.unpack(number, block);
            return None;
        }
        block.len = 0;
        let packed = self.packed(number)?;
        packed.docs(number.checked_sub(1).map(|before| self.last_doc(before)), block);
        if block.docs[BLOCK - 1] >= self.documents {
            block.len = 0;
        }
        Some(packed)
    }

    fn unpack_rest(&self, before: Option<u32>, block: &mut Block) {
        let mut rest = self.rest;
        let mut next = before.map_or(0, |before| u64::from(before) + 1);
        for place in 0..self.len as usize % BLOCK {
            let Some(number) = varint::take(&mut rest) else { return };
            let more = if number & 1 == 0 { 0 } else { varint::take_u32(&mut rest).unwrap_or(0) };
            let Ok(doc) = u32::try_from(next.saturating_add(number >> 1)) else { return };
            block.docs[place] = doc;
            block.frequencies[place] = more.saturating_add(1);
            next = u64::from(doc) + 1;
            block.len = place + 1;
        }
    }

    /// Writes a list. Documents ascend, frequencies are at least one.
    pub(crate) fn write(docs: &[u32], frequencies: &[u32], out: &mut Vec<u8>) {
        varint::put(docs.len() as u64, out);
        varint::put(u64::from(frequencies.iter().copied().max().unwrap_or(0)), out);
        let full = docs.len() / BLOCK;
        let table = out.len();
        out.resize(table + full * LINE, 0);
        let blocks = out.len();
        let packer = BitPacker4x::new();
        let mut packed = [0; 4 * BLOCK];
        let mut before = None;
        for number in 0..full {
            let range = number * BLOCK..(number + 1) * BLOCK;
            let docs = &docs[range.clone()];
            let mut less = [0; BLOCK];
            for (less, frequency) in less.iter_mut().zip(&frequencies[range]) {
                *less = frequency - 1;
            }
            let doc_bits = packer.num_bits_strictly_sorted(before, docs);
            let frequency_bits = packer.num_bits(&less);
            out.extend_from_slice(&[doc_bits, frequency_bits]);
            let length = packer.compress_strictly_sorted(before, docs, &mut packed, doc_bits);
            out.extend_from_slice(&packed[..length]);
            let length = packer.compress(&less, &mut packed, frequency_bits);
            out.extend_from_slice(&packed[..length]);
            before = docs.last().copied();
            let end = u32::try_from(out.len() - blocks).expect("a list is no longer than four gigabytes");
            let highest = less.iter().max().map_or(0, |less| less.saturating_add(1));
            let line = &mut out[table + number * LINE..][..LINE];
            line[..4].copy_from_slice(&before.unwrap_or(0).to_le_bytes());
            line[4..8].copy_from_slice(&end.to_le_bytes());
            line[8] = u8::try_from(highest).unwrap_or(u8::MAX);
        }
        let mut next = before.map_or(0, |before| u64::from(before) + 1);
        for (&doc, &frequency) in docs.iter().zip(frequencies).skip(full * BLOCK) {
            let more = frequency - 1;
            varint::put((u64::from(doc) - next) << 1 | u64::from(more > 0), out);
            if more > 0 {
                varint::put(u64::from(more), out);
            }
            next = u64::from(doc) + 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Block, List};
    use proptest::prelude::*;

    fn read(list: &List<'_>) -> Vec<(u32, u32)> {
        let mut block = Block::default();
        let blocks = (0..list.num_blocks()).flat_map(|number| {
            list.unpack(number, &mut block);
            assert!(
                block
                    .postings()
                    .all(|(doc, tf)| doc <= list.last_doc(number) && tf <= list.highest_in(number))
            );
            block.postings().collect::<Vec<_>>()
        });
        blocks.collect()
    }

    proptest! {
        #[test]
        fn lists_are_read_back(gaps in prop::collection::vec((0..5000_u32, prop_oneof![4 => Just(1), 1 => 1..400_u32]), 0..700)) {
            let mut docs = Vec::new();
            let mut next = 0;
            for (gap, _) in &gaps {
                docs.push(next + gap);
                next += gap + 1;
            }
            let frequencies: Vec<u32> = gaps.iter().map(|(_, frequency)| *frequency).collect();
            let mut bytes = Vec::new();
            List::write(&docs, &frequencies, &mut bytes);
            let list = List::new(&bytes, next.max(1)).unwrap();
            prop_assert_eq!(read(&list), docs.iter().copied().zip(frequencies.clone()).collect::<Vec<_>>());
            let mut block = Block::default();
            for (number, frequencies) in frequencies.chunks(super::BLOCK).enumerate() {
                let packed = list.unpack_docs(number, &mut block);
                prop_assert_eq!(&block.docs[..block.len], &docs[number * super::BLOCK..][..frequencies.len()]);
                for (place, frequency) in frequencies.iter().enumerate() {
                    let found = packed.map_or(block.frequencies[place], |packed| packed.frequency(place));
                    prop_assert_eq!(found, *frequency);
                }
            }
            for (place, &doc) in docs.iter().enumerate() {
                prop_assert_eq!(list.seek(0, doc), place / super::BLOCK);
            }
        }

        #[test]
        fn damaged_lists_are_read_without_panic(mut bytes in prop::collection::vec(any::<u8>(), 0..300), len in any::<u8>()) {
            if let Some(first) = bytes.first_mut() { *first = len; }
            if let Some(list) = List::new(&bytes, 1000) {
                let mut block = Block::default();
                for number in 0..list.num_blocks().min(50) {
                    list.unpack(number, &mut block);
                    prop_assert!(block.postings().all(|(doc, _)| doc < 1000));
                }
            }
        }
    }
}
