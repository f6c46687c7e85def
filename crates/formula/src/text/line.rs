//! A formula on one line of a terminal.

use super::atoms::{Atom, atom, connects, first_atom, is_function, is_modulus, single, unwrapped};
use super::marks;
use super::raised::{subscript, superscript};
use crate::alphabet::styled;
use latex::{Bar, Class, Enclosure, Font, Kind, NodeId, TableKind, Text, Tree};

/// A formula as one line of Unicode: scripts as small letters where they exist, fractions with a
/// slash. No control character gets through.
///
/// ```
/// let tree = latex::parse(r"\int_0^\infty \frac{\sin x}{x} dx").tree;
/// assert_eq!(formula::text::write_text(&tree), "∫₀^∞ sin x / x dx");
/// ```
#[must_use]
pub fn write_text(tree: &Tree) -> String {
    let mut out = String::with_capacity(64);
    write_text_into(tree, &mut out);
    out
}

/// Appends what [`write_text`] gives to `out`.
pub fn write_text_into(tree: &Tree, out: &mut String) {
    let start = out.len();
    let mut line = Line { tree, out, start, tight: false, open_script: false };
    if let Some(root) = tree.root() {
        line.group(root);
    }
    let trimmed = out[start..].trim_end().len();
    out.truncate(start + trimmed);
}

struct Line<'t, 'o> {
    tree: &'t Tree,
    out: &'o mut String,
    /// Where the line begins.
    start: usize,
    /// No blanks around operators, as in scripts and matrices.
    tight: bool,
    /// The last thing written is a script without parentheses.
    open_script: bool,
}

/// What parentheses are needed for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Numerator,
    Denominator,
    Radicand,
}

impl Line<'_, '_> {
    fn group(&mut self, id: NodeId) {
        let tree = self.tree;
        let id = unwrapped(tree, id);
        self.row(tree.row(&id));
    }

    fn row(&mut self, items: &[NodeId]) {
        let tree = self.tree;
        let mut before = None;
        for (index, &item) in items.iter().enumerate() {
            let own = atom(tree, item);
            let rest = &items[index + 1..];
            let after = if own.is_some() { first_atom(tree, rest) } else { None };
            self.open_script = false;
            match own {
                None => self.item(item),
                Some(Atom::Bin) => {
                    let connects = connects(before, after);
                    let spaced = connects && !self.tight;
                    self.blank_if(spaced);
                    self.item(item);
                    self.blank_if(spaced);
                    before = Some(if connects { Atom::Bin } else { Atom::Ord });
                    continue;
                }
                Some(Atom::Rel) => {
                    self.blank_if(!self.tight && !matches!(before, None | Some(Atom::Rel | Atom::Open)));
                    self.item(item);
                    self.blank_if(!self.tight && !matches!(after, None | Some(Atom::Rel | Atom::Close)));
                }
                Some(Atom::Punct) => {
                    self.item(item);
                    self.blank_if(!self.tight && after.is_some());
                }
                Some(Atom::Op) => {
                    let function = is_function(tree, item);
                    let beside = matches!(before, Some(Atom::Ord | Atom::Close | Atom::Inner));
                    self.blank_if(beside && (function || !self.tight));
                    self.item(item);
                    let argument = matches!(after, Some(Atom::Ord | Atom::Op | Atom::Inner));
                    let big = !function && !self.tight && matches!(after, Some(Atom::Open));
                    self.blank_if(argument && (function || !self.tight) || big);
                }
                Some(_) => self.ordinary(item, before, after, rest),
            }
            if own.is_some() {
                before = own;
                if self.open_script && matches!(after, Some(Atom::Ord | Atom::Op)) {
                    self.blank();
                }
            }
        }
    }

