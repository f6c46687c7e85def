//! How good is a ranking? Measures over verdicts, and what surrounds the number.

mod ranked;

pub use ranked::{Pool, Ranked, Verdict};
