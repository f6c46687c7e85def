//! What is served: an index that can be swapped while people search, and a gate for all work on it.

use crate::config::Config;
use crate::error::AppError;
use crate::metrics::Metrics;
use index::Index;
use retrieve::Engine;
use retrieve::people::SearchOptions;
use retrieve::typed::Typed;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};
use store::PostNo;
use tokio::sync::{Notify, Semaphore};

/// An index, opened, with what is worked out about it once.
#[derive(Debug)]
pub struct Served {
    /// Searches it.
    pub engine: Engine,
    fingerprint: u64,
}

/// Is searched for before an index is served, so that nobody waits for what is worked out once.
const WARM_UP: &str = "what is the sum of $x^2$";

impl Served {
    /// Opens an index and warms it up.
    ///
    /// # Errors
    ///
    /// When it cannot be opened.
    pub fn open(path: &Path) -> Result<Self, index::Error> {
        let served = Self::new(Index::open(path)?);
        // It is tried, not needed: an index without formulas is an index, too.
        let _ = served.engine.search(&Typed::read(WARM_UP), &SearchOptions::default());
        let index = served.engine.index();
        if index.sources().first().is_some_and(|source| source.collection.num_posts() > 0) {
            let _ = index.document(0, PostNo(0));
        }
        Ok(served)
    }

    /// Makes an index ready.
    #[must_use]
    pub fn new(index: Index) -> Self {
        let fingerprint = index.fingerprint();
        Self { engine: Engine::new(index), fingerprint }
    }

    /// A number that is another one when anything in the index is.
    #[must_use]
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }
}

/// The state that all requests share.
#[derive(Clone, Debug)]
pub struct App(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    config: Config,
    path: PathBuf,
    served: RwLock<Arc<Served>>,
    /// As many permits as searches may run at once.
    gate: Arc<Semaphore>,
    metrics: Metrics,
    look_now: Notify,
}

impl App {
    /// Opens an index to serve it.
    ///
    /// # Errors
    ///
    /// When it cannot be opened.
    pub fn open(index: &Path, config: Config) -> Result<Self, index::Error> {
        Ok(Self::new(Served::open(index)?, config))
    }

    /// Serves an index.
    #[must_use]
    pub fn new(served: Served, config: Config) -> Self {
        let gate = Arc::new(Semaphore::new(config.workers));
        let path = served.engine.index().path().to_owned();
        let (metrics, look_now) = (Metrics::default(), Notify::new());
        let served = RwLock::new(Arc::new(served));
        Self(Arc::new(Shared { config, path, served, gate, metrics, look_now }))
    }

    /// How it was told to serve.
    #[must_use]
    pub fn config(&self) -> &Config {
        &self.0.config
    }

    /// The folder of the index.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0.path
    }

    pub(crate) fn metrics(&self) -> &Metrics {
        &self.0.metrics
    }

    /// Someone wants to know at once whether the index has changed.
    pub(crate) fn look_now(&self) -> &Notify {
        &self.0.look_now
    }

    /// The index as it is now; who holds it keeps it, whatever comes after.
    #[must_use]
    pub fn served(&self) -> Arc<Served> {
        Arc::clone(&self.0.served.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Serves another index from now on. Requests under way keep the one they began with.
    pub fn swap(&self, served: Served) {
        *self.0.served.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(served);
        self.metrics().swapped();
    }

    /// Does work on the index, on a thread where it disturbs no other request, when it is its turn.
    ///
    /// # Errors
    ///
    /// When the work fails, when too many wait already, or when it takes too long.
    pub async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Served) -> Result<T, AppError> + Send + 'static,
    ) -> Result<T, AppError> {
        let app = self.clone();
        let all = async move {
            let permit = match Arc::clone(&app.0.gate).try_acquire_owned() {
                Ok(permit) => permit,
                Err(_) => {
                    let waiting = app.metrics().waits();
                    if waiting.number() > app.config().waiting {
                        return Err(AppError::Busy);
                    }
                    Arc::clone(&app.0.gate).acquire_owned().await.map_err(|_| AppError::Busy)?
                }
            };
            let served = app.served();
            let done = tokio::task::spawn_blocking(move || {
                // It is given back when the work is done, even if nobody waits for that any more.
                let (_permit, _under_way) = (permit, app.metrics().works());
                work(&served)
            });
            // If it panicked, the log has been told by the hook.
            done.await.unwrap_or(Err(AppError::Broken))
        };
        tokio::time::timeout(self.config().time_limit, all).await.unwrap_or(Err(AppError::TooSlow))
    }
}
