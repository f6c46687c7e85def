//! Operands that change places, and sides of relations.
//!
//! A row of signs is cut at its relations, a side at its operators. Where the order may count, or the
//! reading of the row is not certain, nothing is changed.

use latex::{Class, Kind, NodeId, Span, Text, Tree};
use stats::rng::Rng;
use std::collections::BTreeSet;

/// A modulus, however it is typed, belongs to a whole statement and not to the side it stands on.
const MODULUS: &str = "mod";

/// The formula with two operands exchanged, for all pairs that can be, in an order of chance.
pub(super) fn swapped(latex: &str, tree: &Tree, rng: &mut Rng) -> Vec<String> {
    if latex.contains(MODULUS) {
        return Vec::new();
    }
    let mut pairs = Vec::new();
    // The limits of a sum, as in `i=1`, are no equations.
    let mut limits = BTreeSet::new();
    for id in walk(tree) {
        match tree.kind(id) {
            Kind::Scripts { sub, sup, .. } => limits.extend(sub.into_iter().chain(sup)),
            Kind::Stack { over, under, .. } => limits.extend(over.into_iter().chain(under)),
            Kind::Row(list) => {
                let row = Row::new(tree, tree.list(list));
                row.swaps(if limits.contains(&id) { Sides::Stay } else { Sides::Swap }, &mut pairs);
            }
            _ => {}
        }
    }
    rng.shuffle(&mut pairs);
    let exchange = |(left, right): &(Span, Span)| {
        let (left, right) = (left.range(), right.range());
        if left.end > right.start {
            return None;
        }
        let pieces = [
            latex.get(..left.start)?,
            latex.get(right.clone())?,
            latex.get(left.end..right.start)?,
            latex.get(left)?,
            latex.get(right.end..)?,
        ];
        Some(joined(&pieces))
    };
    pairs.iter().filter_map(exchange).collect()
}

/// The sides of the relations of a formula, in an order of chance.
pub(super) fn sides(latex: &str, tree: &Tree, rng: &mut Rng) -> Vec<String> {
    let Some(root) = tree.root().filter(|_| !latex.contains(MODULUS)) else { return Vec::new() };
    let row = Row::new(tree, tree.row(&root));
    let mut sides = row.sides().unwrap_or_default();
    if sides.len() < 2 {
        return Vec::new();
    }
    rng.shuffle(&mut sides);
    sides.iter().filter_map(|side| latex.get(row.span(side)?.range())).map(str::to_owned).collect()
}

/// All nodes of a tree, parents before children.
pub(super) fn walk(tree: &Tree) -> Vec<NodeId> {
    let mut all: Vec<NodeId> = tree.root().into_iter().collect();
    let mut children = Vec::new();
    let mut at = 0;
    while at < all.len() {
        children.clear();
        tree.children(all[at], &mut children);
        all.extend(children.iter().map(|(_, child)| *child));
        at += 1;
    }
    all
}

/// Pieces of LaTeX one behind the other, with blanks where a command would swallow a letter.
fn joined(pieces: &[&str]) -> String {
    let mut out = String::new();
    for piece in pieces.iter().filter(|piece| !piece.is_empty()) {
        let is_letter = |c: char| c.is_ascii_alphabetic();
        if out.ends_with(is_letter) && piece.starts_with(is_letter) {
            out.push(' ');
        }
        out.push_str(piece);
    }
    out
}

/// What a sign of a row does there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sign {
    /// A relation whose sides may change places, or not.
    Relation {
        symmetric: bool,
    },
    Plus,
    Minus,
    /// An operator whose operands may change places.
    Commutative(char),
    /// Any other operator.
    Operator,
    Open,
    Close,
    /// Opens or closes.
    Fence,
    /// Something that reaches over operators: a sum sign, an integral, a limit.
    Binder,
    /// Dots, which stand for operands and operators.
    Dots,
    /// Something that parts statements: a comma, a word, a line end, another style.
    Stop,
    Other,
}

/// Whether the sides of equations change places, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sides {
    Swap,
    Stay,
}

/// Signs side by side, with what each does.
struct Row<'t> {
    tree: &'t Tree,
    items: Vec<(NodeId, Sign)>,
}

/// A stretch of a row.
type Stretch = std::ops::Range<usize>;

