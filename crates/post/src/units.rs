//! Sentences and displayed formulas.

use crate::pieces::{MARK, Pieces};
use crate::quote::{Dollars, push_formula, push_text};

/// Words with a point behind them that ends no sentence.
const ABBREVIATIONS: [&str; 34] = [
    "al", "approx", "apr", "aug", "cf", "ch", "cor", "def", "defn", "dec", "dr", "e.g", "eg", "eq", "eqn",
    "eqs", "ex", "feb", "fig", "i.e", "ie", "jan", "lem", "mr", "mrs", "no", "p", "pp", "prof", "prop",
    "resp", "sec", "thm", "vs",
];

/// A part of a post that can be said alone, or nearly so: a sentence, the part of one that stands before or
/// behind a displayed formula, or such a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    text: String,
    characters: usize,
    plain: String,
    formulas: Vec<usize>,
    place: usize,
    paragraph: usize,
    display: bool,
    continues: bool,
    unfinished: bool,
}

impl Unit {
    /// Plain text in one line, with formulas between dollars, displayed ones between two.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// How many characters that has.
    #[must_use]
    pub fn characters(&self) -> usize {
        self.characters
    }

    /// The text with [`MARK`] for each formula.
    #[must_use]
    pub fn plain(&self) -> &str {
        &self.plain
    }

    /// Its formulas, by their places in the post.
    #[must_use]
    pub fn formulas(&self) -> &[usize] {
        &self.formulas
    }

    /// The how many-th unit of the post it is, from 0.
    #[must_use]
    pub fn place(&self) -> usize {
        self.place
    }

    /// The how many-th paragraph it belongs to, from 0.
    #[must_use]
    pub fn paragraph(&self) -> usize {
        self.paragraph
    }

    /// Whether it is a displayed formula.
    #[must_use]
    pub fn is_display(&self) -> bool {
        self.display
    }

    /// Whether it goes on with what the unit before began.
    #[must_use]
    pub fn continues(&self) -> bool {
        self.continues
    }

    /// Whether it wants something behind it: it ends with a colon, or in the middle of a sentence.
    #[must_use]
    pub fn is_unfinished(&self) -> bool {
        self.unfinished
    }
}

/// The units of a post. None of them cuts a formula, and together they hold all of the post but white space
/// and empty formulas.
#[must_use]
pub fn units(pieces: &Pieces) -> Vec<Unit> {
    let mut cutter = Cutter { pieces, units: Vec::new(), formula: 0, paragraph: 0 };
    for line in pieces.text.lines() {
        cutter.line(line);
    }
    let mut units = cutter.units;
    // The last one has nothing to wait for.
    if let Some(last) = units.last_mut() {
        last.unfinished = false;
    }
    units
}

struct Cutter<'p> {
    pieces: &'p Pieces,
    units: Vec<Unit>,
    /// The next formula.
    formula: usize,
    paragraph: usize,
}

