//! Topics with their relevant items, and the files made of them.

use crate::Error;
use formats::{LineEnd, Topic, TopicFormat, Topics, write_topics};
use std::fmt::Write;

/// Topics with their relevant items so far.
pub(crate) struct Draft {
    prefix: String,
    start: u32,
    topics: Vec<Topic>,
    qrels: String,
    relevant: usize,
    info: String,
}

/// The contents of the files.
pub(crate) struct Drafted {
    /// How many topics there are.
    pub(crate) topics: usize,
    /// How many items are relevant, over all topics.
    pub(crate) relevant: usize,
    /// Topics, judgments, and where topics come from.
    pub(crate) texts: [String; 3],
}

impl Draft {
    /// A draft without topics; the columns are those of the table beside `topic` and `relevant`.
    pub(crate) fn new(prefix: &str, start: u32, columns: &[&str]) -> Self {
        let info = format!("topic\t{}\trelevant\n", columns.join("\t"));
        Self { prefix: prefix.to_owned(), start, topics: Vec::new(), qrels: String::new(), relevant: 0, info }
    }

    /// The id of the next topic.
    pub(crate) fn next_id(&self) -> String {
        format!("{}.{}", self.prefix, u64::from(self.start) + self.topics.len() as u64)
    }

    /// Adds a topic with its relevant items and what the table says of it.
    pub(crate) fn push(
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

    /// The files.
    pub(crate) fn finish(self) -> Result<Drafted, Error> {
        let topics = self.topics.len();
        let xml = write_topics(&Topics::new(self.topics)?, TopicFormat::ArqmathXml, LineEnd::Lf)?.text;
        Ok(Drafted { topics, relevant: self.relevant, texts: [xml, self.qrels, self.info] })
    }
}
