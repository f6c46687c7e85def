//! Making a run row by row.

use super::{Run, RunKind};
use crate::error::Error;
use crate::ids::{DocId, RunTag, TopicId};
use crate::source::Source;
use std::fmt::Write as _;

/// Collects rows and makes a TREC run of them.
///
/// ```
/// use collection::{DocId, RunTag, TopicId, run::RunBuilder};
/// let mut builder = RunBuilder::new(RunTag::from("us"));
/// builder.push(&TopicId::from("A.1"), DocId("42"), 1, 0.5);
/// let run = builder.finish("made here")?;
/// assert_eq!(run.to_text(run.layout()), "A.1\tQ0\t42\t1\t0.5\tus\n");
/// # Ok::<(), collection::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct RunBuilder {
    tag: RunTag,
    text: String,
}

impl RunBuilder {
    /// A run without rows; `tag` is its name in the last column.
    #[must_use]
    pub fn new(tag: RunTag) -> Self {
        Self { tag, text: String::new() }
    }

    /// Adds a row. Scores are written with as many digits as bring them back exactly.
    pub fn push(&mut self, topic: &TopicId, doc: DocId<'_>, rank: usize, score: f64) {
        let tag = &self.tag;
        writeln!(self.text, "{topic}\tQ0\t{doc}\t{rank}\t{score}\t{tag}")
            .expect("strings take all that is written");
    }

    /// The run, under a name for messages.
    ///
    /// # Errors
    ///
    /// When an id is empty or holds a tab or a line end, or a score is not finite.
    pub fn finish(self, name: &str) -> Result<Run, Error> {
        Run::read(Source::bytes(name, self.text), RunKind::Documents)
    }
}
