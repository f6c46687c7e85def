//! From the markup to a content tree.
//!
//! Content MathML may stand alone, in `math`, or in an `annotation-xml` beside
//! the layout. Open elements are on a stack of frames, finished children on a
//! stack of nodes, so nothing recurses; an element whose end is missing ends
//! where its parent does.

use super::names;
use super::tree::{Closure, ContentId, Dictionary, Element, Tree};
use super::{ContentError, ContentRemark};
use crate::mathml::{MAX_DEPTH, for_each_attribute, push_reference, repair_knowing};
use latex::Span;
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

/// What is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// `math`, `semantics`, an annotation with content: what is in it counts, not itself.
    Around,
    /// An annotation with content: what came before it does not count.
    Annotation,
    /// A content element.
    Content(Element),
    /// Layout outside of content, and what is in it.
    Skipped,
}

#[derive(Debug)]
struct Frame {
    kind: Kind,
    name: String,
    /// How many nodes there were before its children.
    children: usize,
    /// How long the text was before its own.
    text: usize,
    offset: usize,
    wildcard_name: bool,
}

/// Reads markup; keeps its memory.
#[derive(Debug, Default)]
pub(super) struct Markup {
    frames: Vec<Frame>,
    nodes: Vec<ContentId>,
    text: String,
    /// Nodes of an annotation, which go before what stands beside it.
    annotated: Option<ContentId>,
    saw_element: bool,
}

impl Markup {
    /// The root of the content in `text`, made in `tree`.
    pub(super) fn read(
        &mut self,
        text: &str,
        tree: &mut Tree,
        remarks: &mut Vec<ContentRemark>,
    ) -> Result<ContentId, ContentError> {
        if text.len() > crate::mathml::LONGEST {
            return Err(ContentError::TooLong);
        }
        match self.read_once(text, tree, Repaired::No) {
            Err(Failure::Xml(message)) => {
                remarks.push(ContentRemark::Repaired(message));
                match self.read_once(&repair_knowing(text, is_known), tree, Repaired::Yes) {
                    Err(Failure::Content(error)) => Err(error),
                    Err(Failure::Xml(_)) => Err(ContentError::NoContent),
                    Ok(root) => Ok(root),
                }
            }
            Err(Failure::Content(error)) => Err(error),
            Ok(root) => Ok(root),
        }
    }

    fn read_once(&mut self, text: &str, tree: &mut Tree, repaired: Repaired) -> Result<ContentId, Failure> {
        tree.clear();
        self.frames.clear();
        self.nodes.clear();
        self.text.clear();
        self.annotated = None;
        self.saw_element = false;
        let mut reader = Reader::from_str(text);
        let config = reader.config_mut();
        if repaired == Repaired::Yes {
            config.check_end_names = false;
            config.allow_unmatched_ends = true;
            config.allow_dangling_amp = true;
        }
        loop {
            let start = reader.buffer_position() as usize;
            let event = reader.read_event();
            let end = reader.buffer_position() as usize;
            match event {
                Ok(Event::Start(tag)) => self.open(&tag, start)?,
                Ok(Event::Empty(tag)) => {
                    self.open(&tag, start)?;
                    self.close(tree, end, repaired);
                }
                Ok(Event::End(tag)) => {
                    let tag = tag.name();
                    let name = local_name(tag.0);
                    let above = self.frames.iter().rev().position(|frame| frame.name == name);
                    for _ in 0..above.map_or(0, |above| above + 1) {
                        self.close(tree, end, repaired);
                    }
                }
                Ok(Event::Text(text)) => self.characters(&text),
                Ok(Event::CData(text)) => self.characters(&text),
                Ok(Event::GeneralRef(name)) => {
                    let mut letters = String::new();
                    let name: &str = &name;
                    if !push_reference(name, &mut letters) {
                        letters = format!("&{name};");
                    }
                    self.characters(&letters);
                }
                Ok(Event::Eof) => break,
                Ok(_) => {}
                Err(_) if repaired == Repaired::Yes => break,
                Err(error) => return Err(Failure::Xml(error.to_string())),
            }
        }
        if !self.frames.is_empty() && repaired == Repaired::No {
            return Err(Failure::Xml("an element is not closed".to_owned()));
        }
        while !self.frames.is_empty() {
            self.close(tree, text.len(), repaired);
        }
        let root = self.annotated.or_else(|| one(tree, &self.nodes));
        root.ok_or(Failure::Content(if self.saw_element {
            ContentError::NoContent
        } else {
            ContentError::NoMathml
        }))
    }

