//! Which bytes of a file were compared with their checksums.

use crate::{Entry, number};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

/// The bytes of a section that have a checksum of their own.
pub(crate) const PIECE: usize = 1 << 16;
/// The section with the checksums of pieces: eight bytes for each piece of each section that is longer
/// than one.
pub(crate) const NAME: &str = "frame.pieces";

/// What is known of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    Unknown,
    Right,
    Damaged,
}

/// A range of bytes with a checksum.
#[derive(Debug)]
pub(crate) struct Piece {
    pub(crate) range: Range<usize>,
    pub(crate) checksum: u64,
    /// The place of its section in the table.
    pub(crate) section: usize,
    state: AtomicU8,
}

/// The pieces of all sections, in the order of the file.
#[derive(Debug)]
pub(crate) struct Pieces {
    pieces: Vec<Piece>,
    /// Whether all of them are right.
    whole: AtomicBool,
}

impl Piece {
    fn new(range: Range<usize>, checksum: u64, section: usize) -> Self {
        Self { range, checksum, section, state: AtomicU8::new(0) }
    }

    pub(crate) fn state(&self) -> State {
        match self.state.load(Ordering::Acquire) {
            0 => State::Unknown,
            1 => State::Right,
            _ => State::Damaged,
        }
    }

    pub(crate) fn set(&self, state: State) {
        self.state.store(state as u8, Ordering::Release);
    }
}

impl Pieces {
    /// The pieces of sections. A file without checksums of pieces has one piece for each section.
    ///
    /// `None` when there are too few checksums or too many.
    pub(crate) fn new(entries: &[(Box<str>, Entry)], checksums: Option<&[u8]>) -> Option<Self> {
        let mut pieces = Vec::new();
        let mut rest = checksums.unwrap_or_default();
        for (section, (name, entry)) in entries.iter().enumerate() {
            let Range { start, end } = entry.range;
            if checksums.is_none() || end - start <= PIECE || **name == *NAME {
                pieces.push(Piece::new(start..end, entry.checksum, section));
                continue;
            }
            for at in (start..end).step_by(PIECE) {
                let (checksum, after) = rest.split_first_chunk::<8>()?;
                rest = after;
                pieces.push(Piece::new(at..end.min(at + PIECE), number(checksum), section));
            }
        }
        rest.is_empty().then_some(Self { pieces, whole: AtomicBool::new(false) })
    }

    pub(crate) fn iter(&self) -> std::slice::Iter<'_, Piece> {
        self.pieces.iter()
    }

    /// The pieces that a range touches.
    pub(crate) fn of(&self, range: Range<usize>) -> impl Iterator<Item = &Piece> {
        let first = self.pieces.partition_point(|piece| piece.range.end <= range.start);
        self.pieces[first..].iter().take_while(move |piece| piece.range.start < range.end)
    }

    /// Whether all of the file is known to be right.
    #[inline]
    pub(crate) fn are_right(&self) -> bool {
        self.whole.load(Ordering::Acquire)
    }

    /// All of the file is right.
    pub(crate) fn all_right(&self) {
        self.whole.store(true, Ordering::Release);
    }

    /// The file may have changed: what was right need not be any more.
    pub(crate) fn forget(&self) {
        self.whole.store(false, Ordering::Release);
        self.pieces.iter().filter(|piece| piece.state() == State::Right).for_each(|piece| {
            piece.set(State::Unknown);
        });
    }
}
