//! One topic as the measures see it.

use super::Options;
use crate::ranked::{JudgedGrades, Ranked, ResultGrade};

/// One topic: what the judges said of its results, and how many there are of each kind.
#[derive(Clone, Copy, Debug)]
pub(super) struct Topic<'a> {
    /// The verdicts in order, and all judgments.
    pub(super) ranked: Ranked<'a>,
    /// The grade from which on a document is relevant.
    pub(super) level: i32,
    /// How many results there are.
    pub(super) num_ret: usize,
    /// How many documents are relevant.
    pub(super) num_rel: usize,
    /// How many results are relevant.
    pub(super) num_rel_ret: usize,
    /// How many documents the collection has.
    pub(super) num_docs: u64,
}

impl<'a> Topic<'a> {
    pub(super) fn new(verdicts: &'a [ResultGrade], pool: &'a JudgedGrades, options: &Options) -> Self {
        let level = level(options);
        Self {
            ranked: Ranked { grades: verdicts, judged: pool },
            level,
            num_ret: verdicts.len(),
            num_rel: pool.num_relevant(level),
            num_rel_ret: verdicts.iter().filter(|verdict| verdict.is_relevant(level)).count(),
            num_docs: options.num_docs,
        }
    }
}

/// The grade from which on a document is relevant, as grades are counted.
pub(super) fn level(options: &Options) -> i32 {
    i32::try_from(options.level).unwrap_or(i32::MAX)
}
