//! What is this formula, what does it look like, and how alike are two?

pub mod alphabet;
pub mod mathml;
pub mod slt;
