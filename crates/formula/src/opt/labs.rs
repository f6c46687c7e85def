//! Operator trees as LaTeXML and Tangent-S would build them.
//!
//! The labs took LaTeX through LaTeXML's grammar to Content MathML, and from
//! there to trees. Here every baseline of a layout tree is parsed by the same
//! grammar (`labs/parse.rs`), and what it gives becomes an operator tree by the same
//! rules as Content MathML does ([`super::content`]). What the grammar does not
//! cover becomes an `E!` node of fragments. `docs/trees.md` has the rules and
//! what they get wrong on purpose: `f(x)` is `f` times `x`.

mod factor;
mod fence;
mod node;
mod parse;
mod role;
mod sum;
mod tag;
mod tokens;
mod unparsed;

use super::Opt;
use super::content::Reading;
use super::content::build::Build;
use super::content::tree::{ContentId, Dictionary, Element, Tree};
use crate::alphabet::plain;
use crate::slt::Slt;
use latex::Span;
use node::Nodes;
use parse::{Memory, Parse};
use role::{Meaning, Role};
use tag::split_tag;
use tokens::{Grid, Made, Start, Tokens, Typed};

/// Makes the labs' operator trees from layout trees; keeps its memory between formulas.
#[derive(Debug, Default)]
pub struct LabsOpt {
    tokens: Tokens,
    tree: Tree,
    build: Build,
    memory: Memory,
    /// What each unit gives, once it is parsed, and where it was typed.
    results: Vec<Option<(ContentId, Span)>>,
    leaves: Vec<ContentId>,
    starts: Vec<Option<u32>>,
    ends: Vec<Option<u32>>,
}

/// Makes the labs' operator tree of a layout tree in `opt`, which is emptied first.
///
/// ```
/// use formula::opt::{Opt, labs};
/// use formula::slt::{Slt, from_latex};
///
/// let (mut slt, mut opt) = (Slt::default(), Opt::default());
/// from_latex(&latex::parse("f(x)=1").tree, &mut slt);
/// labs::from_slt(&slt, &mut opt);
/// assert_eq!(opt.to_string(), "[U!eq,0[U!times,0[V!f],1[V!x]],1[N!1]]");
/// ```
pub fn from_slt(slt: &Slt, opt: &mut Opt) {
    LabsOpt::default().read(slt, opt);
}

impl LabsOpt {
    /// Makes the labs' operator tree of a layout tree in `opt`, which is emptied first. A formula with nothing
    /// to see is one blank.
    pub fn read(&mut self, slt: &Slt, opt: &mut Opt) {
        self.read_typed(slt, "", opt);
    }

    /// The same where the LaTeX that the layout tree was read from is known: it tells apart what looks the
    /// same and was typed by different names, or as a character instead of by name.
    pub fn read_typed(&mut self, slt: &Slt, source: &str, opt: &mut Opt) {
        self.tree.clear();
        self.tokens.read(Typed { slt, source });
        self.results.clear();
        self.results.resize(self.tokens.units.len(), None);
        // Units inside others come later, so they are done first.
        for unit in (0..self.tokens.units.len()).rev() {
            self.unit(slt, unit);
        }
        let root = self.results.first().copied().flatten();
        let mut remarks = Vec::new();
        match root {
            Some((root, _)) => self.build.run(&self.tree, root, opt, Reading::Labs, &mut remarks),
            None => {
                opt.clear();
                let blank = opt.push(super::content::build::BLANK);
                opt.set_root(Some(blank));
            }
        }
    }

