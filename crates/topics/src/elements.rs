//! Which mathematical elements does a formula contain: an integral, a limit, a matrix?

use latex::{Bar, Class, Kind, NodeId, TableKind, Tree};
use std::fmt;

/// The rule in words.
pub const RULE: &str = "\
The elements of a formula are read from its layout: integral (an integral sign), limit (lim and its kin), derivative \
(∂, ∇, a fraction of d's, a dotted letter, a prime on a letter for functions, f g h u v w y F G H φ ψ, or before a \
bracket), sum, product, matrix (a grid of at least two rows), cases, binomial, root, logic (∀ ∃ ¬ ∧ ∨ ⇒ ⇔ ⊢ ⊨), set \
(∈ ⊂ ∪ ∩ ∅ and their kin, printed braces), congruence (mod), inequality (< > ≤ ≥ and their kin), fraction (with a bar, \
unless it is a derivative), function (sin, log and other names). The leading element, which makes the stratum, is the \
first of them in this order; a formula without any is plain. With --elements query it is the leading element of the \
formula query, with --elements question that of all formulas of the question together.";

/// A mathematical element, the most telling first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Element {
    /// An integral sign.
    Integral,
    /// `lim` and its kin.
    Limit,
    /// A derivative.
    Derivative,
    /// A sum over an index.
    Sum,
    /// A product over an index.
    Product,
    /// A grid of at least two rows.
    Matrix,
    /// A distinction of cases.
    Cases,
    /// A binomial coefficient.
    Binomial,
    /// A root.
    Root,
    /// Quantifiers and connectives.
    Logic,
    /// Membership, inclusion, union and the like.
    Set,
    /// Equality modulo something.
    Congruence,
    /// An order relation.
    Inequality,
    /// A fraction with a bar.
    Fraction,
    /// A named function.
    Function,
    /// None of the others.
    Plain,
}

impl Element {
    /// All elements, in order.
    pub const ALL: [Self; 16] = [
        Self::Integral,
        Self::Limit,
        Self::Derivative,
        Self::Sum,
        Self::Product,
        Self::Matrix,
        Self::Cases,
        Self::Binomial,
        Self::Root,
        Self::Logic,
        Self::Set,
        Self::Congruence,
        Self::Inequality,
        Self::Fraction,
        Self::Function,
        Self::Plain,
    ];

    /// Its name in tables and files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Integral => "Integral",
            Self::Limit => "Limit",
            Self::Derivative => "Derivative",
            Self::Sum => "Sum",
            Self::Product => "Product",
            Self::Matrix => "Matrix",
            Self::Cases => "Cases",
            Self::Binomial => "Binomial",
            Self::Root => "Root",
            Self::Logic => "Logic",
            Self::Set => "Set",
            Self::Congruence => "Congruence",
            Self::Inequality => "Inequality",
            Self::Fraction => "Fraction",
            Self::Function => "Function",
            Self::Plain => "Plain",
        }
    }

    /// The element of a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|element| element.name().eq_ignore_ascii_case(name))
    }
}

impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The elements that a formula, or several, contain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Elements(u16);

impl Elements {
    /// With another element.
    #[must_use]
    pub fn with(self, element: Element) -> Self {
        Self(self.0 | 1 << element as u16)
    }

    /// Those of both.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether an element is among them; [`Element::Plain`] is if no other is.
    #[must_use]
    pub fn has(self, element: Element) -> bool {
        if element == Element::Plain { self.0 == 0 } else { self.0 & (1 << element as u16) != 0 }
    }

    /// All of them in order; [`Element::Plain`] alone if there are none.
    pub fn iter(self) -> impl Iterator<Item = Element> {
        Element::ALL.into_iter().filter(move |element| self.has(*element))
    }

    /// The first in the order of [`Element`].
    #[must_use]
    pub fn leading(self) -> Element {
        self.iter().next().unwrap_or(Element::Plain)
    }
}

impl fmt::Display for Elements {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, element) in self.iter().enumerate() {
            let blank = if at > 0 { " " } else { "" };
            write!(f, "{blank}{element}")?;
        }
        Ok(())
    }
}

