//! Work over many things on several cores, and how far it has come.

use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use store::Error;

/// How far the scan has come.
pub(crate) struct Progress<'p> {
    done: AtomicU64,
    total: u64,
    tell: &'p (dyn Fn(u64, u64) + Sync),
}

impl<'p> Progress<'p> {
    pub(crate) fn new(total: u64, tell: &'p (dyn Fn(u64, u64) + Sync)) -> Self {
        Self { done: AtomicU64::new(0), total, tell }
    }

    pub(crate) fn advance(&self, steps: u64) {
        let done = self.done.fetch_add(steps, Ordering::Relaxed) + steps;
        (self.tell)(done.min(self.total), self.total);
    }
}

/// Things to look at: numbers from 0, in chunks that one thread takes at a time.
#[derive(Clone, Copy)]
pub(crate) struct Chunks {
    pub(crate) count: u32,
    pub(crate) size: u32,
    /// How much work one of them is.
    pub(crate) steps: u64,
}

/// Folds chunks on all cores: each thread begins with `start`, and `merge` joins
/// what two threads have. Merging must not depend on the order.
pub(crate) fn fold<T: Send>(
    cores: NonZeroUsize,
    chunks: Chunks,
    progress: &Progress<'_>,
    start: impl Fn() -> T + Sync,
    look: impl Fn(&mut T, Range<u32>) -> Result<(), Error> + Sync,
    merge: impl Fn(&mut T, T),
) -> Result<T, Error> {
    let add = |tally: &mut T, range: Range<u32>| {
        let items = u64::from(range.end - range.start);
        look(tally, range)?;
        progress.advance(items * chunks.steps);
        Ok(())
    };
    parallel::fold_on(cores, (chunks.count, chunks.size), start, add, merge)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_seen_once() {
        for (count, size, cores) in [(0, 5, 3), (1, 5, 3), (17, 5, 3), (20, 5, 1), (1000, 1, 4)] {
            let told = AtomicU64::new(0);
            let tell = |done: u64, _: u64| {
                told.fetch_max(done, Ordering::Relaxed);
            };
            let progress = Progress::new(u64::from(count) * 2, &tell);
            let add = |sum: &mut u64, range: Range<u32>| {
                range.for_each(|number| *sum += u64::from(number) + 1);
                Ok(())
            };
            let cores = NonZeroUsize::new(cores).unwrap();
            let chunks = Chunks { count, size, steps: 2 };
            let sum = fold(cores, chunks, &progress, || 0, add, |sum, other| *sum += other).unwrap();
            assert_eq!(sum, u64::from(count) * (u64::from(count) + 1) / 2);
            assert_eq!(told.into_inner(), u64::from(count) * 2);
        }
    }
}
