//! The targets, by what they read.

mod documents;
mod formulas;
mod generated;
mod labs;
mod models;
mod queries;
mod runs;
mod stored;

pub use documents::{archive, citations, document, dump, formula_table, jsonl, page};
pub use formulas::{compare, content, latex, mathml, opt_string, slt_string};
pub use generated::sse;
pub use labs::{lab_manifest, submission, turkle};
pub use models::{gguf, safetensors, token_vectors, vector_lists};
pub use queries::{answer_system, search, system, typed_query};
pub use runs::{assessments, features, measure, penman, qrels, run, task3_run, topics};
pub use stored::{frame, index, store};

/// Text, if the bytes are some.
macro_rules! text_or_refuse {
    ($bytes:expr) => {
        match std::str::from_utf8($bytes) {
            Ok(text) => text,
            Err(_) => return $crate::Outcome::Refused,
        }
    };
}
use text_or_refuse;

/// An error of a file names the file first, and a line that the file has.
fn check_place(error: &str, file: &str, bytes: &[u8]) {
    let rest = error.strip_prefix(file).and_then(|rest| rest.strip_prefix(':'));
    let rest = rest.unwrap_or_else(|| panic!("an error without its file: {error}"));
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    if digits > 0 && rest[digits..].starts_with(':') {
        let line: usize = rest[..digits].parse().unwrap_or(usize::MAX);
        // A line may end in a return alone, and an error may be about the end of the file.
        let lines = bytes.iter().filter(|byte| matches!(byte, b'\n' | b'\r')).count() + 2;
        assert!((1..=lines).contains(&line), "the file has {lines} lines at most: {error}");
    }
}

/// Seeds of stored files: a frame, and the files of an index.
pub(crate) fn stored_seeds() -> (Vec<u8>, Vec<(String, Vec<u8>)>) {
    (stored::frame_bytes(), stored::index_files())
}
