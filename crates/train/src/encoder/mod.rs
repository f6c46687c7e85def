//! Encoders fitted to pairs of texts: losses, an optimiser, samplers of examples, and trainings that go on after a kill.
//!
//! A [`Network`] makes rows of numbers of texts and leads gradients of these rows back to its parameters; what it is
//! made of, and how texts become tokens, is its own business. An [`Objective`] says what is wrong with the rows of a
//! batch, [`AdamW`] takes a step, and [`Training`] does both until the end, with checkpoints, a measure on held-out
//! questions, and an early stop. [`Adapter`] is the smallest network: one matrix on vectors that stay as they are.
//!
//! Everything that is drawn depends on the seed and on the number of the step alone, so a training that was killed
//! ends with the same bytes as one that was not.

mod adam;
mod adapter;
mod checkpoint;
mod error;
mod losses;
mod objective;
mod options;
mod samplers;
mod schedule;
mod training;
mod validation;

pub use adam::{AdamW, clip};
pub use adapter::Adapter;
pub use error::Error;
pub use losses::{
    Lossy, Negatives, Ranking, binary_cross_entropy, cosine_regression, online_contrastive,
    softmax_cross_entropy, triplet,
};
pub use objective::Objective;
pub use options::Options;
pub use samplers::{
    Candidates, Example, JudgedTopic, Mirmu, Pairs, Sampler, Thread, Threads, TuDbs, vote_targets,
};
pub use schedule::{Decay, Schedule};
pub use training::{Outcome, Progress, Training, Watch};
pub use validation::Held;

use std::ops::Range;

/// Texts by number, as whoever knows the collection gives them.
pub trait Texts {
    /// The text of a number. `chance` is drawn anew for each use of an example: what is cut at random depends on it.
    ///
    /// # Errors
    ///
    /// A sentence that says why the text cannot be read.
    fn text(&mut self, number: u32, chance: u64) -> Result<String, String>;
}

/// What is trained: parameters in one row, and what they make of texts.
pub trait Network {
    /// A text, or two that are read together, ready for the network.
    type Input;

    /// The parameters before training.
    fn parameters(&self) -> &[f32];

    /// Which parameters are drawn towards zero by weight decay.
    fn decayed(&self) -> &[Range<usize>];

    /// How many numbers a row of the output has.
    fn width(&self) -> usize;

    /// Takes new parameters over.
    fn prepare(&mut self, parameters: &[f32]);

    /// Reads a text, or two that are read together.
    ///
    /// # Errors
    ///
    /// A sentence that says why it cannot be read.
    fn read(&mut self, text: u32, other: Option<u32>, chance: u64) -> Result<Self::Input, String>;

    /// A row for each input.
    ///
    /// # Errors
    ///
    /// A sentence, when there are no numbers for an input.
    fn outputs(&mut self, inputs: &[Self::Input]) -> Result<Vec<f32>, String>;

    /// Adds the gradient of the parameters, from that of the rows of the inputs.
    fn back(&mut self, inputs: &[Self::Input], rows: &[f32], gradient: &mut [f32]);

    /// Adds what draws parameters back to where they began, and returns its part of the loss.
    fn pull(&self, _parameters: &[f32], _gradient: &mut [f32]) -> f64 {
        0.0
    }

    /// Multiplications that one step takes for these inputs, forward and backward.
    fn cost(&self, inputs: &[Self::Input]) -> f64;
}
