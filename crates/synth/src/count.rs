//! Counting distinct things in bounded memory.

use foldhash::{HashSet, HashSetExt};

/// How many hashes are kept.
const ROOM: usize = 1 << 19;

/// Counts distinct hashes: exactly as long as there is room for all, then by a
/// sample of those below a bound that is halved as often as needed (Wegman's
/// adaptive sampling). The error is then about 0.2 per cent.
#[derive(Debug)]
pub(crate) struct Distinct {
    kept: HashSet<u64>,
    /// Only hashes with that many leading zeros are kept.
    level: u32,
    room: usize,
}

impl Distinct {
    pub(crate) fn new() -> Self {
        Self::with_room(ROOM)
    }

    fn with_room(room: usize) -> Self {
        Self { kept: HashSet::new(), level: 0, room }
    }

    pub(crate) fn add(&mut self, hash: u64) {
        if hash.leading_zeros() < self.level {
            return;
        }
        self.kept.insert(hash);
        while self.kept.len() > self.room {
            self.level += 1;
            self.kept.retain(|hash| hash.leading_zeros() >= self.level);
        }
    }

    pub(crate) fn count(&self) -> u64 {
        (self.kept.len() as u64) << self.level
    }

    pub(crate) fn is_exact(&self) -> bool {
        self.level == 0
    }
}

#[cfg(test)]
mod tests {
    use super::Distinct;
    use crate::draw::mix;

    #[test]
    fn counts_exactly_and_then_nearly() {
        let mut distinct = Distinct::with_room(10_000);
        for number in 0..20_000 {
            distinct.add(mix(1, number % 9000));
        }
        assert_eq!((distinct.count(), distinct.is_exact()), (9000, true));
        for number in 0..500_000 {
            distinct.add(mix(1, number));
        }
        assert!(!distinct.is_exact());
        assert!(distinct.count().abs_diff(500_000) < 20_000, "{}", distinct.count());
    }
}
