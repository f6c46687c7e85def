//! The labs' grammar: sums and what is said about them, operators alone.

use super::parse::Parse;
use super::role::Role;
use crate::opt::content::tree::ContentId;

impl Parse<'_> {
    pub(super) fn expression(&mut self) -> Option<ContentId> {
        self.deeper(|p| {
            p.attempt(Self::sum).or_else(|| {
                p.attempt(|p| {
                    let operator = p.any_operator()?;
                    let isolated = p.at_end() || matches!(p.peek(), Some(Role::Punct | Role::Close));
                    isolated.then_some(operator)
                })
            })
        })
    }

    fn sum(&mut self) -> Option<ContentId> {
        let from = self.at;
        let signed = self.attempt(|p| {
            let operator = p.add_op()?;
            let term = p.term()?;
            Some(p.nodes.apply(from, p.at, operator, &[term]))
        });
        let mut sum = match signed {
            Some(term) => term,
            None => self.term()?,
        };
        // The operands of the operator that came last.
        let mut run: Option<(ContentId, Vec<ContentId>)> = None;
        let mut last = sum;
        let mut last_from = from;
        while let Some(operator) = self.attempt(Self::add_op) {
            let term_from = self.at;
            let Some(term) = self.attempt(Self::term) else {
                // `x+`: from above.
                let limit = self.nodes.symbol("limit-from");
                let limit = self.nodes.apply(last_from, self.at, limit, &[last, operator]);
                match &mut run {
                    Some((_, operands)) => {
                        operands.pop();
                        operands.push(limit);
                    }
                    None => sum = limit,
                }
                break;
            };
            match &mut run {
                Some((same, operands)) if self.nodes.tree.same_operator(*same, operator) => {
                    operands.push(term);
                }
                _ => {
                    if let Some((operator, operands)) = run.take() {
                        sum = self.nodes.apply(from, term_from - 1, operator, &operands);
                    }
                    run = Some((operator, vec![sum, term]));
                }
            }
            (last, last_from) = (term, term_from);
        }
        if let Some((operator, operands)) = run {
            sum = self.nodes.apply(from, self.at, operator, &operands);
        }
        Some(self.modified(from, sum))
    }

    fn modified(&mut self, from: usize, node: ContentId) -> ContentId {
        let annotated = self.attempt(|p| {
            p.take(Role::Punct);
            let open = p.take(Role::Open)?;
            let inner_from = p.at;
            let operator = match p.relation() {
                Some(relation) => relation,
                None => p.take_node(Role::ModifierOp)?,
            };
            let right = p.expression()?;
            let inner = p.prefix(inner_from, operator, right);
            let close = p.balanced_close(open)?;
            Some(p.fence(open, &[inner], None, close))
        });
        if let Some(note) = annotated.or_else(|| self.take_node(Role::Modifier)) {
            let annotated = self.nodes.symbol("annotated");
            return self.nodes.apply(from, self.at, annotated, &[node, note]);
        }
        let modified = self.attempt(|p| {
            let operator = p.take_node(Role::ModifierOp)?;
            let right = p.expression()?;
            Some(p.nodes.apply(from, p.at, operator, &[node, right]))
        });
        modified.unwrap_or(node)
    }

    pub(super) fn add_op(&mut self) -> Option<ContentId> {
        self.take(Role::AddOp).map(|place| self.decorated(place))
    }

    pub(super) fn mul_op(&mut self) -> Option<ContentId> {
        self.take(Role::MulOp).map(|place| self.decorated(place))
    }

    pub(super) fn any_operator(&mut self) -> Option<ContentId> {
        if let Some(relation) = self.attempt(Self::relation) {
            return Some(relation);
        }
        match self.peek()? {
            Role::MetaRelation => self.take_node(Role::MetaRelation),
            Role::AddOp => self.add_op(),
            Role::MulOp => self.mul_op(),
            Role::ModifierOp => self.take_node(Role::ModifierOp),
            Role::BigOp | Role::Integral | Role::Operator => {
                let place = self.at;
                self.at += 1;
                Some(self.with_scripts(place, self.leaves[place]))
            }
            _ => None,
        }
    }
}
