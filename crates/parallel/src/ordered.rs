//! Work on all cores, results in the order of the input, memory bounded.
//!
//! One thread reads and cuts the input into pieces; whichever worker is free
//! takes the next; the caller's thread gets the results in the order of the
//! pieces. All channels are short, so nothing piles up.

use std::io;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;

/// Pieces that may wait for each worker.
const BACKLOG: usize = 2;

/// Runs pieces through `work` and gives the results to `consume`, in order.
///
/// `produce` hands its pieces to the function it gets, and stops when told to;
/// `state` makes what each worker keeps from piece to piece.
///
/// # Errors
///
/// The first of `consume`; otherwise how `produce` ended is the value.
///
/// # Panics
///
/// When one of the functions does.
pub fn ordered<Piece, Made, State, E>(
    produce: impl FnOnce(&mut dyn FnMut(Piece) -> ControlFlow<()>) -> io::Result<()> + Send,
    state: impl Fn() -> State + Sync,
    work: impl Fn(&mut State, Piece) -> Made + Sync,
    consume: impl FnMut(Made) -> Result<(), E>,
) -> Result<io::Result<()>, E>
where
    Piece: Send,
    Made: Send,
{
    let threads = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    ordered_on(threads, produce, state, work, consume)
}

/// As [`ordered`], on a number of workers.
///
/// # Errors
///
/// As [`ordered`].
///
/// # Panics
///
/// When one of the functions does.
pub fn ordered_on<Piece, Made, State, E>(
    threads: NonZeroUsize,
    produce: impl FnOnce(&mut dyn FnMut(Piece) -> ControlFlow<()>) -> io::Result<()> + Send,
    state: impl Fn() -> State + Sync,
    work: impl Fn(&mut State, Piece) -> Made + Sync,
    mut consume: impl FnMut(Made) -> Result<(), E>,
) -> Result<io::Result<()>, E>
where
    Piece: Send,
    Made: Send,
{
    let workers = threads.get();
    let (to_workers, pieces) = sync_channel::<(Piece, SyncSender<Made>)>(workers * BACKLOG);
    let (in_order, places) = sync_channel::<Receiver<Made>>(workers * BACKLOG);
    // The workers alone hold the pieces: when all of them have panicked, nothing waits in the queue for ever.
    let pieces = Arc::new(Mutex::new(pieces));
    let (state, work) = (&state, &work);
    thread::scope(|scope| {
        for _ in 0..workers {
            let pieces = Arc::clone(&pieces);
            scope.spawn(move || {
                let mut state = state();
                while let Some((piece, result)) = next(&pieces) {
                    // When nobody waits for the result any more, the rest is passed over quickly.
                    let _ = result.send(work(&mut state, piece));
                }
            });
        }
        drop(pieces);
        let reading = scope.spawn(move || {
            produce(&mut |piece| {
                let (result, place) = sync_channel(1);
                let gone = in_order.send(place).is_err() || to_workers.send((piece, result)).is_err();
                if gone { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            })
        });
        let mut outcome = Ok(());
        for place in &places {
            // A place without a result is that of a worker that panicked; the scope passes that on.
            let Ok(made) = place.recv() else { break };
            outcome = consume(made);
            if outcome.is_err() {
                break;
            }
        }
        drop(places);
        let read = match reading.join() {
            Ok(read) => read,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        outcome.map(|()| read)
    })
}

fn next<T>(pieces: &Mutex<Receiver<T>>) -> Option<T> {
    pieces.lock().ok()?.recv().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_do_not_depend_on_the_number_of_workers() {
        let results = |threads: usize| {
            let (mut seen, mut states) = (Vec::new(), 0);
            let counted = Mutex::new(&mut states);
            let done = ordered_on(
                NonZeroUsize::new(threads).unwrap(),
                |put| {
                    let _ = (0..100).try_for_each(put);
                    Ok(())
                },
                || **counted.lock().unwrap() += 1,
                |(), piece: u32| piece + 1,
                |made| {
                    seen.push(made);
                    Ok::<(), ()>(())
                },
            );
            assert!(matches!(done, Ok(Ok(()))));
            assert_eq!(states, threads, "each worker has one state");
            seen
        };
        assert_eq!(results(1), (1..=100).collect::<Vec<_>>());
        assert_eq!(results(5), results(1));
    }

    #[test]
    #[should_panic(expected = "a scoped thread panicked")]
    fn workers_that_all_panic_do_not_leave_the_reader_waiting() {
        let _ = ordered(
            |put| {
                while put(()).is_continue() {}
                Ok(())
            },
            || panic!("no state"),
            |_: &mut (), ()| (),
            |()| Ok::<(), ()>(()),
        );
    }

    #[test]
    fn results_come_in_order_and_failures_stop_the_reader() {
        let mut seen = Vec::new();
        let read = ordered(
            |put| {
                for piece in 0..1000 {
                    if put(piece).is_break() {
                        break;
                    }
                }
                Err(io::Error::other("cut short"))
            },
            || (),
            |(), piece: u32| piece * 2,
            |made| {
                seen.push(made);
                Ok::<(), ()>(())
            },
        );
        assert_eq!(seen, (0..1000).map(|piece| piece * 2).collect::<Vec<_>>());
        assert!(read.unwrap().is_err());

        let mut produced = 0;
        let stopped = ordered(
            |put| {
                while put(()).is_continue() {
                    produced += 1;
                }
                Ok(())
            },
            || (),
            |(), ()| (),
            |()| Err("no more"),
        );
        assert_eq!(stopped.unwrap_err(), "no more");
        assert!(produced < 100);
    }
}