    fn unit(&mut self, slt: &Slt, unit: usize) {
        let start = self.tokens.units[unit].start;
        let (first, last) = self.tokens.units[unit].tokens;
        let (first, mut last) = (first as usize, last as usize);
        if matches!(start, Start::Formula | Start::Case | Start::Cell) {
            while last > first
                && matches!(self.tokens.tokens[last - 1].role, Role::Punct | Role::Period)
                && last - first > 1
            {
                last -= 1;
            }
        }
        self.leaves.clear();
        self.starts.clear();
        self.ends.clear();
        for place in first..last {
            let leaf = self.leaf(slt, place);
            self.leaves.push(leaf);
            let span = self.tokens.tokens[place].span;
            let before = self.ends.last().copied().flatten();
            self.ends.push(if span.is_empty() { before } else { Some(span.end.max(before.unwrap_or(0))) });
            self.starts.push(None);
        }
        let mut next = None;
        for (index, place) in (first..last).enumerate().rev() {
            let span = self.tokens.tokens[place].span;
            if !span.is_empty() {
                next = Some(next.map_or(span.start, |start: u32| start.min(span.start)));
            }
            self.starts[index] = next;
        }
        let tokens = &self.tokens.tokens[first..last];
        let nodes = Nodes { tree: &mut self.tree, starts: &self.starts, ends: &self.ends };
        let whole = nodes.span(0, tokens.len());
        let result = match *tokens {
            [] if start == Start::Cell => {
                let mut nodes = nodes;
                let missing = nodes.ambiguous("missing-subexpression");
                nodes.group(0, 0, Element::Error, &[missing])
            }
            [] => {
                let mut nodes = nodes;
                nodes.absent()
            }
            // A script of nothing is applied to nothing.
            [token] if token.role.is_script() => {
                let mut nodes = nodes;
                nodes.group(0, 1, Element::Apply, &self.leaves)
            }
            [_] => self.leaves[0],
            _ => {
                let mut parse = Parse {
                    tokens,
                    leaves: &self.leaves,
                    nodes,
                    memory: &mut self.memory,
                    at: 0,
                    steps: 0,
                    depth: 0,
                    limits: parse::Limits::default(),
                    absolute_refused: false,
                    no_brackets: false,
                    saw_brackets: false,
                };
                let found = parse::parse(&mut parse, start);
                found.unwrap_or_else(|| unparsed::fragments(tokens, &self.leaves, &mut parse.nodes))
            }
        };
        self.results[unit] = Some((result, whole));
    }

    /// The node of what a unit gives.
    fn result(&mut self, unit: u32) -> (ContentId, Span) {
        let found = self.results.get(unit as usize).copied().flatten();
        found.unwrap_or_else(|| {
            (
                self.tree.push(Element::Symbol(Dictionary::Latexml), "absent", &[], Span::default()),
                Span::default(),
            )
        })
    }

    fn operator(&mut self, meaning: Meaning) -> ContentId {
        match meaning {
            Meaning::Sign(name) => self.tree.push(Element::Sign, name, &[], Span::default()),
            Meaning::Symbol(name) => {
                self.tree.push(Element::Symbol(Dictionary::Latexml), name, &[], Span::default())
            }
            Meaning::Letters => self.tree.push(Element::Identifier, "", &[], Span::default()),
        }
    }

