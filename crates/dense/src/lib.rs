//! What does a text mean, as a vector? Posts, formulas and queries for dense retrieval.
//!
//! [`text`] writes what an encoder reads, [`Encode`] is the encoder, [`formulas`] has one of formulas, and a
//! [`VectorPart`] keeps its vectors as a part of an index. Which model encodes is up to the caller.

mod encode;
pub mod formulas;
mod part;
pub mod text;
mod words;

pub use encode::{
    Encode, EncodeError, EncodeTokens, FeatureWeights, Judge, MaxSim, Models, Padding, Reads, SharedModels,
    TokenVectors,
};
pub use part::{Kind, Passages, Settings, VectorFile, VectorPart};
