//! One call to a server, on a thread of its own.
//!
//! A client that waits for bytes can do nothing else. So it waits elsewhere, and whoever listens is asked
//! again and again whether to go on. Who does not is not waited for: the connection is closed at once.

use super::answer::{Heard, message};
use super::asked::{self, LeftOut, Parameter};
use super::clean::clean;
use super::config::{EndpointConfig, Place};
use super::guard::Guard;
use super::reply::{self, Limits};
use super::wait;
use crate::clock::ASKED_EVERY;
use crate::{Cause, Clock, Completion, Continue, Ended, Event, Prompt, Request, Wait};
use std::io::{self, Read as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};
use ureq::config::Config;
use ureq::http::{HeaderValue, Response, header};
use ureq::tls::TlsConfig;
use ureq::{Agent, Body, Timeout};

/// A line of a stream is one piece of the text in JSON.
const LONGEST_LINE: usize = 1 << 20;
/// How much is read of what a server says beside a status.
const LONGEST_MESSAGE: u64 = 64 << 10;
/// How long the numbers of tokens are waited for when the text is whole.
const AFTER_THE_END: Duration = Duration::from_secs(2);

/// What every call needs.
pub(super) struct Caller {
    pub(super) config: EndpointConfig,
    pub(super) place: Place,
    pub(super) clock: Box<dyn Clock>,
    client: Config,
    is_reached: AtomicBool,
}

/// Why a call gave nothing.
pub(super) struct Failure {
    pub(super) cause: Cause,
    pub(super) retry_after: Option<Duration>,
    /// What the server does not support.
    pub(super) complaint: Option<Parameter>,
}

impl From<Cause> for Failure {
    fn from(cause: Cause) -> Self {
        Self { cause, retry_after: None, complaint: None }
    }
}

/// What the thread of a call tells.
enum News {
    Text(String),
    Nothing,
    End,
    Done(Result<Completion, Failure>),
}

impl Caller {
    pub(super) fn new(config: EndpointConfig, place: Place, clock: Box<dyn Clock>) -> Self {
        let client = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .max_idle_connections(0)
            .proxy(place.proxy.clone())
            .tls_config(TlsConfig::builder().root_certs(place.roots()).build())
            .user_agent(concat!("hypatia/", env!("CARGO_PKG_VERSION")))
            .accept("text/event-stream, application/json")
            .accept_encoding("identity")
            .timeout_resolve(Some(config.connect_timeout))
            .timeout_connect(Some(config.connect_timeout))
            .timeout_per_read(Some(config.idle_timeout))
            .timeout_per_write(Some(config.idle_timeout))
            .timeout_global(Some(config.answer_timeout))
            .build();
        Self { config, place, clock, client, is_reached: AtomicBool::new(false) }
    }

    /// Whether the server ever answered anything.
    pub(super) fn is_reached(&self) -> bool {
        self.is_reached.load(Ordering::Relaxed)
    }

    /// Calls once.
    pub(super) fn call(
        self: &Arc<Self>,
        request: &Request,
        left_out: LeftOut,
        on_event: &mut dyn FnMut(Event<'_>) -> Continue,
    ) -> Result<Completion, Failure> {
        let agent = self.client.new_agent();
        let (sender, receiver) = mpsc::channel();
        let work = {
            let (caller, agent, request) = (Arc::clone(self), agent.clone(), request.clone());
            move || {
                let result = caller.ask(&agent, &request, left_out, &mut |heard| {
                    let news = match heard {
                        Heard::Text(text) => News::Text(text.to_owned()),
                        Heard::Nothing => News::Nothing,
                        Heard::End => News::End,
                    };
                    if sender.send(news).is_ok() { Continue::Yes } else { Continue::No }
                });
                // Nobody listens any more if this fails.
                let _ = sender.send(News::Done(result));
            }
        };
        let spawned = thread::Builder::new().name("endpoint".to_owned()).spawn(work);
        spawned.map_err(|error| Cause::Unreachable { reason: error.to_string() })?;
        let (mut told, mut ended, mut is_closed) = (String::new(), None, false);
        loop {
            let news = match receiver.recv_timeout(ASKED_EVERY) {
                Ok(news) => news,
                Err(RecvTimeoutError::Timeout) => News::Nothing,
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(
                        Cause::BrokenOff { reason: "the call ended without a word".to_owned() }.into()
                    );
                }
            };
            let go_on = match news {
                News::Done(result) => return result,
                News::Text(piece) => {
                    told.push_str(&piece);
                    on_event(Event::Text(&piece))
                }
                News::End => {
                    ended = Some(Instant::now());
                    Continue::Yes
                }
                // What is whole is not given up.
                News::Nothing if ended.is_some() => Continue::Yes,
                News::Nothing => on_event(Event::Waiting),
            };
            if go_on == Continue::No {
                agent.shutdown();
                return Ok(Completion::new(told, Ended::Stopped));
            }
            if ended.is_some_and(|ended| ended.elapsed() >= AFTER_THE_END) && !is_closed {
                // The thread reads no more, and gives what it has.
                agent.clone().shutdown();
                is_closed = true;
            }
        }
    }

