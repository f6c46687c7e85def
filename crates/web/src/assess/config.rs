//! How the pages for assessors are served.

use crate::connections::PerAddress;
use assess::SessionLimits;
use std::time::Duration;

/// How the pages for assessors are served.
#[derive(Clone, Debug)]
pub struct AssessConfig {
    /// How people reach the server, such as `https://judge.example.org`, for links that are sent to them;
    /// what the browser says, if nothing is given.
    pub address: Option<String>,
    /// Whether all comes over HTTPS, through a proxy that speaks it: then cookies are for HTTPS only.
    pub behind_https: bool,
    /// Whether what a proxy says about where a request comes from is believed.
    pub trust_proxy: bool,
    /// For how long somebody is in.
    pub sessions: SessionLimits,
    /// How much may be asked.
    pub limits: RequestLimits,
    /// The most connections that are open at once; for one more, the longest idle one is closed.
    pub connections: usize,
    /// The most of them that may come from one address.
    pub per_address: PerAddress,
    /// Who is silent for so long, before a request or in the middle of its head, is hung up on.
    pub patience: Duration,
    /// A connection is closed after so long, once the request under way is answered.
    pub connection_life: Duration,
    /// What is under way when the program is told to stop has so long to end.
    pub farewell: Duration,
    /// Work that takes longer is given up.
    pub time_limit: Duration,
}

/// How much may be asked, and how often.
#[derive(Clone, Copy, Debug)]
pub struct RequestLimits {
    /// Of somebody at an address who tries names and passwords.
    pub attempts: AttemptLimits,
    /// Of a name, from wherever; strangers who try many must not shut its owner out for long.
    pub attempts_of_name: AttemptLimits,
    /// Of an address, with whatever name; a whole class may sit behind one.
    pub attempts_of_address: AttemptLimits,
    /// Of a session, of any page.
    pub requests: AttemptLimits,
    /// A form is no longer than this.
    pub form: usize,
    /// A file that an organiser sends is no longer than this.
    pub upload: usize,
}

/// So many at once, and then one in a while.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AttemptLimits {
    /// So many at once.
    pub at_once: f64,
    /// One more in so long.
    pub every: Duration,
}

impl AttemptLimits {
    /// So many at once, and one more in so many milliseconds.
    #[must_use]
    pub const fn new(at_once: f64, milliseconds: u64) -> Self {
        Self { at_once, every: Duration::from_millis(milliseconds) }
    }
}

impl Default for RequestLimits {
    fn default() -> Self {
        Self {
            attempts: AttemptLimits::new(5.0, 10_000),
            attempts_of_name: AttemptLimits::new(30.0, 2_000),
            attempts_of_address: AttemptLimits::new(60.0, 1_000),
            requests: AttemptLimits { at_once: 150.0, every: Duration::from_micros(33_333) },
            form: 64 << 10,
            upload: 32 << 20,
        }
    }
}

impl Default for AssessConfig {
    fn default() -> Self {
        Self {
            address: None,
            behind_https: false,
            trust_proxy: false,
            sessions: SessionLimits::default(),
            limits: RequestLimits::default(),
            connections: 1024,
            per_address: PerAddress::default(),
            patience: Duration::from_secs(30),
            connection_life: Duration::from_secs(600),
            farewell: Duration::from_secs(10),
            time_limit: Duration::from_secs(15),
        }
    }
}