impl Cutter<'_> {
    /// Cuts a line, which is a paragraph, an item of a list or a part of either.
    fn line(&mut self, line: &str) {
        let line = line.trim();
        let before = self.units.len();
        let mut start = 0;
        let mut characters = line.char_indices().peekable();
        while let Some((at, c)) = characters.next() {
            if c == MARK {
                if self.displayed(line[start..at].matches(MARK).count()) {
                    self.unit(&line[start..at], false);
                    // What ends the sentence stays with the formula that it stands behind.
                    let end = at + c.len_utf8();
                    let closing =
                        line[end..].chars().take_while(|c| matches!(c, '.' | ',' | ';' | '!' | '?'));
                    start = end + closing.map(char::len_utf8).sum::<usize>();
                    while characters.next_if(|(next, _)| *next < start).is_some() {}
                    self.unit(&line[at..start], true);
                }
            } else if matches!(c, '.' | '?' | '!') {
                let closing = line[at + 1..]
                    .chars()
                    .take_while(|c| matches!(c, '.' | '?' | '!' | ')' | ']' | '"' | '\'' | '”' | '’' | '*'));
                let end = at + 1 + closing.map(char::len_utf8).sum::<usize>();
                if ends_sentence(&line[start..at], c, &line[end..]) {
                    while characters.next_if(|(next, _)| *next < end).is_some() {}
                    self.unit(&line[start..end], false);
                    start = end;
                }
            }
        }
        self.unit(&line[start..], false);
        self.paragraph += usize::from(self.units.len() > before);
    }

    /// Whether the formula that is so many behind the next one is displayed.
    fn displayed(&self, behind: usize) -> bool {
        self.pieces.formulas.get(self.formula + behind).is_some_and(|formula| formula.display)
    }

    fn unit(&mut self, plain: &str, display: bool) {
        let plain = plain.trim();
        let mut text = String::with_capacity(plain.len());
        let mut formulas = Vec::new();
        let dollars = if display { Dollars::Two } else { Dollars::One };
        for (number, part) in plain.split(MARK).enumerate() {
            if number > 0 {
                let latex = self.pieces.formulas.get(self.formula).map_or("", |formula| &formula.latex);
                formulas.push(self.formula);
                push_formula(&mut text, latex, dollars);
                self.formula += 1;
            }
            push_text(&mut text, part);
        }
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if text.is_empty() || !text.chars().any(|c| c.is_alphanumeric() || c == '$') {
            // A sign by itself belongs to what stands before it.
            if let Some(last) = self.units.last_mut().filter(|_| !text.is_empty()) {
                last.text.push_str(&text);
                last.characters += text.chars().count();
                last.unfinished = is_unfinished(&last.plain) && is_unfinished(&text);
            }
            return;
        }
        let waits = self.units.last().is_some_and(|last| last.unfinished);
        let first = plain.trim_start_matches(|c: char| !c.is_alphanumeric() && c != MARK).chars().next();
        let continues = waits && (display || first.is_some_and(char::is_lowercase))
            || (!display
                && first.is_some_and(char::is_lowercase)
                && self.units.last().is_some_and(Unit::is_display))
            || self.units.last().is_some_and(|last| {
                last.unfinished && last.paragraph != self.paragraph && last.text.ends_with(':')
            });
        let ended_inside = display && ends_with_point(self.pieces, formulas.first().copied());
        self.units.push(Unit {
            characters: text.chars().count(),
            unfinished: !ended_inside && is_unfinished(plain),
            plain: plain.to_owned(),
            text,
            formulas,
            place: self.units.len(),
            paragraph: self.paragraph,
            display,
            continues,
        });
    }
}

/// Whether a displayed formula has its full stop inside.
fn ends_with_point(pieces: &Pieces, formula: Option<usize>) -> bool {
    let formula = formula.and_then(|formula| pieces.formulas.get(formula));
    formula.is_some_and(|formula| {
        let latex = formula.latex.trim_end();
        let latex = latex.rsplit_once("\\end{").map_or(latex, |(inside, _)| inside.trim_end());
        latex.ends_with('.') && !latex.ends_with("..")
    })
}

/// Whether a text ends without what ends a sentence.
fn is_unfinished(text: &str) -> bool {
    let text = text.trim_end_matches([')', ']', '"', '\'', '”', '’', '*', ' ']);
    !text.ends_with(['.', '?', '!', '…'])
}

