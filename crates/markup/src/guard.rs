//! A second opinion on HTML that was not well-formed or not harmless: `ammonia`.

use std::collections::{HashMap, HashSet};

use crate::balance::Writer;
use crate::tag::{TAGS, Tag};
use crate::{Notes, entity, html, text};

/// The sanitiser with our list of tags.
pub(crate) struct Guard {
    builder: ammonia::Builder<'static>,
}

impl Guard {
    pub(crate) fn new() -> Self {
        let mut builder = ammonia::Builder::new();
        builder
            .tags(names().collect())
            .tag_attributes(HashMap::from([("a", HashSet::from(["href"]))]))
            .generic_attributes(HashSet::new())
            .url_schemes(HashSet::from(["http", "https", "mailto"]))
            .url_relative(ammonia::UrlRelative::Deny)
            .link_rel(None);
        Self { builder }
    }

    /// HTML as `ammonia` would have it.
    pub(crate) fn sanitise(&self, html: &str) -> String {
        self.builder.clean(html).to_string()
    }

    /// Puts what `ammonia` makes of the HTML in its place.
    ///
    /// It changes nothing where the writer did its work. If it does, what it gave is written anew; if it still
    /// disagrees, only the words are kept.
    pub(crate) fn check(&self, writer: &mut Writer) {
        for _ in 0..2 {
            let sanitised = self.sanitise(writer.html());
            if sanitised == writer.html() {
                return;
            }
            html::scan(&sanitised, html::Mode::Ignore, &mut Notes::default(), writer);
        }
        if self.sanitise(writer.html()) != writer.html() {
            let mut words = String::from("<p>");
            entity::escape(&text::with_tokens(writer.html()), &mut words);
            words.push_str("</p>");
            writer.replace(&words);
        }
    }
}

/// The names of all tags in the list.
fn names() -> impl Iterator<Item = &'static str> {
    const ALL: [Tag; TAGS - 1] = {
        use Tag::*;
        [
            P, Br, Hr, Em, Strong, B, I, U, S, Sub, Sup, Del, Ins, Code, Kbd, Abbr, Span, A, Pre, Blockquote,
            Ul, Ol, Li, Dl, Dt, Dd, H1, H2, H3, H4, H5, H6, Div, Table, Thead, Tbody, Tr, Th, Td,
        ]
    };
    ALL.into_iter().map(Tag::name)
}
