//! Small XML files as a tree, with the place of everything.
//!
//! This is for files of topics, which fit in memory many times over; large
//! dumps are streamed elsewhere. Nothing is expanded but the five entities of
//! XML and character references, so that no file can grow on reading, and
//! nesting is bounded, so that no file can exhaust the stack.

use crate::error::{Error, Place};
use crate::source::SourceText;
use quick_xml::Reader;
use quick_xml::XmlVersion;
use quick_xml::events::{BytesStart, Event};
use std::ops::Range;

/// How deep elements may be nested.
const MAX_DEPTH: usize = 1000;

/// An element with all that is in it.
#[derive(Debug)]
pub(crate) struct Element<'a> {
    /// The name without its namespace prefix.
    pub(crate) name: &'a str,
    /// Where it stands in the text, from `<` of its start to `>` of its end.
    pub(crate) range: Range<usize>,
    /// The line it starts on, from 1.
    pub(crate) line: usize,
    attributes: Vec<(String, String)>,
    /// What is in it, in order.
    pub(crate) nodes: Vec<Node<'a>>,
}

/// What can stand in an element.
#[derive(Debug)]
pub(crate) enum Node<'a> {
    /// An element.
    Element(Element<'a>),
    /// Characters, unescaped, and where they begin.
    Text(String, usize),
}

impl<'a> Element<'a> {
    /// The attribute of that name, prefix aside.
    pub(crate) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// The elements directly in this one.
    pub(crate) fn elements(&self) -> impl Iterator<Item = &Element<'a>> {
        self.nodes.iter().filter_map(|node| match node {
            Node::Element(element) => Some(element),
            Node::Text(..) => None,
        })
    }

    /// All characters in it, those of elements inside included.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        self.push_text(&mut text);
        text
    }

    fn push_text(&self, text: &mut String) {
        for node in &self.nodes {
            match node {
                Node::Element(element) => element.push_text(text),
                Node::Text(part, _) => text.push_str(part),
            }
        }
    }

    /// The first element in document order, this one included, that is wanted.
    pub(crate) fn find(&self, wanted: &impl Fn(&Element<'a>) -> bool) -> Option<&Element<'a>> {
        if wanted(self) { Some(self) } else { self.elements().find_map(|element| element.find(wanted)) }
    }

    /// The text of an element that may hold nothing but text.
    pub(crate) fn only_text(&self, source: &SourceText) -> Result<String, Error> {
        if let Some(inner) = self.elements().next() {
            let reason =
                format!("<{}> inside <{}>, which holds only text: escape it as &lt;", inner.name, self.name);
            return Err(bad(source, inner.range.start, reason));
        }
        Ok(self.text())
    }

    /// Refuses characters that stand between the elements of this one.
    pub(crate) fn no_text(&self, source: &SourceText) -> Result<(), Error> {
        for node in &self.nodes {
            if let Node::Text(text, at) = node
                && !text.trim().is_empty()
            {
                let reason = format!("text inside <{}>, which holds only elements", self.name);
                return Err(bad(source, *at, reason));
            }
        }
        Ok(())
    }
}

/// An error at a byte of a text.
pub(crate) fn bad(source: &SourceText, at: usize, reason: impl Into<String>) -> Error {
    Error::Bad { place: source.place(at), reason: reason.into() }
}

/// Reads a text as one element.
pub(crate) fn parse(source: &SourceText) -> Result<Element<'_>, Error> {
    if let Some((at, character)) = source.text.char_indices().find(|(_, character)| is_forbidden(*character))
    {
        return Err(bad(source, at, format!("U+{:04X} cannot stand in XML", u32::from(character))));
    }
    let mut reader = Reader::from_str(&source.text);
    let mut tree = Tree { source, open: Vec::new(), root: None, line: 1, counted: 0 };
    loop {
        let start = offset(reader.buffer_position());
        let event = reader.read_event().map_err(|error| {
            let at = offset(reader.error_position()).min(source.text.len());
            bad(source, boundary(&source.text, at), format!("broken XML: {error}"))
        })?;
        let end = offset(reader.buffer_position());
        match event {
            Event::Start(tag) => tree.start(&tag, start..end)?,
            Event::Empty(tag) => {
                tree.start(&tag, start..end)?;
                tree.end(end)?;
            }
            Event::End(_) => tree.end(end)?,
            Event::Text(text) => tree.text(&text.xml10_content(), start)?,
            Event::CData(text) => tree.text(&text.xml10_content(), start)?,
            Event::GeneralRef(name) => {
                let character = reference(&name)
                    .ok_or_else(|| bad(source, start, format!("&{};: no such character in XML", &*name)))?;
                tree.text(character.encode_utf8(&mut [0; 4]), start)?;
            }
            Event::DocType(text) if text.contains('[') => {
                let reason = "a document type with definitions of its own is not read: write characters \
                              in place of entities";
                return Err(bad(source, start, reason));
            }
            Event::DocType(_) | Event::Comment(_) | Event::Decl(_) | Event::PI(_) => {}
            Event::Eof => return tree.finish(),
        }
    }
}

