//! Products without a sign, and what is applied to what.

use super::signs::{IMPLIES, Kind, level};
use super::tokens::Token;
use super::{MAX_DEPTH, MAX_LEFT, Read};
use crate::opt::OptId;
use crate::slt::{Edge, SltId};

impl Read<'_> {
    /// Whether the next token begins something that can be multiplied.
    pub(super) fn starts_factor(&mut self) -> bool {
        self.peek().is_some_and(|token| match token.kind {
            Kind::Operand
            | Kind::Function
            | Kind::Big
            | Kind::Integral
            | Kind::Prefix
            | Kind::Differential
            | Kind::Open(_) => self.modulus_in(token).is_none(),
            Kind::Text => !self.is_connective(token),
            _ => false,
        })
    }

    /// Things side by side.
    pub(super) fn product(&mut self) -> OptId {
        let first = self.factor();
        let mut node = first;
        let goes_on = self.starts_factor()
            || self.peek().is_some_and(|next| matches!(next.kind, Kind::Not | Kind::Quantifier));
        if goes_on && self.quantifies_nothing(first) {
            // `(∀x)(P(x))`
            let body = self.binary(IMPLIES);
            return self.give_body(first, body);
        }
        if self.starts_factor() {
            node = self.node("U!times");
            self.add(node, first);
            self.add_factors(node);
        }
        while let Some(token) = self.peek().filter(|token| token.tag == "O!evaluated-at") {
            self.pos += 1;
            node = self.evaluated_at(node, token.id);
            if self.starts_factor() {
                let product = self.node("U!times");
                self.add(product, node);
                self.add_factors(product);
                node = product;
            }
        }
        node
    }

    pub(super) fn add_factors(&mut self, product: OptId) {
        while self.starts_factor() {
            let factor = self.factor();
            self.add(product, factor);
        }
    }

    /// `F(x)|_a^b`
    fn evaluated_at(&mut self, value: OptId, bar: SltId) -> OptId {
        let (below, above) = self.bounds(bar);
        let node = self.unary("O!evaluated-at", self.slt.span(bar), value);
        for bound in [below, above] {
            if bound.is_some() || below.is_none() {
                let bound = self.row(bound);
                self.add(node, bound);
            }
        }
        node
    }

    /// One thing, with what is applied to it.
    pub(super) fn factor(&mut self) -> OptId {
        if self.depth >= MAX_DEPTH {
            return self.rest_flat();
        }
        self.depth += 1;
        let token = self.peek();
        let node = self.factor_alone();
        let node = self.postfix(node);
        let node = match token {
            Some(token) if !matches!(token.kind, Kind::Operand | Kind::Text) => {
                self.scripts_before(node, token.id)
            }
            _ => node,
        };
        self.depth -= 1;
        node
    }

    /// Scripts in front of something that is no letter.
    fn scripts_before(&mut self, node: OptId, id: SltId) -> OptId {
        let mut node = node;
        for (edge, tag) in [(Edge::PreBelow, "O!PRESUB"), (Edge::PreAbove, "O!PRESUP")] {
            if let Some(script) = self.slt.child(id, edge) {
                let row = self.row(Some(script));
                node = self.binary_node(tag, node, row);
            }
        }
        node
    }

    pub(super) fn factor_alone(&mut self) -> OptId {
        let Some(token) = self.peek() else { return self.blank() };
        match token.kind {
            Kind::Function => self.function(token),
            Kind::Big => self.big(token),
            Kind::Integral => self.integral(token),
            Kind::Prefix => self.prefix(token),
            Kind::Open(_) => self.bracketed(token),
            _ => self.thing(token),
        }
    }

    /// Signs after a thing: `n!`.
    pub(super) fn postfix(&mut self, thing: OptId) -> OptId {
        let mut node = thing;
        let mut nested = 0;
        while let Some(token) =
            self.peek().filter(|token| token.kind == Kind::Postfix && token.tag != "O!evaluated-at")
        {
            self.pos += 1;
            nested += 1;
            if nested > MAX_LEFT {
                continue;
            }
            node = self.unary(token.tag, self.slt.span(token.id), node);
            node = self.scripted_outside(node, token.id);
        }
        self.floating_scripts(node)
    }

    /// Scripts that stand before the next sign belong to what is before it: `(a)){}^2 = b`.
    pub(super) fn floating_scripts(&mut self, thing: OptId) -> OptId {
        let Some(token) = self.peek().filter(|token| level(token.kind) > 0) else { return thing };
        let mut node = thing;
        for (edge, tag) in [(Edge::PreBelow, "O!SUB"), (Edge::PreAbove, "O!SUP")] {
            if let Some(script) = self.slt.child(token.id, edge)
                && !self.memory.seen[token.id.index()]
            {
                let row = self.row(Some(script));
                node = self.binary_node(tag, node, row);
            }
        }
        self.seen(token.id);
        node
    }

    /// Scripts of a sign that mean all before it: over is above here.
    pub(super) fn scripted_outside(&mut self, node: OptId, id: SltId) -> OptId {
        let (below, above) = self.bounds(id);
        let mut node = node;
        for (tag, script) in [("O!SUB", below), ("O!SUP", above)] {
            if let Some(script) = script {
                let row = self.row(Some(script));
                node = self.binary_node(tag, node, row);
            }
        }
        node
    }

    /// `∂f`, `∇·F`, `#A`: applied to one thing.
    fn prefix(&mut self, token: Token) -> OptId {
        if let Some(derivative) = self.inline_derivative(token) {
            return derivative;
        }
        self.pos += 1;
        if token.tag == "F!cardinality" && (self.has_scripts(token) || !self.starts_factor()) {
            let leaf = self.leaf(token.id);
            return self.scripted(leaf, token.id);
        }
        self.seen(token.id);
        let mut tag = token.tag;
        let mut span = self.slt.span(token.id);
        let mut scripts = self.has_scripts(token);
        if tag == "O!gradient" && !scripts {
            let next =
                self.peek().filter(|next| next.kind == Kind::Multiply).map(|next| self.slt.tag(next.id));
            let named = match next {
                Some("⋅" | "·" | "∙") => Some("O!divergence"),
                Some("×") => Some("O!curl"),
                _ => None,
            };
            if let Some(named) = named {
                tag = named;
                span = span.to(self.token_span(self.pos));
                self.pos += 1;
            }
        }
        // `∇·∇f`
        if tag == "O!divergence"
            && let Some(next) =
                self.peek().filter(|&next| next.tag == "O!gradient" && !self.has_scripts(next))
            && self.peek_second().is_none_or(|second| second.kind != Kind::Multiply)
        {
            self.pos += 1;
            self.seen(next.id);
            tag = "O!laplacian";
            span = span.to(self.slt.span(next.id));
        }
        let square = self.bounds(token.id).1.filter(|&above| self.slt.tag(above) == "N!2");
        if tag == "O!gradient"
            && let Some(square) = square.filter(|&above| !self.slt.has_children(above))
            && self.bounds(token.id).0.is_none()
        {
            self.seen(square);
            tag = "O!laplacian";
            span = span.to(self.slt.span(square));
            scripts = false;
        }
        let node = if scripts { self.operator_node(token) } else { self.node(tag) };
        self.widen(node, span);
        let operand = if self.starts_factor() { self.factor() } else { return node };
        self.add(node, operand);
        node
    }
}
