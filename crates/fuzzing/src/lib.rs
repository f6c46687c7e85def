//! What breaks a reader? Fuzz targets as plain functions, and a mutator that needs no fuzzer.
//!
//! A target is a function from bytes to an [`Outcome`]. It reads the bytes as an outsider's file and panics when
//! the reader breaks a promise: a span off a character boundary, a value that does not survive a round trip, an
//! error that names a line the file does not have. [`TARGETS`] lists them all. `fuzz/run` hands them to libFuzzer,
//! and the tests of this crate run each of them over its seeds in `fuzz/seeds` and over [mutations](mutate) of
//! them, so that a machine without a C++ compiler runs every target too.

pub mod mutate;
mod scratch;
pub mod seal;
pub mod seeds;
mod small;
mod targets;

pub use targets::*;

/// What a reader made of its input. Both are fine; a panic is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It took the input.
    Read,
    /// It refused the input with an error.
    Refused,
}

impl Outcome {
    /// The outcome of a reader that may fail.
    pub fn of<T, E>(result: &Result<T, E>) -> Self {
        if result.is_ok() { Self::Read } else { Self::Refused }
    }
}

/// A fuzz target.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Its name, and that of its folder in `fuzz/seeds`.
    pub name: &'static str,
    /// Reads bytes, and panics if the reader breaks a promise.
    pub run: fn(&[u8]) -> Outcome,
    /// How many mutations an ordinary test runs, over all seeds together.
    pub mutations: usize,
}

/// All targets, by name.
pub const TARGETS: &[Target] = &[
    Target { name: "answer_system", run: answer_system, mutations: 3000 },
    Target { name: "archive", run: archive, mutations: 1500 },
    Target { name: "assessments", run: assessments, mutations: 3000 },
    Target { name: "citations", run: citations, mutations: 3000 },
    Target { name: "compare", run: compare, mutations: 400 },
    Target { name: "content", run: content, mutations: 2000 },
    Target { name: "document", run: document, mutations: 2000 },
    Target { name: "dump", run: dump, mutations: 300 },
    Target { name: "features", run: features, mutations: 3000 },
    Target { name: "formula_table", run: formula_table, mutations: 300 },
    Target { name: "frame", run: frame, mutations: 3000 },
    Target { name: "gguf", run: gguf, mutations: 600 },
    Target { name: "index", run: index, mutations: 600 },
    Target { name: "jsonl", run: jsonl, mutations: 3000 },
    Target { name: "lab_manifest", run: lab_manifest, mutations: 2000 },
    Target { name: "latex", run: latex, mutations: 2000 },
    Target { name: "mathml", run: mathml, mutations: 2000 },
    Target { name: "measure", run: measure, mutations: 2000 },
    Target { name: "opt_string", run: opt_string, mutations: 2000 },
    Target { name: "page", run: page, mutations: 2000 },
    Target { name: "penman", run: penman, mutations: 3000 },
    Target { name: "qrels", run: qrels, mutations: 2000 },
    Target { name: "run", run, mutations: 2000 },
    Target { name: "safetensors", run: safetensors, mutations: 600 },
    Target { name: "search", run: search, mutations: 300 },
    Target { name: "slt_string", run: slt_string, mutations: 2000 },
    Target { name: "sse", run: sse, mutations: 3000 },
    Target { name: "store", run: store, mutations: 1500 },
    Target { name: "submission", run: submission, mutations: 150 },
    Target { name: "system", run: system, mutations: 1000 },
    Target { name: "task3_run", run: task3_run, mutations: 2000 },
    Target { name: "token_vectors", run: token_vectors, mutations: 2000 },
    Target { name: "topics", run: topics, mutations: 1000 },
    Target { name: "turkle", run: turkle, mutations: 300 },
    Target { name: "typed_query", run: typed_query, mutations: 4000 },
    Target { name: "vector_lists", run: vector_lists, mutations: 2000 },
];
