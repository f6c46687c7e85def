//! Layout trees of LaTeX out as MathML Core, the part of MathML that browsers draw.
//!
//! Blanks follow TeX: whether a sign connects two things or belongs to one of
//! them is said by attributes, and inside scripts operators stand tight. What
//! Core lacks (boxes, strokes, letter shapes) is done with styles and with the
//! characters that Unicode has for letters of other fonts. Every letter of the
//! source passes [`push_escaped`]; none becomes markup.

mod marks;
mod markup;
mod operator;
mod structure;
mod styles;
mod table;

pub use marks::{Mark, likeness_class};
pub(crate) use markup::push_escaped;
pub(crate) use structure::is_extensible;
pub use styles::{STYLE_SHEET, Styles};

use crate::text::atoms::{Atom, atom, connects, first_atom, is_function, is_modulus, unwrapped};
use crate::text::spoken::write_spoken_into;
use latex::{Class, Font, Kind, NodeId, Style, Text, Tree};
use marks::Marking;
use markup::{push_color, push_number, push_text_run};

/// How the formula stands in its text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Display {
    /// In a line of text.
    #[default]
    Inline,
    /// On a line of its own, set large.
    Block,
}

/// What a screen reader gets besides the elements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Label {
    /// The formula in words, in `aria-label`.
    #[default]
    Spoken,
    /// Nothing.
    None,
}

/// How to write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct MathmlOptions {
    /// How the formula stands in its text.
    pub display: Display,
    /// Whether there are words for screen readers.
    pub label: Label,
    /// How what has no attribute is styled.
    pub styles: Styles,
}

/// Writes a formula as MathML Core, with `source`, the LaTeX it was read from, in `alttext`.
///
/// ```
/// use formula::mathml::{Label, MathmlOptions, write_mathml};
///
/// let options = MathmlOptions { label: Label::None, ..MathmlOptions::default() };
/// let mathml = write_mathml(&latex::parse("x^2").tree, "x^2", options);
/// assert_eq!(
///     mathml,
///     r#"<math display="inline" alttext="x^2"><msup><mi>x</mi><mn>2</mn></msup></math>"#
/// );
/// ```
#[must_use]
pub fn write_mathml(tree: &Tree, source: &str, options: MathmlOptions) -> String {
    let mut out = String::with_capacity(256 + source.len() * 16);
    write_mathml_into(tree, source, options, &mut out);
    out
}

/// Appends what [`write_mathml`] gives to `out`.
pub fn write_mathml_into(tree: &Tree, source: &str, options: MathmlOptions, out: &mut String) {
    write_marked_into(tree, source, options, &[], out);
}

