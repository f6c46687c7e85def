//! What would a language model write?
//!
//! A [`Generator`] completes a [`Request`]: a model in this process, or one behind an address, which is an
//! [`Endpoint`]. [`Cached`] keeps what a generator wrote in a [`Cache`], so that it can be had again. The
//! crate knows nothing of questions and answers; what is asked is said by whoever asks.
//!
//! ```no_run
//! use generate::{Cache, Cached, Continue, Endpoint, EndpointConfig, Event, Generator, Key, Mode};
//! use generate::{Prompt, Request};
//!
//! let key = Some(Key::from_environment("MODEL_KEY")?);
//! let config = EndpointConfig { key, ..EndpointConfig::new("https://example.org/v1", "a-model") };
//! let model = Cached::new(Endpoint::new(config)?, Cache::open("completions")?, Mode::Use);
//!
//! let prompt = Prompt::Text("The square root of 2 is".to_owned());
//! let request = Request { prompt, temperature: 0.0, max_tokens: 100, seed: 1, stop: vec![] };
//! let mut shown = String::new();
//! let completion = model.generate(&request, &mut |event| {
//!     match event {
//!         Event::Text(piece) => shown.push_str(piece),
//!         Event::Restart => shown.clear(),
//!         Event::Waiting => {}
//!     }
//!     Continue::Yes
//! })?;
//! assert_eq!(completion.text, shown);
//! # Ok::<(), generate::Error>(())
//! ```

mod cache;
mod cached;
mod clock;
mod endpoint;
mod error;
mod key;
mod request;
pub mod sse;
mod thoughts;

pub use cache::Cache;
pub use cached::{Absent, Cached, Mode};
pub use clock::{Clock, SystemClock};
pub use endpoint::{Endpoint, EndpointConfig, Parameter, Proxies, is_loopback, trusted_roots};
pub use error::{Cause, Error, Wait};
pub use key::Key;
pub use request::{Completion, Ended, Message, Prompt, Request, Role, Served};
pub use thoughts::{ThoughtFilter, without_thoughts};

/// A language model that can be asked.
pub trait Generator: Send + Sync {
    /// Which model it is and where it runs, as it is written down beside what it wrote. Two generators of
    /// the same name give the same text for the same request, or at least might.
    fn name(&self) -> String;

    /// Completes a request. `on_event` gets the text as it comes, piece by piece; all pieces since the last
    /// [`Event::Restart`] together are [`Completion::text`]. It is also asked while there is no text, see
    /// [`Event::Waiting`]. When it says [`Continue::No`], generation stops and what came so far is the
    /// completion.
    ///
    /// # Errors
    ///
    /// When no completion was had, after all that can be tried again was.
    fn generate(
        &self,
        request: &Request,
        on_event: &mut dyn FnMut(Event<'_>) -> Continue,
    ) -> Result<Completion, Error>;
}

/// What whoever listens is told while a model writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event<'text> {
    /// The next piece of the text.
    Text(&'text str),
    /// What came so far does not count, and the text starts anew: the answer broke off and the model is
    /// asked again. Only told after a piece was, and never by a model in this process.
    Restart,
    /// There is nothing to show, but the model is at work: it reads what it was asked, or what it writes is
    /// not text yet. Told so that whoever listens can stop it then, too; how often is the model's to say.
    Waiting,
}

/// Whether whoever listens wants more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Continue {
    /// Go on.
    Yes,
    /// Stop here.
    No,
}

impl<G: Generator + ?Sized> Generator for &G {
    fn name(&self) -> String {
        (**self).name()
    }

    fn generate(
        &self,
        request: &Request,
        on_event: &mut dyn FnMut(Event<'_>) -> Continue,
    ) -> Result<Completion, Error> {
        (**self).generate(request, on_event)
    }
}

impl<G: Generator + ?Sized> Generator for Box<G> {
    fn name(&self) -> String {
        (**self).name()
    }

    fn generate(
        &self,
        request: &Request,
        on_event: &mut dyn FnMut(Event<'_>) -> Continue,
    ) -> Result<Completion, Error> {
        (**self).generate(request, on_event)
    }
}
