//! Definitions, conditions and equations that a text assumes.

use super::{Mode, Scan};
use crate::derive::Definition;
use crate::domain::Numbers;
use crate::expr::{Expr, Shared};
use crate::judge::Relation;
use crate::state::Condition;
use crate::words::Link;
use formula::opt::OptId;
use std::rc::Rc;

impl Scan<'_> {
    /// Takes a relation that is assumed.
    pub(super) fn assumed(&mut self, link: &Link, mode: Mode) {
        let is_kept = matches!(mode, Mode::Define);
        match link.relation.as_str() {
            "O!in" => return self.member(link, is_kept),
            "U!eq" | "O!assign" if link.modulus.is_none() => {
                let (left, right) =
                    (self.expression(link.formula, link.left).0, self.expression(link.formula, link.right).0);
                if let (Ok(left), Ok(right)) = (&left, &right) {
                    if !matches!(mode, Mode::Goal | Mode::One) && self.define(left, right) {
                        return;
                    }
                    // A function or a name that is described is known afterwards.
                    if mode == Mode::One && matches!(**left, Expr::Apply(..)) && self.define(left, right) {
                        return;
                    }
                }
                return self.constrain_letters(link);
            }
            "O!to" => return,
            _ => {}
        }
        let relation = Relation::of_tag(&link.relation).filter(|relation| *relation != Relation::Near);
        let Some(relation) = relation.filter(|_| link.modulus.is_none()) else {
            return self.constrain_letters(link);
        };
        let right = self.expression(link.formula, link.right).0;
        for left in self.listed(link.formula, link.left) {
            match (self.expression(link.formula, left).0, &right) {
                (Ok(left), Ok(right)) => {
                    let condition = Condition { relation, left, right: Rc::clone(right) };
                    if mode == Mode::Domain {
                        self.local.is_universal = true;
                    }
                    self.condition(condition, is_kept);
                }
                _ if relation == Relation::NotEqual => {}
                _ => self.constrain_letters(link),
            }
        }
    }

    pub(super) fn condition(&mut self, condition: Condition, is_kept: bool) {
        if is_kept {
            self.state.conditions.push(condition);
        } else {
            self.local.conditions.push(condition);
        }
    }

    /// The items of a list, or the one that is none.
    fn listed(&self, formula: usize, node: OptId) -> Vec<OptId> {
        let opt = &self.text.formulas[formula].opt;
        let tag = opt.tag(node);
        if tag.starts_with("M!L-") || tag.starts_with("M!V-") {
            opt.children(node).collect()
        } else {
            vec![node]
        }
    }

    /// The variable that a part of a formula is.
    pub(super) fn variables(&self, formula: usize, node: OptId) -> Vec<Rc<str>> {
        let listed = self.listed(formula, node).into_iter();
        let read = listed.filter_map(|node| self.expression(formula, node).0.ok());
        read.filter_map(|expr| expr.as_variable().cloned()).collect()
    }

    fn member(&mut self, link: &Link, is_kept: bool) {
        let names = self.variables(link.formula, link.left);
        let opt = &self.text.formulas[link.formula].opt;
        let tag = opt.tag(link.right);
        let numbers = match tag {
            "V!ℝ" | "V!ℚ" | "V!𝐑" => Numbers::Real,
            "V!ℤ" | "V!𝐙" => Numbers::Integer,
            "V!ℕ" | "V!𝐍" => Numbers::Natural,
            "V!ℂ" | "V!𝐂" => Numbers::Complex,
            "V!ℙ" => Numbers::Prime,
            _ => {
                let kids: Vec<OptId> = opt.children(link.right).collect();
                if let (Some(ends), [low, high]) = (tag.strip_prefix("O!interval"), kids.as_slice()) {
                    let (low, high) =
                        (self.expression(link.formula, *low).0, self.expression(link.formula, *high).0);
                    if let (Ok(low), Ok(high)) = (low, high) {
                        for name in &names {
                            self.within(name, &low, &high, ends.starts_with("(C"), is_kept);
                        }
                        return;
                    }
                }
                return self.constrain_letters(link);
            }
        };
        if self.mode == Mode::Domain {
            self.local.is_universal = true;
        }
        for name in names {
            self.state.numbers.insert(name, numbers);
        }
    }

    fn within(&mut self, name: &Rc<str>, low: &Shared, high: &Shared, closed: bool, is_kept: bool) {
        let variable = Expr::variable(name);
        let (above, below) =
            if closed { (Relation::AtLeast, Relation::AtMost) } else { (Relation::Greater, Relation::Less) };
        for (relation, end) in [(above, low), (below, high)] {
            // Infinity is not a bound.
            if !end.any(&mut |part| matches!(part, Expr::Infinity)) {
                let condition = Condition { relation, left: Rc::clone(&variable), right: Rc::clone(end) };
                self.condition(condition, is_kept);
            }
        }
        self.local.is_universal |= self.mode == Mode::Domain;
    }

    /// Whether an equality that is stated defines its left side, and takes the definition if so.
    pub(super) fn defines(&mut self, left: &Shared, right: &Shared) -> bool {
        match &**left {
            Expr::Variable(name) => {
                if self.state.definitions.contains_key(name) {
                    // The same name for another thing: neither is known from here on.
                    let mut evaluator = crate::eval::Evaluator::new(2_000, crate::eval::Readings::default());
                    let same = crate::derive::resolve(left, &self.state.definitions)
                        .is_ok_and(|known| evaluator.are_equal(&known, right));
                    if !same {
                        self.state.constrain(name);
                    }
                    return !same;
                }
                if !self.state.constrained.contains(name) || right.free().is_empty() {
                    return self.define(left, right) || right.free().contains(name) && self.constrain(name);
                }
                self.constrain(name)
            }
            Expr::Apply(name, 0, _) if !self.state.definitions.contains_key(name) => self.define(left, right),
            _ => false,
        }
    }

    fn constrain(&mut self, name: &Rc<str>) -> bool {
        self.state.constrain(name);
        false
    }

    /// A name stands for an expression from here on, or in this sentence.
    fn put(&mut self, name: &Rc<str>, parameters: Vec<Rc<str>>, body: &Shared) {
        let firm = self.mode == Mode::Define
            && self.usual == Mode::Claim
            && !self.state.definitions.contains_key(name);
        let definition = Definition { parameters, body: Rc::clone(body), firm };
        let old = self.state.definitions.insert(Rc::clone(name), definition);
        if matches!(self.mode, Mode::Until | Mode::Domain) {
            self.before.push((Rc::clone(name), old));
        }
    }

    /// Takes a definition, if it is one.
    fn define(&mut self, left: &Shared, right: &Shared) -> bool {
        match (&**left, &**right) {
            (Expr::Variable(name), _) if !right.free().contains(name) => {
                self.put(name, Vec::new(), right);
                true
            }
            (_, Expr::Variable(name)) if left.free().is_empty() => {
                self.put(name, Vec::new(), left);
                true
            }
            (Expr::Apply(name, 0, arguments), _) => {
                let parameters: Vec<Rc<str>> =
                    arguments.iter().filter_map(|one| one.as_variable().cloned()).collect();
                let recursive = right.any(&mut |part| matches!(part, Expr::Apply(own, ..) if own == name));
                let mut distinct = parameters.clone();
                distinct.sort();
                distinct.dedup();
                if parameters.len() != arguments.len() || distinct.len() != parameters.len() || recursive {
                    return false;
                }
                self.put(name, parameters, right);
                true
            }
            _ => false,
        }
    }

    /// Notes the letters of a relation that says something about them which is not known in numbers.
    pub(super) fn constrain_letters(&mut self, link: &Link) {
        let opt = &self.text.formulas[link.formula].opt;
        let nodes = opt.preorder_from(link.left).chain(opt.preorder_from(link.right));
        let names: Vec<Rc<str>> = nodes
            .filter_map(|node| opt.tag(node).strip_prefix("V!"))
            .filter(|name| name.chars().count() == 1)
            .map(Rc::from)
            .collect();
        for name in names {
            if !self.state.definitions.contains_key(&name) {
                self.state.constrained.insert(name);
            }
        }
    }
}
