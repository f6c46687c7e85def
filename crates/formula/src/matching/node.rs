//! The nodes that are matched: an operator tree in flat arrays, each node with its kind, weight and symbols.

use super::even::{Even, ORDERED_TIMES};
use super::weights::Weights;
use crate::opt::{Opt, OptId};
use latex::Span;
use xxhash_rust::xxh3::xxh3_64;

/// What a node is to the matcher.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A letter that can be renamed, as a symbol or as the name of a function.
    Letter,
    /// A number.
    Number,
    /// A letter or sign with a fixed meaning: π, ∞, ℝ.
    Constant,
    /// A function with a name: sin, log, gcd.
    Function,
    /// An operation: plus, times, a power, an integral.
    Operator,
    /// A relation: equals, less than, element of.
    Relation,
    /// A list, set, matrix, row.
    Container,
    /// Words.
    Text,
    /// Something that could not be read.
    Unread,
    /// A place where nothing stands.
    Blank,
    /// Anything, in a query. Those with the same name stand for the same thing.
    Wildcard,
    /// Anything, in a query, each time something else.
    AnyWildcard,
    /// Any function, in a query, applied to what stands below.
    FunctionWildcard,
}

/// How much a node counts is a matter of its class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Class {
    /// A letter that can be renamed.
    Letter,
    /// A number.
    Number,
    /// π, ∞, ℝ, a word of letters.
    Constant,
    /// sin, log, gcd.
    Function,
    /// =, <, ∈.
    Relation,
    /// Plus and minus.
    Sum,
    /// A product.
    Product,
    /// A fraction.
    Fraction,
    /// A power or an index.
    Script,
    /// Every other operation.
    Operator,
    /// A list, set, matrix, row.
    Container,
    /// What only holds parts together: a chain of relations, formulas side by side.
    Sequence,
    /// Words.
    Text,
    /// What could not be read.
    Unread,
    /// Nothing.
    Blank,
    /// A wildcard.
    Wildcard,
}

/// How many classes there are.
pub const CLASSES: usize = 16;

/// Whether the order of the children counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// As in a fraction.
    Fixed,
    /// As in a sum.
    Free,
}

/// What may stand for a node of a query.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strictness {
    /// What is alike, the more the better.
    #[default]
    Similar,
    /// Only the same: the rest of a query in which a part need only be similar.
    Exact,
}

/// One node. Children come before their parents in [`Nodes`].
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// What it says, prefix and spelling included.
    pub spelling: u64,
    /// What it says once notation is evened out; letters without their prefix.
    pub symbol: u64,
    /// Symbols of one family are nearly the same (`<` and `≤`); 0 is none.
    pub family: u8,
    /// What it is.
    pub kind: Kind,
    /// What decides its weight.
    pub class: Class,
    /// Whether only the same will do.
    pub strictness: Strictness,
    /// Whether the order of the children counts.
    pub order: Order,
    /// How much it counts.
    pub weight: f32,
    /// The weight of the node and everything below.
    pub total: f32,
    /// The node and everything below, as one number, order of free children evened out.
    pub hash: u64,
    /// How many nodes it and everything below are.
    pub size: u32,
    /// Where the children are in [`Nodes::children`].
    pub children: (u32, u32),
    /// Where it was typed.
    pub span: Span,
    /// The node of the operator tree it was made from.
    pub origin: OptId,
}

/// How many nodes of a formula are looked at; what comes later is left out.
pub const MAX_NODES: usize = 600;

/// A tree in flat arrays, children before parents.
#[derive(Clone, Debug, Default)]
pub struct Nodes {
    nodes: Vec<Node>,
    children: Vec<u32>,
    /// The symbols of letters that an operator binds.
    bound: Vec<u64>,
}

impl Nodes {
    /// All nodes; the last is the root.
    #[must_use]
    pub fn all(&self) -> &[Node] {
        &self.nodes
    }

