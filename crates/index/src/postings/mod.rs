//! Posting lists: for each key the documents that have it, and how often.
//!
//! A key is the hash of a word or a feature. A field of an index has three
//! sections: its keys in ascending order, where the list of each ends, and the
//! lists.

pub(crate) mod gather;
mod list;

pub(crate) use list::Packed;
pub use list::{BLOCK, Block, List};

use frame::Bytes;
use std::ops::Range;

/// The bytes of an end in its section.
pub(crate) const END: usize = 5;

/// The lists of a field.
#[derive(Clone, Copy, Debug)]
pub struct Postings<'i> {
    keys: Bytes<'i>,
    ends: Bytes<'i>,
    lists: Bytes<'i>,
    documents: u32,
}

impl<'i> Postings<'i> {
    /// The lists in three sections, over so many documents.
    ///
    /// `None` when the sections do not fit together.
    #[must_use]
    pub fn new(keys: Bytes<'i>, ends: Bytes<'i>, lists: Bytes<'i>, documents: u32) -> Option<Self> {
        let postings = Self { keys, ends, lists, documents };
        let whole = keys.len().is_multiple_of(8) && ends.len() == postings.len() * END;
        if !whole {
            return None;
        }
        let end = postings.len().checked_sub(1).map_or(0, |last| postings.end(last));
        (end == lists.len()).then_some(postings)
    }

    /// How many keys there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.keys.len() / 8
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// The keys, in ascending order.
    pub fn keys(&self) -> impl Iterator<Item = u64> {
        (0..self.len()).map(|place| self.key(place))
    }

    fn key(&self, place: usize) -> u64 {
        u64::from_le_bytes(self.keys.array(place * 8))
    }

    fn end(&self, place: usize) -> usize {
        let mut bytes = [0; 8];
        bytes[..END].copy_from_slice(&self.ends.array::<END>(place * END));
        usize::try_from(u64::from_le_bytes(bytes)).unwrap_or(usize::MAX)
    }

    /// The list of a key. A damaged one is empty.
    #[must_use]
    pub fn find(&self, key: u64) -> Option<List<'i>> {
        let place = self.place(key)?;
        let start = place.checked_sub(1).map_or(0, |before| self.end(before));
        self.lists.get(start..self.end(place)).and_then(|bytes| List::new(bytes, self.documents))
    }

    /// Keys are hashes and so spread evenly: the place is near where the key's share of all says.
    fn place(&self, key: u64) -> Option<usize> {
        let len = self.len();
        let guess = usize::try_from((u128::from(key) * len as u128) >> 64).expect("below the length");
        let Range { start: mut low, end: mut high } = self.around(guess, key)?;
        while low < high {
            let middle = low.midpoint(high);
            if self.key(middle) < key { low = middle + 1 } else { high = middle }
        }
        (low < len && self.key(low) == key).then_some(low)
    }

    /// A range that holds the key if there is one, found in growing steps from a guess.
    fn around(&self, guess: usize, key: u64) -> Option<Range<usize>> {
        let len = self.len();
        if len == 0 {
            return None;
        }
        let mut step = 16;
        if self.key(guess) < key {
            let mut low = guess;
            loop {
                let high = low + step;
                if high >= len {
                    return Some(low..len);
                }
                if self.key(high) >= key {
                    return Some(low..high + 1);
                }
                low = high;
                step *= 4;
            }
        }
        let mut high = guess;
        loop {
            let low = high.saturating_sub(step);
            if low == 0 || self.key(low) <= key {
                return Some(low..high + 1);
            }
            high = low;
            step *= 4;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Postings;

    #[test]
    fn keys_without_ends_are_no_lists() {
        let fits = |keys: &'static [u8], ends: &'static [u8]| {
            Postings::new(keys.into(), ends.into(), (&[][..]).into(), 10).is_some()
        };
        assert!(!fits(&[0; 16], &[]));
        assert!(!fits(&[0; 15], &[0; 10]));
        assert!(fits(&[], &[]));
    }
}
