//! Tables on disk that are needed while a collection is built, and no longer.
//!
//! Rows have a number as their key and a fixed length. They are written in any
//! order, and looked up by key; memory is needed only to sort rows that did not
//! come in order.

use crate::block::{BlockCache, BlockWriter, WrittenBlocks};
use crate::error::Error;
use crate::spool::Spool;
use std::cell::RefCell;
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

/// A row of a table: its key and what belongs to it.
pub trait Row: Copy {
    /// How many bytes it takes.
    const LENGTH: usize;

    /// What it is found by.
    fn key(&self) -> u64;

    /// Writes it; `bytes` are [`Row::LENGTH`] long.
    fn write(&self, bytes: &mut [u8]);

    /// Reads it; `bytes` are as [`Row::write`] left them.
    fn read(bytes: &[u8]) -> Self;
}

/// Writes a table.
#[derive(Debug)]
pub struct TableWriter<R> {
    spool: Spool,
    last: Option<u64>,
    ascending: bool,
    row: std::marker::PhantomData<R>,
}

impl<R: Row> TableWriter<R> {
    /// A table in a file, which is left to the caller to remove.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn create(path: &Path) -> Result<Self, Error> {
        Ok(Self { spool: Spool::create(path)?, last: None, ascending: true, row: std::marker::PhantomData })
    }

    /// Adds a row.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn push(&mut self, row: &R) -> Result<(), Error> {
        self.ascending &= self.last.is_none_or(|last| last <= row.key());
        self.last = Some(row.key());
        let mut bytes = vec![0; R::LENGTH];
        row.write(&mut bytes);
        self.spool.put(&bytes)
    }

    /// Sorts the rows by key, unless they came in order; equal keys keep their order.
    ///
    /// # Errors
    ///
    /// When it cannot be read back or written.
    pub fn finish(self) -> Result<Table<R>, Error> {
        let path = self.spool.close()?;
        if !self.ascending {
            let bytes = fs::read(&path).map_err(Error::io(&path))?;
            let mut rows: Vec<R> = bytes.chunks_exact(R::LENGTH).map(R::read).collect();
            drop(bytes);
            rows.sort_by_key(Row::key);
            let mut spool = Spool::create(&path)?;
            let mut bytes = vec![0; R::LENGTH];
            for row in &rows {
                row.write(&mut bytes);
                spool.put(&bytes)?;
            }
            spool.close()?;
        }
        let file = File::open(&path).map_err(Error::io(&path))?;
        let length = file.metadata().map_err(Error::io(&path))?.len();
        let rows = usize::try_from(length).unwrap_or(usize::MAX) / R::LENGTH;
        let window = RefCell::new(Window { file, start: 0, bytes: Vec::new() });
        Ok(Table { window, rows, last: 0, row: std::marker::PhantomData })
    }
}

/// A table that was written. A window of it is in memory.
#[derive(Debug)]
pub struct Table<R> {
    window: RefCell<Window>,
    rows: usize,
    last: usize,
    row: std::marker::PhantomData<R>,
}

#[derive(Debug)]
struct Window {
    file: File,
    start: usize,
    bytes: Vec<u8>,
}

/// Rows in a window.
const WINDOW: usize = 1 << 12;

impl<R: Row> Table<R> {
    /// How many rows there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// A row by its number in the order of keys.
    ///
    /// # Panics
    ///
    /// When there is none, or what was written a moment ago cannot be read back.
    #[must_use]
    pub fn row(&self, number: usize) -> R {
        assert!(number < self.rows, "a row of the table");
        let mut window = self.window.borrow_mut();
        let start = number / WINDOW * WINDOW;
        if window.bytes.is_empty() || window.start != start {
            let rows = WINDOW.min(self.rows - start);
            let Window { file, bytes, .. } = &mut *window;
            bytes.resize(rows * R::LENGTH, 0);
            file.seek(SeekFrom::Start((start * R::LENGTH) as u64))
                .and_then(|_| file.read_exact(bytes))
                .expect("a file of this build can be read back");
            window.start = start;
        }
        let at = (number - start) * R::LENGTH;
        R::read(&window.bytes[at..at + R::LENGTH])
    }

