//! What do these files say? Topics, judgments and runs, read and written.
//!
//! Ids are types, every error has its place, and what is written is read back
//! as it was. See [`run`] and [`qrels`] for what systems returned and judges
//! said, [`task3`] for written answers, [`read_topics`] for topics, and [`RunRecord`]
//! for how a run was made.

mod answers;
mod assessments;
pub mod check;
mod csv;
mod delimited;
mod error;
mod exposure;
mod features;
mod fields;
mod flags;
mod ids;
mod json;
mod labels;
pub mod order;
mod penman;
pub mod qrels;
mod record;
pub mod run;
mod source;
pub mod task3;
mod topics;
mod visual_ids;
mod xml;

pub use answers::{AnswerMap, RunAnswers, UnknownRun, read_answers};
pub use assessments::{Assessment, read_assessments, write_assessments};
pub use csv::{CsvRow, CsvTable, read_csv, write_csv_row};
pub use error::{Error, Note, Place, Problem, Problems};
pub use exposure::{Exposure, MATH_STACK_EXCHANGE};
pub use features::{FeatureRow, FeatureTable, MOST_FEATURES};
pub use flags::{AnswerFlags, Flag, Flags, read_flags};
pub use ids::{DocId, FormulaId, PostId, RunTag, TopicId, VisualId};
pub use labels::{Label, LabelError, Stratum, TopicLabels, read_labels};
pub use penman::{AmrGraph, AmrNode, AmrTarget, formula_of_placeholder, read_penman};
pub use record::{Exposed, RecordFile, RecordedModel, RecordedQueries, RunRecord};
pub use source::{Source, SourceText};
pub use topics::{
    DuplicateTopic, Formula, Html, Joined, Keyword, LineEnd, Loss, Representation, Role, Site, Topic,
    TopicFile, TopicFormat, Topics, Written, read_topics, read_topics_as, write_topic_formulas, write_topics,
};
pub use visual_ids::{
    FormulaPlace, FormulaSite, Keep, VisualIds, Wanted, read_visual_id_table, read_visual_ids,
    read_visual_ids_by_slt,
};
