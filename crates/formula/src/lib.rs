//! What is this formula, what does it look like, and how alike are two?

pub mod alphabet;
pub mod cluster;
pub mod equivalence;
pub mod features;
pub mod gallery;
pub mod identity;
pub mod matching;
pub mod mathml;
pub mod normal;
pub mod opt;
mod parser;
pub mod similarity;
pub mod slt;
pub mod text;

pub use parser::{FormulaParser, Parsed};
