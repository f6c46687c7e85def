//! Topics that a model does not answer: a run goes on without them, unless all topics would share their fate.

use crate::answers::generate_error;
use serde::Serialize;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// When so many topics were refused and none was answered, all would be.
const REFUSED_WITHOUT_AN_ANSWER: usize = 3;

/// When a server failed at so many topics, one after another, it is the server that is at fault.
const FAILED_IN_A_ROW: usize = 3;

/// A topic that has no answer in a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Unanswered {
    pub(crate) topic: String,
    pub(crate) reason: String,
}

/// How a run fares, topic by topic and thread by thread.
#[derive(Debug, Default)]
pub(super) struct Course {
    is_over: AtomicBool,
    answered: AtomicUsize,
    refused: AtomicUsize,
    failed_in_a_row: AtomicUsize,
}

/// What to do about an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Remedy {
    /// Leave the topic unanswered.
    GoOn,
    /// Run no more topics.
    GiveUp,
}

impl Course {
    /// Whether no more topics shall be run.
    pub(super) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }

    /// A topic was answered.
    pub(super) fn answered(&self) {
        self.answered.fetch_add(1, Ordering::Relaxed);
        self.failed_in_a_row.store(0, Ordering::Relaxed);
    }

    /// A topic was not.
    pub(super) fn failed(&self, error: &anyhow::Error) -> Remedy {
        let remedy = self.remedy(error);
        if remedy == Remedy::GiveUp {
            self.is_over.store(true, Ordering::Relaxed);
        }
        remedy
    }

    fn remedy(&self, error: &anyhow::Error) -> Remedy {
        let Some(error) = generate_error(error).filter(|error| error.is_of_request()) else {
            return Remedy::GiveUp;
        };
        let refused = self.refused.fetch_add(1, Ordering::Relaxed) + 1;
        if refused >= REFUSED_WITHOUT_AN_ANSWER && self.answered.load(Ordering::Relaxed) == 0 {
            return Remedy::GiveUp;
        }
        let in_a_row = || self.failed_in_a_row.fetch_add(1, Ordering::Relaxed) + 1;
        if error.is_temporary() && in_a_row() >= FAILED_IN_A_ROW { Remedy::GiveUp } else { Remedy::GoOn }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use generate::{Cause, Error};

    fn error(status: u16) -> anyhow::Error {
        let cause = Cause::Status { status, message: String::new() };
        answer::Error::from(Error::Endpoint { name: "m".to_owned(), attempts: 1, cause }).into()
    }

    #[test]
    fn a_run_goes_on_without_topics_that_are_refused() {
        let course = Course::default();
        assert_eq!([course.failed(&error(400)), course.failed(&error(422))], [Remedy::GoOn; 2]);
        course.answered();
        assert!((0..10).all(|_| course.failed(&error(400)) == Remedy::GoOn) && !course.is_over());
        assert_eq!(course.failed(&error(401)), Remedy::GiveUp);
        assert!(course.is_over());
    }

    #[test]
    fn a_run_ends_where_all_topics_would_be_refused() {
        let course = Course::default();
        let remedies = [(); 3].map(|()| course.failed(&error(400)));
        assert_eq!(remedies, [Remedy::GoOn, Remedy::GoOn, Remedy::GiveUp]);
        for status in [403, 404, 429, 503] {
            assert_eq!(Course::default().failed(&error(status)), Remedy::GiveUp, "{status}");
        }
        assert_eq!(Course::default().failed(&anyhow::anyhow!("no such post")), Remedy::GiveUp);
    }

    #[test]
    fn a_server_that_fails_at_every_topic_is_left_alone() {
        let course = Course::default();
        course.answered();
        assert_eq!([course.failed(&error(500)), course.failed(&error(500))], [Remedy::GoOn; 2]);
        course.answered();
        let remedies = [(); 3].map(|()| course.failed(&error(500)));
        assert_eq!(remedies, [Remedy::GoOn, Remedy::GoOn, Remedy::GiveUp]);
    }
}
