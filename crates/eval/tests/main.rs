//! The tests of `eval` from outside, in one program: each more would link all dependencies again.

#![allow(clippy::unwrap_used, reason = "tests and their helpers fail by panicking")]

mod pipelines;
mod task3_2022;
mod task3_first_answers;
mod trec;
