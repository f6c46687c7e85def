//! Records in compressed blocks: small on disk, and each to be had alone.
//!
//! A block is a run of records, each with its length before it, compressed as
//! one zstd frame. Beside the blocks stands a table with one row a block, so a
//! record costs one search in that table and one block unpacked.

use crate::codec::{Fields, put_number};
use crate::error::Error;
use crate::spool::Spool;
use frame::Bytes;
use memmap2::Mmap;

/// How strongly blocks are packed: beyond this, time grows faster than size shrinks.
const LEVEL: i32 = 6;

/// The bytes of a row of the table: first record, offset, packed and unpacked length.
const ROW: usize = 20;

/// No block is longer than this, unless a single record is.
const LONGEST: usize = 1 << 30;

/// Writes records into blocks.
pub(crate) struct BlockWriter {
    data: Spool,
    table: Spool,
    compressor: zstd::bulk::Compressor<'static>,
    raw: Vec<u8>,
    packed: Vec<u8>,
    block: usize,
    records: u32,
    first: u32,
}

impl std::fmt::Debug for BlockWriter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BlockWriter").field("records", &self.records).finish_non_exhaustive()
    }
}

impl BlockWriter {
    /// Blocks of about `block` bytes before they are packed.
    pub(crate) fn new(data: Spool, table: Spool, block: usize) -> Result<Self, Error> {
        let compressor = zstd::bulk::Compressor::new(LEVEL).map_err(Error::io(data.path()))?;
        let (raw, packed) = (Vec::with_capacity(block * 2), Vec::new());
        Ok(Self { data, table, compressor, raw, packed, block, records: 0, first: 0 })
    }

    pub(crate) fn records(&self) -> u32 {
        self.records
    }

    /// Adds a record after the last.
    pub(crate) fn push(&mut self, record: &[u8]) -> Result<(), Error> {
        put_number(&mut self.raw, record.len() as u64);
        self.raw.extend_from_slice(record);
        self.records = self.records.checked_add(1).ok_or(Error::TooMany("records"))?;
        if self.raw.len() >= self.block { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<(), Error> {
        if self.raw.is_empty() {
            return Ok(());
        }
        self.packed.clear();
        self.packed.reserve(zstd::zstd_safe::compress_bound(self.raw.len()));
        self.compressor
            .compress_to_buffer(&self.raw, &mut self.packed)
            .map_err(Error::io(self.data.path()))?;
        let length =
            |bytes: &[u8]| u32::try_from(bytes.len()).map_err(|_| Error::TooMany("bytes of a record"));
        self.table.put(&self.first.to_le_bytes())?;
        self.table.put(&self.data.len().to_le_bytes())?;
        self.table.put(&length(&self.packed)?.to_le_bytes())?;
        self.table.put(&length(&self.raw)?.to_le_bytes())?;
        self.data.put(&self.packed)?;
        self.raw.clear();
        self.first = self.records;
        Ok(())
    }

    /// What was written so far, to be read.
    pub(crate) fn written(&mut self) -> Result<WrittenBlocks, Error> {
        self.flush()?;
        Ok(WrittenBlocks { data: self.data.read()?, table: self.table.read()? })
    }

    /// The blocks and their table.
    pub(crate) fn finish(mut self) -> Result<(Spool, Spool), Error> {
        self.flush()?;
        Ok((self.data, self.table))
    }
}

/// Blocks of a writer that is not finished.
#[derive(Debug)]
pub(crate) struct WrittenBlocks {
    data: Mmap,
    table: Mmap,
}

impl WrittenBlocks {
    pub(crate) fn blocks(&self) -> Blocks<'_> {
        Blocks { data: Bytes::from(&self.data[..]), table: Bytes::from(&self.table[..]) }
    }
}

/// Blocks that were written, and their table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Blocks<'a> {
    pub(crate) data: Bytes<'a>,
    pub(crate) table: Bytes<'a>,
}

impl Blocks<'_> {
    /// How many blocks there are.
    pub(crate) fn len(self) -> usize {
        self.table.len() / ROW
    }

    fn first(self, block: usize) -> u32 {
        u32::from_le_bytes(self.table.array(block * ROW))
    }

    /// The block that holds a record, if any does.
    fn holding(self, record: u32) -> Option<usize> {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low.midpoint(high);
            if self.first(middle) <= record { low = middle + 1 } else { high = middle }
        }
        low.checked_sub(1)
    }

    /// Unpacks a block. `None`: it is not as it was written.
    pub(crate) fn unpack(self, block: usize, into: &mut Block) -> Option<()> {
        let row = self.table.get(block * ROW..block * ROW + ROW)?;
        let first = u32::from_le_bytes(row[..4].try_into().ok()?);
        let offset = usize::try_from(u64::from_le_bytes(row[4..12].try_into().ok()?)).ok()?;
        let packed = u32::from_le_bytes(row[12..16].try_into().ok()?) as usize;
        let length = u32::from_le_bytes(row[16..].try_into().ok()?) as usize;
        let packed = self.data.get(offset..offset.checked_add(packed)?)?;
        into.number = None;
        into.first = first;
        into.raw.clear();
        into.raw.reserve(length.min(LONGEST));
        let unpacked =
            zstd::bulk::Decompressor::new().ok()?.decompress_to_buffer(packed, &mut into.raw).ok()?;
        if unpacked != length {
            return None;
        }
        into.ends.clear();
        let mut fields = Fields(&into.raw);
        while !fields.0.is_empty() {
            let record = usize::try_from(fields.number()?).ok()?;
            let start = into.raw.len() - fields.0.len();
            fields = Fields(fields.0.get(record..)?);
            into.ends.push((start, start + record));
        }
        // Records have numbers of 32 bits.
        first.checked_add(u32::try_from(into.ends.len()).ok()?)?;
        into.number = Some(block);
        Some(())
    }
}

/// A block that was unpacked.
#[derive(Clone, Debug, Default)]
pub(crate) struct Block {
    number: Option<usize>,
    first: u32,
    raw: Vec<u8>,
    ends: Vec<(usize, usize)>,
}

impl Block {
    /// The records in it, in order, with their numbers.
    pub(crate) fn records(&self) -> impl Iterator<Item = (u32, &[u8])> {
        self.ends.iter().zip(self.first..).map(|(&(start, end), number)| (number, &self.raw[start..end]))
    }
}

/// The blocks that were looked at last, so that neighbours are read once.
#[derive(Clone, Debug)]
pub(crate) struct BlockCache {
    slots: Vec<Block>,
}

impl BlockCache {
    pub(crate) fn new(slots: usize) -> Self {
        Self { slots: vec![Block::default(); slots] }
    }

    /// A record. `None`: there is none, or its block is not as it was written.
    pub(crate) fn record(&mut self, blocks: Blocks<'_>, record: u32) -> Option<&[u8]> {
        let number = blocks.holding(record)?;
        let slot = number % self.slots.len();
        let slot = &mut self.slots[slot];
        if slot.number != Some(number) {
            blocks.unpack(number, slot)?;
        }
        let &(start, end) = slot.ends.get(record.checked_sub(slot.first)? as usize)?;
        Some(&slot.raw[start..end])
    }
}
