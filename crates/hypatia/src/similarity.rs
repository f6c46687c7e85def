//! How alike two formulas are.

use formula::matching::{Matcher, Preparer, Weights};
use index::Extractor;
use latex::Mode;

/// How alike a formula is to one that is looked for, from 0 to 1; both as LaTeX without dollars.
///
/// Wildcards such as `?x` in the first stand for anything. The order matters: a formula that holds all of the
/// first and more is more like it than the other way round.
///
/// ```
/// let renamed = hypatia::similarity("a^2+b^2", "x^2+y^2");
/// let other = hypatia::similarity("a^2+b^2", "\\sin(x)");
/// assert_eq!(hypatia::similarity("a^2+b^2", "a^{2}+b^{2}"), 1.0);
/// assert!(renamed > 0.5 && renamed < 1.0 && other < renamed);
/// ```
#[must_use]
pub fn similarity(wanted: &str, found: &str) -> f32 {
    let (mut extractor, mut preparer) = (Extractor::default(), Preparer::new(Weights::default()));
    extractor.read(wanted, Mode::Query);
    let wanted = preparer.from_slt(extractor.slt());
    extractor.read(found, Mode::Document);
    let found = preparer.from_slt(extractor.slt());
    Matcher::default().score(&wanted, &found).value
}
