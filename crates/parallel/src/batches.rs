//! Numbers through all cores, in batches, results in order.

use crate::ordered;
use std::ops::Range;

/// Cuts `0..count` into batches of `size`, gives each to a worker that
/// `new_worker` made for its core, and the results to `sink`, in order.
///
/// # Errors
///
/// The first of a worker, in the order of batches, or of `sink`; it ends the work.
///
/// # Panics
///
/// When one of the functions does.
pub fn batches<Worker, Made, E>(
    count: u32,
    size: u32,
    new_worker: impl Fn() -> Worker + Sync,
    mut sink: impl FnMut(Made) -> Result<(), E>,
) -> Result<(), E>
where
    Worker: FnMut(Range<u32>) -> Result<Made, E>,
    Made: Send,
    E: Send,
{
    let cut = || (0..count).step_by(size as usize).map(|start| start..count.min(start.saturating_add(size)));
    if count <= size {
        let mut worker = new_worker();
        return cut().try_for_each(|batch| sink(worker(batch)?));
    }
    let cutting = ordered(
        |put| {
            let _ = cut().try_for_each(put);
            Ok(())
        },
        new_worker,
        |worker, batch| worker(batch),
        |made| sink(made?),
    )?;
    cutting.expect("cutting numbers reads nothing");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::batches;

    #[test]
    fn results_come_in_order() {
        for count in [0, 1, 9, 10, 11, 1000] {
            let mut all = Vec::new();
            let done = batches(
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
        let done = batches(1000, 10, worker, |_| {
            seen += 1;
            Ok(())
        });
        assert_eq!((done, seen), (Err("bad"), 5));
        let done = batches(1000, 10, || |_| Ok(1), |_| Err("full"));
        assert_eq!(done, Err("full"));
    }
}
