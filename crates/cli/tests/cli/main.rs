//! The program from outside: an empty folder, a command, the whole output.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail by panicking, as tests do")]

mod check;
mod cluster;
mod diff;
mod eval;
mod eval_studies;
mod formulas;
mod gallery;
mod help;
mod known_figures;
mod parse;
mod same;
mod task3;
mod trec;
mod util;
mod wrong_files;
