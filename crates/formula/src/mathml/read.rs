//! The reader: XML events in, calls of the tree builder out.
//!
//! Open elements are on a stack of frames, finished children on a stack of
//! nodes; when an element closes, its children become one node. So nothing
//! recurses, and an element whose end is missing can be dissolved by removing
//! its frame.

use super::element::Element;
use super::frame::Frame;
use super::{MAX_DEPTH, MathmlError, MathmlRemark, Reading, attributes, repair};
use crate::slt::{Builder, Hints, Leaf, Look, Rules, Slt, SltId};
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

/// Reads MathML and keeps its memory from one formula to the next.
#[derive(Debug, Default)]
pub struct MathmlReader {
    reading: Reading,
    frames: Vec<Frame>,
    /// Finished children of the open elements; `None` is a child of which nothing is left.
    children: Vec<Option<SltId>>,
    /// The text of the open leaf.
    text: String,
    /// How many elements are open inside one of which nothing is read.
    skipped: usize,
    remarks: Vec<MathmlRemark>,
    saw_element: bool,
    saw_content: bool,
}

impl MathmlReader {
    /// A reader of this kind.
    #[must_use]
    pub fn new(reading: Reading) -> Self {
        Self { reading, ..Self::default() }
    }

    /// Reads MathML into `slt`, which is emptied first, and returns what was noticed.
    ///
    /// # Errors
    /// See [`MathmlError`]; `slt` is empty then.
    pub fn read(&mut self, text: &str, slt: &mut Slt) -> Result<Vec<MathmlRemark>, MathmlError> {
        let mut result = self.read_once(text, slt, Repair::No);
        if let Err(Failure::Xml(message)) = result {
            let repaired = repair::repair(text);
            result = self.read_once(&repaired, slt, Repair::Yes);
            self.remarks.insert(0, MathmlRemark::Repaired(message));
        }
        match result {
            Ok(()) => Ok(std::mem::take(&mut self.remarks)),
            Err(failure) => {
                slt.clear();
                Err(match failure {
                    Failure::Mathml(error) => error,
                    Failure::Xml(_) => MathmlError::NoMathml,
                })
            }
        }
    }

