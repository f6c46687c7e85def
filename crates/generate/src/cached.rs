//! A generator that writes down what it gave, and gives it again.

use crate::{Cache, Completion, Continue, Ended, Error, Event, Generator, Request};

/// What a kept completion is used for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Mode {
    /// What is kept is given; what is not is asked for and kept.
    #[default]
    Use,
    /// What is kept is given; what is not is an error. The model is never asked: this is how a result is
    /// had again exactly, without a model and without a network.
    Only,
    /// Everything is asked for, and kept in place of what was.
    Refresh,
}

/// A generator that writes down what it gave, and gives it again.
///
/// A completion that was stopped by whoever listened is not kept. A kept one is told in one piece.
#[derive(Debug)]
pub struct Cached<G> {
    inner: G,
    cache: Cache,
    mode: Mode,
}

impl<G: Generator> Cached<G> {
    /// A generator with a folder beside it.
    pub fn new(inner: G, cache: Cache, mode: Mode) -> Self {
        Self { inner, cache, mode }
    }

    /// The generator that is asked.
    pub fn inner(&self) -> &G {
        &self.inner
    }
}

/// A generator that is not here. What it wrote can be had again with [`Mode::Only`]; it can be asked nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Absent {
    /// Its name, as in [`Cache::generators`].
    pub name: String,
}

impl Generator for Absent {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn generate(&self, _: &Request, _: &mut dyn FnMut(Event<'_>) -> Continue) -> Result<Completion, Error> {
        Err(Error::Model {
            model: self.name.clone(),
            reason: "it is not here and cannot be asked".to_owned(),
        })
    }
}

impl<G: Generator> Generator for Cached<G> {
    fn name(&self) -> String {
        self.inner.name()
    }

    fn generate(
        &self,
        request: &Request,
        on_event: &mut dyn FnMut(Event<'_>) -> Continue,
    ) -> Result<Completion, Error> {
        let name = self.name();
        if self.mode != Mode::Refresh
            && let Some(mut completion) = self.cache.get(&name, request)?
        {
            if !completion.text.is_empty() && on_event(Event::Text(&completion.text)) == Continue::No {
                completion.ended = Ended::Stopped;
            }
            return Ok(completion);
        }
        if self.mode == Mode::Only {
            let key = Cache::key(&name, request)?;
            return Err(Error::NotKept { key, generator: name, folder: self.cache.folder().to_owned() });
        }
        let completion = self.inner.generate(request, on_event)?;
        if completion.ended != Ended::Stopped {
            self.cache.put(&name, request, &completion)?;
        }
        Ok(completion)
    }
}
