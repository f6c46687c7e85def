//! Signs between operands, by how tightly they bind; chains of relations; quantifiers.

use super::signs::{ADD, COLON, IMPLIES, JUXTAPOSED, Kind, MULTIPLY, RELATION, level};
use super::tokens::{Token, is_variable};
use super::{MAX_DEPTH, MAX_LEFT, Read};
use crate::opt::{Brackets, OptId};
use crate::slt::Edge;

impl Read<'_> {
    /// An expression whose signs bind at least as tightly as `min`.
    pub(super) fn binary(&mut self, min: u8) -> OptId {
        if self.depth >= MAX_DEPTH {
            return self.rest_flat();
        }
        self.depth += 1;
        let mut left = self.operand();
        let mut nested = 0;
        while let Some(token) = self.peek() {
            let binds = level(token.kind);
            if binds == 0 || binds < min {
                break;
            }
            nested += usize::from(!self.continues(left, token));
            if nested > MAX_LEFT {
                if matches!(token.tag, "U!plus" | "O!minus") {
                    left = self.longer_sum(left, token);
                    continue;
                }
                let rest = self.rest_flat();
                left = self.binary_node("O!fragments", left, rest);
                break;
            }
            left = match token.kind {
                Kind::Relation | Kind::Implies | Kind::Equivalent => {
                    self.chain(left, token.kind, Place::Anywhere)
                }
                Kind::Colon => {
                    self.pos += 1;
                    let right = self.binary(COLON);
                    if self.quantifies_nothing(left) {
                        self.give_body(left, right)
                    } else {
                        self.operation(token, left, right)
                    }
                }
                Kind::Modulo => {
                    self.pos += 1;
                    let right = self.binary(JUXTAPOSED);
                    self.operation(token, left, right)
                }
                _ if self.is_ratio_of_numbers(left, token) => {
                    self.pos += 1;
                    self.ratio_of_numbers(left)
                }
                _ => {
                    self.pos += 1;
                    let right = self.binary(binds + 1);
                    self.join(token, left, right)
                }
            };
        }
        self.depth -= 1;
        left
    }

    /// A sum that is too long to nest: differences are sums of negatives from here on.
    fn longer_sum(&mut self, left: OptId, token: Token) -> OptId {
        self.pos += 1;
        let mut right = self.binary(MULTIPLY);
        if token.tag == "O!minus" {
            right = self.unary("O!minus", self.slt.span(token.id), right);
        }
        self.join(Token { tag: "U!plus", ..token }, left, right)
    }

    /// Whether a sign only makes the operation before it longer.
    fn continues(&self, left: OptId, token: Token) -> bool {
        is_associative(token.tag)
            && self.opt.tag(left) == token.tag
            && self.opt.brackets(left) == Brackets::None
    }

    /// Whether this is `1/2`, which binds before what stands beside it: `1/2 x` is a half of x.
    fn is_ratio_of_numbers(&self, left: OptId, token: Token) -> bool {
        token.tag == "O!divide"
            && self.opt.tag(left).starts_with("N!")
            && self.peek_second().is_some_and(|next| self.slt.tag(next.id).starts_with("N!"))
    }

    /// A number over a number, and what it multiplies.
    fn ratio_of_numbers(&mut self, left: OptId) -> OptId {
        let divisor = self.factor();
        let ratio = self.binary_node("O!divide", left, divisor);
        if !self.starts_factor() {
            return ratio;
        }
        let node = self.node("U!times");
        self.add(node, ratio);
        self.add_factors(node);
        node
    }

    /// Makes one operation of two operands; longer sums and products are flat.
    fn join(&mut self, token: Token, left: OptId, right: OptId) -> OptId {
        if self.has_scripts(token) {
            return self.operation(token, left, right);
        }
        let tag = token.tag;
        let flat = |read: &Self, node: OptId| {
            read.opt.tag(node) == tag && read.opt.brackets(node) == Brackets::None && !read.opt.is_leaf(node)
        };
        if !is_associative(tag) {
            return self.binary_node(tag, left, right);
        }
        let node = if flat(self, left) && self.opt.children(left).nth(1).is_some() {
            left
        } else {
            let node = self.node(tag);
            self.add(node, left);
            node
        };
        if tag == "U!times" && flat(self, right) {
            self.move_children(right, node);
        } else {
            self.add(node, right);
        }
        node
    }

    /// One operation of a sign that may carry scripts of its own.
    fn operation(&mut self, token: Token, left: OptId, right: OptId) -> OptId {
        let node = self.operator_node(token);
        self.add(node, left);
        self.add(node, right);
        node
    }

    /// Whether a sign has scripts of its own; those before it belong to what is before it.
    pub(super) fn has_scripts(&self, token: Token) -> bool {
        self.slt
            .children(token.id)
            .any(|(edge, _)| !matches!(edge, Edge::Next | Edge::Element | Edge::PreAbove | Edge::PreBelow))
    }

    /// The node of an operator, without operands. One with scripts is a compound, its first child says which.
    pub(super) fn operator_node(&mut self, token: Token) -> OptId {
        if !self.has_scripts(token) {
            return self.node(token.tag);
        }
        let tag = token.tag;
        let node = self.opt.push_with(|tags| {
            tags.push_str("+!");
            tags.push_str(tag);
        });
        let sign = self.node(tag);
        let span = self.slt.span(token.id);
        self.widen(sign, span);
        let head = self.scripted(sign, token.id);
        self.add(node, head);
        node
    }

    // Operands

    /// What stands before or after a sign.
    fn operand(&mut self) -> OptId {
        let Some(token) = self.peek() else { return self.blank() };
        if level(token.kind) > 0 && self.stands_alone() {
            self.pos += 1;
            let leaf = self.leaf(token.id);
            return self.scripted(leaf, token.id);
        }
        match token.kind {
            Kind::Add => {
                self.pos += 1;
                let operand = self.binary(MULTIPLY);
                let node = self.operator_node(token);
                let span = self.slt.span(token.id);
                self.widen(node, span);
                self.add(node, operand);
                node
            }
            Kind::Not => {
                self.pos += 1;
                let mut operand = self.binary(RELATION + 1);
                // `¬x=y` denies all, `¬p≡q` only p.
                if self.peek().is_some_and(|next| next.kind == Kind::Relation && !joins_statements(next.tag))
                {
                    operand = self.chain(operand, Kind::Relation, Place::Anywhere);
                }
                self.seen(token.id);
                self.unary("O!not", self.slt.span(token.id), operand)
            }
            Kind::Quantifier => self.quantified(token),
            _ if self.starts_factor() => self.product(),
            Kind::Postfix => {
                let blank = self.blank();
                self.postfix(blank)
            }
            _ => {
                let blank = self.blank();
                self.floating_scripts(blank)
            }
        }
    }

    /// Whether the next sign has nothing on either side: `+:G×G→G`, `∈, =`. A dot or a star is a place to be
    /// filled before a sum and after it, too: `f(·-t)`, `n-*`.
    fn stands_alone(&self) -> bool {
        let between = |kind: Kind| matches!(kind, Kind::Comma | Kind::Semicolon | Kind::Colon);
        let tokens = &self.memory.tokens[..self.end];
        let place = matches!(self.slt.tag(tokens[self.pos].id), "*" | "∗" | "⋅" | "·");
        let apart = self.pos == self.start
            || between(tokens[self.pos - 1].kind)
            || place && tokens[self.pos - 1].kind == Kind::Add;
        let next = tokens.get(self.pos + 1).map(|next| next.kind);
        apart && next.is_none_or(|next| between(next) || next == Kind::Relation || place && next == Kind::Add)
    }

    // Chains

    /// `a<b≤c`: each relation with its two sides, joined by and.
    fn chain(&mut self, first: OptId, kind: Kind, place: Place) -> OptId {
        let binds = level(kind);
        let mut left = first;
        let mut chain: Option<OptId> = None;
        let mut links = 0;
        let mut modulus = None;
        while let Some(token) = self.peek().filter(|token| {
            token.kind == kind && (place == Place::Anywhere || !matches!(token.tag, "O!divides" | "O!to"))
        }) {
            self.pos += 1;
            let right = self.binary(binds + 1);
            let right = match self.without_modulus(token, right) {
                Some((value, of)) => {
                    modulus = Some(of);
                    value
                }
                None => right,
            };
            let link = self.operator_node(token);
            let span = self.slt.span(token.id);
            self.widen(link, span);
            if links > 0 {
                left = self.copy(left);
            }
            self.add(link, left);
            self.add(link, right);
            links += 1;
            left = right;
            chain = Some(match chain {
                None => link,
                Some(all) if links == 2 => self.binary_node("U!and", all, link),
                Some(all) => {
                    self.add(all, link);
                    all
                }
            });
        }
        let node = chain.unwrap_or(first);
        if kind == Kind::Relation { self.with_modulus(node, modulus) } else { node }
    }

    /// `a ≡ b mod n` says something of both sides: takes the modulus off the right side.
    fn without_modulus(&mut self, relation: Token, right: OptId) -> Option<(OptId, OptId)> {
        if !matches!(relation.tag, "U!equivalent" | "U!not-equivalent-to")
            || self.opt.tag(right) != "O!rem"
            || self.opt.brackets(right) != Brackets::None
        {
            return None;
        }
        let children = self.opt.take_children(right);
        let &[value, modulus] = &children[..] else { return None };
        Some((value, modulus))
    }

    /// A chain whose relations hold up to multiples of something.
    pub(super) fn with_modulus(&mut self, chain: OptId, modulus: Option<OptId>) -> OptId {
        if let Some(modulus) = modulus {
            return self.binary_node("O!mod", chain, modulus);
        }
        if let Some(token) = self.peek()
            && let Some(inside) = self.modulus_in(token)
        {
            self.pos += 1;
            self.see_modulo(token.id);
            let modulus = self.row(Some(inside));
            let node = self.binary_node("O!mod", chain, modulus);
            self.widen(node, self.slt.span(token.id));
            return node;
        }
        chain
    }

    // Quantifiers

    /// `∀x∈A: P`: what is bound, and what is said.
    fn quantified(&mut self, token: Token) -> OptId {
        self.pos += 1;
        self.seen(token.id);
        let mut node = None;
        if let Some(next) = self.peek().filter(|next| next.tag == "O!factorial") {
            self.pos += 1;
            let unique = self.node("O!exists-unique");
            self.widen(unique, self.slt.span(next.id));
            node = Some(unique);
        }
        let node = match node {
            Some(node) => node,
            None => self.node(token.tag),
        };
        self.widen(node, self.slt.span(token.id));
        let bound = match self.bounds(token.id).0 {
            Some(below) => self.row(Some(below)),
            None => {
                let bound = self.bound();
                self.longer_bound(bound)
            }
        };
        self.add(node, bound);
        // Without a sign after what is bound, an equivalence ends what is said.
        let mut binds = IMPLIES;
        if self.peek().is_some_and(|next| {
            matches!(next.kind, Kind::Comma | Kind::Colon | Kind::Period | Kind::Semicolon)
                || next.tag == "O!divides"
                || next.kind == Kind::Text && self.is_connective(next)
        }) && self.pos + 1 < self.end
        {
            let text = self.memory.tokens[self.pos];
            self.pos += 1;
            binds = COLON;
            if text.kind == Kind::Text {
                // The words go with what is said.
                let leaf = self.leaf(text.id);
                let leaf = self.scripted(leaf, text.id);
                let said = self.binary(COLON);
                let said = self.binary_node("O!form-seq", leaf, said);
                self.add(node, said);
                return node;
            }
        }
        let said = if self.peek().is_some_and(|next| !matches!(next.kind, Kind::Comma | Kind::Semicolon)) {
            self.binary(binds)
        } else {
            self.blank()
        };
        self.add(node, said);
        node
    }

    /// The variables a quantifier binds, and what is known of them.
    fn bound(&mut self) -> OptId {
        let mark = self.memory.items.len();
        // `x,y∈A`
        while self.peek().is_some_and(|token| is_variable(self.slt.tag(token.id)))
            && self.peek_second().is_some_and(|comma| comma.kind == Kind::Comma)
            && self.binds_next(self.pos + 2)
        {
            let variable = self.operand_of_bound();
            self.memory.items.push(variable);
            self.pos += 1;
        }
        let last = self.bound_relation();
        if self.memory.items.len() == mark {
            return last;
        }
        self.memory.items.push(last);
        let list = self.shared_list(mark);
        self.memory.items.truncate(mark);
        list
    }

    /// `i=1,2,…,n`: numbers and dots still belong to what is bound, and what follows the dots.
    fn longer_bound(&mut self, bound: OptId) -> OptId {
        if self.opt.tag(bound) != "U!eq" {
            return bound;
        }
        let mark = self.memory.items.len();
        self.memory.items.push(bound);
        let mut dots = false;
        while self.peek().is_some_and(|comma| comma.kind == Kind::Comma)
            && self.peek_second().is_some_and(|next| dots || self.is_number_or_dots(next))
        {
            self.pos += 1;
            dots = self.peek().is_some_and(|next| !self.slt.tag(next.id).starts_with("N!")) && !dots;
            let item = self.binary(ADD);
            self.memory.items.push(item);
        }
        let list = self.shared_list(mark);
        self.memory.items.truncate(mark);
        list
    }

    fn is_number_or_dots(&self, token: Token) -> bool {
        let tag = self.slt.tag(token.id);
        tag.starts_with("N!") || matches!(tag, "V!…" | "V!⋯" | "…" | "⋯" | "...")
    }

    /// A relation without what follows a bar or a colon.
    fn bound_relation(&mut self) -> OptId {
        if self.depth >= MAX_DEPTH {
            return self.rest_flat();
        }
        let left = self.operand_of_bound();
        match self.peek() {
            Some(token) if token.kind == Kind::Relation => self.chain(left, Kind::Relation, Place::Bound),
            _ => left,
        }
    }

    /// One variable, so that `∀x P(x)` does not bind a product.
    fn operand_of_bound(&mut self) -> OptId {
        match self.peek() {
            // A bracket after the variable is what is said.
            Some(token) if token.kind == Kind::Operand && is_variable(self.slt.tag(token.id)) => {
                self.pos += 1;
                let leaf = self.leaf(token.id);
                self.scripted(leaf, token.id)
            }
            Some(token) if matches!(token.kind, Kind::Operand | Kind::Open(_)) => self.factor_alone(),
            Some(_) if self.starts_factor() => self.factor(),
            _ => self.blank(),
        }
    }

    /// Whether the token at `at` is a variable that is bound like the one before: another comma or a relation
    /// follows.
    fn binds_next(&self, at: usize) -> bool {
        let tokens = &self.memory.tokens[..self.end];
        tokens.get(at).is_some_and(|token| is_variable(self.slt.tag(token.id)))
            && tokens.get(at + 1).is_some_and(|after| {
                after.kind == Kind::Relation && after.tag != "O!divides" && after.tag != "U!eq"
                    || after.kind == Kind::Comma
                    || after.kind == Kind::Colon
                    || self.slt.tag(after.id).starts_with("M!()")
            })
    }
}

/// Whether a relation can hold between statements.
fn joins_statements(tag: &str) -> bool {
    matches!(tag, "U!leftrightarrow" | "U!equivalent" | "O!proves" | "O!models" | "O!to")
}

/// Where a chain of relations stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Anywhere,
    /// After a quantifier, where a bar or an arrow ends it.
    Bound,
}

/// Whether longer rows of an operation are flat.
fn is_associative(tag: &str) -> bool {
    tag.starts_with("U!")
        || matches!(tag, "O!direct-sum" | "O!connected-sum" | "O!tensor-product" | "O!compose")
}

const _: () = assert!(ADD < MULTIPLY && MULTIPLY < JUXTAPOSED && RELATION < ADD);