/// The elements of a formula, in time linear in its length.
///
/// ```
/// use topics::elements::{Element, elements};
/// let of = |latex: &str| elements(&latex::parse(latex).tree);
/// assert_eq!(of(r"\int_0^1 \sqrt{x}\,dx").to_string(), "Integral Root");
/// assert_eq!(of(r"\lim_{n\to\infty} \sum_{k=1}^n \frac1k").leading(), Element::Limit);
/// assert_eq!(of("a+b=c").leading(), Element::Plain);
/// ```
#[must_use]
pub fn elements(tree: &Tree) -> Elements {
    let mut walk = Walk { tree, found: Elements::default(), open: Vec::new() };
    walk.open.extend(tree.root());
    while let Some(id) = walk.open.pop() {
        walk.node(id);
    }
    walk.found
}

/// Letters that people use for functions, so that a prime on them is a derivative.
const FUNCTIONS: [&str; 13] = ["f", "g", "h", "u", "v", "w", "y", "F", "G", "H", "φ", "ϕ", "ψ"];

struct Walk<'t> {
    tree: &'t Tree,
    found: Elements,
    /// Nodes still to be looked at.
    open: Vec<NodeId>,
}

impl Walk<'_> {
    fn add(&mut self, element: Element) {
        self.found = self.found.with(element);
    }

    fn node(&mut self, id: NodeId) {
        let tree = self.tree;
        match tree.kind(id) {
            Kind::Row(list) | Kind::TableRow(list) => {
                let nodes = tree.list(list);
                for pair in nodes.windows(2) {
                    if self.has_prime(pair[0]) && self.opens(pair[1]) {
                        self.add(Element::Derivative);
                    }
                }
                self.open.extend(nodes);
            }
            Kind::Symbol { text, class, .. } => {
                if let Some(element) = tree.with_text(text, |text| of_symbol(text, class)) {
                    self.add(element);
                }
            }
            Kind::Delimiter { sign, .. } => self.brace(Some(sign)),
            Kind::Scripts { base, sub, sup, .. } => {
                if base.is_some_and(|base| self.is_leaf(base, |text| FUNCTIONS.contains(&text)))
                    && self.has_prime(id)
                {
                    self.add(Element::Derivative);
                }
                self.open.extend([base, sub, sup].into_iter().flatten());
            }
            Kind::PreScripts { base, sub, sup } => self.open.extend([base, sub, sup].into_iter().flatten()),
            Kind::Fraction { numerator, denominator, bar, left, right, .. } => {
                match bar {
                    Bar::None if left == Some('(') && right == Some(')') => self.add(Element::Binomial),
                    Bar::None => {}
                    Bar::Line => self.fraction(numerator, denominator),
                }
                self.open.extend([numerator, denominator]);
            }
            Kind::Root { radicand, degree } => {
                self.add(Element::Root);
                self.open.push(radicand);
                self.open.extend(degree);
            }
            Kind::Fenced { left: Some('{'), right: None, body } => self.cases_by_hand(body),
            Kind::Fenced { left, body, .. } => {
                self.brace(left);
                self.open.push(body);
            }
            Kind::Accent { base, mark, .. } => {
                if matches!(mark, '˙' | '¨' | '⃛' | '⃜') {
                    self.add(Element::Derivative);
                }
                self.open.push(base);
            }
            Kind::Stack { base, over, under } => {
                self.open.extend([Some(base), over, under].into_iter().flatten());
            }
            Kind::Table { rows, kind, left, right, .. } => {
                let rows = tree.list(rows);
                match kind {
                    TableKind::Cases => self.add(Element::Cases),
                    TableKind::Matrix if left == Some('{') && right.is_none() => self.add(Element::Cases),
                    TableKind::Matrix if rows.len() > 1 => self.add(Element::Matrix),
                    _ => {}
                }
                self.open.extend(rows);
            }
            Kind::Enclose { body, .. } | Kind::Classed { body, .. } | Kind::Similar { body } => {
                self.open.push(body);
            }
            Kind::Number { .. }
            | Kind::TextRun { .. }
            | Kind::LineBreak
            | Kind::Space(_)
            | Kind::Primes(_)
            | Kind::Phantom(_)
            | Kind::StyleSwitch(_)
            | Kind::ColorSwitch(_)
            | Kind::Tag(_)
            | Kind::Wildcard(_)
            | Kind::Opaque { .. } => {}
        }
    }

    /// A fraction with a line: a derivative, where a differential stands above and below it.
    fn fraction(&mut self, numerator: NodeId, denominator: NodeId) {
        let is_d =
            |id| self.first(id).is_some_and(|first| self.is_leaf(first, |text| matches!(text, "d" | "∂")));
        let derivative = is_d(numerator) && is_d(denominator);
        self.add(if derivative { Element::Derivative } else { Element::Fraction });
    }

    /// `\left\{\begin{array}…\right.` is how cases are typed by hand.
    fn cases_by_hand(&mut self, body: NodeId) {
        let tree = self.tree;
        for node in tree.row(&body) {
            match tree.kind(*node) {
                Kind::Table { rows, .. } => {
                    self.add(Element::Cases);
                    self.open.extend(tree.list(rows));
                }
                _ => self.open.push(*node),
            }
        }
    }

    fn brace(&mut self, sign: Option<char>) {
        if sign == Some('{') {
            self.add(Element::Set);
        }
    }

    /// The first thing that is written, inside rows and under scripts.
    fn first(&self, mut id: NodeId) -> Option<NodeId> {
        loop {
            id = match self.tree.kind(id) {
                Kind::Row(list) => *self.tree.list(list).first()?,
                Kind::Scripts { base: Some(base), .. } => base,
                _ => return Some(id),
            };
        }
    }

    /// Whether a node is a symbol, perhaps in braces, whose text fits.
    fn is_leaf(&self, id: NodeId, fits: impl Fn(&str) -> bool) -> bool {
        match self.tree.row(&id) {
            [only] => match self.tree.kind(*only) {
                Kind::Symbol { text, .. } => self.tree.with_text(text, fits),
                _ => false,
            },
            _ => false,
        }
    }

    /// Whether a node carries a prime.
    fn has_prime(&self, id: NodeId) -> bool {
        let Kind::Scripts { sup: Some(sup), .. } = self.tree.kind(id) else { return false };
        self.tree.row(&sup).iter().any(|node| matches!(self.tree.kind(*node), Kind::Primes(_)))
    }

    /// Whether a node is an opening round bracket, or something in such brackets.
    fn opens(&self, id: NodeId) -> bool {
        match self.tree.kind(id) {
            Kind::Symbol { text, .. } => self.tree.with_text(text, |text| text == "("),
            Kind::Fenced { left, .. } => left == Some('('),
            Kind::Delimiter { sign, .. } => sign == '(',
            _ => false,
        }
    }
}

