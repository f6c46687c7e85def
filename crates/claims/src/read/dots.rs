//! Sums and products with dots: `1+2+…+n` is read if the last term tells the others.

use super::{Reader, Unread};
use crate::eval::{Evaluator, Readings};
use crate::expr::{Big, Expr, Range, Shared};
use formula::opt::OptId;
use std::rc::Rc;

impl Reader<'_> {
    /// The sum that is meant, if there are dots among the terms.
    pub(super) fn dots(&mut self, kids: &[OptId], big: Big, depth: usize) -> Result<Option<Shared>, Unread> {
        let is_dots = |node: &OptId| matches!(self.opt.tag(*node), "V!…" | "V!⋯" | "V!..." | "V!⋮");
        let Some(place) = kids.iter().position(is_dots) else { return Ok(None) };
        let unclear = || Unread("it is not clear what the dots stand for".to_owned());
        let (first, last) = (&kids[..place], &kids[place + 1..]);
        let ([last], 2..=6) = (last, first.len()) else { return Err(unclear()) };
        let first = self.all(first, depth)?;
        let last = self.node(*last, depth)?;
        series(&first, &last, big).map(Some).ok_or_else(unclear)
    }
}

/// The last term with another index for its only variable, if that gives the first ones, from 0 or 1.
fn series(first: &[Shared], last: &Shared, big: Big) -> Option<Shared> {
    let free = last.free();
    let candidates: Vec<&Rc<str>> = if free.len() == 1 {
        free.iter().collect()
    } else {
        free.iter().filter(|name| matches!(&***name, "n" | "m" | "k" | "N")).collect()
    };
    let [variable] = candidates.as_slice() else { return None };
    let index: Rc<str> = "index".into();
    let term = last.replace(variable, &Expr::variable(&index));
    let from = [1, 0].into_iter().find(|from| {
        (*from..).zip(first).all(|(at, given)| same(&term.replace(&index, &Expr::whole(at)), given))
    })?;
    let range = Range { index, from: Expr::whole(from), to: Expr::variable(variable) };
    Some(Rc::new(Expr::Repeat(big, range, term)))
}

/// Whether two expressions have the same value at some places.
fn same(left: &Shared, right: &Shared) -> bool {
    let mut evaluator = Evaluator::new(20_000, Readings::default());
    let names: Vec<Rc<str>> = left.free().union(&right.free()).cloned().collect();
    [(7, 5), (11, 13), (17, 3)].into_iter().all(|(numer, denom)| {
        for (at, name) in (0..).zip(&names) {
            evaluator.assign(name, numer + 3 * at, denom);
        }
        evaluator.are_equal(left, right)
    })
}
