//! Words of texts, with their idf in a collection.

use index::{Field, Index, Part, word_key};
use std::collections::BTreeMap;
use text::{Stemmer, StopWords, Tokenizer};

/// Words of a text by the key of their stem, with how often they occur.
pub(crate) type Counts = BTreeMap<u64, f64>;

/// Cuts texts into words that say something; keeps its memory.
#[derive(Debug, Default)]
pub(crate) struct Reader {
    tokenizer: Tokenizer,
    memory: String,
}

impl Reader {
    /// Adds the words of a text, each with a weight.
    pub(crate) fn add(&mut self, text: &str, weight: f64, counts: &mut Counts) {
        let Self { tokenizer, memory } = self;
        tokenizer.tokenize(text, |word| {
            if !StopWords::Long.contains(word.term) {
                *counts.entry(word_key(Stemmer::Porter.stem(word.term, memory))).or_insert(0.0) += weight;
            }
        });
    }

    /// The words of a text.
    pub(crate) fn count(&mut self, text: &str) -> Counts {
        let mut counts = Counts::new();
        self.add(text, 1.0, &mut counts);
        counts
    }
}

/// The idf of words.
pub(crate) struct WordIdf<'i> {
    index: &'i Index,
    known: BTreeMap<u64, f64>,
}

impl<'i> WordIdf<'i> {
    pub(crate) fn new(index: &'i Index) -> Self {
        Self { index, known: BTreeMap::new() }
    }

    /// ln(1 + N/n), with n posts of N that have a form of the stem in their text.
    pub(crate) fn of(&mut self, stem: u64) -> f64 {
        let index = self.index;
        *self.known.entry(stem).or_insert_with(|| {
            let mut posts = 0.0;
            for segment in index.segments() {
                let Some(lists) = segment.posts.postings(Field::Words(Part::Body)) else { continue };
                let keys = std::iter::once(stem).chain(segment.posts.words_of_stem(Stemmer::Porter, stem));
                let mut keys: Vec<u64> = keys.collect();
                keys.sort_unstable();
                keys.dedup();
                posts += keys
                    .iter()
                    .filter_map(|key| lists.find(*key))
                    .map(|list| f64::from(list.len()))
                    .sum::<f64>();
            }
            libm::log(1.0 + f64::from(index.num_posts()) / posts.max(0.5))
        })
    }

    /// The weight of each word: dampened frequency times idf.
    pub(crate) fn weigh(&mut self, counts: &Counts) -> Counts {
        counts.iter().map(|(word, count)| (*word, libm::log(1.0 + count) * self.of(*word))).collect()
    }
}

/// The cosine of two weighted texts; 0 if one is empty.
pub(crate) fn cosine(left: &Counts, right: &Counts) -> f64 {
    let dot: f64 = left.iter().filter_map(|(word, weight)| Some(weight * right.get(word)?)).sum();
    let length = |text: &Counts| text.values().map(|weight| weight * weight).sum::<f64>().sqrt();
    let lengths = length(left) * length(right);
    if lengths > 0.0 { dot / lengths } else { 0.0 }
}

/// Which share of what is asked, by weight, a text has; 0 if nothing is asked.
pub(crate) fn coverage(asked: &Counts, text: &Counts) -> f64 {
    let whole: f64 = asked.values().sum();
    let found: f64 = asked.iter().filter(|(word, _)| text.contains_key(word)).map(|(_, weight)| weight).sum();
    if whole > 0.0 { found / whole } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cosine_and_coverage() {
        let mut reader = Reader::default();
        let left = reader.count("prime numbers, prime");
        let right = reader.count("a prime number of matrices");
        assert_eq!(left.values().copied().sum::<f64>(), 3.0);
        let expected = (2.0 + 1.0) / (5.0_f64.sqrt() * 3.0_f64.sqrt());
        assert!((cosine(&left, &right) - expected).abs() < 1e-12);
        assert_eq!(coverage(&left, &right), 1.0);
        assert!((coverage(&right, &left) - 2.0 / 3.0).abs() < 1e-12);
        assert_eq!((cosine(&left, &Counts::new()), coverage(&Counts::new(), &left)), (0.0, 0.0));
    }
}
