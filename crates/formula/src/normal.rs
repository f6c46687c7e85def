//! Normalised LaTeX: one spelling for formulas that were typed in many.
//!
//! Scripts stand in one order, arguments in braces, fractions are `\frac`,
//! symbols have one name, definitions are expanded, and braces and blanks that
//! change nothing are gone. Reading the result and writing it again gives the
//! same text. Whatever could not be read is kept as `\text`, so the result
//! is LaTeX without errors, apart from commands that nobody knows.

mod letters;
mod structure;

use crate::text::atoms::{Atom, atom};
use latex::{Class, Font, Kind, NodeId, Opaque, Style, Text, Tree};
use std::cell::RefCell;
use std::collections::HashMap;

/// A formula in normalised LaTeX.
///
/// ```
/// let tree = latex::parse(r"{n\over m} ^ {2} _i \ne \mathbf  {x}").tree;
/// assert_eq!(formula::normal::write_latex(&tree), r"\frac{n}{m}_i^2\neq\mathbf{x}");
/// ```
#[must_use]
pub fn write_latex(tree: &Tree) -> String {
    let mut out = String::with_capacity(64);
    write_latex_into(tree, &mut out);
    out
}

/// Appends what [`write_latex`] gives to `out`.
pub fn write_latex_into(tree: &Tree, out: &mut String) {
    let Some(root) = tree.root() else { return };
    let breaks = RefCell::default();
    let mut printer = Printer { tree, out, word: false, line_break: false, font: Font::Default, breaks };
    printer.inside(root);
}

struct Printer<'t, 'o> {
    tree: &'t Tree,
    out: &'o mut String,
    /// Whether the last thing written is a command whose name a letter would lengthen.
    word: bool,
    /// Whether it is a line break.
    line_break: bool,
    /// The font that letters have without a command.
    font: Font,
    /// The fences of which it is known whether a line break comes out of them.
    breaks: RefCell<HashMap<NodeId, bool>>,
}

impl Printer<'_, '_> {
    // Writing

