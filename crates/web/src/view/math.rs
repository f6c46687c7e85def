//! Formulas drawn as MathML, with parts of them set off.

use super::html::Html;
use formula::matching::Likeness;
use formula::mathml::{Display, Label, Mark, MathmlOptions, Styles, likeness_class, write_marked_into};
use formula::text::write_text;
use latex::{Mode, Parse};
use render::Width;
use std::ops::Range;

/// Longer LaTeX (bytes) is shown as it was written: drawn, it would fill the page.
const LONGEST: usize = 2_000;

/// Longer LaTeX (bytes) is more than a line.
const LINE: usize = 240;

/// Parts of a source and the classes that set them off.
pub(crate) type Marks<'a> = &'a [(Range<usize>, Likeness)];

/// Draws formulas; keeps its memory, and the tree of the last formula, which is often asked for several times.
#[derive(Debug, Default)]
pub(crate) struct Pen {
    reader: latex::Reader,
    /// What was read last, and how.
    last: Option<(String, Mode)>,
}

impl Pen {
    /// Reads a formula; what it gives lives until the next call.
    pub(crate) fn read(&mut self, latex: &str, mode: Mode) -> &Parse {
        if self.last.as_ref().is_some_and(|(last, how)| last == latex && *how == mode) {
            return self.reader.last();
        }
        self.last = Some((latex.to_owned(), mode));
        self.reader.read(latex.as_bytes(), mode)
    }

    /// About how wide a formula will be.
    pub(crate) fn width(&mut self, latex: &str) -> Width {
        Width::of(latex, || write_text(&self.read(latex, Mode::Document).tree))
    }

    /// A formula as a line of text.
    pub(crate) fn text(&mut self, latex: &str) -> String {
        write_text(&self.read(latex, Mode::Document).tree)
    }

    /// Whether a formula is about as high as a line of text.
    pub(crate) fn is_low(&self, latex: &str) -> bool {
        latex.len() <= LINE
            && !["\\begin", "\\\\", "\\overbrace", "\\overset", "\\underbrace", "\\underset", "\\substack"]
                .iter()
                .any(|tall| latex.contains(tall))
    }

    /// Appends a formula in a line of text.
    pub(crate) fn inline(&mut self, latex: &str, marks: Marks<'_>, out: &mut Html) {
        self.draw(latex, Mode::Document, Display::Inline, marks, out);
    }

    /// A formula on a line of its own.
    pub(crate) fn block(&mut self, latex: &str, mode: Mode, marks: Marks<'_>) -> Html {
        let mut out = Html::default();
        self.draw(latex, mode, Display::Block, marks, &mut out);
        out
    }

    /// Appends a formula without words for screen readers: what it stands in has a name of its own.
    pub(crate) fn bare(&mut self, latex: &str, mode: Mode, display: Display, out: &mut Html) {
        let parse = self.read(latex, mode);
        let options = MathmlOptions { display, label: Label::None, styles: Styles::Classes };
        out.write(|out| write_marked_into(&parse.tree, latex, options, &[], out));
    }

    /// Appends a formula.
    pub(crate) fn draw(
        &mut self,
        latex: &str,
        mode: Mode,
        display: Display,
        marks: Marks<'_>,
        out: &mut Html,
    ) {
        if latex.len() > LONGEST {
            let end = (0..=LONGEST).rev().find(|at| latex.is_char_boundary(*at)).unwrap_or(0);
            out.push("<code class=\"latex\">");
            out.push_text(&latex[..end]);
            out.push("…</code>");
            return;
        }
        let mark = |(range, likeness): &(Range<usize>, Likeness)| {
            Some(Mark { range: range.clone(), class: likeness_class(*likeness)? })
        };
        let marks: Vec<Mark<'_>> = marks.iter().filter_map(mark).collect();
        let parse = self.read(latex, mode);
        let options = MathmlOptions { display, styles: Styles::Classes, ..MathmlOptions::default() };
        out.write(|out| write_marked_into(&parse.tree, latex, options, &marks, out));
    }
}