/// Whether a point, a question mark or an exclamation mark ends the sentence before it.
fn ends_sentence(before: &str, sign: char, behind: &str) -> bool {
    let Some(next) = behind.chars().next() else { return true };
    if !next.is_whitespace() {
        return false;
    }
    let follows = behind.trim_start().trim_start_matches(['(', '[', '"', '\'', '“', '‘', '*']).chars().next();
    if !follows.is_none_or(|c| c.is_uppercase() || c.is_numeric() || c == MARK || c == '-' || c == '•') {
        return false;
    }
    if sign != '.' {
        return true;
    }
    let word = before.rsplit(|c: char| c.is_whitespace() || c == '(' || c == MARK).next().unwrap_or_default();
    let is_initial = word.chars().count() == 1 && word.chars().all(char::is_alphabetic) && word != "I";
    // A number at the start of a line counts items.
    let counts = word == before.trim() && !word.is_empty() && word.chars().all(|c| c.is_ascii_digit());
    !is_initial && !counts && !ABBREVIATIONS.contains(&word.to_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pieces::Formula;
    use crate::quote::{Quote, is_balanced};
    use proptest::prelude::*;

    /// `#` is a formula in the line, `@` one on lines of its own.
    fn pieces(text: &str) -> Pieces {
        let formulas = text.chars().filter(|c| matches!(c, '#' | '@')).enumerate();
        let formula =
            |(number, sign): (usize, char)| Formula { latex: format!("x_{number}"), display: sign == '@' };
        let formulas = formulas.map(formula).collect();
        Pieces::new(&text.replace(['#', '@'], &MARK.to_string()), formulas)
    }

    /// Each unit on a line, `<` before one that continues and `>` behind one that is unfinished.
    fn check(text: &str, expected: &str) {
        let shown: Vec<String> = units(&pieces(text))
            .iter()
            .map(|unit| {
                let (before, behind) =
                    (if unit.continues { "<" } else { "" }, if unit.unfinished { ">" } else { "" });
                format!("{before}{}{behind}", unit.text)
            })
            .collect();
        assert_eq!(shown.join("\n"), expected, "{text}");
    }

    #[test]
    fn sentences_end_where_people_end_them() {
        check(
            "Let # be odd. Then # is even! Why? It is.",
            "Let $x_0$ be odd.\nThen $x_1$ is even!\nWhy?\nIt is.",
        );
        check("See e.g. Hardy, cf. Thm. 3 of G. H. Hardy.", "See e.g. Hardy, cf. Thm. 3 of G. H. Hardy.");
        check("It is 3.14 (roughly). # is more.", "It is 3.14 (roughly).\n$x_0$ is more.");
        check("1. First. 2. Second", "1. First.\n2. Second");
        check("So it is. as I said", "So it is. as I said");
        check("Is it # . Yes", "Is it $x_0$ .\nYes");
    }

    #[test]
    fn displayed_formulas_are_units() {
        check(
            "We have @ where # is odd. So:\n@.",
            "We have>\n<$$x_0$$>\n<where $x_1$ is odd.\nSo:>\n<$$x_2$$.",
        );
        check("It holds.\n@\nThen it ends.", "It holds.\n$$x_0$$>\nThen it ends.");
        check("@, @", "$$x_0$$,>\n<$$x_1$$");
    }

    #[test]
    fn a_full_stop_may_stand_inside_a_displayed_formula() {
        let formula = Formula { latex: "\\begin{align}a&=b.\\end{align}".to_owned(), display: true };
        let pieces = Pieces::new(&format!("So\n{MARK}\nwhich ends it."), vec![formula]);
        let units = units(&pieces);
        assert!(!units[1].unfinished && units[1].continues);
    }

    #[test]
    fn signs_alone_are_no_units() {
        check("\n# \n .\n— \nEnd", "$x_0$.—>\nEnd");
        check("", "");
        check(" \n \n", "");
    }

    #[test]
    fn empty_formulas_leave_nothing() {
        let pieces =
            Pieces::new(&format!("a {MARK} b"), vec![Formula { latex: " ".to_owned(), display: true }]);
        let texts: Vec<String> = units(&pieces).into_iter().map(|unit| unit.text).collect();
        assert_eq!(texts, ["a", "b"]);
    }

    proptest! {
        #[test]
        fn units_hold_all_of_a_post_in_its_order(text in "[abC.!?:,)#@\n -]{0,60}") {
            let pieces = pieces(&text);
            let units = units(&pieces);
            let formulas: Vec<usize> = units.iter().flat_map(|unit| unit.formulas.clone()).collect();
            prop_assert_eq!(formulas, (0..pieces.formulas.len()).collect::<Vec<_>>());
            let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).collect::<String>();
            let joined: String = units.iter().map(|unit| unit.text.as_str()).collect();
            prop_assert_eq!(letters(&joined), letters(&pieces.plain()));
            let quote = Quote::of(&units);
            prop_assert!(is_balanced(quote.text()));
            prop_assert_eq!(quote.characters(), quote.text().chars().count());
        }
    }
}
