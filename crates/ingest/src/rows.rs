//! Rows of a dump: `<row a="…" b="…"/>`, cut out of files of any size.
//!
//! `<` cannot stand inside an attribute, so every `<` begins something new, and
//! whatever is wrong with one row, the next is found again.

use crate::dirt::{Dirt, DirtKind};
use crate::record::At;
use memchr::{memchr, memchr_iter, memmem};
use std::borrow::Cow;
use std::io::{self, BufRead};
use std::ops::ControlFlow;

/// How much of a file is worked on at once.
const PIECE: usize = 1 << 20;

/// A row may not be longer than this: a lost quote must not pull a file into memory.
const LONGEST: usize = 1 << 26;

/// A piece of a file that begins and ends between rows.
#[derive(Debug)]
pub(crate) struct Piece {
    bytes: Vec<u8>,
    file: u32,
    line: u64,
    last: bool,
    /// What is missing, if the file ends before its root does.
    missing: Option<String>,
}

/// Cuts a file into pieces; gives the number of bytes.
pub(crate) fn pieces(
    reader: &mut dyn BufRead,
    file: u32,
    put: &mut dyn FnMut(Piece) -> ControlFlow<()>,
) -> io::Result<u64> {
    let mut line = 1;
    let mut total = 0;
    let mut bytes: Vec<u8> = Vec::with_capacity(2 * PIECE);
    let (mut root, mut has_rows) = (Root::None, false);
    loop {
        let wanted = bytes.len() + PIECE;
        let mut ended = Ok(false);
        while bytes.len() < wanted {
            match reader.fill_buf() {
                Ok([]) => {
                    ended = Ok(true);
                    break;
                }
                Ok(some) => {
                    bytes.extend_from_slice(some);
                    let length = some.len();
                    reader.consume(length);
                    total += length as u64;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    ended = Err(error);
                    break;
                }
            }
        }
        let last = !matches!(ended, Ok(false));
        let cut = if last { bytes.len() } else { memmem::rfind(&bytes, b"<row").unwrap_or(0) };
        if cut == 0 && !last && bytes.len() < LONGEST {
            continue;
        }
        // A row that never ends is given as it is, and found to be broken.
        let cut = if cut == 0 { bytes.len() } else { cut };
        let rest = bytes.split_off(cut);
        if !has_rows && root == Root::None {
            root = Root::of(&bytes);
        }
        has_rows |= memmem::find(&bytes, b"<row").is_some();
        // An error says itself that there is more.
        let missing = if matches!(ended, Ok(true)) { root.missing(&bytes, has_rows) } else { None };
        let piece = Piece { file, line, last, missing, bytes: std::mem::replace(&mut bytes, rest) };
        line += memchr_iter(b'\n', &piece.bytes).count() as u64;
        if put(piece).is_break() {
            return Ok(total);
        }
        if last {
            return ended.map(|_| total);
        }
    }
}

/// What stands in a piece.
#[derive(Debug)]
pub(crate) enum Found<'a> {
    Row(At, Attributes<'a>),
    Dirt(Dirt),
}

/// The attributes of a row.
#[derive(Debug, Default)]
pub(crate) struct Attributes<'a>(Vec<(&'a str, Cow<'a, str>)>);

impl<'a> Attributes<'a> {
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        let found = self.0.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| value.as_ref())
    }

    /// Takes a value out; the first, if it is given twice.
    pub(crate) fn take(&mut self, name: &str) -> Option<String> {
        let found = self.0.iter_mut().find(|(known, _)| *known == name);
        found.map(|(_, value)| std::mem::take(value).into_owned())
    }
}

