//! Operator trees as a mathematician reads a formula.
//!
//! Each baseline of the layout tree becomes a row of tokens, brackets on it
//! are paired, and the row is parsed by how tightly its signs bind. What hangs
//! from a symbol is parsed as a row of its own. `docs/trees.md` has the rules
//! and the choices where notation is ambiguous.
//!
//! Every symbol is read a bounded number of times, and nesting beyond
//! a fixed depth becomes a flat list, so any input ends in linear time.

mod apply;
mod bars;
mod bracket;
mod calculus;
mod expression;
mod fence;
mod function;
mod letter;
mod list;
mod logic;
mod script;
mod signs;
mod space;
mod table;
mod tokens;

use super::{Opt, OptId};
use crate::alphabet::plain;
use crate::slt::{Edge, Slt, SltId};
use latex::{Font, Span};
use signs::Kind;
use tokens::Token;

/// How many rows and operands may be nested in each other; what is deeper becomes a flat list.
const MAX_DEPTH: usize = 240;

/// How often one operand may be nested to the left (`a-b-c-…`).
const MAX_LEFT: usize = 64;

/// Operands with more nodes are not repeated in chains of relations.
const MAX_COPY: usize = 256;

/// Reads operator trees from layout trees; keeps its memory between formulas.
///
/// ```
/// use formula::opt::{Opt, meaning::SltToOpt};
/// use formula::slt::{Slt, from_latex};
///
/// let (mut slt, mut opt) = (Slt::default(), Opt::default());
/// from_latex(&latex::parse(r"\sin 2x + \frac{a}{b}").tree, &mut slt);
/// SltToOpt::default().read(&slt, &mut opt);
/// assert_eq!(opt.to_string(), "[U!plus,0[F!sin,0[U!times,0[N!2],1[V!x]]],1[O!divide,0[V!a],1[V!b]]]");
/// ```
#[derive(Debug, Default)]
pub struct SltToOpt {
    tokens: Vec<Token>,
    open: Vec<u32>,
    integrals: Vec<u32>,
    items: Vec<OptId>,
    /// Which symbols of the layout tree went into the operator tree.
    seen: Vec<bool>,
    /// Letters that are applied to something without doubt.
    functions: Vec<char>,
    functions_known: bool,
    copies: Vec<(OptId, OptId)>,
}

/// Reads the operator tree of a formula into `opt`, which is emptied first.
pub fn from_slt(slt: &Slt, opt: &mut Opt) {
    SltToOpt::default().read(slt, opt);
}

impl SltToOpt {
    /// Reads the operator tree of a formula into `opt`, which is emptied first. There is always a root; a
    /// formula without symbols is one blank, `W!`.
    pub fn read(&mut self, slt: &Slt, opt: &mut Opt) {
        opt.clear();
        self.tokens.clear();
        self.open.clear();
        self.integrals.clear();
        self.items.clear();
        self.seen.clear();
        self.seen.resize(slt.len(), false);
        self.functions.clear();
        self.functions_known = false;
        let mut read = Read { slt, opt, memory: self, start: 0, pos: 0, end: 0, depth: 0 };
        let root = read.row(slt.root());
        let root = read.add_strays(root);
        opt.set_root(Some(root));
    }
}

/// One formula being read.
struct Read<'r> {
    slt: &'r Slt,
    opt: &'r mut Opt,
    memory: &'r mut SltToOpt,
    /// The first token of the row or the part of it that is being read.
    start: usize,
    /// The next token.
    pos: usize,
    /// One past the last token of the row or the part of it that is being read.
    end: usize,
    depth: usize,
}

