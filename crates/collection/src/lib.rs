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

mod answers;
mod delimited;
mod flags;
mod json;
mod labels;
mod topics;
mod visual_ids;
mod xml;

pub use answers::{AnswerMap, RunAnswers, UnknownRun, read_answers};
pub use error::Note;
pub use flags::{AnswerFlags, Flag, Flags, read_flags};
pub use ids::{PostId, VisualId};
pub use labels::{Label, LabelError, Stratum, TopicLabels, read_labels};
pub use topics::{
    DuplicateTopic, Formula, Html, Joined, Keyword, LineEnd, Loss, Representation, Role, Site, Topic,
    TopicFile, TopicFormat, Topics, Written, read_topics, read_topics_as, write_topic_formulas, write_topics,
};
pub use visual_ids::{
    FormulaPlace, FormulaSite, Keep, VisualIds, Wanted, read_visual_id_table, read_visual_ids,
    read_visual_ids_by_slt,
};
