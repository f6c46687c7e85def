//! The engine: an index with what is worked out about it once.

use crate::posts::{NormCache, TermCache};
use formula::matching::{Matcher, Preparer, Weights};
use formula::similarity::tangent_s::Aligner;
use index::top::Searcher;
use index::{Extractor, Index};
use std::sync::Mutex;

/// Runs systems over an index. Can be used by many threads at once.
#[derive(Debug)]
pub struct Engine {
    pub(crate) index: Index,
    pub(crate) norms: NormCache,
    pub(crate) terms: TermCache,
    memory: Mutex<Vec<Memory>>,
}

/// What a search works with; it is used again by the next.
#[derive(Debug)]
pub(crate) struct Memory {
    pub(crate) searcher: Searcher,
    pub(crate) extractor: Extractor,
    pub(crate) preparer: Preparer,
    pub(crate) matcher: Matcher,
    pub(crate) aligner: Aligner,
}

impl Default for Memory {
    fn default() -> Self {
        Self {
            searcher: Searcher::default(),
            extractor: Extractor::default(),
            preparer: Preparer::new(Weights::default()),
            matcher: Matcher::default(),
            aligner: Aligner::default(),
        }
    }
}

impl Engine {
    /// An engine over an index.
    #[must_use]
    pub fn new(index: Index) -> Self {
        Self { index, norms: NormCache::default(), terms: TermCache::default(), memory: Mutex::default() }
    }

    /// The index.
    #[must_use]
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// Does something with a memory of one's own.
    pub(crate) fn with_memory<T>(&self, work: impl FnOnce(&mut Memory) -> T) -> T {
        let taken = self.memory.lock().map_or(None, |mut memory| memory.pop());
        let mut memory = taken.unwrap_or_default();
        let result = work(&mut memory);
        if let Ok(mut free) = self.memory.lock() {
            free.push(memory);
        }
        result
    }
}
