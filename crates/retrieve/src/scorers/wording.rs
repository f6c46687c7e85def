//! Wording: posts whose thread says it as the query does gain.
//!
//! Two signals, each between 0 and 1, are added up with their weights:
//!
//! - `phrases`: the share of the query's neighbouring words that also stand side by side in the post, in the same
//!   order and with as many words between them. A pair counts in full in the title and for `in_text` in the text.
//! - `title`: the share of the query's words that the thread's title has.
//!
//! Words count by their idf, stop words not at all, and they are compared as the sources of the system stem them.

use crate::engine::{Engine, Work};
use crate::error::Error;
use crate::hits::{Clue, ClueKind};
use crate::pipeline::stage::{OpenPostScorer, OpenPostSource, PostScorer};
use crate::query::Query;
use index::{Document, Field, Part, word_key};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use store::Reader;
use text::{Cutter, FORMULA, Kind, Stemmer, StopWords};

/// Neighbours in the query with more words than this between them are not a phrase.
const WIDEST: usize = 3;
/// Queries of more words are questions in full, in which order says little.
const MOST_WORDS: usize = 40;
/// Texts are read up to so many words.
const LONGEST_TEXT: usize = 2_000;

/// Scores posts by their wording.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wording {
    /// The weight of phrases.
    phrases: f64,
    /// What a phrase in the text counts, where one in the title counts 1.
    in_text: f64,
    /// The weight of the title.
    title: f64,
}

/// Two words of the query, the second so many words behind the first.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Pair {
    first: u64,
    second: u64,
    gap: usize,
    weight: f64,
}

struct OpenWording<'q> {
    engine: &'q Engine,
    wording: Wording,
    stemmer: Stemmer,
    /// The words of the query with their weights.
    words: BTreeMap<u64, f64>,
    pairs: Vec<Pair>,
    readers: Vec<(u16, Reader<'q>)>,
}

impl PostScorer for Wording {
    fn open<'q>(
        &'q self,
        engine: &'q Engine,
        query: &'q Query,
        sources: &[Box<dyn OpenPostSource + 'q>],
        _: &mut Work,
    ) -> Result<Box<dyn OpenPostScorer + 'q>, Error> {
        let stemmer = sources.iter().find_map(|source| source.looked_for().words);
        let stemmer = stemmer.map_or(Stemmer::None, |(stemmer, _)| stemmer);
        let (words, pairs) = read(engine, &query.searched().title.text, stemmer);
        let readers = engine.index.sources().iter();
        let readers = readers.map(|source| (source.number, source.collection.reader())).collect();
        Ok(Box::new(OpenWording { engine, wording: *self, stemmer, words, pairs, readers }))
    }
}

/// The words of a query that count, and its pairs of neighbours.
fn read(engine: &Engine, text: &str, stemmer: Stemmer) -> (BTreeMap<u64, f64>, Vec<Pair>) {
    let mut placed: Vec<(usize, u64)> = Vec::new();
    let (mut place, mut stem) = (0, String::new());
    Cutter::default().cut(text, |word| {
        if word.kind == Kind::Compound {
            return;
        }
        if word.kind != Kind::Symbol && word.term.len() > 1 && !StopWords::Long.contains(word.term) {
            placed.push((place, word_key(stemmer.stem(word.term, &mut stem))));
        }
        place += 1;
    });
    if placed.len() > MOST_WORDS {
        return (BTreeMap::new(), Vec::new());
    }
    let words: BTreeMap<u64, f64> =
        placed.iter().map(|(_, key)| (*key, idf(engine, *key, stemmer))).collect();
    let mut pairs: Vec<Pair> = Vec::new();
    for neighbours in placed.windows(2) {
        let [(before, first), (after, second)] = neighbours else { continue };
        let gap = after - before;
        if gap <= WIDEST && first != second {
            let weight = words[first].min(words[second]);
            pairs.push(Pair { first: *first, second: *second, gap, weight });
        }
    }
    (words, pairs)
}

