//! The language model that may write answers, and how much of it people may have.
//!
//! A server has none unless it is given one. Work with it takes its turn at a gate of its own, see
//! `state.rs`: a model takes a minute where a search takes a moment, and must not keep anyone from searching.

use crate::site::waiting::Waiting;
use generate::{Continue, Event, Generator};
use retrieve::Deadline;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Whoever is told in time to stop has so long to do it.
pub(crate) const GRACE: Duration = Duration::from_secs(3);

/// A language model, and its limits.
#[derive(Clone)]
pub struct Model {
    /// What writes.
    pub generator: Arc<dyn Generator>,
    /// What people are told it is called.
    pub display_name: String,
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
    /// A model with limits that fit one on the same computer: one answer at a time, within two minutes. It is
    /// called by the short part of its name.
    #[must_use]
    pub fn new(generator: Arc<dyn Generator>) -> Self {
        let display_name = short_name(&generator.name()).to_owned();
        Self {
            generator,
            display_name,
            at_once: 1,
            waiting: 4,
            time_limit: Duration::from_secs(120),
            seed: 0,
        }
    }

    /// What tells it apart from all others, for caches and logs: a checksum or an address of our own network
    /// may be in it, which nobody outside is told.
    #[must_use]
    pub fn full_name(&self) -> String {
        self.generator.name()
    }
}

/// The short part of what a model is called: a file without its folder, its ending and what is known of it, or
/// a name without the address of its server.
fn short_name(name: &str) -> &str {
    let named = name.rsplit_once(" at http").map_or(name, |(named, _)| named);
    let file = named.rsplit_once(".gguf").map(|(file, _)| file);
    match file {
        None if !named.starts_with('/') => named,
        _ => file.unwrap_or(named).rsplit('/').next().unwrap_or(named),
    }
}

impl fmt::Debug for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Model")
            .field("generator", &self.full_name())
            .field("display_name", &self.display_name)
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
    deadline: Deadline,
    ended: bool,
}

impl Patience {
    /// Patience that ends at a time, or when the other is dropped.
    pub(crate) fn until(until: Instant) -> (Self, Waiting) {
        let (deadline, waiting) = Waiting::until(until);
        (Self { deadline, ended: false }, waiting)
    }

    /// What the model is told at each piece that it writes.
    pub(crate) fn told(&mut self, _: Event<'_>) -> Continue {
        self.ended = self.deadline.is_over();
        if self.ended { Continue::No } else { Continue::Yes }
    }

    /// When work before the model writes has to end: when nobody waits any more. The time is the model's own.
    pub(crate) fn deadline(&self) -> Deadline {
        self.deadline.clone().without_time()
    }

    /// Whether the model was told to stop.
    pub(crate) fn is_ended(&self) -> bool {
        self.ended
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_are_told_a_short_name() {
        for (name, short) in [
            ("SmolLM2.Q4_1.gguf (llama, 135M parameters, Q4_1, xxh3 0123)", "SmolLM2.Q4_1"),
            ("qwen3:8b at http://10.0.0.7:8000/v1", "qwen3:8b"),
            ("org/model at work at https://inside.example.org/v1", "org/model at work"),
            ("/srv/models/small.gguf at http://10.0.0.7:8000/v1", "small"),
            ("/srv/models/Qwen3-8B at http://10.0.0.7:8000/v1", "Qwen3-8B"),
            ("fake <1>", "fake <1>"),
        ] {
            assert_eq!(short_name(name), short);
        }
    }

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
