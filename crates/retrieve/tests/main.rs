//! The tests of `retrieve` from outside, in one program: each more would link all dependencies again.

#![allow(clippy::unwrap_used, reason = "tests and their helpers fail by panicking")]

mod answers;
mod common;
mod components;
mod damage;
mod dense;
mod exhaustive;
mod formulas;
mod one_executor;
mod people;
mod pipeline;
mod ranking;
mod reranked;
mod typed;