/// The place of an element, to the character.
pub(crate) fn place_of(source: &SourceText, element: &Element<'_>) -> Place {
    source.place(element.range.start)
}

struct Tree<'a> {
    source: &'a SourceText,
    open: Vec<Element<'a>>,
    root: Option<Element<'a>>,
    line: usize,
    counted: usize,
}

impl<'a> Tree<'a> {
    fn start(&mut self, tag: &BytesStart<'_>, range: Range<usize>) -> Result<(), Error> {
        let source = self.source;
        if self.open.len() >= MAX_DEPTH {
            let reason = format!("elements are nested more than {MAX_DEPTH} deep");
            return Err(bad(source, range.start, reason));
        }
        if self.root.is_some() {
            return Err(bad(source, range.start, "a second element after the end of the first"));
        }
        // The tag borrows from the reader, not from the text: names are cut out of the text again.
        let written = &source.text[range.start + 1..];
        let name = local(&written[..tag.name().as_ref().len()]);
        if name.is_empty() {
            return Err(bad(source, range.start, "an element without a name; write &lt; for <"));
        }
        let mut attributes = Vec::new();
        for attribute in tag.attributes() {
            let attribute =
                attribute.map_err(|error| bad(source, range.start, format!("in <{name}>: {error}")))?;
            let value = attribute
                .normalized_value(XmlVersion::Implicit1_0)
                .map_err(|error| bad(source, range.start, format!("in <{name}>: {error}")))?;
            attributes.push((local(attribute.key.into_inner()).to_owned(), value.into_owned()));
        }
        self.line += memchr::memchr_iter(b'\n', &source.text.as_bytes()[self.counted..range.start]).count();
        self.counted = range.start;
        self.open.push(Element { name, range, line: self.line, attributes, nodes: Vec::new() });
        Ok(())
    }

    fn end(&mut self, end: usize) -> Result<(), Error> {
        let Some(mut element) = self.open.pop() else {
            return Err(bad(self.source, end, "an element ends that never began"));
        };
        element.range.end = end;
        match self.open.last_mut() {
            Some(parent) => parent.nodes.push(Node::Element(element)),
            None => self.root = Some(element),
        }
        Ok(())
    }

    fn text(&mut self, text: &str, at: usize) -> Result<(), Error> {
        match self.open.last_mut() {
            Some(parent) => match parent.nodes.last_mut() {
                Some(Node::Text(before, _)) => before.push_str(text),
                _ => parent.nodes.push(Node::Text(text.to_owned(), at)),
            },
            None if text.trim().is_empty() => {}
            None => return Err(bad(self.source, at, "text outside of all elements")),
        }
        Ok(())
    }

    fn finish(self) -> Result<Element<'a>, Error> {
        if let Some(open) = self.open.last() {
            let (name, line) = (open.name, open.line);
            let reason = format!("the file ends inside <{name}>, which began on line {line}: is it cut off?");
            return Err(bad(self.source, self.source.text.len(), reason));
        }
        self.root.ok_or_else(|| bad(self.source, self.source.text.len(), "there is no element in it"))
    }
}

