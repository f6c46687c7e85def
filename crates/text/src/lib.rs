//! Which words does this text contain?
//!
//! A [`Tokenizer`] cuts plain text into folded words with their places, a [`Stemmer`] brings the forms of a word
//! together, and [`StopWords`] names those that say nothing about the subject.
//! Formulas are gone before: in their place stands [`FORMULA`], which separates words and is none.
//! What a formula contains is no matter of this crate.
//! [`arxiv`] finds the papers that a text cites.
//!
//! ```
//! use text::{Tokenizer, StopWords, Stemmer};
//!
//! let (mut terms, mut memory) = (Vec::new(), String::new());
//! Tokenizer::default().tokenize("Is Euler's proof of the non-zero limits known?", |word| {
//!     if !StopWords::Lucene.contains(word.term) {
//!         terms.push(Stemmer::Porter.stem(word.term, &mut memory).to_owned());
//!     }
//! });
//! assert_eq!(terms, ["euler", "proof", "non", "zero", "nonzero", "limit", "known"]);
//! ```

pub mod arxiv;

mod edits;
mod fold;
mod hidden;
mod porter;
mod signs;
mod stem;
mod stop;
mod tokenizer;

pub use edits::edits;
pub use fold::fold;
pub use hidden::{hidden_character, is_hidden, visible};
pub use signs::FORMULA;
pub use stem::Stemmer;
pub use stop::StopWords;
pub use tokenizer::{Kind, LONGEST, Tokenizer, Word};

/// A name that is none of the known ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownName {
    /// What was to be named, such as `stemmer`.
    pub what: &'static str,
    /// The name that was given.
    pub given: String,
    /// The names that exist.
    pub known: Vec<&'static str>,
}

impl std::fmt::Display for UnknownName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "there is no {} `{}`; there are {}", self.what, self.given, self.known.join(", "))
    }
}

impl std::error::Error for UnknownName {}
