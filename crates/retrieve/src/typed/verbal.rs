//! Mathematics in words around formulas: `square root of 2`, `integral of x^2 from 0 to 1`.
//!
//! Only what can hardly mean something else is read, and the words are searched for as well.

use super::ascii::{Name, name};
use super::{How, Must, Reading, Typed, TypedFormula};
use std::ops::Range;

/// Numbers in words.
const NUMBERS: &[(&str, &str)] = &[
    ("two", "2"),
    ("three", "3"),
    ("five", "5"),
    ("six", "6"),
    ("seven", "7"),
    ("eight", "8"),
    ("ten", "10"),
];

/// A word or a formula of the query, by its place in its list.
#[derive(Clone, Copy)]
enum Item {
    Word(usize),
    Formula(usize),
}

/// Reads the words between formulas, and makes formulas of what they say.
pub(super) fn read(text: &str, typed: &mut Typed) {
    if typed.words.is_empty() {
        return;
    }
    lone_name(typed);
    let mut items: Vec<(Range<usize>, Item)> = Vec::new();
    let words = typed.words.iter().enumerate().filter(|(_, word)| word.must == Must::Should);
    items.extend(words.map(|(place, word)| (word.span.clone(), Item::Word(place))));
    let formulas = typed.formulas.iter().enumerate().filter(|(_, formula)| formula.must == Must::Should);
    items.extend(formulas.map(|(place, formula)| (formula.span.clone(), Item::Formula(place))));
    items.sort_by_key(|(span, _)| (span.start, span.end));
    let mut sentence = Sentence { text, items, typed, gone: Vec::new() };
    let mut at = 0;
    while at < sentence.items.len() {
        at = sentence.read(at).unwrap_or(at + 1);
    }
    let mut gone = std::mem::take(&mut sentence.gone);
    let is_gone = |span: &Range<usize>, gone: &[Range<usize>]| gone.contains(span);
    gone.sort_by_key(|span| span.start);
    typed.words.retain(|word| !is_gone(&word.span, &gone));
    typed.formulas.retain(|formula| !is_gone(&formula.span, &gone));
    typed.formulas.sort_by_key(|formula| (formula.span.start, formula.span.end));
}

/// A query that is the name of a symbol and nothing else asks for the symbol, too.
fn lone_name(typed: &mut Typed) {
    let [word] = typed.words.as_slice() else { return };
    let alone = typed.formulas.is_empty() && typed.phrases.is_empty() && word.must == Must::Should;
    if let Some(Name::Symbol(latex)) = name(&word.text.to_lowercase()).filter(|_| alone) {
        let (latex, span) = (latex.to_owned(), word.span.clone());
        let (how, reading, must) = (How::Bare, Reading::Translated, Must::Should);
        typed.formulas.push(TypedFormula { latex, span, how, reading, must });
    }
}

struct Sentence<'s> {
    text: &'s str,
    items: Vec<(Range<usize>, Item)>,
    typed: &'s mut Typed,
    /// Where words and formulas stand that became part of another formula.
    gone: Vec<Range<usize>>,
}