impl Piece {
    /// All rows, and what is between them that should not be.
    pub(crate) fn each(&self, put: &mut dyn FnMut(Found<'_>)) {
        let mut line = self.line;
        let mut counted = 0;
        let mut at = memchr(b'<', &self.bytes).unwrap_or(self.bytes.len());
        while at < self.bytes.len() {
            line += memchr_iter(b'\n', &self.bytes[counted..at]).count() as u64;
            counted = at;
            let place = At { file: self.file, line };
            let next = memchr(b'<', &self.bytes[at + 1..]).map_or(self.bytes.len(), |next| at + 1 + next);
            let mut element = &self.bytes[at..next];
            if element.starts_with(b"<!--") {
                let end =
                    memmem::find(&self.bytes[at..], b"-->").map_or(self.bytes.len(), |end| at + end + 3);
                at = memchr(b'<', &self.bytes[end..]).map_or(self.bytes.len(), |next| end + next);
                continue;
            }
            at = next;
            element = element.trim_ascii_end();
            let is_row = element.strip_prefix(b"<row").and_then(|rest| rest.first());
            if is_row.is_some_and(|after| after.is_ascii_whitespace() || *after == b'/' || *after == b'>') {
                let at_end = at >= self.bytes.len() && self.last;
                if self.row(element, place, at_end, put) == Row::CutShort {
                    return;
                }
            } else if !is_frame(element) {
                let text = String::from_utf8_lossy(element);
                put(Found::Dirt(Dirt::new(DirtKind::UnknownElement, place, "", &text)));
            }
        }
        if let Some(missing) = &self.missing {
            line += memchr_iter(b'\n', &self.bytes[counted..]).count() as u64;
            let place = At { file: self.file, line };
            put(Found::Dirt(Dirt::new(DirtKind::CutShort, place, "", missing)));
        }
    }

    fn row(&self, element: &[u8], place: At, at_end: bool, put: &mut dyn FnMut(Found<'_>)) -> Row {
        let inner = element.strip_prefix(b"<row").unwrap_or(element);
        let Some(inner) = inner.strip_suffix(b"/>").or_else(|| inner.strip_suffix(b">")) else {
            let kind = if at_end { DirtKind::CutShort } else { DirtKind::BrokenRow };
            put(Found::Dirt(Dirt::new(kind, place, "", &String::from_utf8_lossy(element))));
            return if at_end { Row::CutShort } else { Row::Ended };
        };
        let text = match std::str::from_utf8(inner) {
            Ok(text) => Cow::Borrowed(text),
            Err(error) => {
                let from = error.valid_up_to().saturating_sub(20);
                let near = String::from_utf8_lossy(&inner[from..(from + 60).min(inner.len())]);
                put(Found::Dirt(Dirt::new(DirtKind::BadEncoding, place, "", &near)));
                String::from_utf8_lossy(inner)
            }
        };
        match attributes(&text) {
            Ok((attributes, repeated)) => {
                if let Some(name) = repeated {
                    put(Found::Dirt(Dirt::new(DirtKind::RepeatedAttribute, place, "", name)));
                }
                put(Found::Row(place, attributes));
            }
            Err(reason) => {
                put(Found::Dirt(Dirt::new(DirtKind::BrokenRow, place, "", &format!("{reason}: {text}"))));
            }
        }
        Row::Ended
    }
}

/// Whether a row ends before its file does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Row {
    Ended,
    CutShort,
}

/// The element that the rows of a file stand in.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Root {
    /// There is none: a file may be a list of rows.
    None,
    /// It is closed where it is opened.
    Empty,
    /// It is opened under this name.
    Open(String),
}

impl Root {
    /// What a file begins with.
    fn of(bytes: &[u8]) -> Self {
        let text = String::from_utf8_lossy(&bytes[..bytes.len().min(4096)]);
        let mut rest = &*text;
        while let Some((_, element)) = rest.split_once('<') {
            let end = if element.starts_with("!--") { "-->" } else { ">" };
            let Some((element, after)) = element.split_once(end) else { return Self::None };
            rest = after;
            if element.starts_with(['?', '!']) {
                continue;
            }
            let name = element.split([' ', '\t', '\r', '\n', '/']).next().unwrap_or_default();
            return match FileKind::of_root(&name.to_ascii_lowercase()) {
                None => Self::None,
                Some(_) if element.ends_with('/') => Self::Empty,
                Some(_) => Self::Open(name.to_owned()),
            };
        }
        Self::None
    }

    /// What is missing at the end of a file.
    fn missing(&self, end: &[u8], has_rows: bool) -> Option<String> {
        match self {
            Self::None if !has_rows => Some("there is no root element and no row".to_owned()),
            Self::None | Self::Empty => None,
            Self::Open(name) => (!closes(end, name)).then(|| format!("<{name}> is never closed")),
        }
    }
}

