//! Postings brought together in bounded memory.
//!
//! Documents are taken in batches, in order. A batch becomes a *chunk* for each
//! field: its keys in ascending order, each with its postings. Chunks go to
//! disk, one spool a field, and a journal says after each batch how far all
//! spools are, so that a build that was cut off goes on from the last batch. In
//! the end the chunks of a field are merged, a share of the keys at a time, on
//! all cores.

use super::{END, List};
use crate::error::Error;
use frame::{FrameWriter, varint};
use memmap2::Mmap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::{self, File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::xxh3_64;

/// Keys are merged in so many shares, by their highest bits.
const SHARES: usize = 64;
const SHARE_SHIFT: u32 = 64 - SHARES.trailing_zeros();

/// The postings of a batch of documents in one field.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    postings: Vec<(u64, u32)>,
}

impl Batch {
    /// Notes that a document has a key; once for each time it does.
    #[inline]
    pub(crate) fn add(&mut self, key: u64, doc: u32) {
        self.postings.push((key, doc));
    }

    /// Orders what was added and empties the batch.
    pub(crate) fn chunk(&mut self) -> Chunk {
        self.postings.sort_unstable();
        let mut chunk = Chunk { bytes: Vec::with_capacity(self.postings.len() * 3), ends: [0; SHARES] };
        let mut share = 0;
        let mut group = Vec::new();
        for same_key in self.postings.chunk_by(|left, right| left.0 == right.0) {
            let key = same_key[0].0;
            let to = usize::try_from(key >> SHARE_SHIFT).expect("a share");
            chunk.ends[share..to].fill(chunk.bytes.len() as u64);
            share = to;
            group.clear();
            let mut count = 0;
            let mut before = 0;
            for same in same_key.chunk_by(|left, right| left.1 == right.1) {
                let doc = same[0].1;
                varint::put(u64::from(doc - before), &mut group);
                varint::put(same.len() as u64, &mut group);
                before = doc;
                count += 1;
            }
            chunk.bytes.extend_from_slice(&key.to_le_bytes());
            varint::put(count, &mut chunk.bytes);
            varint::put(group.len() as u64, &mut chunk.bytes);
            chunk.bytes.extend_from_slice(&group);
        }
        chunk.ends[share..].fill(chunk.bytes.len() as u64);
        self.postings.clear();
        chunk
    }
}

/// The postings of a batch, ordered and packed.
#[derive(Debug)]
pub(crate) struct Chunk {
    bytes: Vec<u8>,
    /// Where each share of the keys ends.
    ends: [u64; SHARES],
}

/// Where the chunks of all batches lie until they are merged.
#[derive(Debug)]
pub(crate) struct Gathering {
    folder: PathBuf,
    names: Vec<String>,
    spools: Vec<File>,
    lengths: Vec<u64>,
    journal: File,
    /// For each field and batch, where its shares begin, and where the chunk ends.
    places: Vec<Vec<[u64; SHARES + 1]>>,
    /// What a batch brought beside its postings.
    notes: Vec<Vec<u8>>,
    /// The document after the last of the batches that are done.
    next: u32,
}

/// The bytes of a field's part of a journal's line.
const LINE: usize = 8 * SHARES;

impl Gathering {
    /// Begins, or goes on with what is in the folder if that was begun with the same `purpose`.
    pub(crate) fn open(folder: &Path, names: &[String], purpose: &str) -> Result<Self, Error> {
        fs::create_dir_all(folder).map_err(Error::io(folder))?;
        let journal_path = folder.join("journal");
        let mut gathering = Self {
            folder: folder.to_owned(),
            names: names.to_vec(),
            spools: Vec::new(),
            lengths: vec![0; names.len()],
            journal: File::options()
                .read(true)
                .write(true)
                .create(true)
                .truncate(false)
                .open(&journal_path)
                .map_err(Error::io(&journal_path))?,
            places: vec![Vec::new(); names.len()],
            notes: Vec::new(),
            next: 0,
        };
        let purpose = format!("{purpose} {}\n", names.join(" "));
        let written = fs::read(&journal_path).map_err(Error::io(&journal_path))?;
        let kept = match written.strip_prefix(purpose.as_bytes()) {
            Some(lines) => purpose.len() + gathering.replay(lines),
            None => {
                gathering.journal.set_len(0).map_err(Error::io(&journal_path))?;
                gathering.journal.write_all(purpose.as_bytes()).map_err(Error::io(&journal_path))?;
                purpose.len()
            }
        };
        gathering.journal.set_len(kept as u64).map_err(Error::io(&journal_path))?;
        gathering.journal.seek(SeekFrom::End(0)).map_err(Error::io(&journal_path))?;
        for (name, &length) in names.iter().zip(&gathering.lengths) {
            let path = folder.join(name);
            let mut file = OpenOptions::new()
                .read(true)
                .write(true)
                .create(true)
                .truncate(false)
                .open(&path)
                .map_err(Error::io(&path))?;
            file.set_len(length).map_err(Error::io(&path))?;
            file.seek(SeekFrom::End(0)).map_err(Error::io(&path))?;
            gathering.spools.push(file);
        }
        Ok(gathering)
    }

