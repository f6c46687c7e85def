//! Where does this word or structure occur?
//!
//! An [`Index`] holds collections, the formulas of each ([`Formulas`]) and
//! posts ([`Posts`]). [`build`] makes one, [`change`] adds, replaces and deletes
//! posts, and [`top`] finds the best documents of a weighted query, exactly.
//! [`parts`] keeps other values for posts and formulas beside the lists.
//! `docs/index.md` says how the files are laid out.

mod deadline;
mod error;
mod features;
mod fields;
pub mod formulas;
mod index;
mod manifest;
pub mod parts;
pub mod postings;
pub mod posts;
mod progress;
mod stored;
mod symbols;
pub mod top;
mod write;

#[cfg(test)]
mod tests;

pub use deadline::{Cancel, Deadline, Hurry};
pub use error::Error;
pub use features::{Extractor, FeatureKind, UnknownFeatures};
pub use fields::{Field, Part, word_key};
pub use formulas::Formulas;
pub use frame::Opening;
pub use index::{Document, Index, Segment, Source};
pub use manifest::is_index;
pub use parts::PartKind;
pub use posts::Posts;
pub use progress::{Unwatched, Watch};
pub use symbols::symbol_words;
pub use write::{
    Change, Changed, Options, add_part, add_parts, build, build_with, change, change_with, compact,
    compact_with, may_be_index, remove_parts,
};
