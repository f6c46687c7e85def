//! Formulas drawn as MathML by our own writer, and written as a line of text.
//!
//! MathML that came with a collection is never shown as it is: it is read into a layout tree, from
//! which LaTeX is made, which is drawn like any other.

use crate::escape::{self, push_text};
use crate::width::Width;
use formula::mathml::{Display, MathmlOptions, Styles, write_mathml_into};
use formula::text::write_text;
use latex::Mode;
use post::FormulaTexts;
use store::{Error, FormNo, Reader};

/// Draws formulas, with buffers that are used again.
#[derive(Debug, Default)]
pub(crate) struct Pen {
    reader: latex::Reader,
    texts: FormulaTexts,
    latex: String,
}

/// How a formula is drawn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Look<'a> {
    pub(crate) display: Display,
    /// The anchor of its element.
    pub(crate) anchor: Option<&'a str>,
    pub(crate) visual: u64,
    pub(crate) colour: Colour,
    pub(crate) frame: Frame,
}

/// What a formula is drawn in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Frame {
    /// A page of its own, with styles in place.
    Page,
    /// Part of a page of a site, without styles.
    Part,
    /// The same, and a link to the page of the formula.
    Link,
}

/// Whether a formula is highlighted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Colour {
    Plain,
    Highlighted,
}

impl Pen {
    /// Appends an element that shows a formula.
    pub(crate) fn draw(
        &mut self,
        reader: &mut Reader<'_>,
        form: FormNo,
        look: Look<'_>,
        out: &mut String,
    ) -> Result<(), Error> {
        self.load(reader, form)?;
        let tree = &self.reader.read(self.latex.as_bytes(), Mode::Document).tree;
        let element = if look.frame == Frame::Link { "a" } else { "span" };
        out.extend(["<", element, " class=\"math-container"]);
        if look.display == Display::Block {
            out.push_str(" block");
        } else {
            out.push_str(Width::of(&self.latex, || write_text(tree)).class());
        }
        if look.colour == Colour::Highlighted {
            out.push_str(" hit");
        }
        out.push('"');
        if let Some(anchor) = look.anchor {
            out.extend([" id=\"", &escape::text(anchor), "\""]);
        }
        if look.frame == Frame::Link {
            out.push_str(&format!(" href=\"/formula/{}\"", look.visual));
        }
        out.push_str(&format!(" data-visual-id=\"{}\" title=\"", look.visual));
        push_text(self.latex.trim(), out);
        out.push_str("\">");
        let styles = if look.frame == Frame::Page { Styles::Inline } else { Styles::Classes };
        let options = MathmlOptions { display: look.display, styles, ..MathmlOptions::default() };
        write_mathml_into(tree, &self.latex, options, out);
        out.extend(["</", element, ">"]);
        Ok(())
    }

    /// Appends a formula as a line of text, escaped.
    pub(crate) fn write(
        &mut self,
        reader: &mut Reader<'_>,
        form: FormNo,
        out: &mut String,
    ) -> Result<(), Error> {
        self.load(reader, form)?;
        let text = write_text(&self.reader.read(self.latex.as_bytes(), Mode::Document).tree);
        push_text(&text, out);
        Ok(())
    }

    fn load(&mut self, reader: &mut Reader<'_>, form: FormNo) -> Result<(), Error> {
        self.latex = self.texts.latex(reader, form)?;
        Ok(())
    }
}
