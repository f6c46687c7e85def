//! Mistyped words, and what was meant.
//!
//! A word that no post has, or that far fewer posts have than another word one slip away, is searched for as that
//! other word. A slip is a letter wrong, missing or too many, or two neighbours exchanged; long words that no post
//! has may have two of the frequent ones. Words with a sign, in quotation marks or in formulas stay as they are.

use crate::engine::{Engine, Work};
use crate::language;
use crate::pipeline::Pipeline;
use crate::query::{Query, TypedQuery};
use crate::restrict::terms;
use crate::typed::{Must, Typed};
use index::{Field, Part, word_key};
use text::{Stemmer, StopWords};

/// The lengths of words that are looked up, in letters.
const LETTERS: std::ops::RangeInclusive<usize> = 4..=24;
/// The lengths of words that may have two slips.
const TWO_SLIPS: std::ops::RangeInclusive<usize> = 8..=16;
/// The most words of a query for which another is looked for.
const MOST_WORDS: usize = 6;
/// Queries of more words were written with care, or pasted.
const LONGEST_QUERY: usize = 40;
/// A known word is a mistake only if another is in this many times as many posts.
const TIMES: u64 = 25;
/// The factor for candidates by a slip that is not a frequent one.
const RARE_SLIP: f64 = 0.2;
/// The factor for candidates with another first letter: people seldom miss that one.
const OTHER_FIRST: f64 = 0.05;

impl Engine {
    /// A query that was typed, as a pipeline searches for it: with its mistyped and foreign words put right.
    pub(crate) fn spelled(&self, query: &Query, pipeline: &Pipeline, work: &mut Work) -> Option<Query> {
        let TypedQuery { typed, .. } = query.typed.as_deref()?;
        let mut typed = typed.clone();
        self.spell(&mut typed, pipeline.words().0, work);
        Some(Query { typed: Query::of_typed(&typed).typed, ..query.clone() })
    }

    /// Says for each mistyped word what was meant, and for foreign words what English says.
    pub(crate) fn spell(&self, typed: &mut Typed, stemmer: Stemmer, work: &mut Work) {
        // In an English collection function words of other languages occur in names only.
        let most = u64::from(self.index().num_posts()) / 50;
        language::translate(typed, |word| self.frequency(word, Stemmer::None) <= most);
        if typed.words.len() > LONGEST_QUERY {
            return;
        }
        let mut looked_for = 0;
        for word in &mut typed.words {
            let stays = word.must != Must::Should || word.meant.is_some();
            if stays || looked_for == MOST_WORDS || work.is_over() {
                continue;
            }
            let terms: Vec<String> = terms(&word.text).into_iter().collect();
            let [term] = terms.as_slice() else { continue };
            if StopWords::Long.contains(term) {
                continue;
            }
            let known = self.frequency(term, stemmer);
            let is_name = word.text.starts_with(char::is_uppercase);
            if known > 0 && is_name {
                continue;
            }
            looked_for += 1;
            // No word can stand in so many more posts; each counts for three fields at most.
            if known * TIMES > u64::from(self.index().num_posts()) * 3 {
                continue;
            }
            // Two slips make one name of another: Noether is not neither.
            let slips = if known > 0 || is_name { 1 } else { 2 };
            if let Some((meant, posts)) = self.nearest(term, slips, stemmer, work)
                && posts >= known * TIMES
            {
                word.meant = Some(meant);
            }
        }
    }

    /// In how many posts a word stands, about: those of all fields and of words with the same stem are added up.
    pub(crate) fn frequency(&self, term: &str, stemmer: Stemmer) -> u64 {
        let key = word_key(term);
        let stem =
            if stemmer == Stemmer::None { key } else { word_key(stemmer.stem(term, &mut String::new())) };
        let mut sum = 0;
        for segment in self.index().segments() {
            let parts = [Part::Title, Part::Body, Part::Tags];
            let fields = parts.map(|part| segment.posts.postings(Field::Words(part)));
            let stems = std::iter::once(stem).chain(segment.posts.words_of_stem(stemmer, stem));
            for key in std::iter::once(key).chain(stems.filter(|other| *other != key)) {
                let lists = fields.iter().flatten().filter_map(|postings| postings.find(key));
                sum += lists.map(|list| u64::from(list.len())).sum::<u64>();
            }
        }
        sum
    }

