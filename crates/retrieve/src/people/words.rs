//! What was typed, as a query for the systems.

use crate::query::{Query, Section};
use crate::system::{Part, System, Terms};
use crate::typed::{FORMULA, Must, Typed};
use std::collections::{BTreeMap, BTreeSet};
use text::{Cutter, Kind, Stemmer, StopWords};

/// So many formulas of a query are searched for.
pub(super) const MOST_FORMULAS: usize = 8;

/// What was typed, as a query.
pub(super) struct Asked {
    pub(super) query: Query,
    /// The system, without stop words if nothing else was typed.
    pub(super) system: System,
    /// The places of the formulas of the query among those that were typed, and their LaTeX.
    pub(super) formulas: Vec<(usize, String)>,
    /// The stems of the words that count, each with a word as it was typed.
    pub(super) stems: BTreeMap<String, String>,
    stemmer: Stemmer,
}

impl Asked {
    pub(super) fn new(typed: &Typed, system: &System) -> Self {
        let mut system = system.clone();
        let words = typed.words.iter().filter(|word| word.must != Must::MustNot).map(|word| &word.text);
        let phrases = typed.phrases.iter().filter(|phrase| phrase.must != Must::MustNot);
        let words: Vec<&str> = words.chain(phrases.map(|phrase| &phrase.text)).map(String::as_str).collect();
        let formulas: Vec<(usize, String)> = (0..)
            .zip(&typed.formulas)
            .filter(|(_, formula)| formula.must != Must::MustNot)
            .map(|(place, formula)| (place, formula.latex.clone()))
            .take(MOST_FORMULAS)
            .collect();
        let section = Section {
            text: words.join(" \n"),
            formulas: formulas.iter().map(|(_, latex)| latex.clone()).collect(),
        };
        // Someone who types stop words alone means them.
        let mut parts = parts_of_words(&mut system);
        let (stemmer, mut stop) =
            parts.first().map_or((Stemmer::None, StopWords::None), |part| (part.stem, part.stop));
        let mut stems = stems(&words, stemmer, stop);
        if stems.is_empty() {
            stop = StopWords::None;
            stems = self::stems(&words, stemmer, stop);
            parts.iter_mut().for_each(|part| part.stop = stop);
        }
        let query = Query { title: section, ..Query::default() };
        Self { query, system, formulas, stems, stemmer }
    }

    /// What is marked of a question, by the words of a system.
    pub(super) fn of_question(query: Query, system: &System) -> Self {
        let mut system = system.clone();
        let parts = parts_of_words(&mut system);
        let (stemmer, stop) =
            parts.first().map_or((Stemmer::None, StopWords::None), |part| (part.stem, part.stop));
        let tags = query.tags.iter().map(String::as_str);
        let texts: Vec<&str> =
            [query.title.text.as_str(), &query.body.text].into_iter().chain(tags).collect();
        let stems = stems(&texts, stemmer, stop);
        let formulas = query.title.formulas.iter().chain(&query.body.formulas).cloned();
        let formulas = formulas.enumerate().collect();
        Self { query, system, formulas, stems, stemmer }
    }

    /// Nothing is looked for.
    pub(super) fn nothing(system: &System) -> Self {
        Self::new(&Typed::default(), system)
    }

    /// Whether there is something to rank by.
    pub(super) fn is_rankable(&self) -> bool {
        !self.stems.is_empty() || !self.formulas.is_empty()
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

/// The parts of a system that search for words.
fn parts_of_words(system: &mut System) -> Vec<&mut Part> {
    let groups = system.posts.iter_mut().flat_map(|stage| &mut stage.groups);
    groups.flat_map(|group| &mut group.parts).filter(|part| part.terms.contains(&Terms::Words)).collect()
}

fn stems(words: &[&str], stemmer: Stemmer, stop: StopWords) -> BTreeMap<String, String> {
    let (mut cutter, mut memory) = (Cutter::default(), String::new());
    let mut stems = BTreeMap::new();
    for text in words {
        cutter.cut(text, |word| {
            if !stop.contains(word.term) {
                let stem = stemmer.stem(word.term, &mut memory).to_owned();
                stems.entry(stem).or_insert_with(|| text[word.span].to_owned());
            }
        });
    }
    stems
}

/// A word or a formula of a text, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Word(String),
    Formula,
}

/// The words and formulas of a text; compounds are left out, since their parts are there.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let mut cutter = Cutter::default();
    let mut tokens = Vec::new();
    for (number, piece) in text.split(FORMULA).enumerate() {
        if number > 0 {
            tokens.push(Token::Formula);
        }
        cutter.cut(piece, |word| {
            if word.kind != Kind::Compound {
                tokens.push(Token::Word(word.term.to_owned()));
            }
        });
    }
    tokens
}

/// The folded words of a text, compounds included, each once.
pub(super) fn terms(text: &str) -> BTreeSet<String> {
    let mut terms = BTreeSet::new();
    Cutter::default().cut(text, |word| {
        terms.insert(word.term.to_owned());
    });
    terms
}
