//! How much one query may ask for.
//!
//! Each of these costs work for every post or formula that may be found, so a short query must not hold
//! hundreds of them. What is left out is said in a note.

use super::{Must, Note, Typed};
use std::ops::Range;

/// The most formulas that one query may hold.
pub const MOST_FORMULAS: usize = 8;
/// The most wildcards that one formula may hold.
pub const MOST_WILDCARDS: usize = 16;
/// The most phrases that one query may hold.
pub const MOST_PHRASES: usize = 8;
/// The most filters that one query may hold.
pub const MOST_FILTERS: usize = 16;
/// The most words with a sign that one query may hold.
pub const MOST_SIGNED: usize = 32;
/// The most words that one query may hold.
pub const MOST_WORDS: usize = 1_000;

/// Leaves out what is too much, with a note for each kind.
pub(super) fn apply(typed: &mut Typed) {
    let Typed { words, phrases, formulas, filters, notes } = typed;
    let (mut wild, mut signed) = (None, None);
    formulas.retain(|formula| {
        let stays = wildcards(&formula.latex) <= MOST_WILDCARDS;
        leave_out(&mut wild, stays, &formula.span)
    });
    if let Some(span) = wild {
        let message = format!("formulas with more than {MOST_WILDCARDS} wildcards were left out");
        notes.push(Note { message, span });
    }
    cut(formulas, MOST_FORMULAS, "formulas", |formula| formula.span.clone(), notes);
    cut(phrases, MOST_PHRASES, "phrases", |phrase| phrase.span.clone(), notes);
    cut(filters, MOST_FILTERS, "filters", |filter| filter.span.clone(), notes);
    let mut number = 0;
    words.retain(|word| {
        number += usize::from(word.must != Must::Should);
        leave_out(&mut signed, word.must == Must::Should || number <= MOST_SIGNED, &word.span)
    });
    if let Some(span) = signed {
        let message = format!("only the first {MOST_SIGNED} words with + or - were searched for");
        notes.push(Note { message, span });
    }
    cut(words, MOST_WORDS, "words", |word| word.span.clone(), notes);
}

/// Passes on whether something stays, and remembers from where to where what does not stands.
fn leave_out(left_out: &mut Option<Range<usize>>, stays: bool, span: &Range<usize>) -> bool {
    if !stays {
        left_out.get_or_insert_with(|| span.clone()).end = span.end;
    }
    stays
}

/// Keeps the first `most`.
fn cut<T>(
    things: &mut Vec<T>,
    most: usize,
    name: &str,
    span: impl Fn(&T) -> Range<usize>,
    notes: &mut Vec<Note>,
) {
    if let (Some(first), Some(last)) = (things.get(most), things.last()) {
        let message = format!("only the first {most} {name} were searched for");
        notes.push(Note { message, span: span(first).start..span(last).end });
        things.truncate(most);
    }
}

/// How many wildcards a formula has: `?x`, `?` or `\qvar{x}`.
fn wildcards(latex: &str) -> usize {
    latex.matches('?').count() + latex.matches("\\qvar").count()
}
