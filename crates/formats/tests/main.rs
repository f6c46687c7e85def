//! The tests of `formats` from outside, in one program: each more would link all dependencies again.

#![allow(clippy::unwrap_used, reason = "tests and their helpers fail by panicking")]

mod check;
mod check_memory;
mod lab_tables;
mod lab_topics;
mod topics;
mod topics_survive;
mod visual_ids;
