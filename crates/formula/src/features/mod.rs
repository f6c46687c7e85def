//! Features: small pieces of a formula that can be counted, indexed and compared.
//!
//! Each kind of feature has a file of its own and names the system it comes from.
//! An extractor keeps its memory between formulas, makes features in the same
//! order every time, and does an amount of work that its module states.
//! Which features two formulas share, and what that is worth, is said in
//! [`crate::similarity`].

mod location;
pub mod ngrams;
pub mod pairs;
pub mod paths;
pub mod phoc;
mod tag;
pub mod tuple_words;
pub mod tuples;

pub use location::Location;
pub use ngrams::{Ngram, Tokens};
pub use pairs::{EndOfBaseline, Pair, PairExtractor, PairOptions, Side, Wildcards};
pub use paths::{PathExtractor, PathOptions};
pub use phoc::{Phoc, PhocExtractor};
pub use tuple_words::{TupleAlphabet, TupleWords, Tuples, UnknownWords};
pub use tuples::{TupleExtractor, TupleOptions};