/// Whether an element is closed after the last row.
fn closes(bytes: &[u8], name: &str) -> bool {
    let after = memmem::rfind(bytes, b"<row").map_or(bytes, |row| &bytes[row..]);
    let end = memmem::rfind(after, b"</").map(|end| String::from_utf8_lossy(&after[end + 2..]));
    let end = end.as_deref().and_then(|end| end.split_once('>')).map(|(end, _)| end.trim());
    end.is_some_and(|end| end.eq_ignore_ascii_case(name))
}

/// What stands around rows: declarations, instructions, the root, ends of rows.
fn is_frame(element: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(element) else { return false };
    let text = text.to_ascii_lowercase();
    let name = text.trim_start_matches(['<', '/']).trim_end_matches(['>', '/']);
    let name = name.split_ascii_whitespace().next().unwrap_or_default();
    let closed = text.ends_with('>');
    closed
        && (text.starts_with("<?")
            || text.starts_with("<!doctype")
            || name == "row"
            || FileKind::of_root(name).is_some())
}

type Parsed<'a> = (Attributes<'a>, Option<&'a str>);

fn attributes(text: &str) -> Result<Parsed<'_>, &'static str> {
    let mut list: Vec<(&str, Cow<'_, str>)> = Vec::with_capacity(16);
    let mut repeated = None;
    let mut rest = text.trim_ascii();
    while !rest.is_empty() {
        let equals = memchr(b'=', rest.as_bytes()).ok_or("an attribute without a value")?;
        let name = rest[..equals].trim_ascii();
        if name.is_empty() || name.contains(|c: char| c.is_whitespace() || c == '"' || c == '\'') {
            return Err("a name of an attribute that is none");
        }
        rest = rest[equals + 1..].trim_ascii_start();
        let quote = rest.bytes().next().filter(|quote| matches!(quote, b'"' | b'\''));
        let quote = quote.ok_or("a value without quotes")?;
        let end = memchr(quote, &rest.as_bytes()[1..]).ok_or("a quote that is never closed")? + 1;
        let value = unescape(&rest[1..end]);
        if list.iter().any(|(known, _)| *known == name) {
            repeated = repeated.or(Some(name));
        }
        list.push((name, value));
        rest = &rest[end + 1..];
        if rest.starts_with(|c: char| !c.is_whitespace()) {
            return Err("a value that goes on after its quote");
        }
        rest = rest.trim_ascii_start();
    }
    Ok((Attributes(list), repeated))
}

/// Undoes XML's escapes. What is no escape stays as it is.
pub(crate) fn unescape(text: &str) -> Cow<'_, str> {
    if memchr(b'&', text.as_bytes()).is_none() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = memchr(b'&', rest.as_bytes()) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let entity = rest.as_bytes().iter().take(12).position(|byte| *byte == b';');
        let character = entity.and_then(|end| {
            Some((
                end,
                match &rest[1..end] {
                    "lt" => '<',
                    "gt" => '>',
                    "amp" => '&',
                    "quot" => '"',
                    "apos" => '\'',
                    number => {
                        let number = number.strip_prefix('#')?;
                        let number = match number.strip_prefix(['x', 'X']) {
                            Some(number) => u32::from_str_radix(number, 16).ok()?,
                            None => number.parse().ok()?,
                        };
                        char::from_u32(number)
                            .filter(|c| !c.is_control() || matches!(c, '\n' | '\r' | '\t'))?
                    }
                },
            ))
        });
        if let Some((end, character)) = character {
            out.push(character);
            rest = &rest[end + 1..];
        } else {
            out.push('&');
            rest = &rest[1..];
        }
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// What a file of a dump holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum FileKind {
    Posts,
    Comments,
    PostLinks,
    Users,
    Tags,
    Votes,
    Badges,
    PostHistory,
}

