//! Records with their texts cleaned and their formulas found: what workers do.

use crate::dirt::{Dirt, DirtKind};
use crate::record::{RawComment, RawLink, RawPost, RawUser, Record};
use crate::titles;
use markup::{Cleaned, Cleaner, Dollars};
use store::PostKind;

/// A record that is ready for the builder.
#[derive(Debug)]
pub(crate) enum Prepared {
    Post(Box<PreparedPost>),
    Comment(Box<PreparedComment>),
    Link(RawLink),
    User(RawUser),
    PassedOver,
    Dirt(Dirt),
}

#[derive(Debug)]
pub(crate) struct PreparedPost {
    /// The record; its texts are in the fields below.
    pub(crate) raw: RawPost,
    pub(crate) title: Option<Cleaned>,
    pub(crate) body: Cleaned,
}

#[derive(Debug)]
pub(crate) struct PreparedComment {
    /// The record; its text is in the field below.
    pub(crate) raw: RawComment,
    pub(crate) text: Cleaned,
}

/// Cleans the texts of a record.
pub(crate) fn prepare(
    cleaner: &mut Cleaner,
    record: Record,
    dollars: Dollars,
    put: &mut dyn FnMut(Prepared),
) {
    match record {
        Record::Post(mut raw) => {
            let about = format!("post {}", raw.id);
            let mut clean = |text: String| {
                let cleaned = cleaner.clean(&text, raw.markup, dollars);
                for flaw in &cleaned.flaws {
                    let kind = DirtKind::of_flaw(flaw.kind);
                    put(Prepared::Dirt(Dirt::new(kind, raw.at, about.clone(), &flaw.detail)));
                }
                cleaned
            };
            let title = raw.title.take().map(|title| inline(clean(title)));
            let mut body = clean(std::mem::take(&mut raw.body));
            let title = match title {
                None if raw.kind == PostKind::Document => titles::title(&mut body),
                title => title,
            };
            put(Prepared::Post(Box::new(PreparedPost { raw, title, body })));
        }
        Record::Comment(mut raw) => {
            let text = cleaner.clean(&std::mem::take(&mut raw.text), raw.markup, dollars);
            for flaw in &text.flaws {
                let about = format!("comment {}", raw.id);
                put(Prepared::Dirt(Dirt::new(DirtKind::of_flaw(flaw.kind), raw.at, about, &flaw.detail)));
            }
            put(Prepared::Comment(Box::new(PreparedComment { raw, text: inline(text) })));
        }
        Record::Link(raw) => put(Prepared::Link(raw)),
        Record::User(raw) => put(Prepared::User(raw)),
    }
}

/// A single paragraph is a line of text: titles and comments have no blocks of their own.
fn inline(mut cleaned: Cleaned) -> Cleaned {
    let line = cleaned.html.trim();
    let inner = line.strip_prefix("<p>").and_then(|rest| rest.strip_suffix("</p>"));
    if let Some(inner) = inner.filter(|inner| !inner.contains("<p>")) {
        cleaned.html = inner.to_owned();
    }
    cleaned
}
