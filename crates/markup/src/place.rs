//! Numbered tokens become markers in reading order, and letters of words that were taken for formulas are noticed.
//!
//! A lost dollar can turn single letters of words into spans: `di<span…>$d$</span>n't`.
//! They stay formulas, since tables name them, but each is told when it is surely none: a lower-case letter with
//! letters directly on both sides (or a capital after a capital), unless a word of a list stands before or after it
//! (`sup$e$and`, `when$n$is`) or an ending after it (`the $n$th`, all `$x$s`).
//! Damage comes in swarms: in a text with at least one sure case, single letters that touch a letter on one side only
//! (and do not have a mere ending after them) are told too. Elsewhere nothing is said: `on$m$`, `inf$E$`.

use crate::{Cleaned, FlawKind, Found, MARKER, MARKER_END, Notes, Origin};

/// Endings that people write right after a formula.
const ENDINGS: [&str; 6] = ["th", "st", "nd", "rd", "s", "d"];

/// Words that stand right before or after a formula where a blank was forgotten: `when$n$is`, `sup$e$and`.
#[rustfmt::skip]
const WORDS: [&str; 70] = [
    "sin", "cos", "tan", "log", "ln", "exp", "max", "min", "sup", "inf", "lim", "dim", "ker", "det", "mod", "gcd",
    "on", "of", "for", "the", "let", "and", "or", "if", "is", "are", "be", "in", "to", "by", "at", "as", "an", "we",
    "when", "where", "which", "with", "that", "then", "than", "this", "such", "some", "each", "every", "any", "all",
    "has", "have", "had", "can", "will", "may", "must", "does", "not", "so", "from", "since", "number", "integer",
    "function", "point", "set", "matrix", "vector", "variable", "value", "both",
];

/// A piece of HTML with tokens.
enum Piece<'h> {
    Html(&'h str),
    Token(usize),
}

/// Splits HTML at its tokens.
fn pieces(html: &str) -> impl Iterator<Item = Piece<'_>> {
    let mut rest = html;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        if let Some(text) = rest.strip_prefix(MARKER)
            && let Some((number, after)) = text.split_once(MARKER_END)
            && let Ok(k) = number.parse()
        {
            rest = after;
            return Some(Piece::Token(k));
        }
        let skip = if rest.starts_with(MARKER) { MARKER.len_utf8() } else { 0 };
        let length = find_marker(&rest[skip..]).map_or(rest.len(), |length| length + skip);
        let (piece, after) = rest.split_at(length);
        rest = after;
        Some(Piece::Html(&piece[skip..]))
    })
}

/// Where the first marker is.
fn find_marker(html: &str) -> Option<usize> {
    let mut buffer = [0; 4];
    memchr::memmem::find(html.as_bytes(), MARKER.encode_utf8(&mut buffer).as_bytes())
}

/// Puts formulas in the order of their tokens and makes each token one marker.
pub(crate) fn place(html: &str, notes: Notes) -> Cleaned {
    let Notes { formulas, mut flaws } = notes;
    let words = if formulas.iter().any(|found| letter(found).is_some()) {
        letters_in_words(html, &formulas)
    } else {
        Vec::new()
    };
    let mut numbered: Vec<Option<Found>> = formulas.into_iter().map(Some).collect();
    let mut formulas = Vec::with_capacity(numbered.len());
    let mut out = String::with_capacity(html.len());
    for piece in pieces(html) {
        match piece {
            Piece::Html(html) => out.push_str(html),
            // A number that is not there or was there before is nothing.
            Piece::Token(k) => {
                if let Some(found) = numbered.get_mut(k).and_then(Option::take) {
                    if words.binary_search(&k).is_ok() {
                        let id = found.id.as_deref().unwrap_or_default();
                        let detail = format!("{} {id}", found.latex);
                        flaws.push(crate::Flaw::new(FlawKind::LetterInWord, detail.trim_end()));
                    }
                    out.push(MARKER);
                    formulas.push(found);
                }
            }
        }
    }
    for found in numbered.into_iter().flatten() {
        flaws.push(crate::Flaw::new(FlawKind::LostFormula, &found.latex));
        out.push_str("<p>");
        out.push(MARKER);
        out.push_str("</p>");
        formulas.push(found);
    }
    Cleaned { html: out, formulas, flaws }
}

/// The letter that a span consists of; `\(d\)` is meant as it is.
fn letter(found: &Found) -> Option<char> {
    if found.origin != Origin::Span || found.latex.len() > 4 {
        return None;
    }
    let mut chars = found.latex.chars();
    chars.next().filter(|c| c.is_alphabetic() && chars.next().is_none())
}

/// The numbers of the formulas that are letters of words, in order.
fn letters_in_words(html: &str, formulas: &[Found]) -> Vec<usize> {
    let mut sure = false;
    let mut back = Vec::new();
    for swarm in [false, true] {
        if swarm && !sure {
            break;
        }
        back.clear();
        // What will have been written right before: the end of a word, or nothing.
        let mut word = String::new();
        let mut rest = pieces(html).peekable();
        while let Some(piece) = rest.next() {
            let k = match piece {
                Piece::Html(html) => {
                    let start = html.char_indices().rev().take_while(|(_, c)| c.is_alphabetic()).last();
                    let tail = start.map_or("", |(at, _)| &html[at..]);
                    if tail.len() < html.len() {
                        word.clear();
                    }
                    word.push_str(tail);
                    continue;
                }
                Piece::Token(k) => k,
            };
            let Some(c) = formulas.get(k).and_then(letter) else {
                word.clear();
                continue;
            };
            let after = match rest.peek() {
                Some(Piece::Html(html)) => {
                    &html[..html.find(|c: char| !c.is_alphabetic()).unwrap_or(html.len())]
                }
                _ => "",
            };
            let ending = ENDINGS.contains(&after);
            let capital = word.chars().next_back().is_some_and(char::is_uppercase);
            let is_sure = !word.is_empty()
                && !after.is_empty()
                && !ending
                && (c.is_lowercase() || capital)
                && !WORDS.iter().any(|known| word.eq_ignore_ascii_case(known) || after == *known);
            sure |= is_sure;
            let touches = (!word.is_empty() && (c.is_lowercase() || capital))
                || (word.is_empty() && !after.is_empty() && !ending);
            if is_sure || (swarm && touches) {
                back.push(k);
                word.push(c);
            } else {
                word.clear();
            }
        }
    }
    back.sort_unstable();
    back
}

/// Cleaned HTML with each marker replaced by what `formula(k, &mut out)` writes.
pub fn expand(html: &str, mut formula: impl FnMut(usize, &mut String)) -> String {
    let mut out = String::with_capacity(html.len());
    let mut rest = html;
    let mut k = 0;
    while let Some(at) = find_marker(rest) {
        out.push_str(&rest[..at]);
        formula(k, &mut out);
        k += 1;
        rest = &rest[at + MARKER.len_utf8()..];
    }
    out.push_str(rest);
    out
}

/// How many markers there are.
#[must_use]
pub fn markers(html: &str) -> usize {
    let mut buffer = [0; 4];
    memchr::memmem::find_iter(html.as_bytes(), MARKER.encode_utf8(&mut buffer).as_bytes()).count()
}
