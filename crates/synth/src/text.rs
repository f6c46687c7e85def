//! Prose with formulas in it, of a planned length.

mod sentence;
mod table;

pub(crate) use table::{FormulaTable, HEADER, Location, Site};

use crate::draw::Draw;
use crate::formula::Formula;
use crate::plan::Extent;
use crate::pool::{Setting, draw_formula};
use crate::subject::Voice;
use crate::vocabulary::{MOST_FORMULAS, Place, Sentence, vocabulary};

/// About how many words a sentence has.
const SENTENCE: usize = 11;

/// Writes the texts of a post or comment.
#[derive(Debug)]
pub(crate) struct Composer<'a> {
    pub(crate) seed: u64,
    pub(crate) voice: &'a Voice,
    pub(crate) table: &'a mut FormulaTable,
    pub(crate) location: Location,
    pub(crate) draw: Draw,
    /// Whose habits of typing formulas are seen.
    pub(crate) person: u64,
    /// Formulas that come first.
    pub(crate) planted: &'a [Formula],
    /// The text as HTML.
    pub(crate) html: String,
    /// Links go to questions with ids below.
    pub(crate) last_id: u64,
}

/// What is still to be written.
#[derive(Clone, Copy, Debug)]
struct Left {
    words: i32,
    formulas: usize,
}

impl Composer<'_> {
    /// Starts another text.
    pub(crate) fn start(&mut self) {
        self.html.clear();
    }

    /// A title.
    pub(crate) fn title(&mut self, extent: Extent) {
        const MORE: [&str; 6] = [" for a ", " of the ", " and the ", " in a ", " with a ", " without a "];
        let mut left = Left::of(extent);
        let sentence = self.nearest(Place::Title, left);
        self.sentence(sentence, &mut left);
        let question = self.html.ends_with('?');
        if question {
            self.html.pop();
        }
        while left.words > 2 {
            let more = *self.draw.pick(&MORE);
            self.html.push_str(more);
            self.adjective();
            self.html.push(' ');
            left.words -= 3 + self.theme_word();
        }
        while left.formulas > 0 {
            let more = *self.draw.pick(&[" with ", " and ", ", ", " where "]);
            self.html.push_str(more);
            self.formula(Setting::Inline, &mut left);
        }
        if question {
            self.html.push('?');
        }
    }

    /// The body of a question or an answer.
    pub(crate) fn body(&mut self, extent: Extent) {
        let mut left = Left::of(extent);
        let (open, close) = match self.location.site {
            Site::Answer => (Place::Answer, Place::Close),
            _ => (Place::Open, Place::Ask),
        };
        self.paragraph(open, &mut left);
        let long = extent.words > 40;
        let list = long && self.draw.percent(12);
        let quote = long && self.draw.percent(18);
        if quote {
            self.html.push_str(" <blockquote> ");
            self.paragraph(Place::Body, &mut left);
            self.html.push_str(" </blockquote>");
        }
        if list {
            self.list(&mut left);
        }
        if long && self.draw.percent(2) {
            self.code();
        }
        while left.words > SENTENCE as i32 || left.formulas > 0 {
            self.html.push(' ');
            self.paragraph(Place::Body, &mut left);
        }
        if left.words > 3 {
            self.html.push(' ');
            self.paragraph(close, &mut left);
        }
    }

    /// A comment: a line of plain text.
    pub(crate) fn comment(&mut self, extent: Extent) {
        let mut left = Left::of(extent);
        if self.draw.percent(25) {
            self.html.push('@');
            self.name();
            self.html.push(' ');
        }
        loop {
            self.next_sentence(Place::Comment, &mut left);
            if left.words <= 3 && left.formulas == 0 {
                break;
            }
            self.html.push(' ');
        }
    }

    /// One to five sentences, the first from a place of its own.
    fn paragraph(&mut self, place: Place, left: &mut Left) {
        self.html.push_str("<p>");
        let sentences = 1 + self.draw.weighted(&[24, 28, 24, 14, 10]);
        for number in 0..sentences {
            if number > 0 {
                if left.words <= 3 && left.formulas == 0 {
                    break;
                }
                self.html.push(' ');
            }
            self.next_sentence(if number == 0 { place } else { Place::Body }, left);
        }
        self.html.push_str("</p>");
    }

    /// A sentence with as many formulas as make the rest come out even.
    fn next_sentence(&mut self, place: Place, left: &mut Left) {
        if left.words <= 2 && left.formulas > 0 {
            let formulas = left.formulas.min(MOST_FORMULAS);
            let fillers = vocabulary().sentences(Place::Filler, formulas);
            let sentence = self.draw.pick(fillers);
            return self.sentence(sentence, left);
        }
        let sentence = self.nearest(place, *left);
        self.sentence(sentence, left);
    }

    /// A sentence of a place for what is left: formulas in proportion, and of
    /// three candidates the one whose length fits best near the end.
    fn nearest(&mut self, place: Place, left: Left) -> &'static Sentence {
        let sentences = (left.words.max(1) as f64 / SENTENCE as f64).max(1.0);
        let wanted = left.formulas as f64 / sentences;
        let more = self.draw.unit() < wanted - libm::floor(wanted);
        let mut formulas = (wanted as usize + usize::from(more)).min(left.formulas).min(MOST_FORMULAS);
        while vocabulary().sentences(place, formulas).is_empty() {
            // Every place has sentences without a formula.
            formulas -= 1;
        }
        let candidates = vocabulary().sentences(place, formulas);
        let mut best = self.draw.pick(candidates);
        if left.words < 2 * SENTENCE as i32 {
            for _ in 0..2 {
                let other = self.draw.pick(candidates);
                let distance = |sentence: &Sentence| left.words.abs_diff(sentence.words as i32);
                if distance(other) < distance(best) {
                    best = other;
                }
            }
        }
        best
    }

    fn list(&mut self, left: &mut Left) {
        let name = *self.draw.pick(&["ul", "ol"]);
        self.html.push_str(" <");
        self.html.push_str(name);
        self.html.push_str("> ");
        for _ in 0..self.draw.between(2, 4) {
            self.html.push_str("<li>");
            let sentence = self.nearest(Place::List, *left);
            self.sentence(sentence, left);
            self.html.push_str("</li> ");
        }
        self.html.push_str("</");
        self.html.push_str(name);
        self.html.push('>');
    }

    fn code(&mut self) {
        let (start, end) = (self.draw.below(5), self.draw.between(10, 1000));
        let step = self.draw.between(2, 9);
        let code = format!(
            " <pre><code>for k in range({start}, {end}): if k % {step} &lt; 1: print(k, f(k))</code></pre>"
        );
        self.html.push_str(&code);
    }

    /// The next formula.
    fn formula(&mut self, setting: Setting, left: &mut Left) {
        let formula = match self.planted.split_first() {
            Some((first, rest)) if matches!(self.location.site, Site::Question | Site::Answer) => {
                self.planted = rest;
                *first
            }
            _ => draw_formula(&mut self.draw, self.seed, self.voice, setting),
        };
        self.table.place(&formula, self.person, self.location, setting, &mut self.html);
        left.formulas = left.formulas.saturating_sub(1);
    }
}

impl Left {
    fn of(extent: Extent) -> Self {
        Self { words: i32::from(extent.words), formulas: usize::from(extent.formulas) }
    }
}
