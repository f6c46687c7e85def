//! What shall we say?
//!
//! A [`System`] is read from a file and says how one answer to a question is made: which posts may hold it,
//! how they are ranked anew, and what of the best is quoted; or what a language model is told. A [`Maker`]
//! does it over an index. An [`Answer`] is plain text with formulas between dollars, no longer than the labs
//! allow, and names its sources. Whether it is any good is judged elsewhere.

mod ask;
mod candidates;
mod checks;
mod choose;
mod desk;
mod error;
mod evidence;
mod fit;
mod maker;
mod prompt;
mod summary;
mod system;
mod words;
mod write;

pub use claims::{Claim, Counts as ClaimCounts, Status as ClaimStatus};
pub use error::Error;
pub use evidence::{Evidence, Weights};
pub use formats::task3::LONGEST_ANSWER;
pub use maker::{Answer, Citation, Kind, Maker, Ranked};
pub use prompt::{labs_prompt, question_text};
pub use system::{
    Candidates, DEFAULT, Extract, GenerateStage, How, Lab, PromptKind, Questions, SYSTEMS, System,
};
pub use write::{Told, Writer, mend};
