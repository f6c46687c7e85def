//! Which format is this? Reading topics whatever they are written in.

use super::{Topic, Topics, arqmath, formulas, ntcir, pya0, tables};
use crate::error::{Error, Note, Place};
use crate::source::{Source, SourceText};
use crate::xml::{self, Element};
use std::collections::HashMap;
use std::fmt;

/// The forms in which topics come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TopicFormat {
    /// The XML of ARQMath: `Topic` elements with title, question and tags, and
    /// for Task 2 the formula that is looked for.
    ArqmathXml,
    /// The XML of NTCIR-10, 11 and 12: formulas and keywords.
    NtcirXml,
    /// A table of ARQMath with all formulas of all topics in one representation.
    FormulaTsv,
    /// Two columns without a header: topic and LaTeX.
    LatexTsv,
    /// Two columns without a header: topic and words.
    TextTsv,
    /// A table with a header: `topic` and what else there is, one line a topic.
    Table,
    /// The table of pya0: `qid`, keywords, formulas.
    Pya0Tsv,
    /// The JSON of pya0: `qid`, `tags`, and `kw` with terms and formulas.
    Pya0Json,
}

impl fmt::Display for TopicFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::ArqmathXml => "ARQMath topics (XML)",
            Self::NtcirXml => "NTCIR topics (XML)",
            Self::FormulaTsv => "ARQMath topic formulas (TSV)",
            Self::LatexTsv => "topic and LaTeX (TSV without header)",
            Self::TextTsv => "topic and text (TSV without header)",
            Self::Table => "table of topics (TSV with header)",
            Self::Pya0Tsv => "pya0 topics (TSV)",
            Self::Pya0Json => "pya0 topics (JSON)",
        })
    }
}

/// How lines end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineEnd {
    /// A line feed.
    Lf,
    /// A carriage return and a line feed.
    CrLf,
}

impl LineEnd {
    /// How the first line of a text ends.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let first = text.find('\n').map_or("", |end| &text[..end]);
        if first.ends_with('\r') { Self::CrLf } else { Self::Lf }
    }
}

/// What a file of topics says.
#[derive(Clone, Debug)]
pub struct TopicFile {
    /// The topics.
    pub topics: Topics,
    /// The format it is in.
    pub format: TopicFormat,
    /// How its lines end.
    pub line_end: LineEnd,
    /// What was mended.
    pub notes: Vec<Note>,
}

/// Reads topics in the format that their content shows.
///
/// # Errors
///
/// When the file cannot be read, is in none of the formats, or is damaged; a
/// topic that is there twice is an error, too.
pub fn read_topics(source: Source<'_>) -> Result<TopicFile, Error> {
    let source = source.read()?;
    let format = detect(&source)?;
    read_text(&source, format)
}

/// Reads topics in a given format.
///
/// # Errors
///
/// As [`read_topics`], and when the file is in another format.
pub fn read_topics_as(source: Source<'_>, format: TopicFormat) -> Result<TopicFile, Error> {
    read_text(&source.read()?, format)
}

pub(crate) fn read_text(source: &SourceText, format: TopicFormat) -> Result<TopicFile, Error> {
    let mut builder = Builder::new(&source.name);
    match format {
        TopicFormat::ArqmathXml => arqmath::read(source, &mut builder)?,
        TopicFormat::NtcirXml => ntcir::read(source, &mut builder)?,
        TopicFormat::FormulaTsv => formulas::read(source, &mut builder)?,
        TopicFormat::LatexTsv => tables::read_simple(source, tables::Second::Latex, &mut builder)?,
        TopicFormat::TextTsv => tables::read_simple(source, tables::Second::Text, &mut builder)?,
        TopicFormat::Table => tables::read_table(source, &mut builder)?,
        TopicFormat::Pya0Tsv => pya0::read_tsv(source, &mut builder)?,
        TopicFormat::Pya0Json => pya0::read_json(source, &mut builder)?,
    }
    let Builder { list, notes, .. } = builder;
    let topics = Topics::new(list)
        .map_err(|error| Error::File { file: source.name.clone(), reason: error.to_string() })?;
    Ok(TopicFile { topics, format, line_end: LineEnd::of(&source.text), notes })
}

/// Collects topics and refuses those that come twice.
pub(super) struct Builder {
    file: String,
    list: Vec<Topic>,
    /// The line each topic begins on, and where it is in the list.
    seen: HashMap<String, (usize, usize)>,
    pub(super) notes: Vec<Note>,
}

impl Builder {
    fn new(file: &str) -> Self {
        Self { file: file.to_owned(), list: Vec::new(), seen: HashMap::new(), notes: Vec::new() }
    }

    /// Adds a topic that begins at a place.
    pub(super) fn push(&mut self, topic: Topic, place: Place) -> Result<(), Error> {
        let id = topic.id.as_str();
        if id.is_empty() {
            return Err(Error::Bad { place, reason: "a topic without a number".to_owned() });
        }
        if let Some((line, _)) = self.seen.insert(id.to_owned(), (place.line, self.list.len())) {
            let reason = format!("topic {id} is there twice: on line {line}, too");
            return Err(Error::Bad { place, reason });
        }
        self.list.push(topic);
        Ok(())
    }

    /// Adds a topic that is an element.
    pub(super) fn push_element(
        &mut self,
        topic: Topic,
        source: &SourceText,
        element: &Element<'_>,
    ) -> Result<(), Error> {
        if topic.id.as_str().is_empty() || self.seen.contains_key(topic.id.as_str()) {
            return self.push(topic, xml::place_of(source, element));
        }
        self.push(topic, Place { file: self.file.clone(), line: element.line, column: None })
    }

    /// The topic with that id, made if it is not there yet.
    pub(super) fn entry(&mut self, id: &str, place: Place) -> Result<&mut Topic, Error> {
        let at = match self.seen.get(id) {
            Some((_, at)) => *at,
            None => {
                self.push(Topic::new(id), place)?;
                self.list.len() - 1
            }
        };
        Ok(&mut self.list[at])
    }

    /// Says that something was mended.
    pub(super) fn note(&mut self, place: Place, text: impl Into<String>) {
        self.notes.push(Note { place, text: text.into() });
    }
}

fn detect(source: &SourceText) -> Result<TopicFormat, Error> {
    let start = source.text.trim_start();
    if start.is_empty() {
        let reason = "the file is empty; topics were expected".to_owned();
        return Err(Error::File { file: source.name.clone(), reason });
    }
    if start.starts_with('<') {
        return detect_xml(source);
    }
    if start.strip_prefix('[').is_some_and(|array| array.trim_start().starts_with(['{', ']'])) {
        return Ok(TopicFormat::Pya0Json);
    }
    tables::detect(source)
}

fn detect_xml(source: &SourceText) -> Result<TopicFormat, Error> {
    let root = xml::parse(source)?;
    match root.name {
        "Topics" => Ok(TopicFormat::ArqmathXml),
        "topics" => Ok(TopicFormat::NtcirXml),
        name => {
            let reason = format!("<{name}> where <Topics> (ARQMath) or <topics> (NTCIR) was expected");
            Err(xml::bad(source, root.range.start, reason))
        }
    }
}
