//! The best documents so far.

/// A document: its score, its rank among equal ones, and its number.
type Entry = (u32, u32, u32);

/// The best `k` documents of those that were pushed, and some more: they are told apart once there are
/// twice as many, which is less work than keeping them in order.
#[derive(Debug)]
pub(super) struct Best {
    k: usize,
    entries: Vec<Entry>,
    /// The last of the best `k`, once they have been told apart.
    last: Option<Entry>,
    /// How many were pushed since then.
    new: usize,
}

impl Best {
    pub(super) fn new(k: usize) -> Self {
        Self { k, entries: Vec::with_capacity(2 * k.min(10_000)), last: None, new: 0 }
    }

    /// A score below this one is not among the best.
    pub(super) fn threshold(&self) -> u32 {
        self.last.map_or(0, |last| last.0)
    }

    /// Whether an entry may be among the best.
    pub(super) fn takes(&self, entry: Entry) -> bool {
        self.k > 0 && self.last.is_none_or(|last| entry > last)
    }

    pub(super) fn push(&mut self, entry: Entry) {
        self.entries.push(entry);
        self.new += 1;
        if self.entries.len() >= 2 * self.k {
            self.cut();
        }
    }

    /// Raises the threshold if enough entries are new.
    pub(super) fn settle(&mut self) {
        let is_full = self.entries.len() >= self.k;
        if is_full && self.new > 0 && (self.last.is_none() || self.new >= self.k / 16) {
            self.cut();
        }
    }

    fn cut(&mut self) {
        if let Some(place) = self.k.checked_sub(1).filter(|place| *place < self.entries.len()) {
            let (_, last, _) = self.entries.select_nth_unstable_by(place, |left, right| right.cmp(left));
            self.last = Some(*last);
            self.entries.truncate(self.k);
            self.new = 0;
        }
    }

    /// The best, best first.
    pub(super) fn into_sorted(mut self) -> Vec<Entry> {
        self.entries.sort_unstable_by(|left, right| right.cmp(left));
        self.entries.truncate(self.k);
        self.entries
    }
}
