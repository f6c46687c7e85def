//! Formulas that nobody marked as such: `prove that a^2+b^2>=2ab`.
//!
//! A formula is a run of pieces that can stand in one and that holds evidence: a command, a script, a sign
//! between two things, a letter applied to something in brackets.
//! Words end a run; so do blanks between two things, unless something says that the formula goes on.

use std::ops::Range;

use super::lexeme::{Class, ELEMENTARY, Lexeme, lexemes};

/// Pieces looked at behind `f:` in search of an arrow.
const ARROW_WITHIN: usize = 24;

/// Abbreviations and names that look like formulas: a 1-1 map, the 0-1 law.
#[rustfmt::skip]
const NEVER: &[&str] = &[
    "w/o", "n/a", "N/A", "a/c", "I/O", "A/B", "a(n)", "1-1", "0-1", "2-D", "3-D", "4-D", "2-d", "3-d", "4-d", "K-12",
    "50/50", "24/7",
];

/// Where formulas stand in a text without marks, in order.
pub(crate) fn formulas(text: &str) -> Vec<Range<usize>> {
    let mut lexemes = lexemes(text);
    close_brackets(&mut lexemes);
    let mut found = Vec::new();
    let mut start = 0;
    while start < lexemes.len() {
        let end = Run::read(text, &lexemes, start);
        if let Some(formula) = trimmed(text, &lexemes, start..end) {
            found.push(formula);
        }
        start = end.max(start + 1);
    }
    found
}

/// Where a formula ends that begins at the start of a text; 0 if none does.
pub(crate) fn first(text: &str) -> usize {
    let mut lexemes = lexemes(text);
    close_brackets(&mut lexemes);
    let end = Run::read(text, &lexemes, 0);
    lexemes[..end].last().map_or(0, |last| last.span.end)
}

/// Brackets without a partner among pieces of formulas cannot be in one.
fn close_brackets(lexemes: &mut [Lexeme]) {
    let mut open: Vec<usize> = Vec::new();
    for index in 0..lexemes.len() {
        match lexemes[index].class {
            Class::Open => open.push(index),
            Class::Close => {
                let partner = open.pop();
                if partner.is_none() {
                    lexemes[index].class = Class::Other;
                }
            }
            Class::Word | Class::Other => {
                for index in open.drain(..) {
                    lexemes[index].class = Class::Other;
                }
            }
            _ => {}
        }
    }
    for index in open {
        lexemes[index].class = Class::Other;
    }
}

/// What is known about the pieces read so far.
struct Run<'a> {
    text: &'a str,
    lexemes: &'a [Lexeme],
    depth: usize,
    /// Something that takes what follows a blank: a command, a function, an integral.
    rich: bool,
    /// A sign that shows that it is a formula.
    signs: bool,
}

impl<'a> Run<'a> {
    /// Where the run ends that begins here.
    fn read(text: &'a str, lexemes: &'a [Lexeme], start: usize) -> usize {
        let mut run = Run { text, lexemes, depth: 0, rich: false, signs: false };
        let mut index = start;
        while index < lexemes.len() && run.takes(start, index) {
            match lexemes[index].class {
                Class::Open => run.depth += 1,
                Class::Close => run.depth = run.depth.saturating_sub(1),
                Class::Command | Class::Function | Class::Prefix | Class::Big => run.rich = true,
                // The name of a symbol takes what follows: pi r^2.
                Class::Letter if is_name(&text[lexemes[index].span.clone()]) => run.rich = true,
                Class::Script => run.signs = true,
                Class::Operator => {
                    run.signs = true;
                    run.rich |= text[lexemes[index].span.clone()].starts_with('\\');
                }
                _ => {}
            }
            index += 1;
        }
        index
    }

    fn takes(&self, start: usize, index: usize) -> bool {
        let lexeme = &self.lexemes[index];
        match lexeme.class {
            Class::Word | Class::Other => return false,
            Class::Differential => return index > start && (self.rich || self.signs),
            _ if index == start => {
                return !matches!(
                    lexeme.class,
                    Class::Close | Class::Comma | Class::Colon | Class::Bang | Class::Prime | Class::Group
                );
            }
            _ if self.depth > 0 => return true,
            Class::Close => return false,
            Class::Comma => return self.lexemes.get(index + 1).is_some_and(|next| next.glued),
            Class::Colon => return self.leads_to_arrow(index) || self.is_between_bars(index),
            Class::Bang | Class::Prime => return lexeme.glued,
            _ => {}
        }
        let before = &self.lexemes[index - 1];
        if lexeme.glued || !ends_thing(before.class) || !begins_thing(lexeme.class) {
            return true;
        }
        match lexeme.class {
            Class::Command => self.rich || !is_article(self.text, before),
            Class::Letter if before.class == Class::Number => true,
            // x^T A x
            Class::Letter
                if self.is_script(index - 1)
                    && !matches!(&self.text[lexeme.span.clone()], "a" | "I" | "?") =>
            {
                let after = self.lexemes.get(index + 1);
                self.rich
                    || self.text[lexeme.span.clone()].starts_with(char::is_uppercase)
                    || after.is_none_or(|after| after.class == Class::Script && after.glued)
            }
            Class::Letter if self.rich => true,
            Class::Letter => {
                // … and the x behind the A.
                let is_capital = self.text[before.span.clone()].starts_with(char::is_uppercase);
                is_capital && !is_article(self.text, lexeme) && index > start + 2 && self.is_script(index - 2)
            }
            // A function may also stand between two things: 3^5 mod 7.
            Class::Open | Class::Function => self.rich || self.signs,
            _ => self.rich,
        }
    }