    fn read_once(&mut self, text: &str, slt: &mut Slt, repaired: Repair) -> Result<(), Failure> {
        slt.clear();
        self.frames.clear();
        self.children.clear();
        self.text.clear();
        self.remarks.clear();
        self.skipped = 0;
        self.saw_element = false;
        self.saw_content = false;
        if text.len() > super::LONGEST {
            return Err(MathmlError::TooLong.into());
        }
        self.frames.push(Frame::new(Element::Document, 0, Look::default()));
        let rules = match self.reading {
            Reading::Tolerant => Rules::Lossless,
            Reading::Labs => Rules::Labs,
        };
        let mut builder = Builder::with_rules(slt, rules);
        let mut reader = Reader::from_str(text);
        let config = reader.config_mut();
        if repaired == Repair::Yes {
            config.check_end_names = false;
            config.allow_unmatched_ends = true;
            config.allow_dangling_amp = true;
        }
        loop {
            match reader.read_event() {
                Ok(Event::Start(tag)) => self.open(&tag, builder.slt())?,
                Ok(Event::Empty(tag)) => {
                    self.open(&tag, builder.slt())?;
                    self.close(&mut builder)?;
                }
                Ok(Event::End(_)) if repaired == Repair::No => self.close(&mut builder)?,
                Ok(Event::End(tag)) => self.close_named(local_name(tag.name().0), &mut builder)?,
                Ok(Event::Text(text)) => self.characters(&text, &mut builder),
                Ok(Event::CData(text)) => self.characters(&text, &mut builder),
                Ok(Event::GeneralRef(name)) => self.reference(&name, &mut builder),
                Ok(Event::Eof) => break,
                Ok(Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_)) => {}
                // A second failure cannot be repaired: what was read until here counts.
                Err(error) if repaired == Repair::Yes => {
                    self.remarks.push(MathmlRemark::Repaired(error.to_string()));
                    break;
                }
                Err(error) => return Err(Failure::Xml(error.to_string())),
            }
        }
        if self.frames.len() > 1 && repaired == Repair::No {
            return Err(Failure::Xml("an element is not closed".to_owned()));
        }
        while self.frames.len() > 1 {
            self.remarks.push(MathmlRemark::Unclosed);
            self.close_or_dissolve(&mut builder)?;
        }
        if !self.saw_element {
            return Err(MathmlError::NoMathml.into());
        }
        let root = builder.row(&self.children);
        if root.is_none() && self.saw_content {
            return Err(MathmlError::OnlyContent.into());
        }
        // A lone blank is a formula that shows nothing.
        let root = root.or_else(|| self.children.iter().find_map(|&child| child));
        slt.set_root(root);
        if self.reading == Reading::Tolerant {
            slt.repair();
        }
        Ok(())
    }

    fn open(&mut self, tag: &BytesStart<'_>, slt: &Slt) -> Result<(), Failure> {
        if self.frames.len() + self.skipped >= MAX_DEPTH {
            return Err(MathmlError::TooDeep.into());
        }
        if self.skipped > 0 {
            self.skipped += 1;
            return Ok(());
        }
        self.saw_element = true;
        let name = local_name(tag.name().0);
        let Some(parent) = self.frames.last_mut() else { return Ok(()) };
        let mut element = Element::from_name(name);
        let index = self.children.len() - parent.start;
        if parent.element.holds_text() {
            parent.takes_text &= self.reading == Reading::Tolerant;
            if !matches!(element, Element::Wildcard | Element::Glyph) {
                element = Element::InLeaf;
            }
        }
        let mut frame = Frame::new(element, self.children.len(), Look::font(parent.look.get_font()));
        frame.tag = Element::from_name(name);
        frame.takes_text = parent.takes_text || !parent.element.holds_text();
        let parent_element = parent.element;
        let is_accent = parent.accent && index > 0;
        frame.read_attributes(tag, is_accent);

        match element {
            Element::Semantics | Element::Math => {}
            Element::AnnotationXml => {
                let wanted = parent_element == Element::Semantics
                    && self.children[frame.start - index..].iter().all(Option::is_none)
                    && frame.value(0).contains("resentation");
                if !wanted || self.reading == Reading::Labs {
                    frame.element = Element::Annotation;
                }
            }
            Element::Content => {
                self.saw_content = true;
                if self.reading == Reading::Labs {
                    return Err(MathmlError::UnknownElement(name.to_owned()).into());
                }
            }
            Element::Unknown => {
                if self.reading == Reading::Labs {
                    return Err(MathmlError::UnknownElement(name.to_owned()).into());
                }
                self.remarks.push(MathmlRemark::UnknownElement(name.to_owned()));
            }
            Element::Prescripts => {
                if let Some(parent) = self.frames.last_mut() {
                    parent.number = index + 1;
                }
            }
            Element::Similar if self.reading == Reading::Tolerant => frame.number = slt.len(),
            _ if self.reading == Reading::Labs && !element.is_known_to_labs() => {
                return Err(MathmlError::UnknownElement(name.to_owned()).into());
            }
            _ => {}
        }
        if frame.element.is_skipped() {
            self.skipped = 1;
        }
        if frame.element.holds_text() && !parent_element.holds_text() {
            self.text.clear();
        }
        self.frames.push(frame);
        Ok(())
    }

    fn characters(&mut self, text: &str, builder: &mut Builder<'_>) {
        let Some(frame) = self.frames.last().filter(|_| self.skipped == 0) else { return };
        if frame.element.holds_text() {
            if frame.takes_text {
                self.text.push_str(text);
            }
        } else if self.reading == Reading::Tolerant && !text.trim().is_empty() && frame.reads_stray_text() {
            self.remarks.push(MathmlRemark::StrayText(text.trim().to_owned()));
            let leaf = builder.leaf(Leaf::Text, text, frame.look);
            self.children.push(Some(leaf));
        }
    }

    fn reference(&mut self, name: &str, builder: &mut Builder<'_>) {
        if self.skipped > 0 {
            return;
        }
        let mut text = String::new();
        if !attributes::push_reference(name, &mut text) {
            self.remarks.push(MathmlRemark::UnknownEntity(name.to_owned()));
            text = format!("&{name};");
        }
        self.characters(&text, builder);
    }

    /// Handles a closing tag that need not match.
    fn close_named(&mut self, name: &str, builder: &mut Builder<'_>) -> Result<(), Failure> {
        if self.skipped > 1 {
            self.skipped -= 1;
            return Ok(());
        }
        let element = Element::from_name(name);
        let Some(above) = self.frames[1..].iter().rev().position(|frame| frame.tag == element) else {
            self.remarks.push(MathmlRemark::UnmatchedEnd);
            return Ok(());
        };
        for _ in 0..above {
            self.remarks.push(MathmlRemark::Unclosed);
            self.close_or_dissolve(builder)?;
        }
        self.close(builder)
    }

    /// Ends an element whose closing tag is missing. A row's opening tag counts as not written.
    fn close_or_dissolve(&mut self, builder: &mut Builder<'_>) -> Result<(), Failure> {
        self.skipped = self.skipped.min(1);
        if self.frames.last().is_some_and(|frame| frame.element.is_row_like()) {
            self.frames.pop();
            Ok(())
        } else {
            self.close(builder)
        }
    }

    fn close(&mut self, builder: &mut Builder<'_>) -> Result<(), Failure> {
        if self.skipped > 1 {
            self.skipped -= 1;
            return Ok(());
        }
        self.skipped = 0;
        if self.frames.len() < 2 {
            return Ok(());
        }
        let Some(frame) = self.frames.pop() else { return Ok(()) };
        let node = match frame.element {
            Element::Leaf(_) | Element::QuotedText | Element::Error => Some(self.leaf(&frame, builder)),
            Element::Glyph | Element::Wildcard | Element::InLeaf => {
                return self.close_in_leaf(&frame, builder);
            }
            Element::TableRow | Element::LabeledRow => return self.close_table_row(&frame, builder),
            Element::Prescripts => return Ok(()),
            Element::Document | Element::Math => self.whole(&frame, builder)?,
            Element::Similar => {
                let part = builder.row(&self.children[frame.start..]);
                // Parts in parts are marked once; the stack is at most `MAX_DEPTH` high.
                if !self.frames.iter().any(|frame| frame.element == Element::Similar) {
                    builder.slt().add_hints_after(frame.number, Hints::SIMILAR);
                }
                part
            }
            _ => joined(&frame, &self.children[frame.start..], self.reading, builder),
        };
        self.children.truncate(frame.start);
        if !matches!(frame.element, Element::Annotation) {
            self.push_child(node);
        }
        Ok(())
    }

    /// The formula as a whole, which the labs' reader takes only if it is one element.
    fn whole(&mut self, frame: &Frame, builder: &mut Builder<'_>) -> Result<Option<SltId>, Failure> {
        let children = &self.children[frame.start..];
        if children.len() != 1 {
            if self.reading == Reading::Labs {
                return Err(MathmlError::MathChildren(children.len()).into());
            }
            if children.len() > 1 {
                self.remarks.push(MathmlRemark::SeveralChildren);
            }
        }
        Ok(only_or_row(children, builder))
    }

    /// What an element with a text is.
    fn leaf(&mut self, frame: &Frame, builder: &mut Builder<'_>) -> SltId {
        let several = self.reading == Reading::Tolerant;
        match frame.element {
            Element::Leaf(Leaf::Wildcard) if several => builder.wildcard(&self.text, frame.look),
            Element::Leaf(kind) => {
                let (kind, text) = if several { as_latexml(kind, &self.text) } else { (kind, &*self.text) };
                builder.leaf(kind, text, frame.look)
            }
            Element::Error if self.text.trim().is_empty() => {
                builder.slt().push_with(frame.look, |tag| tag.push_str("E!"))
            }
            Element::Error => builder.leaf(Leaf::Error, &self.text, frame.look),
            _ => {
                self.text.insert(0, '"');
                self.text.push('"');
                builder.leaf(Leaf::Text, &self.text, frame.look)
            }
        }
    }

    fn push_child(&mut self, node: Option<SltId>) {
        self.children.push(node);
        if let Some(parent) = self.frames.last_mut().filter(|parent| parent.element == Element::Table) {
            if parent.number == 0 {
                parent.columns = 1;
            }
            parent.number += 1;
        }
    }

    /// Leaves the cells where they are if this is in a table.
    fn close_table_row(&mut self, frame: &Frame, builder: &mut Builder<'_>) -> Result<(), Failure> {
        if frame.element == Element::LabeledRow && self.children.len() > frame.start {
            self.children.remove(frame.start);
        }
        if self.children.len() == frame.start {
            self.children.push(None);
        }
        let count = self.children.len() - frame.start;
        match self.frames.last_mut() {
            Some(table) if table.element == Element::Table => {
                if table.number == 0 {
                    table.columns = count;
                }
                table.number += 1;
            }
            _ => {
                let table = builder.table(&self.children[frame.start..], 1, count);
                self.children.truncate(frame.start);
                self.push_child(Some(table));
            }
        }
        Ok(())
    }

    /// Ends something that has a name or adds to the text of the leaf around it.
    fn close_in_leaf(&mut self, frame: &Frame, builder: &mut Builder<'_>) -> Result<(), Failure> {
        let value = frame.value(0).trim();
        let parent = self.frames.last_mut().filter(|parent| parent.element.holds_text());
        match (frame.element, parent) {
            (Element::Wildcard, Some(parent)) => {
                if !value.is_empty() {
                    self.text.clear();
                    self.text.push_str(value);
                }
                if matches!(parent.element, Element::Leaf(_)) {
                    parent.element = Element::Leaf(Leaf::Wildcard);
                }
            }
            (Element::Wildcard, None) => {
                let name = if value.is_empty() { self.text.trim() } else { value };
                let wildcard = match self.reading {
                    // The labs' names keep their stars.
                    Reading::Labs if name.contains('*') => builder.leaf(Leaf::Wildcard, name, frame.look),
                    _ => builder.wildcard(name, frame.look),
                };
                self.push_child(Some(wildcard));
            }
            // LaTeXML's wildcard in text: a content symbol between stars.
            (Element::InLeaf, Some(parent)) if frame.tag == Element::Content => {
                let name = self.text.trim();
                let starred = name.len() > 2 && name.starts_with('*') && name.ends_with('*');
                if starred && self.reading == Reading::Tolerant && parent.element == Element::Leaf(Leaf::Text)
                {
                    parent.element = Element::Leaf(Leaf::Wildcard);
                }
            }
            (Element::Glyph, Some(_)) => self.text.push_str(value),
            (Element::Glyph, None) => {
                let glyph = builder.leaf(Leaf::Text, value, frame.look);
                self.push_child(Some(glyph));
            }
            _ => {}
        }
        Ok(())
    }
}

