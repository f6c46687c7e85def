//! The tests of `render` from outside, in one program: each more would link all dependencies again.

#![allow(clippy::unwrap_used, reason = "tests and their helpers fail by panicking")]

mod browser;
mod fragments;
mod hostile;
mod pages;
mod support;