    /// The word that was most likely meant, one or two slips away, and in how many posts it stands.
    pub(crate) fn nearest(
        &self,
        term: &str,
        slips: u8,
        stemmer: Stemmer,
        work: &mut Work,
    ) -> Option<(String, u64)> {
        if !LETTERS.contains(&term.len()) || !term.bytes().all(|byte| byte.is_ascii_lowercase()) {
            return None;
        }
        if let Some(found) = self.likeliest(term, &slipped(term, Slips::All), stemmer, work) {
            return Some(found);
        }
        if slips < 2 || !TWO_SLIPS.contains(&term.len()) {
            return None;
        }
        let once = slipped(term, Slips::Frequent);
        let mut twice: Vec<String> =
            once.iter().flat_map(|spelling| slipped(spelling, Slips::Frequent)).collect();
        twice.sort_unstable();
        twice.dedup();
        self.likeliest(term, &twice, stemmer, work)
    }

    /// The spelling that most posts have; inflections of the word itself do not count.
    fn likeliest(
        &self,
        term: &str,
        spellings: &[String],
        stemmer: Stemmer,
        work: &mut Work,
    ) -> Option<(String, u64)> {
        let mut memory = String::new();
        let stem = stemmer.stem(term, &mut memory).to_owned();
        let frequent = slipped(term, Slips::Frequent);
        let mut best: Option<(f64, &str, u64)> = None;
        for spelling in spellings {
            if work.is_over() {
                return None;
            }
            let posts = self.frequency(spelling, Stemmer::None);
            if posts == 0 || stemmer.stem(spelling, &mut memory) == stem {
                continue;
            }
            let first = if spelling.as_bytes()[0] == term.as_bytes()[0] { 1.0 } else { OTHER_FIRST };
            let slip = if frequent.binary_search(spelling).is_ok() { 1.0 } else { RARE_SLIP };
            let score = slip * first * posts as f64;
            if best.is_none_or(|(known, ..)| score > known) {
                best = Some((score, spelling, posts));
            }
        }
        best.map(|(_, word, posts)| (word.to_owned(), posts))
    }
}

/// Which slips of the hand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Slips {
    /// All.
    All,
    /// Neighbours exchanged, a letter too many, a missing vowel or double letter, a vowel for another.
    Frequent,
}

/// What a slip makes of a word, in order, each once.
fn slipped(term: &str, which: Slips) -> Vec<String> {
    const VOWELS: &[u8] = b"aeiouy";
    let mut spellings = Vec::new();
    let bytes = term.as_bytes();
    for at in 0..=term.len() {
        let (before, after) = term.split_at(at);
        let shorter = after.get(1..);
        spellings.extend(shorter.map(|rest| format!("{before}{rest}")));
        if let (Some(rest), [first, second, ..]) = (after.get(2..), after.as_bytes()) {
            spellings.push(format!("{before}{}{}{rest}", char::from(*second), char::from(*first)));
        }
        for letter in b'a'..=b'z' {
            let shown = char::from(letter);
            let doubles = at > 0 && bytes[at - 1] == letter;
            if which == Slips::All || doubles || VOWELS.contains(&letter) {
                spellings.push(format!("{before}{shown}{after}"));
            }
            let is_vowel = bytes.get(at).is_some_and(|old| VOWELS.contains(old)) && VOWELS.contains(&letter);
            if which == Slips::All || is_vowel {
                spellings.extend(shorter.map(|rest| format!("{before}{shown}{rest}")));
            }
        }
    }
    spellings.sort_unstable();
    spellings.dedup();
    spellings.retain(|spelling| spelling != term && !spelling.is_empty());
    spellings
}
