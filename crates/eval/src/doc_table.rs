//! Where a document stands in a list, by its hash: one hash serves to find it
//! among the results before it and among the judgments.
//!
//! Slots are tried one after the other from where the hash points; at least
//! half of them are empty, so the search ends soon.

use foldhash::fast::RandomState;
use formats::DocId;
use std::hash::{BuildHasher as _, Hasher as _};

/// Hashes documents, in every process differently.
#[derive(Clone, Debug, Default)]
pub(crate) struct DocHasher(RandomState);

/// The hash of a document.
#[derive(Clone, Copy)]
pub(crate) struct DocHash(u64);

impl DocHasher {
    #[inline]
    pub(crate) fn hash(&self, doc: DocId<'_>) -> DocHash {
        let mut hasher = self.0.build_hasher();
        hasher.write(doc.as_str().as_bytes());
        DocHash(hasher.finish())
    }
}

/// Places in a list that is kept elsewhere.
#[derive(Clone, Debug, Default)]
pub(crate) struct DocTable {
    /// As many as a power of two.
    slots: Vec<Slot>,
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    /// The upper half of the hash, so that other documents are mostly not looked at.
    tag: u32,
    /// The place in the list, or [`Slot::FREE`].
    place: u32,
}

impl Slot {
    const FREE: u32 = u32::MAX;
    const EMPTY: Self = Self { tag: 0, place: Self::FREE };
}

impl DocTable {
    /// Forgets everything and makes room for so many documents.
    pub(crate) fn clear(&mut self, documents: usize) {
        self.slots.clear();
        self.slots.resize((2 * documents).next_power_of_two().max(2), Slot::EMPTY);
    }

    /// The place of a document; `is_at` says whether it is the one at a place.
    #[inline]
    pub(crate) fn find(&self, hash: DocHash, is_at: impl Fn(usize) -> bool) -> Option<usize> {
        if self.slots.is_empty() { None } else { self.search(hash, is_at).ok() }
    }

    /// The place of a document that is there, else puts it at `place`. There
    /// is room for it: see [`DocTable::clear`].
    #[inline]
    pub(crate) fn insert(
        &mut self,
        hash: DocHash,
        place: usize,
        is_at: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        match self.search(hash, is_at) {
            Ok(found) => Some(found),
            Err(free) => {
                let place = u32::try_from(place).expect("a file has fewer lines");
                self.slots[free] = Slot { tag: tag(hash), place };
                None
            }
        }
    }

    /// The place of a document, or the slot where it would be.
    #[inline]
    fn search(&self, hash: DocHash, is_at: impl Fn(usize) -> bool) -> Result<usize, usize> {
        let mask = self.slots.len() - 1;
        #[expect(clippy::cast_possible_truncation, reason = "the lower bits are enough")]
        let mut at = hash.0 as usize & mask;
        loop {
            let slot = self.slots[at];
            if slot.place == Slot::FREE {
                return Err(at);
            }
            if slot.tag == tag(hash) && is_at(slot.place as usize) {
                return Ok(slot.place as usize);
            }
            at = (at + 1) & mask;
        }
    }
}

fn tag(hash: DocHash) -> u32 {
    u32::try_from(hash.0 >> 32).expect("half of the bits")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_are_told_apart_even_when_their_hashes_are_equal() {
        let docs = ["a", "b", "c", "d"];
        let mut table = DocTable::default();
        assert_eq!(table.find(DocHash(7), |_| true), None);
        table.clear(docs.len());
        for (place, doc) in docs.iter().enumerate() {
            assert_eq!(table.insert(DocHash(7), place, |at| docs[at] == *doc), None);
            assert_eq!(table.insert(DocHash(7), 99, |at| docs[at] == *doc), Some(place));
        }
        for (place, doc) in docs.iter().enumerate() {
            assert_eq!(table.find(DocHash(7), |at| docs[at] == *doc), Some(place));
        }
        assert_eq!(table.find(DocHash(7), |at| docs[at] == "x"), None);
        table.clear(1);
        assert_eq!(table.find(DocHash(7), |_| true), None);
    }
}