    /// Whether a piece is all that stands in a script.
    fn is_script(&self, index: usize) -> bool {
        index.checked_sub(1).is_some_and(|before| self.lexemes[before].class == Class::Script)
    }

    /// Whether a colon stands in `|G:H|`.
    fn is_between_bars(&self, index: usize) -> bool {
        let is_bar = |place: Option<usize>| {
            place.and_then(|place| self.lexemes.get(place)).is_some_and(|lexeme| lexeme.class == Class::Bar)
        };
        is_bar(index.checked_sub(2)) && is_bar(Some(index + 2))
    }

    /// Whether a colon stands in `f: A -> B`.
    fn leads_to_arrow(&self, index: usize) -> bool {
        let ahead = self.lexemes[index + 1..].iter().take(ARROW_WITHIN);
        let mut ahead =
            ahead.take_while(|lexeme| !matches!(lexeme.class, Class::Word | Class::Other | Class::Colon));
        ahead.any(|lexeme| {
            lexeme.class == Class::Operator
                && matches!(
                    &self.text[lexeme.span.clone()],
                    "->" | "-->"
                        | "|->"
                        | "→"
                        | "↦"
                        | "⟶"
                        | "\\to"
                        | "\\mapsto"
                        | "\\rightarrow"
                        | "\\longrightarrow"
                )
        })
    }
}

fn ends_thing(class: Class) -> bool {
    matches!(
        class,
        Class::Number
            | Class::Letter
            | Class::Product
            | Class::Differential
            | Class::Command
            | Class::Group
            | Class::Close
            | Class::Prime
            | Class::Bang
            | Class::Dots
    )
}

fn begins_thing(class: Class) -> bool {
    matches!(
        class,
        Class::Number
            | Class::Letter
            | Class::Product
            | Class::Command
            | Class::Function
            | Class::Open
            | Class::Dots
            | Class::Prefix
            | Class::Big
    )
}

/// The name of a symbol in letters.
fn is_name(text: &str) -> bool {
    text.len() > 1 && text.bytes().all(|byte| byte.is_ascii_alphabetic())
}

/// A letter that is a word; a question mark with a blank before it ends a sentence just as well.
fn is_article(text: &str, lexeme: &Lexeme) -> bool {
    matches!(&text[lexeme.span.clone()], "a" | "A" | "I" | "?")
}

/// The run without what cannot begin or end a formula, if it is one.
fn trimmed(text: &str, lexemes: &[Lexeme], run: Range<usize>) -> Option<Range<usize>> {
    let (mut start, mut end) = (run.start, run.end);
    while start < end {
        let first = &lexemes[start];
        let unary = || {
            matches!(&text[first.span.clone()], "-" | "+" | "±" | "\\pm" | "∓")
                && start + 1 < end
                && lexemes[start + 1].glued
        };
        match first.class {
            Class::Operator if !unary() => start += 1,
            Class::Dots | Class::Script | Class::Comma => start += 1,
            _ => break,
        }
    }
    while start < end {
        let last = &lexemes[end - 1];
        let before = (end - 1 > start).then(|| &lexemes[end - 2]);
        match last.class {
            // The star of C^* and the sign of 0^+ are part of it.
            Class::Operator if last.glued && before.is_some_and(|before| before.class == Class::Script) => {
                break;
            }
            // 1 + 2 + 3 + ..., 0.999...
            Class::Dots
                if before.is_some_and(|before| {
                    before.class == Class::Operator
                        || before.class == Class::Number
                            && last.glued
                            && text[before.span.clone()].contains('.')
                }) =>
            {
                break;
            }
            Class::Operator
            | Class::Script
            | Class::Comma
            | Class::Colon
            | Class::Dots
            | Class::Prefix
            | Class::Big => {
                end -= 1;
            }
            Class::Function if !last.glued => end -= 1,
            Class::Bang if !is_factorial(text, lexemes, start, end - 1) => end -= 1,
            Class::Letter if !last.glued && is_article(text, last) => match before {
                Some(before) if ends_thing(before.class) => end -= 1,
                _ => break,
            },
            _ => break,
        }
    }
    if start == end || !has_evidence(text, lexemes, start..end) {
        return None;
    }
    let span = lexemes[start].span.start..lexemes[end - 1].span.end;
    let formula = &text[span.clone()];
    (!NEVER.contains(&formula) && !is_date(formula)).then_some(span)
}