impl FileKind {
    const ROOTS: [(&'static str, Self); 8] = [
        ("posthistory", Self::PostHistory),
        ("postlinks", Self::PostLinks),
        ("posts", Self::Posts),
        ("comments", Self::Comments),
        ("users", Self::Users),
        ("tags", Self::Tags),
        ("votes", Self::Votes),
        ("badges", Self::Badges),
    ];

    fn of_root(name: &str) -> Option<Self> {
        Self::ROOTS.iter().find(|(root, _)| *root == name).map(|(_, kind)| *kind)
    }

    /// The kind of a file by its name: `Posts.xml`, `Posts.V1.3.xml`, `posts_2019.xml`.
    pub(crate) fn of_name(name: &str) -> Option<Self> {
        let name = name.to_ascii_lowercase();
        if !name.ends_with(".xml") {
            return None;
        }
        let named = |root: &str| {
            name.strip_prefix(root).is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_alphabetic()))
        };
        Self::ROOTS.iter().find(|(root, _)| named(root)).map(|(_, kind)| *kind)
    }

    /// What its records are called in counts.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Posts => "posts",
            Self::Comments => "comments",
            Self::PostLinks => "links",
            Self::Users => "users",
            Self::Tags => "tags",
            Self::Votes => "votes",
            Self::Badges => "badges",
            Self::PostHistory => "revisions",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<String> {
        let mut found = Vec::new();
        let mut put = |piece: Piece| {
            piece.each(&mut |item| {
                found.push(match item {
                    Found::Row(at, Attributes(list)) => format!("{} {list:?}", at.line),
                    Found::Dirt(dirt) => format!("{} {}", dirt.at.line, dirt.kind.name()),
                });
            });
            ControlFlow::Continue(())
        };
        pieces(&mut text.as_bytes(), 0, &mut put).unwrap();
        found
    }

    #[test]
    fn rows_are_found_whatever_stands_between() {
        let text = "<?xml version=\"1.0\"?>\n<posts>\n <row Id=\"1\" Body=\"&lt;p&gt;a &amp;amp; b&#xA;\"/>\n\
                    <!-- <row Id=\"9\"/> -->\n<row Id='2'></row>\n<what/>\n<row Id=\"3\" Id=\"4\" />\n</posts>\n";
        assert_eq!(
            read(text),
            [
                r#"3 [("Id", "1"), ("Body", "<p>a &amp; b\n")]"#,
                r#"5 [("Id", "2")]"#,
                "6 unknown-element",
                "7 repeated-attribute",
                r#"7 [("Id", "3"), ("Id", "4")]"#,
            ]
        );
    }

    #[test]
    fn broken_rows_cost_themselves_only() {
        let text = "<posts>\n<row Id=\"1\n<row Id=\"2\" Body=x/>\n<row Id/>\n<row Id=\"3\"\n Body=\"b\"/>\n<row Id=\"4\" Bo";
        assert_eq!(
            read(text),
            [
                "2 broken-row",
                "3 broken-row",
                "4 broken-row",
                r#"5 [("Id", "3"), ("Body", "b")]"#,
                "7 cut-short"
            ]
        );
    }

    #[test]
    fn pieces_end_between_rows() {
        let row = format!("<row Id=\"1\" Body=\"{}\"/>\n", "x".repeat(300_000));
        let text = format!("<posts>\n{}</posts>", row.repeat(20));
        let found = read(&text);
        assert_eq!(found.len(), 20);
        assert!(found[19].starts_with("21 ["), "{}", &found[19][..20]);
    }

    #[test]
    fn escapes() {
        for (text, expected) in [
            ("a&lt;b", "a<b"),
            ("&amp;lt;", "&lt;"),
            ("&#65;&#x42;&#0;", "AB&#0;"),
            ("&nbsp; & &;", "&nbsp; & &;"),
            ("&é;", "&é;"),
        ] {
            assert_eq!(unescape(text), expected);
        }
    }

    #[test]
    fn names_say_what_files_hold() {
        for (name, kind) in [
            ("Posts.xml", Some(FileKind::Posts)),
            ("Posts.V1.3.xml", Some(FileKind::Posts)),
            ("PostLinks.V1.0.xml", Some(FileKind::PostLinks)),
            ("PostHistory.xml", Some(FileKind::PostHistory)),
            ("postsecondary.xml", None),
            ("Topics.xml", None),
            ("Posts.tsv", None),
        ] {
            assert_eq!(FileKind::of_name(name), kind, "{name}");
        }
    }
}
