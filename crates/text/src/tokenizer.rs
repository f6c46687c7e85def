//! Text, cut into words.
//!
//! One pass from left to right; nothing looks past a blank, so texts can be cut in pieces.

use std::ops::Range;

use crate::fold::{fold_letter, fold_symbol, is_fraction};
use crate::signs::{Sign, sign};

/// The length in bytes after which terms are cut off.
pub const LONGEST: usize = 64;

/// Chains of more parts than this are lists or rules across a page, not names, and make no compound.
const MOST_PARTS: usize = 4;

/// What follows an apostrophe without being part of the word: `Euler's`, `we'll`, `we're`.
///
/// Joined, they would make other words: `well`, `were`, `ill`.
const ENCLITICS: [&str; 6] = ["s", "d", "m", "ll", "re", "ve"];

/// A word of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word<'a> {
    /// Its folded form, at most [`LONGEST`] bytes.
    pub term: &'a str,
    /// Where it stands: bytes of the original text.
    pub span: Range<usize>,
    /// What it is.
    pub kind: Kind,
}

/// What a word is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Letters, perhaps with digits.
    Word,
    /// Digits only, perhaps with a decimal point.
    Number,
    /// A single sign of mathematics.
    Symbol,
    /// The parts before it taken together; it follows them, spans them, and does not count to the length.
    Compound,
}

/// Cuts text into words; keeps its memory.
#[derive(Clone, Debug, Default)]
pub struct Tokenizer {
    term: String,
    compound: String,
}

/// Where a part of a chain ends and where reading goes on, behind what was dropped.
struct Part {
    end: usize,
    next: usize,
    shape: Shape,
}

/// What a part means for the compound that it may belong to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    Letters,
    /// A Greek letter or a starred one: the compound keeps its hyphens, since nobody writes `σalgebra`.
    Apart,
    Number,
}

/// What the names of LaTeX commands are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Commands {
    /// Words, as in the source of a formula.
    Words,
    /// Nothing that a text is about.
    Dropped,
}

