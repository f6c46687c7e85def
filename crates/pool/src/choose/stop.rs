//! When enough of a topic has been judged.

use super::{Chooser, Relevance, State};
use crate::error::Error;

/// When to stop; the first reason that holds is enough. Without any, all items are judged.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stop {
    /// After so many items of the topic.
    pub budget: Option<usize>,
    /// After so many judgments in a row without a relevant one.
    pub in_a_row: Option<usize>,
    /// When the estimated share of relevant items that have been found is at
    /// least this; see [`Chooser::estimated_share_found`].
    pub share: Option<f64>,
}

/// Why there is no next item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StopReason {
    /// All items have been given out or judged.
    AllGiven,
    /// The budget is spent.
    Budget,
    /// Too many judgments in a row without a relevant one.
    NothingNew,
    /// Enough of the relevant items have been found, it is estimated.
    EnoughFound,
}

impl Stop {
    pub(super) fn check(self) -> Result<(), Error> {
        match self.share {
            Some(share) if !(0.0..=1.0).contains(&share) => {
                Err(Error::Setting { name: "share", value: share, range: "from 0 to 1" })
            }
            _ => Ok(()),
        }
    }
}

/// What the judgments say of a run.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    relevant: usize,
    judged: usize,
}

impl Tally {
    pub(super) fn add(&mut self, relevance: Relevance) {
        self.judged += 1;
        self.relevant += usize::from(relevance == Relevance::Relevant);
    }

    fn mean(self) -> f64 {
        (self.relevant as f64 + 1.0) / (self.judged as f64 + 2.0)
    }
}

impl Chooser {
    /// Why there is no next item; nothing while there is one. Items that are
    /// out count towards the budget, but only judgments towards the other rules,
    /// so these may hold no more when an item comes back as relevant.
    #[must_use]
    pub fn stopped(&self) -> Option<StopReason> {
        let Stop { budget, in_a_row, share } = self.stop;
        if self.given >= self.items.len() {
            Some(StopReason::AllGiven)
        } else if budget.is_some_and(|budget| self.given >= budget) {
            Some(StopReason::Budget)
        } else if in_a_row.is_some_and(|limit| self.dry >= limit) {
            Some(StopReason::NothingNew)
        } else if share.is_some_and(|share| self.estimated_share_found() >= share) {
            Some(StopReason::EnoughFound)
        } else {
            None
        }
    }

    /// The share of relevant items of the pool that have been found: found ÷
    /// (found + expected among the rest).
    ///
    /// An item that is not judged is expected to be relevant with the mean of
    /// `(relevant + 1)/(judged + 2)` over the runs that brought it. The rule is
    /// ours. Items further down are less often relevant than those judged
    /// before, so it expects too many and the share comes out too low: it
    /// errs by judging more. It is 1 when all is judged.
    #[must_use]
    pub fn estimated_share_found(&self) -> f64 {
        let mut expected = 0.0;
        let mut left = 0_usize;
        for item in self.items.iter().filter(|item| item.state != State::Judged) {
            left += 1;
            let means = item.runs.iter().map(|run| self.tallies[*run].mean()).sum::<f64>();
            // An item that no run brought is as good as one of an unknown run.
            expected +=
                if item.runs.is_empty() { Tally::default().mean() } else { means / item.runs.len() as f64 };
        }
        if left == 0 { 1.0 } else { self.found as f64 / (self.found as f64 + expected) }
    }

    /// How many items have been given out or judged.
    #[must_use]
    pub fn num_given(&self) -> usize {
        self.given
    }

    /// How many items have been judged relevant.
    #[must_use]
    pub fn num_found(&self) -> usize {
        self.found
    }
}
