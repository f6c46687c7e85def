//! How much work a search is, and whether there is time for more.

use crate::deadline::Deadline;

/// Blocks of 128 postings that are read between two looks at the clock: less than half a millisecond.
const BLOCKS: u64 = 256;

/// How much work a search was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// Windows that were looked at.
    pub windows: u32,
    /// Blocks that were unpacked.
    pub blocks: u64,
}

/// Counts work, and looks at the deadline now and then.
#[derive(Debug, Default)]
pub(super) struct Pace {
    pub(super) effort: Effort,
    deadline: Deadline,
    /// Counts what is not a block, too.
    steps: u64,
    over: bool,
}

impl Pace {
    /// Begins work that ends at a deadline.
    pub(super) fn begin(&mut self, deadline: Deadline) {
        self.over = deadline.is_over();
        self.deadline = deadline;
        self.steps = 0;
    }

    /// Counts a block that was unpacked.
    #[inline]
    pub(super) fn block(&mut self) {
        self.effort.blocks += 1;
        self.step(1);
    }

    /// Counts work that costs about as much as unpacking this many blocks.
    #[inline]
    pub(super) fn step(&mut self, blocks: u64) {
        self.steps += blocks;
        if self.steps >= BLOCKS {
            self.steps = 0;
            self.over = self.over || self.deadline.is_over();
        }
    }

    /// Whether the work has to end; once it has, it stays so until other work begins.
    #[inline]
    pub(super) fn is_over(&self) -> bool {
        self.over
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_is_looked_at_now_and_then() {
        let (deadline, cancel) = Deadline::never().with_cancel();
        let mut pace = Pace::default();
        pace.begin(deadline.clone());
        pace.step(1);
        cancel.cancel();
        pace.step(1);
        assert!(!pace.is_over());
        pace.step(BLOCKS);
        assert!(pace.is_over());
        pace.begin(Deadline::never());
        assert!(!pace.is_over());
        pace.begin(deadline);
        assert!(pace.is_over());
    }
}
