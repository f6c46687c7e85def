//! How sure is a number? Tests, intervals, correlation and agreement.
//!
//! Slices of numbers in, plain structs out: no files, no clock, no global state.
//! What is random depends on a seed the caller gives, and on nothing else. A
//! question that has no answer is an [`Error`], never NaN and never a panic.
//! The names of topics and systems are left to the caller.
//!
//! | module | answers |
//! |---|---|
//! | [`summary`] | what is the mean, and how sure is it? |
//! | [`bootstrap`] | the same, without assuming a normal distribution |
//! | [`paired`] | is one system better than another on the same topics, and by how much? |
//! | [`gain`] | may a difference be called a gain? |
//! | [`correction`] | what remains of many p-values? |
//! | [`tukey`] | which of many systems differ? |
//! | [`power`] | how many topics are needed? |
//! | [`correlation`] | do two rankings agree? |
//! | [`agreement`] | do assessors agree? |
//! | [`distributions`] | how likely is a value this large? |
//! | [`rng`] | where does chance come from? |
//!
//! ```
//! use stats::{correction, paired, power};
//!
//! let baseline = [0.40, 0.50, 0.75, 0.10, 0.33];
//! let fusion = [0.50, 0.60, 0.70, 0.20, 0.45];
//! let rerank = [0.41, 0.47, 0.76, 0.12, 0.30];
//!
//! let better = paired::t_test(&fusion, &baseline)?;
//! let other = paired::t_test(&rerank, &baseline)?;
//! let adjusted = correction::holm(&[better.p_value, other.p_value])?;
//! assert!(adjusted[0] > 0.05, "five topics are not enough");
//!
//! let effect = paired::cohen_d_z(&fusion, &baseline)?;
//! let goal = power::Goal { alpha: 0.05, power: 0.8 };
//! assert_eq!(power::topics_needed(effect, &goal)?, 10);
//! # Ok::<(), stats::Error>(())
//! ```

pub mod agreement;
pub mod bootstrap;
pub mod correction;
pub mod correlation;
pub mod distributions;
pub mod gain;
pub mod paired;
pub mod power;
pub mod rng;
pub mod summary;
pub mod tukey;

mod error;
mod ranks;
mod special;

pub use error::Error;
