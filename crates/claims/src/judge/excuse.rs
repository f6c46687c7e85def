//! Why a violated claim is not called failed.

use super::{Kind, Local, Relation, Tally, default_numbers};
use crate::expr::{Expr, Function, Shared};
use crate::read::Noticed;
use crate::state::State;
use std::collections::BTreeSet;
use std::rc::Rc;

/// A violated claim, and what is known of its place.
pub(super) struct Excuse<'e> {
    pub(super) kind: &'e Kind,
    pub(super) resolved: &'e Kind,
    pub(super) noticed: Noticed,
    pub(super) local: &'e Local,
    pub(super) state: &'e State,
    pub(super) names: &'e [Rc<str>],
    pub(super) chain: usize,
}

impl Excuse<'_> {
    /// The first reason that there is.
    pub(super) fn find(&self, tally: &Tally) -> Option<String> {
        let is_modular = matches!(self.kind, Kind::Congruent(..) | Kind::Divides(..) | Kind::Prime(..));
        if self.noticed.ambiguous {
            return Some("the formula can be read in several ways".to_owned());
        }
        if self.noticed.indexed {
            return Some("the text does not say what a name with an index is".to_owned());
        }
        if self.state.ring && !is_modular {
            return Some("the numbers may be those of another ring or base".to_owned());
        }
        if self.state.refutes {
            return Some("the text may state it to refute it".to_owned());
        }
        if self.is_multivalued() {
            return Some("a function in it has several values".to_owned());
        }
        if matches!(&self.kind, Kind::Compare(_, left, _) if matches!(**left, Expr::E)) {
            return Some("e may be another thing than the number".to_owned());
        }
        if let Some(name) = loosely_defined(self.kind, self.state) {
            return Some(format!("the text may have given {name} another value"));
        }
        if self.names.is_empty() {
            return None;
        }
        if matches!(self.kind, Kind::Compare(Relation::Near, ..)) {
            return Some("the text does not say how close they are".to_owned());
        }
        let is_alone = self.kind.parts().iter().any(|side| side.as_variable().is_some());
        if is_alone && !self.local.is_universal {
            return Some("a name stands alone on a side".to_owned());
        }
        let is_large = |name: &&Rc<str>| {
            name.starts_with(char::is_uppercase)
                && !matches!(&***name, "N" | "M")
                && !self.state.numbers.contains_key(*name)
        };
        if let Some(name) = self.names.iter().find(is_large) {
            return Some(format!("{name} may be something else than a number"));
        }
        if is_modular && self.state.coprime {
            return Some("the text speaks of common divisors".to_owned());
        }
        if let Some(name) = self.names.iter().find(|name| self.state.defined.contains(*name)) {
            return Some(format!("the text says elsewhere what {name} is"));
        }
        let constrained = |name: &&Rc<str>| {
            self.state.constrained.contains(*name) || self.local.constrained.contains(*name)
        };
        if let Some(name) = self.names.iter().find(constrained) {
            return Some(format!("the text makes an assumption about {name}"));
        }
        if self.local.is_universal && tally.violated.len() >= 3 {
            return None;
        }
        if let Kind::Compare(Relation::Equal, ..) | Kind::Primitive(..) = self.kind {
            let nearly_all =
                tally.violated.len() >= 4 && tally.holds + tally.unclear <= self.coincidences(tally);
            if !nearly_all {
                return Some("it holds for some values only".to_owned());
            }
            if self.is_meant_for_all() {
                return None;
            }
            return Some("it may be an equation for some values".to_owned());
        }
        Some("the text does not say for which values".to_owned())
    }

    /// How often a false equality of whole numbers may hold by chance.
    fn coincidences(&self, tally: &Tally) -> usize {
        let is_whole = self.names.iter().all(|name| default_numbers(name, self.state, true).is_whole());
        if is_whole { 1 + tally.violated.len() / 8 } else { 0 }
    }

    /// Whether an equality is an identity that is claimed, and not an equation.
    fn is_meant_for_all(&self) -> bool {
        if matches!(self.kind, Kind::Primitive(..)) {
            return true;
        }
        let sides = self.kind.parts();
        let works = |side: &&Shared| {
            side.any(&mut |part| {
                matches!(part, Expr::Derivative(..) | Expr::Integral(..) | Expr::Limit(..) | Expr::Repeat(..))
                    || matches!(part, Expr::Apply(_, primes, _) if *primes > 0)
            })
        };
        let resolved = self.resolved.parts();
        let (left, right) = (resolved[0].free(), resolved[1].free());
        if sides.iter().any(works) {
            return (works(&sides[0]) && right.is_subset(&left))
                || (works(&sides[1]) && left.is_subset(&right));
        }
        let is_zero = sides.iter().any(|side| side.is_whole(0));
        left == right && !is_zero && !self.state.solves && (self.local.has_cue || self.chain >= 2)
    }

    fn is_multivalued(&self) -> bool {
        let is_complex = self.state.complex || self.noticed.imaginary;
        is_complex
            && self.resolved.parts().iter().any(|side| {
                side.any(&mut |part| match part {
                    Expr::Call(Function::Ln | Function::Log, arguments) => !is_positive(&arguments[0]),
                    Expr::Root(base, _) => !is_positive(base),
                    Expr::Pow(base, exponent) => !is_positive(base) && !is_whole(exponent),
                    _ => false,
                })
            })
    }
}

/// A name in a claim that is defined in passing.
pub(super) fn loosely_defined(kind: &Kind, state: &State) -> Option<Rc<str>> {
    let mut loose = None;
    let mut left: Vec<Shared> = kind.parts().into_iter().cloned().collect();
    let mut seen = BTreeSet::new();
    while let Some(expr) = left.pop() {
        expr.any(&mut |part| {
            let (Expr::Variable(name) | Expr::Apply(name, ..)) = part else { return false };
            if let Some(definition) = state.definitions.get(name).filter(|_| seen.insert(Rc::clone(name))) {
                if !definition.firm {
                    loose = Some(Rc::clone(name));
                }
                left.push(Rc::clone(&definition.body));
            }
            false
        });
    }
    loose
}

fn is_whole(expr: &Expr) -> bool {
    match expr {
        Expr::Number(value) => value.is_whole(),
        Expr::Neg(inner) => is_whole(inner),
        _ => false,
    }
}

fn is_positive(expr: &Expr) -> bool {
    match expr {
        Expr::Number(value) | Expr::Decimal(value, _) => !value.is_negative() && !value.is_zero(),
        Expr::Pi | Expr::E => true,
        _ => false,
    }
}
