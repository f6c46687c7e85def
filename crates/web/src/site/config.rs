//! How to serve.

use crate::connections::PerAddress;
use crate::site::model::{GRACE, Model};
use retrieve::Resources;
use std::time::Duration;

/// How to serve.
#[derive(Clone, Debug)]
pub struct Config {
    /// So many searches run at once.
    pub workers: usize,
    /// So many wait for their turn; more are sent away.
    pub waiting: usize,
    /// A request that takes longer is given up.
    pub time_limit: Duration,
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
    /// How often to look whether the index has changed.
    pub look: Duration,
    /// Whether the log tells what people search for.
    pub queries: Queries,
    /// The site whose pages may call the API from browsers: `*` or one such as `https://example.org`.
    pub allow_origin: Option<String>,
    /// How people reach the server, such as `https://search.example.org`; what the browser says, if
    /// nothing is given.
    pub address: Option<String>,
    /// The language model that writes answers when people ask for one; without it no page speaks of any.
    pub model: Option<Model>,
    /// What pipelines find beside the index, whichever state of it is served.
    pub resources: Resources,
}

/// Whether the log tells what people search for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Queries {
    /// It does not.
    #[default]
    Private,
    /// It does.
    Logged,
}

impl Config {
    /// How long the slowest work may take.
    pub(crate) fn longest_work(&self) -> Duration {
        let model = self.model.as_ref().map(|model| model.time_limit + GRACE);
        model.unwrap_or_default().max(self.time_limit)
    }
}

/// Work ends after this share of the time limit, so that what was found can be sent.
const SEARCHED: f64 = 0.9;

impl Config {
    /// How long work on the index may take.
    pub(crate) fn searched(&self) -> Duration {
        self.time_limit.mul_f64(SEARCHED)
    }
}

impl Default for Config {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        Self {
            workers: cores,
            waiting: 64,
            time_limit: Duration::from_secs(10),
            connections: 1024,
            per_address: PerAddress::default(),
            patience: Duration::from_secs(15),
            connection_life: Duration::from_secs(300),
            farewell: Duration::from_secs(10),
            look: Duration::from_secs(2),
            queries: Queries::Private,
            allow_origin: None,
            address: None,
            model: None,
            resources: Resources::default(),
        }
    }
}
