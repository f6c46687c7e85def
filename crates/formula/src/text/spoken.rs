//! A formula in English words, short enough to listen to.

use super::atoms::{is_function, single};
use super::marks;
use latex::{Bar, Class, Enclosure, Font, Kind, NodeId, Opaque, TableKind, Text, Tree};
use std::collections::HashMap;
use std::sync::LazyLock;

/// How many bytes of words there are at most, more or less; the rest is left out.
const MAX_LENGTH: usize = 1000;

/// How many letters a word has at most.
const MAX_WORD: usize = 200;

/// A formula in words.
///
/// ```
/// let tree = latex::parse(r"\frac{x^2+1}{2}").tree;
/// assert_eq!(formula::text::write_spoken(&tree), "fraction x squared plus 1 over 2 end fraction");
/// ```
#[must_use]
pub fn write_spoken(tree: &Tree) -> String {
    let mut out = String::new();
    write_spoken_into(tree, &mut out);
    out
}

/// Appends what [`write_spoken`] gives to `out`.
pub fn write_spoken_into(tree: &Tree, out: &mut String) {
    let limit = out.len() + MAX_LENGTH;
    let mut speaker = Speaker { tree, out, limit };
    if let Some(root) = tree.root() {
        speaker.row(root);
    }
    if speaker.is_full() {
        speaker.word("and more");
    }
}

static WORDS: LazyLock<HashMap<&'static str, &'static str>> = LazyLock::new(|| {
    let table = include_str!("../../data/spoken.tsv");
    table.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once('\t')).collect()
});

struct Speaker<'t, 'o> {
    tree: &'t Tree,
    out: &'o mut String,
    limit: usize,
}

impl Speaker<'_, '_> {
    fn is_full(&self) -> bool {
        self.out.len() >= self.limit
    }

    /// Appends words, with a blank before them.
    fn word(&mut self, word: &str) {
        if word.is_empty() {
            return;
        }
        let word = word.char_indices().nth(MAX_WORD).map_or(word, |(end, _)| &word[..end]);
        let joined = matches!(word, "," | ";");
        if !self.out.is_empty() && !self.out.ends_with(' ') && !joined {
            self.out.push(' ');
        }
        self.out.push_str(word);
    }

    fn row(&mut self, id: NodeId) {
        let tree = self.tree;
        for &item in tree.row(&id) {
            if self.is_full() {
                return;
            }
            self.item(item);
            if is_function(tree, item) && !self.out.ends_with(" of") {
                self.word("of");
            }
        }
        // A function at the end is applied to nothing.
        if tree.row(&id).last().is_some_and(|&last| is_function(tree, last)) && self.out.ends_with(" of") {
            self.out.truncate(self.out.len() - " of".len());
        }
    }

    fn item(&mut self, id: NodeId) {
        let tree = self.tree;
        match tree.kind(id) {
            Kind::Row(_) => self.row(id),
            Kind::Symbol { text, class, font } => self.symbol(text, class, font),
            Kind::Number { text, font } => {
                self.font(font);
                tree.with_text(text, |digits| self.word(digits));
            }
            Kind::TextRun { text, .. } | Kind::Tag(text) => {
                tree.with_text(text, |letters| letters.split_whitespace().for_each(|word| self.word(word)));
            }
            Kind::Opaque { text, reason } => tree.with_text(text, |letters| match reason {
                Opaque::UnknownCommand => self.word(letters.trim_start_matches('\\')),
                _ => letters.split_whitespace().take(20).for_each(|word| self.word(word)),
            }),
            Kind::Scripts { base, sub, sup, .. } => self.scripts(base, sub, sup),
            Kind::PreScripts { base, sub, sup } => {
                self.bounded("left sub", sub, "end sub");
                self.bounded("left super", sup, "end super");
                self.optional(base);
            }
            Kind::Primes(count) => {
                let word = ["", "prime", "double prime", "triple prime"].get(usize::from(count));
                self.word(word.copied().unwrap_or("primes"));
            }
            Kind::Fraction { numerator, denominator, bar, left, .. } => {
                let (start, middle, end) = match (bar, left) {
                    (Bar::Line, _) => ("fraction", "over", "end fraction"),
                    (Bar::None, Some('(')) => ("", "choose", ""),
                    (Bar::None, _) => ("stack", "above", "end stack"),
                };
                self.word(start);
                self.row(numerator);
                self.word(middle);
                self.row(denominator);
                self.word(end);
            }
            Kind::Root { radicand, degree } => self.root(radicand, degree),
            Kind::Fenced { left, right, body } => {
                self.sign(left);
                self.row(body);
                self.sign(right);
            }
            Kind::Delimiter { sign, .. } => self.sign(Some(sign)),
            Kind::Accent { base, mark, under, .. } => self.accent(base, marks::spoken(mark, under)),
            Kind::Stack { base, over, under } if self.limits_of(base).is_some() => {
                self.scripts(self.limits_of(base), under, over);
            }
            Kind::Stack { base, over, under } => {
                self.row(base);
                self.bounded("with", over, "above");
                self.bounded("with", under, "below");
            }
            Kind::Table { rows, kind, left, right, .. } => self.table(tree.list(rows), kind, left, right),
            Kind::TableRow(cells) => tree.list(cells).iter().for_each(|&cell| self.row(cell)),
            Kind::Phantom(_) => {}
            Kind::Enclose { body, enclosure } => self.enclosed(body, enclosure),
            Kind::Classed { body, .. } | Kind::Similar { body } => self.row(body),
            Kind::Wildcard(text) => {
                self.word("anything");
                tree.with_text(text, |name| self.word(name));
            }
            Kind::LineBreak => self.word(";"),
            Kind::Space(_) | Kind::StyleSwitch(_) | Kind::ColorSwitch(_) => {}
        }
    }