impl<'t> Row<'t> {
    fn new(tree: &'t Tree, items: &[NodeId]) -> Self {
        Self { tree, items: items.iter().map(|id| (*id, sign(tree, *id))).collect() }
    }

    /// The bytes of a stretch.
    fn span(&self, stretch: &Stretch) -> Option<Span> {
        let items = self.items.get(stretch.clone())?;
        let span = |(id, _): &(NodeId, Sign)| self.tree.node(*id).span;
        let is_seen = |item: &&(NodeId, Sign)| !matches!(self.tree.kind(item.0), Kind::Space(_));
        let (first, last) = (items.iter().find(is_seen)?, items.iter().rev().find(is_seen)?);
        Some(span(first).to(span(last)))
    }

    /// Pairs of operands that may change places, in this row and between its brackets.
    fn swaps(&self, of_sides: Sides, out: &mut Vec<(Span, Span)>) {
        let Some(groups) = self.groups() else { return };
        let whole = 0..self.items.len();
        for stretch in groups.iter().chain([&whole]) {
            self.swaps_in(stretch, of_sides, out);
        }
    }

    fn swaps_in(&self, stretch: &Stretch, of_sides: Sides, out: &mut Vec<(Span, Span)>) {
        let Some(places) = self.outside_brackets(stretch) else { return };
        let is = |wanted: fn(Sign) -> bool| places.iter().any(|at| wanted(self.items[*at].1));
        if is(|sign| sign == Sign::Stop) {
            return;
        }
        let sides = self.cut(stretch, &places, |sign| matches!(sign, Sign::Relation { .. }));
        if let [left, right] = &sides[..]
            && of_sides == Sides::Swap
            && is(|sign| sign == Sign::Relation { symmetric: true })
        {
            out.extend(self.span(left).zip(self.span(right)));
        }
        for side in sides {
            let inside: Vec<usize> = places.iter().copied().filter(|at| side.contains(at)).collect();
            self.swaps_in_side(&side, &inside, out);
        }
    }

    /// Pairs of terms with a plus, or of operands of one operator.
    fn swaps_in_side(&self, side: &Stretch, places: &[usize], out: &mut Vec<(Span, Span)>) {
        let signs: Vec<Sign> = places.iter().map(|at| self.items[*at].1).collect();
        if signs.iter().any(|sign| matches!(sign, Sign::Operator | Sign::Binder | Sign::Dots)) {
            return;
        }
        let mut operators = signs.iter().filter_map(|sign| match sign {
            Sign::Commutative(operator) => Some(*operator),
            _ => None,
        });
        let is_sum = signs.iter().any(|sign| matches!(sign, Sign::Plus | Sign::Minus));
        if is_sum {
            // Only products bind more strongly than sums for sure.
            if operators.any(|operator| operator != '⋅') {
                return;
            }
            let is_end = |sign| matches!(sign, Sign::Plus | Sign::Minus);
            let terms = self.cut(side, places, is_end);
            let has_minus = |term: &Stretch| {
                term.start
                    .checked_sub(1)
                    .is_some_and(|before| side.contains(&before) && self.items[before].1 == Sign::Minus)
            };
            self.all_pairs(terms.iter().filter(|term| !has_minus(term)), out);
        } else if let Some(first) = operators.next()
            && operators.all(|operator| operator == first)
        {
            let operands = self.cut(side, places, |sign| matches!(sign, Sign::Commutative(_)));
            self.all_pairs(operands.iter(), out);
        }
    }

