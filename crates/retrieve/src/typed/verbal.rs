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
    ("four", "4"),
    ("five", "5"),
    ("six", "6"),
    ("seven", "7"),
    ("eight", "8"),
    ("nine", "9"),
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
    let gone = sentence.gone;
    typed.words.retain(|word| !gone.contains(&word.span));
    typed.formulas.retain(|formula| !gone.contains(&formula.span));
    typed.formulas.sort_by_key(|formula| (formula.span.start, formula.span.end));
}

/// A query that is the name of a symbol and nothing else asks for the symbol, too.
fn lone_name(typed: &mut Typed) {
    let [word] = typed.words.as_slice() else { return };
    let alone = typed.formulas.is_empty() && typed.phrases.is_empty() && word.must == Must::Should;
    if let Some(latex) = symbol(&word.text).filter(|_| alone) {
        let formula = translated(latex.to_owned(), word.span.clone());
        typed.formulas.push(formula);
    }
}

/// The symbol that a word names; `Gamma` and `gamma` are two.
fn symbol(word: &str) -> Option<&'static str> {
    match name(word).or_else(|| name(&word.to_lowercase()))? {
        Name::Symbol(latex) => Some(latex),
        _ => None,
    }
}

/// A formula that words say.
fn translated(latex: String, span: Range<usize>) -> TypedFormula {
    TypedFormula { latex, span, how: How::Bare, reading: Reading::Translated, must: Must::Should }
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
            ("nth" | "n-th", Some("root"), Some("of")) => self.root(at, at + 3, "\\sqrt[n]"),
            ("fourth", Some("root"), Some("of")) => self.root(at, at + 3, "\\sqrt[4]"),
            ("sqrt", Some("of"), _) => self.root(at, at + 2, "\\sqrt"),
            ("integral" | "integrate", Some("from"), _) => self.bounds_first(at + 1, "\\int"),
            ("sum", Some("from"), _) => self.bounds_first(at + 1, "\\sum"),
            ("product", Some("from"), _) => self.bounds_first(at + 1, "\\prod"),
            ("limit" | "lim", Some("as"), _) => self.goal_first(at + 1),
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
        let span = self.items.get(at)?.0.clone();
        let text = self.text.get(span.clone())?;
        let minus = if self.text[..span.start].trim_end().ends_with(['-', '−']) { "-" } else { "" };
        let lower = text.to_lowercase();
        if let Some((_, number)) = NUMBERS.iter().find(|(word, _)| *word == lower) {
            return Some(format!("{minus}{number}"));
        }
        if let Some(latex) = symbol(text) {
            return Some(format!("{minus}{latex}"));
        }
        let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
        let is_letter = text.len() == 1 && text.bytes().all(|byte| byte.is_ascii_alphabetic());
        (is_number || is_letter && !matches!(text, "a" | "A" | "I")).then(|| format!("{minus}{text}"))
    }

    /// Gives a formula other LaTeX.
    fn replace(&mut self, place: usize, latex: String) {
        let formula = &mut self.typed.formulas[place];
        formula.latex = latex;
        formula.reading = Reading::Translated;
    }

    /// Takes items out of the query: they are part of a formula now.
    fn take_out(&mut self, items: std::ops::RangeInclusive<usize>) {
        self.gone.extend(self.items[items].iter().map(|(span, _)| span.clone()));
    }

    fn root(&mut self, start: usize, at: usize, command: &str) -> Option<usize> {
        let latex = format!("{command}{{{}}}", self.thing(at)?);
        match self.formula(at) {
            Some(place) => self.replace(place, latex),
            None => {
                let span = self.items[start].0.start..self.items[at].0.end;
                self.typed.formulas.push(translated(latex, span));
            }
        }
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
                self.replace(place, format!("{sign}_{{{from}}}^{{{to}}} {inside}{differential}"));
                self.take_out(at + 1..=at + 4);
                Some(at + 5)
            }
            None if sign == "\\int" => {
                self.replace(place, format!("{sign} {inside}{differential}"));
                Some(at + 1)
            }
            None => None,
        }
    }

    /// `… from n=1 to infinity of 1/n^2`
    fn bounds_first(&mut self, from: usize, sign: &str) -> Option<usize> {
        if self.word(from + 2).as_deref() != Some("to") {
            return None;
        }
        let (below, above) = self.thing(from + 1).zip(self.thing(from + 3))?;
        let at = if self.word(from + 4).as_deref() == Some("of") { from + 5 } else { from + 4 };
        let place = self.formula(at)?;
        let inside = self.typed.formulas[place].latex.clone();
        let differential = if sign == "\\int" { differential(&inside) } else { String::new() };
        self.replace(place, format!("{sign}_{{{below}}}^{{{above}}} {inside}{differential}"));
        self.take_out(from..=at - 1);
        Some(at + 1)
    }

    /// `… as x approaches 0 of sin(x)/x`
    fn goal_first(&mut self, from: usize) -> Option<usize> {
        let (below, last) = self.goal(from)?;
        let at = if self.word(last + 1).as_deref() == Some("of") { last + 2 } else { last + 1 };
        let place = self.formula(at)?;
        let inside = self.typed.formulas[place].latex.clone();
        self.replace(place, format!("\\lim_{{{below}}} {inside}"));
        self.take_out(from..=at - 1);
        Some(at + 1)
    }

    /// What goes where, behind `as`, and the last item of it.
    fn goal(&self, from: usize) -> Option<(String, usize)> {
        match (self.word(from + 2).as_deref(), self.word(from + 3).as_deref()) {
            (Some("goes" | "tends" | "go"), Some("to")) => {
                Some((format!("{}\\to {}", self.thing(from + 1)?, self.thing(from + 4)?), from + 4))
            }
            (Some("approaches"), _) => {
                Some((format!("{}\\to {}", self.thing(from + 1)?, self.thing(from + 3)?), from + 3))
            }
            _ => {
                let arrow = self.typed.formulas[self.formula(from + 1)?].latex.clone();
                let is_arrow = ["\\to", "\\rightarrow", "→"].iter().any(|sign| arrow.contains(sign));
                is_arrow.then_some((arrow, from + 1))
            }
        }
    }

    /// `… sin(x)/x as x goes to 0`, `… as x->0`.
    fn limit(&mut self, at: usize) -> Option<usize> {
        let place = self.formula(at)?;
        let inside = self.typed.formulas[place].latex.clone();
        if inside.contains("\\lim") || self.word(at + 1).as_deref() != Some("as") {
            return None;
        }
        let (below, last) = self.goal(at + 1)?;
        self.replace(place, format!("\\lim_{{{below}}} {inside}"));
        self.take_out(at + 1..=last);
        Some(last + 1)
    }
}

