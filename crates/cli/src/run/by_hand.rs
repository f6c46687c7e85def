//! Queries that people made: the keywords and formulas they picked for each topic.

use crate::output::WholeFile;
use ::formats::{Source, Topic, Topics, read_topics};
use anyhow::{Context, Result, ensure};
use retrieve::{Query, SystemTask};
use serde::Serialize;
use std::fs;
use std::path::{Path, PathBuf};

/// Topics with what people ask in their place.
pub(super) struct ByHand {
    bytes: Vec<u8>,
    file: PathBuf,
    /// All topics, in the order of the file of topics.
    topics: Vec<Topic>,
    /// The topics themselves.
    originals: Topics,
    /// Topics for which nobody made a query, which are asked as they are.
    as_given: Vec<String>,
}

/// How queries were made, as it is written down beside a run.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Record {
    /// The file that was given.
    file: String,
    /// Its copy beside the run, from which the run can be made again.
    kept: Option<String>,
    fingerprint: String,
    topics: usize,
    as_given: Vec<String>,
}

impl ByHand {
    /// Reads queries for topics, in any form in which topics come.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, when it asks for a topic that there is not, and when a query is empty or, in a
    /// search for formulas, has no formula.
    pub(super) fn read(file: &Path, topics: &Topics, task: SystemTask) -> Result<Self> {
        let name = file.display().to_string();
        let bytes = fs::read(file).with_context(|| name.clone())?;
        let queries = read_topics(Source::bytes(&name, &bytes[..]))?.topics;
        ensure!(!queries.is_empty(), "{name}: has no queries");
        for query in &queries {
            let id = &query.id;
            ensure!(topics.get(id.as_str()).is_some(), "{name}: there is no topic {id} to make a query for");
            ensure!(!is_empty(query), "{name}: the query for topic {id} has neither words nor formulas");
            ensure!(
                task == SystemTask::Answers || Query::formula_of_topic(query).is_some(),
                "{name}: the query for topic {id} has no formula to look for"
            );
        }
        let as_given = topics.iter().filter(|topic| queries.get(topic.id.as_str()).is_none());
        let as_given: Vec<String> = as_given.map(|topic| topic.id.to_string()).collect();
        let originals = topics.clone();
        let topics = topics.iter().map(|topic| match queries.get(topic.id.as_str()) {
            Some(query) => Topic { thread: topic.thread.clone(), ..query.clone() },
            None => topic.clone(),
        });
        Ok(Self { bytes, file: file.to_owned(), topics: topics.collect(), originals, as_given })
    }

    /// The topics, each with what people ask.
    pub(super) fn topics(&self) -> Vec<&Topic> {
        self.topics.iter().collect()
    }

    /// The topics themselves: what a language model is asked, whatever finds its sources.
    pub(super) fn originals(&self) -> &Topics {
        &self.originals
    }

    /// Says which topics are asked as they are.
    pub(super) fn warn(&self) {
        if !self.as_given.is_empty() {
            let (file, all) = (self.file.display(), self.as_given.join(", "));
            crate::warn(&format!("{file}: has no query for {all}; these topics are asked as they are"));
        }
    }

    /// Copies the queries beside a run and says what was copied; standard output has nothing beside it.
    pub(super) fn keep(&self, run: &Path) -> Result<Record> {
        let kept = (run != Path::new("-")).then(|| self.kept(run));
        if let Some(kept) = &kept {
            // Made again from its own copy, a run leaves it as it is.
            if fs::read(kept).ok().as_ref() != Some(&self.bytes) {
                WholeFile::create_beside(kept)?.write(&self.bytes)?;
            }
        }
        let last = |path: PathBuf| path.file_name().map(|name| name.to_string_lossy().into_owned());
        Ok(Record {
            file: self.file.display().to_string(),
            kept: kept.and_then(last),
            fingerprint: format!("{:016x}", xxhash_rust::xxh3::xxh3_64(&self.bytes)),
            topics: self.topics.len() - self.as_given.len(),
            as_given: self.as_given.clone(),
        })
    }

    /// Where the copy of a run's queries stands. It keeps the ending, which says what they are written in.
    fn kept(&self, run: &Path) -> PathBuf {
        let ending = self.file.extension().map(|ending| format!(".{}", ending.to_string_lossy()));
        PathBuf::from(format!("{}.queries{}", run.display(), ending.unwrap_or_default()))
    }
}

fn is_empty(query: &Topic) -> bool {
    let Query { title, body, tags, .. } = Query::of_topic(query);
    title.is_empty() && body.is_empty() && tags.is_empty()
}
