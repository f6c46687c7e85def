//! What do these files say? Topics, judgments and runs, read and written.

mod error;
mod ids;
mod source;

pub use error::{Error, Place};
pub use ids::{DocId, FormulaId, RunTag, TopicId};
pub use source::{Source, SourceText};
