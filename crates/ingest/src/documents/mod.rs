//! Which documents are there in a file? Readers of lines of JSON, of threads and of pages.
//!
//! A reader turns the bytes of one input into [`Item`]s, one document in
//! memory at a time: a record as it stands in the file, or a piece of dirt
//! that says what could not be used. Bytes that are not UTF-8 become U+FFFD,
//! with one piece of dirt for each document that has some. Whether records
//! fit together, and what a post without a title or text means, is the
//! builder's.

mod ids;
pub mod jsonl;
mod lines;
pub mod page;
pub mod threads;
mod topics;

use std::io::{self, BufRead};
use std::ops::ControlFlow;

use crate::{Dirt, Record};

pub use ids::{PageId, page_ids};
pub use topics::{SampleTopic, read_topics};

/// How long a line of JSON, a post or a page may be, in bytes.
pub const LIMIT: usize = 64 << 20;

/// The file that a reader reads.
#[derive(Clone, Copy, Debug)]
pub struct DocumentInput<'a> {
    /// Its number in the list of inputs.
    pub file: u32,
    /// Its path below what was listed, with `/` and without packing.
    pub path: &'a str,
    /// Its id if it is a page, given by [`page_ids`]; without, it is named as if there were no other file.
    pub page_id: Option<&'a PageId>,
}

/// What a reader gives.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// Something that the file says.
    Record(Record),
    /// Something that is wrong with it.
    Dirt(Dirt),
}

/// Where items go; after `Break` there are no more.
pub type Sink<'a> = dyn FnMut(Item) -> ControlFlow<()> + 'a;

/// How the documents of a file are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A JSON object on each line: [`jsonl`].
    Jsonl,
    /// Questions with their answers and comments: [`threads`].
    Threads,
    /// Topics beside such threads: [`read_topics`].
    Topics,
    /// One document: [`page`].
    Page,
}

impl Format {
    /// Its name in messages.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Jsonl => "jsonl",
            Self::Threads => "threads",
            Self::Topics => "topics",
            Self::Page => "page",
        }
    }
}

/// The format of a file, told by its name without packing and by how it begins; 4 KiB are enough.
///
/// Threads and topics are told by their first line, which no other format
/// has; pages and lines of JSON by the ending of the name. A name without an
/// ending that is known here is lines of JSON if it begins with an object.
#[must_use]
pub fn format_of(name: &str, start: &[u8]) -> Option<Format> {
    let start = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start).trim_ascii_start();
    if threads::begins(start) {
        return Some(Format::Threads);
    }
    if topics::begins(start) {
        return Some(Format::Topics);
    }
    if page::Kind::of(name).is_some() {
        return Some(Format::Page);
    }
    let ending = name.rsplit_once('.').map_or(String::new(), |(_, ending)| ending.to_ascii_lowercase());
    match ending.as_str() {
        "jsonl" | "ndjson" => Some(Format::Jsonl),
        "xml" | "tsv" | "csv" => None,
        // An object that goes over several lines is some other JSON.
        _ => {
            let line = start.split(|byte| *byte == b'\n').next().unwrap_or(start).trim_ascii_end();
            let whole = line.ends_with(b"}") || (line.len() == start.len() && line.len() > 1000);
            let object = line
                .strip_prefix(b"{")
                .is_some_and(|rest| matches!(rest.trim_ascii_start().first(), Some(b'"' | b'}')));
            (object && whole).then_some(Format::Jsonl)
        }
    }
}

/// Reads the documents of one file.
///
/// # Errors
///
/// When reading fails; what came before was given. Topics are no documents and give nothing.
pub fn read(
    format: Format,
    input: &DocumentInput<'_>,
    reader: &mut dyn BufRead,
    sink: &mut Sink<'_>,
) -> io::Result<()> {
    match format {
        Format::Jsonl => jsonl::read(input, reader, sink),
        Format::Threads => threads::read(input, reader, sink),
        Format::Topics => Ok(()),
        Format::Page => page::read(input, reader, sink),
    }
}

/// A text of any bytes, and whether some of them were not UTF-8.
fn decode(bytes: &[u8]) -> (String, bool) {
    match std::str::from_utf8(bytes) {
        Ok(text) => (text.to_owned(), false),
        Err(_) => (String::from_utf8_lossy(bytes).into_owned(), true),
    }
}

/// The tags in a text: `<a><b>`, `|a|b|`, `[a, b]`, `a, b` or `a b`.
fn split_tags(text: &str) -> Vec<String> {
    let text = text.trim();
    let text = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    let separators: &[char] = if text.contains('<') {
        &['<', '>']
    } else if text.contains('|') {
        &['|']
    } else if text.contains(',') {
        &[',']
    } else {
        &[' ', '\t']
    };
    let tags = text.split(separators).map(|tag| unquoted(tag.trim()));
    tags.filter(|tag| !tag.is_empty()).map(str::to_owned).collect()
}

/// A text without the quotes around it.
fn unquoted(text: &str) -> &str {
    let inside = |quote| text.strip_prefix(quote).and_then(|text: &str| text.strip_suffix(quote));
    inside('"').or_else(|| inside('\'')).unwrap_or(text)
}
