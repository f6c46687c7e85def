//! A language model that says what it is told to say.

use super::patient;
use generate::{Completion, Continue, Ended, Error, Event, Generator, Request};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use web::{Config, Model};

/// What a model does when it is asked.
#[derive(Clone)]
pub(crate) enum Manner {
    /// It writes this, in two pieces.
    Says(String),
    /// It writes one word after another until it is told to stop.
    Never,
    /// It writes this, but to a question with the word *endless* it never ends.
    Either(String),
    /// It waits until the gate is opened, then writes.
    Waits(Arc<Gate>),
    /// It gives nothing.
    Fails,
}

/// Something to wait at.
#[derive(Default)]
pub(crate) struct Gate {
    open: Mutex<bool>,
    changed: Condvar,
}

impl Gate {
    pub(crate) fn open(&self) {
        *self.open.lock().unwrap() = true;
        self.changed.notify_all();
    }

    fn pass(&self) {
        let open = self.open.lock().unwrap();
        drop(self.changed.wait_while(open, |open| !*open).unwrap());
    }
}

/// A model for tests; counts how often it was asked and how often it ended.
pub(crate) struct Fake {
    name: &'static str,
    manner: Manner,
    pub(crate) asked: AtomicUsize,
    pub(crate) ended: AtomicUsize,
}

impl Fake {
    pub(crate) fn new(manner: Manner) -> Arc<Self> {
        Self::named("fake <1>", manner)
    }

    pub(crate) fn named(name: &'static str, manner: Manner) -> Arc<Self> {
        Arc::new(Self { name, manner, asked: AtomicUsize::new(0), ended: AtomicUsize::new(0) })
    }

    /// A server with it.
    pub(crate) fn config(self: &Arc<Self>) -> Config {
        Config { model: Some(self.model()), ..patient() }
    }

    pub(crate) fn model(self: &Arc<Self>) -> Model {
        let long = patient().time_limit;
        Model { time_limit: long, ..Model::new(Arc::<Self>::clone(self)) }
    }
}

impl Generator for Fake {
    fn name(&self) -> String {
        self.name.to_owned()
    }

    fn generate(
        &self,
        request: &Request,
        on_event: &mut dyn FnMut(Event<'_>) -> Continue,
    ) -> Result<Completion, Error> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        let mut text = String::new();
        let mut ended = Ended::Itself;
        let mut write = |piece: &str, ended: &mut Ended| {
            text.push_str(piece);
            if on_event(Event::Text(piece)) == Continue::No {
                *ended = Ended::Stopped;
            }
            *ended
        };
        let endless = match &self.manner {
            Manner::Never => true,
            Manner::Either(_) => format!("{:?}", request.prompt).contains("endless"),
            _ => false,
        };
        match &self.manner {
            _ if endless => {
                // What is written counts no more after a while; it is only told.
                for number in 0_u64.. {
                    std::thread::yield_now();
                    if write(if number < 20 { "on and " } else { "" }, &mut ended) == Ended::Stopped {
                        break;
                    }
                }
            }
            Manner::Says(said) | Manner::Either(said) => {
                let half = (0..=said.len() / 2).rev().find(|at| said.is_char_boundary(*at)).unwrap();
                if write(&said[..half], &mut ended) == Ended::Itself {
                    write(&said[half..], &mut ended);
                }
            }
            Manner::Never => unreachable!("it is endless"),
            Manner::Waits(gate) => {
                gate.pass();
                write("At last.", &mut ended);
            }
            Manner::Fails => {
                return Err(Error::Model { model: self.name(), reason: "out of /secret/memory".to_owned() });
            }
        }
        self.ended.fetch_add(1, Ordering::SeqCst);
        Ok(Completion::new(text, ended))
    }
}
