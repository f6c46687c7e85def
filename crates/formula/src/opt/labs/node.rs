//! Content nodes as the labs' grammar makes them.

use crate::opt::content::tree::{ContentId, Dictionary, Element, Tree};
use latex::Span;

/// Makes nodes; knows where the tokens they are made of were typed.
pub(super) struct Nodes<'n> {
    pub(super) tree: &'n mut Tree,
    /// For each token, where the first that is known to be typed begins, from it on.
    pub(super) starts: &'n [Option<u32>],
    /// For each token, where the last that is known to be typed ends, up to it.
    pub(super) ends: &'n [Option<u32>],
}

impl Nodes<'_> {
    /// Where these tokens were typed.
    pub(super) fn span(&self, from: usize, to: usize) -> Span {
        let start = self.starts.get(from).copied().flatten();
        let end = to.checked_sub(1).and_then(|last| self.ends.get(last).copied().flatten());
        match start.zip(end) {
            Some((start, end)) if start < end => Span { start, end },
            _ => Span::default(),
        }
    }

    pub(super) fn apply(
        &mut self,
        from: usize,
        to: usize,
        operator: ContentId,
        operands: &[ContentId],
    ) -> ContentId {
        let mut children = Vec::with_capacity(operands.len() + 1);
        children.push(operator);
        children.extend_from_slice(operands);
        let span = self.span(from, to);
        self.tree.push(Element::Apply, "", &children, span)
    }

    /// What is not there.
    pub(super) fn absent(&mut self) -> ContentId {
        self.symbol("absent")
    }

    pub(super) fn sign(&mut self, name: &str) -> ContentId {
        self.tree.push(Element::Sign, name, &[], Span::default())
    }

    pub(super) fn symbol(&mut self, name: &str) -> ContentId {
        self.tree.push(Element::Symbol(Dictionary::Latexml), name, &[], Span::default())
    }

    pub(super) fn ambiguous(&mut self, name: &str) -> ContentId {
        self.tree.push(Element::Symbol(Dictionary::Ambiguous), name, &[], Span::default())
    }

    pub(super) fn group(
        &mut self,
        from: usize,
        to: usize,
        element: Element,
        items: &[ContentId],
    ) -> ContentId {
        let span = self.span(from, to);
        self.tree.push(element, "", items, span)
    }

    /// Several things side by side; one is itself.
    pub(super) fn list(&mut self, from: usize, to: usize, items: &[ContentId]) -> ContentId {
        match items {
            [only] => *only,
            _ => self.group(from, to, Element::List, items),
        }
    }

    pub(super) fn formulae(&mut self, from: usize, to: usize, all: &[ContentId]) -> ContentId {
        let sequence = self.ambiguous("formulae-sequence");
        self.apply(from, to, sequence, all)
    }

    /// A chain of expressions and relations in turn.
    pub(super) fn relation(&mut self, from: usize, to: usize, chain: &[ContentId]) -> ContentId {
        match *chain {
            [only] => only,
            [left, relation, right] => self.one_relation(from, to, left, relation, right),
            _ => {
                let mut relations = Vec::with_capacity(chain.len() / 2);
                let mut left = chain[0];
                for pair in chain[1..].chunks_exact(2) {
                    relations.push(self.apply(from, to, pair[0], &[left, pair[1]]));
                    left = self.tree.push(Element::Share, "", &[], Span::default());
                }
                let and = self.sign("and");
                self.apply(from, to, and, &relations)
            }
        }
    }

    fn one_relation(
        &mut self,
        from: usize,
        to: usize,
        left: ContentId,
        relation: ContentId,
        right: ContentId,
    ) -> ContentId {
        if self.tree.element(relation) != Element::Symbol(Dictionary::Latexml) {
            return self.apply(from, to, relation, &[left, right]);
        }
        // Some relations have a sign only the other way round, or only for their contrary.
        let turned = match self.tree.text(relation) {
            "contains" => "in",
            "not-contains" => "notin",
            "superset-of" | "superset-of-or-equals" => "subset",
            "superset-of-and-not-equals" => "prsubset",
            "not-approximately-equals" => {
                let (not, approx) = (self.sign("not"), self.sign("approx"));
                let inner = self.apply(from, to, approx, &[left, right]);
                return self.apply(from, to, not, &[inner]);
            }
            _ => return self.apply(from, to, relation, &[left, right]),
        };
        let turned = self.sign(turned);
        self.apply(from, to, turned, &[right, left])
    }
}
