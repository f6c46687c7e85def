//! The fields of an index: which part of a post, and what of it.

use crate::features::FeatureKind;
use std::fmt;
use text::StopWords;

/// A part of a post that is indexed by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// The title of a question.
    Title,
    /// The text.
    Body,
    /// The tags of a question.
    Tags,
    /// The comments on it.
    Comments,
}

impl Part {
    /// All parts.
    pub const ALL: [Self; 4] = [Self::Title, Self::Body, Self::Tags, Self::Comments];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Title => "title",
            Self::Body => "body",
            Self::Tags => "tags",
            Self::Comments => "comments",
        }
    }
}

/// A field of the index of posts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Field {
    /// Words of a part, formulas left out.
    Words(Part),
    /// The letters, numbers and names in the LaTeX of a part's formulas.
    Source(Part),
    /// The names of the signs in a part and in its formulas.
    Symbols(Part),
    /// Features of the formulas of title and text.
    Math(FeatureKind),
}

impl Field {
    /// All fields, with features of these kinds.
    #[must_use]
    pub fn all(kinds: &[FeatureKind]) -> Vec<Self> {
        let words = Part::ALL.map(Self::Words);
        let source = [Part::Title, Part::Body].map(Self::Source);
        let of_kind = |kind: &FeatureKind| match kind {
            FeatureKind::Symbols => [Part::Title, Part::Body].map(Self::Symbols).to_vec(),
            kind => vec![Self::Math(*kind)],
        };
        words.into_iter().chain(source).chain(kinds.iter().flat_map(of_kind)).collect()
    }

    /// The kind of features of formulas that it holds.
    #[must_use]
    pub fn kind(&self) -> Option<FeatureKind> {
        match self {
            Self::Math(kind) => Some(*kind),
            Self::Words(_) | Self::Source(_) | Self::Symbols(_) => None,
        }
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Words(part) => write!(f, "words.{}", part.name()),
            Self::Source(part) => write!(f, "source.{}", part.name()),
            Self::Symbols(part) => write!(f, "symbols.{}", part.name()),
            Self::Math(kind) => write!(f, "math.{kind}"),
        }
    }
}

/// The lists of stop words without which lengths are known.
pub(crate) const STOPS: [StopWords; 3] = [StopWords::None, StopWords::Lucene, StopWords::Long];

/// The name of the section of a field's lengths, without stop words.
pub(crate) fn length_section(field: Field, stop: StopWords) -> String {
    match (field, stop) {
        (Field::Words(_) | Field::Symbols(_), StopWords::Lucene | StopWords::Long) => {
            format!("length.{field}.{}", stop.name())
        }
        _ => format!("length.{field}"),
    }
}

/// The key of a word.
#[must_use]
pub fn word_key(term: &str) -> u64 {
    xxhash_rust::xxh3::xxh3_64(term.as_bytes())
}
