//! The tests of `pool` from outside, in one program: each more would link all dependencies again.

#![allow(clippy::unwrap_used, reason = "tests and their helpers fail by panicking")]

mod properties;
mod real_runs;
