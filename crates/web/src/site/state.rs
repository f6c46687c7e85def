//! What is served: an index that can be swapped while people search, and gates for all work on it.

use crate::site::answers::no_model;
use crate::site::config::Config;
use crate::site::error::AppError;
use crate::site::gate::{self, Gate};
use crate::site::metrics::{Counted, Metrics};
use crate::site::model::{GRACE, Model, Patience};
use crate::site::waiting::Waiting;
use retrieve::people::SearchOptions;
use retrieve::typed::Typed;
use retrieve::{Deadline, Engine, Resources};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Instant;
use store::PostNo;
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};

/// An index, opened, with what is worked out about it once.
#[derive(Debug)]
pub struct Served {
    /// Searches it.
    pub engine: Engine,
    fingerprint: u64,
    /// How many bytes of the index were compared with their checksums in the background.
    checked: AtomicU64,
}

/// Is searched for before an index is served, so that nobody waits for what is worked out once.
const WARM_UP: &str = "what is the sum of $x^2$";

impl Served {
    /// Opens an index and warms it up; pipelines find the resources beside it.
    ///
    /// # Errors
    ///
    /// When it cannot be opened.
    pub fn open(path: &Path, resources: Resources) -> Result<Self, index::Error> {
        let served = Self::new(Engine::open(path, resources)?);
        // It is tried, not needed: an index without formulas is an index, too.
        let _ = served.engine.search(&Typed::read(WARM_UP), &SearchOptions::default());
        let index = served.engine.index();
        if index.sources().first().is_some_and(|source| source.collection.num_posts() > 0) {
            let _ = index.document(0, PostNo(0));
        }
        Ok(served)
    }

    /// Makes an engine ready to be served.
    #[must_use]
    pub fn new(engine: Engine) -> Self {
        let fingerprint = engine.index().fingerprint();
        Self { engine, fingerprint, checked: AtomicU64::new(0) }
    }

    /// A number that is another one when anything in the index is.
    #[must_use]
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// How many bytes of the index were compared with their checksums in the background.
    #[must_use]
    pub fn checked(&self) -> u64 {
        self.checked.load(Ordering::Relaxed)
    }

    pub(crate) fn add_checked(&self, bytes: u64) {
        self.checked.fetch_add(bytes, Ordering::Relaxed);
    }

    /// Does work on the index. If anything in the index turns out to be damaged, that is the result: nothing
    /// that was read of it is shown to anyone.
    fn sound<T>(&self, work: impl FnOnce(&Self) -> Result<T, AppError>) -> Result<T, AppError> {
        self.engine.index().sound().map_err(AppError::Index)?;
        let made = work(self);
        self.engine.index().sound().map_err(AppError::Index)?;
        made
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
    /// Where searches wait for their turn.
    gate: Arc<Gate>,
    /// As many permits as answers may be written at once.
    writing: Arc<Semaphore>,
    metrics: Metrics,
    look_now: Notify,
}

/// Work for one request.
type BoxedWork = Box<dyn FnOnce(&Served, &Deadline) -> Result<(), AppError> + Send>;

impl App {
    /// Opens an index to serve it.
    ///
    /// # Errors
    ///
    /// When it cannot be opened.
    pub fn open(index: &Path, config: Config) -> Result<Self, index::Error> {
        Ok(Self::new(Served::open(index, config.resources.clone())?, config))
    }