    /// The content node of a token; its span grows by what is in it.
    fn leaf(&mut self, slt: &Slt, place: usize) -> ContentId {
        let token = self.tokens.tokens[place];
        let tag = token.symbol.map_or("", |symbol| slt.tag(symbol));
        let text = split_tag(tag).map_or(tag, |(_, text)| text);
        let mut span = token.span;
        let node = match token.made {
            Made::Leaf(Meaning::Sign(name)) => self.tree.push(Element::Sign, name, &[], span),
            Made::Leaf(Meaning::Symbol(name)) => {
                self.tree.push(Element::Symbol(Dictionary::Latexml), name, &[], span)
            }
            Made::Leaf(Meaning::Letters) if token.role == Role::Number => {
                // A bold digit is a digit.
                let digits: String = text.chars().map(|c| plain(c).map_or(c, |(c, _)| c)).collect();
                self.tree.push(Element::Number, &spelled(&digits), &[], span)
            }
            Made::Leaf(_) => self.tree.push(Element::Identifier, &spelled(text), &[], span),
            Made::Character(letter) => {
                self.tree.push(Element::Identifier, letter.encode_utf8(&mut [0; 4]), &[], span)
            }
            Made::Space => self.tree.push(Element::Identifier, "", &[], span),
            Made::Fence(sign) => {
                self.tree.push(Element::Identifier, sign.encode_utf8(&mut [0; 4]), &[], span)
            }
            Made::Text => {
                let layout = self.tree.push(Element::Layout, &spelled(text), &[], span);
                self.tree.push(Element::Identifier, "", &[layout], span)
            }
            Made::Wildcard => self.tree.push(Element::Wildcard, tag.trim_start_matches('?'), &[], span),
            Made::Unit(unit) => {
                let (inner, inner_span) = self.result(unit);
                span = join(span, inner_span);
                if token.role == Role::Modifier {
                    let operator = self.tree.push(Element::Identifier, "pmod", &[], Span::default());
                    self.tree.push(Element::Apply, "", &[operator, inner], span)
                } else {
                    inner
                }
            }
            Made::Cancelled(unit) => {
                let operator = self.operator(Meaning::Symbol("cancel"));
                let (inner, inner_span) = self.result(unit);
                span = join(span, inner_span);
                self.tree.push(Element::Apply, "", &[operator, inner], span)
            }
            Made::Binary(meaning, left, right) => {
                let operator = self.operator(meaning);
                let ((left, left_span), (right, right_span)) = (self.result(left), self.result(right));
                span = join(span, join(left_span, right_span));
                self.tree.push(Element::Apply, "", &[operator, left, right], span)
            }
            Made::Root(radicand, degree) => {
                let operator = self.tree.push(Element::Sign, "root", &[], Span::default());
                let (radicand, radicand_span) = self.result(radicand);
                span = join(span, radicand_span);
                match degree {
                    None => self.tree.push(Element::Apply, "", &[operator, radicand], span),
                    Some(degree) => {
                        let (degree, degree_span) = self.result(degree);
                        span = join(span, degree_span);
                        let degree = self.tree.push(Element::Qualifier, "degree", &[degree], degree_span);
                        self.tree.push(Element::Apply, "", &[operator, degree, radicand], span)
                    }
                }
            }
            Made::Mark(base) => {
                let operator = self.tree.push(Element::Identifier, &spelled(text), &[], span);
                let (base, base_span) = self.result(base);
                span = join(span, base_span);
                self.tree.push(Element::Apply, "", &[operator, base], span)
            }
            Made::Table(grid, first, rows, columns) => self.table(grid, first, rows, columns, &mut span),
        };
        self.tokens.tokens[place].span = span;
        node
    }

    fn table(&mut self, grid: Grid, first: u32, rows: u32, columns: u32, span: &mut Span) -> ContentId {
        let mut lines = Vec::with_capacity(rows as usize);
        let mut cells = Vec::new();
        for row in 0..rows {
            let mark = cells.len();
            for column in 0..columns {
                let unit = first + row * columns + column;
                let (cell, cell_span) = self.result(unit);
                *span = join(*span, cell_span);
                let (from, to) = self.tokens.units[unit as usize].tokens;
                if grid == Grid::Cases && from == to && column == 1 {
                    // Where no condition is given, LaTeXML writes a word.
                    cells.push(self.tree.push(Element::Identifier, "", &[], Span::default()));
                } else {
                    cells.push(cell);
                }
            }
            if grid != Grid::Cases {
                let line = self.tree.push(Element::Row, "", &cells[mark..], Span::default());
                lines.push(line);
                cells.truncate(mark);
            }
        }
        if grid == Grid::Cases {
            let mut parts = vec![self.operator(Meaning::Symbol("cases"))];
            parts.extend(cells);
            return self.tree.push(Element::Apply, "", &parts, *span);
        }
        let table = self.tree.push(Element::Matrix, "", &lines, *span);
        if grid == Grid::Array {
            return table;
        }
        let matrix = self.operator(Meaning::Symbol("matrix"));
        let matrix = self.tree.push(Element::Apply, "", &[matrix, table], *span);
        let around = match grid {
            Grid::Determinant => self.operator(Meaning::Sign("determinant")),
            Grid::Norm => self.operator(Meaning::Symbol("norm")),
            _ => return matrix,
        };
        self.tree.push(Element::Apply, "", &[around, matrix], *span)
    }
}

/// The smallest span that holds both, where an empty one counts for nothing.
fn join(one: Span, other: Span) -> Span {
    match (one.is_empty(), other.is_empty()) {
        (true, _) => other,
        (_, true) => one,
        _ => one.to(other),
    }
}

/// Letters of a tag as they were before the signs of the string grammar were spelled out.
fn spelled(text: &str) -> String {
    if !text.contains('&') {
        return text.to_owned();
    }
    let signs = [("&comma;", ","), ("&lsqb;", "["), ("&rsqb;", "]"), ("&quest;", "?")];
    signs.iter().fold(text.to_owned(), |text, (word, sign)| text.replace(word, sign))
}

#[cfg(test)]
mod tests;