    /// Appends text that is no letter's name, with a blank where a command's name ends before a letter.
    fn push(&mut self, text: &str) {
        if self.word && text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '@') {
            self.out.push(' ');
        }
        // After a line break these would be read as its option.
        if self.line_break && text.starts_with(['*', '[']) {
            self.out.push_str("{}");
        }
        self.line_break = false;
        if !text.is_empty() {
            self.out.push_str(text);
            self.word = false;
        }
    }

    fn push_char(&mut self, c: char) {
        self.push(c.encode_utf8(&mut [0; 4]));
    }

    /// Appends a command.
    fn command(&mut self, name: &str) {
        self.line_break = name == "\\";
        self.out.push('\\');
        self.out.push_str(name);
        self.word = name.ends_with(|c: char| c.is_ascii_alphabetic());
    }

    /// Appends `{…}` around whatever is written.
    fn braced(&mut self, write: impl FnOnce(&mut Self)) {
        self.push("{");
        write(self);
        self.push("}");
    }

    /// A command with its arguments.
    fn call(&mut self, name: &str, arguments: &[NodeId]) {
        self.command(name);
        for &argument in arguments {
            self.braced(|printer| printer.inside(argument));
        }
    }

    // Rows

    /// The inside of an argument, a cell or the whole formula.
    fn inside(&mut self, id: NodeId) {
        let id = self.opened(id);
        self.items(self.tree.row(&id));
    }

    /// The inside of groups that hold one group and nothing else.
    fn opened(&self, mut id: NodeId) -> NodeId {
        while let Kind::Row(list) = self.tree.kind(id)
            && let Some(only) = self.only_one(self.tree.list(list))
            && matches!(self.tree.kind(only), Kind::Row(_))
            && !self.breaks_line(only)
        {
            id = only;
        }
        id
    }

    /// Whether nothing is written for a node.
    fn is_nothing(&self, id: NodeId) -> bool {
        match self.tree.kind(id) {
            Kind::Space(0) => true,
            Kind::TextRun { text, .. } => self.tree.with_text(text, str::is_empty),
            Kind::Symbol { text, class, .. } => {
                !matches!(class, Class::Function | Class::LimitFunction)
                    && self.tree.with_text(text, str::is_empty)
            }
            Kind::Opaque { text, .. } => self.tree.with_text(text, str::is_empty),
            _ => false,
        }
    }

    /// The only thing in groups.
    fn only(&self, id: NodeId) -> Option<NodeId> {
        let id = self.opened(id);
        match self.tree.kind(id) {
            Kind::Row(list) => self.only_one(self.tree.list(list)),
            _ => Some(id),
        }
    }

    /// The only thing in a list of which anything is written.
    fn only_one(&self, items: &[NodeId]) -> Option<NodeId> {
        let mut something = items.iter().copied().filter(|&item| !self.is_nothing(item));
        something.next().filter(|_| something.next().is_none())
    }

    fn items(&mut self, items: &[NodeId]) {
        // Letters of one font that stand side by side share one command.
        let mut run: Option<Font> = None;
        self.run_items(items, &mut run);
        self.end_run(&mut run);
    }

    fn run_items(&mut self, items: &[NodeId], run: &mut Option<Font>) {
        let tree = self.tree;
        // Groups behind an unknown command may be its arguments.
        let mut arguments = false;
        for &item in items {
            if self.is_nothing(item) {
                continue;
            }
            match tree.kind(item) {
                Kind::Row(list) if arguments => {
                    self.end_run(run);
                    self.braced(|printer| printer.items(tree.list(list)));
                    continue;
                }
                // A font command would be read as an argument, too.
                _ if arguments && self.run_font(item).is_some() => {
                    self.braced(|printer| printer.items(&[item]));
                    continue;
                }
                Kind::Row(list) if self.dissolves(tree.list(list)) => self.run_items(tree.list(list), run),
                Kind::Row(_) => {
                    self.end_run(run);
                    self.group(item);
                }
                _ => match self.run_font(item) {
                    Some(font) => {
                        if *run != Some(font) {
                            self.end_run(run);
                            self.start_run(font, run);
                        }
                        let before = std::mem::replace(&mut self.font, font);
                        self.item(item);
                        self.font = before;
                    }
                    None => {
                        self.end_run(run);
                        self.item(item);
                    }
                },
            }
            arguments = matches!(tree.kind(item), Kind::Opaque { reason: Opaque::UnknownCommand, .. });
        }
    }

    fn start_run(&mut self, font: Font, run: &mut Option<Font>) {
        self.command(letters::font_command(font));
        self.push("{");
        *run = Some(font);
    }

    fn end_run(&mut self, run: &mut Option<Font>) {
        if run.take().is_some() {
            self.push("}");
        }
    }

    /// The font of a letter, if a command is needed for it.
    fn run_font(&self, id: NodeId) -> Option<Font> {
        let font = match self.tree.kind(id) {
            Kind::Symbol { text, class, font } => {
                if let Some((_, font)) = letters::double_struck(text).filter(|_| font == Font::Default) {
                    return Some(font).filter(|&font| font != self.font);
                }
                // Names of functions are upright by themselves, and those without a command carry their font.
                let function = matches!(class, Class::Function | Class::LimitFunction);
                let upright = matches!(font, Font::Roman | Font::Default);
                if function || text == Text::Static("mod") {
                    let known = |letters: &str| latex::command_for(letters, class).is_some();
                    if upright || !self.tree.with_text(text, known) {
                        return None;
                    }
                }
                // What has neither a character nor a command is text.
                let plain = |letters: &str| {
                    letters.chars().nth(1).is_none() || latex::command_for_letters(letters).is_some()
                };
                if self.is_nothing(id) || !self.tree.with_text(text, plain) {
                    return None;
                }
                font
            }
            Kind::Number { font, .. } => font,
            _ => return None,
        };
        Some(font).filter(|&font| font != self.font)
    }

    /// Whether a group inside a row may lose its braces without a change to what is seen.
    fn dissolves(&self, items: &[NodeId]) -> bool {
        let tree = self.tree;
        let mut something = items.iter().copied().filter(|&item| !self.is_nothing(item));
        let Some(first) = something.next() else { return false };
        // A group in a group in a group must not be looked at twice on each level.
        self.is_ordinary(first)
            && something.next_back().is_none_or(|last| self.is_ordinary(last))
            && !items.iter().any(|&item| {
                matches!(tree.kind(item), Kind::StyleSwitch(_) | Kind::ColorSwitch(_))
                    || self.breaks_line(item)
            })
    }

    /// Whether a node, as it is going to be written, needs no more room at its sides than a letter.
    fn is_ordinary(&self, id: NodeId) -> bool {
        let tree = self.tree;
        match tree.kind(id) {
            _ if self.is_nothing(id) => true,
            Kind::Row(list) => self.dissolves(tree.list(list)),
            Kind::Scripts { base: Some(base), .. } => match tree.kind(base) {
                // In braces or in the braces of a font command.
                Kind::Row(_) | Kind::Scripts { .. } => true,
                _ => self.run_font(base).is_some() || self.is_ordinary(base),
            },
            Kind::PreScripts { base: Some(base), .. } => match self.only(base) {
                Some(only) => self.is_ordinary(only),
                None => true,
            },
            _ => matches!(atom(tree, id), Some(Atom::Ord | Atom::Inner)),
        }
    }

    /// A group that keeps its braces.
    fn group(&mut self, id: NodeId) {
        let tree = self.tree;
        let id = self.opened(id);
        let items = tree.row(&id);
        // A font command has braces of its own.
        let mut fonts = items.iter().filter(|&&item| !self.is_nothing(item)).map(|&item| self.run_font(item));
        let font = fonts.next().flatten();
        if font.is_some() && fonts.all(|other| other == font) {
            return self.items(items);
        }
        self.braced(|printer| printer.items(items));
    }

    /// Whether a line break would come to stand in the row around this.
    fn breaks_line(&self, id: NodeId) -> bool {
        let tree = self.tree;
        match tree.kind(id) {
            Kind::LineBreak => true,
            Kind::Row(list) => tree
                .list(list)
                .iter()
                .any(|&item| !matches!(tree.kind(item), Kind::Row(_)) && self.breaks_line(item)),
            Kind::Scripts { base: Some(base), .. } => {
                !matches!(tree.kind(base), Kind::Row(_) | Kind::Scripts { .. }) && self.breaks_line(base)
            }
            Kind::Fenced { left, right, body } => {
                // Opening the body asks the same of what is inside: without memory, twice on each level.
                if let Some(&known) = self.breaks.borrow().get(&id) {
                    return known;
                }
                let breaks = self.modulus(left, right, body).is_none() && self.breaks_line(self.opened(body));
                self.breaks.borrow_mut().insert(id, breaks);
                breaks
            }
            _ => false,
        }
    }

    // Nodes

    fn item(&mut self, id: NodeId) {
        let tree = self.tree;
        match tree.kind(id) {
            Kind::Row(_) => self.group(id),
            Kind::Symbol { text, class, font } => self.symbol(text, class, font),
            Kind::Number { text, .. } => tree.with_text(text, |digits| self.push(digits)),
            Kind::TextRun { text, font } => {
                tree.with_text(text, |letters| self.text(letters::text_command(font), letters));
            }
            Kind::LineBreak => self.command("\\"),
            Kind::Space(mu) => self.space(mu),
            Kind::Scripts { base, sub, sup, limits } => self.scripts(base, sub, sup, limits),
            Kind::PreScripts { base, sub, sup } => self.prescripts(base, sub, sup),
            Kind::Primes(count) => {
                self.push("{}");
                self.primes(count);
            }
            Kind::Fraction { numerator, denominator, bar, left, right, style } => {
                self.fraction(numerator, denominator, bar, (left, right), style);
            }
            Kind::Root { radicand, degree } => self.root(radicand, degree),
            Kind::Fenced { left, right, body } => self.fenced(left, right, body),
            Kind::Delimiter { sign, class } => self.delimiter(sign, class),
            Kind::Accent { base, mark, under, stretchy } => {
                match latex::accent_command(mark, under, stretchy) {
                    Some(name) => self.call(name, &[base]),
                    // No table names it, so nothing could have made it.
                    None => self.braced(|printer| printer.inside(base)),
                }
            }
            Kind::Stack { base, over, under } => self.stack(id, base, over, under),
            Kind::Table { rows, kind, left, right, columns } => {
                self.table(tree.list(rows), kind, (left, right), columns);
            }
            Kind::TableRow(_) => {}
            Kind::Phantom(body) => self.call("phantom", &[body]),
            Kind::Enclose { body, enclosure } => self.enclose(body, enclosure),
            Kind::Classed { body, class } => self.classed(body, class),
            Kind::StyleSwitch(style) => self.style(style),
            Kind::ColorSwitch(text) => self.raw("color", text),
            Kind::Tag(text) => self.raw("tag", text),
            Kind::Wildcard(text) => self.raw("qvar", text),
            Kind::Similar { body } => self.braced(|printer| printer.inside(body)),
            Kind::Opaque { text, reason } => self.opaque(text, reason),
        }
    }

    fn space(&mut self, mu: i16) {
        match mu {
            0 => {}
            3 => self.command(","),
            4 => self.command(":"),
            5 => self.command(";"),
            -3 => self.command("!"),
            6 => self.command(" "),
            9 => self.command("enspace"),
            18 => self.command("quad"),
            36 => self.command("qquad"),
            _ => {
                self.command("mspace");
                self.push(&format!("{{{mu}mu}}"));
            }
        }
    }

    fn style(&mut self, style: Style) {
        self.command(match style {
            Style::Display => "displaystyle",
            Style::Text => "textstyle",
            Style::Script => "scriptstyle",
            Style::ScriptScript => "scriptscriptstyle",
            Style::Size(percent) => match percent {
                ..=60 => "tiny",
                61..=75 => "scriptsize",
                76..=85 => "footnotesize",
                86..=95 => "small",
                96..=110 => "normalsize",
                111..=130 => "large",
                131..=160 => "Large",
                161..=190 => "LARGE",
                191..=220 => "huge",
                _ => "Huge",
            },
        });
    }
}

#[cfg(test)]
mod tests;
