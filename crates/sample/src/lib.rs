//! What can one try this on? A small original collection with topics and judgments, held in the program.
//!
//! [`threads`] gives texts for [`ingest::documents::threads`]; [`topics`] asks
//! what they may answer; [`task1`] and [`task2`] say which answers and formulas
//! are good, and why. [`files`] gives all of it as the files that a lab hands
//! out. What the grades mean stands in `crates/sample/data/README.md`.
//!
//! ```
//! let best = sample::task1().into_iter().find(|judgment| judgment.topic == "A.1" && judgment.grade == 3);
//! assert_eq!(best.unwrap().item, "6");
//! ```

mod files;
mod judgments;
mod topics;

pub use files::{File, files};
pub use judgments::{Error, Judgment, VisualJudgment, qrels_task2, task1, task2, task2_by_visual_id};
pub use topics::{formula_topics, question_topics, topics};

use ingest::files::Input;

/// The threads of one subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// The name of its file.
    pub name: &'static str,
    /// Its questions, answers and comments, as [`ingest::documents::threads`] reads them.
    pub text: &'static str,
}

/// All threads, in the order in which their files are listed; ids are unique over all parts.
#[must_use]
pub fn threads() -> &'static [Part] {
    const PARTS: [Part; 5] = [
        Part { name: "algebra.md", text: include_str!("../data/threads/algebra.md") },
        Part { name: "analysis.md", text: include_str!("../data/threads/analysis.md") },
        Part { name: "discrete.md", text: include_str!("../data/threads/discrete.md") },
        Part { name: "geometry.md", text: include_str!("../data/threads/geometry.md") },
        Part { name: "numbers.md", text: include_str!("../data/threads/numbers.md") },
    ];
    &PARTS
}

/// All threads, ready to be built as a collection.
///
/// # Errors
///
/// Never for the threads as they are; building says so.
pub fn plan() -> Result<ingest::Plan, ingest::BuildError> {
    let parts = threads().iter();
    ingest::Plan::new(parts.map(|part| Input::text(part.name, part.text)).collect(), "the sample")
}