    /// The number of the first row with a key. Keys that are near the last one are found quickly.
    pub fn find(&mut self, key: u64) -> Option<usize> {
        let length = self.len();
        let before = |number: usize| self.row(number).key() < key;
        let (mut low, mut high) = (0, length);
        // From the last place, ever larger steps in the right direction bound the search.
        let mut step = 1;
        if self.last < length && before(self.last) {
            low = self.last + 1;
            while low + step < length && before(low + step) {
                low += step + 1;
                step *= 2;
            }
            high = (low + step).min(length);
        } else {
            high = high.min(self.last);
            while high > step && !before(high - step) {
                high -= step;
                step *= 2;
            }
            low = high.saturating_sub(step).max(low);
        }
        while low < high {
            let middle = low.midpoint(high);
            if before(middle) { low = middle + 1 } else { high = middle }
        }
        self.last = low.min(length.saturating_sub(1));
        (low < length && self.row(low).key() == key).then_some(low)
    }
}

/// Writes texts that are wanted later, each by its number.
#[derive(Debug)]
pub struct TextsWriter(BlockWriter);

impl TextsWriter {
    /// Texts in two files, which are left to the caller to remove.
    ///
    /// # Errors
    ///
    /// When they cannot be written.
    pub fn create(path: &Path) -> Result<Self, Error> {
        let table = path.with_extension("blocks");
        Ok(Self(BlockWriter::new(Spool::create(path)?, Spool::create(&table)?, 1 << 14)?))
    }

    /// Adds a text; gives its number, counted from 0.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn push(&mut self, text: &str) -> Result<u32, Error> {
        let number = self.0.records();
        self.0.push(text.as_bytes())?;
        Ok(number)
    }

    /// Ends it.
    ///
    /// # Errors
    ///
    /// When it cannot be written or read back.
    pub fn finish(mut self) -> Result<Texts, Error> {
        Ok(Texts { written: self.0.written()?, cache: BlockCache::new(64) })
    }
}

/// Texts that were written.
#[derive(Debug)]
pub struct Texts {
    written: WrittenBlocks,
    cache: BlockCache,
}

impl Texts {
    /// A text by its number. `None`: there is none.
    pub fn get(&mut self, number: u32) -> Option<&str> {
        let record = self.cache.record(self.written.blocks(), number)?;
        std::str::from_utf8(record).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    struct Pair(u64, u8);

    impl Row for Pair {
        const LENGTH: usize = 9;

        fn key(&self) -> u64 {
            self.0
        }

        fn write(&self, bytes: &mut [u8]) {
            bytes[..8].copy_from_slice(&self.0.to_le_bytes());
            bytes[8] = self.1;
        }

        fn read(bytes: &[u8]) -> Self {
            Self(u64::from_le_bytes(bytes[..8].try_into().expect("eight bytes")), bytes[8])
        }
    }

    #[test]
    fn rows_are_found_wherever_the_last_search_ended() {
        let folder = std::env::temp_dir().join(format!("hypatia-scratch-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        for keys in [vec![], vec![5], (0..500).map(|key| key * 3).collect(), vec![9, 3, 3, 7, 1, 9]] {
            let mut writer = TableWriter::create(&folder.join("table")).unwrap();
            for (at, key) in keys.iter().enumerate() {
                writer.push(&Pair(*key, at as u8)).unwrap();
            }
            let mut table = writer.finish().unwrap();
            let mut sorted: Vec<(usize, u64)> = keys.iter().copied().enumerate().collect();
            sorted.sort_by_key(|(_, key)| *key);
            for wanted in (0..1600).chain((0..1600).rev()).chain((0..1600).map(|at| at * 997 % 1600)) {
                let expected = sorted.iter().position(|(_, key)| *key == wanted);
                assert_eq!(table.find(wanted), expected, "{wanted} among {keys:?}");
                if let Some(row) = expected {
                    assert_eq!(table.row(row).1, sorted[row].0 as u8);
                }
            }
        }
        fs::remove_dir_all(&folder).unwrap();
    }
}