/// The children of an element as one node.
fn joined(
    frame: &Frame,
    children: &[Option<SltId>],
    reading: Reading,
    builder: &mut Builder<'_>,
) -> Option<SltId> {
    let several = reading == Reading::Tolerant;
    match frame.element {
        Element::Row | Element::Padded | Element::Unknown | Element::AnnotationXml => builder.row(children),
        Element::Style if several => only_or_row(children, builder),
        Element::Style => children.first().copied().flatten(),
        Element::Semantics => children.iter().copied().flatten().next(),
        Element::Action => {
            let chosen = children.get(frame.number.max(1) - 1).or(children.first());
            chosen.copied().flatten()
        }
        Element::Multiscripts => {
            let scripts = children.get(1..).unwrap_or_default();
            // Before `mprescripts` come the base and the scripts on the right.
            let split = if frame.number == 0 { scripts.len() } else { frame.number.saturating_sub(2) };
            let (post, pre) = scripts.split_at(split.min(scripts.len()));
            let base = children.first().copied().flatten();
            Some(builder.multiscripts(base, post, pre))
        }
        Element::Sqrt if children.is_empty() => Some(builder.blank()),
        Element::Sqrt => {
            let radicand = only_or_row(children, builder);
            Some(builder.root(radicand, None))
        }
        Element::Cell => {
            let cell = match *children {
                [only] => only,
                _ if several => builder.row(children),
                _ => builder.chain(children),
            };
            Some(cell.unwrap_or_else(|| builder.blank()))
        }
        Element::Table => Some(builder.table(children, frame.number, frame.columns)),
        Element::Enclose => {
            let content = only_or_row(children, builder);
            let notation = frame.value(0).trim();
            Some(builder.enclose(if notation.is_empty() { "longdiv" } else { notation }, content))
        }
        Element::Space | Element::Phantom => Some(builder.blank()),
        Element::Fenced => close_fenced(frame, children, builder),
        Element::Annotation | Element::Content => None,
        _ => with_parts(frame, children, builder),
    }
}

