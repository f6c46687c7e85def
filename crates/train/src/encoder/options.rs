//! How a training goes.

use super::objective::Objective;
use super::schedule::Schedule;
use serde::{Deserialize, Serialize};

/// How a training goes. All of it decides the result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Options {
    /// What is to be learned.
    pub objective: Objective,
    /// How large steps are.
    pub schedule: Schedule,
    /// Examples whose rows are compared with each other.
    pub batch: usize,
    /// Batches of which one step is made.
    pub accumulate: usize,
    /// Passes over all examples.
    pub epochs: u32,
    /// The most steps.
    pub max_steps: Option<u64>,
    /// Weight decay.
    pub decay: f64,
    /// The longest gradient; 0 for no limit.
    pub clip: f64,
    /// The seed of everything that is drawn.
    pub seed: u64,
    /// Steps between measurements on held-out questions; 0 for one after each epoch.
    pub measure_every: u64,
    /// Measurements without a new best after which the training ends; 0 for never.
    pub patience: u32,
}

impl Options {
    /// Why a training cannot go like this.
    #[must_use]
    pub fn mistake(&self) -> Option<String> {
        let Self { schedule, batch, accumulate, epochs, decay, clip, .. } = self;
        let mistakes = [
            (*batch == 0, "a batch needs an example"),
            (*accumulate == 0, "a step needs a batch"),
            (*epochs == 0, "a training needs an epoch"),
            (!(schedule.rate > 0.0 && schedule.rate.is_finite()), "the rate must be a number above 0"),
            (!(0.0..1.0).contains(decay), "the decay must be at least 0 and below 1"),
            (!(*clip >= 0.0 && clip.is_finite()), "the longest gradient must be a number of at least 0"),
        ];
        mistakes.into_iter().find(|(is_mistake, _)| *is_mistake).map(|(_, mistake)| mistake.to_owned())
    }

    /// Steps in an epoch with this many examples.
    #[must_use]
    pub fn steps_in_epoch(&self, examples: usize) -> u64 {
        examples.div_ceil((self.batch * self.accumulate).max(1)).max(1) as u64
    }

    /// All steps.
    #[must_use]
    pub fn total_steps(&self, examples: usize) -> u64 {
        let all = self.steps_in_epoch(examples) * u64::from(self.epochs);
        all.min(self.max_steps.unwrap_or(u64::MAX))
    }
}
