//! Which answer each Task 3 run gave: generated answers have no place in the
//! collection, so the lab gives them ids of their own.
//!
//! The file has three columns without a header: run, topic, answer id. Runs
//! that gave the same text may share an id.

use crate::delimited::{Delimiter, Quoting, Records};
use crate::error::{Error, Note};
use crate::ids::{DocId, RunTag, TopicId};
use crate::source::Source;
use std::collections::{BTreeMap, HashMap};

/// The answers of all runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AnswerMap {
    runs: BTreeMap<RunTag, HashMap<TopicId, Box<str>>>,
}

/// The answers of one run.
#[derive(Clone, Copy, Debug)]
pub struct RunAnswers<'a> {
    /// The name of the run.
    pub run: &'a RunTag,
    answers: &'a HashMap<TopicId, Box<str>>,
}

/// A run that is not in the map.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no answers of a run {name:?}; there are those of: {}", known.iter().map(RunTag::as_str).collect::<Vec<_>>().join(", "))]
pub struct UnknownRun {
    /// The name.
    pub name: String,
    /// The runs there are.
    pub known: Vec<RunTag>,
}

impl AnswerMap {
    /// The names of the runs, by the alphabet.
    pub fn runs(&self) -> impl Iterator<Item = &RunTag> {
        self.runs.keys()
    }

    /// How many answers there are, over all runs.
    #[must_use]
    pub fn len(&self) -> usize {
        self.runs.values().map(HashMap::len).sum()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// The answers of a run. The name may be that of the run's file, with
    /// folders and endings such as `.tsv` or `.tsv.gz`.
    ///
    /// # Errors
    ///
    /// When there is no such run; the error lists those there are.
    pub fn run(&self, name: &str) -> Result<RunAnswers<'_>, UnknownRun> {
        let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
        let unpacked = file.strip_suffix(".gz").unwrap_or(file);
        let endings = [".tsv", ".txt", ".csv", ".run"];
        let stem = endings.iter().find_map(|ending| unpacked.strip_suffix(ending)).unwrap_or(unpacked);
        let found = [name, file, stem].into_iter().find_map(|name| self.runs.get_key_value(name));
        found
            .map(|(run, answers)| RunAnswers { run, answers })
            .ok_or_else(|| UnknownRun { name: name.to_owned(), known: self.runs.keys().cloned().collect() })
    }
}

impl<'a> RunAnswers<'a> {
    /// The answer to a topic.
    #[must_use]
    pub fn get(&self, topic: &str) -> Option<DocId<'a>> {
        self.answers.get(topic).map(|answer| DocId(answer))
    }

    /// All answers, topics in the order people list them.
    #[must_use]
    pub fn all(&self) -> Vec<(&'a TopicId, DocId<'a>)> {
        let mut all: Vec<_> = self.answers.iter().map(|(topic, answer)| (topic, DocId(answer))).collect();
        all.sort_by(|left, right| left.0.natural_cmp(right.0));
        all
    }
}

/// Reads which answer each run gave.
///
/// ```
/// use formats::{Source, read_answers};
/// let (answers, _) = read_answers(Source::bytes("map.tsv", "run-a\tA.301\td_1\r\n"))?;
/// assert_eq!(answers.run("runs/run-a.tsv").unwrap().get("A.301").unwrap().as_str(), "d_1");
/// # Ok::<(), formats::Error>(())
/// ```
///
/// # Errors
///
/// When the file cannot be read, a line has not three columns, or a run has
/// two answers to a topic.
pub fn read_answers(source: Source<'_>) -> Result<(AnswerMap, Vec<Note>), Error> {
    let source = source.read()?;
    let mut records = Records::new(&source.name, source.text.as_bytes(), Delimiter::Tab, Quoting::Csv);
    let mut map = AnswerMap::default();
    let mut notes = Vec::new();
    while records.advance()? {
        let record = records.record();
        if record.len() != 3 {
            let reason = format!("{} columns where run, topic and answer were expected", record.len());
            return Err(records.bad(record.len().min(3), reason));
        }
        let [run, topic, answer] = [0, 1, 2].map(|at| record.get(at).unwrap_or_default().trim());
        if let Some(at) = [run, topic, answer].iter().position(|field| field.is_empty()) {
            return Err(records.bad(at, "nothing in this column"));
        }
        let answers = map.runs.entry(run.into()).or_default();
        match answers.insert(topic.into(), answer.into()) {
            None => {}
            Some(before) if *before == *answer => {
                let text = format!("run {run} has this answer to {topic} already; read once");
                notes.push(Note { place: records.place(0), text });
            }
            Some(before) => {
                let reason = format!("run {run} answers {topic} with {answer} here and with {before} above");
                return Err(records.bad(2, reason));
            }
        }
    }
    Ok((map, notes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_run_and_topic() {
        let text = "b\tA.10\td_1\r\nb\tA.9\td_2\r\na.v2\tA.9\td_2\r\nb\tA.9\td_2";
        let (map, notes) = read_answers(Source::bytes("t", text)).unwrap();
        assert_eq!(map.len(), 3);
        assert_eq!(notes[0].to_string(), "t:4:1: run b has this answer to A.9 already; read once");
        let run = map.run("b").unwrap();
        let all: Vec<_> =
            run.all().into_iter().map(|(topic, answer)| (topic.as_str(), answer.as_str())).collect();
        assert_eq!(all, [("A.9", "d_2"), ("A.10", "d_1")]);
        assert_eq!(run.get("A.11"), None);
        assert_eq!(map.run("x/a.v2.tsv.gz").unwrap().run.as_str(), "a.v2");
        let error = map.run("c").unwrap_err();
        assert_eq!(error.to_string(), "no answers of a run \"c\"; there are those of: a.v2, b");
    }

    #[test]
    fn damaged_lines_are_placed() {
        let check = |text: &str, expected: &str| {
            let error = read_answers(Source::bytes("t", text)).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{text}\n{error}");
        };
        check("a\tA.1\n", "t:1:6: 2 columns where run, topic and answer were expected");
        check("a\tA.1\td\td\n", "t:1:9: 4 columns");
        check("a\t\td\n", "t:1:3: nothing in this column");
        check("a\tA.1\td_1\na\tA.1\td_2\n", "t:2:7: run a answers A.1 with d_2 here and with d_1 above");
    }
}
