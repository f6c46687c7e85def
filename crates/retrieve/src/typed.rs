//! What a person typed into the search box, taken apart.
//!
//! Words, phrases, formulas with or without dollars, and filters are told from each other; what they find is
//! the business of others.
//! Nothing is an error: what is not understood is searched as text, with a kind note.
//!
//! ```
//! use retrieve::typed::{Filter, Typed};
//!
//! let typed = Typed::read("prove that a^2+b^2>=2ab tag:inequality -calculus");
//! assert_eq!(typed.formulas[0].latex, r"a^2+b^2\ge2ab");
//! assert_eq!(typed.filters[0].filter, Filter::Tag("inequality".into()));
//! assert_eq!(typed.words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>(), ["prove", "that", "calculus"]);
//! ```

mod ascii;
mod bare;
mod caps;
mod filter;
mod lexeme;
mod pasted;
mod read;
mod verbal;

use formula::matching::Letters;
use std::ops::Range;

pub use caps::{MOST_FILTERS, MOST_FORMULAS, MOST_PHRASES, MOST_SIGNED, MOST_WILDCARDS, MOST_WORDS};
pub use filter::{Bounds, Day, Filter, PostIs};

/// So many characters of a query are read.
pub const LONGEST: usize = 10_000;

/// Stands in the text of a phrase where a formula was.
pub use text::FORMULA;

/// A query as it was typed, taken apart; every list is in the order of the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Typed {
    /// Single words, outside of phrases.
    pub words: Vec<TypedWord>,
    /// What stood between quotation marks.
    pub phrases: Vec<TypedPhrase>,
    /// Formulas, in phrases too.
    pub formulas: Vec<TypedFormula>,
    /// What results must or must not be.
    pub filters: Vec<TypedFilter>,
    /// What the person may want to know about the reading of the query.
    pub notes: Vec<Note>,
}

/// Whether results need to have it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Must {
    /// It helps.
    #[default]
    Should,
    /// They must have it: `+word`.
    Must,
    /// They must not have it: `-word`.
    MustNot,
}

/// A word as typed, without the punctuation around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypedWord {
    /// The word; not folded.
    pub text: String,
    /// What is searched for in its place, where it was mistyped; [`Typed::read`] does not know.
    pub meant: Option<String>,
    /// Where it stands in the query, without `+` or `-`.
    pub span: Range<usize>,
    /// Whether results need to have it.
    pub must: Must,
}

impl TypedWord {
    /// What is searched for.
    #[must_use]
    pub fn searched(&self) -> &str {
        self.meant.as_deref().unwrap_or(&self.text)
    }
}

/// Words that must stand together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypedPhrase {
    /// What stood between the quotation marks, [`FORMULA`] for each formula.
    pub text: String,
    /// Where it stands in the query, without the quotation marks.
    pub span: Range<usize>,
    /// Whether results need to have it; a phrase without a sign is [`Must::Should`].
    pub must: Must,
}

/// A formula of the query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypedFormula {
    /// Its LaTeX, without dollars and blanks around it; wildcards are left as they are.
    pub latex: String,
    /// Where that stands in the query.
    pub span: Range<usize>,
    /// How it was marked as a formula.
    pub how: How,
    /// Whether the LaTeX is what was typed.
    pub reading: Reading,
    /// Whether results need to have it.
    pub must: Must,
}

/// Whether the LaTeX of a formula is what was typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reading {
    /// It is.
    AsTyped,
    /// It was made from another notation, or from words: the person may want to see how it was read.
    Translated,
}

/// How a query is understood.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Understanding {
    /// Formulas are found without marks and read in any notation, and mistyped words are corrected.
    #[default]
    Helpful,
    /// Everything is searched for as typed: only what is marked as a formula is one, and it is LaTeX.
    Literal,
}

impl Understanding {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Helpful, Self::Literal];

    /// Its name in addresses, in the API and on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Helpful => "helpful",
            Self::Literal => "literal",
        }
    }

    /// The one with a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|understanding| understanding.name() == name)
    }
}

/// How a formula was marked as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum How {
    /// By `$…$`, `$$…$$`, `\(…\)` or `\[…\]`.
    Dollars,
    /// Not at all: it looks like one.
    Bare,
    /// By `\begin{…}` and `\end{…}`, which are part of it.
    Environment,
    /// By `<math>`: it is MathML.
    Mathml,
}

/// A filter and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypedFilter {
    /// What it asks for.
    pub filter: Filter,
    /// [`Must::Must`] or, with a minus sign before it, [`Must::MustNot`].
    pub must: Must,
    /// Where it stands in the query, without the sign.
    pub span: Range<usize>,
}

/// Something the person may want to know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// A sentence.
    pub message: String,
    /// What it is about.
    pub span: Range<usize>,
}

impl Typed {
    /// Takes a query apart; never fails, and takes time linear in the part that is read.
    #[must_use]
    pub fn read(query: &str) -> Self {
        Self::read_as(query, Understanding::Helpful)
    }

    /// Takes a query apart, and understands no more of it than is asked for.
    #[must_use]
    pub fn read_as(query: &str, understanding: Understanding) -> Self {
        read::read(query, understanding)
    }

    /// Whether letters of formulas with a sign may have other names.
    #[must_use]
    pub fn letters(&self) -> Letters {
        let any = |filter: &TypedFilter| {
            filter.filter == Filter::Letters(Letters::Any) && filter.must != Must::MustNot
        };
        if self.filters.iter().any(any) { Letters::Any } else { Letters::Same }
    }

    /// What was typed without what results must not have, in its order: a text with `mark` for each formula, and
    /// the formulas.
    pub(crate) fn in_order(&self, mark: char) -> (String, Vec<String>) {
        let mut items: Vec<(usize, String, Option<&str>)> = Vec::new();
        for word in self.words.iter().filter(|word| word.must != Must::MustNot) {
            items.push((word.span.start, word.searched().to_owned(), None));
        }
        for phrase in self.phrases.iter().filter(|phrase| phrase.must != Must::MustNot) {
            items.push((phrase.span.start, phrase.text.replace(FORMULA, ""), None));
        }
        for formula in self.formulas.iter().filter(|formula| formula.must != Must::MustNot) {
            items.push((formula.span.start, mark.to_string(), Some(&formula.latex)));
        }
        items.sort_by_key(|(start, _, _)| *start);
        let texts: Vec<&str> = items.iter().map(|(_, text, _)| text.as_str()).collect();
        let formulas = items.iter().filter_map(|(_, _, latex)| latex.map(ToOwned::to_owned)).collect();
        (texts.join(" "), formulas)
    }

    /// Whether nothing in it can be searched for.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
            && self.phrases.is_empty()
            && self.formulas.is_empty()
            && self.filters.is_empty()
    }
}
