//! Frames, opened.

use crate::bytes::Bytes;
use crate::data::{Data, Opening, Stamp};
use crate::pieces::{self, Piece, Pieces, State};
use crate::{Entry, Error, FOOT_LENGTH, Format, HEAD_LENGTH, number};
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

/// A file of sections that was opened.
///
/// A small file is read whole. Of a large one opening looks at the table only: bytes are compared with
/// their checksums before their first use, and [`Frame::check`] reads all of it. Reading never fails, so
/// whoever has read something asks [`Frame::sound`] before showing it to anyone.
#[derive(Debug)]
pub struct Frame {
    path: PathBuf,
    data: Data,
    entries: Vec<(Box<str>, Entry)>,
    table: Range<usize>,
    fingerprint: u64,
    pieces: Pieces,
    /// Whether there is anything in `damage`.
    damaged: AtomicBool,
    /// What is wrong, by the name of the section; all of the file has no name.
    damage: Mutex<BTreeMap<String, String>>,
    /// What the system said about a mapped file when its bytes were first compared.
    stamp: Mutex<Option<Stamp>>,
}

impl Frame {
    /// Opens a file; one of up to 64 MB is read whole.
    ///
    /// # Errors
    ///
    /// When it cannot be read, is of another sort or version, or is damaged.
    pub fn open(path: &Path, format: &Format) -> Result<Self, Error> {
        Self::open_as(path, format, Opening::USUAL)
    }

    /// Opens a file.
    ///
    /// # Errors
    ///
    /// As for [`Frame::open`].
    pub fn open_as(path: &Path, format: &Format, opening: Opening) -> Result<Self, Error> {
        let data = Data::open(path, opening)?;
        let stamp = data.stamp().transpose().map_err(Error::io(path))?;
        let damaged = |what: &str| Error::Damaged { file: path.to_owned(), what: what.to_owned() };
        if !data.starts_with(&format.head) {
            return Err(Error::Foreign(path.to_owned()));
        }
        if data.len() < HEAD_LENGTH + FOOT_LENGTH {
            return Err(damaged("it is cut short"));
        }
        let version = u32::from_le_bytes(data[8..12].try_into().expect("four bytes"));
        if version != format.version {
            return Err(Error::Version { file: path.to_owned(), found: version, known: format.version });
        }
        let (body, foot) = data.split_at(data.len() - FOOT_LENGTH);
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
        let checksums = match entries.iter().find(|(name, _)| **name == *pieces::NAME) {
            Some((name, entry)) if xxh3_64(&body[entry.range.clone()]) != entry.checksum => {
                return Err(damaged(&wrong(name)));
            }
            found => found.map(|(_, entry)| &body[entry.range.clone()]),
        };
        let pieces = Pieces::new(&entries, checksums)
            .ok_or_else(|| damaged("its pieces and their checksums do not fit together"))?;
        let frame = Self {
            path: path.to_owned(),
            data,
            entries,
            table,
            fingerprint: checksum,
            pieces,
            damaged: AtomicBool::new(false),
            damage: Mutex::default(),
            stamp: Mutex::new(stamp),
        };
        if stamp.is_none() {
            frame.check()?;
        }
        Ok(frame)
    }