    fn root(&mut self, radicand: NodeId, degree: Option<NodeId>) {
        match degree.and_then(|degree| self.digit(degree)) {
            Some('3') => self.word("cube root of"),
            _ => match degree {
                None => self.word("square root of"),
                Some(degree) => {
                    self.word("root of degree");
                    self.row(degree);
                    self.word("of");
                }
            },
        }
        self.row(radicand);
        if single(self.tree, radicand).is_none() {
            self.word("end root");
        }
    }

    fn accent(&mut self, base: NodeId, name: &str) {
        if single(self.tree, base).is_some() {
            self.row(base);
            self.word(name);
        } else {
            self.word(name);
            self.word("over");
            self.row(base);
            self.word("end");
            self.word(name);
        }
    }

    fn enclosed(&mut self, body: NodeId, enclosure: Enclosure) {
        self.word(match enclosure {
            Enclosure::Box => "boxed",
            Enclosure::Not => "not",
            Enclosure::Other(_) => "enclosed",
            _ => "crossed out",
        });
        self.row(body);
        if single(self.tree, body).is_none() {
            self.word("end");
        }
    }

    fn optional(&mut self, id: Option<NodeId>) {
        if let Some(id) = id {
            self.row(id);
        }
    }

    fn bounded(&mut self, start: &str, id: Option<NodeId>, end: &str) {
        if let Some(id) = id {
            self.word(start);
            self.row(id);
            self.word(end);
        }
    }

    fn symbol(&mut self, text: Text, class: Class, font: Font) {
        if class != Class::Function && class != Class::LimitFunction {
            self.font(font);
        }
        self.tree.with_text(text, |letters| match WORDS.get(letters) {
            Some(words) => self.word(words),
            // The name of the command says more than a rare sign.
            None => match latex::command_for_letters(letters) {
                Some(name) if !letters.is_ascii() && name.bytes().all(|b| b.is_ascii_alphabetic()) => {
                    self.word(name);
                }
                _ => self.word(letters),
            },
        });
    }

    fn sign(&mut self, sign: Option<char>) {
        if let Some(sign) = sign {
            let sign = if sign == '∥' { '‖' } else { sign };
            self.symbol(Text::Char(sign), Class::Open, Font::Default);
        }
    }

    fn font(&mut self, font: Font) {
        self.word(match font {
            Font::Bold | Font::BoldItalic => "bold",
            Font::DoubleStruck => "blackboard",
            Font::Calligraphic | Font::Script => "script",
            Font::Fraktur => "fraktur",
            _ => "",
        });
    }

    /// The digit that is all there is.
    fn digit(&self, id: NodeId) -> Option<char> {
        let Kind::Number { text, .. } = self.tree.kind(single(self.tree, id)?) else { return None };
        self.tree.with_text(text, |digits| {
            let mut chars = digits.chars();
            chars.next().filter(|_| chars.next().is_none())
        })
    }

    /// The operator that a stack sets limits to, as in `\underset{i}{\sum}`.
    fn limits_of(&self, base: NodeId) -> Option<NodeId> {
        let only = single(self.tree, base)?;
        let takes_limits = |class| matches!(class, Class::BigOp | Class::Integral | Class::LimitFunction);
        matches!(self.tree.kind(only), Kind::Symbol { class, .. } if takes_limits(class)).then_some(only)
    }

