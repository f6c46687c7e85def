//! How a run was made: what was asked for, with which weights, from which files.

use crate::engine::term_weights;
use anyhow::{Context, Result};
use formats::Source;
use serde::Serialize;
use std::io::Read;
use std::path::Path;
use xxhash_rust::xxh3::Xxh3;

/// What is written beside a run.
#[derive(Debug, Serialize)]
pub(super) struct Record<'a> {
    pub(super) command: Vec<String>,
    pub(super) version: &'static str,
    pub(super) parameters: Parameters<'a>,
    pub(super) weights: Vec<Weight>,
    pub(super) queries: Input,
    pub(super) candidates: Input,
    pub(super) run: Run,
}

/// What was asked for, defaults filled in. The number of threads is not here: it changes nothing.
#[derive(Debug, Serialize)]
pub(super) struct Parameters<'a> {
    pub(super) id: &'a str,
    pub(super) by: Option<&'a str>,
    pub(super) measure: &'a str,
    pub(super) depth: usize,
    pub(super) tag: &'a str,
}

/// How much a term counts.
#[derive(Debug, Serialize)]
pub(super) struct Weight {
    term: &'static str,
    weight: f32,
}

/// A file that was read.
#[derive(Debug, Serialize)]
pub(super) struct Input {
    file: String,
    /// Of what is in it, unpacked; none for standard input, which cannot be read twice.
    checksum: Option<String>,
    rows: u64,
}

/// What was written.
#[derive(Debug, Serialize)]
pub(super) struct Run {
    pub(super) file: String,
    pub(super) checksum: String,
    pub(super) rows: usize,
}

/// The weights in use.
pub(super) fn weights() -> Vec<Weight> {
    term_weights().into_iter().map(|(term, weight)| Weight { term: term.name(), weight }).collect()
}

impl Input {
    /// Reads the file once more for its checksum.
    pub(super) fn new(path: &Path, rows: u64) -> Result<Self> {
        let source = Source::path(path);
        let file = source.name().to_owned();
        let mut checksum = None;
        if path != Path::new("-") {
            let mut hasher = Xxh3::new();
            let mut input = source.open()?;
            let mut buffer = vec![0; 1 << 16];
            loop {
                match input.read(&mut buffer).with_context(|| file.clone())? {
                    0 => break,
                    read => hasher.update(&buffer[..read]),
                }
            }
            checksum = Some(shown(hasher.digest128()));
        }
        Ok(Self { file, checksum, rows })
    }
}

/// The checksum of bytes.
pub(super) fn checksum(bytes: &[u8]) -> String {
    shown(xxhash_rust::xxh3::xxh3_128(bytes))
}

fn shown(digest: u128) -> String {
    format!("xxh3-128:{digest:032x}")
}
