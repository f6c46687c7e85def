//! Tags of HTML as people write them: where one ends, its name, its attributes.

use crate::entity::{self, Place};

/// The tags that cleaned HTML may have, and [`Tag::Other`] for all that are dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
#[rustfmt::skip]
pub(crate) enum Tag {
    P, Br, Hr, Em, Strong, B, I, U, S, Sub, Sup, Del, Ins, Code, Kbd, Abbr, Span, A,
    Pre, Blockquote, Ul, Ol, Li, Dl, Dt, Dd, H1, H2, H3, H4, H5, H6, Div,
    Table, Thead, Tbody, Tr, Th, Td,
    Other,
}

/// How many tags there are.
pub(crate) const TAGS: usize = Tag::Other as usize + 1;

impl Tag {
    /// The tag that a name (in lower case) is written as.
    pub(crate) fn of(name: &str) -> Self {
        match name {
            "p" => Self::P,
            "br" => Self::Br,
            "hr" => Self::Hr,
            "em" => Self::Em,
            "strong" => Self::Strong,
            "b" => Self::B,
            "i" => Self::I,
            "u" => Self::U,
            "s" | "strike" => Self::S,
            "sub" => Self::Sub,
            "sup" => Self::Sup,
            "del" => Self::Del,
            "ins" => Self::Ins,
            "code" | "tt" | "samp" => Self::Code,
            "kbd" => Self::Kbd,
            "abbr" | "acronym" => Self::Abbr,
            "span" => Self::Span,
            "a" => Self::A,
            "pre" | "listing" | "xmp" => Self::Pre,
            "blockquote" => Self::Blockquote,
            "ul" | "menu" | "dir" => Self::Ul,
            "ol" => Self::Ol,
            "li" => Self::Li,
            "dl" => Self::Dl,
            "dt" => Self::Dt,
            "dd" => Self::Dd,
            "h1" => Self::H1,
            "h2" => Self::H2,
            "h3" => Self::H3,
            "h4" => Self::H4,
            "h5" => Self::H5,
            "h6" => Self::H6,
            "div" | "section" | "article" | "main" | "header" | "footer" | "nav" | "aside" | "figure"
            | "figcaption" | "center" | "address" | "details" | "summary" | "fieldset" | "form" => Self::Div,
            "table" => Self::Table,
            "thead" => Self::Thead,
            "tbody" | "tfoot" => Self::Tbody,
            "tr" => Self::Tr,
            "th" => Self::Th,
            "td" => Self::Td,
            _ => Self::Other,
        }
    }

    /// Its name.
    #[rustfmt::skip]
    pub(crate) fn name(self) -> &'static str {
        const NAMES: [&str; TAGS] = [
            "p", "br", "hr", "em", "strong", "b", "i", "u", "s", "sub", "sup", "del", "ins", "code", "kbd", "abbr",
            "span", "a", "pre", "blockquote", "ul", "ol", "li", "dl", "dt", "dd", "h1", "h2", "h3", "h4", "h5", "h6",
            "div", "table", "thead", "tbody", "tr", "th", "td", "",
        ];
        NAMES[self as usize]
    }

    /// Whether it stands on lines of its own.
    pub(crate) fn is_block(self) -> bool {
        matches!(self, Self::P | Self::Hr) || (Self::Pre as u8..=Self::Td as u8).contains(&(self as u8))
    }

    pub(crate) fn is_heading(self) -> bool {
        (Self::H1 as u8..=Self::H6 as u8).contains(&(self as u8))
    }

    /// Whether it is a part of a table in which nothing but other parts may stand.
    pub(crate) fn is_frame(self) -> bool {
        matches!(self, Self::Table | Self::Thead | Self::Tbody | Self::Tr)
    }

    pub(crate) fn is_cell(self) -> bool {
        matches!(self, Self::Th | Self::Td)
    }
}

/// Names that are HTML for sure; inside formulas only these are tags, since `a<b` is written as well.
#[rustfmt::skip]
const KNOWN: [&str; 22] = [
    "img", "font", "small", "big", "var", "cite", "q", "mark", "label", "wbr", "input", "button", "script",
    "style", "math", "mi", "mo", "mn", "mrow", "semantics", "annotation", "svg",
];