    /// Forgets all batches.
    pub(crate) fn anew(self, purpose: &str) -> Result<Self, Error> {
        let Self { folder, names, journal, .. } = self;
        journal.set_len(0).map_err(Error::io(&folder.join("journal")))?;
        drop(journal);
        Self::open(&folder, &names, purpose)
    }

    /// Takes up the batches that a journal tells of, as far as their chunks are there and whole.
    fn replay(&mut self, lines: &[u8]) -> usize {
        let maps: Vec<Option<Mmap>> =
            self.names.iter().map(|name| frame::map(&self.folder.join(name)).ok()).collect();
        let mut kept = 0;
        let mut rest = lines;
        while let Some(line) = Line::take(&mut rest, self.names.len()) {
            let chunks = line.ends.iter().zip(&self.lengths).zip(&maps);
            let whole = chunks.zip(&line.checksums).all(|(((ends, start), map), checksum)| {
                let (start, end) = (*start as usize, (*start + ends[SHARES - 1]) as usize);
                let chunk = map.as_ref().map(|map| &map[..]).unwrap_or_default().get(start..end);
                chunk.is_some_and(|chunk| xxh3_64(chunk) == *checksum)
            });
            if !whole {
                break;
            }
            self.note_batch(&line.ends, line.next, line.notes.to_vec());
            kept = lines.len() - rest.len();
        }
        kept
    }

    fn note_batch(&mut self, ends: &[[u64; SHARES]], next: u32, notes: Vec<u8>) {
        for (field, ends) in ends.iter().enumerate() {
            let start = self.lengths[field];
            let mut places = [start; SHARES + 1];
            for (place, end) in places[1..].iter_mut().zip(ends) {
                *place = start + end;
            }
            self.lengths[field] = places[SHARES];
            self.places[field].push(places);
        }
        self.next = next;
        self.notes.push(notes);
    }

    /// The first document that is not in a batch yet.
    pub(crate) fn next(&self) -> u32 {
        self.next
    }

    /// What the batches brought beside their postings.
    pub(crate) fn notes(&self) -> &[Vec<u8>] {
        &self.notes
    }

    /// Adds a batch: a chunk for each field, and the document after its last.
    pub(crate) fn add(&mut self, chunks: &[Chunk], next: u32, notes: Vec<u8>) -> Result<(), Error> {
        let mut line = Vec::with_capacity(LINE * chunks.len() + notes.len() + 64);
        line.extend_from_slice(&next.to_le_bytes());
        line.extend_from_slice(&u32::try_from(notes.len()).expect("notes are short").to_le_bytes());
        line.extend_from_slice(&notes);
        for ((chunk, spool), name) in chunks.iter().zip(&mut self.spools).zip(&self.names) {
            spool.write_all(&chunk.bytes).map_err(Error::io(&self.folder.join(name)))?;
            line.extend_from_slice(&xxh3_64(&chunk.bytes).to_le_bytes());
            for end in chunk.ends {
                line.extend_from_slice(&end.to_le_bytes());
            }
        }
        line.extend_from_slice(&xxh3_64(&line).to_le_bytes());
        self.journal.write_all(&line).map_err(Error::io(&self.folder.join("journal")))?;
        let ends: Vec<_> = chunks.iter().map(|chunk| chunk.ends).collect();
        self.note_batch(&ends, next, notes);
        Ok(())
    }

