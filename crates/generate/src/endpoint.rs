//! A model behind an address: any server that speaks as OpenAI's do.
//!
//! How often a server is asked is said here; `config.rs` checks where it is and `proxy.rs` through whom it is
//! asked, `asked.rs` writes what it is sent, `call.rs` calls it, `reply.rs` and `answer.rs` read what it
//! answers, `guard.rs` and `clean.rs` say what may be shown of that, and `wait.rs` how long to wait before it
//! is asked again.

mod answer;
mod asked;
mod call;
mod clean;
mod config;
mod guard;
mod proxy;
mod reply;
mod wait;

pub use asked::Parameter;
pub use config::{EndpointConfig, is_loopback, trusted_roots};
pub(crate) use guard::begun;
pub use proxy::Proxies;

use crate::cache::digest;
use crate::{Cause, Clock, Completion, Continue, Ended, Error, Event, Generator, Request, SystemClock};
use asked::LeftOut;
use call::Caller;
use clean::clean;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

/// How often a server is asked that was never reached.
const NEVER_REACHED: u32 = 2;

/// A model behind an address: any server that speaks as OpenAI's do.
///
/// A conversation goes to `/chat/completions`, a text to `/completions`. The text is asked for piece by
/// piece; a server that gives it whole is understood, too.
///
/// **What is tried again.** No connection, a time-out, an answer that breaks off, cannot be read or has no
/// end, and a status that says that the server is at fault or that it is too early (408, 409, 425, 429, 500
/// and above without 501 and 505). Waits double and are never shorter than what a server asks for by
/// `Retry-After`, but never longer than the longest. A server that was never reached is asked again only once.
/// Everything else is an error at once, with what the server said. When an attempt fails after pieces were
/// told, [`Event::Restart`] is told before the next.
///
/// **Who listens** is asked before every attempt, and several times a second while there is nothing to tell,
/// by [`Event::Waiting`]. When nothing more is wanted, the connection is closed and nobody is asked again.
///
/// **What is left out.** When a server says that it does not support [one of these](Parameter), the request
/// is made again without it, at once. If that succeeds, it is left out from then on, and every completion
/// names it in [`Served::left_out`](crate::Served): texts may vary more than was asked for. Texts end before
/// the first stop, whether the server knows of stops or not.
///
/// **The key** goes into a header and nowhere else: not into errors, even if a server repeats it, not to
/// another address (none is followed), and over plain http to this machine only. An answer that holds it is
/// not taken, and no piece of one is told that may be the beginning of it.
///
/// Each request has a connection and a thread of its own, so that nothing of one answer can get into another.
/// [`Proxies`] that the environment names are used, but not for addresses of this machine. Over https a server is
/// trusted if the system trusts it; where a system names nobody, those that Mozilla trusts are trusted.
pub struct Endpoint {
    caller: Arc<Caller>,
    left_out: AtomicU8,
}

impl Endpoint {
    /// A model behind an address. Nobody is called yet.
    ///
    /// # Errors
    ///
    /// When the address is none, must not be given the key, or is behind a proxy that cannot be used.
    pub fn new(config: EndpointConfig) -> Result<Self, Error> {
        Self::with_clock(config, Box::new(SystemClock))
    }

    /// The same with another clock to wait by.
    ///
    /// # Errors
    ///
    /// As those of [`Endpoint::new`].
    pub fn with_clock(config: EndpointConfig, clock: Box<dyn Clock>) -> Result<Self, Error> {
        let place = config.place()?;
        Ok(Self { caller: Arc::new(Caller::new(config, place, clock)), left_out: AtomicU8::new(0) })
    }

    /// Which parameters the server turned out not to support.
    #[must_use]
    pub fn left_out(&self) -> Vec<Parameter> {
        LeftOut(self.left_out.load(Ordering::Relaxed)).list()
    }

    /// How often the server is asked at most, after it failed so.
    fn most_attempts(&self, cause: &Cause) -> u32 {
        let most = self.caller.config.attempts;
        match cause {
            Cause::Unreachable { .. } if !self.caller.is_reached() => most.min(NEVER_REACHED),
            _ => most,
        }
    }
}

impl Generator for Endpoint {
    fn name(&self) -> String {
        format!("{} at {}", self.caller.config.model, self.caller.place.address)
    }

    fn generate(
        &self,
        request: &Request,
        on_event: &mut dyn FnMut(Event<'_>) -> Continue,
    ) -> Result<Completion, Error> {
        let EndpointConfig { first_wait, longest_wait, on_retry, .. } = self.caller.config;
        let stopped = || Ok(Completion::new("", Ended::Stopped));
        let digest = digest(&self.name(), request)?;
        let mut left_out = LeftOut(self.left_out.load(Ordering::Relaxed));
        let mut attempts = 0;
        loop {
            if on_event(Event::Waiting) == Continue::No {
                return stopped();
            }
            let mut has_text = false;
            let failure = match self.caller.call(request, left_out, &mut |event| {
                has_text |= event != Event::Waiting;
                on_event(event)
            }) {
                Ok(completion) => {
                    self.left_out.fetch_or(left_out.0, Ordering::Relaxed);
                    return Ok(completion);
                }
                Err(failure) => failure,
            };
            if let Some(parameter) = failure.complaint {
                left_out.add(parameter);
                continue;
            }
            attempts += 1;
            let cause = failure.cause.map_text(|text| clean(text, self.caller.config.key.as_ref()));
            if !cause.is_temporary() || attempts >= self.most_attempts(&cause) {
                return Err(Error::Endpoint { name: self.name(), attempts, cause });
            }
            if has_text && on_event(Event::Restart) == Continue::No {
                return stopped();
            }
            let back_off = wait::back_off(first_wait, longest_wait, &digest, attempts);
            let wait = back_off.max(failure.retry_after.unwrap_or_default().min(longest_wait));
            if let Some(on_retry) = on_retry {
                on_retry(&cause, wait);
            }
            if self.caller.clock.sleep(wait, &mut || on_event(Event::Waiting)) == Continue::No {
                return stopped();
            }
        }
    }
}
