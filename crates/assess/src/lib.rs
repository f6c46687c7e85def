//! Who judges what, when, and do they agree?
//!
//! The work of a lab's assessors, kept in the lab's own database: [`Office`] is
//! where it is read and written, [`Books`] is what can be done in one step. A step
//! is kept whole or not at all, and nobody is told that something is done before
//! it is on the disk. Judgments are rows of the lab's log like all others; what is
//! judged, by whom and what is left is worked out from them.
//!
//! It never speaks HTTP and never writes HTML: that is done by `web`.

mod agreement;
mod books;
mod comments;
mod days;
mod disagreements;
mod error;
mod events;
mod export;
mod ids;
mod office;
mod progress;
mod several;
#[cfg(test)]
mod testing;

pub use agreement::{Agreement, MeanAgreement, Occasion, PairAgreement, relevant_from};
pub use books::Books;
pub use comments::{Comment, Comments, Inbox, LONGEST_REPLY, Reply, Standing as CommentStanding};
pub use days::Day;
pub use disagreements::{Decided, Decision, Far};
pub use error::{Error, Result};
pub use events::{Event, Events};
pub use export::{Form, Sink, Table};
pub use ids::{AccountNo, AssignmentNo, BatchNo, InvitationNo, JudgmentNo, PartNo, TaskNo};
pub use office::{Clock, Office};
pub use progress::{Finish, Pace, Stroke, Time};
pub use several::{Opinion, Several};
