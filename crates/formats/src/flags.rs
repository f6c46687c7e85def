//! Extra assessments of Task 3 answers: was it made by a machine, does it say
//! things that have nothing to do with the question?
//!
//! The file has a header, a topic, an answer id, and two columns of 0 and 1,
//! known by `MG` and `UI` in their names and else by their order. A blank
//! means that nobody was asked, which is not the same as 0.

use crate::delimited::{Delimiter, Header, Quoting, Records};
use crate::error::Error;
use crate::ids::{DocId, TopicId};
use crate::source::Source;
use std::collections::BTreeMap;

/// What assessors said to a yes-or-no question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flag {
    /// 1.
    Yes,
    /// 0.
    No,
    /// Blank.
    NotAssessed,
}

/// The extra assessments of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnswerFlags {
    /// Whether it looks made by a machine.
    pub machine_generated: Flag,
    /// Whether it holds unrelated information.
    pub unrelated_information: Flag,
}

/// The extra assessments of all answers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    topics: BTreeMap<TopicId, BTreeMap<Box<str>, AnswerFlags>>,
}

impl Flags {
    /// The assessments of an answer; `None` if it has no line.
    #[must_use]
    pub fn get(&self, topic: &str, answer: DocId<'_>) -> Option<AnswerFlags> {
        self.topics.get(topic)?.get(answer.as_str()).copied()
    }

    /// All answers that were assessed, by topic.
    pub fn iter(&self) -> impl Iterator<Item = (&TopicId, DocId<'_>, AnswerFlags)> {
        self.topics.iter().flat_map(|(topic, answers)| {
            answers.iter().map(move |(answer, flags)| (topic, DocId(answer), *flags))
        })
    }

    /// How many topics there are.
    #[must_use]
    pub fn num_topics(&self) -> usize {
        self.topics.len()
    }

    /// How many answers there are, over all topics.
    #[must_use]
    pub fn len(&self) -> usize {
        self.topics.values().map(BTreeMap::len).sum()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.topics.is_empty()
    }
}

impl<'a> FromIterator<(TopicId, DocId<'a>, AnswerFlags)> for Flags {
    /// Of several entries for an answer the last counts.
    fn from_iter<I: IntoIterator<Item = (TopicId, DocId<'a>, AnswerFlags)>>(entries: I) -> Self {
        let mut flags = Self::default();
        for (topic, answer, found) in entries {
            flags.topics.entry(topic).or_default().insert(answer.as_str().into(), found);
        }
        flags
    }
}

/// Reads extra assessments.
///
/// ```
/// use formats::{DocId, Flag, Source, read_flags};
/// let flags = read_flags(Source::bytes("t", "Topic\tAnswer\tMG\tUI\nA.301\td_1\t1\t\n"))?;
/// let flags = flags.get("A.301", DocId("d_1")).unwrap();
/// assert_eq!(flags.machine_generated, Flag::Yes);
/// assert_eq!(flags.unrelated_information, Flag::NotAssessed);
/// # Ok::<(), formats::Error>(())
/// ```
///
/// # Errors
///
/// When the file cannot be read or is not such a table, and when an answer has
/// two lines that differ.
pub fn read_flags(source: Source<'_>) -> Result<Flags, Error> {
    let source = source.read()?;
    let mut records = Records::new(&source.name, source.text.as_bytes(), Delimiter::Tab, Quoting::Csv);
    let mut flags = Flags::default();
    if !records.advance()? {
        return Ok(flags);
    }
    let columns = records.record().len();
    if columns < 4 {
        let reason = format!("{columns} columns where a header of topic, answer, MG and UI was expected");
        return Err(records.bad(0, reason));
    }
    if records.record().iter().skip(2).any(|name| flag(name).is_some_and(|flag| flag != Flag::NotAssessed)) {
        return Err(records.bad(0, "this line must be a header, but it holds assessments"));
    }
    let (machine_at, unrelated_at) = find_columns(&Header::new(records.record()));
    while records.advance()? {
        let record = records.record();
        if record.len() > columns {
            return Err(
                records.bad(columns, format!("{} columns where the header has {columns}", record.len()))
            );
        }
        let field = |at: usize| record.get(at).unwrap_or_default().trim();
        if let Some(at) = (0..2).find(|at| field(*at).is_empty()) {
            return Err(records.bad(at, "nothing in this column"));
        }
        let value = |at: usize| {
            flag(field(at))
                .ok_or_else(|| records.bad(at, format!("{:?} where 0, 1 or nothing was expected", field(at))))
        };
        let found = AnswerFlags {
            machine_generated: value(machine_at)?,
            unrelated_information: value(unrelated_at)?,
        };
        let (topic, answer) = (field(0), field(1));
        let answers = flags.topics.entry(topic.into()).or_default();
        if answers.insert(answer.into(), found).is_some_and(|before| before != found) {
            let reason = format!("answer {answer} to {topic} was assessed differently above");
            return Err(records.bad(1, reason));
        }
    }
    Ok(flags)
}

/// Where the two flags stand.
fn find_columns(header: &Header) -> (usize, usize) {
    let machine = header.find(&["mg", "machine_generated", "machine"]);
    let unrelated = header.find(&["ui", "unrelated_information", "unrelated"]);
    match (machine, unrelated) {
        (Some(machine), Some(unrelated)) => (machine, unrelated),
        _ => (2, 3),
    }
}

fn flag(text: &str) -> Option<Flag> {
    match text {
        "1" | "1.0" => Some(Flag::Yes),
        "0" | "0.0" => Some(Flag::No),
        "" => Some(Flag::NotAssessed),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_by_name_and_by_order() {
        let read = |text: &str| {
            let flags = read_flags(Source::bytes("t", text)).unwrap();
            let found = flags.get("A.1", DocId("d_1")).unwrap();
            (flags.len(), found.machine_generated, found.unrelated_information)
        };
        assert_eq!(read("topic\tid\tUI\tMG\r\nA.1\td_1\t0\t1\r\nA.1\td_2\t\t\r\n"), (2, Flag::Yes, Flag::No));
        assert_eq!(read("a\tb\tc\td\nA.1\td_1\t0\t1.0\n"), (1, Flag::No, Flag::Yes));
        assert_eq!(read("a\tb\tc\td\nA.1\td_1\n"), (1, Flag::NotAssessed, Flag::NotAssessed));
    }

    #[test]
    fn damaged_tables_are_placed() {
        let check = |text: &str, expected: &str| {
            let error = read_flags(Source::bytes("t", text)).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{text}\n{error}");
        };
        check("a\tb\tc\n", "t:1:1: 3 columns where a header");
        check("A.1\td_1\t0\t1\n", "t:1:1: this line must be a header");
        check("a\tb\tc\td\nA.1\td_1\t0\t2\n", "t:2:11: \"2\" where 0, 1 or nothing was expected");
        check("a\tb\tc\td\nA.1\t\t0\t1\n", "t:2:5: nothing in this column");
        check("a\tb\tc\td\nA.1\td\t0\t1\nA.1\td\t0\t0\n", "t:3:5: answer d to A.1 was assessed differently");
    }
}