    /// Something that is no operator, in a row.
    fn ordinary(&mut self, item: NodeId, before: Option<Atom>, after: Option<Atom>, rest: &[NodeId]) {
        match self.tree.kind(item) {
            Kind::Fraction { bar: Bar::Line, left: None, right: None, .. } => {
                let multiplied = matches!(before, Some(Atom::Ord | Atom::Close))
                    || self.follows_function()
                    || matches!(after, Some(Atom::Ord | Atom::Open | Atom::Op | Atom::Inner))
                        && !self.is_differential(rest);
                self.blank_if(matches!(before, Some(Atom::Ord | Atom::Close)));
                self.bracketed(multiplied, |line| line.item(item));
                self.blank_if(matches!(after, Some(Atom::Ord | Atom::Op | Atom::Inner)));
            }
            Kind::Fenced { .. } => {
                self.blank_if(!self.tight && before.is_some() && is_modulus(self.tree, item));
                self.item(item);
            }
            Kind::TextRun { text, .. } => {
                let word = self.tree.with_text(text, |text| text.starts_with(char::is_alphanumeric));
                self.blank_if(word && self.out.ends_with(char::is_alphanumeric));
                self.item(item);
                let joined = matches!(after, None | Some(Atom::Punct | Atom::Close));
                self.blank_if(!joined && self.out.ends_with(char::is_alphanumeric));
            }
            _ => self.item(item),
        }
    }

    fn follows_function(&self) -> bool {
        // After a function's name there is a blank; big operators have one too, but no letter.
        let line = &self.out[self.start..];
        line.strip_suffix(' ').is_some_and(|line| line.ends_with(|c: char| c.is_ascii_alphabetic()))
    }

    /// `dx`: a factor that no one takes for a part of the denominator.
    fn is_differential(&self, rest: &[NodeId]) -> bool {
        let mut solid = rest.iter().filter(|&&item| atom(self.tree, item).is_some());
        let is_d = solid.next().is_some_and(|&item| self.letter(item) == Some('d'));
        is_d && solid.next().is_some_and(|&item| atom(self.tree, item) == Some(Atom::Ord))
    }

    /// The one letter that a node is, fonts aside.
    fn letter(&self, id: NodeId) -> Option<char> {
        match self.tree.kind(single(self.tree, id)?) {
            Kind::Symbol { text: Text::Char(c), .. } => Some(c),
            _ => None,
        }
    }

    fn blank_if(&mut self, wanted: bool) {
        if wanted {
            self.blank();
        }
    }

    fn blank(&mut self) {
        if self.out.len() > self.start && !self.out.ends_with([' ', '(', '[']) {
            self.out.push(' ');
        }
    }

    fn bracketed(&mut self, brackets: bool, write: impl FnOnce(&mut Self)) {
        if brackets {
            self.out.push('(');
        }
        write(self);
        if brackets {
            let trimmed = self.out.trim_end().len();
            self.out.truncate(trimmed);
            self.out.push(')');
            self.open_script = false;
        }
    }

    /// Text of the source, without what a terminal would obey.
    fn clean(&mut self, text: &str, font: Font) {
        for c in text.chars() {
            match c {
                '\t' | '\n' | '\r' | ' ' => self.blank(),
                '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {}
                c if c.is_control() => {}
                c => self.out.push(styled(c, font)),
            }
        }
    }

    fn letters(&mut self, text: Text, font: Font) {
        // Letters on a line are upright anyway.
        let font = if font == Font::Italic { Font::Default } else { font };
        match text {
            Text::Char('-') => self.out.push('−'),
            Text::Char('∗') => self.out.push('*'),
            Text::Char(c) if !c.is_control() => self.out.push(styled(c, font)),
            _ => self.tree.with_text(text, |letters| self.clean(letters, font)),
        }
    }

    fn sign(&mut self, sign: Option<char>) {
        if let Some(sign) = sign.filter(|sign| !sign.is_control()) {
            self.out.push(if sign == '∥' { '‖' } else { sign });
        }
    }

