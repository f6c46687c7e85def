//! Which formula of a question shall be looked for?

use crate::Level;
use crate::complexity::Measure;
use crate::look::{Look, Readable};
use formats::Site;
use std::cmp::Reverse;
use std::fmt;

/// The rule in words.
pub const RULE: &str = "\
One formula of each topic becomes its query in Task 2. Of the formulas that can be read in full: the most \
complex of the title, if it is of medium or high complexity; else the most complex of the text, if it is; else the \
most complex of all. A formula of more than 120 points is taken only when there is no smaller one, and then the \
smallest. Between equals the first counts. Formulas that cannot be read in full come last.";

/// A formula of more points makes no good query.
pub const MOST_POINTS: u32 = 120;

/// Why a formula was picked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It stands in the title and is complex enough.
    Title,
    /// It is the most complex of the text, and complex enough.
    Body,
    /// All are simple, and this the least.
    Simple,
    /// All are too complex, and this the least.
    Complex,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Title => "formula of the title",
            Self::Body => "most complex formula of the text",
            Self::Simple => "most complex of simple formulas",
            Self::Complex => "smallest of very complex formulas",
        })
    }
}

/// Picks one of the formulas of a question: its place in the list, and why.
pub(crate) fn pick(formulas: &[(Site, Look)]) -> Option<(usize, Reason)> {
    let pick_of = |readable: Readable| {
        let some: Vec<(usize, Site, Measure)> = formulas
            .iter()
            .enumerate()
            .filter(|(_, (_, look))| look.readable == readable && look.measure.signs > 0)
            .map(|(at, (site, look))| (at, *site, look.measure))
            .collect();
        pick_measured(&some)
    };
    pick_of(Readable::Yes).or_else(|| pick_of(Readable::No))
}

fn pick_measured(formulas: &[(usize, Site, Measure)]) -> Option<(usize, Reason)> {
    let most_complex = |wanted: &dyn Fn(Site, Measure) -> bool| {
        let fit = formulas
            .iter()
            .filter(|(_, site, measure)| measure.points() <= MOST_POINTS && wanted(*site, *measure));
        fit.max_by_key(|(at, _, measure)| (measure.points(), Reverse(*at))).map(|(at, _, _)| *at)
    };
    let enough = |measure: Measure| measure.level() > Level::Low;
    most_complex(&|site, measure| site == Site::Title && enough(measure))
        .map(|at| (at, Reason::Title))
        .or_else(|| {
            most_complex(&|site, measure| site == Site::Body && enough(measure)).map(|at| (at, Reason::Body))
        })
        .or_else(|| most_complex(&|_, _| true).map(|at| (at, Reason::Simple)))
        .or_else(|| {
            let least = formulas.iter().min_by_key(|(at, _, measure)| (measure.points(), *at));
            least.map(|(at, _, _)| (*at, Reason::Complex))
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::look::Looker;

    fn check(title: &[&str], body: &[&str], expected: Option<(usize, Reason)>) {
        let mut looker = Looker::default();
        let title = title.iter().map(|latex| (Site::Title, latex));
        let formulas: Vec<(Site, Look)> = title
            .chain(body.iter().map(|latex| (Site::Body, latex)))
            .map(|(site, latex)| (site, looker.look(latex)))
            .collect();
        assert_eq!(pick(&formulas), expected, "{formulas:?}");
    }

    #[test]
    fn the_title_comes_first() {
        let medium = r"\int_0^1 \frac{x}{1+x} dx";
        let high = r"\sum_{n=1}^\infty \frac{(-1)^n \sqrt{n}}{n^2 + \sqrt{n+1}} = \prod_{k} a_k^{b_k}";
        let long = &r"\frac{a_1}{b^2}+".repeat(40);
        check(&[medium], &[high], Some((0, Reason::Title)));
        check(&["n", medium], &[high], Some((1, Reason::Title)));
        check(&["n"], &["x", high, medium], Some((2, Reason::Body)));
        check(&["n"], &["x+1", "y"], Some((1, Reason::Simple)));
        check(&["x+1"], &["y+2"], Some((0, Reason::Simple)));
        check(&[long], &[medium], Some((1, Reason::Body)));
        check(&["n"], &[long], Some((0, Reason::Simple)));
        check(&[], &[long, &long[..long.len() / 2]], Some((1, Reason::Complex)));
        check(&[], &[r"\nonsense{x^2+\frac1y}+1", "x"], Some((1, Reason::Simple)));
        check(&[], &["", " "], None);
        check(&[], &[], None);
    }
}
