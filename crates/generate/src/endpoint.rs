//! A model behind an address: any server that speaks as OpenAI's do.
//!
//! The conversation with a server is here; `config.rs` checks where it is, `asked.rs` writes what it is
//! sent, `reply.rs` reads what it answers, and `wait.rs` says how long to wait before it is asked again.

mod asked;
mod config;
mod reply;
mod wait;

pub use asked::Parameter;
pub use config::EndpointConfig;

use crate::cache::digest;
use crate::{
    Cause, Clock, Completion, Continue, Ended, Error, Event, Generator, Key, Request, SystemClock, Wait,
};
use asked::LeftOut;
use config::Place;
use reply::Limits;
use std::io::{self, Read as _};
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;
use ureq::http::{HeaderValue, Response, header};
use ureq::tls::TlsConfig;
use ureq::{Agent, Body, Proxy, Timeout};

/// A line of a stream is one piece of the text in JSON.
const LONGEST_LINE: usize = 1 << 20;
/// How much is read of what a server says beside a status.
const LONGEST_MESSAGE: u64 = 64 << 10;
/// How many letters of it are told.
const SHOWN_LETTERS: usize = 300;

/// A model behind an address: any server that speaks as OpenAI's do.
///
/// A conversation goes to `/chat/completions`, a text to `/completions`. The text is asked for piece by
/// piece; a server that gives it whole is understood, too.
///
/// **What is tried again.** No connection, a time-out, an answer that breaks off, cannot be read or has no
/// end, and a status that says that the server is at fault or that it is too early (408, 409, 425, 429, 500
/// and above without 501 and 505). Waits double and are never shorter than what a server asks for by
/// `Retry-After`, but never longer than the longest. Everything else is an error at once, with what the
/// server said. When an attempt fails after pieces were told, [`Event::Restart`] is told before the next.
///
/// **What is left out.** When a server says that it does not support [one of these](Parameter), the request
/// is made again without it, at once. If that succeeds, it is left out from then on, and
/// [`Endpoint::left_out`] names it: texts may vary more than was asked for.
///
/// **The key** goes into a header and nowhere else: not into errors, even if a server repeats it, not to
/// another address (none is followed), and over plain http to this machine only. An answer that holds it is
/// not taken.
///
/// Each request has a connection of its own, so that nothing of one answer can get into another. Proxies
/// that the environment names are used, but not for addresses of this machine. Over https a server is
/// trusted if the system trusts it; where a system names nobody, those that Mozilla trusts are trusted.
pub struct Endpoint {
    config: EndpointConfig,
    place: Place,
    agent: Agent,
    left_out: AtomicU8,
    clock: Box<dyn Clock>,
}

