//! An endpoint against servers on this machine that fail and lie in every way we know.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail by panicking, as tests do")]

mod answers;
mod connections;
mod keys;
mod listening;
mod nothing_lost;
mod support;
