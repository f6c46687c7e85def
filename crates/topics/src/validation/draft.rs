//! The files of a validation set as they grow.

use super::{Kind, Set};
use crate::Error;
use collection::{LineEnd, Topic, TopicFormat, Topics, write_topics};
use std::fmt::Write;
use store::Cut;

/// Topics with their relevant items so far.
pub(super) struct Draft {
    kind: Kind,
    topics: Vec<Topic>,
    qrels: String,
    relevant: usize,
    info: String,
}

impl Draft {
    /// A draft without topics; the columns are those of the table beside `topic` and `relevant`.
    pub(super) fn new(kind: Kind, columns: &[&str]) -> Self {
        let info = format!("topic\t{}\trelevant\n", columns.join("\t"));
        Self { kind, topics: Vec::new(), qrels: String::new(), relevant: 0, info }
    }

    /// The id of the next topic.
    pub(super) fn next_id(&self) -> String {
        self.kind.topic_id(self.topics.len())
    }

    /// Adds a topic with its relevant items and what the table says of it.
    pub(super) fn push(
        &mut self,
        topic: Topic,
        relevant: impl IntoIterator<Item = (String, u8)>,
        info: &[&str],
    ) {
        let before = self.relevant;
        for (item, grade) in relevant {
            // Writing to a string does not fail.
            let _ = writeln!(self.qrels, "{}\t0\t{item}\t{grade}", topic.id);
            self.relevant += 1;
        }
        // A tab or line end in LaTeX would part a cell.
        let cells: Vec<String> = info.iter().map(|cell| cell.replace(['\t', '\n', '\r'], " ")).collect();
        let _ = writeln!(self.info, "{}\t{}\t{}", topic.id, cells.join("\t"), self.relevant - before);
        self.topics.push(topic);
    }

    /// The set; `cut` is what the collection to search is without.
    pub(super) fn finish(self, cut: Option<Cut>) -> Result<Set, Error> {
        let topics = self.topics.len();
        let xml = write_topics(&Topics::new(self.topics)?, TopicFormat::ArqmathXml, LineEnd::Lf)?.text;
        let files = self.kind.file_names().iter().copied().zip([xml, self.qrels, self.info]).collect();
        Ok(Set { kind: self.kind, topics, relevant: self.relevant, files, cut })
    }
}
