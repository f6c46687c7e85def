//! A shared task in a folder: who submitted what, what people judged, and what came of it.
//!
//! A lab is a folder with plain files and one database of SQLite, so that it can
//! be copied, versioned and archived. [`Lab`] opens it; what is done with it is in
//! the modules by its steps: [`submit`], [`pools`], [`judgments`], [`qrels`],
//! [`report`], and [`verify`] tells what is wrong with a folder that was damaged.
//! How to pool is decided by the crate `pool`, what a report looks like by `labreport`.

pub mod aggregate;
mod answered;
mod change;
mod clock;
mod database;
mod error;
mod files;
mod folder;
pub mod judgments;
mod known;
mod manifest;
pub mod pools;
pub mod qrels;
pub mod report;
pub mod status;
pub mod submit;
mod systems;
mod verdict;
pub mod verify;

pub use answered::{AnsweredRun, AnsweredTask};
pub use clock::{now, stamp};
pub use error::{Error, Result};
pub use files::checksum;
pub use folder::{DATABASE, Lab, MANIFEST, NewFiles, NewSet};
pub use judgments::{Judgment, NewJudgment, Stage};
pub use known::{FormulaFact, FormulaFacts, InCollection, Known};
pub use manifest::{
    AnswerScoring, AssessorGroup, CollectionFile, Context, FORMAT, Grade, Identical, Manifest, PoolKind,
    Rules, Scale, SetFiles, TestSet, TokenCounting, TokenizerChoice,
};
pub use systems::{DataUsed, FilteredHits, FilteredRow, Role, SubmissionNo, Submitted, System, SystemNo};
pub use verdict::Verdict;