/// A tag in a text.
#[derive(Clone, Copy)]
pub(crate) struct Lexeme<'t> {
    /// Its name as written.
    pub(crate) name: &'t str,
    /// What follows the name, up to the `>`.
    pub(crate) rest: &'t str,
    /// Whether it is an end tag.
    pub(crate) end: Side,
    /// Where the text goes on.
    pub(crate) after: usize,
    /// What it is written as.
    pub(crate) tag: Tag,
}

/// Whether a tag opens or closes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// `<p>`
    Start,
    /// `</p>`
    End,
}

impl<'t> Lexeme<'t> {
    pub(crate) fn is(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }

    /// Its name without a namespace prefix.
    pub(crate) fn local(&self) -> &'t str {
        self.name.rsplit_once(':').map_or(self.name, |(_, local)| local)
    }

    pub(crate) fn is_known(&self) -> bool {
        self.tag != Tag::Other || KNOWN.iter().any(|known| self.is(known))
    }

    pub(crate) fn attributes(&self) -> Attributes<'t> {
        Attributes { rest: self.rest }
    }

    /// The raw value of an attribute.
    pub(crate) fn attribute(&self, name: &str) -> Option<&'t str> {
        self.attributes().find(|(given, _)| given.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    /// The value of an attribute with references undone.
    pub(crate) fn value(&self, name: &str) -> Option<String> {
        self.attribute(name).map(|value| entity::undo(value, Place::Attribute))
    }

    /// Whether it starts a formula's span.
    pub(crate) fn starts_formula(&self) -> bool {
        self.end == Side::Start
            && self.tag == Tag::Span
            && self.attribute("class").is_some_and(|value| {
                value.split_ascii_whitespace().any(|class| class.eq_ignore_ascii_case("math-container"))
            })
    }
}

/// Finds tags; remembers what it looked for in vain, so that a text is searched to its end at most a few times.
#[derive(Default)]
pub(crate) struct Lexer {
    quotes: Quotes,
    no_more: bool,
}

#[derive(Default, PartialEq, Eq)]
enum Quotes {
    /// A `>` in quotes does not end a tag.
    #[default]
    Count,
    /// A quote that never ends was met: from here on the first `>` ends a tag.
    Broken,
}

impl Lexer {
    /// Reads the tag at `at`, where `text` has a `<`; none if what is there is text.
    pub(crate) fn read<'t>(&mut self, text: &'t str, at: usize) -> Option<Lexeme<'t>> {
        if self.no_more {
            return None;
        }
        let bytes = text.as_bytes();
        let (end, name_at) =
            if bytes.get(at + 1) == Some(&b'/') { (Side::End, at + 2) } else { (Side::Start, at + 1) };
        if !bytes.get(name_at)?.is_ascii_alphabetic() {
            return None;
        }
        let name_length = bytes[name_at..]
            .iter()
            .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b':' | b'-' | b'_'))
            .count();
        let name_end = name_at + name_length;
        match bytes.get(name_end)? {
            b'>' => {
                let name = &text[name_at..name_end];
                return Some(Lexeme { name, rest: "", end, after: name_end + 1, tag: tag_of(name) });
            }
            b' ' | b'\t' | b'\n' | b'\r' | b'\x0C' | b'/' => {}
            // `<span="" class=…`: what a well-known soup maker leaves of a lost quote.
            b'=' if text[name_end..].starts_with("=\"\"") => {}
            _ => return None,
        }
        let close = self.close(bytes, name_end)?;
        let name = &text[name_at..name_end];
        Some(Lexeme { name, rest: &text[name_end..close], end, after: close + 1, tag: tag_of(name) })
    }

    /// Where the `>` is that ends the tag whose attributes start at `from`.
    fn close(&mut self, bytes: &[u8], from: usize) -> Option<usize> {
        if self.quotes == Quotes::Count {
            let mut at = from;
            let mut value = false;
            while let Some(byte) = bytes.get(at) {
                match byte {
                    b'>' => return Some(at),
                    // Where a tag would start inside a tag, the first was none: `x <y and <b>z</b>`.
                    b'<' => return None,
                    // A quote counts only where a value may start: `don't` is no string.
                    b'"' | b'\'' if value => {
                        let Some(length) = memchr::memchr(*byte, &bytes[at + 1..]) else { break };
                        at += length + 1;
                        value = false;
                    }
                    byte => value = *byte == b'=' || (value && byte.is_ascii_whitespace()),
                }
                at += 1;
            }
            self.quotes = Quotes::Broken;
        }
        let Some(length) = memchr::memchr2(b'>', b'<', &bytes[from..]) else {
            self.no_more = true;
            return None;
        };
        (bytes[from + length] == b'>').then_some(from + length)
    }
}

