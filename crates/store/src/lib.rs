//! What is in this collection? Posts, comments, links and formulas in one file.
//!
//! [`CollectionWriter`] writes it whole or not at all; [`Collection`] opens it
//! by memory map, whatever its size, and [`Reader`] reads from it. How the file
//! is laid out stands in `docs/collections.md`.

mod about;
mod block;
mod codec;
mod error;
mod ids;
mod kinds;
mod marks;
mod part;
mod reader;
mod scratch;
mod section;
mod spool;
mod writer;

pub use about::{About, Counts, DirtNote, IdKindNote, InputNote};
pub use error::Error;
pub use ids::{CommentNo, FormNo, FormulaNo, Id, IdKind, LinkNo, PostNo, VisualNo};
pub use kinds::{Date, LinkKind, PostKind};
pub use marks::{FormMarks, FormulaMarks, Part};
pub use part::{Cut, Shortened, write_part};
pub use reader::{Collection, Comment, FoundFormulas, Link, Official, Post, PostFacts, Reader, Stray};
pub use scratch::{Row, Table, TableWriter, Texts, TextsWriter};
pub use writer::{
    Claim, CollectionWriter, FormLook, IdKinds, NewComment, NewForm, NewFormula, NewLink, NewPost,
};

/// Stands for a number that is not given.
const NO_NUMBER: u32 = u32::MAX;
/// Stands for a score that is not given.
const NO_SCORE: i32 = i32::MIN;
/// Stands for a date that is not given.
const NO_DATE: i64 = i64::MIN;

/// A stored number, if it is given.
fn number(stored: u32) -> Option<u32> {
    (stored != NO_NUMBER).then_some(stored)
}
