//! Where the books are kept: one writer, any number of readers.
//!
//! Every step that writes goes to one thread. It does all that has come in the
//! meantime within one transaction, each step in a savepoint of its own, and tells
//! everybody once it is on the disk: a hundred people who press a key at the same
//! moment wait for one sync of the disk, not for a hundred.

use crate::books::Books;
use crate::error::{Error, Result};
use lab::Lab;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;

/// So many steps are brought to the disk at once.
const MOST: usize = 256;

/// What time it is, in seconds since 1970.
pub type Clock = Arc<dyn Fn() -> i64 + Send + Sync>;

/// Tells whoever waits for a step, once it is known whether it was kept.
type Tell = Box<dyn FnOnce(std::result::Result<(), String>) + Send>;
type Step = Box<dyn FnOnce(std::result::Result<&Books<'_>, &str>) -> Tell + Send>;

/// Where the books of a lab are kept.
pub struct Office {
    root: PathBuf,
    clock: Clock,
    steps: mpsc::Sender<Step>,
    readers: Mutex<Vec<Lab>>,
}

impl fmt::Debug for Office {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Office").field("root", &self.root).finish_non_exhaustive()
    }
}

impl Office {
    /// Opens the office of a lab.
    ///
    /// # Errors
    ///
    /// When the lab cannot be opened.
    pub fn open(root: &Path) -> Result<Self> {
        Self::with_clock(root, Arc::new(|| lab::now().0 / 1000))
    }

    /// Opens it with a clock of one's own.
    ///
    /// # Errors
    ///
    /// When the lab cannot be opened.
    pub fn with_clock(root: &Path, clock: Clock) -> Result<Self> {
        let lab = Lab::open(root)?;
        let (steps, receiver) = mpsc::channel();
        let time = Arc::clone(&clock);
        thread::Builder::new()
            .name("books".to_owned())
            .spawn(move || write_all(&lab, &time, &receiver))
            .map_err(|error| Error::NotKept(error.to_string()))?;
        Ok(Self { root: root.to_owned(), clock, steps, readers: Mutex::default() })
    }

    /// The lab's folder.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The present moment.
    #[must_use]
    pub fn now(&self) -> i64 {
        (self.clock)()
    }

    /// Reads. What is read is of one moment, whatever is written meanwhile.
    ///
    /// # Errors
    ///
    /// When the lab cannot be opened, or the reading fails.
    pub fn read<T>(&self, work: impl FnOnce(&Books<'_>) -> Result<T>) -> Result<T> {
        let mut result = None;
        let mut work = Some(work);
        self.read_with(&mut |books| result = work.take().map(|work| work(books)))?;
        result.expect("the work was done")
    }

    /// As [`Self::read`], compiled once for all kinds of work.
    fn read_with(&self, work: &mut dyn FnMut(&Books<'_>)) -> Result<()> {
        let kept = self.readers.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let lab = match kept {
            Some(lab) => lab,
            None => Lab::open(&self.root)?,
        };
        lab.database().execute_batch("BEGIN")?;
        work(&Books::new(&lab, self.now()));
        lab.database().execute_batch("ROLLBACK")?;
        self.readers.lock().unwrap_or_else(PoisonError::into_inner).push(lab);
        Ok(())
    }

    /// Writes, and returns when it is on the disk.
    ///
    /// # Errors
    ///
    /// When the work fails, of which then nothing is kept.
    pub fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Books<'_>) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let (sender, receiver) = mpsc::channel();
        self.write_then(work, move |result| {
            // Who does not wait any more is not told.
            let _ = sender.send(result);
        });
        receiver.recv().unwrap_or(Err(Error::Broken))
    }

    /// Writes, and tells when it is on the disk, or why it is not.
    pub fn write_then<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Books<'_>) -> Result<T> + Send + 'static,
        tell: impl FnOnce(Result<T>) + Send + 'static,
    ) {
        let step: Step = Box::new(move |books| {
            let result = books
                .map_err(|cause| Error::NotKept(cause.to_owned()))
                .and_then(|books| in_savepoint(books, work));
            Box::new(move |kept| {
                tell(match (result, kept) {
                    (Ok(_), Err(cause)) => Err(Error::NotKept(cause)),
                    (result, _) => result,
                });
            })
        });
        // The writer lives as long as the office; if it does not, the step is dropped and with it `tell`,
        // which whoever waits notices.
        let _ = self.steps.send(step);
    }
}

/// Does a step; if it fails, nothing of it remains.
fn in_savepoint<T>(books: &Books<'_>, work: impl FnOnce(&Books<'_>) -> Result<T>) -> Result<T> {
    let database = books.database();
    database.execute_batch("SAVEPOINT step")?;
    let result = catch_unwind(AssertUnwindSafe(|| work(books))).unwrap_or(Err(Error::Broken));
    let end = if result.is_ok() { "RELEASE step" } else { "ROLLBACK TO step; RELEASE step" };
    database.execute_batch(end)?;
    result
}

/// Does steps as they come, until nobody can send any more.
fn write_all(lab: &Lab, clock: &Clock, steps: &mpsc::Receiver<Step>) {
    let database = lab.database();
    while let Ok(first) = steps.recv() {
        let mut told: Vec<Tell> = Vec::new();
        let begun = database.execute_batch("BEGIN IMMEDIATE").map_err(|error| error.to_string());
        for step in std::iter::once(first).chain(steps.try_iter().take(MOST - 1)) {
            let books = Books::new(lab, clock());
            told.push(step(begun.as_ref().map(|()| &books).map_err(String::as_str)));
        }
        let kept = database.execute_batch("COMMIT").map_err(|error| {
            // Nothing of a transaction that is not kept may stay.
            let _ = database.execute_batch("ROLLBACK");
            error.to_string()
        });
        for tell in told {
            tell(kept.clone());
        }
    }
}