    /// Where it was opened.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its size on disk.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.data.len() as u64
    }

    /// A number that is another one when any section holds something else.
    #[must_use]
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// The sections, in the order in which they were written.
    pub fn sections(&self) -> impl Iterator<Item = (&str, &Entry)> {
        let own = |(name, _): &&(Box<str>, Entry)| **name != *pieces::NAME;
        self.entries.iter().filter(own).map(|(name, entry)| (&**name, entry))
    }

    /// Where a section is.
    #[must_use]
    pub fn range(&self, name: &str) -> Option<Range<usize>> {
        self.sections().find(|(section, _)| *section == name).map(|(_, entry)| entry.range.clone())
    }

    /// The bytes of a section; none if there is no such section.
    #[must_use]
    pub fn bytes(&self, name: &str) -> &[u8] {
        self.range(name).map_or(&[], |range| self.at(range))
    }

    /// The bytes at a place in the file.
    #[must_use]
    pub fn at(&self, range: Range<usize>) -> &[u8] {
        self.view(range).all()
    }

    /// The bytes at a place in the file, to be compared with their checksums as they are used.
    #[must_use]
    pub fn view(&self, range: Range<usize>) -> Bytes<'_> {
        Bytes::new(self, &self.data[range.clone()], range.start)
    }

    /// Whether bytes are as they were written. Those of which that is not known are read.
    #[inline]
    pub(crate) fn is_right(&self, range: Range<usize>) -> bool {
        self.pieces.are_right() || self.are_right(range)
    }

    #[inline(never)]
    fn are_right(&self, range: Range<usize>) -> bool {
        self.pieces.of(range).all(|piece| self.check_piece(piece))
    }

    /// Compares a piece with its checksum, unless that was done.
    fn check_piece(&self, piece: &Piece) -> bool {
        match piece.state() {
            State::Right => return true,
            State::Damaged => return false,
            State::Unknown => (),
        }
        let mut checksum = Xxh3::new();
        let section = &self.entries[piece.section].0;
        let what = match self.data.read(piece.range.clone(), |bytes| checksum.update(bytes)) {
            Ok(()) if checksum.digest() == piece.checksum => {
                piece.set(State::Right);
                return true;
            }
            Ok(()) => wrong(section),
            Err(cause) => format!("the section {section} cannot be read ({cause})"),
        };
        piece.set(State::Damaged);
        self.note(section, what);
        false
    }

    /// Notes what is wrong with a section, or with the file.
    fn note(&self, section: &str, what: String) {
        self.damage.lock().unwrap_or_else(PoisonError::into_inner).entry(section.to_owned()).or_insert(what);
        self.damaged.store(true, Ordering::Release);
    }

    /// An error that says what is wrong with this file. Damage that was found says it better.
    #[must_use]
    pub fn damaged(&self, what: &str) -> Error {
        let what = self.first_damage().unwrap_or_else(|| what.to_owned());
        Error::Damaged { file: self.path.clone(), what }
    }

    fn first_damage(&self) -> Option<String> {
        if !self.damaged.load(Ordering::Acquire) {
            return None;
        }
        self.damage.lock().unwrap_or_else(PoisonError::into_inner).values().next().cloned()
    }

    /// How many sections were found to be damaged so far.
    #[must_use]
    pub fn num_damaged(&self) -> usize {
        self.damage.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Whether all that was read of it so far is as it was written, and the file is as long as it was.
    ///
    /// # Errors
    ///
    /// When that is not so. What was read may be wrong then, and nothing else should be read.
    pub fn sound(&self) -> Result<(), Error> {
        if let Some(stamp) = self.data.stamp() {
            let stamp = stamp.map_err(Error::io(&self.path))?;
            if stamp.length < self.size() {
                self.note("", "it was cut short while it was open".to_owned());
            }
            let mut known = self.stamp.lock().unwrap_or_else(PoisonError::into_inner);
            if *known != Some(stamp) {
                // Somebody has written to it, or has touched it only: its bytes tell.
                *known = Some(stamp);
                self.pieces.forget();
            }
        }
        self.first_damage().map_or(Ok(()), |what| Err(Error::Damaged { file: self.path.clone(), what }))
    }

    /// Reads all of it and compares checksums.
    ///
    /// # Errors
    ///
    /// When a byte is not as it was written.
    pub fn check(&self) -> Result<(), Error> {
        self.sound()?;
        let mut at = 12;
        for (name, entry) in &self.entries {
            let mut checksum = Xxh3::new();
            self.read(entry.range.clone(), |bytes| checksum.update(bytes))?;
            if checksum.digest() != entry.checksum {
                self.note(name, wrong(name));
                return self.sound();
            }
            self.check_gap(at..entry.range.start)?;
            at = entry.range.end;
        }
        self.check_gap(at..self.table.start)?;
        self.pieces.all_right();
        Ok(())
    }

    /// As [`Frame::check`], piece by piece, so that it can be done beside other work. `each` is told how
    /// many bytes were read since the last call, and says whether to go on.
    ///
    /// # Errors
    ///
    /// When a byte is not as it was written; the other pieces are read, too.
    pub fn check_slowly(&self, mut each: impl FnMut(u64) -> bool) -> Result<(), Error> {
        for piece in self.pieces.iter() {
            if !self.pieces.are_right() {
                self.check_piece(piece);
            }
            if !each(piece.range.len() as u64) {
                return self.sound();
            }
        }
        self.sound()?;
        if self.pieces.iter().all(|piece| piece.state() == State::Right) {
            self.pieces.all_right();
        }
        Ok(())
    }

    fn read(&self, range: Range<usize>, put: impl FnMut(&[u8])) -> Result<(), Error> {
        self.data.read(range, put).map_err(Error::io(&self.path))
    }

    /// Between sections there is nothing.
    fn check_gap(&self, gap: Range<usize>) -> Result<(), Error> {
        let mut nothing = true;
        self.read(gap, |bytes| nothing &= bytes.iter().all(|byte| *byte == 0))?;
        if nothing { Ok(()) } else { Err(self.damaged("there is something between two sections")) }
    }
}

fn wrong(section: &str) -> String {
    format!("the section {section} has a wrong checksum")
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
