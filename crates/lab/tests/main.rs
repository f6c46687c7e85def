//! The tests of `lab` from outside, in one program: each more would link all dependencies again.

#![allow(clippy::unwrap_used, reason = "tests and their helpers fail by panicking")]

mod common;
mod damage;
mod flow;
mod places;
mod report;
mod submissions;
mod together;
