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

mod delimited;
mod json;
mod labels;
mod topics;
mod xml;

pub use error::Note;
pub use labels::{Label, LabelError, Stratum, TopicLabels, read_labels};
pub use topics::{
    DuplicateTopic, Formula, Html, Joined, Keyword, LineEnd, Loss, Representation, Role, Site, Topic,
    TopicFile, TopicFormat, Topics, Written, read_topics, read_topics_as, write_topic_formulas, write_topics,
};
