//! Who judges what, when, and do they agree?
//!
//! The work of a lab's assessors, kept in the lab's own database: [`Office`] is
//! where it is read and written, [`Books`] is what can be done in one step. A step
//! is kept whole or not at all, and nobody is told that something is done before
//! it is on the disk. Judgments are rows of the lab's log like all others; what is
//! judged, by whom and what is left is worked out from them.
//!
//! It never speaks HTTP and never writes HTML: that is done by `web`.

mod accounts;
mod agreement;
mod batches;
mod books;
mod checklist;
mod checks;
mod comments;
mod days;
mod disagreements;
mod error;
mod events;
mod export;
mod ids;
mod invitations;
mod judge;
mod leaving;
mod office;
mod pace;
mod password;
mod plan;
mod progress;
pub mod school;
mod secret;
mod sessions;
mod several;
mod tasks;
#[cfg(test)]
mod testing;
pub mod turkle;
mod work;

pub use accounts::{Account, Role, Standing, account_name, folded_name};
pub use agreement::{Agreement, MeanAgreement, Occasion, PairAgreement};
pub use batches::{Asks, Batch, BatchLine, Held, NewBatch, NewPart};
pub use books::Books;
pub use checklist::{ListedStep, StepName, StepState};
pub use checks::{CheckPlan, PlannedCheck, usual_topics};
pub use comments::{Comment, Comments, Inbox, LONGEST_REPLY, Reply, SinceThen};
pub use days::Day;
pub use disagreements::{Decided, Decision, Far};
pub use error::{Error, Result};
pub use events::{Event, Events};
pub use export::{Form, Sink, Table};
pub use ids::{AccountNo, AssignmentNo, BatchNo, InvitationNo, JudgmentNo, PartNo, TaskNo};
pub use invitations::{INVITATION_LIFE, Invitation, Invited, NewInvitation};
pub use judge::{LONGEST_COMMENT, NewFlags, NewGrade, Receipt};
pub use leaving::Leaving;
pub use office::{Clock, Office};
pub use pace::{Outline, Pace, Step};
pub use password::check_password;
pub use plan::{BatchPlan, PlannedBatch, PlannedItem};
pub use progress::{
    Alarm, Alarms, Extent, Finish, Habits, PersonProgress, Progress, Share, Sort, Stroke, Time,
    TopicProgress, WorkPace,
};
pub use secret::Secret;
pub use sessions::{Session, SessionLimits, SignedIn};
pub use several::{Look, Opinion, Several};
pub use tasks::{Flags, Said, Shown, ShownPart, TaskLine};
pub use work::{LEASE, MOST_OPEN, State, Work};