    fn ask(
        &self,
        agent: &Agent,
        request: &Request,
        left_out: LeftOut,
        on_heard: &mut dyn FnMut(Heard<'_>) -> Continue,
    ) -> Result<Completion, Failure> {
        let body = asked::body(&self.config.model, request, left_out);
        let mut post = agent
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
        self.is_reached.store(true, Ordering::Relaxed);
        if !response.status().is_success() {
            return Err(self.refused(response, request, left_out));
        }
        let form = form(&response);
        let limits = Limits { bytes: self.config.most_bytes, line: LONGEST_LINE };
        let key = self.config.key.as_ref();
        let guard = Guard::new(key, &request.stop);
        let broken = |error: io::Error| match self.cause(ureq::Error::from(error)) {
            // There was a connection, and it was safe.
            Cause::Unreachable { reason } | Cause::Insecure { reason } => Cause::BrokenOff { reason },
            cause => cause,
        };
        let reader = response.body_mut().as_reader();
        let mut completion = reply::read(reader, limits, &form, guard, broken, on_heard)?;
        let served = &mut completion.served;
        for said in [&mut served.model, &mut served.system_fingerprint].into_iter().flatten() {
            *said = clean(said, key);
        }
        served.left_out = left_out.names(request);
        Ok(completion)
    }

    /// What it means that the server gave no answer but a status.
    fn refused(&self, mut response: Response<Body>, request: &Request, left_out: LeftOut) -> Failure {
        let status = response.status().as_u16();
        let told = |name: &str| response.headers().get(name).and_then(|value| value.to_str().ok());
        if response.status().is_redirection() {
            let to = told("location").unwrap_or("nowhere").to_owned();
            return Cause::Redirect { status, to }.into();
        }
        let retry_after = told("retry-after-ms")
            .and_then(wait::retry_after_milliseconds)
            .or_else(|| told("retry-after").and_then(|value| wait::retry_after(value, self.clock.now())));
        let mut bytes = Vec::new();
        // What could not be read of the message would not change what happened.
        let _ = response.body_mut().as_reader().take(LONGEST_MESSAGE).read_to_end(&mut bytes);
        let said = String::from_utf8_lossy(&bytes);
        let complaint = asked::complaint(status, &said, left_out);
        let message =
            serde_json::from_slice(&bytes).map_or_else(|_| said.trim().to_owned(), |value| message(&value));
        let mut message = if message.is_empty() { "without a word".to_owned() } else { message };
        if matches!((status, &request.prompt), (404 | 405, Prompt::Text(_))) {
            // In front, since what a server says may be long.
            message = format!("the server may only know conversations, not texts to be continued: {message}");
        }
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

/// What a server calls its answer.
fn form(response: &Response<Body>) -> String {
    let told = |name| response.headers().get(name).and_then(|value: &HeaderValue| value.to_str().ok());
    let kind = told(header::CONTENT_TYPE).unwrap_or("of no named type");
    match told(header::CONTENT_ENCODING) {
        None => kind.to_owned(),
        Some(packing) => format!("{kind}, packed as {packing}"),
    }
}
