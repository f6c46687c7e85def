//! What is trained, and how: the references that are followed, and their numbers.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A program whose training is followed, with its defaults.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Algorithm {
    /// fastText as Facebook published it.
    Fasttext,
    /// fastText as gensim has it; DPRL's Tangent-CFT used it.
    GensimFasttext,
    /// word2vec as gensim has it: no sub-words.
    Word2vec,
    /// word2vec with constrained positional weighting, as the library pine has it.
    PositionalWord2vec,
}

/// The reference whose conventions hold where programs differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reference {
    /// Facebook's fastText.
    Facebook,
    /// gensim.
    Gensim,
    /// pine, a branch of gensim.
    Pine,
}

/// What is predicted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Objective {
    /// Each token around a token, from that token.
    SkipGram,
    /// A token, from the mean of those around it.
    Cbow,
}

/// Runs of characters that have vectors of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subwords {
    /// The fewest characters of a run.
    pub shortest: usize,
    /// The most.
    pub longest: usize,
    /// The number of buckets that share their vectors.
    pub buckets: u32,
}

/// How vectors are trained.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Options {
    /// The program that is followed.
    pub algorithm: Algorithm,
    /// What is predicted.
    pub objective: Objective,
    /// The numbers of a vector.
    pub dimensions: usize,
    /// The most tokens on each side that belong to the surroundings of a token.
    pub window: usize,
    /// How often all sequences are read.
    pub epochs: u32,
    /// The tokens drawn against each token that is predicted.
    pub negatives: usize,
    /// Tokens that are rarer have no vector of their own.
    pub min_count: u64,
    /// The most tokens with a vector of their own: the most frequent ones.
    pub max_tokens: Option<usize>,
    /// The sub-words; none for word2vec.
    pub subwords: Option<Subwords>,
    /// The learning rate at the start,
    pub rate: f64,
    /// and the one it falls to.
    pub end_rate: f64,
    /// The threshold of sub-sampling frequent tokens; 0 for none.
    pub sample: f64,
    /// How many of the dimensions depend on the position in the window; 0 for none.
    pub positional: usize,
    /// The seed of everything that is drawn.
    pub seed: u64,
    /// The threads; with one the result is the same to the byte.
    #[serde(skip)]
    pub threads: usize,
    /// The most distinct tokens that are counted at a time; beyond that, rare ones are forgotten.
    pub most_distinct: usize,
}

/// Distinct tokens that are counted at a time by default.
const MOST_DISTINCT: usize = 10_000_000;

impl Algorithm {
    /// All of them.
    pub const ALL: [Self; 4] =
        [Self::Fasttext, Self::GensimFasttext, Self::Word2vec, Self::PositionalWord2vec];

    /// Its name in options and records.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Fasttext => "fasttext",
            Self::GensimFasttext => "gensim-fasttext",
            Self::Word2vec => "word2vec",
            Self::PositionalWord2vec => "positional-word2vec",
        }
    }

    /// Whose conventions it follows.
    #[must_use]
    pub fn reference(self) -> Reference {
        match self {
            Self::Fasttext => Reference::Facebook,
            Self::GensimFasttext | Self::Word2vec => Reference::Gensim,
            Self::PositionalWord2vec => Reference::Pine,
        }
    }
}

impl Objective {
    /// Both.
    pub const ALL: [Self; 2] = [Self::SkipGram, Self::Cbow];

    /// Its name in options and records.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::SkipGram => "skip-gram",
            Self::Cbow => "cbow",
        }
    }
}

/// A name that is not known.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no {what} \"{name}\"; choose one of {known}")]
pub struct UnknownName {
    what: &'static str,
    name: String,
    known: String,
}

impl FromStr for Algorithm {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        let known = || Self::ALL.map(Self::name).join(", ");
        let found = Self::ALL.into_iter().find(|one| one.name() == name);
        found.ok_or_else(|| UnknownName { what: "algorithm", name: name.to_owned(), known: known() })
    }
}

impl FromStr for Objective {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        let known = || Self::ALL.map(Self::name).join(", ");
        let found = Self::ALL.into_iter().find(|one| one.name() == name);
        found.ok_or_else(|| UnknownName { what: "objective", name: name.to_owned(), known: known() })
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for Objective {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Options {
    /// The defaults of a reference.
    #[must_use]
    pub fn of(algorithm: Algorithm) -> Self {
        let subwords = Subwords { shortest: 3, longest: 6, buckets: 2_000_000 };
        let common = Self {
            algorithm,
            objective: Objective::SkipGram,
            dimensions: 100,
            window: 5,
            epochs: 5,
            negatives: 5,
            min_count: 5,
            max_tokens: None,
            subwords: Some(subwords),
            rate: 0.025,
            end_rate: 0.0001,
            sample: 1e-3,
            positional: 0,
            seed: 1,
            threads: 0,
            most_distinct: MOST_DISTINCT,
        };
        match algorithm {
            Algorithm::Fasttext => Self { rate: 0.05, end_rate: 0.0, sample: 1e-4, ..common },
            Algorithm::GensimFasttext => common,
            Algorithm::Word2vec => Self { objective: Objective::Cbow, subwords: None, ..common },
            Algorithm::PositionalWord2vec => Self {
                objective: Objective::Cbow,
                subwords: None,
                dimensions: 300,
                window: 15,
                negatives: 10,
                max_tokens: Some(2_000_000),
                rate: 0.05,
                end_rate: 0.0,
                sample: 1e-5,
                positional: 60,
                ..common
            },
        }
    }

    /// What cannot be about them.
    #[must_use]
    pub fn mistake(&self) -> Option<String> {
        let wrong = |what: &str| Some(what.to_owned());
        if !(1..=MOST_DIMENSIONS).contains(&self.dimensions) {
            return Some(format!("vectors have from 1 to {MOST_DIMENSIONS} dimensions"));
        }
        if self.window == 0 || self.window > MOST_WINDOW {
            return Some(format!("a window has from 1 to {MOST_WINDOW} tokens on each side"));
        }
        if self.epochs == 0 {
            return wrong("at least one epoch is needed");
        }
        if self.negatives > MOST_NEGATIVES {
            return Some(format!("at most {MOST_NEGATIVES} negatives can be drawn"));
        }
        let rates = [self.rate, self.end_rate];
        if !rates.iter().all(|rate| (0.0..=1.0).contains(rate)) || self.rate <= 0.0 {
            return wrong("the learning rate is above 0 and at most 1");
        }
        if !(0.0..=1.0).contains(&self.sample) {
            return wrong("the threshold of sub-sampling is between 0 and 1");
        }
        if let Some(Subwords { shortest, longest, buckets }) = self.subwords
            && (shortest == 0 || shortest > longest || longest > 64 || buckets == 0)
        {
            return wrong("sub-words have from 1 to 64 characters, and at least one bucket");
        }
        if self.positional > self.dimensions {
            return wrong("no more dimensions can be positional than there are");
        }
        if self.positional > 0 && (self.objective == Objective::SkipGram || self.subwords.is_some()) {
            return wrong("positional weighting is for cbow without sub-words");
        }
        (self.most_distinct < 1000).then(|| "at least 1,000 distinct tokens must fit in memory".to_owned())
    }
}

/// The most dimensions.
const MOST_DIMENSIONS: usize = 4096;
/// The longest window.
const MOST_WINDOW: usize = 1000;
/// The most negatives.
const MOST_NEGATIVES: usize = 1000;
