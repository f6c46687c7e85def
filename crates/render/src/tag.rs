//! The tags that a page may hold of what people wrote.

/// A tag of the short list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tag {
    /// Its name in what is stored.
    name: &'static str,
    /// The rank of a heading in what is stored, from 1.
    rank: Option<u8>,
    pub(crate) kind: Kind,
}

/// Where a tag may stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// In a line.
    Inline,
    /// A link.
    Link,
    /// In a line, without content.
    Void,
    /// A rule between blocks.
    Rule,
    /// On lines of its own; ends a paragraph.
    Block,
    /// A part of something: stands only directly or not directly in one of these, none of its own
    /// kind being closer.
    Part(&'static [&'static str]),
}

const LISTS: &[&str] = &["ul", "ol"];
const DEFINITIONS: &[&str] = &["dl"];
const TABLE: &[&str] = &["table"];
const ROWS: &[&str] = &["table", "thead", "tbody"];
const CELLS: &[&str] = &["tr"];

const fn tag(name: &'static str, kind: Kind) -> Tag {
    Tag { name, rank: None, kind }
}

const fn heading(name: &'static str, rank: u8) -> Tag {
    Tag { name, rank: Some(rank), kind: Kind::Block }
}

const TAGS: [Tag; 39] = [
    tag("p", Kind::Block),
    tag("a", Kind::Link),
    tag("br", Kind::Void),
    tag("hr", Kind::Rule),
    tag("em", Kind::Inline),
    tag("strong", Kind::Inline),
    tag("b", Kind::Inline),
    tag("i", Kind::Inline),
    tag("u", Kind::Inline),
    tag("s", Kind::Inline),
    tag("sub", Kind::Inline),
    tag("sup", Kind::Inline),
    tag("del", Kind::Inline),
    tag("ins", Kind::Inline),
    tag("code", Kind::Inline),
    tag("kbd", Kind::Inline),
    tag("abbr", Kind::Inline),
    tag("span", Kind::Inline),
    tag("pre", Kind::Block),
    tag("blockquote", Kind::Block),
    tag("div", Kind::Block),
    tag("ul", Kind::Block),
    tag("ol", Kind::Block),
    tag("li", Kind::Part(LISTS)),
    tag("dl", Kind::Block),
    tag("dt", Kind::Part(DEFINITIONS)),
    tag("dd", Kind::Part(DEFINITIONS)),
    tag("table", Kind::Block),
    tag("thead", Kind::Part(TABLE)),
    tag("tbody", Kind::Part(TABLE)),
    tag("tr", Kind::Part(ROWS)),
    tag("th", Kind::Part(CELLS)),
    tag("td", Kind::Part(CELLS)),
    heading("h1", 1),
    heading("h2", 2),
    heading("h3", 3),
    heading("h4", 4),
    heading("h5", 5),
    heading("h6", 6),
];

impl Tag {
    /// Its name on the page, below a heading of the page: headings of a post rank below that one.
    pub(crate) fn written(self, below: Rank) -> &'static str {
        match self.rank {
            Some(rank) => Rank(below.0.saturating_add(rank)).element(),
            None => self.name,
        }
    }

    /// The tag of the list that has a name, in capitals or not.
    pub(crate) fn named(name: &str) -> Option<Self> {
        TAGS.into_iter().find(|tag| tag.name.eq_ignore_ascii_case(name))
    }
}

/// The rank of a heading on the page, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rank(pub(crate) u8);

impl Rank {
    /// The element of a heading of this rank; the lowest is the sixth.
    pub(crate) fn element(self) -> &'static str {
        const ELEMENTS: [&str; 6] = ["h1", "h2", "h3", "h4", "h5", "h6"];
        ELEMENTS[usize::from(self.0.clamp(1, 6)) - 1]
    }

    /// The rank below it.
    pub(crate) fn below(self) -> Self {
        Self(self.0.saturating_add(1))
    }
}

/// A tag as it stands in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Found<'t> {
    pub(crate) name: &'t str,
    pub(crate) side: Side,
    /// What stands between name and `>`.
    attributes: &'t str,
    /// Its length, from `<` to `>`.
    pub(crate) length: usize,
}

/// Which end of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Start,
    End,
}

/// Longer tags are no tags; so reading one never takes long.
const LONGEST: usize = 4096;
const LONGEST_NAME: usize = 64;

/// The tag that a text begins with; `None` if it does not begin with a whole one.
pub(crate) fn read(text: &str) -> Option<Found<'_>> {
    let inside = text.strip_prefix('<')?;
    let (inside, side) = match inside.strip_prefix('/') {
        Some(inside) => (inside, Side::End),
        None => (inside, Side::Start),
    };
    if !inside.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return None;
    }
    let ends = |byte: u8| byte.is_ascii_whitespace() || byte == b'/' || byte == b'>';
    let name = inside.bytes().take(LONGEST_NAME).position(ends)?;
    let mut quote = None;
    for (at, byte) in inside.bytes().enumerate().take(LONGEST).skip(name) {
        match (quote, byte) {
            (None, b'>') => {
                return Some(Found {
                    name: &inside[..name],
                    side,
                    attributes: &inside[name..at],
                    length: text.len() - inside.len() + at + 1,
                });
            }
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(open), byte) if open == byte => quote = None,
            _ => {}
        }
    }
    None
}

impl<'t> Found<'t> {
    /// The value of `href`, with its references as they are.
    pub(crate) fn href(&self) -> Option<&'t str> {
        let mut rest = self.attributes;
        loop {
            rest = rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == '/');
            if rest.is_empty() {
                return None;
            }
            let length = rest.find(|c: char| c.is_ascii_whitespace() || c == '=').unwrap_or(rest.len());
            let (name, after) = rest.split_at(length);
            let after = after.trim_ascii_start();
            let Some(after) = after.strip_prefix('=') else {
                // A name without a value; one that is empty ends the tag for us.
                if length == 0 {
                    return None;
                }
                rest = after;
                continue;
            };
            let after = after.trim_ascii_start();
            let (value, after) = match after.chars().next() {
                Some(quote @ ('"' | '\'')) => after[1..].split_once(quote)?,
                _ => after.split_at(after.find(|c: char| c.is_ascii_whitespace()).unwrap_or(after.len())),
            };
            if name.eq_ignore_ascii_case("href") {
                return Some(value);
            }
            rest = after;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_read_whole_or_not_at_all() {
        for (text, expected) in [
            ("<p>x", Some(("p", Side::Start, 3))),
            ("</EM >", Some(("EM", Side::End, 6))),
            ("<br/>", Some(("br", Side::Start, 5))),
            ("<a title='>' x>y", Some(("a", Side::Start, 15))),
            ("<p", None),
            ("< p>", None),
            ("<1>", None),
            ("<a title='>", None),
            ("<!-- x -->", None),
        ] {
            let found = read(text).map(|found| (found.name, found.side, found.length));
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn addresses_are_found_among_other_attributes() {
        for (text, expected) in [
            ("<a href=\"x y\">", Some("x y")),
            ("<a rel=nofollow HREF = 'x'>", Some("x")),
            ("<a/href=x/y title>", Some("x/y")),
            ("<a title=\"href=x\">", None),
            ("<a href>", None),
            ("<a ==x href=y>", Some("y")),
        ] {
            assert_eq!(read(text).and_then(|found| found.href()), expected, "{text}");
        }
    }
}
