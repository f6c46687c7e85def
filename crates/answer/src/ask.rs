//! The question, weighted: its words by idf, its formulas by size.

use crate::desk::{Desk, Formula};
use crate::words::{Counts, WordIdf};
use formula::matching::Matcher;
use latex::Mode;
use retrieve::Query;
use std::collections::BTreeSet;
use std::rc::Rc;

/// So many formulas of a question are looked for, the largest.
const MOST_FORMULAS: usize = 6;
/// What a word of the title counts more than one of the text.
const TITLE: f64 = 2.0;

/// A question, ready to be held against posts.
pub(crate) struct Asked {
    /// The words of title, text and tags.
    pub(crate) words: Counts,
    /// The words of the title, or of the text where there is no title.
    pub(crate) title: Counts,
    pub(crate) tags: BTreeSet<String>,
    pub(crate) formulas: Vec<Rc<Formula>>,
}

impl Asked {
    pub(crate) fn new(query: &Query, desk: &mut Desk<'_>, idf: &mut WordIdf<'_>) -> Self {
        let mut words = Counts::new();
        desk.words.add(&query.title.text, TITLE, &mut words);
        desk.words.add(&query.body.text, 1.0, &mut words);
        desk.words.add(&query.tags.join(" "), 1.0, &mut words);
        let title = if query.title.is_empty() { &query.body.text } else { &query.title.text };
        let title = desk.words.count(title);
        let latex = query.title.formulas.iter().chain(&query.body.formulas).map(String::as_str);
        Self {
            words: idf.weigh(&words),
            title: idf.weigh(&title),
            tags: query.tags.iter().map(|tag| tag.to_lowercase()).collect(),
            formulas: desk.formulas(latex, MOST_FORMULAS, Mode::Query),
        }
    }

    /// How much of the question's formulas is among others: for each the best likeness, weighed by its size.
    /// 0 if there are none.
    pub(crate) fn formulas_in(&self, others: &[Rc<Formula>], matcher: &mut Matcher) -> f64 {
        let mut sum = 0.0;
        for formula in &self.formulas {
            let likeness = |other: &Rc<Formula>| {
                // What is much smaller cannot be like it, and what is much larger is found by its parts.
                let comparable = other.size * 3 >= formula.size;
                if comparable { matcher.score(&formula.prepared, &other.prepared).value } else { 0.0 }
            };
            sum += formula.weight() * f64::from(others.iter().map(likeness).fold(0.0, f32::max));
        }
        let whole = self.formula_weight();
        if whole > 0.0 { sum / whole } else { 0.0 }
    }

    /// The sum of the weights of the question's formulas.
    pub(crate) fn formula_weight(&self) -> f64 {
        self.formulas.iter().map(|formula| formula.weight()).sum()
    }
}