fn tag_of(name: &str) -> Tag {
    let mut lower = [0; 12];
    let Some(lower) = lower.get_mut(..name.len()) else { return Tag::Other };
    lower.copy_from_slice(name.as_bytes());
    lower.make_ascii_lowercase();
    std::str::from_utf8(lower).map_or(Tag::Other, Tag::of)
}

/// The attributes of a tag: name and raw value.
pub(crate) struct Attributes<'t> {
    rest: &'t str,
}

impl<'t> Iterator for Attributes<'t> {
    type Item = (&'t str, &'t str);

    fn next(&mut self) -> Option<Self::Item> {
        let blank = |c: char| c.is_ascii_whitespace() || c == '/';
        let rest = self.rest.trim_start_matches(blank);
        if rest.is_empty() {
            return None;
        }
        // The first character belongs to the name even if it is `=`, so that each step goes on.
        let first = rest.chars().next().map_or(0, char::len_utf8);
        let length =
            rest[first..].find(|c: char| blank(c) || c == '=').map_or(rest.len(), |found| found + first);
        let (name, rest) = rest.split_at(length);
        let Some(value) = rest.trim_ascii_start().strip_prefix('=') else {
            self.rest = rest;
            return Some((name, ""));
        };
        let value = value.trim_ascii_start();
        for quote in ['"', '\''] {
            if let Some(value) = value.strip_prefix(quote) {
                let (value, rest) = value.split_once(quote).unwrap_or((value, ""));
                self.rest = rest;
                return Some((name, value));
            }
        }
        let length = value.find(|c: char| c.is_ascii_whitespace()).unwrap_or(value.len());
        let (value, rest) = value.split_at(length);
        self.rest = rest;
        Some((name, value))
    }
}

#[cfg(test)]
mod tests {
    use super::{Lexer, Side, Tag};

    #[test]
    fn tags() {
        for (input, expected) in [
            ("<p>x", "p Start P 3"),
            ("</P >x", "P End P 5"),
            ("<span class=\"a>b\" id='2'>x", "span Start Span 25 class=a>b id=2"),
            ("<m:math>x", "m:math Start Other 8"),
            ("<span=\"\" not=\"\" id=\"7\">", "span Start Span 23 =\"\"= not= id=7"),
            ("<a href=x/y z>", "a Start A 14 href=x/y z="),
            ("<a it's>'", "a Start A 8 it's="),
            ("<a b='c>d", "a Start A 8 b=c"),
            ("<br/>", "br Start Br 5"),
            ("<a", "-"),
            ("<a b", "-"),
            ("<a b <i>", "-"),
            ("< p>", "-"),
            ("<1>", "-"),
            ("<a,b>", "-"),
            ("<>", "-"),
            ("</>", "-"),
        ] {
            let found = Lexer::default().read(input, 0).map_or_else(
                || "-".to_owned(),
                |lexeme| {
                    let mut line =
                        format!("{} {:?} {:?} {}", lexeme.name, lexeme.end, lexeme.tag, lexeme.after);
                    for (name, value) in lexeme.attributes() {
                        line.push_str(&format!(" {name}={value}"));
                    }
                    line
                },
            );
            assert_eq!(found, expected, "{input}");
        }
        assert_eq!(Lexer::default().read("</p>", 0).map(|lexeme| lexeme.end), Some(Side::End));
        assert!(Tag::Td.is_block() && Tag::P.is_block() && !Tag::Span.is_block() && !Tag::Br.is_block());
    }
}
