//! Numbers through all cores, in batches, added up where each thread has its own sum.

use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;

/// Cuts `0..count` into batches of `size` and folds them on so many threads: each begins with `start`, `add` adds a
/// batch, and `merge` joins what two threads have. The result depends on neither the number of threads nor on which
/// took what, as long as merging does not depend on the order.
///
/// # Errors
///
/// Of the batches that failed, the error of the first; it ends the work.
///
/// # Panics
///
/// When one of the functions does.
pub fn fold_on<T: Send, E: Send>(
    threads: NonZeroUsize,
    (count, size): (u32, u32),
    start: impl Fn() -> T + Sync,
    add: impl Fn(&mut T, Range<u32>) -> Result<(), E> + Sync,
    merge: impl Fn(&mut T, T),
) -> Result<T, E> {
    let (next, failed) = (AtomicU32::new(0), AtomicBool::new(false));
    let num_batches = count.div_ceil(size);
    let work = || -> Result<T, (u32, E)> {
        let mut sum = start();
        while !failed.load(Ordering::Relaxed) {
            let batch = next.fetch_add(1, Ordering::Relaxed);
            if batch >= num_batches {
                break;
            }
            let first = batch * size;
            add(&mut sum, first..count.min(first.saturating_add(size))).map_err(|error| {
                failed.store(true, Ordering::Relaxed);
                (batch, error)
            })?;
        }
        Ok(sum)
    };
    let threads = threads.get().min(num_batches.max(1) as usize);
    let sums: Vec<Result<T, (u32, E)>> = thread::scope(|scope| {
        let handles: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let mut sums = vec![work()];
        sums.extend(handles.into_iter().map(|handle| match handle.join() {
            Ok(sum) => sum,
            Err(panic) => std::panic::resume_unwind(panic),
        }));
        sums
    });
    let mut all: Option<T> = None;
    let mut first_error: Option<(u32, E)> = None;
    for sum in sums {
        match sum {
            Ok(sum) => match &mut all {
                Some(all) => merge(all, sum),
                None => all = Some(sum),
            },
            Err(error) if first_error.as_ref().is_none_or(|first| error.0 < first.0) => {
                first_error = Some(error);
            }
            Err(_) => {}
        }
    }
    match (first_error, all) {
        (Some((_, error)), _) => Err(error),
        (None, all) => Ok(all.unwrap_or_else(start)),
    }
}

#[cfg(test)]
mod tests {
    use super::fold_on;
    use std::num::NonZeroUsize;
    use std::ops::Range;

    #[test]
    fn every_number_is_added_once() {
        for (count, size, threads) in [(0, 5, 3), (1, 5, 3), (17, 5, 3), (20, 5, 1), (1000, 1, 4)] {
            let add = |sum: &mut u64, range: Range<u32>| {
                range.for_each(|number| *sum += u64::from(number) + 1);
                Ok::<_, ()>(())
            };
            let threads = NonZeroUsize::new(threads).unwrap();
            let sum = fold_on(threads, (count, size), || 0, add, |sum, other| *sum += other);
            assert_eq!(sum, Ok(u64::from(count) * (u64::from(count) + 1) / 2));
        }
    }

    #[test]
    fn an_error_ends_the_work() {
        let add =
            |(): &mut (), range: Range<u32>| if range.contains(&70) { Err(range.start) } else { Ok(()) };
        let threads = NonZeroUsize::new(3).unwrap();
        assert_eq!(fold_on(threads, (1000, 10), || (), add, |(), ()| ()), Err(70));
    }
}
