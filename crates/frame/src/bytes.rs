//! Bytes that are compared with their checksums before they are used.

use crate::Frame;
use std::ops::Range;

/// A range of a file's bytes, or bytes in memory.
#[derive(Clone, Copy, Debug)]
pub struct Bytes<'f> {
    bytes: &'f [u8],
    /// The file they are from, and where they begin in it.
    source: Option<(&'f Frame, usize)>,
}

impl<'f> Bytes<'f> {
    pub(crate) fn new(frame: &'f Frame, bytes: &'f [u8], start: usize) -> Self {
        Self { bytes, source: Some((frame, start)) }
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Some of the bytes; `None` when there are not as many, or when they are not as they were written.
    /// In the second case [`Frame::sound`] is an error from now on.
    #[inline]
    #[must_use]
    pub fn get(&self, range: Range<usize>) -> Option<&'f [u8]> {
        let bytes = self.bytes.get(range.clone())?;
        match self.source {
            Some((frame, start)) => frame.is_right(start + range.start..start + range.end).then_some(bytes),
            None => Some(bytes),
        }
    }

    /// A few bytes at a place; zeros when [`Bytes::get`] gives none.
    #[inline]
    #[must_use]
    pub fn array<const N: usize>(&self, at: usize) -> [u8; N] {
        let bytes = at.checked_add(N).and_then(|end| self.get(at..end));
        bytes.and_then(|bytes| bytes.try_into().ok()).unwrap_or([0; N])
    }

    /// All of them.
    #[must_use]
    pub fn all(&self) -> &'f [u8] {
        if let Some((frame, start)) = self.source {
            frame.is_right(start..start + self.bytes.len());
        }
        self.bytes
    }
}

impl<'f> From<&'f [u8]> for Bytes<'f> {
    fn from(bytes: &'f [u8]) -> Self {
        Self { bytes, source: None }
    }
}
