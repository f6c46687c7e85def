//! Whose turn it is to work on the index.
//!
//! As many pieces of work run at once as there are workers, and others wait in the order in which they came.
//! Work that takes long must not keep everybody else waiting: when somebody has waited for a while, the work
//! that has run longest makes room. It goes on in a second lane with as many places; once those are taken, too,
//! the work that has run longest of all ends with what it has found.

use crate::site::metrics::Counted;
use crate::site::waiting::HURRIED;
use retrieve::{Deadline, Hurry};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;

/// How long somebody waits before others have to make room.
const PATIENCE: Duration = Duration::from_millis(100);
/// Work may run for so long before it has to make room.
const SLICE: Duration = Duration::from_millis(200);
/// And for so long at least, however many wait.
const LEAST_SLICE: Duration = Duration::from_millis(50);

/// The gate.
#[derive(Debug)]
pub(crate) struct Gate {
    /// As many permits as there are free places in the first lane.
    free: Semaphore,
    places: usize,
    lanes: Mutex<Lanes>,
}

#[derive(Debug, Default)]
struct Lanes {
    running: Vec<Running>,
    /// How many run in the second lane.
    aside: usize,
    /// When room was made last.
    made_room: Option<Instant>,
    number: u64,
}

#[derive(Debug)]
struct Running {
    number: u64,
    since: Instant,
    lane: Lane,
    hurry: Option<Hurry>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lane {
    First,
    Second,
}

/// A place at work, given back when it is dropped.
#[derive(Debug)]
pub(crate) struct Turn {
    gate: Arc<Gate>,
    number: u64,
}

impl Gate {
    /// A gate with this number of places in each lane.
    pub(crate) fn new(places: usize) -> Self {
        Self { free: Semaphore::new(places), places, lanes: Mutex::default() }
    }

    /// Waits for a turn; nothing if more than `most` do already. The deadline also ends when others need the
    /// place.
    pub(crate) async fn enter(
        self: &Arc<Self>,
        deadline: Deadline,
        most: usize,
        waits: impl FnOnce() -> Counted,
    ) -> Option<(Turn, Deadline)> {
        let permit = match self.free.try_acquire() {
            Ok(permit) => permit,
            Err(_) => {
                let waiting = waits();
                if waiting.number() > most {
                    return None;
                }
                let mut acquire = std::pin::pin!(self.free.acquire());
                loop {
                    match tokio::time::timeout(PATIENCE, &mut acquire).await {
                        Ok(permit) => break permit.ok()?,
                        Err(_) => self.make_room(waiting.now(), Instant::now()),
                    }
                }
            }
        };
        // The turn gives it back.
        permit.forget();
        let (deadline, hurry) = deadline.with_hurry();
        let mut lanes = self.lanes();
        lanes.number += 1;
        let number = lanes.number;
        let running = Running { number, since: Instant::now(), lane: Lane::First, hurry: Some(hurry) };
        lanes.running.push(running);
        drop(lanes);
        Some((Turn { gate: Arc::clone(self), number }, deadline))
    }

    /// Has work that has run for long make room for those that wait; the more wait, the sooner.
    fn make_room(&self, waiting: usize, now: Instant) {
        let sooner = 1 + u32::try_from(waiting / (2 * self.places).max(1)).unwrap_or(u32::MAX - 1);
        let slice = (SLICE / sooner).max(LEAST_SLICE);
        let mut lanes = self.lanes();
        if lanes.made_room.is_some_and(|last| now.saturating_duration_since(last) < PATIENCE / sooner) {
            return;
        }
        let has_run = |running: &Running| now.saturating_duration_since(running.since) >= slice;
        let aside_is_free = lanes.aside < self.places;
        // Work is listed in the order in which it began.
        if aside_is_free {
            let first = |running: &&mut Running| running.lane == Lane::First && has_run(running);
            let Some(running) = lanes.running.iter_mut().find(first) else { return };
            running.lane = Lane::Second;
            lanes.aside += 1;
            self.free.add_permits(1);
        } else {
            let longest = |running: &&mut Running| running.hurry.is_some() && has_run(running);
            let Some(running) = lanes.running.iter_mut().find(longest) else { return };
            if let Some(hurry) = running.hurry.take() {
                hurry.hurry();
            }
        }
        lanes.made_room = Some(now);
    }

