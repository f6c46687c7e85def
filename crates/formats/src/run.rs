//! Runs: what a system returned for each topic.
//!
//! A run is read from TREC's six columns (`topic Q0 doc rank score tag`), Task
//! 1's five (`topic post rank score tag`) or Task 2's six (`topic formula post
//! rank score tag`; the post may be missing). The rows stay where they are in
//! the text of the file, so that a run costs little more memory than its file
//! and is written back with the very digits it was read with. Task 3's runs
//! hold answers and are another thing: see [`crate::task3`].

mod build;
mod read;

pub use build::{RunBuilder, RunLine};

use crate::error::Place;
use crate::fields::{Cutter, Span};
use crate::ids::{DocId, RunTag, TopicId};
use crate::source::SourceText;
use std::fmt;
use std::ops::Range;

/// How the columns of a run are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RunLayout {
    /// `topic Q0 doc rank score tag`; the second column is not looked at.
    Trec,
    /// `topic post rank score tag`.
    Task1,
    /// `topic formula post rank score tag`.
    Task2,
    /// `topic formula rank score tag`, as some tools write Task 2 runs.
    Task2WithoutPost,
}

impl RunLayout {
    /// How many columns there are.
    #[must_use]
    pub fn columns(self) -> usize {
        match self {
            Self::Trec | Self::Task2 => 6,
            Self::Task1 | Self::Task2WithoutPost => 5,
        }
    }

    /// The names of the columns.
    #[must_use]
    pub fn names(self) -> &'static str {
        match self {
            Self::Trec => "topic, Q0, document, rank, score, tag",
            Self::Task1 => "topic, post, rank, score, tag",
            Self::Task2 => "topic, formula, post, rank, score, tag",
            Self::Task2WithoutPost => "topic, formula, rank, score, tag",
        }
    }

    /// Which column holds the document.
    fn doc(self) -> usize {
        match self {
            Self::Trec => 2,
            Self::Task1 | Self::Task2 | Self::Task2WithoutPost => 1,
        }
    }

    /// Which column holds the score; the rank stands before it, the tag behind it.
    fn score(self) -> usize {
        self.columns() - 2
    }
}

/// Which layouts a file may have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RunKind {
    /// Five columns are Task 1's, six are TREC's.
    #[default]
    Documents,
    /// Six columns are Task 2's unless the second says `Q0` or `xxx`; five are
    /// Task 2's without the post.
    Formulas,
}

/// A run: its rows by topic, in the order of the file.
#[derive(Clone, Debug)]
pub struct Run {
    source: SourceText,
    layout: RunLayout,
    /// Cuts a line as it was cut when it was read.
    cutter: Cutter,
    tag: RunTag,
    topics: Vec<RunTopic>,
    rows: Vec<Row>,
}

#[derive(Clone, Debug)]
struct RunTopic {
    id: TopicId,
    rows: Range<usize>,
}

/// A row: where its line is, its document and its score. The other columns are
/// cut out of the line when they are asked for.
#[derive(Clone, Copy, Debug)]
struct Row {
    line: Span,
    doc: Span,
    number: u32,
    /// Where its topic stands in the list of topics.
    topic: u32,
    score: f64,
}

impl Run {
    /// What the file is called in messages.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.source.name
    }

    /// How its columns are laid out.
    #[must_use]
    pub fn layout(&self) -> RunLayout {
        self.layout
    }

    /// The tag of the first row; empty for a run without rows.
    #[must_use]
    pub fn tag(&self) -> &RunTag {
        &self.tag
    }

    /// How many rows there are.
    #[must_use]
    pub fn num_rows(&self) -> usize {
        self.rows.len()
    }

    /// The topics in the order in which they first occur.
    pub fn topics(&self) -> impl ExactSizeIterator<Item = TopicRows<'_>> {
        self.topics.iter().map(|topic| TopicRows { run: self, topic })
    }

    /// The rows of a topic.
    #[must_use]
    pub fn topic(&self, id: &TopicId) -> Option<TopicRows<'_>> {
        self.topics.iter().find(|topic| topic.id == *id).map(|topic| TopicRows { run: self, topic })
    }

    /// Writes the run in the given layout, tabs between the columns, with the
    /// digits of its scores unchanged.
    ///
    /// A layout with posts needs a run with posts; where there are none, `-`
    /// stands for them.
    #[must_use]
    pub fn to_text(&self, layout: RunLayout) -> String {
        let mut out = String::with_capacity(self.source.text.len() + 8 * self.rows.len());
        for topic in self.topics() {
            for row in topic.rows() {
                let line = RunLine {
                    topic: topic.id().as_str(),
                    doc: row.doc().as_str(),
                    post: row.post().map(DocId::as_str),
                    rank: row.rank_text(),
                    score: row.score_text(),
                    tag: row.tag_text(),
                };
                line.push(layout, &mut out);
            }
        }
        out
    }

    fn field(&self, row: Row, column: usize) -> &str {
        let text = &self.source.text;
        let line = row.line.of(text);
        let start = row.line.start();
        let mut cutter = self.cutter;
        let fields = cutter.cut(text, start, start + line.len(), |count| count == self.layout.columns());
        fields.get(column).of(text)
    }
}

