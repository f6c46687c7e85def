//! What hangs from a symbol: scripts, primes, accents.

use super::Read;
use super::signs::{Kind, accent, sign, under_accent};
use super::tokens::is_variable;
use crate::opt::OptId;
use crate::slt::build::is_operator;
use crate::slt::{Edge, Look, SltId};

impl Read<'_> {
    /// A thing with all that hangs from its symbol: accents, then what is below, then what is above.
    pub(super) fn scripted(&mut self, base: OptId, id: SltId) -> OptId {
        if !self.carries(id) {
            return base;
        }
        // What is over and under an operator was typed above and below it, or might have been.
        let operator = is_operator(self.slt.tag(id));
        if operator && sign(self.slt.tag(id)).0 != Kind::Prefix {
            return self.scripted_outside(base, id);
        }
        let mut found = [None; 6];
        for (edge, child) in self.slt.children(id) {
            let place = match edge {
                Edge::Below => 0,
                Edge::Above => 1,
                Edge::Over => 2,
                Edge::Under => 3,
                Edge::PreBelow => 4,
                Edge::PreAbove => 5,
                _ => continue,
            };
            found[place] = Some(child);
        }
        let [below, above, over, under, pre_below, pre_above] = found;
        // A long bar over everything, scripts and all.
        let covers =
            [over, under].into_iter().flatten().any(|mark| self.slt.look(mark).has(Look::COVERS_SCRIPTS));
        let mut node = base;
        let fallback = if operator || self.slt.tag(id).starts_with("M!") {
            ["O!SUP", "O!SUB"]
        } else {
            ["O!OVER", "O!UNDER"]
        };
        if !covers {
            node = self.marked(node, over, under, fallback);
        }
        if let Some(below) = below {
            node = self.script("O!SUB", node, below);
        }
        if let Some(above) = above {
            node = match self.order_of_derivative(id, above) {
                Some(order) => self.derived(node, above, order),
                None => self.raised(node, above),
            };
        }
        if let Some(below) = pre_below {
            node = self.script("O!PRESUB", node, below);
        }
        if let Some(above) = pre_above {
            node = self.script("O!PRESUP", node, above);
        }
        if covers {
            node = self.marked(node, over, under, fallback);
        }
        node
    }

    /// Whether anything hangs from a symbol itself.
    pub(super) fn carries(&self, id: SltId) -> bool {
        self.slt.children(id).any(|(edge, _)| !matches!(edge, Edge::Next | Edge::Element))
    }

    fn script(&mut self, tag: &str, base: OptId, head: SltId) -> OptId {
        let row = self.row(Some(head));
        self.binary_node(tag, base, row)
    }

    /// Primes, and what stands beside them.
    pub(super) fn raised(&mut self, base: OptId, head: SltId) -> OptId {
        let Some(count) = primes(self.slt.tag(head)) else { return self.script("O!SUP", base, head) };
        let node = self.unary("O!prime", self.slt.span(head), base);
        if count > 1 {
            let order = self.opt.push_with(|_| {});
            self.set_counted_tag(order, "N!", count);
            self.add(node, order);
        }
        match self.slt.next(head) {
            Some(next) => self.script("O!SUP", node, next),
            None => node,
        }
    }

    /// What stands in the brackets above a function, `f^{(n)}`: how often it is differentiated.
    fn order_of_derivative(&mut self, function: SltId, above: SltId) -> Option<SltId> {
        let tag = self.slt.tag(above);
        if tag != "M!()1x1" || self.slt.next(above).is_some() || !self.is_differentiated(function) {
            return None;
        }
        let order = self.slt.child(above, Edge::Within)?;
        let counts = self.slt.tag(order).starts_with("N!") || is_variable(self.slt.tag(order));
        let scripted = self.slt.children(above).any(|(edge, _)| edge != Edge::Within);
        (counts && !scripted).then_some(order)
    }

    /// A derivative of higher order; the first has no number, like `f'`.
    fn derived(&mut self, base: OptId, above: SltId, order: SltId) -> OptId {
        let node = self.unary("O!prime", self.slt.span(above), base);
        self.seen(above);
        if self.slt.tag(order) == "N!1" && !self.slt.has_children(order) {
            self.seen(order);
        } else {
            let order = self.row(Some(order));
            self.add(node, order);
        }
        node
    }

    /// Something with a mark or an expression over and under it, and what the expressions are called.
    fn marked(
        &mut self,
        base: OptId,
        over: Option<SltId>,
        under: Option<SltId>,
        [above, below]: [&str; 2],
    ) -> OptId {
        let mut node = base;
        for (mark, named, other) in [
            (over, accent as fn(&str) -> Option<&'static str>, above),
            (under, under_accent as fn(&str) -> Option<&'static str>, below),
        ] {
            let Some(mark) = mark else { continue };
            let alone = !self.slt.has_children(mark);
            let name = if alone { named(self.slt.tag(mark)) } else { None };
            node = match name {
                Some(name) => self.unary(name, self.slt.span(mark), node),
                // What is written at a brace is part of it.
                None if matches!(self.opt.tag(node), "O!underbrace" | "O!overbrace") => {
                    let label = self.row(Some(mark));
                    self.add(node, label);
                    node
                }
                None => self.script(other, node, mark),
            };
        }
        node
    }

    /// What is below and above an operator with bounds, wherever it was set.
    pub(super) fn bounds(&mut self, id: SltId) -> (Option<SltId>, Option<SltId>) {
        let child = |edge| self.slt.child(id, edge);
        (child(Edge::Under).or_else(|| child(Edge::Below)), child(Edge::Over).or_else(|| child(Edge::Above)))
    }
}

/// How many primes a sign is.
pub(super) fn primes(tag: &str) -> Option<usize> {
    let mut count = 0;
    for c in tag.chars() {
        count += match c {
            '′' | '\'' | '’' => 1,
            '″' => 2,
            '‴' => 3,
            '⁗' => 4,
            _ => return None,
        };
    }
    if count == 0 { None } else { Some(count) }
}