impl Read<'_> {
    // Nodes

    /// A node with this tag and no span yet.
    fn node(&mut self, tag: &str) -> OptId {
        self.opt.push(tag)
    }

    fn blank(&mut self) -> OptId {
        self.opt.push("W!")
    }

    /// Hangs a child, and lets the parent's span hold it.
    fn add(&mut self, parent: OptId, child: OptId) {
        self.opt.append(parent, child);
        let span = self.opt.span(child);
        self.widen(parent, span);
    }

    fn widen(&mut self, node: OptId, span: Span) {
        if span.is_empty() {
            return;
        }
        let old = self.opt.span(node);
        self.opt.set_span(node, if old.is_empty() { span } else { old.to(span) });
    }

    fn unary(&mut self, tag: &str, span: Span, child: OptId) -> OptId {
        let node = self.node(tag);
        self.widen(node, span);
        self.add(node, child);
        node
    }

    fn binary_node(&mut self, tag: &str, left: OptId, right: OptId) -> OptId {
        let node = self.node(tag);
        self.add(node, left);
        self.add(node, right);
        node
    }

    /// Takes the children of one node over to another.
    fn move_children(&mut self, from: OptId, to: OptId) {
        for child in self.opt.take_children(from) {
            self.add(to, child);
        }
        let span = self.opt.span(from);
        self.widen(to, span);
    }

    /// A node for a symbol itself, without what hangs from it.
    fn leaf(&mut self, id: SltId) -> OptId {
        self.seen(id);
        let tag = self.slt.tag(id);
        let node = match tag {
            "V!∞" => self.opt.push("C!infinity"),
            "V!∅" => self.opt.push("C!emptyset"),
            "V!ℏ" => self.opt.push("C!hbar"),
            "V!⋯" | "V!⋮" | "V!⋱" | "⋯" | "…" | "..." | "⋮" | "⋱" => self.opt.push("V!…"),
            _ if tag.starts_with('?') || tag.as_bytes().get(1) == Some(&b'!') => {
                self.opt.push_with(|tags| push_folded(tags, tag))
            }
            _ => self.opt.push_with(|tags| {
                tags.push_str("V!");
                push_folded(tags, tag);
            }),
        };
        let span = self.slt.span(id);
        self.opt.set_span(node, span);
        node
    }

    fn seen(&mut self, id: SltId) {
        self.memory.seen[id.index()] = true;
    }

    /// Everything below a symbol that is not on its baseline, as a row.
    fn child_row(&mut self, id: SltId, edge: Edge) -> OptId {
        let child = self.slt.child(id, edge);
        self.row(child)
    }

    /// A copy of a part of the tree; a blank when it is too big.
    fn copy(&mut self, top: OptId) -> OptId {
        if self.opt.preorder_from(top).nth(MAX_COPY).is_some() {
            return self.blank();
        }
        let mut copies = std::mem::take(&mut self.memory.copies);
        copies.clear();
        let mut at = Some(top);
        while let Some(id) = at {
            let range = {
                let node = &self.opt.nodes[id.index()];
                node.start as usize..node.end as usize
            };
            let copy = self.opt.push_with(|tags| tags.extend_from_within(range));
            let (span, brackets) = (self.opt.span(id), self.opt.brackets(id));
            self.opt.set_span(copy, span);
            self.opt.set_brackets(copy, brackets);
            // Parents come before their children, so the last ones are the way down to here.
            if id != top {
                let parent = self.opt.parent(id);
                while copies.last().is_some_and(|&(original, _)| Some(original) != parent) {
                    copies.pop();
                }
                if let Some(&(_, parent)) = copies.last() {
                    self.opt.append(parent, copy);
                }
            }
            copies.push((id, copy));
            at = self.after_in_preorder(id, top);
        }
        let first = copies.first().map(|&(_, copy)| copy);
        self.memory.copies = copies;
        first.unwrap_or(top)
    }

    fn after_in_preorder(&self, id: OptId, top: OptId) -> Option<OptId> {
        if let Some(child) = self.opt.first_child(id) {
            return Some(child);
        }
        let mut up = id;
        while up != top {
            if let Some(sibling) = self.opt.next_sibling(up) {
                return Some(sibling);
            }
            up = self.opt.parent(up)?;
        }
        None
    }

    // Tokens

    /// The next token, if the row goes on.
    fn peek(&mut self) -> Option<Token> {
        while self.pos < self.end {
            let token = self.memory.tokens[self.pos];
            if token.kind != Kind::Nothing {
                return Some(token);
            }
            self.pos += 1;
        }
        None
    }

    /// The token after the next.
    fn peek_second(&self) -> Option<Token> {
        self.memory.tokens[..self.end].get(self.pos + 1).copied()
    }

    fn span(&self, token: Token) -> Span {
        self.slt.span(token.id)
    }

    // Rows

    /// A whole baseline.
    fn row(&mut self, head: Option<SltId>) -> OptId {
        let Some(head) = head else { return self.blank() };
        if self.depth >= MAX_DEPTH {
            return self.flat(head);
        }
        let start = self.memory.tokens.len();
        self.tokenise(head);
        let node = self.tokens_from(start);
        self.memory.tokens.truncate(start);
        node
    }

    /// The tokens from `start` to the last one, as a row of their own.
    fn tokens_from(&mut self, start: usize) -> OptId {
        self.pair(start);
        let end = self.memory.tokens.len();
        self.part(start, end)
    }

    /// A part of the row, between brackets or before the d of an integral.
    fn part(&mut self, start: usize, end: usize) -> OptId {
        let outside = (self.start, self.pos, self.end);
        (self.start, self.pos, self.end) = (start, start, end);
        self.depth += 1;
        let node = if self.depth > MAX_DEPTH { self.rest_flat() } else { self.list() };
        self.depth -= 1;
        (self.start, self.pos, self.end) = outside;
        node
    }

    // Flat lists

    /// The rest of the row as a flat list of symbols.
    fn rest_flat(&mut self) -> OptId {
        let node = self.node("O!fragments");
        while self.pos < self.end {
            let token = self.memory.tokens[self.pos];
            self.pos += 1;
            let span = self.span(token);
            self.widen(node, span);
            self.add_flat_symbol(node, token.id);
            for (_, child) in self.slt.children(token.id).filter(|&(edge, _)| edge != Edge::Next) {
                self.add_flat(node, child);
            }
        }
        if self.opt.is_leaf(node) {
            let blank = self.blank();
            self.add(node, blank);
        }
        node
    }

    /// A baseline and all below as a flat list of symbols.
    fn flat(&mut self, head: SltId) -> OptId {
        let node = self.node("O!fragments");
        self.add_flat(node, head);
        if self.opt.is_leaf(node) {
            let blank = self.blank();
            self.add(node, blank);
        }
        node
    }

    fn add_flat(&mut self, list: OptId, head: SltId) {
        for id in self.slt.preorder_from(head) {
            self.add_flat_symbol(list, id);
        }
    }

    fn add_flat_symbol(&mut self, list: OptId, id: SltId) {
        if is_visible(self.slt.tag(id)) && !self.memory.seen[id.index()] {
            let leaf = self.leaf(id);
            self.add(list, leaf);
        }
    }

    /// Symbols that hang where nothing should hang must not get lost.
    fn add_strays(&mut self, root: OptId) -> OptId {
        let mut top = root;
        for id in self.slt.preorder() {
            if self.memory.seen[id.index()] || !is_visible(self.slt.tag(id)) {
                continue;
            }
            if top == root {
                top = self.node("O!fragments");
                self.add(top, root);
            }
            self.add_flat_symbol(top, id);
        }
        top
    }
}

/// Whether a symbol is one to be found in the operator tree: no sign, no bracket, no blank.
fn is_visible(tag: &str) -> bool {
    matches!(tag.as_bytes(), [b'V' | b'N' | b'T' | b'E', b'!', ..] | [b'?', ..])
}

/// Appends a tag with italic letters of their own made plain.
fn push_folded(tags: &mut String, tag: &str) {
    if tag.is_ascii() {
        tags.push_str(tag);
    } else {
        tags.extend(tag.chars().map(folded));
    }
}

/// The plain letter of an italic one; the sign that is usual where there are several.
fn folded(c: char) -> char {
    match c {
        '−' => '-',
        '∗' => '*',
        'ϕ' => 'φ',
        'ϵ' => 'ε',
        c if (c as u32) < 0x2100 => c,
        c => match plain(c) {
            Some((letter, Font::Italic)) => letter,
            _ => c,
        },
    }
}

/// The one letter of an identifier.
fn letter_of(tag: &str) -> Option<char> {
    let mut letters = tag.strip_prefix("V!")?.chars();
    let letter = letters.next()?;
    if letters.next().is_some() { None } else { Some(folded(letter)) }
}
