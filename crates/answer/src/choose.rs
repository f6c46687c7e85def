//! Which part of a post is said.

use crate::ask::Asked;
use crate::desk::{Desk, Formula, Post};
use crate::words::{Counts, WordIdf, cosine};
use formula::matching::Matcher;
use latex::Mode;
use post::{Quote, Unit};
use std::collections::BTreeSet;
use std::rc::Rc;

/// So many formulas of a unit are compared, the largest.
const FORMULAS_OF_UNIT: usize = 3;
/// More units of a post are not looked at; a post of so many is no answer but a book.
const MOST_UNITS: usize = 400;

/// What a passage gains and loses beyond the share of what is asked that it speaks of.
mod weight {
    /// All formulas that are asked about are in it.
    pub(super) const FORMULAS: f64 = 1.0;
    /// It is as long as it may be: what is said more is more likely to hold the answer.
    pub(super) const LENGTH: f64 = 0.3;
    /// It starts where the post starts.
    pub(super) const START: f64 = 0.1;
    /// It starts where a paragraph starts.
    pub(super) const PARAGRAPH: f64 = 0.1;
    /// It starts in the middle of a sentence.
    pub(super) const TORN_START: f64 = -0.5;
    /// It ends in the middle of a sentence.
    pub(super) const TORN_END: f64 = -0.3;
}

/// The units of a post, each with what it has of what is asked.
struct Weighed<'p> {
    units: &'p [Unit],
    words: Vec<Counts>,
    /// For each unit, how alike its formulas are to each of those that are asked about.
    likeness: Vec<Vec<f32>>,
}

impl<'p> Weighed<'p> {
    fn new(
        post: &'p Post,
        asked: &Asked,
        desk: &mut Desk<'_>,
        idf: &mut WordIdf<'_>,
        matcher: &mut Matcher,
    ) -> Self {
        let units = &post.units[..post.units.len().min(MOST_UNITS)];
        let (mut words, mut likeness) = (Vec::new(), Vec::new());
        for unit in units {
            let counts = desk.words.count(unit.plain());
            words.push(idf.weigh(&counts));
            let latex = unit.formulas().iter().map(|place| post.body.formulas()[*place].latex.as_str());
            let own = desk.formulas(latex, FORMULAS_OF_UNIT, Mode::Document);
            likeness.push(asked.formulas.iter().map(|formula| best(formula, &own, matcher)).collect());
        }
        Self { units, words, likeness }
    }
}

fn best(formula: &Formula, others: &[Rc<Formula>], matcher: &mut Matcher) -> f32 {
    let likeness = |other: &Rc<Formula>| matcher.score(&formula.prepared, &other.prepared).value;
    others.iter().map(likeness).fold(0.0, f32::max)
}

/// The passage of a post that speaks most of what is asked: units one after another, no longer than allowed.
/// Nothing if no unit is short enough.
pub(crate) fn passage(
    post: &Post,
    asked: &Asked,
    longest: usize,
    desk: &mut Desk<'_>,
    idf: &mut WordIdf<'_>,
    matcher: &mut Matcher,
) -> Option<Quote> {
    let weighed = Weighed::new(post, asked, desk, idf, matcher);
    let units = weighed.units;
    let asked_words: f64 = asked.words.values().sum();
    let sizes: Vec<f64> = asked.formulas.iter().map(|formula| formula.weight()).collect();
    let asked_formulas: f64 = sizes.iter().sum();
    let mut chosen: Option<(f64, Quote)> = None;
    for start in 0..units.len() {
        let mut quote = Quote::default();
        let mut seen: BTreeSet<u64> = BTreeSet::new();
        let mut found_words = 0.0;
        let mut found_formulas = vec![0.0_f32; sizes.len()];
        let edge = match start {
            0 => weight::START + weight::PARAGRAPH,
            _ if units[start].continues() => weight::TORN_START,
            _ if units[start].paragraph() != units[start - 1].paragraph() => weight::PARAGRAPH,
            _ => 0.0,
        };
        for end in start..units.len() {
            let before = (end > start).then(|| &units[end - 1]);
            if quote.characters_with(&units[end], before) > longest {
                break;
            }
            quote.push(&units[end], before);
            for word in weighed.words[end].keys().filter(|word| asked.words.contains_key(word)) {
                if seen.insert(*word) {
                    found_words += asked.words[word];
                }
            }
            for (found, likeness) in found_formulas.iter_mut().zip(&weighed.likeness[end]) {
                *found = found.max(*likeness);
            }
            let formulas: f64 =
                found_formulas.iter().zip(&sizes).map(|(found, size)| f64::from(*found) * size).sum();
            let share = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 0.0 };
            let torn = units[end].is_unfinished() || units.get(end + 1).is_some_and(Unit::continues);
            let value = share(found_words, asked_words)
                + weight::FORMULAS * share(formulas, asked_formulas)
                + weight::LENGTH * quote.characters() as f64 / longest as f64
                + edge
                + if torn { weight::TORN_END } else { 0.0 };
            if chosen.as_ref().is_none_or(|(best, _)| value > *best) {
                chosen = Some((value, quote.clone()));
            }
        }
    }
    chosen.map(|(_, quote)| quote)
}