/// The same as [`write_mathml`] with classes on the elements of marked parts of `source`; see [`Mark`].
#[must_use]
pub fn write_marked(tree: &Tree, source: &str, options: MathmlOptions, marks: &[Mark<'_>]) -> String {
    let mut out = String::with_capacity(256 + source.len() * 16);
    write_marked_into(tree, source, options, marks, &mut out);
    out
}

/// Appends what [`write_marked`] gives to `out`.
pub fn write_marked_into(
    tree: &Tree,
    source: &str,
    options: MathmlOptions,
    marks: &[Mark<'_>],
    out: &mut String,
) {
    let start = out.len();
    out.push_str(match options.display {
        Display::Inline => "<math display=\"inline\" alttext=\"",
        Display::Block => "<math display=\"block\" alttext=\"",
    });
    push_escaped(source.trim(), out);
    if options.label == Label::Spoken {
        out.push_str("\" aria-label=\"");
        let mut words = String::new();
        write_spoken_into(tree, &mut words);
        push_escaped(&words, out);
    }
    out.push_str("\">");
    if let Some(root) = tree.root() {
        let display = options.display == Display::Block;
        let marking = Marking::new(marks);
        let mut writer = Writer { tree, source, out, styles: options.styles, marking, display, level: 0 };
        let root = unwrapped(tree, root);
        let items = tree.row(&root);
        // A formula that is marked from end to end is marked as a whole.
        writer.marking.enter(writer.span(items).range(), start);
        writer.row(items, None);
        let marking = writer.marking;
        marking.finish(out);
    }
    out.push_str("</math>");
}

struct Writer<'t, 'o> {
    tree: &'t Tree,
    /// The LaTeX; the tree leaves some looks (how big is `\Big`?) to it.
    source: &'t str,
    out: &'o mut String,
    styles: Styles,
    marking: Marking<'t>,
    /// Whether in display style.
    display: bool,
    /// How deep in scripts.
    level: u8,
}

/// What stands around a thing that is being written.
#[derive(Clone, Copy, Debug, Default)]
struct Around {
    before: Option<Atom>,
    after: Option<Atom>,
    /// Alone in its place, where blanks have no effect.
    alone: bool,
    /// Alone in braces inside a row: an ordinary thing, whatever it is by itself.
    ordinary: bool,
    /// The first in its element, which would make it a prefix.
    first: bool,
    /// Scripts above and below stay there in any style.
    fixed_limits: bool,
    /// An arrow that grows with its label, or one that does not.
    stretchy: Option<bool>,
    /// Directly in `\left … \right`.
    fenced: bool,
    /// With a subscript and nothing above it.
    below_only: bool,
}

const ALONE: Around = Around {
    before: None,
    after: None,
    alone: true,
    ordinary: false,
    first: false,
    fixed_limits: false,
    stretchy: None,
    fenced: false,
    below_only: false,
};

/// What style and colour commands have set in a row.
#[derive(Clone, Copy, Default)]
struct Switches {
    style: Option<Style>,
    size: Option<u16>,
    color: Option<Text>,
    open: bool,
}

impl Writer<'_, '_> {
    /// Writes the things of a row, one after the other, for an element that takes any number.
    fn row(&mut self, items: &[NodeId], before: Option<Atom>) {
        self.row_in(items, before, false);
    }

    fn row_in(&mut self, items: &[NodeId], mut before: Option<Atom>, fenced: bool) {
        let tree = self.tree;
        let (display, level) = (self.display, self.level);
        let breaks = items.iter().any(|&item| matches!(tree.kind(item), Kind::LineBreak));
        if breaks {
            self.out.push_str("<mtable displaystyle=\"");
            self.out.push_str(if display { "true" } else { "false" });
            self.out.push_str("\"><mtr>");
            self.open_line();
        }
        let mut switches = Switches::default();
        let mut first = true;
        let mut index = 0;
        while let Some(&item) = items.get(index) {
            index += 1;
            match tree.kind(item) {
                Kind::StyleSwitch(style) => {
                    match style {
                        Style::Size(percent) => switches.size = Some(percent),
                        _ => switches.style = Some(style),
                    }
                    self.open_style(&mut switches);
                    first = true;
                }
                Kind::ColorSwitch(color) => {
                    switches.color = Some(color);
                    self.open_style(&mut switches);
                    first = true;
                }
                Kind::LineBreak => {
                    self.close_style(&mut switches);
                    self.out.push_str("</mtd></mtr><mtr>");
                    self.open_line();
                    if switches.style.is_some() || switches.size.is_some() || switches.color.is_some() {
                        self.open_style(&mut switches);
                    }
                    (before, first) = (None, true);
                }
                Kind::Symbol { text: Text::Char(c), class: Class::Ord, font: Font::Roman }
                    if c.is_ascii_alphabetic() =>
                {
                    let letters =
                        items[index..].iter().take_while(|&&next| self.is_roman_letter(next)).count();
                    self.roman_letters(&items[index - 1..index + letters]);
                    index += letters;
                    (before, first) = (Some(Atom::Ord), false);
                }
                _ => {
                    let own = atom(tree, item);
                    // Looking ahead only where it matters keeps long rows linear.
                    let looks_ahead = matches!(own, Some(Atom::Op | Atom::Bin | Atom::Rel | Atom::Inner));
                    let after = if looks_ahead { first_atom(tree, &items[index..]) } else { None };
                    let around = Around { before, after, first, fenced, ..Around::default() };
                    if own == Some(Atom::Op)
                        && is_function(tree, item)
                        && matches!(before, Some(Atom::Ord | Atom::Close | Atom::Inner))
                    {
                        self.out.push_str("<mspace width=\"0.167em\"/>");
                    }
                    if self.level == 0 && before.is_some() && is_modulus(tree, item) {
                        self.out.push_str("<mspace width=\"1em\"/>");
                    }
                    self.item(item, around);
                    if own == Some(Atom::Op) && is_function(tree, item) {
                        self.apply(after);
                    }
                    if own.is_some() {
                        before = own;
                        if own == Some(Atom::Bin) && !connects(around.before, after) {
                            before = Some(Atom::Ord);
                        }
                    }
                    first = false;
                }
            }
        }
        self.close_style(&mut switches);
        if breaks {
            self.out.push_str("</mtd></mtr></mtable>");
        }
        (self.display, self.level) = (display, level);
    }

    /// The cell of one of several lines.
    fn open_line(&mut self) {
        self.out.push_str("<mtd");
        self.style(&[styles::LEFT]);
        self.out.push('>');
    }

    /// The invisible sign between a function's name and its argument.
    fn apply(&mut self, after: Option<Atom>) {
        match after {
            Some(Atom::Ord | Atom::Op | Atom::Inner) => {
                self.out.push_str("<mo lspace=\"0\" rspace=\"0.167em\">&#x2061;</mo>");
            }
            Some(Atom::Open) => self.out.push_str("<mo lspace=\"0\" rspace=\"0\">&#x2061;</mo>"),
            _ => {}
        }
    }

    fn open_style(&mut self, switches: &mut Switches) {
        self.close_style(switches);
        switches.open = true;
        self.out.push_str("<mstyle");
        if let Some(style) = switches.style {
            self.style_attributes(style);
        }
        if let Some(percent) = switches.size {
            self.out.push_str(" mathsize=\"");
            push_number(u32::from(percent), self.out);
            self.out.push_str("%\"");
        }
        if let Some(color) = switches.color {
            self.tree.with_text(color, |color| push_color(color, self.out));
        }
        self.out.push('>');
    }

    /// The attributes of a style, which also becomes the current one.
    fn style_attributes(&mut self, style: Style) {
        let (attributes, display, level) = match style {
            Style::Display => (" displaystyle=\"true\" scriptlevel=\"0\"", true, 0),
            Style::Text => (" displaystyle=\"false\" scriptlevel=\"0\"", false, 0),
            Style::Script => (" displaystyle=\"false\" scriptlevel=\"1\"", false, 1),
            Style::ScriptScript => (" displaystyle=\"false\" scriptlevel=\"2\"", false, 2),
            Style::Size(_) => return,
        };
        self.out.push_str(attributes);
        (self.display, self.level) = (display, level);
    }

    fn close_style(&mut self, switches: &mut Switches) {
        if std::mem::take(&mut switches.open) {
            self.out.push_str("</mstyle>");
        }
    }

    fn is_roman_letter(&self, id: NodeId) -> bool {
        match self.tree.kind(id) {
            Kind::Symbol { text: Text::Char(c), class: Class::Ord, font: Font::Roman } => {
                c.is_ascii_alphabetic()
            }
            _ => false,
        }
    }

    /// `\mathrm{abc}` is one name.
    fn roman_letters(&mut self, items: &[NodeId]) {
        self.marked_row(items, |writer| {
            writer.out.push_str(if items.len() == 1 { "<mi mathvariant=\"normal\">" } else { "<mi>" });
            for &item in items {
                if let Kind::Symbol { text, .. } = writer.tree.kind(item) {
                    writer.tree.push_text(text, writer.out);
                }
            }
            writer.out.push_str("</mi>");
        });
    }

    /// A row as an element.
    fn mrow(&mut self, items: &[NodeId]) {
        self.marked_row(items, |writer| {
            writer.out.push_str("<mrow>");
            writer.row(items, None);
            writer.out.push_str("</mrow>");
        });
    }

    /// Writes a node as exactly one element.
    fn argument(&mut self, id: NodeId) {
        let tree = self.tree;
        let id = unwrapped(tree, id);
        let items = tree.row(&id);
        match *items {
            [only] if self.is_one_element(only) => self.item(only, ALONE),
            _ if !items.is_empty() && items.iter().all(|&item| self.is_roman_letter(item)) => {
                self.roman_letters(items);
            }
            _ => self.mrow(items),
        }
    }

    /// The same, smaller and without display style.
    fn script(&mut self, id: NodeId) {
        let (display, level) = (self.display, self.level);
        self.display = false;
        self.level = level.saturating_add(1);
        self.argument(id);
        (self.display, self.level) = (display, level);
    }

    /// The same for what may be missing.
    fn script_or_nothing(&mut self, id: Option<NodeId>) {
        match id {
            Some(id) => self.script(id),
            None => self.out.push_str("<mrow></mrow>"),
        }
    }

    /// Whether [`Self::item`] writes one element for it, no more and no less.
    fn is_one_element(&self, id: NodeId) -> bool {
        !matches!(
            self.tree.kind(id),
            Kind::Row(_)
                | Kind::TableRow(_)
                | Kind::Space(0)
                | Kind::StyleSwitch(_)
                | Kind::ColorSwitch(_)
                | Kind::LineBreak
                | Kind::Classed { .. }
                | Kind::Tag(_)
        )
    }

    /// Writes one thing of a row.
    fn item(&mut self, id: NodeId, around: Around) {
        match self.tree.kind(id) {
            // They begin with no element of their own; what is in them is marked.
            Kind::Row(_) | Kind::Classed { .. } | Kind::Space(_) | Kind::Tag(_) => {
                self.unmarked_item(id, around);
            }
            _ => self.marked(self.tree.node(id).span, |writer| writer.unmarked_item(id, around)),
        }
    }

    fn unmarked_item(&mut self, id: NodeId, around: Around) {
        let tree = self.tree;
        match tree.kind(id) {
            Kind::Row(_) => self.group(id),
            Kind::Symbol { text, class, font } => self.symbol(text, class, font, around),
            Kind::Number { text, font } => self.number(text, font),
            Kind::TextRun { text, font } => self.text_run(text, font),
            Kind::Space(mu) => self.space(mu),
            Kind::Scripts { base, sub, sup, limits } => self.scripts(base, sub, sup, limits, around),
            Kind::PreScripts { base, sub, sup } => self.prescripts(base, sub, sup),
            Kind::Primes(count) => self.primes(count),
            Kind::Fraction { numerator, denominator, bar, left, right, style } => {
                self.fraction(numerator, denominator, bar, (left, right), style);
            }
            Kind::Root { radicand, degree } => self.root(radicand, degree),
            Kind::Fenced { left, right, body } => self.fenced(id, left, right, body),
            Kind::Delimiter { sign, class } => self.delimiter(id, sign, class, around),
            Kind::Accent { base, mark, under, stretchy } => self.accent(base, mark, under, stretchy),
            Kind::Stack { base, over, under } => self.stack(id, base, over, under, around),
            Kind::Table { rows, kind, left, right, columns } => {
                self.table(id, rows, kind, (left, right), columns);
            }
            Kind::Phantom(body) => self.phantom(id, body),
            Kind::Enclose { body, enclosure } => self.enclose(body, enclosure, around),
            Kind::Classed { body, class } => self.classed(body, class, around),
            Kind::Similar { body } => self.argument(body),
            Kind::Tag(text) => {
                self.out.push_str("<mspace width=\"2em\"/><mtext>(");
                tree.with_text(text, |text| push_escaped(text, self.out));
                self.out.push_str(")</mtext>");
            }
            Kind::Wildcard(text) => {
                self.out.push_str("<mi class=\"hyp-wildcard\" mathvariant=\"normal\">?");
                tree.with_text(text, |text| push_escaped(text, self.out));
                self.out.push_str("</mi>");
            }
            Kind::Opaque { text, .. } => {
                self.out.push_str("<mtext class=\"hyp-opaque\">");
                tree.with_text(text, |text| push_escaped(text, self.out));
                self.out.push_str("</mtext>");
            }
            // A switch that carries a script, and rows of tables outside one, have nothing to show.
            Kind::TableRow(_) | Kind::LineBreak | Kind::StyleSwitch(_) | Kind::ColorSwitch(_) => {
                self.out.push_str("<mrow></mrow>");
            }
        }
    }

    /// A group in braces, inside a row.
    fn group(&mut self, id: NodeId) {
        let tree = self.tree;
        let id = unwrapped(tree, id);
        let items = tree.row(&id);
        match *items {
            [] => {}
            [only] if self.is_one_element(only) => self.item(only, Around { ordinary: true, ..ALONE }),
            _ if items.iter().all(|&item| self.is_roman_letter(item)) => self.roman_letters(items),
            _ => self.mrow(items),
        }
    }

    fn text_run(&mut self, text: Text, font: Font) {
        self.out.push_str("<mtext");
        self.style(match font {
            Font::Bold => &[styles::BOLD],
            Font::Italic => &[styles::ITALIC],
            Font::BoldItalic => &[styles::BOLD, styles::ITALIC],
            Font::SansSerif => &[styles::SANS],
            Font::Monospace => &[styles::MONO],
            _ => &[],
        });
        self.out.push('>');
        self.tree.with_text(text, |text| push_text_run(text, font, self.out));
        self.out.push_str("</mtext>");
    }
}

#[cfg(test)]
mod tests;