    fn item(&mut self, id: NodeId) {
        let tree = self.tree;
        match tree.kind(id) {
            Kind::Row(_) => self.group(id),
            Kind::Symbol {
                text: Text::Char(c), class: Class::Fence | Class::Open | Class::Close, ..
            } => {
                self.sign(Some(c));
            }
            Kind::Symbol { text, font, .. } | Kind::Number { text, font } => self.letters(text, font),
            Kind::TextRun { text, font } => {
                let font = if font == Font::Bold || font == Font::BoldItalic { Font::Default } else { font };
                self.letters(text, font);
            }
            Kind::Space(mu) => self.blank_if(mu >= 3 && !(self.tight && mu < 18)),
            Kind::LineBreak => self.out.push_str("; "),
            Kind::Scripts { base, sub, sup, .. } => {
                let Some(base) = base.filter(|base| !tree.row(base).is_empty()) else {
                    // Scripts of nothing belong to what follows: ¹⁴₆C.
                    self.script('^', sup);
                    return self.script('_', sub);
                };
                let brackets = match single(tree, base).map(|only| tree.kind(only)) {
                    Some(Kind::Fraction { left, .. }) => left.is_none(),
                    Some(Kind::Root { .. } | Kind::Scripts { .. }) => true,
                    _ => false,
                };
                self.bracketed(brackets, |line| line.item(base));
                self.script('_', sub);
                self.script('^', sup);
            }
            Kind::PreScripts { base, sub, sup } => {
                self.script('^', sup);
                self.script('_', sub);
                if let Some(base) = base {
                    self.item(base);
                }
            }
            Kind::Primes(count) => match count {
                2 => self.out.push('″'),
                3 => self.out.push('‴'),
                4 => self.out.push('⁗'),
                _ => self.out.extend(std::iter::repeat_n('′', usize::from(count))),
            },
            Kind::Fraction { numerator, denominator, bar, left, right, .. } => {
                self.fraction(numerator, denominator, bar, left, right);
            }
            Kind::Root { radicand, degree } => self.root(radicand, degree),
            Kind::Fenced { left, right, body } => {
                // A matrix takes the delimiters around it for its own.
                if let Some(Kind::Table { rows, kind: TableKind::Matrix, left: None, right: None, .. }) =
                    single(tree, body).map(|only| tree.kind(only))
                {
                    return self.table(tree.list(rows), TableKind::Matrix, left, right);
                }
                self.sign(left);
                self.group(body);
                self.sign(right);
            }
            Kind::Delimiter { sign, .. } => self.sign(Some(sign)),
            Kind::Accent { base, mark, under, .. } => self.accent(base, mark, under),
            Kind::Stack { base, over, under } => {
                self.item(base);
                self.script('_', under);
                self.script('^', over);
            }
            Kind::Table { rows, kind, left, right, .. } => self.table(tree.list(rows), kind, left, right),
            Kind::TableRow(cells) => self.cells(tree.list(cells), " "),
            Kind::Enclose { body, enclosure } => self.enclose(body, enclosure),
            Kind::Classed { body, .. } | Kind::Similar { body } => self.item(body),
            Kind::Tag(text) => {
                self.blank();
                self.out.push('(');
                self.letters(text, Font::Default);
                self.out.push(')');
            }
            Kind::Wildcard(text) => {
                self.out.push('?');
                self.letters(text, Font::Default);
            }
            Kind::Opaque { text, .. } => {
                self.letters(text, Font::Default);
                self.open_script = true;
            }
            Kind::Phantom(_) | Kind::StyleSwitch(_) | Kind::ColorSwitch(_) => {}
        }
    }

    /// A script: small letters if every character has one.
    fn script(&mut self, sign: char, script: Option<NodeId>) {
        let Some(script) = script else { return };
        let start = self.out.len();
        let tight = std::mem::replace(&mut self.tight, true);
        // Blanks at the start of the script are not wanted.
        let line_start = std::mem::replace(&mut self.start, start);
        self.group(script);
        (self.tight, self.start) = (tight, line_start);
        let written = self.out.split_off(start);
        let written = written.trim_end();
        if written.is_empty() {
            return;
        }
        let small = if sign == '^' { superscript } else { subscript };
        if written.chars().all(|c| small(c).is_some()) {
            self.out.extend(written.chars().filter_map(small));
            self.open_script = false;
            return;
        }
        self.out.push(sign);
        let alone = written.chars().filter(|&c| !is_combining(c)).nth(1).is_none();
        if alone || is_bracketed(written) {
            self.out.push_str(written);
        } else {
            self.out.extend(["(", written, ")"]);
        }
        self.open_script = alone;
    }