    /// The children of a node, as positions in [`Nodes::all`].
    #[must_use]
    pub fn children(&self, node: &Node) -> &[u32] {
        &self.children[node.children.0 as usize..node.children.1 as usize]
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The weight of the whole tree.
    #[must_use]
    pub fn total(&self) -> f32 {
        self.nodes.last().map_or(0.0, |root| root.total)
    }

    /// Flattens an operator tree.
    #[must_use]
    pub fn new(opt: &Opt, weights: &Weights) -> Self {
        let mut nodes = Self::default();
        nodes.read(opt);
        nodes.weigh(weights);
        nodes
    }

    /// Says that only the same will do, except where leaves were typed in one of these places.
    pub(super) fn be_strict_outside(&mut self, similar: &[Span]) {
        let inside =
            |span: Span| similar.iter().any(|place| place.start <= span.start && span.end <= place.end);
        for position in 0..self.nodes.len() {
            let (start, end) = self.nodes[position].children;
            let below = &self.children[start as usize..end as usize];
            let is_similar = match below {
                [] => inside(self.nodes[position].span),
                _ => below.iter().all(|&child| self.nodes[child as usize].strictness == Strictness::Similar),
            };
            self.nodes[position].strictness =
                if is_similar { Strictness::Similar } else { Strictness::Exact };
        }
    }

    /// Gives every node its weight.
    pub fn weigh(&mut self, weights: &Weights) {
        for position in 0..self.nodes.len() {
            let weight = weights.class[self.nodes[position].class as usize];
            let (start, end) = self.nodes[position].children;
            let below: f32 = self.children[start as usize..end as usize]
                .iter()
                .map(|&child| self.nodes[child as usize].total)
                .sum();
            let node = &mut self.nodes[position];
            node.weight = weight;
            node.total = weight + below;
        }
    }

    /// Flattens an operator tree into this, which is emptied first.
    pub fn read(&mut self, opt: &Opt) {
        self.nodes.clear();
        self.children.clear();
        self.bound.clear();
        let mut even = Even::default();
        even.read(opt);
        even.emit(self);
    }

    /// What some operands of a node are as one number: that of the operand, or of an operation with just these.
    pub(super) fn run_hash(&self, parent: &Node, operands: &[u32]) -> u64 {
        match operands {
            [only] => self.nodes[*only as usize].hash,
            _ => self.hash_with(parent, operands),
        }
    }

    /// A node and everything below as one number, if its children were these.
    fn hash_with(&self, node: &Node, children: &[u32]) -> u64 {
        let mut free = 0u64;
        let mut hash = node.symbol ^ (children.len() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        for &child in children {
            let child = &self.nodes[child as usize];
            match node.order {
                Order::Free => free = free.wrapping_add(scramble(child.hash)),
                Order::Fixed => hash = scramble(hash.rotate_left(7) ^ child.hash),
            }
        }
        scramble(hash ^ free)
    }

    /// Whether a letter is the index of a sum or the like, so that its name says nothing.
    #[must_use]
    pub fn is_bound(&self, symbol: u64) -> bool {
        self.bound.contains(&symbol)
    }

    /// Says that the letter at a position is bound.
    pub(super) fn bind(&mut self, letter: u32) {
        let symbol = self.nodes[letter as usize].symbol;
        if !self.bound.contains(&symbol) {
            self.bound.push(symbol);
        }
    }

    /// Adds a node whose children are there already.
    pub(super) fn push(
        &mut self,
        tag: &str,
        written: Option<&str>,
        head_of: Option<&str>,
        children: &[u32],
        origin: (OptId, Span),
    ) -> u32 {
        let mut node = describe(tag, head_of);
        if let Some(written) = written {
            node.spelling = xxh3_64(written.as_bytes());
        }
        let start = self.children.len() as u32;
        self.children.extend_from_slice(children);
        node.children = (start, self.children.len() as u32);
        (node.origin, node.span) = origin;
        node.size += children.iter().map(|&child| self.nodes[child as usize].size).sum::<u32>();
        node.hash = self.hash_with(&node, children);
        if node.kind == Kind::Wildcard && !children.is_empty() {
            node.kind = Kind::FunctionWildcard;
        }
        self.nodes.push(node);
        self.nodes.len() as u32 - 1
    }
}

fn scramble(x: u64) -> u64 {
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

fn describe(tag: &str, head_of: Option<&str>) -> Node {
    let name = tag.get(2..).unwrap_or_default();
    let (kind, class) = match tag.get(..2) {
        _ if tag == "?" || tag == "?w" => (Kind::AnyWildcard, Class::Wildcard),
        _ if tag.starts_with('?') => (Kind::Wildcard, Class::Wildcard),
        Some("V!" | "F!") => letter(tag, name, head_of),
        Some("N!") => (Kind::Number, Class::Number),
        Some("C!") => (Kind::Constant, Class::Constant),
        Some("U!" | "O!") => operator(name),
        Some("M!") => (Kind::Container, Class::Container),
        Some("T!") => (Kind::Text, Class::Text),
        Some("W!") => (Kind::Blank, Class::Blank),
        Some("E!" | "-!") => (Kind::Unread, Class::Unread),
        // What is applied stands below.
        _ if tag == "+!" => (Kind::Container, Class::Sequence),
        _ => (Kind::Operator, Class::Operator),
    };
    let symbol = match kind {
        Kind::Letter => xxh3_64(name.as_bytes()),
        _ if tag == ORDERED_TIMES => xxh3_64(b"U!times"),
        _ => xxh3_64(tag.as_bytes()),
    };
    Node {
        spelling: if tag == ORDERED_TIMES { symbol } else { xxh3_64(tag.as_bytes()) },
        symbol,
        family: family(tag, kind),
        kind,
        class,
        strictness: Strictness::Similar,
        order: if tag.starts_with("U!") || tag.starts_with("M!S") { Order::Free } else { Order::Fixed },
        weight: 0.0,
        total: 0.0,
        hash: 0,
        size: 1,
        children: (0, 0),
        span: Span::default(),
        origin: OptId::FIRST,
    }
}

fn letter(tag: &str, name: &str, head_of: Option<&str>) -> (Kind, Class) {
    let mut letters = name.chars();
    let (first, more) = (letters.next().unwrap_or(' '), letters.next().is_some());
    if more {
        return if tag.starts_with("F!") {
            (Kind::Function, Class::Function)
        } else {
            (Kind::Constant, Class::Function)
        };
    }
    match first {
        'e' if head_of == Some("O!SUP") => (Kind::Constant, Class::Constant),
        'π' | '∞' | '…' | '⋯' | '∅' | '⋮' | '⋱' | 'ℵ' | 'ℏ' => {
            (Kind::Constant, Class::Constant)
        }
        'a'..='z' | 'A'..='Z' | 'α'..='ω' | 'Α'..='Ω' | 'ϑ' | 'ϕ' | 'ϵ' | 'ϱ' | 'ℓ' => {
            (Kind::Letter, Class::Letter)
        }
        _ => (Kind::Constant, Class::Constant),
    }
}

fn operator(name: &str) -> (Kind, Class) {
    match name {
        "eq" | "neq" | "lt" | "gt" | "leq" | "geq" | "approx" | "equivalent" | "in" | "notin" | "subset"
        | "similar-to" => (Kind::Relation, Class::Relation),
        "times" => (Kind::Operator, Class::Product),
        "plus" | "minus" | "opposite" => (Kind::Operator, Class::Sum),
        "divide" | "inverse" => (Kind::Operator, Class::Fraction),
        "SUP" | "SUB" => (Kind::Operator, Class::Script),
        "form-seq" | "fragments" | "and" => (Kind::Container, Class::Sequence),
        _ => (Kind::Operator, Class::Operator),
    }
}

fn family(tag: &str, kind: Kind) -> u8 {
    match tag {
        "U!plus" | "O!minus" | "O!plus-or-minus" => 1,
        "U!eq" | "U!equivalent" | "U!approx" | "O!assign" | "U!neq" => 2,
        "O!lt" | "O!leq" | "O!gt" | "O!geq" => 3,
        "O!subset" | "O!subset-of-or-equals" => 4,
        "F!sin" | "F!cos" | "F!tan" | "F!cot" | "F!sec" | "F!csc" => 5,
        "O!SUP" | "O!SUB" => 6,
        "O!sum" | "O!product" | "O!int" | "O!contour-integral" => 7,
        "F!gcd" | "F!lcm" | "F!max" | "F!min" => 8,
        _ => match kind {
            Kind::Number => 250,
            Kind::Letter => 251,
            Kind::Container => 252,
            Kind::Text => 253,
            _ => 0,
        },
    }
}