impl Endpoint {
    /// A model behind an address. Nobody is called yet.
    ///
    /// # Errors
    ///
    /// When the address is none, or must not be given the key.
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
        let proxy = if place.is_loopback { None } else { Proxy::try_from_env() };
        let agent = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .max_idle_connections(0)
            .proxy(proxy)
            .tls_config(TlsConfig::builder().root_certs(place.roots()).build())
            .user_agent(concat!("hypatia/", env!("CARGO_PKG_VERSION")))
            .accept("text/event-stream, application/json")
            .accept_encoding("identity")
            .timeout_resolve(Some(config.connect_timeout))
            .timeout_connect(Some(config.connect_timeout))
            .timeout_per_read(Some(config.idle_timeout))
            .timeout_per_write(Some(config.idle_timeout))
            .timeout_global(Some(config.answer_timeout))
            .build()
            .new_agent();
        Ok(Self { config, place, agent, left_out: AtomicU8::new(0), clock })
    }

    /// Which parameters the server turned out not to support.
    #[must_use]
    pub fn left_out(&self) -> Vec<Parameter> {
        LeftOut(self.left_out.load(Ordering::Relaxed)).list()
    }

    /// Asks once.
    fn ask(
        &self,
        request: &Request,
        left_out: LeftOut,
        on_event: &mut dyn FnMut(Event<'_>) -> Continue,
    ) -> Result<Completion, Failure> {
        let body = asked::body(&self.config.model, request, left_out);
        let mut post = self
            .agent
            .post(format!("{}{}", self.place.address, asked::path(request)))
            .header(header::CONTENT_TYPE, "application/json")
            .header(header::CONNECTION, "close");
        if let Some(key) = &self.config.key {
            let mut value = HeaderValue::from_str(&key.authorization())
                .expect("a key has only letters that can stand in a header");
            value.set_sensitive(true);
            post = post.header(header::AUTHORIZATION, value);
        }
        let mut response = post.send(&body[..]).map_err(|error| self.cause(error))?;
        if !response.status().is_success() {
            return Err(self.refused(response, left_out));
        }
        let form = form(&response);
        let limits = Limits { bytes: self.config.most_bytes, line: LONGEST_LINE };
        let broken = |error: io::Error| match self.cause(ureq::Error::from(error)) {
            // There was a connection, and it was safe.
            Cause::Unreachable { reason } | Cause::Insecure { reason } => Cause::BrokenOff { reason },
            cause => cause,
        };
        let completion = reply::read(response.body_mut().as_reader(), limits, &form, broken, on_event)?;
        if self.config.key.as_ref().is_some_and(|key| key.is_in(&completion.text)) {
            return Err(Cause::HoldsKey.into());
        }
        Ok(completion)
    }

    /// What it means that the server gave no answer but a status.
    fn refused(&self, mut response: Response<Body>, left_out: LeftOut) -> Failure {
        let status = response.status().as_u16();
        let told = |name| response.headers().get(name).and_then(|value: &HeaderValue| value.to_str().ok());
        if response.status().is_redirection() {
            let to = told(header::LOCATION).unwrap_or("nowhere").to_owned();
            return Cause::Redirect { status, to }.into();
        }
        let retry_after =
            told(header::RETRY_AFTER).and_then(|value| wait::retry_after(value, self.clock.now()));
        let mut bytes = Vec::new();
        // What could not be read of the message would not change what happened.
        let _ = response.body_mut().as_reader().take(LONGEST_MESSAGE).read_to_end(&mut bytes);
        let said = String::from_utf8_lossy(&bytes);
        let complaint = asked::complaint(status, &said, left_out);
        let message = serde_json::from_slice(&bytes)
            .map_or_else(|_| said.trim().to_owned(), |value| reply::message(&value));
        let message = if message.is_empty() { "without a word".to_owned() } else { message };
        Failure { cause: Cause::Status { status, message }, retry_after, complaint }
    }

    /// What an error of the client means.
    fn cause(&self, error: ureq::Error) -> Cause {
        use io::ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset, InvalidData, UnexpectedEof};
        let reason = error.to_string();
        match error {
            ureq::Error::Timeout(timeout) => {
                let (wait, limit) = match timeout {
                    Timeout::Resolve | Timeout::Connect => (Wait::Connection, self.config.connect_timeout),
                    Timeout::PerRead | Timeout::PerWrite => (Wait::Byte, self.config.idle_timeout),
                    _ => (Wait::Answer, self.config.answer_timeout),
                };
                Cause::TimedOut { wait, limit }
            }
            ureq::Error::Io(error) => {
                let reason = error.to_string();
                match error.kind() {
                    ConnectionReset | ConnectionAborted | BrokenPipe | UnexpectedEof => {
                        Cause::BrokenOff { reason }
                    }
                    InvalidData => Cause::Insecure { reason },
                    _ => Cause::Unreachable { reason },
                }
            }
            ureq::Error::Tls(_) | ureq::Error::Rustls(_) | ureq::Error::Pem(_) | ureq::Error::TlsRequired => {
                Cause::Insecure { reason }
            }
            ureq::Error::HostNotFound
            | ureq::Error::ConnectionFailed
            | ureq::Error::ConnectProxyFailed(_)
            | ureq::Error::InvalidProxyUrl
            | ureq::Error::BadUri(_) => Cause::Unreachable { reason },
            _ => Cause::BrokenOff { reason },
        }
    }
}

