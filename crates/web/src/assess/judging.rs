//! The assessor's side: what there is to do, the page on which one judges, the guide.
//!
//! `work.rs` is what somebody has to do, `batch.rs` the pages of one batch, `task.rs` the page on which one
//! judges, `send.rs` what is sent from it, `guide.rs` what the grades mean, `thread.rs` what surrounds a post.
//! `scale.rs` has the buttons and `words.rs` the words that they share. All is plain forms; the script
//! `judge.js` makes it quick.

mod batch;
mod guide;
mod rules;
mod scale;
mod send;
mod task;
mod thread;
mod words;
mod work;

// Other pages show the same things in the same words.
pub(crate) use rules::rules_of;
#[allow(unused_imports, reason = "the desk and the school use them")]
pub(crate) use scale::{GradeButton, grade_name, scale, task_of};
#[allow(unused_imports, reason = "the desk and the school use them")]
pub(crate) use thread::see_thread;
#[allow(unused_imports, reason = "the desk and the school use them")]
pub(crate) use words::{duration, moment};

use super::AssessApp;
use axum::Router;
use axum::routing::{get, post};

/// The pages.
pub(crate) fn routes() -> Router<AssessApp> {
    Router::new()
        .route("/", get(work::work))
        .route("/take", post(work::take))
        .route("/batch/{assignment}", get(batch::batch))
        .route("/batch/{assignment}/next", get(batch::next))
        .route("/batch/{assignment}/give-back", post(batch::give_back))
        .route("/task/{assignment}/{task}", get(task::task))
        .route("/task/{assignment}/{task}/thread/{part}", get(thread::of_part))
        .route("/judge", post(send::judge))
        .route("/flag", post(send::flag))
        .route("/undo", post(send::undo))
        .route("/skip", post(send::skip))
        .route("/history/{part}", get(task::history))
        .route("/guide", get(guide::guide))
        .route("/thread/{post}", get(thread::thread))
        .route("/topic-thread/{post}", get(thread::of_topic))
}