/// Whether it is 2015-03 or 2015-03-14.
fn is_date(text: &str) -> bool {
    let parts =
        text.split('-').map(|part| part.bytes().all(|byte| byte.is_ascii_digit()).then_some(part.len()));
    let lengths: Vec<_> = parts.take(4).collect();
    lengths == [Some(4), Some(2)] || lengths == [Some(4), Some(2), Some(2)]
}

/// `5!` and `(n+1)!` are factorials, even where the person shouted; `dx!` is none.
fn is_factorial(text: &str, lexemes: &[Lexeme], start: usize, bang: usize) -> bool {
    if bang == start || !lexemes[bang].glued {
        return false;
    }
    match lexemes[bang - 1].class {
        Class::Close => true,
        Class::Bang => is_factorial(text, lexemes, start, bang - 1),
        Class::Number | Class::Letter => !is_article(text, &lexemes[bang - 1]),
        _ => false,
    }
}

fn has_evidence(text: &str, lexemes: &[Lexeme], run: Range<usize>) -> bool {
    let inside = |index: usize| run.contains(&index);
    let word = |index: usize| &text[lexemes[index].span.clone()];
    let (mut bars, mut depth) = (0, 0_usize);
    for index in run.clone() {
        match lexemes[index].class {
            Class::Open => depth += 1,
            Class::Close => depth = depth.saturating_sub(1),
            _ => {}
        }
        let (lexeme, next) = (&lexemes[index], index + 1);
        let before = index.checked_sub(1).filter(|before| inside(*before)).map(|before| &lexemes[before]);
        let evidence = match lexeme.class {
            Class::Command => true,
            Class::Script => {
                inside(next)
                    && before
                        .is_some_and(|before| ends_thing(before.class) || before.class == Class::Function)
            }
            Class::Operator => {
                inside(next)
                    && before.is_some_and(|before| ends_thing(before.class))
                    && (begins_thing(lexemes[next].class) || matches!(word(next), "-" | "+"))
                    && !is_range(text, lexemes, index)
                    || word(index).starts_with('\\') && run.len() > 1
            }
            Class::Prefix => inside(next),
            // [0,1), (a,b,c), [E:F]
            Class::Comma | Class::Colon => {
                depth > 0
                    && inside(next)
                    && before.is_some_and(|before| ends_thing(before.class))
                    && begins_thing(lexemes[next].class)
            }
            // 2pi
            Class::Letter => {
                lexeme.glued
                    && is_name(word(index))
                    && before.is_some_and(|before| before.class == Class::Number)
            }
            // 0.999...
            Class::Dots => {
                let decimal = |before: &Lexeme| {
                    before.class == Class::Number && text[before.span.clone()].contains('.')
                };
                lexeme.glued && before.is_some_and(decimal)
            }
            Class::Open if matches!(word(index), "⌊" | "⌈") => true,
            // f(x), but not the plural of thing(s).
            Class::Open => {
                let name = before.is_some_and(|before| {
                    matches!(before.class, Class::Letter | Class::Prime | Class::Function)
                });
                name && lexeme.glued
            }
            Class::Function if matches!(word(index), "sqrt" | "Sqrt") => {
                inside(next) && begins_thing(lexemes[next].class) && !is_article(text, &lexemes[next])
            }
            Class::Function => {
                inside(next)
                    && ELEMENTARY.contains(&word(index))
                    && lexemes[next].class == Class::Letter
                    && !is_article(text, &lexemes[next])
                    && lexemes.get(index + 2).is_none_or(|after| !after.glued || after.class != Class::Word)
            }
            Class::Bang => before.is_some() && is_factorial(text, lexemes, run.start, index),
            // x², aₙ, sin²x; f' and 90° alone show nothing.
            Class::Prime => {
                !matches!(word(index), "'" | "′" | "″" | "°")
                    && before
                        .is_some_and(|before| ends_thing(before.class) || before.class == Class::Function)
            }
            Class::Bar => {
                bars += 1;
                let between = before.is_some_and(|before| ends_thing(before.class));
                inside(next) && lexemes[next].glued && lexeme.glued && between || bars == 2
            }
            _ => false,
        };
        if evidence {
            return true;
        }
    }
    false
}

/// Whether a minus sign joins years, pages or a word: 2015-2016, 120-135.
fn is_range(text: &str, lexemes: &[Lexeme], index: usize) -> bool {
    let long = |index: usize| lexemes[index].class == Class::Number && lexemes[index].span.len() >= 3;
    &text[lexemes[index].span.clone()] == "-" && index > 0 && long(index - 1) && long(index + 1)
}
