//! How good is a ranking? Measures over verdicts, and what surrounds the number.
//!
//! ```
//! use eval::{Measure, JudgedGrades, Ranked, ResultGrade};
//!
//! let pool = JudgedGrades::new(vec![3, 0]);
//! let verdicts = [ResultGrade::graded(0), ResultGrade::UNJUDGED, ResultGrade::graded(3)];
//! let ndcg: Measure = "nDCG'@10".parse()?;
//! let value = ndcg.score(Ranked { grades: &verdicts, judged: &pool });
//! assert_eq!(format!("{ndcg} = {value:.4}"), "nDCG'@10 = 0.6309");
//! # Ok::<(), eval::MeasureError>(())
//! ```

mod agree;
mod average;
mod compare;
mod diff;
mod doc_table;
mod judged;
mod judgments;
mod measure;
mod measures;
pub mod overlap;
mod pipeline;
mod presets;
mod ranked;
mod scores;
pub mod strata;
mod studies;
mod surroundings;
pub mod task3;
pub mod trec;
mod unjudged;

pub use agree::{Agreement, ToldApart, agreement, told_apart};
pub use average::{Average, TopicPolicy, average};
pub use compare::{Comparison, Correction, Method, PairedTest, against, pairs};
pub use diff::{
    Change, Differ, Gauge, Item, Likeness, Move, Overlap, Position, Presence, RunDiff, TopicDiff, Values,
};
pub use judged::{Extent, GradeMeans, JudgedCounts, TopicGrades, topic_grades};
pub use judgments::{Codes, JudgedTopic, Judgments};
pub use measure::{Aggregate, Measure, MeasureError};
pub use pipeline::{Duplicate, Duplicates, Entry, LeftOut, Pipeline, Ranking, VisualIdLookup};
pub use presets::{Column, Preset};
pub use ranked::{JudgedGrades, Ranked, ResultGrade};
pub use scores::{Outcome, RunScores, Scorer, Ties, TopicScores};
pub use strata::{StrataStudy, Stratum};
pub use studies::{AtDepth, LeftOutRun, Setting, TeamRun, leave_one_team_out, pool_depths};
pub use surroundings::{Bounds, Coverage, Makeup, Surroundings};
pub use unjudged::{Cases, DRAWS, cases};
