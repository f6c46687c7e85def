//! The words and sentences that texts are made of, read from `data/`.

use crate::draw::{Draw, Use, mix};
use crate::formula::Family;
use std::sync::LazyLock;

/// A tag and what its threads are about.
#[derive(Debug)]
pub(crate) struct Theme {
    pub(crate) tag: &'static str,
    pub(crate) family: Family,
    pub(crate) words: Vec<&'static str>,
}

/// A part of a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    Text(&'static str),
    Formula,
    Displayed,
    Noun,
    ThemeWord,
    Adjective,
    Verb,
    Adverb,
    Name,
    Link,
}

/// A sentence with gaps.
#[derive(Debug)]
pub(crate) struct Sentence {
    pub(crate) pieces: Vec<Piece>,
    pub(crate) words: usize,
    pub(crate) formulas: usize,
}

/// Where a sentence can stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Title,
    Open,
    Body,
    Ask,
    Answer,
    Close,
    Comment,
    Filler,
    List,
}

const PLACES: [(&str, Place); 9] = [
    ("[title]", Place::Title),
    ("[open]", Place::Open),
    ("[body]", Place::Body),
    ("[ask]", Place::Ask),
    ("[answer]", Place::Answer),
    ("[close]", Place::Close),
    ("[comment]", Place::Comment),
    ("[filler]", Place::Filler),
    ("[list]", Place::List),
];

/// The most formulas in a sentence.
pub(crate) const MOST_FORMULAS: usize = 3;

/// All of it.
#[derive(Debug)]
pub(crate) struct Vocabulary {
    pub(crate) themes: Vec<Theme>,
    pub(crate) nouns: Vec<&'static str>,
    pub(crate) adjectives: Vec<&'static str>,
    pub(crate) verbs: Vec<&'static str>,
    pub(crate) adverbs: Vec<&'static str>,
    starts: Vec<&'static str>,
    middles: Vec<&'static str>,
    ends: Vec<&'static str>,
    /// By place and number of formulas.
    sentences: [[Vec<Sentence>; MOST_FORMULAS + 1]; PLACES.len()],
}

static VOCABULARY: LazyLock<Vocabulary> = LazyLock::new(read);

/// The vocabulary, which never changes.
pub(crate) fn vocabulary() -> &'static Vocabulary {
    &VOCABULARY
}

impl Vocabulary {
    /// Sentences for a place with that many formulas; may be empty.
    pub(crate) fn sentences(&self, place: Place, formulas: usize) -> &[Sentence] {
        &self.sentences[place as usize][formulas.min(MOST_FORMULAS)]
    }

    /// The name of a person. There is no end of them, and low numbers are the
    /// same in every collection of a seed.
    pub(crate) fn push_name(&self, out: &mut String, seed: u64, number: u64) {
        let mut draw = Draw::new(mix(mix(seed, Use::Name as u64), number));
        out.push_str(self.starts[draw.below(self.starts.len())]);
        for _ in 0..draw.weighted(&[30, 50, 20]) {
            out.push_str(self.middles[draw.below(self.middles.len())]);
        }
        out.push_str(self.ends[draw.below(self.ends.len())]);
    }
}

fn lines(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'))
}

fn read() -> Vocabulary {
    let themes = lines(include_str!("../data/themes.txt"))
        .map(|line| {
            let mut words = line.split_whitespace();
            let tag = words.next().unwrap_or_default();
            let family = words.next().and_then(Family::named).expect("a test reads every line of the themes");
            Theme { tag, family, words: words.collect() }
        })
        .collect();
    let words = |class: &str| -> Vec<&'static str> {
        let mut inside = false;
        let mut found = Vec::new();
        for line in lines(include_str!("../data/words.txt")) {
            if line.starts_with('[') {
                inside = line == class;
            } else if inside {
                found.extend(line.split_whitespace());
            }
        }
        found
    };
    let mut sentences: [[Vec<Sentence>; MOST_FORMULAS + 1]; PLACES.len()] = Default::default();
    let mut place = Place::Title;
    for line in lines(include_str!("../data/sentences.txt")) {
        if line.starts_with('[') {
            place = PLACES.iter().find(|(name, _)| *name == line).expect("a test reads every heading").1;
        } else {
            let sentence = read_sentence(line);
            sentences[place as usize][sentence.formulas].push(sentence);
        }
    }
    Vocabulary {
        themes,
        nouns: words("[noun]"),
        adjectives: words("[adjective]"),
        verbs: words("[verb]"),
        adverbs: words("[adverb]"),
        starts: words("[start]"),
        middles: words("[middle]"),
        ends: words("[end]"),
        sentences,
    }
}

fn read_sentence(line: &'static str) -> Sentence {
    let mut pieces = Vec::new();
    let mut rest = line;
    while let Some(at) = rest.find('@') {
        if at > 0 {
            pieces.push(Piece::Text(&rest[..at]));
        }
        pieces.push(match rest.as_bytes().get(at + 1) {
            Some(b'f') => Piece::Formula,
            Some(b'F') => Piece::Displayed,
            Some(b'n') => Piece::Noun,
            Some(b't') => Piece::ThemeWord,
            Some(b'a') => Piece::Adjective,
            Some(b'v') => Piece::Verb,
            Some(b'd') => Piece::Adverb,
            Some(b'N') => Piece::Name,
            _ => Piece::Link,
        });
        rest = &rest[(at + 2).min(rest.len())..];
    }
    if !rest.is_empty() {
        pieces.push(Piece::Text(rest));
    }
    let is_formula = |piece: &&Piece| matches!(piece, Piece::Formula | Piece::Displayed);
    let formulas = pieces.iter().filter(is_formula).count();
    let is_word = |word: &&str| word.bytes().any(|byte| byte.is_ascii_alphabetic());
    let words = line.split_whitespace().filter(is_word).count() - formulas;
    Sentence { pieces, words, formulas }
}

#[cfg(test)]
mod tests {
    use super::{PLACES, Place, vocabulary};
    use std::collections::BTreeSet;

    #[test]
    fn there_are_words_and_sentences_of_every_kind() {
        let vocabulary = vocabulary();
        let mut words: BTreeSet<&str> =
            vocabulary.themes.iter().flat_map(|theme| theme.words.clone()).collect();
        for theme in &vocabulary.themes {
            assert!(theme.words.len() >= 10, "{}", theme.tag);
        }
        words.extend(&vocabulary.nouns);
        words.extend(&vocabulary.adjectives);
        words.extend(&vocabulary.verbs);
        words.extend(&vocabulary.adverbs);
        assert!(words.len() > 900, "{}", words.len());
        for (number, (name, place)) in PLACES.iter().enumerate() {
            assert_eq!(*place as usize, number, "{name}");
        }
        for place in [Place::Body, Place::Comment] {
            for formulas in 0..4 {
                assert!(!vocabulary.sentences(place, formulas).is_empty(), "{place:?} {formulas}");
            }
        }
    }
}
