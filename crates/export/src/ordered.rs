//! Numbers through all cores, in batches, results in order and in bounded memory.

use std::collections::VecDeque;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};
use std::thread;

/// Batches that may wait for each core.
const BACKLOG: usize = 4;

/// Cuts `0..count` into batches of `size`, gives each to a worker that `new_worker` made for its
/// core, and gives the results to `sink` in order. The first error ends the work.
pub(crate) fn each<W, T, E>(
    count: u32,
    size: u32,
    new_worker: impl Fn() -> W + Sync,
    mut sink: impl FnMut(T) -> Result<(), E>,
) -> Result<(), E>
where
    W: FnMut(Range<u32>) -> Result<T, E>,
    T: Send,
    E: Send,
{
    let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let batches = (0..count).step_by(size as usize).map(|start| start..count.min(start.saturating_add(size)));
    if cores < 2 || count <= size {
        let mut worker = new_worker();
        for batch in batches {
            sink(worker(batch)?)?;
        }
        return Ok(());
    }
    let (jobs, waiting) = channel::<(Range<u32>, SyncSender<Result<T, E>>)>();
    let waiting = Mutex::new(waiting);
    thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                let mut worker = new_worker();
                while let Some((batch, result)) = next(&waiting) {
                    // Nobody may wait for it any more, after an error.
                    let _ = result.send(worker(batch));
                }
            });
        }
        let mut places = VecDeque::new();
        let mut batches = batches;
        // Dropping the sender, at whichever end, lets the workers go.
        let jobs = jobs;
        loop {
            while places.len() < cores * BACKLOG
                && let Some(batch) = batches.next()
            {
                let (result, place) = sync_channel(1);
                places.push_back(place);
                jobs.send((batch, result)).expect("the receiver lives until the workers have ended");
            }
            let Some(place) = places.pop_front() else { return Ok(()) };
            // A place without a result is that of a worker that panicked; the scope says so.
            let Ok(result) = place.recv() else { return Ok(()) };
            sink(result?)?;
        }
    })
}

/// The next batch for whoever is free; one worker waits for it, the others for the lock.
fn next<J>(jobs: &Mutex<Receiver<J>>) -> Option<J> {
    jobs.lock().ok()?.recv().ok()
}

#[cfg(test)]
mod tests {
    use super::each;

    #[test]
    fn results_come_in_order() {
        for count in [0, 1, 9, 10, 11, 1000] {
            let mut all = Vec::new();
            let done = each(
                count,
                10,
                || |batch: std::ops::Range<u32>| Ok::<_, ()>(batch.collect::<Vec<_>>()),
                |part| {
                    all.extend(part);
                    Ok(())
                },
            );
            assert_eq!(done, Ok(()));
            assert_eq!(all, (0..count).collect::<Vec<_>>());
        }
    }

    #[test]
    fn the_first_error_ends_the_work() {
        let worker = || |batch: std::ops::Range<u32>| if batch.start == 50 { Err("bad") } else { Ok(batch) };
        let mut seen = 0;
        let done = each(1000, 10, worker, |_| {
            seen += 1;
            Ok(())
        });
        assert_eq!((done, seen), (Err("bad"), 5));
        let done = each(1000, 10, || |_| Ok(1), |_| Err("full"));
        assert_eq!(done, Err("full"));
    }
}
