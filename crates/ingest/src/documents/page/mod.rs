//! Pages: one file is one document.
//!
//! Markdown has its title in its front matter or first heading, HTML in
//! `<title>`, LaTeX in `\title{…}`; what a page without any of these is called
//! is the builder's. Collections such as NTCIR's are pages of
//! XHTML with MathML, named by their files; what pages are called is told by
//! [`page_ids`](super::page_ids).

mod html;
mod latex;
mod markdown;

use std::io::{self, BufRead, Read};

use store::{Date, PostKind};

use super::{DocumentInput, Item, LIMIT, PageId, Sink, decode};
use crate::{At, Dirt, DirtKind, Markup, RawPost, Record};

/// How a page is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `.md`, `.markdown`
    Markdown,
    /// `.html`, `.htm`, `.xhtml`
    Html,
    /// `.tex`
    Latex,
}

const ENDINGS: [(&str, Kind); 6] = [
    (".md", Kind::Markdown),
    (".markdown", Kind::Markdown),
    (".html", Kind::Html),
    (".htm", Kind::Html),
    (".xhtml", Kind::Html),
    (".tex", Kind::Latex),
];

impl Kind {
    /// The kind that a file's name tells.
    #[must_use]
    pub fn of(name: &str) -> Option<Self> {
        Self::split(name).map(|(_, kind)| kind)
    }

    /// A file's name without the ending that tells its kind.
    #[must_use]
    pub fn without_ending(name: &str) -> &str {
        Self::split(name).map_or(name, |(start, _)| start)
    }

    fn split(name: &str) -> Option<(&str, Self)> {
        ENDINGS.iter().find_map(|(ending, kind)| {
            let start = name.len().checked_sub(ending.len()).filter(|start| *start > 0)?;
            let ends = name.get(start..)?.eq_ignore_ascii_case(ending);
            (ends && !name[..start].ends_with('/')).then(|| (&name[..start], *kind))
        })
    }
}

/// What a page says about itself.
#[derive(Debug, Default)]
struct Parts {
    id: Option<String>,
    title: Option<String>,
    tags: Vec<String>,
    date: Option<String>,
    body: String,
}

/// Reads a page; what is longer than [`LIMIT`] is cut there.
///
/// # Errors
///
/// When reading fails; nothing is given then.
pub fn read(input: &DocumentInput<'_>, reader: &mut dyn BufRead, sink: &mut Sink<'_>) -> io::Result<()> {
    let mut bytes = Vec::new();
    reader.take(LIMIT as u64 + 1).read_to_end(&mut bytes)?;
    let too_long = bytes.len() > LIMIT;
    bytes.truncate(LIMIT);
    if too_long {
        // A character that the cut splits is no bad encoding.
        let start = bytes.iter().rposition(|byte| *byte & 0xc0 != 0x80).unwrap_or(0);
        if LIMIT - start < 4 && std::str::from_utf8(&bytes[start..]).is_err() {
            bytes.truncate(start);
        }
    }
    let (text, bad) = decode(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes));
    drop(bytes);

    let kind = Kind::of(input.path).unwrap_or(Kind::Markdown);
    let alone;
    let names = match input.page_id {
        Some(names) => names,
        None => {
            alone = PageId::alone(input.path);
            &alone
        }
    };
    let (markup, mut id, parts) = match kind {
        Kind::Markdown => (Markup::Markdown, names.path.clone(), markdown::parts(&text)),
        Kind::Latex => (Markup::Latex, names.path.clone(), latex::parts(text)),
        Kind::Html => {
            let stem = names.stem.as_ref().filter(|_| html::has_math(&text));
            (Markup::Html, stem.unwrap_or(&names.path).clone(), html::parts(text))
        }
    };
    if let Some(own) = parts.id {
        id = own;
    }

    let at = At { file: input.file, line: 1 };
    let about = format!("post {id}");
    let date = parts.date.as_deref().and_then(Date::parse);
    let mut dirt = Vec::new();
    if let (Some(text), None) = (&parts.date, date) {
        dirt.push((DirtKind::BadDate, text.as_str()));
    }
    if bad {
        dirt.push((DirtKind::BadEncoding, ""));
    }
    if too_long {
        dirt.push((DirtKind::TooLong, input.path));
    }
    let dirt = dirt.into_iter().map(|(kind, detail)| Item::Dirt(Dirt::new(kind, at, about.clone(), detail)));
    let dirt: Vec<Item> = dirt.collect();
    let post = RawPost {
        at,
        id,
        kind: PostKind::Document,
        parent: None,
        accepted: None,
        markup,
        title: parts.title.filter(|title| !title.is_empty()),
        body: parts.body,
        tags: parts.tags,
        score: None,
        date,
        owner: None,
        views: None,
    };
    for item in std::iter::once(Item::Record(Record::Post(post))).chain(dirt) {
        if sink(item).is_break() {
            break;
        }
    }
    Ok(())
}