/// How rare the words of a stem are among posts.
fn idf(engine: &Engine, stem: u64, stemmer: Stemmer) -> f64 {
    let mut posts = 0;
    for segment in engine.index().segments() {
        let keys: BTreeSet<u64> =
            std::iter::once(stem).chain(segment.posts.words_of_stem(stemmer, stem)).collect();
        for part in [Part::Title, Part::Body] {
            let Some(postings) = segment.posts.postings(Field::Words(part)) else { continue };
            posts += keys
                .iter()
                .filter_map(|key| postings.find(*key))
                .map(|list| u64::from(list.len()))
                .sum::<u64>();
        }
    }
    let all = f64::from(engine.index().num_posts());
    libm::log(1.0 + all / (posts as f64 + 1.0))
}

impl OpenPostScorer for OpenWording<'_> {
    fn score(&mut self, documents: &[Document], work: &mut Work) -> Result<Vec<f64>, Error> {
        let mut scores = Vec::with_capacity(documents.len());
        for document in documents {
            if work.is_over() {
                break;
            }
            scores.push(self.post(*document)?);
        }
        Ok(scores)
    }

    fn explain(&mut self, _: Document, score: f64, _: &mut Work) -> Result<Vec<Clue>, Error> {
        let (group, term) =
            ("wording".to_owned(), "the query's phrases, and its words in the title".to_owned());
        let clue = Clue { group, place: "post", term, kind: ClueKind::Remark, frequency: 1.0, worth: score };
        Ok(Some(clue).filter(|clue| clue.worth != 0.0).into_iter().collect())
    }
}

impl OpenWording<'_> {
    fn post(&mut self, document: Document) -> Result<f64, Error> {
        let all: f64 = self.words.values().sum();
        if all <= 0.0 {
            return Ok(0.0);
        }
        let (source, post) = self.engine.index.post(document);
        let question = self.engine.question_of(document).map(|question| self.engine.index.post(question).1);
        let reader = self.readers.iter_mut().find(|(number, _)| *number == source.number);
        let reader = &mut reader.expect("there is a reader for each collection").1;
        let read = reader.post(post)?;
        let body = self::text(&read.body);
        let mut title = read.title.as_deref().map(self::text).unwrap_or_default();
        if let Some(question) = question.filter(|_| title.is_empty()) {
            title = reader.post(question)?.title.as_deref().map(self::text).unwrap_or_default();
        }
        let in_title = places(&title, &self.words, self.stemmer);
        let in_body =
            if self.pairs.is_empty() { Vec::new() } else { places(&body, &self.words, self.stemmer) };
        let named: BTreeSet<u64> = in_title.iter().map(|(_, key)| *key).collect();
        let named: f64 = named.iter().map(|key| self.words[key]).sum();
        let of_pairs: f64 = self.pairs.iter().map(|pair| pair.weight).sum();
        let met: f64 = self.pairs.iter().map(|pair| pair.weight * self.met(pair, &in_title, &in_body)).sum();
        let phrases = if of_pairs > 0.0 { met / of_pairs } else { 0.0 };
        Ok(self.wording.phrases * phrases + self.wording.title * named / all)
    }

    /// What a pair counts in a post.
    fn met(&self, pair: &Pair, title: &[(usize, u64)], body: &[(usize, u64)]) -> f64 {
        let stands = |places: &[(usize, u64)]| {
            places.iter().enumerate().filter(|(_, (_, key))| *key == pair.first).any(
                |(number, (place, _))| {
                    let wanted = place + pair.gap;
                    let behind = places[number + 1..].iter().take_while(|(place, _)| *place <= wanted);
                    behind.into_iter().any(|(place, key)| *place == wanted && *key == pair.second)
                },
            )
        };
        if stands(title) {
            1.0
        } else if stands(body) {
            self.wording.in_text
        } else {
            0.0
        }
    }
}

/// Text without markup; a formula is one word.
fn text(html: &str) -> String {
    markup::text(html, |_, out| out.push(FORMULA))
}

/// Where words stand in a text, counted in words.
fn places(text: &str, words: &BTreeMap<u64, f64>, stemmer: Stemmer) -> Vec<(usize, u64)> {
    let (mut places, mut place, mut stem) = (Vec::new(), 0, String::new());
    let mut cutter = Cutter::default();
    for (number, piece) in text.split(FORMULA).enumerate() {
        place += usize::from(number > 0);
        if place > LONGEST_TEXT {
            break;
        }
        cutter.cut(piece, |word| {
            if word.kind != Kind::Compound {
                let key = word_key(stemmer.stem(word.term, &mut stem));
                if words.contains_key(&key) {
                    places.push((place, key));
                }
                place += 1;
            }
        });
    }
    places
}
