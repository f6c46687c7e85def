//! Printing: values as TSV or JSON lines, straight to standard output.

use crate::records::push_field;
use anyhow::{Context, Result};
use clap::ValueEnum;
use serde::Serialize;
use std::io::{self, Write};

/// How results are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// A header line, then a row for each formula, quoted as in CSV where a value needs it
    Tsv,
    /// An object for each formula, one a line
    Json,
}

/// Writes bytes to standard output.
pub(crate) fn print(bytes: &[u8]) -> Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(bytes).and_then(|()| stdout.flush()).context("writing to standard output")
}

/// Tells people something beside the output; if nobody listens, that is no error.
pub(crate) fn note(text: &str) {
    let _ = writeln!(io::stderr(), "{}", text.trim_end());
}

/// Appends a row of a TSV.
pub(crate) fn push_row(out: &mut String, values: &[&str]) {
    for (index, value) in values.iter().enumerate() {
        if index > 0 {
            out.push('\t');
        }
        push_field(out, value);
    }
    out.push('\n');
}

/// Appends a value as JSON on a line of its own.
pub(crate) fn push_json(out: &mut String, value: &impl Serialize) {
    let json = serde_json::to_string(value).expect("maps with string keys and plain values always serialise");
    out.push_str(&json);
    out.push('\n');
}

/// Appends an object of strings on a line of its own, in the given order.
pub(crate) fn push_pairs(out: &mut String, pairs: &[(&str, &str)]) {
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    let pairs: Vec<String> =
        pairs.iter().map(|(name, value)| format!("{}:{}", quoted(name), quoted(value))).collect();
    out.push_str(&format!("{{{}}}\n", pairs.join(",")));
}