    fn lanes(&self) -> MutexGuard<'_, Lanes> {
        self.lanes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let mut lanes = self.gate.lanes();
        let Some(place) = lanes.running.iter().position(|running| running.number == self.number) else {
            return;
        };
        match lanes.running.remove(place).lane {
            Lane::First => self.gate.free.add_permits(1),
            Lane::Second => lanes.aside -= 1,
        }
    }
}

/// Notes in the task of the request that its work had to hurry.
pub(crate) fn note(deadline: &Deadline) {
    if deadline.is_hurried() {
        let _ = HURRIED.try_with(|hurried| hurried.set(true));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::metrics::Metrics;

    fn gate(places: usize) -> (Arc<Gate>, Metrics) {
        (Arc::new(Gate::new(places)), Metrics::default())
    }

    async fn turn(gate: &Arc<Gate>, metrics: &Metrics) -> (Turn, Deadline) {
        gate.enter(Deadline::never(), 64, || metrics.waits()).await.unwrap()
    }

    #[tokio::test]
    async fn who_comes_when_all_places_are_taken_waits_or_is_sent_away() {
        let (gate, metrics) = gate(1);
        let first = turn(&gate, &metrics).await;
        let second = gate.enter(Deadline::never(), 0, || metrics.waits()).await;
        assert!(second.is_none());
        drop(first);
        assert!(gate.enter(Deadline::never(), 0, || metrics.waits()).await.is_some());
    }

    #[tokio::test]
    async fn long_work_goes_aside_and_then_ends() {
        let (gate, metrics) = gate(1);
        let (oldest, oldest_ends) = turn(&gate, &metrics).await;
        let later = Instant::now() + 10 * SLICE;
        gate.make_room(1, later);
        let (second, second_ends) = turn(&gate, &metrics).await;
        assert!(!oldest_ends.is_over());
        // Room was made a moment ago: nobody else has to make it yet.
        gate.make_room(1, later);
        assert!(!oldest_ends.is_over());
        gate.make_room(1, later + PATIENCE);
        assert!(oldest_ends.is_over() && !oldest_ends.is_cancelled() && !second_ends.is_over());
        drop(oldest);
        gate.make_room(1, later + 2 * PATIENCE);
        let (third, _) = turn(&gate, &metrics).await;
        drop((second, third));
        assert_eq!((gate.free.available_permits(), gate.lanes().aside), (1, 0));
        assert!(gate.lanes().running.is_empty());
    }

    #[tokio::test]
    async fn a_request_knows_that_its_work_was_hurried() {
        let (deadline, hurry) = Deadline::never().with_hurry();
        HURRIED
            .scope(std::cell::Cell::new(false), async {
                note(&deadline);
                assert!(!HURRIED.with(std::cell::Cell::get));
                hurry.hurry();
                note(&deadline);
                assert!(HURRIED.with(std::cell::Cell::get));
            })
            .await;
    }

    #[tokio::test]
    async fn short_work_is_left_alone() {
        let (gate, metrics) = gate(1);
        let (_turn, ends) = turn(&gate, &metrics).await;
        let now = Instant::now();
        gate.make_room(60, now);
        assert_eq!(gate.free.available_permits(), 0);
        assert!(!ends.is_over());
    }

    #[tokio::test]
    async fn the_more_wait_the_sooner_room_is_made() {
        let (gate, metrics) = gate(1);
        let _turn = turn(&gate, &metrics).await;
        let soon = Instant::now() + SLICE / 2;
        gate.make_room(1, soon);
        assert_eq!(gate.free.available_permits(), 0);
        gate.make_room(8, soon);
        assert_eq!(gate.free.available_permits(), 1);
    }
}
