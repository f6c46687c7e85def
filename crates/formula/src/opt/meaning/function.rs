//! Functions by name, and what they are applied to.

use super::fence::Fence;
use super::letter::is_letter_tag;
use super::signs::{Kind, inverse};
use super::tokens::{NONE, Token};
use super::{Read, push_folded};
use crate::opt::OptId;
use crate::slt::{Edge, Slt, SltId};

impl Read<'_> {
    /// A function by its name: `sin 2x`, `log_2 n`, `sin^2 x`.
    pub(super) fn function(&mut self, token: Token) -> OptId {
        self.pos += 1;
        let id = token.id;
        self.seen(id);
        let name = name_of(self.slt, token);
        let (below, above) = self.bounds(id);
        if name == "arg"
            && below.is_none()
            && above.is_none()
            && let Some(next) = self.peek().filter(|&next| matches!(name_of(self.slt, next), "max" | "min"))
        {
            self.pos += 1;
            let name = if name_of(self.slt, next) == "max" { "argmax" } else { "argmin" };
            self.seen(next.id);
            let below = self.bounds(next.id).0;
            return self.extremum(id, name, below);
        }
        if matches!(name, "max" | "min" | "argmax" | "argmin") && below.is_some() {
            return self.extremum(id, name, below);
        }
        let inverse =
            above.filter(|&above| self.is_minus_one(above)).and_then(|above| Some((above, inverse(name)?)));
        let accented = self.slt.child(id, Edge::Over).is_some() && is_letter_tag(self.slt.tag(id));
        // Primes and orders in brackets belong to the function, powers to its value.
        let power = above.filter(|&above| {
            inverse.is_none()
                && !accented
                && super::script::primes(self.slt.tag(above)).is_none()
                && !self.slt.tag(above).starts_with("M!()")
                && !self.is_minus_one(above)
        });
        let node = if let Some((above, tag)) = inverse {
            self.seen_all(above);
            let node = self.node(tag);
            self.widen(node, self.slt.span(above));
            node
        } else if accented || (above.is_some() && power.is_none()) {
            let leaf = self.named_leaf(token);
            let head = self.scripted_outside_or_in(leaf, id);
            self.compound(name, head)
        } else {
            self.opt.push_with(|tags| {
                tags.push_str("F!");
                push_folded(tags, name);
            })
        };
        self.widen(node, self.slt.span(id));
        let compound = self.opt.tag(node).starts_with("+!");
        let base = below.filter(|_| !compound && matches!(name, "log" | "ln" | "lg"));
        // The subscript of other functions makes them another function.
        let node = match below.filter(|_| !compound && base.is_none()) {
            Some(below) => {
                let leaf = self.named_leaf(token);
                let row = self.row(Some(below));
                let head = self.binary_node("O!SUB", leaf, row);
                self.compound(name, head)
            }
            None => node,
        };
        let outer = self.arguments(node);
        if let Some(base) = base {
            if self.opt.is_leaf(node) {
                let blank = self.blank();
                self.add(node, blank);
            }
            let base = self.row(Some(base));
            self.add(node, base);
        }
        let mut result = node;
        if let Some(power) = power {
            let row = self.row(Some(power));
            result = self.binary_node("O!SUP", node, row);
        }
        match outer {
            Some(fence) => self.scripted(result, fence),
            None => result,
        }
    }

    fn scripted_outside_or_in(&mut self, leaf: OptId, id: SltId) -> OptId {
        if is_letter_tag(self.slt.tag(id)) {
            self.scripted(leaf, id)
        } else {
            self.scripted_outside(leaf, id)
        }
    }

    fn named_leaf(&mut self, token: Token) -> OptId {
        let leaf = self.leaf(token.id);
        if !token.tag.is_empty() {
            self.opt.set_tag(leaf, "V!");
            self.opt.tags.push_str(token.tag);
            self.opt.node_mut(leaf).end += token.tag.len() as u32;
        }
        leaf
    }

    /// An application whose operator is an expression: `f'(x)`.
    pub(super) fn compound(&mut self, name: &str, head: OptId) -> OptId {
        let node = self.opt.push_with(|tags| {
            tags.push_str("+!");
            if !name.starts_with('?') {
                tags.push_str("V!");
            }
            push_folded(tags, name);
        });
        self.add(node, head);
        node
    }

    /// Hangs what a function is applied to from its node. Gives the bracket whose scripts belong to the value.
    pub(super) fn arguments(&mut self, node: OptId) -> Option<SltId> {
        let next = self.peek()?;
        if let Some(fence) = self.argument_fence(next) {
            self.pos += 1;
            if fence.open == '{' {
                // The largest of a set is the largest of its members.
                let set = self.set(next.id);
                if self.opt.tag(set).starts_with("M!S-") {
                    self.move_children(set, node);
                } else {
                    self.add(node, set);
                }
                return Some(next.id);
            }
            self.spread(node, next.id);
            return Some(next.id);
        }
        if matches!(next.kind, Kind::Open(')' | ']' | '}')) && next.partner != NONE {
            let inner = self.pos + 1;
            self.pos = (next.partner as usize + 1).min(self.end);
            let close = next.partner as usize;
            self.spread_part(node, inner, close.min(self.end));
            self.widen(node, self.slt.span(next.id));
            let closing = self
                .memory
                .tokens
                .get(close)
                .filter(|token| matches!(token.kind, Kind::Close(_)))
                .map(|token| token.id);
            return closing;
        }
        let negative = next.tag == "O!minus"
            && !self.has_scripts(next)
            && self.peek_second().is_some_and(|second| matches!(second.kind, Kind::Operand));
        if negative {
            self.pos += 1;
        } else if !self.starts_factor() {
            return None;
        }
        let start = self.pos;
        let mut argument = self.factor();
        if !matches!(next.kind, Kind::Function | Kind::Big | Kind::Integral) {
            argument = self.argument_run(argument, start);
        }
        if negative {
            argument = self.unary("O!minus", self.slt.span(next.id), argument);
        }
        self.add(node, argument);
        None
    }

    /// The factors after the first that still belong to the argument: `sin 2πx`, but not `sin x cos x` nor
    /// `sin x (1+x)`. An angle may be divided: `sin π/4`.
    fn argument_run(&mut self, first: OptId, start: usize) -> OptId {
        let mut run = first;
        let continues = |read: &mut Self| {
            read.starts_factor()
                && read.peek().is_some_and(|token| {
                    matches!(token.kind, Kind::Operand)
                        && read.argument_fence(token).is_none()
                        && !read.slt.tag(token.id).starts_with("M!")
                        && token.tag.is_empty()
                })
        };
        if continues(self) {
            run = self.node("U!times");
            self.add(run, first);
            while continues(self) {
                let factor = self.factor();
                self.add(run, factor);
            }
        }
        let angle = self.memory.tokens[start..self.pos].iter().any(|token| self.slt.tag(token.id) == "V!π");
        if angle && self.peek().is_some_and(|token| token.tag == "O!divide") {
            self.pos += 1;
            let divisor = self.factor();
            run = self.binary_node("O!divide", run, divisor);
        }
        run
    }

    /// Whether these are brackets around the arguments of a name.
    pub(super) fn argument_fence(&self, token: Token) -> Option<Fence> {
        let fence = Fence::of(self.slt.tag(token.id))?;
        let brackets = matches!((fence.open, fence.close), ('(', ')') | ('[', ']') | ('{', '}'));
        (brackets && fence.rows == 1 && token.kind == Kind::Operand).then_some(fence)
    }
}

/// The name of a function, also if it was spelled.
fn name_of(slt: &Slt, token: Token) -> &str {
    if token.tag.is_empty() { bare_name(slt.tag(token.id)) } else { token.tag }
}

/// A tag without its prefix.
pub(super) fn bare_name(tag: &str) -> &str {
    match tag.as_bytes() {
        [b'V' | b'T' | b'E' | b'N', b'!', ..] => &tag[2..],
        _ => tag,
    }
}