    fn open(&mut self, tag: &BytesStart<'_>, offset: usize) -> Result<(), Failure> {
        if self.frames.len() >= MAX_DEPTH {
            return Err(Failure::Content(ContentError::TooDeep));
        }
        self.saw_element = true;
        let qualified = tag.name();
        let name = local_name(qualified.0);
        let parent = self.frames.last().map_or(Kind::Around, |frame| frame.kind);
        let mut values = Values::default();
        for_each_attribute(tag, |key, value| values.note(key, value));
        let kind = match (parent, name) {
            (Kind::Skipped, "annotation-xml") if values.is_content() => Kind::Annotation,
            (Kind::Skipped, _) => Kind::Skipped,
            (Kind::Content(element), _) if holds_text(element) => match name {
                "qvar" => Kind::Content(Element::Wildcard),
                "sep" => Kind::Skipped,
                _ => Kind::Content(Element::Layout),
            },
            (_, "math" | "semantics") => Kind::Around,
            (_, "annotation-xml") if values.is_content() => Kind::Annotation,
            (_, "annotation" | "annotation-xml") => Kind::Skipped,
            _ => match element(name, &values) {
                Some(element) => Kind::Content(element),
                // Layout between content elements is looked through, anywhere else it may hold content.
                None if matches!(name, "mrow" | "mstyle") => Kind::Around,
                None if is_layout(name) => Kind::Skipped,
                None => Kind::Content(Element::Other),
            },
        };
        // The two parts of a rational number.
        if name == "sep" {
            self.text.push('/');
        }
        let frame = Frame {
            kind,
            name: name.to_owned(),
            children: self.nodes.len(),
            text: self.text.len(),
            offset,
            wildcard_name: kind == Kind::Content(Element::Wildcard) && !values.name.is_empty(),
        };
        if frame.wildcard_name {
            self.text.push_str(&values.name);
        }
        self.frames.push(frame);
        Ok(())
    }

    fn characters(&mut self, text: &str) {
        let Some(frame) = self.frames.last() else { return };
        let Kind::Content(element) = frame.kind else { return };
        if holds_text(element) && !frame.wildcard_name {
            // Only what stands before the first element inside is the leaf's own.
            if element == Element::Layout || self.nodes.len() == frame.children {
                self.text.push_str(text);
            }
        }
    }

    fn close(&mut self, tree: &mut Tree, end: usize, repaired: Repaired) {
        let Some(frame) = self.frames.pop() else { return };
        let span = if repaired == Repaired::Yes { Span::default() } else { Span::new(frame.offset, end) };
        match frame.kind {
            // What is in it now belongs to what is around it.
            Kind::Around => {}
            Kind::Skipped => self.nodes.truncate(frame.children),
            Kind::Annotation => {
                let content = one(tree, &self.nodes[frame.children..]);
                self.nodes.truncate(frame.children);
                self.annotated = self.annotated.or(content);
            }
            Kind::Content(element) => {
                let (text, children) = if holds_text(element) {
                    (&self.text[frame.text..], &self.nodes[frame.children..])
                } else if matches!(element, Element::Sign | Element::Qualifier | Element::Other) {
                    (frame.name.as_str(), &self.nodes[frame.children..])
                } else {
                    ("", &self.nodes[frame.children..])
                };
                let wildcard = children.iter().find(|&&child| tree.element(child) == Element::Wildcard);
                let node = match wildcard {
                    // `ci` around a wildcard is the wildcard.
                    Some(&wildcard) if holds_text(element) => wildcard,
                    _ if element == Element::Layout && !children.is_empty() => {
                        let inner: String = children.iter().map(|&child| tree.text(child)).collect();
                        tree.push(element, &(text.to_owned() + &inner), &[], span)
                    }
                    _ => {
                        let children = children.to_vec();
                        tree.push(element, text, &children, span)
                    }
                };
                if holds_text(element) {
                    self.text.truncate(frame.text);
                }
                self.nodes.truncate(frame.children);
                self.nodes.push(node);
            }
        }
    }
}