    fn fraction(
        &mut self,
        numerator: NodeId,
        denominator: NodeId,
        bar: Bar,
        left: Option<char>,
        right: Option<char>,
    ) {
        if bar == Bar::Line {
            self.sign(left);
            self.operand(numerator, Role::Numerator);
            self.out.push_str(if self.tight { "/" } else { " / " });
            self.operand(denominator, Role::Denominator);
            self.sign(right);
            return;
        }
        let choose = left == Some('(') && right == Some(')');
        match choose {
            true => self.out.push_str("C("),
            false => self.sign(left.or(Some('('))),
        }
        self.group(numerator);
        self.out.push_str(match (choose, self.tight) {
            (true, false) => ", ",
            (true, true) => ",",
            (false, _) => "; ",
        });
        self.group(denominator);
        self.sign(right.or(Some(')')));
    }

    fn root(&mut self, radicand: NodeId, degree: Option<NodeId>) {
        let tree = self.tree;
        let number = degree.and_then(|degree| match tree.kind(single(tree, degree)?) {
            Kind::Number { text, .. } => {
                tree.with_text(text, |digits| digits.chars().next().filter(|_| digits.len() == 1))
            }
            _ => None,
        });
        match (number, degree) {
            (Some('3'), _) => self.out.push('∛'),
            (Some('4'), _) => self.out.push('∜'),
            (Some('2'), _) | (_, None) => self.out.push('√'),
            _ => {
                self.script('^', degree);
                self.out.push('√');
            }
        }
        self.operand(radicand, Role::Radicand);
    }

    fn operand(&mut self, id: NodeId, role: Role) {
        let tree = self.tree;
        let inner = unwrapped(tree, id);
        let brackets = self.needs_brackets(tree.row(&inner), role);
        self.bracketed(brackets, |line| line.row(tree.row(&inner)));
    }

    fn needs_brackets(&self, items: &[NodeId], role: Role) -> bool {
        let tree = self.tree;
        let simple = |item: NodeId| match tree.kind(item) {
            Kind::Symbol { class, .. } => matches!(class, Class::Ord | Class::Prefix | Class::Inner),
            Kind::Number { .. } | Kind::Accent { .. } | Kind::Wildcard(_) => true,
            Kind::Fenced { left, right, .. } => left.is_some() && right.is_some(),
            Kind::Fraction { bar: Bar::None, .. } => true,
            Kind::Scripts { .. } | Kind::Root { .. } => role != Role::Radicand,
            _ => false,
        };
        match (role, items) {
            (Role::Numerator, _) => self.has_operators(items),
            (_, []) => true,
            (_, [only]) => !simple(*only),
            _ if self.is_enclosed(items) => false,
            (Role::Radicand, _) => true,
            // `sin x`, `dx`, `f(x)`
            (Role::Denominator, [first, second]) => {
                let prefix = is_function(tree, *first) || matches!(self.letter(*first), Some('d' | '∂'));
                !(prefix && simple(*second))
            }
            (Role::Denominator, [first, rest @ ..]) => {
                !((simple(*first) || is_function(tree, *first)) && self.is_enclosed(rest))
            }
        }
    }

    /// Whether there are operators that bind less than a fraction, outside parentheses.
    fn has_operators(&self, items: &[NodeId]) -> bool {
        let tree = self.tree;
        let mut depth = 0u32;
        for (index, &item) in items.iter().enumerate() {
            let found = match tree.kind(item) {
                Kind::Fraction { bar: Bar::Line, .. } | Kind::LineBreak => true,
                Kind::Row(list) => self.has_operators(tree.list(list)),
                _ => match atom(tree, item) {
                    Some(Atom::Open) => {
                        depth += 1;
                        false
                    }
                    Some(Atom::Close) => {
                        depth = depth.saturating_sub(1);
                        false
                    }
                    Some(Atom::Bin) => index > 0,
                    Some(Atom::Rel | Atom::Punct) => true,
                    Some(Atom::Op) => !is_function(tree, item),
                    _ => false,
                },
            };
            if found && depth == 0 {
                return true;
            }
        }
        false
    }

