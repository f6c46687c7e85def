//! The labs' grammar: formulas and relations.
//!
//! Rules are tried in order, and there is no way back into a choice that was
//! made, like in the original. The rest of the grammar is in [`super::sum`],
//! [`super::factor`] and [`super::fence`].

use super::node::Nodes;
use super::role::Role;
use super::tokens::{Made, Start, Token};
use crate::opt::content::tree::{ContentId, Element};
use std::collections::HashMap;

/// How deep rules may nest before the parse is given up.
const MAX_DEPTH: u32 = 240;

/// What is not allowed where the parse is now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Limits {
    pub(super) no_bar: bool,
    pub(super) no_evaluation: bool,
    pub(super) no_angle: bool,
    /// How many more absolute values may be opened inside one another; none when negative.
    pub(super) absolute: i8,
}

/// Factors found already: where they begin and under which limits, what they are and where they end.
pub(super) type Memory = HashMap<(usize, Limits), (Option<ContentId>, usize)>;

pub(super) struct Parse<'p> {
    pub(super) tokens: &'p [Token],
    /// The content node of each token.
    pub(super) leaves: &'p [ContentId],
    pub(super) nodes: Nodes<'p>,
    pub(super) memory: &'p mut Memory,
    pub(super) at: usize,
    pub(super) steps: usize,
    pub(super) depth: u32,
    pub(super) limits: Limits,
    pub(super) absolute_refused: bool,
    pub(super) no_brackets: bool,
    pub(super) saw_brackets: bool,
}

/// Parses a baseline of two or more tokens. `None` if it is not of the grammar, or takes too long to find out.
pub(super) fn parse(parse: &mut Parse<'_>, start: Start) -> Option<ContentId> {
    let budget = 2000 + 200 * parse.tokens.len();
    for (absolute, no_brackets) in [(0, false), (0, true), (1, true), (2, true)] {
        // Without such notations, the second try would be the first again.
        if absolute == 0 && no_brackets && !parse.saw_brackets {
            continue;
        }
        if absolute > 0 && !parse.absolute_refused {
            break;
        }
        if parse.memory.capacity() > 64 + 16 * parse.tokens.len() {
            // To clear a large table takes long, whatever is in it.
            *parse.memory = Memory::default();
        }
        parse.memory.clear();
        parse.at = 0;
        parse.depth = 0;
        parse.steps = budget;
        parse.absolute_refused = false;
        parse.no_brackets = no_brackets && parse.saw_brackets;
        parse.limits = Limits { absolute, ..Limits::default() };
        let found = match start {
            Start::Subscript | Start::Superscript => parse.script(),
            _ => parse.anything(),
        };
        if found.is_some() && parse.at == parse.tokens.len() && parse.steps > 0 {
            return found;
        }
    }
    None
}

