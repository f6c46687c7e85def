//! How do other tools read this collection?
//!
//! A collection goes out as TREC documents ([`trec`]), as JSON lines that can be built again
//! ([`jsonl`]), as Parquet ([`parquet`]) and as the labs' tables of formulas ([`tsv`]).
//! [`Folder`] and [`Output`] write files as a whole or not at all. Nothing here reads arguments or
//! prints, and nothing holds a collection in memory: texts go through in small batches, on all
//! cores, and come out in the order of the collection, so that the same collection always gives
//! the same bytes.

mod convert;
mod error;
mod files;
mod formulas;
mod texts;

pub mod jsonl;
pub mod parquet;
pub mod trec;
pub mod tsv;

pub use convert::OptAs;
pub use error::Error;
pub use files::{Existing, Folder, Output};

/// Hears how much is done: called with the number of items since the last call.
pub type Watch<'w> = &'w mut dyn FnMut(u64);