impl Sentence<'_> {
    /// Reads what begins at an item, if it is known; then the item behind it.
    fn read(&mut self, at: usize) -> Option<usize> {
        let first = self.word(at)?;
        match (first.as_str(), self.word(at + 1).as_deref(), self.word(at + 2).as_deref()) {
            ("square", Some("root"), Some("of")) => self.root(at, at + 3, "\\sqrt"),
            ("cube" | "cubic", Some("root"), Some("of")) => self.root(at, at + 3, "\\sqrt[3]"),
            ("sqrt" | "root", Some("of"), _) => self.root(at, at + 2, "\\sqrt"),
            ("integral" | "integrate" | "integration", Some("of"), _) => self.over(at + 2, "\\int"),
            ("integral" | "integrate", _, _) => self.over(at + 1, "\\int"),
            ("sum", Some("of"), _) => self.over(at + 2, "\\sum"),
            ("sum", _, _) => self.over(at + 1, "\\sum"),
            ("product", Some("of"), _) => self.over(at + 2, "\\prod"),
            ("limit" | "lim", Some("of"), _) => self.limit(at + 2),
            ("limit" | "lim", _, _) => self.limit(at + 1),
            _ => None,
        }
    }

    fn word(&self, at: usize) -> Option<String> {
        match self.items.get(at)?.1 {
            Item::Word(place) => Some(self.typed.words[place].text.to_lowercase()),
            Item::Formula(_) => None,
        }
    }

    /// A formula, with its place in the list.
    fn formula(&self, at: usize) -> Option<usize> {
        match self.items.get(at)?.1 {
            Item::Formula(place) => Some(place),
            Item::Word(_) => None,
        }
    }

    /// The LaTeX of a formula, number, letter or named symbol.
    fn thing(&self, at: usize) -> Option<String> {
        if let Some(place) = self.formula(at) {
            return Some(self.typed.formulas[place].latex.clone());
        }
        let text = self.text.get(self.items.get(at)?.0.clone())?;
        let lower = text.to_lowercase();
        if let Some((_, number)) = NUMBERS.iter().find(|(word, _)| *word == lower) {
            return Some((*number).to_owned());
        }
        if let Some(Name::Symbol(latex)) = name(&lower) {
            return Some(latex.to_owned());
        }
        let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
        let is_letter = text.len() == 1 && text.bytes().all(|byte| byte.is_ascii_alphabetic());
        (is_number || is_letter && !matches!(text, "a" | "A" | "I")).then(|| text.to_owned())
    }

    /// Puts a formula in the place of another, or beside words.
    fn put(&mut self, at: usize, latex: String, span: Range<usize>) {
        match self.formula(at) {
            Some(place) => {
                let formula = &mut self.typed.formulas[place];
                formula.latex = latex;
                formula.reading = Reading::Translated;
            }
            None => {
                let (how, reading, must) = (How::Bare, Reading::Translated, Must::Should);
                self.typed.formulas.push(TypedFormula { latex, span, how, reading, must });
            }
        }
    }

    fn root(&mut self, start: usize, at: usize, command: &str) -> Option<usize> {
        let latex = format!("{command}{{{}}}", self.thing(at)?);
        let span = self.items[start].0.start..self.items[at].0.end;
        self.put(at, latex, span);
        Some(at + 1)
    }

    /// `… x^2 from 0 to 1`; an integral also without bounds.
    fn over(&mut self, at: usize, sign: &str) -> Option<usize> {
        let place = self.formula(at)?;
        let inside = self.typed.formulas[place].latex.clone();
        let has_sign = ["\\int", "\\sum", "\\prod", "∫", "∑", "∏"].iter().any(|sign| inside.contains(sign));
        if has_sign {
            return None;
        }
        let bounds =
            if self.word(at + 1).as_deref() == Some("from") && self.word(at + 3).as_deref() == Some("to") {
                self.thing(at + 2).zip(self.thing(at + 4))
            } else {
                None
            };
        let differential = if sign == "\\int" { differential(&inside) } else { String::new() };
        match bounds {
            Some((from, to)) => {
                self.put(at, format!("{sign}_{{{from}}}^{{{to}}} {inside}{differential}"), 0..0);
                for gone in at + 1..=at + 4 {
                    self.gone.push(self.items[gone].0.clone());
                }
                Some(at + 5)
            }
            None if sign == "\\int" => {
                self.put(at, format!("{sign} {inside}{differential}"), 0..0);
                Some(at + 1)
            }
            None => None,
        }
    }

    /// `… sin(x)/x as x goes to 0`, `… as x->0`.
    fn limit(&mut self, at: usize) -> Option<usize> {
        let place = self.formula(at)?;
        let inside = self.typed.formulas[place].latex.clone();
        if inside.contains("\\lim") || self.word(at + 1).as_deref() != Some("as") {
            return None;
        }
        let second = (self.word(at + 3), self.word(at + 4));
        let (below, last) = match (second.0.as_deref(), second.1.as_deref()) {
            (Some("goes" | "tends" | "go"), Some("to")) => {
                (format!("{}\\to {}", self.thing(at + 2)?, self.thing(at + 5)?), at + 5)
            }
            (Some("approaches"), _) => {
                (format!("{}\\to {}", self.thing(at + 2)?, self.thing(at + 4)?), at + 4)
            }
            _ => {
                let arrow = self.typed.formulas[self.formula(at + 2)?].latex.clone();
                let is_arrow = ["\\to", "\\rightarrow", "→"].iter().any(|sign| arrow.contains(sign));
                (is_arrow.then_some(arrow)?, at + 2)
            }
        };
        self.put(at, format!("\\lim_{{{below}}} {inside}"), 0..0);
        for gone in at + 1..=last {
            self.gone.push(self.items[gone].0.clone());
        }
        Some(last + 1)
    }
}

/// What is integrated over, where the formula does not say it.
fn differential(inside: &str) -> String {
    let letters = ["x", "t", "u", "y", "z", "\\theta"];
    if letters.iter().any(|letter| inside.contains(&format!("d{letter}"))) {
        return String::new();
    }
    let variable = letters.iter().find(|letter| inside.contains(**letter));
    variable.map(|letter| format!("\\,d{letter}")).unwrap_or_default()
}