fn offset(position: u64) -> usize {
    usize::try_from(position).unwrap_or(usize::MAX)
}

fn boundary(text: &str, at: usize) -> usize {
    (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

/// The name without its prefix.
fn local(name: &str) -> &str {
    name.rsplit_once(':').map_or(name, |(_, local)| local)
}

fn reference(name: &str) -> Option<char> {
    let character = match name {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        _ => {
            let number = name.strip_prefix('#')?;
            let code = match number.strip_prefix('x') {
                Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                None => number.parse().ok()?,
            };
            char::from_u32(code)?
        }
    };
    (!is_forbidden(character)).then_some(character)
}

fn is_forbidden(character: char) -> bool {
    matches!(character, '\0'..='\x08' | '\x0B' | '\x0C' | '\x0E'..='\x1F' | '\u{FFFE}' | '\u{FFFF}')
}

/// Escapes characters as the published files do: quotes, too; a carriage
/// return, which would be read as a line end, by its number.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + text.len() / 8);
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\r' => escaped.push_str("&#13;"),
            _ => escaped.push(character),
        }
    }
    escaped
}

/// Like [`escape`], for the value of an attribute, where line ends and tabs would become blanks.
pub(crate) fn escape_attribute(text: &str) -> String {
    escape(text).replace('\n', "&#10;").replace('\t', "&#9;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(text: &str) -> SourceText {
        SourceText { name: "t.xml".to_owned(), text: text.to_owned() }
    }

    fn check_error(text: &str, expected: &str) {
        let error = parse(&source(text)).map(|_| ()).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{text}: {error}");
    }

    #[test]
    fn text_is_unescaped_and_line_ends_are_one_character() {
        let source =
            source("<?xml version=\"1.0\"?>\r\n<a k='&lt;'>x &amp;amp; y\r\nz<m:b/>&#65;<![CDATA[<]]></a>");
        let root = parse(&source).unwrap();
        assert_eq!(root.text(), "x &amp; y\nzA<");
        assert_eq!(root.attribute("k"), Some("<"));
        assert_eq!(root.line, 2);
        let inner = root.elements().next().unwrap();
        assert_eq!((inner.name, inner.line), ("b", 3));
        assert_eq!(&source.text[inner.range.clone()], "<m:b/>");
    }

    #[test]
    fn broken_files_are_placed() {
        check_error("<a>\n<b></a>", "t.xml:2:4: broken XML: ");
        check_error("<a>\n<b>", "t.xml:2:4: the file ends inside <b>, which began on line 2");
        check_error("<a>\n<b", "t.xml:2:1: broken XML: ");
        check_error("", "t.xml:1:1: there is no element in it");
        check_error("<a/>x", "t.xml:1:5: text outside of all elements");
        check_error("<a/><b/>", "t.xml:1:5: a second element");
        check_error("<a>\u{1}</a>", "t.xml:1:4: U+0001 cannot stand in XML");
        check_error("<a>&#1;</a>", "t.xml:1:4: &#1;: no such character");
        check_error("<a>é&nbsp;</a>", "t.xml:1:5: &nbsp;: no such character");
        check_error("<a k='1' k='2'/>", "t.xml:1:1: in <a>: ");
        check_error("<a>< b</a>", "t.xml:1:4: ");
    }

    #[test]
    fn nothing_expands_and_nothing_nests_without_end() {
        check_error("<!DOCTYPE a [<!ENTITY b \"x\">]><a>&b;</a>", "t.xml:1:1: a document type with");
        check_error(&"<a>".repeat(100_000), "t.xml:1:3001: elements are nested more than 1000 deep");
        let deep = source(&("<a>".repeat(1000) + &"</a>".repeat(1000)));
        assert_eq!(parse(&deep).unwrap().text(), "");
        assert!(parse(&source("<!DOCTYPE a SYSTEM 'a.dtd'><a/>")).is_ok());
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "[<>/a&;!\\[\\]#x\"'= é-]{0,40}") {
            let _ = parse(&source(&text));
        }
    }
}
