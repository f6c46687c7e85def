//! What can be wrong with rankings and settings.

use crate::Method;

/// Why rankings cannot be fused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A score that is no number.
    #[error("ranking {member}, result {place}: the score is not finite")]
    NotFinite {
        /// Which ranking, from 1.
        member: usize,
        /// Which result, from 1.
        place: usize,
    },
    /// An id that a ranking holds twice.
    #[error("ranking {member}: result {second} is result {first} again")]
    Repeated {
        /// Which ranking, from 1.
        member: usize,
        /// The first of the two, from 1.
        first: usize,
        /// The second.
        second: usize,
    },
    /// Scores too far apart, or sums too large, for a number of 64 bits.
    #[error("the scores are too large to be combined")]
    TooLarge,
    /// Not one weight for each ranking.
    #[error("{weights} weights for {members} rankings")]
    WeightCount {
        /// How many weights there are.
        weights: usize,
        /// How many rankings there are.
        members: usize,
    },
    /// A weight that is no number.
    #[error("weight {member} is not finite")]
    Weight {
        /// Whose, from 1.
        member: usize,
    },
    /// Weights where nothing is added up.
    #[error("weights have no effect on {0}, which adds nothing up")]
    NoWeights(Method),
    /// A parameter out of its range.
    #[error("{name} is {value}; it must be {range}")]
    Parameter {
        /// Its name.
        name: &'static str,
        /// Its value.
        value: f64,
        /// What it may be.
        range: &'static str,
    },
}
