//! What would a language model write?
//!
//! A [`Generator`] completes a [`Request`]: a model in this process, or one behind an address. It knows
//! nothing of questions and answers; what is asked is said by whoever asks.

mod error;
mod request;

pub use error::Error;
pub use request::{Completion, Ended, Message, Prompt, Request, Role};

/// A language model that can be asked.
pub trait Generator: Send + Sync {
    /// Which model it is and where it runs, as it is written down beside what it wrote. Two generators of
    /// the same name give the same text for the same request, or at least might.
    fn name(&self) -> String;

    /// Completes a request. `on_text` gets the text as it comes, piece by piece; all pieces together are
    /// [`Completion::text`]. When it says [`Continue::No`], generation stops and what came so far is the
    /// completion.
    ///
    /// # Errors
    ///
    /// When no completion was had, after all that can be tried again was.
    fn generate(
        &self,
        request: &Request,
        on_text: &mut dyn FnMut(&str) -> Continue,
    ) -> Result<Completion, Error>;
}

/// Whether whoever listens wants more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Continue {
    /// Go on.
    Yes,
    /// Stop here.
    No,
}