/// The score of each unit for a question: the similarity of its words and of its formulas.
pub(crate) fn sentences(
    post: &Post,
    asked: &Asked,
    desk: &mut Desk<'_>,
    idf: &mut WordIdf<'_>,
    matcher: &mut Matcher,
) -> Vec<f64> {
    let weighed = Weighed::new(post, asked, desk, idf, matcher);
    let sizes: Vec<f64> = asked.formulas.iter().map(|formula| formula.weight()).collect();
    let whole: f64 = sizes.iter().sum();
    let of_formulas = |likeness: &[f32]| {
        let sum: f64 = likeness.iter().zip(&sizes).map(|(likeness, size)| f64::from(*likeness) * size).sum();
        if whole > 0.0 { sum / whole } else { 0.0 }
    };
    let words = weighed.words.iter().map(|words| cosine(&asked.words, words));
    words.zip(&weighed.likeness).map(|(words, likeness)| words + of_formulas(likeness)).collect()
}

/// The units with the highest scores, in their order, as many as fit. One that wants another beside it, as a
/// displayed formula does, brings it along.
pub(crate) fn pick(units: &[Unit], values: &[f64], longest: usize) -> Option<Quote> {
    let mut order: Vec<usize> = (0..units.len().min(values.len())).collect();
    // A stable sort: of the same score, the first stay first.
    order.sort_by(|left, right| values[*right].total_cmp(&values[*left]));
    let mut chosen: BTreeSet<usize> = BTreeSet::new();
    for unit in order.into_iter().filter(|unit| values[*unit] > 0.0) {
        let mut with: BTreeSet<usize> = chosen.clone();
        with.extend(together(units, unit));
        if Quote::of(with.iter().map(|unit| &units[*unit])).characters() <= longest {
            chosen = with;
        }
    }
    (!chosen.is_empty()).then(|| Quote::of(chosen.iter().map(|unit| &units[*unit])))
}

/// A unit with those that it continues and those that continue it.
fn together(units: &[Unit], unit: usize) -> std::ops::RangeInclusive<usize> {
    let mut first = unit;
    while first > 0 && units[first].continues() {
        first -= 1;
    }
    let mut last = unit;
    while units.get(last + 1).is_some_and(Unit::continues) {
        last += 1;
    }
    first..=last
}

#[cfg(test)]
mod tests {
    use super::*;
    use post::{MARK, Pieces, units};

    fn of(text: &str) -> Vec<Unit> {
        let formula = post::Formula { latex: "x".to_owned(), display: true };
        let count = text.matches('@').count();
        units(&Pieces::new(&text.replace('@', &MARK.to_string()), vec![formula; count]))
    }

    fn check(text: &str, values: &[f64], longest: usize, expected: Option<&str>) {
        let quote = pick(&of(text), values, longest);
        assert_eq!(quote.as_ref().map(Quote::text), expected, "{text}");
    }

    #[test]
    fn the_best_units_are_picked_in_their_order() {
        check("One. Two. Three.", &[1.0, 0.5, 2.0], 100, Some("One. Two. Three."));
        check("One. Two. Three.", &[1.0, 0.5, 2.0], 15, Some("One. […] Three."));
        check("One. Two. Three.", &[1.0, 0.5, 2.0], 6, Some("Three."));
        check("One. Two. Three.", &[1.0, 0.5, 2.0], 4, Some("One."));
        check("One. Two. Three.", &[1.0, 0.5, 2.0], 3, None);
        check("One.", &[0.0], 100, None);
    }

    #[test]
    fn what_belongs_together_stays_together() {
        check("So @ where it ends. Then.", &[0.0, 1.0, 0.0, 0.5], 23, Some("So\n$$x$$\nwhere it ends."));
        check("So @ where it ends. Then.", &[0.0, 1.0, 0.0, 0.5], 10, Some("Then."));
    }
}
