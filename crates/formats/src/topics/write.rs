//! Writing topics, and saying what a format could not hold.
//!
//! No format holds all that a [`Topic`] can say. What is written is therefore
//! read back, and whatever differs is named: if nothing is, then reading the
//! file gives exactly the topics that were written.

use super::read::{LineEnd, TopicFormat, read_text};
use super::{Formula, Representation, Role, Topic, Topics, arqmath, formulas, ntcir, tables};
use crate::error::Error;
use crate::ids::TopicId;
use crate::source::SourceText;
use std::fmt;

/// A file of topics, to be saved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The content of the file.
    pub text: String,
    /// What the format could not hold, in the order of the topics.
    pub lost: Vec<Loss>,
}

/// A part of a topic that a format could not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loss {
    /// The topic.
    pub topic: TopicId,
    /// The part, such as `keywords`.
    pub part: &'static str,
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.topic, self.part)
    }
}

/// Writes topics in a format. ARQMath's XML is written byte for byte as the
/// lab does.
///
/// ```
/// use formats::{LineEnd, Source, TopicFormat, read_topics, write_topics};
/// let topics = read_topics(Source::bytes("q.tsv", "B.1\tx<y\n"))?.topics;
/// let written = write_topics(&topics, TopicFormat::NtcirXml, LineEnd::Lf)?;
/// assert!(written.text.contains("x&lt;y") && written.lost.is_empty());
/// # Ok::<(), formats::Error>(())
/// ```
///
/// # Errors
///
/// When what would be written could not be read, for example because XML
/// cannot hold a character, and for the formats of pya0, which are only read.
pub fn write_topics(topics: &Topics, format: TopicFormat, line_end: LineEnd) -> Result<Written, Error> {
    let text = match format {
        TopicFormat::ArqmathXml => line_end.apply(arqmath::write(topics)),
        TopicFormat::NtcirXml => line_end.apply(ntcir::write(topics)),
        TopicFormat::FormulaTsv => formulas::write(topics, Representation::Latex, line_end),
        TopicFormat::LatexTsv => tables::write_simple(topics, tables::Second::Latex, line_end),
        TopicFormat::TextTsv => tables::write_simple(topics, tables::Second::Text, line_end),
        TopicFormat::Table => tables::write_table(topics, line_end),
        TopicFormat::Pya0Tsv | TopicFormat::Pya0Json => {
            let reason = "this format is only read; write a table of topics".to_owned();
            return Err(Error::File { file: format.to_string(), reason });
        }
    };
    check(topics, text, format)
}

/// Writes the formulas of topics in one representation, as ARQMath's tables
/// do; formulas that are not given in it have no line. Only what such a table
/// is for counts as lost.
///
/// # Errors
///
/// When a formula has no id or two have the same.
pub fn write_topic_formulas(
    topics: &Topics,
    representation: Representation,
    line_end: LineEnd,
) -> Result<Written, Error> {
    let only = |formula: &Formula| {
        let mut kept = Formula::new(Role::Context);
        kept.id.clone_from(&formula.id);
        kept.site = formula.site;
        *kept.slot(representation) = formula.get(representation).map(str::to_owned);
        kept
    };
    let list = topics
        .iter()
        .map(|topic| {
            let mut kept = Topic::new(topic.id.clone());
            kept.thread.clone_from(&topic.thread);
            let formulas =
                topic.formulas.iter().filter(|formula| formulas::has_line(formula, representation));
            kept.formulas = formulas.map(only).collect();
            kept
        })
        .filter(|topic| !topic.formulas.is_empty())
        .collect();
    let topics = Topics::new(list)
        .map_err(|error| Error::File { file: NAME.to_owned(), reason: error.to_string() })?;
    let text = formulas::write(&topics, representation, line_end);
    check(&topics, text, TopicFormat::FormulaTsv)
}

/// What the text is called if it cannot be read back.
const NAME: &str = "the topics as written";

fn check(topics: &Topics, text: String, format: TopicFormat) -> Result<Written, Error> {
    let source = SourceText { name: NAME.to_owned(), text };
    let back = read_text(&source, format)?.topics;
    let lost = topics.iter().flat_map(|topic| losses(topic, back.get(topic.id.as_str()))).collect();
    Ok(Written { text: source.text, lost })
}

fn losses(topic: &Topic, back: Option<&Topic>) -> Vec<Loss> {
    let Some(back) = back else { return vec![Loss { topic: topic.id.clone(), part: "all of it" }] };
    let parts = [
        (topic.title == back.title, "title"),
        (topic.question == back.question, "question"),
        (topic.tags == back.tags, "tags"),
        (topic.keywords == back.keywords, "keywords"),
        (topic.scenario == back.scenario, "scenario"),
        (topic.criteria == back.criteria, "criteria"),
        (topic.thread == back.thread, "thread"),
        (topic.formulas == back.formulas, "formulas"),
    ];
    parts.iter().filter(|(same, _)| !same).map(|(_, part)| Loss { topic: topic.id.clone(), part }).collect()
}

impl LineEnd {
    /// The characters.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Lf => "\n",
            Self::CrLf => "\r\n",
        }
    }

    fn apply(self, text: String) -> String {
        match self {
            Self::Lf => text,
            Self::CrLf => text.replace('\n', "\r\n"),
        }
    }
}
