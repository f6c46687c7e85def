//! What do these files say? Topics, judgments and runs, read and written.

mod error;
mod fields;
mod ids;
pub mod order;
pub mod qrels;
pub mod run;
mod source;
pub mod task3;

pub use error::{Error, Place, Problem, Problems};
pub use ids::{DocId, FormulaId, RunTag, TopicId};
pub use source::{Source, SourceText};