impl Parse<'_> {
    pub(super) fn peek(&self) -> Option<Role> {
        self.tokens.get(self.at).map(|token| token.role)
    }

    pub(super) fn at_end(&self) -> bool {
        self.at == self.tokens.len()
    }

    /// Takes a token of this role and gives its place.
    pub(super) fn take(&mut self, role: Role) -> Option<usize> {
        self.take_if(|found| found == role)
    }

    pub(super) fn take_if(&mut self, test: impl Fn(Role) -> bool) -> Option<usize> {
        self.peek().filter(|&role| test(role))?;
        self.at += 1;
        Some(self.at - 1)
    }

    pub(super) fn take_node(&mut self, role: Role) -> Option<ContentId> {
        self.take(role).map(|place| self.leaves[place])
    }

    /// The character of a delimiter or a sign.
    pub(super) fn letter(&self, place: usize) -> &str {
        self.nodes.tree.text(self.leaves[place])
    }

    /// Tries a rule; if it fails, everything is as before.
    pub(super) fn attempt<T>(&mut self, rule: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        self.steps = self.steps.checked_sub(1)?;
        let (at, limits, depth) = (self.at, self.limits, self.depth);
        let found = rule(self);
        self.limits = limits;
        self.depth = depth;
        if found.is_none() {
            self.at = at;
        }
        found
    }

    /// Tries a rule that may come back to itself; too deep down it fails.
    pub(super) fn deeper<T>(&mut self, rule: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        if self.depth >= MAX_DEPTH {
            // Whatever is found now is not worth keeping.
            self.steps = 0;
        }
        self.depth += 1;
        self.attempt(rule)
    }

    // Formulas

    fn anything(&mut self) -> Option<ContentId> {
        self.attempt(Self::formulae)
            .or_else(|| {
                self.attempt(|p| {
                    let open = p.take(Role::Open)?;
                    let inner = p.formulae()?;
                    let close = p.take(Role::Close)?;
                    Some(p.fence(open, &[inner], None, close))
                })
            })
            .or_else(|| {
                self.attempt(|p| {
                    let from = p.at;
                    let formula = p.modifier_formula()?;
                    Some(p.more_formulae(from, formula))
                })
            })
            .or_else(|| {
                self.attempt(|p| {
                    let open = p.take(Role::Open)?;
                    let inner = p.modifier_formula()?;
                    let close = p.take(Role::Close)?;
                    Some(p.fence(open, &[inner], None, close))
                })
            })
            .or_else(|| self.take_node(Role::Modifier))
            .or_else(|| {
                self.attempt(|p| {
                    let from = p.at;
                    let operator = p.take_node(Role::ModifierOp)?;
                    let right = p.expression()?;
                    Some(p.prefix(from, operator, right))
                })
            })
            .or_else(|| {
                self.attempt(|p| {
                    let from = p.at;
                    let operator = p.take_node(Role::MetaRelation)?;
                    let right = p.formula()?;
                    Some(p.prefix(from, operator, right))
                })
            })
            .or_else(|| self.attempt(Self::operators))
            .or_else(|| self.attempt(Self::floating))
            .or_else(|| {
                self.attempt(|p| {
                    let from = p.at;
                    let operator = p.any_operator()?;
                    let right = p.expression()?;
                    Some(p.prefix(from, operator, right))
                })
            })
    }

    /// An operator with nothing on its left.
    pub(super) fn prefix(&mut self, from: usize, operator: ContentId, right: ContentId) -> ContentId {
        let absent = self.nodes.absent();
        self.nodes.apply(from, self.at, operator, &[absent, right])
    }

    /// Several operators and nothing else.
    fn operators(&mut self) -> Option<ContentId> {
        let from = self.at;
        let mut items = vec![self.any_operator()?];
        while let Some(operator) = self.attempt(|p| {
            p.take(Role::Punct);
            p.any_operator()
        }) {
            items.push(operator);
        }
        (items.len() > 1).then(|| self.nodes.list(from, self.at, &items))
    }

    /// Scripts of nothing.
    fn floating(&mut self) -> Option<ContentId> {
        let from = self.at;
        let role = |p: &mut Self| p.take_if(|role| matches!(role, Role::FloatSub | Role::FloatSup));
        let first = role(self)?;
        let mut node = self.nodes.absent();
        node = self.scripted(from, node, first);
        while let Some(place) = self
            .take_if(|role| matches!(role, Role::PostSub | Role::PostSup | Role::FloatSub | Role::FloatSup))
        {
            node = self.scripted(from, node, place);
        }
        Some(node)
    }

    /// A script: things side by side, with or without commas.
    fn script(&mut self) -> Option<ContentId> {
        let from = self.at;
        let mut items = vec![self.script_item()?];
        while let Some(item) = self.attempt(|p| {
            p.take(Role::Punct);
            p.script_item()
        }) {
            items.push(item);
        }
        self.take_if(|role| matches!(role, Role::Punct | Role::Period));
        Some(self.nodes.list(from, self.at, &items))
    }

    fn script_item(&mut self) -> Option<ContentId> {
        let from = self.at;
        if let Some(primes) = self.take_node(Role::Prime) {
            return Some(primes);
        }
        self.attempt(Self::formulae)
            .or_else(|| {
                self.attempt(|p| {
                    let operator = p.any_operator()?;
                    let right = p.expression()?;
                    Some(p.prefix(from, operator, right))
                })
            })
            .or_else(|| self.attempt(Self::any_operator))
            .or_else(|| {
                self.deeper(|p| {
                    let open = p.take(Role::Open)?;
                    let inner = p.script_item()?;
                    let close = p.take(Role::Close)?;
                    Some(p.fence(open, &[inner], None, close))
                })
            })
    }

    pub(super) fn formulae(&mut self) -> Option<ContentId> {
        let from = self.at;
        let first = self.formula()?;
        Some(self.more_formulae(from, first))
    }

    fn more_formulae(&mut self, from: usize, first: ContentId) -> ContentId {
        let mut all = vec![first];
        while let Some(formula) = self.attempt(|p| {
            p.take_if(|role| matches!(role, Role::Punct | Role::Period))?;
            p.formula()
        }) {
            all.push(formula);
        }
        if all.len() > 1 {
            return self.nodes.formulae(from, self.at, &all);
        }
        let mut chain = vec![first];
        while let Some((relation, right)) = self.attempt(|p| {
            let relation = p.take_node(Role::MetaRelation)?;
            let right = p.attempt(Self::formula);
            let right = right.or_else(|| p.at_end().then(|| p.nodes.absent()))?;
            Some((relation, right))
        }) {
            chain.extend([relation, right]);
        }
        self.nodes.relation(from, self.at, &chain)
    }

    pub(super) fn formula(&mut self) -> Option<ContentId> {
        let from = self.at;
        let left = self.expression()?;
        let mut items = vec![left];
        while let Some(item) = self.attempt(Self::after_punct) {
            items.push(item);
        }
        if items.len() > 1 {
            let mut chain = vec![self.nodes.list(from, self.at, &items)];
            self.relations(&mut chain);
            return Some(self.nodes.relation(from, self.at, &chain));
        }
        let relation = self.attempt(|p| {
            let relation = p.relation()?;
            let right = p.expression()?;
            Some((relation, right))
        });
        if let Some((relation, right)) = relation {
            return Some(self.right_sides(from, left, relation, right));
        }
        let relation = self.attempt(|p| {
            let relation = p.relation()?;
            p.at_end().then_some(relation)
        });
        Some(match relation {
            Some(relation) => {
                let absent = self.nodes.absent();
                self.nodes.relation(from, self.at, &[left, relation, absent])
            }
            None => left,
        })
    }

    fn after_punct(&mut self) -> Option<ContentId> {
        self.take(Role::Punct)?;
        self.expression()
    }

    /// More relations and right sides, as many as there are.
    pub(super) fn relations(&mut self, chain: &mut Vec<ContentId>) {
        while let Some((relation, right)) = self.attempt(|p| {
            let relation = p.relation()?;
            let right = p.attempt(Self::expression);
            let right = right.or_else(|| p.at_end().then(|| p.nodes.absent()))?;
            Some((relation, right))
        }) {
            chain.extend([relation, right]);
        }
    }

    /// What may follow `a = b`: more relations, or a list, whose last item may be the left side of another.
    fn right_sides(
        &mut self,
        from: usize,
        left: ContentId,
        relation: ContentId,
        right: ContentId,
    ) -> ContentId {
        let mut pending = Vec::new();
        let (mut from, mut left, mut relation, mut right) = (from, left, relation, right);
        let last = loop {
            let Some(second) = self.attempt(Self::after_punct) else {
                let mut chain = vec![left, relation, right];
                self.relations(&mut chain);
                break self.nodes.relation(from, self.at, &chain);
            };
            let mut items = vec![right, second];
            let next = loop {
                let next = self.attempt(|p| {
                    let relation = p.relation()?;
                    let right = p.expression()?;
                    Some((relation, right))
                });
                if next.is_some() {
                    break next;
                }
                match self.attempt(Self::after_punct) {
                    Some(item) => items.push(item),
                    None => break None,
                }
            };
            let Some(next) = next else {
                let list = self.nodes.list(from, self.at, &items);
                break self.nodes.relation(from, self.at, &[left, relation, list]);
            };
            let last = items.pop().unwrap_or(right);
            let list = self.nodes.list(from, self.at, &items);
            pending.push((from, self.nodes.relation(from, self.at, &[left, relation, list])));
            from = self.at;
            left = last;
            (relation, right) = next;
        };
        pending
            .into_iter()
            .rev()
            .fold(last, |later, (from, formula)| self.nodes.formulae(from, self.at, &[formula, later]))
    }

    fn modifier_formula(&mut self) -> Option<ContentId> {
        let from = self.at;
        let relation = self.relation()?;
        let right = self.expression()?;
        let absent = self.nodes.absent();
        Some(self.right_sides(from, absent, relation, right))
    }

    pub(super) fn relation(&mut self) -> Option<ContentId> {
        if self.peek() != Some(Role::Relation) {
            return None;
        }
        let place = self.at;
        let sign = self.letter(place).to_owned();
        let angle = matches!(sign.as_str(), "lt" | "gt") && self.is_sign(place);
        if angle && self.limits.no_angle {
            return None;
        }
        self.at += 1;
        if angle && self.peek() == Some(Role::Relation) && self.is_sign(self.at) {
            let next = self.letter(self.at);
            let joined = match (sign.as_str(), next) {
                ("lt", "lt") => Some("much-less-than"),
                ("gt", "gt") => Some("much-greater-than"),
                ("lt", "eq") => Some("leq"),
                ("gt", "eq") => Some("geq"),
                _ => None,
            };
            if let Some(joined) = joined {
                self.at += 1;
                return Some(if joined.len() == 3 {
                    self.nodes.sign(joined)
                } else {
                    self.nodes.symbol(joined)
                });
            }
        }
        Some(self.decorated(place))
    }

    fn is_sign(&self, place: usize) -> bool {
        self.nodes.tree.element(self.leaves[place]) == Element::Sign
    }

    /// An operator with the scripts that follow it.
    pub(super) fn decorated(&mut self, place: usize) -> ContentId {
        let mut node = self.leaves[place];
        while let Some(script) = self.take_if(|role| matches!(role, Role::PostSub | Role::PostSup)) {
            node = self.scripted(place, node, script);
        }
        node
    }

    /// Whether the comma at this place is a sign, not a space, and which.
    pub(super) fn punct_is(&self, place: usize, sign: &str) -> bool {
        self.tokens[place].made != Made::Space && self.letter(place) == sign
    }
}