/// The rows of one topic of a run.
#[derive(Clone, Copy)]
pub struct TopicRows<'a> {
    run: &'a Run,
    topic: &'a RunTopic,
}

impl<'a> TopicRows<'a> {
    /// The topic.
    #[must_use]
    pub fn id(self) -> &'a TopicId {
        &self.topic.id
    }

    /// The rows in the order of the file, which is not the order of the ranking.
    pub fn rows(self) -> impl ExactSizeIterator<Item = RunRow<'a>> {
        let run = self.run;
        run.rows[self.topic.rows.clone()].iter().map(move |row| RunRow { run, row: *row })
    }
}

impl fmt::Debug for TopicRows<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TopicRows")
            .field("topic", &self.topic.id)
            .field("rows", &self.topic.rows.len())
            .finish()
    }
}

/// One row of a run.
#[derive(Clone, Copy)]
pub struct RunRow<'a> {
    run: &'a Run,
    row: Row,
}

impl<'a> RunRow<'a> {
    /// What was retrieved.
    #[must_use]
    pub fn doc(self) -> DocId<'a> {
        DocId(self.row.doc.of(&self.run.source.text))
    }

    /// Its score, which is finite.
    #[must_use]
    pub fn score(self) -> f64 {
        self.row.score
    }

    /// The line of the file, from 1.
    #[must_use]
    pub fn line(self) -> usize {
        self.row.number as usize
    }

    /// The rank as it stands in the file; no measure looks at it.
    #[must_use]
    pub fn rank_text(self) -> &'a str {
        self.run.field(self.row, self.run.layout.score() - 1)
    }

    /// The score as it stands in the file.
    #[must_use]
    pub fn score_text(self) -> &'a str {
        self.run.field(self.row, self.run.layout.score())
    }

    /// The tag as it stands in the file.
    #[must_use]
    pub fn tag_text(self) -> &'a str {
        self.run.field(self.row, self.run.layout.score() + 1)
    }

    /// The second column of a TREC run, `Q0` by custom, as it stands in the file.
    #[must_use]
    pub fn mark(self) -> Option<&'a str> {
        (self.run.layout == RunLayout::Trec).then(|| self.run.field(self.row, 1))
    }

    /// The post that is said to hold the formula, in a Task 2 run.
    #[must_use]
    pub fn post(self) -> Option<DocId<'a>> {
        (self.run.layout == RunLayout::Task2).then(|| DocId(self.run.field(self.row, 2)))
    }

    /// Where the row stands.
    #[must_use]
    pub fn place(self) -> Place {
        Place { file: self.run.source.name.clone(), line: self.line(), column: None }
    }

    /// Where a column of the row starts, counted from 0 as the layout names them.
    #[must_use]
    pub fn column_place(self, column: usize) -> Place {
        let text = &self.run.source.text;
        let field = self.run.field(self.row, column);
        let offset = field.as_ptr() as usize - text.as_ptr() as usize;
        let before = text[self.row.line.start()..offset].chars().count();
        Place { column: Some(before + 1), ..self.place() }
    }
}

impl fmt::Debug for RunRow<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RunRow").field("doc", &self.doc()).field("score", &self.score()).finish()
    }
}
