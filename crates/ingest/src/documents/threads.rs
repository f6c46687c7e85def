//! Questions with their answers and comments, as a text that people write by hand.
//!
//! A line `=== question ID`, `--- answer ID` or `... comment ID` begins a post
//! or comment. Lines `key: value` follow, then an empty line and the text in
//! Markdown. An answer belongs to the question above it, a comment to the
//! question or answer above it.
//!
//! | key | in | what it is |
//! |---|---|---|
//! | `title`, `tags` | questions | a text; tags between commas |
//! | `score`, `date`, `owner` | all | a number, a date, a user's id |
//! | `views`, `accepted` | questions | a number; the id of an answer |
//! | `duplicate-of`, `related` | questions | ids of questions between commas |

use std::io::{self, BufRead};
use std::ops::ControlFlow;
use std::str::FromStr;

use store::{Date, LinkKind, PostKind};

use super::lines::{End, Lines};
use super::{DocumentInput, Item, LIMIT, Sink, decode, split_tags};
use crate::{At, Dirt, DirtKind, Markup, RawComment, RawLink, RawPost, Record};

/// Whether a file that begins so holds threads.
pub(super) fn begins(start: &[u8]) -> bool {
    start.starts_with(b"=== question ")
}

/// Reads a file of threads.
///
/// # Errors
///
/// When reading fails; what was whole before was given.
pub fn read(input: &DocumentInput<'_>, reader: &mut dyn BufRead, sink: &mut Sink<'_>) -> io::Result<()> {
    let mut lines = Lines::new(reader, LIMIT);
    let mut thread = Thread { question: None, post: None, part: None, stray: false };
    loop {
        let line = match lines.next() {
            Ok(Some(line)) => line,
            Ok(None) => break,
            Err(error) => {
                if let Some(part) = thread.part {
                    let dirt = Dirt::new(DirtKind::CutShort, part.at, part.about(), &error.to_string());
                    // The error ends the reading whatever the sink says.
                    let _ = sink(Item::Dirt(dirt));
                }
                return Err(error);
            }
        };
        let (number, bytes, end) = line;
        if thread.line(At { file: input.file, line: number }, bytes, end, sink).is_break() {
            return Ok(());
        }
    }
    // It is over either way.
    let _ = thread.finish(sink);
    Ok(())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PartKind {
    Question,
    Answer,
    Comment,
}

impl PartKind {
    /// The kind and id of a line that begins a post or comment; the id may be empty.
    ///
    /// A line with more words is text, since Markdown may have `--- answer me this`.
    fn of(line: &[u8]) -> Option<(Self, &str)> {
        if !matches!(line.first(), Some(b'=' | b'-' | b'.')) || line.len() > 1000 {
            return None;
        }
        let line = std::str::from_utf8(line).ok()?;
        let mut words = line.split_whitespace();
        let kind = match (words.next()?, words.next()?) {
            ("===", "question") if line.starts_with("===") => Self::Question,
            ("---", "answer") if line.starts_with("---") => Self::Answer,
            ("...", "comment") if line.starts_with("...") => Self::Comment,
            _ => return None,
        };
        let id = words.next().unwrap_or("");
        words.next().is_none().then_some((kind, id))
    }

    fn noun(self) -> &'static str {
        if self == Self::Comment { "comment" } else { "post" }
    }

    fn has(self, key: &str) -> bool {
        match key {
            "score" | "date" | "owner" => true,
            "title" | "tags" | "views" | "accepted" | "duplicate-of" | "related" => self == Self::Question,
            _ => false,
        }
    }
}

/// A post or comment of which all lines so far are known.
struct Part {
    at: At,
    kind: PartKind,
    id: String,
    header: Vec<(String, String, At)>,
    header_ended: bool,
    body: Vec<u8>,
    too_long: bool,
    bad_encoding: bool,
    dirt: Vec<Dirt>,
}

struct Thread {
    /// The question under which answers stand.
    question: Option<String>,
    /// The post under which comments stand.
    post: Option<String>,
    part: Option<Part>,
    /// Whether text before the first post was met.
    stray: bool,
}

impl Thread {
    fn line(&mut self, at: At, bytes: &[u8], end: End, sink: &mut Sink<'_>) -> ControlFlow<()> {
        if let Some((kind, id)) = PartKind::of(bytes) {
            let part = Part::new(at, kind, id);
            self.finish(sink)?;
            self.part = Some(part);
            return ControlFlow::Continue(());
        }
        if let Some(part) = &mut self.part {
            part.line(at, bytes, end);
        } else if !bytes.trim_ascii().is_empty() && !self.stray {
            self.stray = true;
            let detail = String::from_utf8_lossy(&bytes[..bytes.len().min(200)]);
            return sink(Item::Dirt(Dirt::new(DirtKind::BrokenRow, at, "", &detail)));
        }
        ControlFlow::Continue(())
    }

