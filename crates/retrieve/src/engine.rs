//! The engine: an index and other resources, with what is worked out about them once.

use crate::error::Error;
use crate::meaning::{self, QueryVectors};
use crate::norms::{NormCache, TermCache};
use crate::pipeline::StageCost;
use crate::resources::Resources;
use dense::{EncodeError, Models};
use formula::matching::{Matcher, Preparer, Weights};
use formula::similarity::edit::EditDistance;
use formula::similarity::tangent_s::Aligner;
use formula::similarity::tree_pairs::TreePairs;
use index::top::Searcher;
use index::{Deadline, Extractor, Index};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// So many things are worked through between two looks at the clock.
const AT_ONCE: usize = 16_384;

/// Runs pipelines over an index. Can be used by many threads at once.
#[derive(Debug)]
pub struct Engine {
    pub(crate) index: Index,
    pub(crate) resources: Resources,
    pub(crate) norms: NormCache,
    pub(crate) terms: TermCache,
    pub(crate) query_vectors: QueryVectors,
    idle: Mutex<Vec<Work>>,
}

/// What stages work with while a query is run: buffers, which the next query uses again, and the deadline.
#[derive(Debug)]
pub(crate) struct Work {
    pub(crate) searcher: Searcher,
    pub(crate) extractor: Extractor,
    pub(crate) preparer: Preparer,
    pub(crate) matcher: Matcher,
    pub(crate) aligner: Aligner,
    pub(crate) editor: EditDistance,
    pub(crate) tree_pairs: TreePairs,
    pub(crate) deadline: Deadline,
    cut_short: bool,
    costs: Vec<StageCost>,
}

impl Default for Work {
    fn default() -> Self {
        Self {
            searcher: Searcher::default(),
            extractor: Extractor::default(),
            preparer: Preparer::new(Weights::default()),
            matcher: Matcher::default(),
            aligner: Aligner::default(),
            editor: EditDistance::default(),
            tree_pairs: TreePairs::default(),
            deadline: Deadline::never(),
            cut_short: false,
            costs: Vec::new(),
        }
    }
}

impl Work {
    /// Does the work of a stage, and notes what it costs.
    pub(crate) fn timed<T>(&mut self, stage: &str, work: impl FnOnce(&mut Self) -> T) -> T {
        let start = Instant::now();
        let result = work(self);
        let time = start.elapsed();
        match self.costs.iter_mut().find(|cost| cost.stage == stage) {
            Some(cost) => cost.time += time,
            None => self.costs.push(StageCost { stage: stage.to_owned(), time }),
        }
        result
    }

    /// What stages have cost so far, in the order in which they first ended.
    pub(crate) fn costs(&mut self) -> Vec<StageCost> {
        std::mem::take(&mut self.costs)
    }

    /// Whether time is up. A caller that gets `true` leaves out the rest of its work.
    pub(crate) fn is_over(&mut self) -> bool {
        self.cut_short = self.cut_short || self.deadline.is_over();
        self.cut_short
    }

    /// Does something that has to be finished, whatever the deadline.
    pub(crate) fn finish<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let deadline = std::mem::take(&mut self.deadline);
        let result = work(self);
        self.deadline = deadline;
        result
    }

    /// Does something quick with each of many things, with a look at the clock now and then.
    pub(crate) fn each<T>(
        &mut self,
        things: impl IntoIterator<Item = T>,
        mut each: impl FnMut(T),
    ) -> Result<(), Error> {
        for (number, thing) in things.into_iter().enumerate() {
            if number.is_multiple_of(AT_ONCE) && self.is_over() {
                return Err(Error::Stopped);
            }
            each(thing);
        }
        Ok(())
    }

    /// Whether something was left out because there was no time.
    pub(crate) fn is_cut_short(&self) -> bool {
        self.cut_short || self.searcher.is_cut_short()
    }

    fn begin(&mut self, deadline: &Deadline) {
        self.deadline = deadline.clone();
        self.searcher.end_at(deadline.clone());
        self.cut_short = false;
        self.costs.clear();
    }
}

impl Engine {
    /// An engine over an index, without other resources.
    #[must_use]
    pub fn new(index: Index) -> Self {
        Self::with(index, Resources::default())
    }

    /// An engine over an index with resources.
    #[must_use]
    pub fn with(index: Index, resources: Resources) -> Self {
        Self {
            index,
            resources,
            norms: NormCache::default(),
            terms: TermCache::default(),
            query_vectors: QueryVectors::default(),
            idle: Mutex::default(),
        }
    }

    /// Opens an index; pipelines get it and the resources from the engine.
    ///
    /// # Errors
    ///
    /// When there is no index, or it is damaged.
    pub fn open(path: &Path, resources: Resources) -> Result<Self, index::Error> {
        Ok(Self::with(Index::open(path)?, resources))
    }

    /// As [`Engine::open`], and reads all files of the index, whatever their size: for results that are kept.
    ///
    /// # Errors
    ///
    /// When there is no index, or anything in it is damaged.
    pub fn open_whole(path: &Path, resources: Resources) -> Result<Self, index::Error> {
        Ok(Self::with(Index::open_whole(path)?, resources))
    }

    /// The index.
    #[must_use]
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// What pipelines may need beside the index.
    #[must_use]
    pub fn resources(&self) -> &Resources {
        &self.resources
    }

    /// Opens a model.
    pub(crate) fn model<T: ?Sized>(
        &self,
        open: impl FnOnce(&dyn Models) -> Result<Arc<T>, EncodeError>,
    ) -> Result<Arc<T>, Error> {
        let models = self.resources.models();
        let models = models.ok_or_else(|| meaning::failed("there are no models"))?;
        Ok(open(models)?)
    }

    /// Gives what was made of the index, unless something in it turned out to be damaged: whatever is made of
    /// an index goes through here.
    ///
    /// # Errors
    ///
    /// When a piece of the index that was read since it was opened is not as it was written.
    pub fn sound<T>(&self, made: T) -> Result<T, Error> {
        self.index.sound()?;
        Ok(made)
    }

    /// Does something with buffers of its own that ends at a deadline.
    pub(crate) fn work<T>(
        &self,
        deadline: &Deadline,
        work: impl FnOnce(&mut Work) -> Result<T, Error>,
    ) -> Result<T, Error> {
        self.index.sound()?;
        let taken = self.idle.lock().map_or(None, |mut idle| idle.pop());
        let mut own = taken.unwrap_or_default();
        own.begin(deadline);
        let result = work(&mut own);
        if let Ok(mut idle) = self.idle.lock() {
            idle.push(own);
        }
        // Damage that was found on the way says more than an error that it led to.
        self.sound(result)?
    }
}
