//! How alike two formulas are, by every measure the labs compared. Each has a file of its own.

pub mod dice;
pub mod edit;
#[cfg(test)]
mod random;
pub mod structure;
pub mod tangent_s;
pub mod tree_pairs;
