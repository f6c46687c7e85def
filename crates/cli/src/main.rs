//! The `hypatia` program: arguments in, printing out.
//!
//! It opens files, spreads work over the cores and prints; everything worth a
//! library test is in the library crates. It leaves with 0 when all went well,
//! 1 when the answer is "no" or what it was given is damaged or cut short, and 2
//! when something could not be done.

mod agree;
mod answers;
mod ask;
mod check;
mod collection;
mod commands;
mod compare;
mod config;
mod damage;
mod demo;
mod diff;
mod engine;
mod evaluate;
mod formula;
mod fuse;
mod index;
mod input;
mod judge;
mod judged;
mod lab;
mod model;
mod models;
mod names;
mod nearest;
mod output;
mod place;
mod progress;
mod records;
mod relevance;
mod run;
mod run_record;
mod sample;
mod search;
mod serve;
mod settings;
mod side_by_side;
mod similarity;
mod stream;
mod synth;
mod systems;
mod train;
mod tune;

use anyhow::Result;
use clap::Parser;
use std::io::{self, Write};
use std::process::ExitCode;

/// What a command found out, for the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Exit {
    /// Done, or "yes".
    Yes,
    /// Done, and the answer is "no".
    No,
}

fn main() -> ExitCode {
    match commands::Hypatia::parse().run() {
        Ok(Exit::Yes) => ExitCode::SUCCESS,
        Ok(Exit::No) => ExitCode::from(1),
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // One line, whatever the causes hold. If standard error is gone
            // too, there is nobody left to tell.
            let line = in_one_line(&error);
            let _ = writeln!(io::stderr(), "hypatia: {}", text::visible(&line));
            ExitCode::from(if damage::is_damage(&error) { 1 } else { 2 })
        }
    }
}

/// The error and its causes; what an error says of its cause is not said again.
fn in_one_line(error: &anyhow::Error) -> String {
    let mut line = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if line.is_empty() {
            line = cause;
        } else if !line.ends_with(&cause) {
            line = format!("{line}: {cause}");
        }
    }
    line.replace(['\n', '\r'], " ")
}

/// Whether the reader of our output has gone away, as `head` does.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}

/// Says something on standard error that does not change the result.
fn warn(message: &str) {
    let _ = writeln!(io::stderr(), "hypatia: warning: {}", text::visible(message));
}

/// Runs a command and gives its answer.
trait Run {
    fn run(self) -> Result<Exit>;
}
