//! What a person may want to know about the results.

use crate::engine::{Engine, Work};
use crate::error::Error;
use crate::people::highlight::Highlight;
use crate::people::sort::Sort;
use crate::pipeline::Pipeline;
use crate::pipeline::find::{Found, Rest, Wanted, find};
use crate::pipeline::run::OpenPipeline;
use crate::query::Query;
use crate::restrict::{Restriction, terms};
use crate::typed::{Must, Note, Typed, Understanding};
use std::ops::Range;

/// What to type.
pub(super) const HELP: &str =
    "type words, formulas such as $x^2+1$ or filters such as tag:calculus; nothing else can be searched for";
/// So many restrictions are tried to find the one that leaves nothing.
const MOST_TRIED: usize = 6;
/// A search that had no time to end.
pub(super) const CUT_SHORT: &str = "The search ran out of time: there may be better results.";
/// So many words that nobody wrote are told.
const MOST_WORDS: usize = 4;

/// A note.
pub(super) fn about(message: &str, span: Range<usize>) -> Note {
    Note { message: message.to_owned(), span }
}

/// Says what a fusion is made without.
pub(super) fn missing(notes: &mut Vec<Note>, pipeline: &Pipeline) {
    for missing in pipeline.missing() {
        let about = missing.about.as_deref().map(|about| format!(" ({about})")).unwrap_or_default();
        let message = format!("{} is run without {}{about}", missing.system, missing.member);
        notes.push(self::about(&message, 0..0));
    }
}

/// Says over what results were sorted, if not over all, and that there was nothing to sort by.
pub(super) fn sorted(notes: &mut Vec<Note>, sort: Sort, sorts: &[Sort], found: &Found) {
    if found.posts.is_empty() {
        return;
    }
    if !sorts.contains(&sort) {
        let what = if sort == Sort::Date { "a date" } else { "votes" };
        notes.push(about(&format!("no result has {what}: sorted by relevance"), 0..0));
    } else if found.rest == Rest::Cut {
        notes.push(about(&format!("only the best {} posts were sorted", found.posts.len()), 0..0));
    }
}

/// Says why nothing was found: which restriction, if one alone, keeps all posts out.
pub(super) fn nothing(
    notes: &mut Vec<Note>,
    open: &mut OpenPipeline<'_>,
    query: &Query,
    restrictions: &[Restriction],
    work: &mut Work,
) -> Result<(), Error> {
    let one = Wanted { results: 1, group: &|document| document, posts: 0 };
    let mut guilty = 0;
    for (number, restriction) in restrictions.iter().enumerate().take(MOST_TRIED) {
        let others = restrictions.iter().enumerate().filter(|(other, _)| *other != number);
        let others: Vec<&Restriction> = others.map(|(_, restriction)| restriction).collect();
        if others.is_empty() && !query.is_rankable() {
            notes.push(about("no post is like this", restriction.span.clone()));
            return Ok(());
        }
        if work.is_over() {
            return Ok(());
        }
        let found = find(open, query, &others, one, work)?;
        if !found.posts.is_empty() {
            notes.push(about("without this, there would be results", restriction.span.clone()));
            guilty += 1;
        }
    }
    if guilty == 0 {
        notes.push(about("nothing was found", 0..0));
    }
    Ok(())
}

/// Says which words nobody wrote, and what may have been meant.
pub(super) fn words(
    notes: &mut Vec<Note>,
    engine: &Engine,
    typed: &Typed,
    highlight: &Highlight,
    understanding: Understanding,
    work: &mut Work,
) {
    let mut told = 0;
    for word in typed.words.iter().filter(|word| word.must != Must::MustNot) {
        let terms = terms(&word.text);
        let is_one = terms.len() == 1;
        // The parts of p-adic are words, and padic need not be one.
        if !is_one && terms.iter().any(|term| engine.frequency(term, highlight.stemmer()) > 0) {
            continue;
        }
        for term in terms {
            if told == MOST_WORDS || work.is_over() {
                return;
            }
            if word.meant.is_some() || engine.frequency(&term, highlight.stemmer()) > 0 {
                continue;
            }
            told += 1;
            // Where words are corrected, no other was near; words of several parts are not.
            let meant = match understanding {
                Understanding::Helpful if is_one => None,
                _ => engine.nearest(&term, 2, highlight.stemmer(), work),
            };
            let meant = meant.map(|(meant, _)| format!("; did you mean {meant}?"));
            let message = format!("no post has the word {term}{}", meant.unwrap_or_default());
            notes.push(about(&message, word.span.clone()));
        }
    }
}
