//! Vectors of tokens, learned from the tokens around them: fastText with sub-words, and word2vec.
//!
//! [`Options`] say which reference is followed and with which numbers, [`Work`] is the folder of a training: sequences
//! of tokens go in, stand on disk as numbers, and are read as often as there are epochs; what has been learned is
//! written down every few minutes, so that a killed training goes on. A [`TokenVectors`] is the result: a folder with
//! the vectors of frequent tokens and of the sub-words that all others are made of.
//!
//! With one thread the same sequences, options and seed give the same bytes on every machine, also when the training
//! was killed and resumed. With several, threads change shared rows without waiting for each other, as the references
//! do, and results differ from run to run.
//!
//! Memory holds the matrices, the distinct tokens and a few pieces of the sequences.
//!
//! ```
//! use train::vectors::{Algorithm, Options, TokenVectors, Work};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = std::env::temp_dir().join(format!("hypatia-train-doc-{}", std::process::id()));
//! let mut options = Options::of(Algorithm::GensimFasttext);
//! (options.min_count, options.dimensions, options.threads) = (1, 8, 1);
//! let mut work = Work::open(&folder, &options, "two lines")?;
//! let mut sequences = work.sequences()?.expect("nothing was read before");
//! for line in ["a plus b", "b plus a"] {
//!     sequences.push(line.split(' '))?;
//! }
//! sequences.finish(&[])?;
//! work.train(&mut ())?;
//! let model = TokenVectors::open(&work.write_model(&[])?)?;
//! assert_eq!(model.sequence(["a", "times", "b"]).len(), 8);
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok(())
//! # }
//! ```

mod chance;
mod checkpoint;
mod error;
mod learner;
mod model;
mod numbers;
mod options;
mod rows;
mod safetensors;
mod sequences;
mod sigmoid;
mod subwords;
#[cfg(test)]
mod tests;
mod training;
mod vocabulary;
mod work;

pub use error::Error;
pub use model::{CONFIG_TYPE, TokenVectors};
pub use options::{Algorithm, Objective, Options, Reference, Subwords, UnknownName};
pub use subwords::{bucket, hash, ngrams};
pub use training::{Stopped, Watch};
pub use work::{Sequences, Work};
