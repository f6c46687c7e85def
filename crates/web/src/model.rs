//! The language model that may write answers, and how much of it people may have.
//!
//! A server has none unless it is given one. Work with it takes its turn at a gate of its own, see
//! `state.rs`: a model takes a minute where a search takes a moment, and must not keep anyone from searching.

use generate::{Continue, Event, Generator};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Whoever is told in time to stop has so long to do it.
pub(crate) const GRACE: Duration = Duration::from_secs(3);

/// A language model, and its limits.
#[derive(Clone)]
pub struct Model {
    /// What writes.
    pub generator: Arc<dyn Generator>,
    /// So many answers are written at once.
    pub at_once: usize,
    /// So many wait for their turn; more are sent away.
    pub waiting: usize,
    /// An answer that is not finished after so long, waiting included, is cut off there.
    pub time_limit: Duration,
    /// Where chance comes from: the same question gets the same answer, as far as the model keeps to it.
    pub seed: u64,
}

impl Model {
    /// A model with limits that fit one on the same computer: one answer at a time, within two minutes.
    #[must_use]
    pub fn new(generator: Arc<dyn Generator>) -> Self {
        Self { generator, at_once: 1, waiting: 4, time_limit: Duration::from_secs(120), seed: 0 }
    }

    /// What people are told it is called.
    #[must_use]
    pub fn name(&self) -> String {
        self.generator.name()
    }
}

impl fmt::Debug for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Model")
            .field("generator", &self.name())
            .field("at_once", &self.at_once)
            .field("waiting", &self.waiting)
            .field("time_limit", &self.time_limit)
            .field("seed", &self.seed)
            .finish()
    }
}

/// Whether someone still waits for what is being written, and until when.
#[derive(Debug)]
pub(crate) struct Patience {
    gone: Arc<AtomicBool>,
    until: Instant,
    ended: bool,
}

/// Held by who waits: when it is dropped, nobody does.
#[derive(Debug)]
pub(crate) struct Waiting(Arc<AtomicBool>);

impl Patience {
    /// Patience that ends at a time, or when the other is dropped.
    pub(crate) fn until(until: Instant) -> (Self, Waiting) {
        let gone = Arc::new(AtomicBool::new(false));
        (Self { gone: Arc::clone(&gone), until, ended: false }, Waiting(gone))
    }

    /// What the model is told at each piece that it writes.
    pub(crate) fn told(&mut self, _: Event<'_>) -> Continue {
        self.ended = self.gone.load(Ordering::Relaxed) || Instant::now() >= self.until;
        if self.ended { Continue::No } else { Continue::Yes }
    }

    /// Whether the model was told to stop.
    pub(crate) fn is_ended(&self) -> bool {
        self.ended
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_stops_when_its_time_is_up_or_nobody_waits() {
        let long = Instant::now() + Duration::from_secs(3600);
        let (mut patience, waiting) = Patience::until(long);
        assert_eq!(patience.told(Event::Text("a")), Continue::Yes);
        assert!(!patience.is_ended());
        drop(waiting);
        assert_eq!(patience.told(Event::Text("b")), Continue::No);
        assert!(patience.is_ended());
        let (mut patience, _waiting) = Patience::until(Instant::now());
        assert_eq!(patience.told(Event::Text("a")), Continue::No);
    }
}