/// What is integrated over, where the formula does not say it.
fn differential(inside: &str) -> String {
    const VARIABLES: [&str; 6] = ["x", "t", "u", "y", "z", "theta"];
    let names = names(inside);
    let is_d = |(name, at): &(&str, usize)| {
        let next = inside.as_bytes().get(at + name.len());
        *name == "d" && !next.is_some_and(|next| matches!(next, b'(' | b'^' | b'_'))
    };
    if names.windows(2).any(|pair| is_d(&pair[0]) && VARIABLES.contains(&pair[1].0)) {
        return String::new();
    }
    let variable = VARIABLES.into_iter().find(|variable| names.iter().any(|(name, _)| name == variable));
    match variable {
        Some(letter) if letter.len() == 1 => format!("\\,d{letter}"),
        Some(name) => format!("\\,d\\{name}"),
        None => String::new(),
    }
}

/// The letters of LaTeX and the names of its commands, with their places; `\mathrm d` is a d.
fn names(latex: &str) -> Vec<(&str, usize)> {
    let mut names = Vec::new();
    let mut at = 0;
    while let Some(first) = latex[at..].chars().next() {
        let rest = &latex[at + first.len_utf8()..];
        if first == '\\' {
            let length = rest.find(|next: char| !next.is_ascii_alphabetic()).unwrap_or(rest.len());
            if length > 0 && !rest.starts_with("math") {
                names.push((&rest[..length], at + 1));
            }
            at += length;
        } else if first.is_ascii_alphabetic() {
            names.push((&latex[at..=at], at));
        }
        at += first.len_utf8();
    }
    names
}

#[cfg(test)]
mod tests {
    use super::differential;

    #[test]
    fn what_is_integrated_over() {
        for (inside, expected) in [
            ("x^2", r"\,dx"),
            (r"\sin(\theta)", r"\,d\theta"),
            (r"\sqrt{u}", r"\,du"),
            (r"\exp(t)", r"\,dt"),
            (r"x^2\,dx", ""),
            (r"x^2 \mathrm{d}x", ""),
            (r"\frac{1}{2}", ""),
            ("d(x,y)", r"\,dx"),
        ] {
            assert_eq!(differential(inside), expected, "{inside}");
        }
    }
}
