//! The tests of `assess` from outside, in one program: each more would link all dependencies again.

#![allow(clippy::unwrap_used, reason = "tests and their helpers fail by panicking")]

mod accounts;
mod common;
mod pace;
mod school;
mod turkle;
mod work;