    /// Serves an index.
    #[must_use]
    pub fn new(served: Served, config: Config) -> Self {
        let gate = Arc::new(Gate::new(config.workers));
        let at_once = config.model.as_ref().map_or(0, |model| model.at_once);
        let writing = Arc::new(Semaphore::new(at_once));
        let path = served.engine.index().path().to_owned();
        let (metrics, look_now) = (Metrics::default(), Notify::new());
        let served = RwLock::new(Arc::new(served));
        Self(Arc::new(Shared { config, path, served, gate, writing, metrics, look_now }))
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

    /// Does work on the index, on a thread where it disturbs no other request, when it is its turn. It is
    /// told when it has to end: before the time limit, as soon as nobody waits for it any more, or when it has
    /// run for long and others wait for their turn.
    ///
    /// # Errors
    ///
    /// When the work fails, when too many wait already, or when it takes too long.
    pub async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Served, &Deadline) -> Result<T, AppError> + Send + 'static,
    ) -> Result<T, AppError> {
        let (sender, mut receiver) = tokio::sync::oneshot::channel();
        let work = move |served: &Served, deadline: &Deadline| {
            // If nobody waits any more, the result is dropped.
            let _ = sender.send(work(served, deadline)?);
            Ok(())
        };
        self.work_boxed(Box::new(work)).await?;
        receiver.try_recv().map_err(|_| AppError::Broken)
    }

    /// As [`App::work`], compiled once for all kinds of work.
    async fn work_boxed(&self, work: BoxedWork) -> Result<(), AppError> {
        let app = self.clone();
        let limit = self.config().time_limit;
        // What is found until then can still be sent.
        let (deadline, _waiting) = Waiting::until(Instant::now() + self.config().searched());
        let all = async move {
            let turn = app.0.gate.enter(deadline, app.config().waiting, || app.metrics().waits()).await;
            let (turn, deadline) = turn.ok_or(AppError::Busy)?;
            let (served, until) = (app.served(), deadline.clone());
            let done = tokio::task::spawn_blocking(move || {
                // It is given back when the work is done, even if nobody waits for that any more.
                let (_turn, _under_way) = (turn, app.metrics().works());
                served.sound(|served| work(served, &until))
            });
            // If it panicked, the log has been told by the hook.
            let result = done.await.unwrap_or(Err(AppError::Broken));
            gate::note(&deadline);
            match result {
                // Others needed its place before it had anything to show.
                Err(AppError::TooSlow) if deadline.is_hurried() => Err(AppError::Busy),
                result => result,
            }
        };
        tokio::time::timeout(limit, all).await.unwrap_or(Err(AppError::TooSlow))
    }

    /// Does work with the language model, as [`App::work`] does work without it, but at a gate of its own.
    /// When its time is up, or nobody waits for it any more, the model is told to stop.
    ///
    /// # Errors
    ///
    /// When there is no model, when the work fails, when too many wait already, or when the model does not
    /// even stop in time.
    pub(crate) async fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Served, &Model, &mut Patience) -> Result<T, AppError> + Send + 'static,
    ) -> Result<T, AppError> {
        let model = self.config().model.clone();
        let model = model.ok_or_else(no_model)?;
        let limit = model.time_limit;
        let (mut patience, _waiting) = Patience::until(Instant::now() + limit);
        let app = self.clone();
        let all = async move {
            let permit = enter(&app.0.writing, model.waiting, || app.metrics().waits_to_write()).await;
            let permit = permit.ok_or(AppError::ModelBusy)?;
            let served = app.served();
            let done = tokio::task::spawn_blocking(move || {
                let (_permit, _under_way) = (permit, app.metrics().writes());
                served.sound(|served| work(served, &model, &mut patience))
            });
            done.await.unwrap_or(Err(AppError::Broken))
        };
        tokio::time::timeout(limit + GRACE, all).await.unwrap_or(Err(AppError::TooSlow))
    }
}

/// Waits for its turn at a gate; nothing if too many do already.
async fn enter(
    gate: &Arc<Semaphore>,
    most: usize,
    waits: impl FnOnce() -> Counted,
) -> Option<OwnedSemaphorePermit> {
    if let Ok(permit) = Arc::clone(gate).try_acquire_owned() {
        return Some(permit);
    }
    let waiting = waits();
    if waiting.number() > most {
        return None;
    }
    Arc::clone(gate).acquire_owned().await.ok()
}