/// An element that has a child for each of its parts; with more or fewer it is their chain.
fn with_parts(frame: &Frame, children: &[Option<SltId>], builder: &mut Builder<'_>) -> Option<SltId> {
    let node = match (frame.element, children) {
        (Element::Sub, &[base, sub]) => builder.scripts(base, sub, None),
        (Element::Sup, &[base, sup]) => builder.scripts(base, None, sup),
        (Element::SubSup, &[base, sub, sup]) => builder.scripts(base, sub, sup),
        (Element::Under, &[base, under]) => builder.under_over(base, under, None),
        (Element::Over, &[base, over]) => builder.under_over(base, None, over),
        (Element::UnderOver, &[base, under, over]) => builder.under_over(base, under, over),
        (Element::Fraction, &[numerator, denominator]) => {
            builder.fraction(numerator, denominator, frame.look)
        }
        (Element::Root, &[radicand, index]) => builder.root(radicand, index),
        _ => return builder.chain(children),
    };
    Some(node)
}

/// The only child as it is (a blank too), or the row of all.
fn only_or_row(children: &[Option<SltId>], builder: &mut Builder<'_>) -> Option<SltId> {
    match *children {
        [only] => only,
        _ => builder.row(children),
    }
}

/// Fences and separators given as attributes.
fn close_fenced(frame: &Frame, children: &[Option<SltId>], builder: &mut Builder<'_>) -> Option<SltId> {
    let [open, close, separators] = frame.values.as_deref()?;
    let mut separators = separators.chars().filter(|letter| !letter.is_whitespace());
    let mut separator = separators.next();
    let mut items = Vec::with_capacity(children.len() * 2 + 2);
    items.push(Some(builder.leaf(Leaf::Operator, open, frame.look)));
    for (index, &child) in children.iter().enumerate() {
        if let Some(sign) = separator.filter(|_| index > 0) {
            items.push(Some(builder.leaf(Leaf::Operator, sign.encode_utf8(&mut [0; 4]), frame.look)));
            separator = separators.next().or(separator);
        }
        items.push(child);
    }
    items.push(Some(builder.leaf(Leaf::Operator, close, frame.look)));
    builder.row(&items)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Repair {
    No,
    Yes,
}

#[derive(Debug)]
enum Failure {
    Xml(String),
    Mathml(MathmlError),
}

impl From<MathmlError> for Failure {
    fn from(error: MathmlError) -> Self {
        Self::Mathml(error)
    }
}

fn local_name(name: &str) -> &str {
    name.rsplit_once(':').map_or(name, |(_, local)| local)
}

/// A leaf of browsers and of MathJax as LaTeXML has it: a hyphen for minus, dots as identifiers.
fn as_latexml(kind: Leaf, text: &str) -> (Leaf, &str) {
    match (kind, text.trim()) {
        (Leaf::Operator, "−") => (kind, "-"),
        (Leaf::Operator, "…" | "⋯" | "⋮" | "⋱" | "⋰") => (Leaf::Identifier, text),
        _ => (kind, text),
    }
}
