//! What was drawn, kept while there is room: the least used goes first.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};

/// Something with a size.
pub(super) trait Weight {
    /// About how many bytes it takes.
    fn weight(&self) -> usize;
}

/// Things by name, so many at most and so many bytes at most.
pub(super) struct Shelf<K, V> {
    most: usize,
    most_bytes: usize,
    kept: Mutex<Kept<K, V>>,
}

struct Kept<K, V> {
    things: HashMap<K, Slot<V>>,
    bytes: usize,
    clock: u64,
}

struct Slot<V> {
    thing: Arc<V>,
    bytes: usize,
    used: u64,
}

impl<K: Eq + Hash + Clone, V: Weight> Shelf<K, V> {
    pub(super) fn new(most: usize, most_bytes: usize) -> Self {
        let kept = Kept { things: HashMap::new(), bytes: 0, clock: 0 };
        Self { most, most_bytes, kept: Mutex::new(kept) }
    }

    /// What is there, or what is made now. Two may make the same at once; one of both stays.
    pub(super) fn get_or(&self, key: K, make: impl FnOnce() -> V) -> Arc<V> {
        {
            let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
            kept.clock += 1;
            let now = kept.clock;
            if let Some(slot) = kept.things.get_mut(&key) {
                slot.used = now;
                return Arc::clone(&slot.thing);
            }
        }
        let thing = Arc::new(make());
        let bytes = thing.weight();
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        // What would fill a good part of the shelf is not worth the rest of it.
        if bytes <= self.most_bytes / 8 {
            kept.make_room(self.most, self.most_bytes.saturating_sub(bytes));
            let slot = Slot { thing: Arc::clone(&thing), bytes, used: kept.clock };
            kept.bytes += bytes;
            if let Some(other) = kept.things.insert(key, slot) {
                kept.bytes -= other.bytes;
            }
        }
        thing
    }
}

impl<K: Eq + Hash + Clone, V> Kept<K, V> {
    /// Drops the least used eighth when the shelf is full, so that this is rare.
    fn make_room(&mut self, most: usize, most_bytes: usize) {
        while self.things.len() >= most || self.bytes > most_bytes {
            let mut used: Vec<u64> = self.things.values().map(|slot| slot.used).collect();
            if used.is_empty() {
                return;
            }
            used.sort_unstable();
            let limit = used[used.len() / 8];
            self.things.retain(|_, slot| slot.used > limit);
            self.bytes = self.things.values().map(|slot| slot.bytes).sum();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Weight for String {
        fn weight(&self) -> usize {
            self.len()
        }
    }

    #[test]
    fn the_least_used_goes_first_and_there_is_an_end() {
        let shelf = Shelf::<u32, String>::new(8, 80);
        for key in 0..100 {
            shelf.get_or(key, || format!("{key:010}"));
            // The first is asked for again and again, so it stays.
            shelf.get_or(0, || panic!("it is there"));
        }
        {
            let kept = shelf.kept.lock().expect("nobody else holds it");
            assert!(kept.things.len() <= 8 && kept.bytes <= 80, "{} {}", kept.things.len(), kept.bytes);
            assert_eq!(kept.bytes, kept.things.values().map(|slot| slot.thing.len()).sum::<usize>());
        }
        assert_eq!(*shelf.get_or(500, || "x".repeat(50)), "x".repeat(50));
        assert_eq!(*shelf.get_or(500, || "not kept".to_owned()), "not kept");
    }
}
