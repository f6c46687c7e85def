//! The readers of documents: what they make of small inputs, whole and broken.
mod jsonl;
mod page;
mod threads;
mod topics;

use std::fmt::Write;
use std::io::{self, BufRead, BufReader, Read};
use std::ops::ControlFlow;

use ingest::documents::{DocumentInput, Format, Item, PageId, format_of, read};
use ingest::{Markup, Record};

/// An item in a line: what is not given is not shown.
fn show(item: &Item) -> String {
    let mut line = String::new();
    macro_rules! field {
        ($name:literal, $value:expr) => {
            if let Some(value) = &$value {
                write!(line, concat!(" ", $name, "={}"), value).unwrap();
            }
        };
    }
    let markup = |markup| {
        Some(markup).filter(|markup| *markup != Markup::Markdown).map(|markup| format!("{markup:?}"))
    };
    match item {
        Item::Record(Record::Post(post)) => {
            write!(line, "{} {}:{} {}", post.kind.name(), post.at.file, post.at.line, post.id).unwrap();
            field!("parent", post.parent);
            field!("accepted", post.accepted);
            field!("markup", markup(post.markup));
            field!("score", post.score);
            field!("date", post.date);
            field!("owner", post.owner);
            field!("views", post.views);
            if !post.tags.is_empty() {
                write!(line, " tags={:?}", post.tags).unwrap();
            }
            if let Some(title) = &post.title {
                write!(line, " title={title:?}").unwrap();
            }
            write!(line, " {:?}", post.body).unwrap();
        }
        Item::Record(Record::Comment(comment)) => {
            write!(line, "comment {}:{} {}", comment.at.file, comment.at.line, comment.id).unwrap();
            field!("post", Some(&comment.post));
            field!("markup", markup(comment.markup));
            field!("score", comment.score);
            field!("date", comment.date);
            field!("owner", comment.owner);
            write!(line, " {:?}", comment.text).unwrap();
        }
        Item::Record(Record::Link(link)) => {
            let (at, kind) = (link.at, link.kind.name());
            write!(line, "link {}:{} {} {} {kind}", at.file, at.line, link.from, link.to).unwrap();
            field!("date", link.date);
        }
        Item::Record(Record::User(user)) => {
            write!(line, "user {}:{} {} {:?}", user.at.file, user.at.line, user.id, user.name).unwrap();
        }
        Item::Dirt(dirt) => {
            write!(line, "! {} {}:{}", dirt.kind.name(), dirt.at.file, dirt.at.line).unwrap();
            write!(line, " [{}] {}", dirt.about, dirt.detail).unwrap();
        }
    }
    line.trim_end().to_owned()
}

/// What a reader gives, and how it ended.
fn items(format: Format, path: &str, reader: impl Read) -> (Vec<String>, io::Result<()>) {
    items_with(format, path, None, reader)
}

fn items_with(
    format: Format,
    path: &str,
    page_id: Option<&PageId>,
    reader: impl Read,
) -> (Vec<String>, io::Result<()>) {
    let mut found = Vec::new();
    let input = DocumentInput { file: 0, path, page_id };
    let mut sink = |item| {
        found.push(show(&item));
        ControlFlow::Continue(())
    };
    let result = read(format, &input, &mut BufReader::new(reader), &mut sink);
    (found, result)
}

fn check(format: Format, path: &str, input: impl AsRef<[u8]>, expected: &[&str]) {
    let (found, result) = items(format, path, input.as_ref());
    result.unwrap();
    assert_eq!(found, expected, "{}", String::from_utf8_lossy(input.as_ref()));
}

/// Gives some bytes and then fails.
struct Failing<'a>(&'a [u8]);

impl Read for Failing<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.0.read(buffer)? {
            0 => Err(io::Error::other("damaged gzip: it ends too early")),
            amount => Ok(amount),
        }
    }
}

#[test]
fn formats_are_told_by_content_and_name() {
    let long = format!("{{\"id\": 1, \"body\": \"{}", "x".repeat(5000));
    for (name, start, expected) in [
        ("a.md", "# Title\n", Some(Format::Page)),
        ("a.md", "=== question 1\n", Some(Format::Threads)),
        ("a", "\u{feff}\n\n=== question 1\n", Some(Format::Threads)),
        ("a.topics.md", "=== topic A.1\n", Some(Format::Topics)),
        ("a.md", "=== questionable\n", Some(Format::Page)),
        ("a.HTML", "", Some(Format::Page)),
        ("a.xhtml", "<?xml version='1.0'?>", Some(Format::Page)),
        ("a.tex", "", Some(Format::Page)),
        ("a.jsonl", "", Some(Format::Jsonl)),
        ("a.ndjson", "x", Some(Format::Jsonl)),
        ("a", "{\"id\": 1}\n", Some(Format::Jsonl)),
        ("a.json", "{ \"id\": 1}\n{}", Some(Format::Jsonl)),
        ("a.json", "{\n \"id\": 1}", None),
        ("a.json", "[{\"id\": 1}]", None),
        ("a", long.as_str(), Some(Format::Jsonl)),
        ("a.tsv", "{\"a\"}", None),
        ("Posts.xml", "<posts>", None),
        ("a.pdf", "%PDF", None),
        ("a", "", None),
        (".md", "", None),
    ] {
        assert_eq!(format_of(name, start.as_bytes()), expected, "{name}: {}", &start[..start.len().min(40)]);
    }
}

#[test]
fn a_sink_that_has_enough_gets_no_more() {
    let threads = "=== question 1\nrelated: 2, 3\nscore: x\n\nText\n--- answer 2\n\nText\n";
    for (format, path, text) in [
        (Format::Jsonl, "a", "{\"id\": 1}\n{\"id\": 2}\n"),
        (Format::Threads, "a", threads),
        (Format::Page, "a.md", "---\ndate: x\n---\nText"),
    ] {
        let mut count = 0;
        let input = DocumentInput { file: 0, path, page_id: None };
        let mut sink = |_| {
            count += 1;
            ControlFlow::Break(())
        };
        let mut reader: &[u8] = text.as_bytes();
        read(format, &input, &mut reader as &mut dyn BufRead, &mut sink).unwrap();
        assert_eq!(count, 1, "{format:?}");
    }
}