    /// Merges the chunks of each field and writes its three sections.
    pub(crate) fn write(self, file: &mut FrameWriter, mut watch: impl FnMut(u64)) -> Result<(), Error> {
        let Self { folder, names, spools, places, .. } = self;
        drop(spools);
        for (name, places) in names.iter().zip(&places) {
            let map = frame::map(&folder.join(name))?;
            let mut spools = ["keys", "ends", "lists"].map(|part| folder.join(format!("{name}.{part}")));
            let mut files = Vec::new();
            for path in &spools {
                files.push(std::io::BufWriter::new(File::create(path).map_err(Error::io(path))?));
            }
            let mut at = 0;
            let shares = u32::try_from(SHARES).expect("few");
            let merge_share = || {
                |shares: std::ops::Range<u32>| {
                    let mut merged = Merged::default();
                    for share in shares {
                        let chunks = places.iter().map(|places| {
                            &map[places[share as usize] as usize..places[share as usize + 1] as usize]
                        });
                        merged.merge(chunks).ok_or_else(|| Error::Damaged {
                            file: folder.join(name),
                            what: "what was gathered cannot be read back".to_owned(),
                        })?;
                    }
                    Ok(merged)
                }
            };
            parallel::batches(shares, 1, merge_share, |merged: Merged| {
                let mut ends = Vec::with_capacity(merged.lengths.len() * END);
                for length in &merged.lengths {
                    at += u64::from(*length);
                    ends.extend_from_slice(&at.to_le_bytes()[..END]);
                }
                watch(merged.lists.len() as u64);
                for ((file, bytes), path) in
                    files.iter_mut().zip([&merged.keys, &ends, &merged.lists]).zip(&spools)
                {
                    file.write_all(bytes).map_err(Error::io(path))?;
                }
                Ok::<_, Error>(())
            })?;
            for (file, path) in files.into_iter().zip(&spools) {
                file.into_inner().map_err(|error| Error::io(path)(error.into_error()))?;
            }
            drop(map);
            let path = folder.join(name);
            fs::remove_file(&path).map_err(Error::io(&path))?;
            for (part, path) in ["keys", "ends", "lists"].iter().zip(&mut spools) {
                file.files(&format!("{name}.{part}"), std::slice::from_ref(path))?;
            }
        }
        Ok(())
    }
}

/// A line of the journal: what a batch added.
struct Line<'a> {
    next: u32,
    notes: &'a [u8],
    checksums: Vec<u64>,
    ends: Vec<[u64; SHARES]>,
}

impl<'a> Line<'a> {
    /// Takes a whole line off the front.
    fn take(bytes: &mut &'a [u8], fields: usize) -> Option<Self> {
        let start = *bytes;
        let (next, rest) = start.split_first_chunk()?;
        let (length, rest) = rest.split_first_chunk()?;
        let (notes, mut rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        let mut line =
            Self { next: u32::from_le_bytes(*next), notes, checksums: Vec::new(), ends: Vec::new() };
        for _ in 0..fields {
            let (checksum, after) = rest.split_first_chunk()?;
            let (ends, after) = after.split_at_checked(LINE)?;
            line.checksums.push(u64::from_le_bytes(*checksum));
            let mut numbers = [0; SHARES];
            for (number, bytes) in numbers.iter_mut().zip(ends.chunks_exact(8)) {
                *number = u64::from_le_bytes(bytes.try_into().expect("eight bytes"));
            }
            line.ends.push(numbers);
            rest = after;
        }
        let length = start.len() - rest.len();
        let (checksum, rest) = rest.split_first_chunk()?;
        *bytes = rest;
        (xxh3_64(&start[..length]) == u64::from_le_bytes(*checksum)).then_some(line)
    }
}

/// Merged lists of a share of the keys.
#[derive(Debug, Default)]
struct Merged {
    keys: Vec<u8>,
    lengths: Vec<u32>,
    lists: Vec<u8>,
}

impl Merged {
    /// Merges chunks, in the order of their documents. `None` when one cannot be read.
    fn merge<'a>(&mut self, chunks: impl Iterator<Item = &'a [u8]>) -> Option<()> {
        let mut heap = BinaryHeap::new();
        let mut rest: Vec<&[u8]> = chunks.collect();
        for (number, chunk) in rest.iter_mut().enumerate() {
            if let Some(key) = take_key(chunk) {
                heap.push(Reverse((key, number)));
            }
        }
        let (mut docs, mut frequencies) = (Vec::new(), Vec::new());
        while let Some(&Reverse((key, _))) = heap.peek() {
            docs.clear();
            frequencies.clear();
            while let Some(mut top) = heap.peek_mut() {
                let Reverse((next, number)) = *top;
                if next != key {
                    break;
                }
                let chunk = &mut rest[number];
                let count = varint::take(chunk)?;
                let length = usize::try_from(varint::take(chunk)?).ok()?;
                let (mut group, after) = chunk.split_at_checked(length)?;
                let mut doc = 0;
                for _ in 0..count {
                    doc += varint::take_u32(&mut group)?;
                    docs.push(doc);
                    frequencies.push(varint::take_u32(&mut group)?);
                }
                *chunk = after;
                match take_key(chunk) {
                    Some(next) => *top = Reverse((next, number)),
                    None => {
                        std::collections::binary_heap::PeekMut::pop(top);
                    }
                }
            }
            self.keys.extend_from_slice(&key.to_le_bytes());
            let before = self.lists.len();
            List::write(&docs, &frequencies, &mut self.lists);
            self.lengths.push(u32::try_from(self.lists.len() - before).ok()?);
        }
        Some(())
    }
}

fn take_key(chunk: &mut &[u8]) -> Option<u64> {
    let (key, rest) = chunk.split_first_chunk()?;
    *chunk = rest;
    Some(u64::from_le_bytes(*key))
}

#[cfg(test)]
mod tests;