/// The element that a sign or a name stands for.
fn of_symbol(text: &str, class: Class) -> Option<Element> {
    Some(match (class, text) {
        (Class::Integral, _) => Element::Integral,
        (Class::LimitFunction, "lim" | "lim sup" | "lim inf" | "inj lim" | "proj lim") => Element::Limit,
        (Class::BigOp, "∑") => Element::Sum,
        (Class::BigOp, "∏" | "∐") => Element::Product,
        (_, "∂" | "∇") => Element::Derivative,
        (_, "√") => Element::Root,
        (
            _,
            "∀" | "∃" | "∄" | "¬" | "∧" | "∨" | "⋀" | "⋁" | "⇒" | "⟹" | "⇔" | "⟺" | "⇐" | "⟸" | "⊢" | "⊨"
            | "⊧",
        ) => Element::Logic,
        (
            _,
            "∈" | "∉" | "∋" | "∌" | "⊂" | "⊆" | "⊊" | "⊃" | "⊇" | "⊋" | "⊄" | "⊈" | "∪" | "∩" | "⋃" | "⋂"
            | "∖" | "∅" | "⊔" | "⨆" | "{",
        ) => Element::Set,
        (_, "mod") => Element::Congruence,
        (
            _,
            "<" | ">" | "≤" | "≥" | "≪" | "≫" | "⩽" | "⩾" | "≦" | "≧" | "≰" | "≱" | "≮" | "≯" | "≲" | "≳"
            | "≺" | "≻" | "⪯" | "⪰",
        ) => Element::Inequality,
        (Class::Function | Class::LimitFunction, _) => Element::Function,
        _ => return None,
    })
}
