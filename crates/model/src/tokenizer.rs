//! Tokens of texts by the `tokenizer.json` of a language model.
//!
//! Lexical overlap as the lab published it counts the tokens of a language
//! model. Models bring their tokenizer as a `tokenizer.json`, whose parts
//! (normaliser, pre-tokenizer, BPE, WordPiece or Unigram vocabulary) this module runs
//! and offers to the measures as a [`Tokenize`]. It knows no measure and
//! fetches nothing: the file is given.
//!
//! ```no_run
//! use eval::task3::{Counting, LexicalOverlap};
//! use model::tokenizer::{ModelTokenizer, PrefixSpace};
//! let path = std::path::Path::new("mathberta/tokenizer.json");
//! let tokenizer = ModelTokenizer::read(path, PrefixSpace::On)?;
//! let overlap = LexicalOverlap { tokenizer: &tokenizer, counting: Counting::Sets };
//! # Ok::<(), model::tokenizer::Error>(())
//! ```

use eval::task3::{Tokenize, TokenizeError};
use serde_json::Value;
use std::fmt;
use std::path::{Path, PathBuf};

/// Why a tokenizer could not be had.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The file could not be read.
    #[error("{}: {cause}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        cause: std::io::Error,
    },
    /// The file is no JSON.
    #[error("{name} is no JSON: {cause}")]
    Json {
        /// What the file is called in messages.
        name: String,
        /// What is wrong, with line and column.
        cause: serde_json::Error,
    },
    /// The file is JSON, but not a tokenizer.
    #[error("{name} is not a tokenizer: {reason}")]
    NoTokenizer {
        /// What the file is called in messages.
        name: String,
        /// What is wrong.
        reason: String,
    },
    /// A blank before the text was asked for, and the tokenizer has no place for it.
    #[error("{name} does not cut text into bytes, so it takes no blank before the text")]
    NoPrefixSpace {
        /// What the file is called in messages.
        name: String,
    },
}

/// Whether a tokenizer of bytes puts a blank before a text that starts without
/// one, so that its first word is cut like any other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PrefixSpace {
    /// As the file says.
    #[default]
    AsInFile,
    /// It does, whatever the file says; the lab's script asks for this.
    On,
}

/// The tokenizer of a language model.
#[derive(Clone)]
pub struct ModelTokenizer {
    name: String,
    tokenizer: tokenizers::Tokenizer,
}

impl ModelTokenizer {
    /// Reads a `tokenizer.json`.
    ///
    /// # Errors
    ///
    /// When the file cannot be read or is not a tokenizer, or a blank before the
    /// text would have no effect.
    pub fn read(path: &Path, prefix_space: PrefixSpace) -> Result<Self, Error> {
        let json = std::fs::read(path).map_err(|cause| Error::Io { path: path.to_owned(), cause })?;
        Self::from_json(&path.display().to_string(), &json, prefix_space)
    }

    /// A tokenizer from the bytes of a `tokenizer.json`, under a name for messages and reports.
    ///
    /// # Errors
    ///
    /// As [`ModelTokenizer::read`].
    pub fn from_json(name: &str, json: &[u8], prefix_space: PrefixSpace) -> Result<Self, Error> {
        let mut value: Value =
            serde_json::from_slice(json).map_err(|cause| Error::Json { name: name.to_owned(), cause })?;
        let cutter = value.get_mut("pre_tokenizer");
        if prefix_space == PrefixSpace::On && !cutter.is_some_and(turn_on_prefix_space) {
            return Err(Error::NoPrefixSpace { name: name.to_owned() });
        }
        // It turns tokens into text, which nobody asks for here, and its reader panics on some numbers.
        if let Some(value) = value.as_object_mut() {
            value.remove("decoder");
        }
        let no_tokenizer = |reason: String| Error::NoTokenizer { name: name.to_owned(), reason };
        let mut tokenizer: tokenizers::Tokenizer =
            serde_json::from_value(value).map_err(|cause| no_tokenizer(cause.to_string()))?;
        // A measure wants all tokens of the text and no others.
        tokenizer.with_truncation(None).map_err(|cause| no_tokenizer(cause.to_string()))?;
        tokenizer.with_padding(None);
        let note = match prefix_space {
            PrefixSpace::AsInFile => "",
            PrefixSpace::On => ", prefix space on",
        };
        let kind = kind(&tokenizer);
        let size = tokenizer.get_vocab_size(true);
        Ok(Self { name: format!("{name} ({kind}, {size} tokens{note})"), tokenizer })
    }
}

/// Sets the flag in a byte-level cutter, alone or in a sequence; false if there is none.
fn turn_on_prefix_space(cutter: &mut Value) -> bool {
    match cutter["type"].as_str() {
        Some("ByteLevel") => {
            cutter["add_prefix_space"] = Value::Bool(true);
            true
        }
        Some("Sequence") => cutter["pretokenizers"]
            .as_array_mut()
            .is_some_and(|cutters| cutters.iter_mut().any(turn_on_prefix_space)),
        _ => false,
    }
}

fn kind(tokenizer: &tokenizers::Tokenizer) -> &'static str {
    use tokenizers::ModelWrapper;
    match tokenizer.get_model() {
        ModelWrapper::BPE(_) => "BPE",
        ModelWrapper::WordPiece(_) => "WordPiece",
        ModelWrapper::WordLevel(_) => "words",
        ModelWrapper::Unigram(_) => "Unigram",
    }
}

impl fmt::Debug for ModelTokenizer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ModelTokenizer").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Tokenize for ModelTokenizer {
    fn name(&self) -> String {
        self.name.clone()
    }

    /// The tokens as the vocabulary spells them, without those that a model
    /// wants around a text.
    fn tokens(&self, text: &str) -> Result<Vec<String>, TokenizeError> {
        let encoding = self
            .tokenizer
            .encode(text, false)
            .map_err(|cause| TokenizeError { tokenizer: self.name.clone(), reason: cause.to_string() })?;
        Ok(encoding.get_tokens().to_vec())
    }
}
