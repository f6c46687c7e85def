//! Words that were mistyped, and what was meant.
//!
//! A word that no post has, or that far fewer posts have than another word one slip away, is searched for as that
//! other word. A slip is a letter wrong, missing or too many, or two neighbours exchanged; in long words that no
//! post has there may be two. Words with a sign, in quotation marks or in formulas stay as they are.

use crate::engine::{Engine, Work};
use crate::language;
use crate::restrict::terms;
use crate::typed::{Must, Typed};
use index::{Field, Part, word_key};
use std::collections::BTreeMap;
use text::{Stemmer, StopWords};

/// Words of so many letters are looked at.
const LETTERS: std::ops::RangeInclusive<usize> = 4..=24;
/// From so many letters on, a word may have two slips.
const TWO_SLIPS: usize = 6;
/// So many words of a query are corrected.
const MOST_WORDS: usize = 6;
/// Queries of more words were written with care, or pasted.
const LONGEST_QUERY: usize = 40;
/// A word that some posts have is a mistake if so many times as many have the other.
const TIMES: u64 = 25;
/// A word that more posts have than this is no mistake.
const KNOWN: u64 = 4;
/// What a candidate with two slips counts beside one with one.
const SECOND_SLIP: f64 = 0.01;
/// What a candidate with another first letter counts: people seldom miss that one.
const OTHER_FIRST: f64 = 0.05;

impl Engine {
    /// Says for each mistyped word what was meant, and for words of other languages what English says.
    pub(crate) fn spell(&self, typed: &mut Typed, stemmer: Stemmer, work: &mut Work) {
        language::translate(typed);
        if typed.words.len() > LONGEST_QUERY {
            return;
        }
        let mut corrected = 0;
        for word in &mut typed.words {
            if word.must != Must::Should || word.meant.is_some() || corrected == MOST_WORDS || work.is_over()
            {
                continue;
            }
            let terms: Vec<String> = terms(&word.text).into_iter().collect();
            let [term] = terms.as_slice() else { continue };
            if !LETTERS.contains(&term.len()) || StopWords::Long.contains(term) {
                continue;
            }
            let known = self.frequency(term, stemmer);
            let is_name = word.text.starts_with(char::is_uppercase);
            if known > KNOWN || known > 0 && is_name {
                continue;
            }
            if let Some((meant, posts)) = self.nearest(term, known, stemmer, work)
                && (known == 0 || posts >= known * TIMES)
            {
                word.meant = Some(meant);
                corrected += 1;
            }
        }
    }

    /// In how many posts a word stands, about: those of all fields and of words with the same stem are added up.
    pub(crate) fn frequency(&self, term: &str, stemmer: Stemmer) -> u64 {
        let mut memory = String::new();
        let stem = word_key(stemmer.stem(term, &mut memory));
        let mut sum = 0;
        for segment in self.index().segments() {
            let keys = [word_key(term), stem];
            for key in keys.into_iter().chain(segment.posts.words_of_stem(stemmer, stem)) {
                for part in [Part::Title, Part::Body, Part::Tags] {
                    let postings = segment.posts.postings(Field::Words(part));
                    let list = postings.and_then(|postings| postings.find(key));
                    sum += list.map_or(0, |list| u64::from(list.len()));
                }
            }
        }
        sum
    }

    /// The word that was most likely meant, and in how many posts it stands.
    pub(crate) fn nearest(
        &self,
        term: &str,
        known: u64,
        stemmer: Stemmer,
        work: &mut Work,
    ) -> Option<(String, u64)> {
        if !term.bytes().all(|byte| byte.is_ascii_lowercase()) {
            return None;
        }
        let once = slips(term, Slips::All);
        if let Some(found) = self.likeliest(term, &once, 1.0, stemmer, work) {
            return Some(found);
        }
        if known > 0 || term.len() < TWO_SLIPS {
            return None;
        }
        let mut twice: Vec<String> = Vec::new();
        for spelling in &once {
            if work.is_over() {
                return None;
            }
            twice.extend(slips(spelling, Slips::Frequent));
        }
        twice.sort_unstable();
        twice.dedup();
        self.likeliest(term, &twice, SECOND_SLIP, stemmer, work)
    }

    fn likeliest(
        &self,
        term: &str,
        spellings: &[String],
        weight: f64,
        stemmer: Stemmer,
        work: &mut Work,
    ) -> Option<(String, u64)> {
        let mut memory = String::new();
        let stem = stemmer.stem(term, &mut memory).to_owned();
        let mut known: BTreeMap<&str, u64> = BTreeMap::new();
        for spelling in spellings {
            if work.is_over() {
                return None;
            }
            let posts = self.frequency(spelling, Stemmer::None);
            if posts > 0 && stemmer.stem(spelling, &mut memory) != stem {
                known.insert(spelling, posts);
            }
        }
        let worth = |word: &str, posts: u64| {
            let first = if word.as_bytes().first() == term.as_bytes().first() { 1.0 } else { OTHER_FIRST };
            weight * first * posts as f64
        };
        known
            .into_iter()
            .max_by(|(left, posts), (right, other)| {
                worth(left, *posts).total_cmp(&worth(right, *other)).then_with(|| right.cmp(left))
            })
            .map(|(word, posts)| (word.to_owned(), posts))
    }
}

/// Which slips of the hand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Slips {
    /// All.
    All,
    /// Neighbours exchanged, a letter missing or doubled, a vowel for another.
    Frequent,
}

/// What a slip makes of a word.
fn slips(term: &str, which: Slips) -> Vec<String> {
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
    spellings.retain(|spelling| spelling != term);
    spellings
}
