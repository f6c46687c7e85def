//! What does this model file say? Language models that run in this process.
//!
//! A [`LocalModel`] is read from a GGUF file and completes what it is asked,
//! as every [`generate::Generator`] does. A [`TextEncoder`] is read from
//! the folder of an encoder and makes vectors of texts and of their tokens, a
//! [`CrossEncoder`] scores pairs of texts, and a [`ContextualSimilarity`]
//! compares texts for the measures of Task 3, for which [`tokenizer`] counts
//! the tokens of a model. Everything runs on the CPU and
//! nothing is ever fetched: files are given. What is asked, and what becomes
//! of the answer, is said by whoever asks.

mod chat;
mod decoder;
mod encoder;
mod error;
mod fingerprint;
mod gguf;
mod local;
mod sample;
mod speech;
pub mod tokenizer;
mod vocabulary;

pub use encoder::training;
pub use encoder::{ContextualSimilarity, CrossEncoder, EncoderOptions, TextEncoder, TokenVectors};
pub use error::Error;
pub use local::{LocalModel, Options};