    fn all_pairs<'s>(&self, stretches: impl Iterator<Item = &'s Stretch>, out: &mut Vec<(Span, Span)>) {
        let spans: Vec<Span> = stretches.filter_map(|stretch| self.span(stretch)).collect();
        for (at, left) in spans.iter().enumerate() {
            out.extend(spans[at + 1..].iter().map(|right| (*left, *right)));
        }
    }

    /// The sides of the relations of the whole row; `None` where it is not one statement.
    fn sides(&self) -> Option<Vec<Stretch>> {
        let whole = 0..self.items.len();
        let places = self.outside_brackets(&whole)?;
        if places.iter().any(|at| self.items[*at].1 == Sign::Stop) {
            return None;
        }
        Some(self.cut(&whole, &places, |sign| matches!(sign, Sign::Relation { .. })))
    }

    /// Cuts a stretch at some of its signs.
    fn cut(&self, stretch: &Stretch, places: &[usize], is_cut: impl Fn(Sign) -> bool) -> Vec<Stretch> {
        let mut pieces = Vec::new();
        let mut start = stretch.start;
        for at in places.iter().copied().filter(|at| is_cut(self.items[*at].1)) {
            pieces.push(start..at);
            start = at + 1;
        }
        pieces.push(start..stretch.end);
        pieces
    }

    /// The places in a stretch that are not between brackets; `None` if brackets do not match.
    fn outside_brackets(&self, stretch: &Stretch) -> Option<Vec<usize>> {
        let mut places = Vec::new();
        let mut open: Vec<Sign> = Vec::new();
        for at in stretch.clone() {
            match self.items[at].1 {
                Sign::Fence if open.last() == Some(&Sign::Fence) => drop(open.pop()),
                sign @ (Sign::Open | Sign::Fence) => open.push(sign),
                Sign::Close => {
                    open.pop().filter(|sign| *sign == Sign::Open)?;
                }
                _ if open.is_empty() => places.push(at),
                _ => {}
            }
        }
        open.is_empty().then_some(places)
    }

    /// What stands between round brackets; `None` if brackets do not match.
    fn groups(&self) -> Option<Vec<Stretch>> {
        let mut groups = Vec::new();
        let mut open = Vec::new();
        for (at, (_, sign)) in self.items.iter().enumerate() {
            match sign {
                Sign::Open => open.push(at),
                Sign::Close => groups.push(open.pop()? + 1..at),
                _ => {}
            }
        }
        open.is_empty().then_some(groups)
    }
}

fn sign(tree: &Tree, id: NodeId) -> Sign {
    match tree.kind(id) {
        Kind::Symbol { text, class, .. } => symbol(tree, text, class),
        Kind::Scripts { base: Some(base), .. } => match sign(tree, base) {
            // With scripts it is another relation or operator.
            Sign::Relation { .. } => Sign::Stop,
            Sign::Plus | Sign::Minus | Sign::Commutative(_) => Sign::Operator,
            sign => sign,
        },
        Kind::Delimiter { class, .. } => match class {
            Class::Open => Sign::Open,
            Class::Close => Sign::Close,
            _ => Sign::Fence,
        },
        Kind::Space(width) if width < 18 => Sign::Other,
        Kind::Space(_)
        | Kind::TextRun { .. }
        | Kind::LineBreak
        | Kind::StyleSwitch(_)
        | Kind::ColorSwitch(_)
        | Kind::Tag(_)
        | Kind::Wildcard(_)
        | Kind::Opaque { .. } => Sign::Stop,
        Kind::Stack { base, .. } => match sign(tree, base) {
            Sign::Other => Sign::Other,
            Sign::Binder => Sign::Binder,
            _ => Sign::Stop,
        },
        Kind::Classed { .. } => Sign::Stop,
        _ => Sign::Other,
    }
}

fn symbol(tree: &Tree, text: Text, class: Class) -> Sign {
    let letter = tree.with_text(text, |text| {
        let mut letters = text.chars();
        letters.next().filter(|_| letters.next().is_none())
    });
    match class {
        Class::Rel => match letter {
            Some('=' | '≠' | '≡' | '∼' | '≈' | '≅' | '≃') => Sign::Relation { symmetric: true },
            Some('<' | '>' | '≤' | '≥' | '⩽' | '⩾' | '⊂' | '⊃' | '⊆' | '⊇' | '∈' | '≪' | '≫' | '∝') => {
                Sign::Relation { symmetric: false }
            }
            _ => Sign::Stop,
        },
        Class::Bin => match letter {
            Some('+') => Sign::Plus,
            Some('-' | '−') => Sign::Minus,
            Some(operator @ ('⋅' | '∪' | '∩' | '∧' | '∨')) => Sign::Commutative(operator),
            _ => Sign::Operator,
        },
        Class::Open => Sign::Open,
        Class::Close => Sign::Close,
        Class::Fence => Sign::Fence,
        Class::BigOp | Class::Integral | Class::LimitFunction | Class::Prefix => Sign::Binder,
        Class::Inner => Sign::Dots,
        Class::Punct | Class::Arrow => Sign::Stop,
        Class::Ord | Class::Function | Class::Postfix => Sign::Other,
    }
}