    /// Gives the post or comment that is now whole.
    fn finish(&mut self, sink: &mut Sink<'_>) -> ControlFlow<()> {
        let Some(mut part) = self.part.take() else { return ControlFlow::Continue(()) };
        let id = Some(part.id.clone()).filter(|id| !id.is_empty());
        let mut records = Vec::new();
        match part.kind {
            PartKind::Question => {
                records = part.question();
                (self.question, self.post) = (id.clone(), id.clone());
            }
            PartKind::Answer => {
                records.push(Record::Post(part.post(PostKind::Answer, self.question.clone())));
                self.post = id.clone();
            }
            PartKind::Comment => match self.post.clone() {
                Some(post) => records.push(Record::Comment(part.comment(post))),
                None => part.dirt(DirtKind::OrphanComment, part.at, ""),
            },
        }
        if id.is_none() {
            records.clear();
            part.dirt(DirtKind::MissingId, part.at, "");
        }
        for record in records {
            sink(Item::Record(record))?;
        }
        for dirt in part.dirt {
            sink(Item::Dirt(dirt))?;
        }
        ControlFlow::Continue(())
    }
}

impl Part {
    fn new(at: At, kind: PartKind, id: &str) -> Self {
        Self {
            at,
            kind,
            id: id.to_owned(),
            header: Vec::new(),
            header_ended: false,
            body: Vec::new(),
            too_long: false,
            bad_encoding: false,
            dirt: Vec::new(),
        }
    }

    fn about(&self) -> String {
        format!("{} {}", self.kind.noun(), self.id).trim_end().to_owned()
    }

    fn dirt(&mut self, kind: DirtKind, at: At, detail: &str) {
        self.dirt.push(Dirt::new(kind, at, self.about(), detail));
    }

    fn line(&mut self, at: At, bytes: &[u8], end: End) {
        if self.header_ended {
            let room = LIMIT - self.body.len().min(LIMIT);
            self.too_long |= end == End::TooLong || bytes.len() >= room;
            if !self.too_long {
                self.body.extend_from_slice(bytes);
                self.body.push(b'\n');
            } else if room > 0 {
                self.body.extend_from_slice(&bytes[..bytes.len().min(room)]);
                self.body.resize(LIMIT.min(self.body.len() + 1), b'\n');
            }
        } else if bytes.trim_ascii().is_empty() {
            self.header_ended = true;
        } else {
            self.header_line(at, bytes);
        }
    }

    fn header_line(&mut self, at: At, bytes: &[u8]) {
        let (text, bad) = decode(bytes);
        self.bad_encoding |= bad;
        let Some((key, value)) = text.split_once(':').map(|(key, value)| (key.trim(), value.trim())) else {
            return self.dirt(DirtKind::BrokenRow, at, &text);
        };
        if !self.kind.has(key) {
            return self.dirt(DirtKind::UnknownElement, at, key);
        }
        if self.header.iter().any(|(other, _, _)| other == key) {
            return self.dirt(DirtKind::RepeatedAttribute, at, key);
        }
        self.header.push((key.to_owned(), value.to_owned(), at));
    }

    /// The value of a key and where it stands, if it is not empty.
    fn found(&self, key: &str) -> Option<(String, At)> {
        let (_, value, at) = self.header.iter().find(|(other, _, _)| other == key)?;
        Some((value.clone(), *at)).filter(|(value, _)| !value.is_empty())
    }

    fn value(&self, key: &str) -> Option<String> {
        self.found(key).map(|(value, _)| value)
    }

    fn number<N: FromStr>(&mut self, key: &str) -> Option<N> {
        let (value, at) = self.found(key)?;
        // People write a minus as a minus.
        let number = value.replace('−', "-").parse().ok();
        if number.is_none() {
            self.dirt(DirtKind::BadNumber, at, &format!("{key}: {value}"));
        }
        number
    }

    fn date(&mut self) -> Option<Date> {
        let (value, at) = self.found("date")?;
        let date = Date::parse(&value);
        if date.is_none() {
            self.dirt(DirtKind::BadDate, at, &value);
        }
        date
    }

    fn text(&mut self) -> String {
        let (text, bad) = decode(&std::mem::take(&mut self.body));
        if bad || self.bad_encoding {
            self.dirt(DirtKind::BadEncoding, self.at, "");
        }
        if self.too_long {
            self.dirt(DirtKind::TooLong, self.at, "");
        }
        // An indented first line may be code, so only whole lines are blank.
        let start = text.len() - text.trim_start().len();
        let start = text[..start].rfind('\n').map_or(0, |at| at + 1);
        text[start..].trim_end().to_owned()
    }

    fn post(&mut self, kind: PostKind, parent: Option<String>) -> RawPost {
        RawPost {
            at: self.at,
            id: self.id.clone(),
            kind,
            parent,
            accepted: self.value("accepted"),
            markup: Markup::Markdown,
            title: self.value("title"),
            body: self.text(),
            tags: self.value("tags").map_or_else(Vec::new, |tags| split_tags(&tags)),
            score: self.number("score"),
            date: self.date(),
            owner: self.value("owner"),
            views: self.number("views"),
        }
    }

    /// The question and the links from it.
    fn question(&mut self) -> Vec<Record> {
        let mut records = vec![Record::Post(self.post(PostKind::Question, None))];
        for (key, kind) in [("duplicate-of", LinkKind::Duplicate), ("related", LinkKind::Related)] {
            let Some((ids, at)) = self.found(key) else { continue };
            let link = |to| Record::Link(RawLink { at, from: self.id.clone(), to, kind, date: None });
            records.extend(split_tags(&ids).into_iter().map(link));
        }
        records
    }

    fn comment(&mut self, post: String) -> RawComment {
        RawComment {
            at: self.at,
            id: self.id.clone(),
            post,
            markup: Markup::Markdown,
            text: self.text(),
            score: self.number("score"),
            date: self.date(),
            owner: self.value("owner"),
        }
    }
}
