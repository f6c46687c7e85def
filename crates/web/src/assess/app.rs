//! What all requests share: the office, and the gates through which work on it goes.

use super::config::AssessConfig;
use super::error::AssessError;
use super::limits::Limits;
use crate::assess::material::Material;
use assess::{Books, Office};
use std::fmt;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};
use tokio::sync::{Semaphore, oneshot};

/// How long it has been running: what limits on how often go by.
pub type Ticks = Arc<dyn Fn() -> Duration + Send + Sync>;

/// The state that all requests share.
#[derive(Clone)]
pub struct AssessApp(Arc<Shared>);

struct Shared {
    config: AssessConfig,
    office: Office,
    limits: Limits,
    /// As many permits as readers may read at once.
    reading: Arc<Semaphore>,
    /// What is judged, opened once.
    material: OnceLock<Arc<Material>>,
    /// As many permits as passwords may be hashed at once: each takes memory and a core.
    hashing: Arc<Semaphore>,
}

impl fmt::Debug for AssessApp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AssessApp").field("office", &self.0.office).finish_non_exhaustive()
    }
}

impl Shared {
    /// Opens what is judged; if two do so at once, one of both stays.
    fn open_material(&self) -> assess::Result<Arc<Material>> {
        let opened = self.office.read(|books| Ok(Arc::new(Material::open(books.lab())?)))?;
        Ok(Arc::clone(self.material.get_or_init(|| opened)))
    }
}

/// Work for one request.
type BoxedWork = Box<dyn FnOnce(&Office) -> assess::Result<()> + Send>;

impl AssessApp {
    /// Opens a lab to judge in it.
    ///
    /// # Errors
    ///
    /// When it cannot be opened.
    pub fn open(lab: &Path, config: AssessConfig) -> assess::Result<Self> {
        let app = Self::new(Office::open(lab)?, config);
        // What is missing is told at the start, not to the first who judges.
        app.0.open_material()?;
        Ok(app)
    }

    /// Serves an office.
    #[must_use]
    pub fn new(office: Office, config: AssessConfig) -> Self {
        let start = Instant::now();
        Self::with_ticks(office, config, Arc::new(move || start.elapsed()))
    }

    /// Serves an office by a clock of one's own.
    #[must_use]
    pub fn with_ticks(office: Office, config: AssessConfig, ticks: Ticks) -> Self {
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        Self(Arc::new(Shared {
            limits: Limits::new(config.limits, ticks),
            config,
            office,
            material: OnceLock::new(),
            reading: Arc::new(Semaphore::new(2 * cores)),
            hashing: Arc::new(Semaphore::new(cores)),
        }))
    }

    /// How it was told to serve.
    #[must_use]
    pub fn config(&self) -> &AssessConfig {
        &self.0.config
    }

    /// Where the books are kept. Who waits for it must not be on a thread that serves: see
    /// [`read`](Self::read) and [`write`](Self::write).
    #[must_use]
    pub fn office(&self) -> &Office {
        &self.0.office
    }

    /// What is judged.
    ///
    /// # Errors
    ///
    /// When the lab's collection cannot be opened.
    pub(crate) async fn material(&self) -> Result<Arc<Material>, AssessError> {
        if let Some(material) = self.0.material.get() {
            return Ok(Arc::clone(material));
        }
        let app = self.clone();
        self.blocking(&self.0.reading, move |_| app.0.open_material()).await
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.0.limits
    }

    /// Reads the books, on a thread where it disturbs nobody.
    ///
    /// # Errors
    ///
    /// When the reading fails, or takes too long.
    pub async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Books<'_>) -> assess::Result<T> + Send + 'static,
    ) -> Result<T, AssessError> {
        self.blocking(&self.0.reading, move |office| office.read(work)).await
    }

    /// Writes into the books, and returns when it is on the disk.
    ///
    /// # Errors
    ///
    /// When the work fails, of which then nothing is kept.
    pub async fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Books<'_>) -> assess::Result<T> + Send + 'static,
    ) -> Result<T, AssessError> {
        let (sender, receiver) = oneshot::channel();
        self.0.office.write_then(work, move |result| {
            // Who does not wait any more is not told.
            let _ = sender.send(result);
        });
        match receiver.await {
            Ok(result) => Ok(result?),
            Err(_) => Err(AssessError::Broken),
        }
    }

    /// Writes into the books without waiting: for what nobody needs to be told.
    pub(crate) fn write_later(&self, work: impl FnOnce(&Books<'_>) -> assess::Result<()> + Send + 'static) {
        self.0.office.write_then(work, |result| {
            if let Err(error) = result {
                tracing::warn!(cause = error.to_string(), "something was not written down");
            }
        });
    }

    /// Does work with passwords, which takes long on purpose.
    pub(crate) async fn with_passwords<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Office) -> assess::Result<T> + Send + 'static,
    ) -> Result<T, AssessError> {
        self.blocking(&self.0.hashing, work).await
    }

    async fn blocking<T: Send + 'static>(
        &self,
        gate: &Arc<Semaphore>,
        work: impl FnOnce(&Office) -> assess::Result<T> + Send + 'static,
    ) -> Result<T, AssessError> {
        let (sender, mut receiver) = oneshot::channel();
        let work = move |office: &Office| {
            // If nobody waits any more, the result is dropped.
            let _ = sender.send(work(office)?);
            Ok(())
        };
        self.blocking_boxed(gate, Box::new(work)).await?;
        receiver.try_recv().map_err(|_| AssessError::Broken)
    }

    /// As [`Self::blocking`], compiled once for all kinds of work.
    async fn blocking_boxed(&self, gate: &Arc<Semaphore>, work: BoxedWork) -> Result<(), AssessError> {
        let (app, gate) = (self.clone(), Arc::clone(gate));
        let all = async move {
            // It is never closed.
            let permit = gate.acquire_owned().await.map_err(|_| AssessError::Busy)?;
            let done = tokio::task::spawn_blocking(move || {
                // It is given back when the work is done, even if nobody waits for that any more.
                let _permit = permit;
                work(&app.0.office)
            });
            // If it panicked, the log has been told by the hook.
            match done.await {
                Ok(result) => Ok(result?),
                Err(_) => Err(AssessError::Broken),
            }
        };
        tokio::time::timeout(self.config().time_limit, all).await.unwrap_or(Err(AssessError::Busy))
    }
}
