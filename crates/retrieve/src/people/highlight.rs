//! The words and formulas of a query that are marked in what is found.

use crate::query::Query;
use crate::typed::{Must, Typed};
use std::collections::BTreeMap;
use text::{Stemmer, StopWords, Tokenizer};

/// The words and formulas of a query that are marked in what is found.
pub(super) struct Highlight {
    /// The places of the formulas of the query among those that were typed, and their LaTeX.
    pub(super) formulas: Vec<(usize, String)>,
    /// The stems of the words that count, each with a word as it was typed.
    pub(super) stems: BTreeMap<String, String>,
    stemmer: Stemmer,
}

impl Highlight {
    /// What is marked for a query, read as a system reads words. Stop words are, if there are no others.
    pub(super) fn new(query: &Query, (stemmer, stop): (Stemmer, StopWords)) -> Self {
        let typed = query.typed.as_ref().map(|typed| &typed.typed);
        let query = query.searched();
        let tags = query.tags.iter().map(String::as_str);
        let texts: Vec<&str> =
            [query.title.text.as_str(), &query.body.text].into_iter().chain(tags).collect();
        let mut stems = stems(&texts, stemmer, stop);
        if stems.is_empty() {
            stems = self::stems(&texts, stemmer, StopWords::None);
        }
        let formulas = query.title.formulas.iter().chain(&query.body.formulas);
        let places = match typed {
            Some(typed) => places(typed),
            None => (0..query.title.formulas.len() + query.body.formulas.len()).collect(),
        };
        Self { formulas: places.into_iter().zip(formulas.cloned()).collect(), stems, stemmer }
    }

    /// Nothing is marked.
    pub(super) fn nothing() -> Self {
        Self { formulas: Vec::new(), stems: BTreeMap::new(), stemmer: Stemmer::None }
    }

    /// The stem of a folded word if the query has it.
    pub(super) fn matches(&self, term: &str, memory: &mut String) -> Option<&str> {
        let stem = self.stemmer.stem(term, memory);
        self.stems.get_key_value(stem).map(|(stem, _)| stem.as_str())
    }

    pub(super) fn stemmer(&self) -> Stemmer {
        self.stemmer
    }
}

/// The places of the formulas that are searched for among those that were typed.
fn places(typed: &Typed) -> Vec<usize> {
    let formulas = typed.formulas.iter().enumerate();
    formulas.filter(|(_, formula)| formula.must != Must::MustNot).map(|(place, _)| place).collect()
}

fn stems(texts: &[&str], stemmer: Stemmer, stop: StopWords) -> BTreeMap<String, String> {
    let (mut tokenizer, mut memory) = (Tokenizer::default(), String::new());
    let mut stems = BTreeMap::new();
    for text in texts {
        tokenizer.tokenize(text, |word| {
            if !stop.contains(word.term) {
                let stem = stemmer.stem(word.term, &mut memory).to_owned();
                stems.entry(stem).or_insert_with(|| text[word.span].to_owned());
            }
        });
    }
    stems
}
