//! The tests of `model` from outside, in one program: each more would link all dependencies again.

#![allow(clippy::unwrap_used, reason = "tests and their helpers fail by panicking")]

mod damaged;
mod encoder;
mod encoders;
mod local;
mod real;
mod tiny;
mod tokenizers;
mod training;
