//! The tests of `topics` from outside, in one program: each more would link all dependencies again.

#![allow(clippy::unwrap_used, reason = "tests and their helpers fail by panicking")]

mod complexity;
mod elements;
mod lab_topics;
mod shelf;
mod topics;
mod validation;
mod wording;