impl Tokenizer {
    /// Calls `each` for every word of a text, in order. Names of LaTeX commands are not words.
    ///
    /// ```
    /// # use text::{Tokenizer, Kind};
    /// let mut seen = Vec::new();
    /// Tokenizer::default().tokenize("The Cauchy–Schwarz inequality", |word| seen.push((word.term.to_owned(), word.kind)));
    /// assert_eq!(seen[2..4], [("schwarz".into(), Kind::Word), ("cauchyschwarz".into(), Kind::Compound)]);
    /// ```
    pub fn tokenize(&mut self, text: &str, each: impl FnMut(Word<'_>)) {
        self.read(text, Commands::Dropped, each);
    }

    /// Calls `each` for every word of LaTeX source, names of commands included.
    ///
    /// ```
    /// # use text::Tokenizer;
    /// let mut seen = Vec::new();
    /// Tokenizer::default().tokenize_source(r"\frac{ab}{c}", |word| seen.push(word.term.to_owned()));
    /// assert_eq!(seen, ["frac", "ab", "c"]);
    /// ```
    pub fn tokenize_source(&mut self, latex: &str, each: impl FnMut(Word<'_>)) {
        self.read(latex, Commands::Words, each);
    }

    fn read(&mut self, text: &str, commands: Commands, mut each: impl FnMut(Word<'_>)) {
        let bytes = text.as_bytes();
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            if byte.is_ascii() {
                if !byte.is_ascii_alphanumeric() {
                    let dropped = match byte {
                        // An enclitic may follow a formula.
                        b'\'' => enclitic_end(text, at + 1),
                        b'\\' if commands == Commands::Dropped => command_end(text, at),
                        _ => None,
                    };
                    at = dropped.unwrap_or(at + 1);
                } else if let Some(end) = self.plain(text, at) {
                    each(Word { term: &self.term, span: at..end, kind: Kind::Word });
                    at = end;
                } else if let Some(end) = link_end(text, at) {
                    at = end;
                } else {
                    at = self.chain(text, at, &mut each);
                }
                continue;
            }
            let character = character_at(text, at);
            let end = at + character.len_utf8();
            match sign(character) {
                Sign::Letter | Sign::Greek if !is_fraction(character) => {
                    at = self.chain(text, at, &mut each).max(end);
                    continue;
                }
                Sign::Letter | Sign::Greek | Sign::Ideograph => {
                    self.term.clear();
                    fold_letter(character, |part| push(&mut self.term, part));
                    let kind = if is_fraction(character) { Kind::Number } else { Kind::Word };
                    if !self.term.is_empty() {
                        each(Word { term: &self.term, span: at..end, kind });
                    }
                }
                Sign::Symbol => {
                    let mut buffer = [0; 4];
                    let term = fold_symbol(character).encode_utf8(&mut buffer);
                    each(Word { term, span: at..end, kind: Kind::Symbol });
                }
                Sign::Apostrophe => {
                    at = enclitic_end(text, end).unwrap_or(end);
                    continue;
                }
                Sign::Silent | Sign::Hyphen | Sign::Star | Sign::Other => {}
            }
            at = end;
        }
    }

    /// Reads a word of ASCII letters that no rule below has a say in: most words are such.
    fn plain(&mut self, text: &str, start: usize) -> Option<usize> {
        let bytes = &text.as_bytes()[start..];
        let length = bytes.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        let ends = match bytes.get(length) {
            None | Some(b' ' | b'\n') => true,
            Some(b'.' | b',' | b':') => bytes.get(length + 1).is_none_or(|next| matches!(next, b' ' | b'\n')),
            Some(b'-' | b'\'' | b'*' | b'0'..=b'9') => false,
            Some(next) => next.is_ascii(),
        };
        if !ends || length == 0 || length > LONGEST {
            return None;
        }
        self.term.clear();
        self.term.push_str(&text[start..start + length]);
        self.term.make_ascii_lowercase();
        Some(start + length)
    }

    /// Reads parts that hyphens join, and what they make together; returns where it ends.
    fn chain(&mut self, text: &str, start: usize, each: &mut impl FnMut(Word<'_>)) -> usize {
        self.compound.clear();
        let (mut at, mut parts) = (start, 0_usize);
        let (mut apart, mut letters) = (false, false);
        loop {
            let part = self.part(text, at);
            shorten(&mut self.term);
            if !self.term.is_empty() {
                let kind = if part.shape == Shape::Number { Kind::Number } else { Kind::Word };
                each(Word { term: &self.term, span: at..part.end, kind });
                parts += 1;
                apart |= part.shape == Shape::Apart;
                letters |= part.shape != Shape::Number;
                if parts <= MOST_PARTS {
                    if parts > 1 {
                        self.compound.push('-');
                    }
                    self.compound.push_str(&self.term);
                }
            }
            match self.joint(text, part.next) {
                Some(next) => at = next,
                None => {
                    if (2..=MOST_PARTS).contains(&parts) && letters {
                        if !apart {
                            self.compound.retain(|character| character != '-');
                        }
                        shorten(&mut self.compound);
                        let span = start..part.end;
                        each(Word { term: &self.compound, span, kind: Kind::Compound });
                    }
                    return part.next;
                }
            }
        }
    }

    /// Reads one part into `term`.
    fn part(&mut self, text: &str, start: usize) -> Part {
        self.term.clear();
        let bytes = text.as_bytes();
        if bytes[start].is_ascii_digit()
            && let Some(end) = self.number(text, start)
        {
            return Part { end, next: end, shape: Shape::Number };
        }
        if let Some(end) = self.initials(text, start) {
            return Part { end, next: end, shape: Shape::Letters };
        }
        // Greek and other letters do not mix: `2π` is a number and a letter.
        let first = sign(character_at(text, start));
        let (mut at, mut next) = (start, None);
        while let Some(&byte) = bytes.get(at) {
            if byte.is_ascii_alphanumeric() && first == Sign::Letter {
                push(&mut self.term, char::from(byte.to_ascii_lowercase()));
                at += 1;
                continue;
            }
            let character = character_at(text, at);
            let end = at + character.len_utf8();
            match sign(character) {
                Sign::Silent => {}
                // 2×2 is what others type as 2x2.
                Sign::Symbol
                    if character == '×'
                        && at.checked_sub(1).is_some_and(|before| bytes[before].is_ascii_digit())
                        && bytes.get(end).is_some_and(u8::is_ascii_digit) =>
                {
                    push(&mut self.term, 'x');
                }
                same if same == first && !is_fraction(character) => {
                    fold_letter(character, |part| push(&mut self.term, part));
                }
                Sign::Apostrophe => {
                    if let Some(dropped) = enclitic_end(text, end) {
                        next = Some(dropped);
                        break;
                    }
                    if self.is_single() && starts_name(text, end) || !starts_letter(text, end, first) {
                        break;
                    }
                }
                Sign::Star if self.takes_star(text, start, end) => {
                    self.term.push('*');
                    return Part { end, next: end, shape: Shape::Apart };
                }
                _ => break,
            }
            at = end;
        }
        let shape = match first {
            Sign::Greek => Shape::Apart,
            _ if self.term.bytes().all(|byte| byte.is_ascii_digit()) => Shape::Number,
            _ => Shape::Letters,
        };
        Part { end: at, next: next.unwrap_or(at), shape }
    }

    /// Reads `3.14`, `1,000` or `17`; not what goes on with letters, such as `1st`.
    fn number(&mut self, text: &str, start: usize) -> Option<usize> {
        let bytes = text.as_bytes();
        let digits = |from: usize| bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (mut end, mut plain) = (start + digits(start), true);
        let mut groups = end - start <= 3;
        self.push_digits(&bytes[start..end]);
        while let Some(&byte) = bytes.get(end) {
            let length = if matches!(byte, b'.' | b',') { digits(end + 1) } else { 0 };
            match byte {
                b'.' if length > 0 => {
                    groups = false;
                    push(&mut self.term, '.');
                }
                b',' if length == 3 && groups => {}
                _ => break,
            }
            self.push_digits(&bytes[end + 1..end + 1 + length]);
            (end, plain) = (end + 1 + length, false);
        }
        let goes_on = matches!(bytes.get(end), Some(byte) if !byte.is_ascii())
            || bytes.get(end).is_some_and(u8::is_ascii_alphabetic);
        if plain && goes_on {
            self.term.clear();
            return None;
        }
        Some(end)
    }

    fn push_digits(&mut self, digits: &[u8]) {
        for digit in digits.iter().take(LONGEST) {
            push(&mut self.term, char::from(*digit));
        }
    }

    /// Reads `i.e`, `w.r.t`, `Q.E.D`: single letters with points between them become one word.
    fn initials(&mut self, text: &str, start: usize) -> Option<usize> {
        let bytes = text.as_bytes();
        let single = |at: usize| {
            bytes.get(at).is_some_and(u8::is_ascii_alphabetic)
                && bytes.get(at + 1).is_none_or(|byte| byte.is_ascii() && !byte.is_ascii_alphanumeric())
        };
        let mut end = start;
        while single(end) && bytes.get(end + 1) == Some(&b'.') && single(end + 2) {
            end += 2;
        }
        if end == start {
            return None;
        }
        for letter in bytes[start..=end].iter().step_by(2).take(LONGEST) {
            push(&mut self.term, char::from(letter.to_ascii_lowercase()));
        }
        Some(end + 1)
    }

    /// Where the next part of a chain begins, if a hyphen or the apostrophe of `L'Hôpital` leads to one.
    fn joint(&self, text: &str, at: usize) -> Option<usize> {
        if at >= text.len() {
            return None;
        }
        let character = character_at(text, at);
        let next = at + character.len_utf8();
        match sign(character) {
            Sign::Hyphen => {
                let follows = text[next..].chars().next()?;
                let word = matches!(sign(follows), Sign::Letter | Sign::Greek) && !is_fraction(follows);
                (word && link_end(text, next).is_none()).then_some(next)
            }
            Sign::Apostrophe => (self.is_single() && starts_name(text, next)).then_some(next),
            _ => None,
        }
    }

    fn is_single(&self) -> bool {
        self.term.len() == 1 && self.term.as_bytes()[0].is_ascii_alphabetic()
    }

    /// Whether a star makes one name with the letter before it, as in `C*-algebra`.
    ///
    /// In `*a*` it is emphasis, in `a*b` a product.
    fn takes_star(&self, text: &str, start: usize, end: usize) -> bool {
        let opened = text[..start].chars().next_back().is_some_and(|before| sign(before) == Sign::Star);
        let goes_on = text[end..].chars().next().is_some_and(|after| {
            matches!(sign(after), Sign::Star | Sign::Letter | Sign::Greek | Sign::Ideograph)
        });
        self.is_single() && !opened && !goes_on
    }
}

/// Appends a character unless the term is full; the last may be too much and is cut off at the end.
fn push(term: &mut String, character: char) {
    if term.len() < LONGEST {
        term.push(character);
    }
}

fn shorten(term: &mut String) {
    while term.len() > LONGEST {
        term.pop();
    }
}

fn character_at(text: &str, at: usize) -> char {
    text[at..].chars().next().expect("a place before the end of the text")
}

/// Where a link ends that begins here: `http://`, `https://`, `ftp://` or `www.` up to the next blank,
/// formula, angle bracket or quotation mark.
fn link_end(text: &str, at: usize) -> Option<usize> {
    let bytes = &text.as_bytes()[at..];
    if !matches!(bytes[0], b'h' | b'H' | b'f' | b'F' | b'w' | b'W') {
        return None;
    }
    let begins = ["http://", "https://", "ftp://", "www."].iter().any(|start| {
        bytes.get(..start.len()).is_some_and(|bytes| bytes.eq_ignore_ascii_case(start.as_bytes()))
    });
    let ends = |character: char| {
        character.is_whitespace() || matches!(character, crate::FORMULA | '<' | '>' | '"' | '“' | '”')
    };
    begins.then(|| text[at..].find(ends).map_or(text.len(), |length| at + length))
}

/// Where the name of a LaTeX command ends that begins here, with a backslash: `\frac` is no word.
///
/// Between two words a backslash is a stroke: `and\or`. A command has at most two letters right before it (`dx\int`),
/// or another command.
fn command_end(text: &str, at: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let letters = bytes[at + 1..].iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    let before = bytes[..at].iter().rev().take(LONGEST).take_while(|byte| byte.is_ascii_alphabetic()).count();
    let stroke = before > 2 && bytes[..at - before].last() != Some(&b'\\');
    (letters > 1 && !stroke).then_some(at + 1 + letters)
}

/// Where an enclitic ends that begins here, behind an apostrophe.
fn enclitic_end(text: &str, at: usize) -> Option<usize> {
    let bytes = &text.as_bytes()[at..];
    let length = bytes.iter().take(3).take_while(|byte| byte.is_ascii_alphabetic()).count();
    let known = ENCLITICS.iter().any(|enclitic| bytes[..length].eq_ignore_ascii_case(enclitic.as_bytes()));
    let ends = text[at + length..].chars().next().is_none_or(|after| {
        !matches!(sign(after), Sign::Letter | Sign::Greek | Sign::Silent | Sign::Apostrophe)
    });
    (known && ends).then_some(at + length)
}

/// Whether a name begins here, behind `L'` or `O'`: three letters, since shorter ones are contractions.
fn starts_name(text: &str, at: usize) -> bool {
    let mut letters = text[at..].chars().filter(|character| sign(*character) != Sign::Silent).take(3);
    (0..3)
        .all(|_| letters.next().is_some_and(|letter| sign(letter) == Sign::Letter && letter.is_alphabetic()))
}

fn starts_letter(text: &str, at: usize, first: Sign) -> bool {
    text[at..].chars().next().is_some_and(|character| sign(character) == first && !is_fraction(character))
}