    fn scripts(&mut self, base: Option<NodeId>, sub: Option<NodeId>, sup: Option<NodeId>) {
        let tree = self.tree;
        let class = match base.map(|base| tree.kind(base)) {
            Some(Kind::Symbol { class, .. } | Kind::Classed { class, .. }) => class,
            _ => Class::Ord,
        };
        self.optional(base);
        match class {
            Class::BigOp | Class::Integral => {
                // A lone condition below is what the operator runs over.
                let from =
                    if sup.is_some() || class == Class::Integral && sub.is_some() { "from" } else { "over" };
                self.bounded(from, sub, "");
                self.bounded("to", sup, "");
                self.word("of");
            }
            Class::LimitFunction => {
                let is_limit = self.out.ends_with("limit");
                self.bounded(if is_limit { "as" } else { "over" }, sub, "");
                self.superscript(sup);
                self.word("of");
            }
            _ => {
                if let Some(sub) = sub {
                    self.word("sub");
                    self.row(sub);
                    if single(tree, sub).is_none() {
                        self.word("end sub");
                    }
                }
                self.superscript(sup);
            }
        }
    }

    fn superscript(&mut self, sup: Option<NodeId>) {
        let tree = self.tree;
        let Some(sup) = sup else { return };
        match self.digit(sup) {
            Some('2') => return self.word("squared"),
            Some('3') => return self.word("cubed"),
            _ => {}
        }
        match single(tree, sup).map(|only| tree.kind(only)) {
            Some(Kind::Primes(_)) => self.row(sup),
            Some(Kind::Symbol { text: Text::Char('∗' | '*'), .. }) => self.word("star"),
            Some(Kind::Symbol { class: Class::Bin | Class::Rel | Class::Postfix, .. }) => {
                self.word("super");
                self.row(sup);
            }
            Some(_) => {
                self.word("to the");
                self.row(sup);
            }
            None => {
                self.word("to the power");
                self.row(sup);
                self.word("end power");
            }
        }
    }

    fn table(&mut self, rows: &[NodeId], kind: TableKind, left: Option<char>, right: Option<char>) {
        let tree = self.tree;
        let cells = |row: NodeId| match tree.kind(row) {
            Kind::TableRow(cells) => tree.list(cells),
            _ => &[],
        };
        let (start, end) = match kind {
            TableKind::Matrix => {
                let width = rows.iter().map(|&row| cells(row).len()).max().unwrap_or(0);
                self.word(&format!("{} by {width}", rows.len()));
                match (left, right) {
                    (Some('|'), Some('|')) => ("determinant", "end determinant"),
                    _ => ("matrix", "end matrix"),
                }
            }
            TableKind::Cases => ("cases", "end cases"),
            TableKind::Align | TableKind::Gather => ("lines", "end lines"),
            TableKind::Substack => ("", ""),
        };
        self.word(start);
        for (index, &row) in rows.iter().enumerate() {
            if self.is_full() {
                return;
            }
            if index > 0 {
                self.word(";");
            }
            for (index, &cell) in cells(row).iter().enumerate() {
                if index > 0 && matches!(kind, TableKind::Matrix | TableKind::Cases) {
                    self.word(",");
                }
                self.row(cell);
            }
        }
        self.word(end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(source: &str, expected: &str) {
        assert_eq!(write_spoken(&latex::parse(source).tree), expected, "{source}");
    }

    #[test]
    fn common_formulas() {
        check("x^2+1", "x squared plus 1");
        check("x_i", "x sub i");
        check("x_{i+1}^{n+1}", "x sub i plus 1 end sub to the power n plus 1 end power");
        check(r"\frac ab", "fraction a over b end fraction");
        check(r"\sqrt x", "square root of x");
        check(r"\sqrt[3]{a+b}", "cube root of a plus b end root");
        check(r"\sum_{i=1}^n i", "sum from i equals 1 to n of i");
        check(r"\underoverset{i=1}{n}{\sum} i", "sum from i equals 1 to n of i");
        check(r"\underset{n}{\lim} a", "limit as n of a");
        check(
            r"\int_0^\infty e^{-x} dx",
            "integral from 0 to infinity of e to the power minus x end power d x",
        );
        check(r"\lim_{x\to0}\sin x", "limit as x to 0 of sine of x");
        check(r"\sin^2 x", "sine squared of x");
        check("f'(x)", "f prime open paren x close paren");
        check(r"\binom nk", "n choose k");
        check(r"\mathbb R", "blackboard R");
        check(r"\hat x", "x hat");
        check(r"\begin{pmatrix}a&b\\c&d\end{pmatrix}", "2 by 2 matrix a, b; c, d end matrix");
        check(r"\foo", "foo");
        check("", "");
    }

    #[test]
    fn long_formulas_are_cut() {
        let words = write_spoken(&latex::parse(&"x+".repeat(10_000)).tree);
        assert!(words.len() < MAX_LENGTH + 100 && words.ends_with("and more"));
    }
}
