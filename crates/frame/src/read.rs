//! Frames, opened.

use crate::{Entry, Error, FOOT_LENGTH, Format, HEAD_LENGTH, map};
use memmap2::Mmap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::xxh3_64;

/// A file of sections that was opened.
///
/// Opening looks at the table only; [`Frame::check`] reads all of it.
#[derive(Debug)]
pub struct Frame {
    path: PathBuf,
    map: Mmap,
    entries: Vec<(Box<str>, Entry)>,
    table: Range<usize>,
    fingerprint: u64,
}

impl Frame {
    /// Opens a file.
    ///
    /// # Errors
    ///
    /// When it cannot be read, is of another sort or version, or its table is damaged.
    pub fn open(path: &Path, format: &Format) -> Result<Self, Error> {
        let map = map(path)?;
        let damaged = |what: &str| Error::Damaged { file: path.to_owned(), what: what.to_owned() };
        if !map.starts_with(&format.head) {
            return Err(Error::Foreign(path.to_owned()));
        }
        if map.len() < HEAD_LENGTH + FOOT_LENGTH {
            return Err(damaged("it is cut short"));
        }
        let version = u32::from_le_bytes(map[8..12].try_into().expect("four bytes"));
        if version != format.version {
            return Err(Error::Version { file: path.to_owned(), found: version, known: format.version });
        }
        let (body, foot) = map.split_at(map.len() - FOOT_LENGTH);
        if foot[24..] != format.foot {
            return Err(damaged("its end is missing"));
        }
        let (at, length, checksum) = (number(&foot[..8]), number(&foot[8..16]), number(&foot[16..24]));
        let range = usize::try_from(at).ok().zip(usize::try_from(length).ok());
        let table = range
            .and_then(|(at, length)| Some(at..at.checked_add(length)?))
            .filter(|range| range.end == body.len() && range.start >= HEAD_LENGTH)
            .ok_or_else(|| damaged("its table of sections is not where it should be"))?;
        if xxh3_64(&body[table.clone()]) != checksum {
            return Err(damaged("its table of sections has a wrong checksum"));
        }
        let entries = entries(&body[table.clone()], table.start).map_err(damaged)?;
        Ok(Self { path: path.to_owned(), map, entries, table, fingerprint: checksum })
    }

    /// Where it was opened.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its size on disk.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.map.len() as u64
    }

    /// A number that is another one when any section holds something else.
    #[must_use]
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// The sections, in the order in which they were written.
    pub fn sections(&self) -> impl Iterator<Item = (&str, &Entry)> {
        self.entries.iter().map(|(name, entry)| (&**name, entry))
    }

    /// Where a section is.
    #[must_use]
    pub fn range(&self, name: &str) -> Option<Range<usize>> {
        self.sections().find(|(section, _)| *section == name).map(|(_, entry)| entry.range.clone())
    }

    /// The bytes of a section; none if there is no such section.
    #[must_use]
    pub fn bytes(&self, name: &str) -> &[u8] {
        self.range(name).map_or(&[], |range| &self.map[range])
    }

    /// The bytes at a place in the file.
    #[must_use]
    pub fn at(&self, range: Range<usize>) -> &[u8] {
        &self.map[range]
    }

    /// An error that says what is wrong with this file.
    #[must_use]
    pub fn damaged(&self, what: &str) -> Error {
        Error::Damaged { file: self.path.clone(), what: what.to_owned() }
    }

    /// Reads all of it and compares checksums.
    ///
    /// # Errors
    ///
    /// When a byte is not as it was written.
    pub fn check(&self) -> Result<(), Error> {
        let mut at = 12;
        for (name, entry) in self.sections() {
            if xxh3_64(&self.map[entry.range.clone()]) != entry.checksum {
                return Err(self.damaged(&format!("the section {name} has a wrong checksum")));
            }
            self.check_gap(at..entry.range.start)?;
            at = entry.range.end;
        }
        self.check_gap(at..self.table.start)
    }

    /// Between sections there is nothing.
    fn check_gap(&self, gap: Range<usize>) -> Result<(), Error> {
        let nothing = self.map.get(gap).is_some_and(|gap| gap.iter().all(|byte| *byte == 0));
        if nothing { Ok(()) } else { Err(self.damaged("there is something between two sections")) }
    }
}

fn number(bytes: &[u8]) -> u64 {
    u64::from_le_bytes(bytes.try_into().expect("eight bytes"))
}

/// Reads the table of a file whose sections end at `end` at the latest.
fn entries(table: &[u8], end: usize) -> Result<Vec<(Box<str>, Entry)>, &'static str> {
    let mut entries = Vec::new();
    let (mut rest, mut before) = (table, HEAD_LENGTH);
    while let Some((&length, after)) = rest.split_first() {
        let (name, after) =
            after.split_at_checked(usize::from(length)).ok_or("its table of sections is cut short")?;
        let (entry, after) = after.split_at_checked(24).ok_or("its table of sections is cut short")?;
        rest = after;
        let name = std::str::from_utf8(name).map_err(|_| "the name of a section is no text")?;
        let start = usize::try_from(number(&entry[..8])).unwrap_or(usize::MAX);
        let section_end = start.saturating_add(usize::try_from(number(&entry[8..16])).unwrap_or(usize::MAX));
        if start < before || section_end > end {
            return Err("a section lies outside its place");
        }
        before = section_end;
        entries.push((name.into(), Entry { range: start..section_end, checksum: number(&entry[16..]) }));
    }
    Ok(entries)
}