    /// Whether the things stand in one pair of parentheses.
    fn is_enclosed(&self, items: &[NodeId]) -> bool {
        let [first, inner @ .., last] = items else { return false };
        self.letter(*first) == Some('(')
            && self.letter(*last) == Some(')')
            && !inner.iter().any(|&item| matches!(self.letter(item), Some('(' | ')')))
    }

    fn accent(&mut self, base: NodeId, mark: char, under: bool) {
        let tree = self.tree;
        let one = single(tree, base).is_some_and(|only| match tree.kind(only) {
            Kind::Symbol { text: Text::Char(_), .. } => true,
            Kind::Symbol { text, .. } | Kind::Number { text, .. } => {
                tree.with_text(text, |letters| letters.chars().nth(1).is_none())
            }
            _ => false,
        });
        if let Some(combining) = marks::combining(mark, under).filter(|_| one) {
            self.group(base);
            self.out.push(combining);
            return;
        }
        self.out.push_str(marks::name(mark, under));
        self.bracketed(true, |line| line.group(base));
    }

    fn enclose(&mut self, body: NodeId, enclosure: Enclosure) {
        let one = self.letter(body).is_some();
        match enclosure {
            Enclosure::Box => {
                self.out.push('[');
                self.group(body);
                self.out.push(']');
            }
            Enclosure::Not | Enclosure::Cancel if one => {
                self.group(body);
                self.out.push('\u{338}');
            }
            _ => {
                self.out.push_str(match enclosure {
                    Enclosure::Not => "not",
                    Enclosure::Other(_) => "enclosed",
                    _ => "cancel",
                });
                self.bracketed(true, |line| line.group(body));
            }
        }
    }

    fn table(&mut self, rows: &[NodeId], kind: TableKind, left: Option<char>, right: Option<char>) {
        let tree = self.tree;
        let tight = self.tight;
        let (start, end, between) = match kind {
            TableKind::Matrix => {
                self.tight = true;
                (left.or(Some('[')), right.or(Some(']')), " ")
            }
            TableKind::Cases => (left, right, " "),
            TableKind::Align | TableKind::Gather | TableKind::Substack => (left, right, ""),
        };
        self.sign(start);
        self.blank_if(kind == TableKind::Cases);
        for (index, &row) in rows.iter().enumerate() {
            if index > 0 {
                let trimmed = self.out.trim_end().len();
                self.out.truncate(trimmed.max(self.start));
                // `;` says what a comma at the end of a row does.
                if self.out.ends_with([',', ';']) {
                    self.out.pop();
                }
                self.out.push_str(if kind == TableKind::Substack { ", " } else { "; " });
            }
            if let Kind::TableRow(cells) = tree.kind(row) {
                self.cells(tree.list(cells), between);
            }
        }
        if kind == TableKind::Cases {
            self.blank();
            self.sign(end.or(Some('}')));
        } else {
            self.sign(end);
        }
        self.tight = tight;
    }

    fn cells(&mut self, cells: &[NodeId], between: &str) {
        for (index, &cell) in cells.iter().enumerate() {
            if index > 0 && !self.out.ends_with(' ') {
                self.out.push_str(between);
            }
            // The second side of an equation begins with its relation.
            let relation = between.is_empty() && index > 0;
            let cell = unwrapped(self.tree, cell);
            let items = self.tree.row(&cell);
            let blank = relation
                && !self.tight
                && matches!(first_atom(self.tree, items), Some(Atom::Rel | Atom::Bin));
            self.blank_if(blank);
            self.row(items);
        }
    }
}

fn is_combining(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{20d0}'..='\u{20ff}')
}

/// Whether the first parenthesis closes at the very end.
fn is_bracketed(text: &str) -> bool {
    let Some(inner) = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')) else { return false };
    let mut depth = 0i32;
    for c in inner.chars() {
        depth += i32::from(c == '(') - i32::from(c == ')');
        if depth < 0 {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests;
