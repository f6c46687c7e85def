//! Sums, limits, integrals, derivatives, roots.

use super::Read;
use super::signs::{Kind, MULTIPLY};
use super::tokens::{NONE, Token, is_d, is_variable};
use crate::opt::OptId;
use crate::slt::{Edge, Look, SltId};

/// Derivatives by more variables than this are fractions.
const MAX_VARIABLES: usize = 8;

impl Read<'_> {
    /// The term that a sum, a limit or an integral is taken of: up to the next sum, difference or relation.
    fn term(&mut self) -> OptId {
        let begins = self.starts_factor() || self.peek().is_some_and(|token| token.kind == Kind::Add);
        if begins { self.binary(MULTIPLY) } else { self.blank() }
    }

    /// A sum, a product, a union, a limit.
    pub(super) fn big(&mut self, token: Token) -> OptId {
        self.pos += 1;
        let mut token = token;
        let mut tag = token.tag;
        // `\lim\sup`
        if tag == "O!limit"
            && !self.has_scripts(token)
            && let Some(next) = self.peek().filter(|next| matches!(next.tag, "O!supremum" | "O!infimum"))
        {
            self.pos += 1;
            tag = if next.tag == "O!supremum" { "O!limit-supremum" } else { "O!limit-infimum" };
            token = Token { id: next.id, ..token };
        }
        let limit = tag.starts_with("O!limit")
            || matches!(tag, "O!supremum" | "O!infimum" | "O!injective-limit" | "O!projective-limit");
        let node = self.node(tag);
        self.seen(token.id);
        self.widen(node, self.slt.span(token.id));
        let (below, above) = self.bounds(token.id);
        let body = self.term();
        self.add(node, body);
        let below = self.row(below);
        self.add(node, below);
        if !limit || above.is_some() {
            let above = self.row(above);
            self.add(node, above);
        }
        node
    }

    /// The largest or smallest of many: `\max_{x∈A} f(x)`.
    pub(super) fn extremum(&mut self, id: SltId, name: &str, below: Option<SltId>) -> OptId {
        let node = self.opt.push_with(|tags| {
            tags.push_str("O!");
            tags.push_str(name);
        });
        self.widen(node, self.slt.span(id));
        let body = self.term();
        self.add(node, body);
        let below = self.row(below);
        self.add(node, below);
        node
    }

    // Integrals

    /// An integral: integrand, variable, lower and upper bound. Several variables are several integrals, however
    /// many signs there are, and the bounds are those of the outermost.
    pub(super) fn integral(&mut self, token: Token) -> OptId {
        self.pos += 1;
        let mark = self.memory.items.len();
        let d = token.partner as usize;
        let mut integrand = None;
        if token.partner == NONE || d >= self.end {
            integrand = Some(self.term());
        } else if self.memory.tokens[d].kind == Kind::Differential {
            if d > self.pos {
                integrand = Some(self.part(self.pos, d));
            }
            self.pos = d;
            self.differentials();
        } else {
            let before = self.part(self.pos, d + 1);
            self.pos = d + 1;
            if let Some((d, variable)) = self.differential_in(self.memory.tokens[d].id) {
                self.seen(d);
                let leaf = self.leaf(variable);
                let variable = self.scripted(leaf, variable);
                let variable = self.scripted_outside(variable, d);
                self.memory.items.push(variable);
            }
            integrand = Some(self.with_factors(before));
        }
        let mut node = match integrand {
            Some(integrand) => integrand,
            // `∫dx f(x)`, and `∫dx` of one.
            None if self.starts_factor() => self.binary(MULTIPLY),
            None => self.node("N!1"),
        };
        let variables = self.memory.items.len() - mark;
        let levels = variables.max(1);
        for level in 0..levels {
            let variable = self.memory.items.get(mark + level).copied();
            let variable = variable.unwrap_or_else(|| self.blank());
            node = self.binary_node(token.tag, node, variable);
            let (below, above) = if level + 1 == levels {
                self.widen(node, self.slt.span(token.id));
                self.bounds(token.id)
            } else {
                (None, None)
            };
            for bound in [below, above] {
                let bound = self.row(bound);
                self.add(node, bound);
            }
        }
        self.memory.items.truncate(mark);
        node
    }

    /// What follows a fraction with a d in it still belongs to the integrand, up to the next integral.
    fn with_factors(&mut self, integrand: OptId) -> OptId {
        let goes_on = |read: &mut Self| {
            read.starts_factor() && read.peek().is_some_and(|next| next.kind != Kind::Integral)
        };
        if !goes_on(self) {
            return integrand;
        }
        let node = self.node("U!times");
        self.add(node, integrand);
        while goes_on(self) {
            let factor = self.factor();
            self.add(node, factor);
        }
        node
    }

    /// `dx dy`: puts the variables onto the list of items.
    fn differentials(&mut self) {
        while let Some(token) = self.peek() {
            let d = token.kind == Kind::Differential || is_d(self.slt.tag(token.id));
            let follows = self.peek_second().is_some_and(|next| {
                matches!(next.kind, Kind::Operand | Kind::Open(_))
                    && (token.kind == Kind::Differential || is_variable(self.slt.tag(next.id)))
            });
            if !d || (!follows && token.kind != Kind::Differential) {
                break;
            }
            self.pos += 1;
            self.seen(token.id);
            let variable = if follows { self.factor_alone() } else { self.blank() };
            self.widen(variable, self.slt.span(token.id));
            let variable = self.scripted_outside(variable, token.id);
            self.memory.items.push(variable);
        }
    }

    // Fractions

    /// A fraction, or a derivative that looks like one.
    pub(super) fn fraction(&mut self, token: Token) -> OptId {
        let id = token.id;
        if let Some(derivative) = self.derivative(id) {
            return self.scripted_fraction(derivative, id);
        }
        let numerator = if token.partner == NONE {
            self.child_row(id, Edge::Over)
        } else {
            self.without_differential(id)
        };
        let denominator = self.child_row(id, Edge::Under);
        let tag = if self.slt.look(id).has(Look::NO_BAR) { "O!atop" } else { "O!divide" };
        let node = self.binary_node(tag, numerator, denominator);
        self.widen(node, self.slt.span(id));
        self.scripted_fraction(node, id)
    }

    /// Scripts of a fraction; what is over and under it is no accent.
    pub(super) fn scripted_fraction(&mut self, fraction: OptId, id: SltId) -> OptId {
        let mut node = fraction;
        for (edge, tag) in [
            (Edge::Below, "O!SUB"),
            (Edge::Above, "O!SUP"),
            (Edge::PreBelow, "O!PRESUB"),
            (Edge::PreAbove, "O!PRESUP"),
        ] {
            if let Some(script) = self.slt.child(id, edge) {
                let row = self.row(Some(script));
                node = self.binary_node(tag, node, row);
            }
        }
        node
    }

    /// A numerator without the `dx` at its end.
    fn without_differential(&mut self, fraction: SltId) -> OptId {
        let Some(head) = self.slt.child(fraction, Edge::Over) else { return self.blank() };
        let start = self.memory.tokens.len();
        self.tokenise(head);
        let end = self.memory.tokens.len();
        if end <= start + 2 {
            self.memory.tokens.truncate(start);
            return self.node("N!1");
        }
        self.memory.tokens.truncate(end - 2);
        let node = self.tokens_from(start);
        self.memory.tokens.truncate(start);
        node
    }

    /// A fraction of differentials: `\frac{d^2y}{dx^2}`, `\frac{d}{dx}` of what follows.
    fn derivative(&mut self, fraction: SltId) -> Option<OptId> {
        let over = self.slt.child(fraction, Edge::Over)?;
        let under = self.slt.child(fraction, Edge::Under)?;
        let tag = derivative_tag(self.slt.tag(over))?;
        let mut variables = [None; MAX_VARIABLES];
        let mut count = 0;
        let mut at = Some(under);
        while let Some(d) = at {
            let variable = self.slt.next(d)?;
            if derivative_tag(self.slt.tag(d))? != tag
                || !is_variable(self.slt.tag(variable))
                || derivative_tag(self.slt.tag(variable)).is_some()
                || self.carries(d)
                || count == MAX_VARIABLES
            {
                return None;
            }
            variables[count] = Some((d, variable));
            count += 1;
            at = self.slt.next(variable);
        }
        if self.slt.child(over, Edge::Below).is_some() || self.slt.child(over, Edge::Under).is_some() {
            return None;
        }
        self.seen(over);
        let order = self.bounds(over).1;
        let span = self.slt.span(fraction);
        let function = match self.slt.next(over) {
            Some(function) => self.row(Some(function)),
            None if self.starts_factor() => self.product(),
            None => self.blank(),
        };
        let mut node = function;
        let mut order_used = false;
        for (d, variable) in variables[..count].iter().rev().flatten().copied() {
            self.seen(d);
            let leaf = self.leaf(variable);
            let (leaf, times) = self.without_order(leaf, variable);
            node = self.binary_node(tag, node, leaf);
            let times = times.or(order.filter(|_| count == 1));
            if let Some(times) = times {
                order_used |= Some(times) == order;
                let times = self.row(Some(times));
                self.add(node, times);
            }
            self.widen(node, span);
        }
        if let Some(order) = order.filter(|_| !order_used) {
            self.seen_all(order);
        }
        Some(node)
    }

    /// A variable without the number above it, which says how often.
    fn without_order(&mut self, leaf: OptId, variable: SltId) -> (OptId, Option<SltId>) {
        let mut node = leaf;
        for edge in [Edge::Over, Edge::Below] {
            if let Some(script) = self.slt.child(variable, edge) {
                let name = if edge == Edge::Over { super::signs::accent(self.slt.tag(script)) } else { None };
                node = match name {
                    Some(name) => self.unary(name, self.slt.span(script), node),
                    None => {
                        let row = self.row(Some(script));
                        self.binary_node(if edge == Edge::Over { "O!OVER" } else { "O!SUB" }, node, row)
                    }
                };
            }
        }
        let above = self.slt.child(variable, Edge::Above);
        match above.filter(|&above| super::script::primes(self.slt.tag(above)).is_some()) {
            Some(primes) => (self.raised(node, primes), None),
            None => (node, above),
        }
    }

    /// `dy/dx` and `d/dx`, on one line.
    pub(super) fn inline_derivative(&mut self, token: Token) -> Option<OptId> {
        let tag = derivative_tag(self.slt.tag(token.id))?;
        let at = |read: &Self, offset: usize| read.memory.tokens[..read.end].get(read.pos + offset).copied();
        let bare = |read: &Self, token: Token| !read.has_scripts(token);
        let slash = |token: Token| token.tag == "O!divide" && token.kind == Kind::Multiply;
        let second = at(self, 1)?;
        let function = if slash(second) { None } else { Some(second) };
        let offset = if function.is_some() { 2 } else { 1 };
        let (sign, d, variable) = (at(self, offset)?, at(self, offset + 1)?, at(self, offset + 2)?);
        let fits = slash(sign)
            && bare(self, sign)
            && bare(self, token)
            && bare(self, d)
            && derivative_tag(self.slt.tag(d.id)) == Some(tag)
            && is_variable(self.slt.tag(variable.id))
            && function.is_none_or(|function| is_variable(self.slt.tag(function.id)));
        if !fits {
            return None;
        }
        self.seen(token.id);
        self.seen(d.id);
        let mut node = None;
        if let Some(function) = function {
            let leaf = self.leaf(function.id);
            node = Some(self.scripted(leaf, function.id));
        }
        let leaf = self.leaf(variable.id);
        let variable = self.scripted(leaf, variable.id);
        self.pos += offset + 3;
        let function = match node {
            Some(function) => function,
            None if self.starts_factor() => self.product(),
            None => self.blank(),
        };
        let node = self.binary_node(tag, function, variable);
        self.widen(node, self.slt.span(token.id));
        Some(node)
    }

    // Roots

    pub(super) fn root(&mut self, id: SltId) -> OptId {
        let radicand = self.child_row(id, Edge::Within);
        let degree = match self.slt.child(id, Edge::PreAbove) {
            Some(degree) => self.row(Some(degree)),
            None => self.node("N!2"),
        };
        let mut node = self.binary_node("O!root", radicand, degree);
        self.widen(node, self.slt.span(id));
        for (edge, tag) in [(Edge::Below, "O!SUB"), (Edge::Above, "O!SUP")] {
            if let Some(script) = self.slt.child(id, edge) {
                let row = self.row(Some(script));
                node = self.binary_node(tag, node, row);
            }
        }
        node
    }
}

/// Which derivative a sign makes.
fn derivative_tag(tag: &str) -> Option<&'static str> {
    match tag {
        "∂" | "V!∂" => Some("O!partialdiff"),
        _ if is_d(tag) => Some("O!diff"),
        _ => None,
    }
}