impl Generator for Endpoint {
    fn name(&self) -> String {
        format!("{} at {}", self.config.model, self.place.address)
    }

    fn generate(
        &self,
        request: &Request,
        on_event: &mut dyn FnMut(Event<'_>) -> Continue,
    ) -> Result<Completion, Error> {
        let digest = digest(&self.name(), request)?;
        let mut left_out = LeftOut(self.left_out.load(Ordering::Relaxed));
        let mut attempts = 0;
        loop {
            let mut has_text = false;
            let failure = match self.ask(request, left_out, &mut |event| {
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
            if !failure.cause.is_temporary() || attempts >= self.config.attempts {
                let cause = failure.cause.map_text(|text| clean(text, self.config.key.as_ref()));
                return Err(Error::Endpoint { name: self.name(), attempts, cause });
            }
            let event = if has_text { Event::Restart } else { Event::Waiting };
            if on_event(event) == Continue::No {
                return Ok(Completion {
                    text: String::new(),
                    ended: Ended::Stopped,
                    prompt_tokens: None,
                    completion_tokens: None,
                });
            }
            let EndpointConfig { first_wait, longest_wait, .. } = self.config;
            let back_off = wait::back_off(first_wait, longest_wait, &digest, attempts);
            let asked = failure.retry_after.unwrap_or_default().min(longest_wait);
            self.clock.sleep(back_off.max(asked));
        }
    }
}

/// Why asking once gave nothing.
struct Failure {
    cause: Cause,
    retry_after: Option<Duration>,
    /// What the server does not support.
    complaint: Option<Parameter>,
}

impl From<Cause> for Failure {
    fn from(cause: Cause) -> Self {
        Self { cause, retry_after: None, complaint: None }
    }
}

/// What a server calls its answer.
fn form(response: &Response<Body>) -> String {
    let told = |name| response.headers().get(name).and_then(|value: &HeaderValue| value.to_str().ok());
    let kind = told(header::CONTENT_TYPE).unwrap_or("of no named type");
    match told(header::CONTENT_ENCODING) {
        None => kind.to_owned(),
        Some(packing) => format!("{kind}, packed as {packing}"),
    }
}

/// A text from elsewhere as it may be shown: on one line, without the key, and short.
fn clean(text: &str, key: Option<&Key>) -> String {
    let plain: String = text.chars().filter(|letter| letter.is_whitespace() || !is_hidden(*letter)).collect();
    let mut line = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    // Before it is shortened: half a key is a secret, too.
    if let Some(key) = key {
        line = key.scrub(&line);
    }
    if let Some((end, _)) = line.char_indices().nth(SHOWN_LETTERS) {
        line.truncate(end);
        line.push('…');
    }
    line
}

/// Whether a letter does something to a terminal, or changes how others look.
fn is_hidden(letter: char) -> bool {
    let direction =
        matches!(letter, '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}');
    letter.is_control() || direction || letter == '\u{FEFF}'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_servers_say_is_cleaned_before_it_is_shown() {
        let key = Key::new("sk-secret").unwrap();
        assert_eq!(clean("a\r\n\tb\u{1B}[31m\u{202E}c", None), "a b[31mc");
        assert_eq!(clean("no sk-secret, no s\0k-secret", Some(&key)), "no [key], no [key]");
        assert_eq!(clean(&"é".repeat(400), None), "é".repeat(SHOWN_LETTERS) + "…");
        let at_the_end = "x".repeat(SHOWN_LETTERS - 4) + "sk-secret";
        assert!(!clean(&at_the_end, Some(&key)).contains("sk-"));
    }
}
