//! Making a run row by row: the one place that writes lines of runs.

use super::{Run, RunKind, RunLayout};
use crate::error::Error;
use crate::ids::{DocId, RunTag, TopicId};
use crate::source::Source;
use std::fmt::{Display, Write as _};

/// A line of a run. Rank and score are whatever prints as a number: a number, or the text in which it was read.
#[derive(Clone, Copy, Debug)]
pub struct RunLine<'a, S, R = usize> {
    /// The topic.
    pub topic: &'a str,
    /// The post, or the formula.
    pub doc: &'a str,
    /// The post that a formula is in; only Task 2's columns have it, with a dash where it is not known.
    pub post: Option<&'a str>,
    /// The rank, from 1.
    pub rank: R,
    /// The score.
    pub score: S,
    /// The name of the run.
    pub tag: &'a str,
}

impl<S: Display, R: Display> RunLine<'_, S, R> {
    /// Appends the line in a layout, with tabs between the columns.
    pub fn push(&self, layout: RunLayout, out: &mut String) {
        let Self { topic, doc, post, rank, score, tag } = self;
        let written = match layout {
            RunLayout::Trec => writeln!(out, "{topic}\tQ0\t{doc}\t{rank}\t{score}\t{tag}"),
            RunLayout::Task2 => {
                writeln!(out, "{topic}\t{doc}\t{}\t{rank}\t{score}\t{tag}", post.unwrap_or("-"))
            }
            RunLayout::Task1 | RunLayout::Task2WithoutPost => {
                writeln!(out, "{topic}\t{doc}\t{rank}\t{score}\t{tag}")
            }
        };
        written.expect("strings take all that is written");
    }
}

/// Collects rows and makes a TREC run of them.
///
/// ```
/// use formats::{DocId, RunTag, TopicId, run::RunBuilder};
/// let mut builder = RunBuilder::new(RunTag::from("us"));
/// builder.push(&TopicId::from("A.1"), DocId("42"), 1, 0.5);
/// let run = builder.finish("made here")?;
/// assert_eq!(run.to_text(run.layout()), "A.1\tQ0\t42\t1\t0.5\tus\n");
/// # Ok::<(), formats::Error>(())
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
        let line = RunLine {
            topic: topic.as_str(),
            doc: doc.as_str(),
            post: None,
            rank,
            score,
            tag: self.tag.as_str(),
        };
        line.push(RunLayout::Trec, &mut self.text);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_the_columns_of_their_layout() {
        let line = RunLine { topic: "B.1", doc: "f7", post: Some("42"), rank: 3, score: 0.5_f32, tag: "us" };
        for (layout, expected) in [
            (RunLayout::Trec, "B.1\tQ0\tf7\t3\t0.5\tus\n"),
            (RunLayout::Task1, "B.1\tf7\t3\t0.5\tus\n"),
            (RunLayout::Task2, "B.1\tf7\t42\t3\t0.5\tus\n"),
            (RunLayout::Task2WithoutPost, "B.1\tf7\t3\t0.5\tus\n"),
        ] {
            let mut out = String::new();
            line.push(layout, &mut out);
            assert_eq!(out, expected);
            assert_eq!(out.trim_end().split('\t').count(), layout.columns());
        }
        let mut out = String::new();
        RunLine { post: None, ..line }.push(RunLayout::Task2, &mut out);
        assert_eq!(out, "B.1\tf7\t-\t3\t0.5\tus\n", "no post is a dash, so that the columns stay");
    }
}
