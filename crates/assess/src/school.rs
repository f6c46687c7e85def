//! Where assessors learn: sample work for applicants, rounds of training, and what came of them.
//!
//! A lesson is sample work or a round of training over topics whose grades are known, from
//! the judgments that an earlier set came with or from what organisers judged themselves.
//! Everybody judges the same items, each in a copy of their own; what they said is held
//! against the known grades and against each other. The known grades are shown to nobody
//! before an organiser opens the results, and to somebody who has not finished not even then.
//!
//! Items whose grade is known are also hidden among other work ([`GoldItem`]), to see who
//! drifts away from it ([`Drift`]).

mod agreement;
mod choose;
mod drift;
mod feedback;
mod gold;
mod known;
mod lesson;
mod make;
mod results;

pub use agreement::Agreement;
pub use drift::{Alarm, Drift, DriftRule};
pub use feedback::{Feedback, FeedbackPart, Remark};
pub use gold::GoldItem;
pub use known::{KnownItem, KnownPart, KnownTopic, MOST_INSTANCES, Source};
pub use lesson::{Lesson, LessonKey, Pupil};
pub use make::{LessonPlan, Made, Pupils};
pub use results::{LessonResults, PupilResult, ThingRow};