/// One node of all that stands side by side.
fn one(tree: &mut Tree, nodes: &[ContentId]) -> Option<ContentId> {
    match nodes {
        [] => None,
        [only] => Some(*only),
        several => {
            let first = tree.span(several[0]);
            let last = tree.span(several[several.len() - 1]);
            Some(tree.push(Element::List, "", several, first.to(last)))
        }
    }
}

/// The attributes that count.
#[derive(Debug, Default)]
struct Values {
    cd: String,
    closure: String,
    encoding: String,
    name: String,
}

impl Values {
    fn note(&mut self, key: &str, value: &str) {
        match key {
            "cd" => value.clone_into(&mut self.cd),
            "closure" => value.clone_into(&mut self.closure),
            "encoding" => value.clone_into(&mut self.encoding),
            "name" => value.clone_into(&mut self.name),
            _ => {}
        }
    }

    fn is_content(&self) -> bool {
        self.encoding.contains("ontent")
    }
}

fn element(name: &str, values: &Values) -> Option<Element> {
    Some(match name {
        "apply" | "bind" => Element::Apply,
        "ci" => Element::Identifier,
        "cn" | "cs" => Element::Number,
        "mtext" => Element::Text,
        "qvar" => Element::Wildcard,
        "csymbol" => Element::Symbol(match values.cd.as_str() {
            "latexml" => Dictionary::Latexml,
            "ambiguous" => Dictionary::Ambiguous,
            "unknown" => Dictionary::Unknown,
            super::TAG_DICTIONARY => Dictionary::Tag,
            _ => Dictionary::Other,
        }),
        "cerror" => Element::Error,
        "share" => Element::Share,
        "vector" => Element::Vector,
        "list" => Element::List,
        "set" => Element::Set,
        "matrix" => Element::Matrix,
        "matrixrow" => Element::Row,
        "interval" => Element::Interval(match values.closure.trim().to_ascii_lowercase().as_str() {
            "open" => Closure::Open,
            "open-closed" => Closure::OpenClosed,
            "closed-open" => Closure::ClosedOpen,
            _ => Closure::Closed,
        }),
        _ if names::is_qualifier(name) => Element::Qualifier,
        _ if names::sign(name).is_some() => Element::Sign,
        "piecewise"
        | "piece"
        | "otherwise"
        | "lambda"
        | "condition"
        | "domainofapplication"
        | "momentabout"
        | "logbase"
        | "declare"
        | "reln"
        | "fn"
        | "cbytes" => Element::Other,
        _ => return None,
    })
}

/// Whether a name is one of MathML.
fn is_known(name: &str) -> bool {
    let around = matches!(name, "math" | "semantics" | "annotation" | "annotation-xml" | "sep");
    around || element(name, &Values::default()).is_some() || is_layout(name)
}

/// Whether a name is that of a layout element.
fn is_layout(name: &str) -> bool {
    matches!(
        name,
        "mi" | "mn"
            | "mo"
            | "mtext"
            | "mspace"
            | "ms"
            | "mrow"
            | "mstyle"
            | "mpadded"
            | "mphantom"
            | "merror"
            | "mfenced"
            | "menclose"
            | "mfrac"
            | "msqrt"
            | "mroot"
            | "msub"
            | "msup"
            | "msubsup"
            | "munder"
            | "mover"
            | "munderover"
            | "mmultiscripts"
            | "mprescripts"
            | "mtable"
            | "mtr"
            | "mlabeledtr"
            | "mtd"
            | "maction"
            | "none"
    )
}

fn holds_text(element: Element) -> bool {
    matches!(
        element,
        Element::Identifier
            | Element::Number
            | Element::Text
            | Element::Wildcard
            | Element::Symbol(_)
            | Element::Layout
    )
}

/// Whether offsets in the text are still those of the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Repaired {
    No,
    Yes,
}

enum Failure {
    Xml(String),
    Content(ContentError),
}

fn local_name(name: &str) -> &str {
    name.rsplit_once(':').map_or(name, |(_, local)| local)
}
