//! What the reader knows about an open element.

use super::attributes;
use super::element::Element;
use crate::slt::{Leaf, Look};
use quick_xml::events::BytesStart;

/// An open element.
#[derive(Debug)]
pub(super) struct Frame {
    /// What it is, here.
    pub(super) element: Element,
    /// What its tag says, for finding the end of it.
    pub(super) tag: Element,
    /// Where its children begin on the stack.
    pub(super) start: usize,
    /// The font inside, and what is visible of the element itself.
    pub(super) look: Look,
    /// Rows so far (tables), the child to show (actions), where prescripts begin (scripts), nodes before it
    /// (parts that need only be similar).
    pub(super) number: usize,
    /// Columns of the first row (tables).
    pub(super) columns: usize,
    /// Whether the labs' reader would still take text.
    pub(super) takes_text: bool,
    /// Whether operators over and under it are accents.
    pub(super) accent: bool,
    /// Values of attributes that are text: name, notation, alternative text; open, close, separators.
    pub(super) values: Option<Box<[String; 3]>>,
}

impl Frame {
    pub(super) fn new(element: Element, start: usize, look: Look) -> Self {
        Self {
            element,
            tag: element,
            start,
            look,
            number: 0,
            columns: 0,
            takes_text: true,
            accent: false,
            values: None,
        }
    }

    pub(super) fn value(&self, index: usize) -> &str {
        self.values.as_deref().map_or("", |values| &values[index])
    }

    /// Whether text that is not in a leaf is something to see here.
    pub(super) fn reads_stray_text(&self) -> bool {
        !matches!(self.element, Element::Document | Element::Semantics | Element::Table | Element::TableRow)
    }

    pub(super) fn read_attributes(&mut self, tag: &BytesStart<'_>, is_accent: bool) {
        if self.element == Element::Fenced {
            self.values = Some(Box::new(["(".to_owned(), ")".to_owned(), ",".to_owned()]));
        }
        let mut accent = is_accent;
        let mut stretchy = true;
        attributes::for_each(tag, |name, value| {
            self.look = attributes::font_look(self.look, name, value);
            let slot = match (self.element, name) {
                (Element::Under | Element::Over | Element::UnderOver, "accent" | "accentunder") => {
                    self.accent |= value == "true";
                    return;
                }
                (Element::Leaf(Leaf::Operator), "accent") => {
                    accent |= value == "true";
                    return;
                }
                (Element::Leaf(Leaf::Operator), "stretchy") => {
                    stretchy = value != "false";
                    return;
                }
                (Element::Fraction, "linethickness") => {
                    if attributes::is_zero(value) {
                        self.look = self.look.with(Look::NO_BAR);
                    }
                    return;
                }
                (Element::Action, "selection") => {
                    self.number = value.trim().parse().unwrap_or(1);
                    return;
                }
                (Element::Enclose, "notation")
                | (Element::Wildcard, "name")
                | (Element::Glyph, "alt")
                | (Element::AnnotationXml, "encoding")
                | (Element::Fenced, "open") => 0,
                (Element::Fenced, "close") => 1,
                (Element::Fenced, "separators") => 2,
                _ => return,
            };
            self.values.get_or_insert_default()[slot] = value.to_owned();
        });
        if accent && stretchy && self.element == Element::Leaf(Leaf::Operator) {
            self.look = self.look.with(Look::STRETCHY);
        }
    }
}
