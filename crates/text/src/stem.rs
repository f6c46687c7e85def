//! The forms of a word, brought together.

use std::str::FromStr;

use crate::{UnknownName, porter};

/// How the forms of a word are brought together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Stemmer {
    /// Words stay as they are.
    None,
    /// Porter's algorithm of 1980 with his two later changes, as Lucene's `PorterStemFilter` has it.
    #[default]
    Porter,
    /// Snowball's English stemmer, also called Porter 2.
    English,
}

impl Stemmer {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::None, Self::Porter, Self::English];

    /// Its name in files and options.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Porter => "porter",
            Self::English => "english",
        }
    }

    /// The stem of a folded term; `memory` is overwritten.
    ///
    /// Only words of the letters a to z have one: a rule about English endings says nothing about `l2`.
    pub fn stem<'a>(self, term: &'a str, memory: &'a mut String) -> &'a str {
        if self == Self::None || !term.bytes().all(|byte| byte.is_ascii_lowercase()) {
            return term;
        }
        match self {
            Self::None => term,
            Self::Porter => porter::stem(term, memory),
            Self::English => {
                let stemmer = rust_stemmers::Stemmer::create(rust_stemmers::Algorithm::English);
                memory.clear();
                memory.push_str(&stemmer.stem(term));
                memory
            }
        }
    }
}

impl FromStr for Stemmer {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        Self::ALL.into_iter().find(|stemmer| stemmer.name() == name).ok_or_else(|| UnknownName {
            what: "stemmer",
            given: name.to_owned(),
            known: Self::ALL.map(Self::name).to_vec(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for stemmer in Stemmer::ALL {
            assert_eq!(stemmer.name().parse(), Ok(stemmer));
        }
        let unknown = "lovins".parse::<Stemmer>().unwrap_err();
        assert_eq!(unknown.to_string(), "there is no stemmer `lovins`; there are none, porter, english");
    }

    #[test]
    fn stems_of_snowball() {
        let mut memory = String::new();
        for (word, expected) in [
            ("caresses", "caress"),
            ("ponies", "poni"),
            ("ties", "tie"),
            ("relational", "relat"),
            ("conditional", "condit"),
            ("generalization", "general"),
            ("generously", "generous"),
            ("matrices", "matric"),
            ("skis", "ski"),
            ("dying", "die"),
            ("consistency", "consist"),
            ("knightly", "knight"),
            ("l2", "l2"),
            ("σ", "σ"),
        ] {
            assert_eq!(Stemmer::English.stem(word, &mut memory), expected, "{word}");
        }
    }

    #[test]
    fn only_plain_words_are_stemmed() {
        let mut memory = String::new();
        for term in ["l2s", "c*", "σ-algebras", "3.5", "", "日"] {
            for stemmer in Stemmer::ALL {
                assert_eq!(stemmer.stem(term, &mut memory), term);
            }
        }
    }
}
