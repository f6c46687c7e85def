//! How Task 3 is scored without people: lexical overlap (LO) and contextual similarity (CS).

use eval::task3::{Counting, Tokenizer};
use serde::Deserialize;
use std::path::PathBuf;

/// The table `[answers]` of `lab.toml`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AnswerScoring {
    /// Whether a token that occurs twice counts twice in lexical overlap.
    pub tokens: TokenCounting,
    /// What cuts answers into tokens for lexical overlap.
    pub tokenizer: TokenizerChoice,
    /// The encoder for contextual similarity, by its name in the store of models or its folder; none if there is none.
    pub encoder: Option<PathBuf>,
    /// The layer of the encoder whose vectors are compared; the tenth of twelve, else the last, if nothing is said.
    pub layer: Option<usize>,
}

/// Whether a token that occurs twice counts twice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TokenCounting {
    /// It does: answers are bags of tokens, as the overview of ARQMath-3 says.
    #[default]
    Bag,
    /// It does not: answers are sets of tokens, as in the script of ARQMath-3.
    Set,
}

impl From<TokenCounting> for Counting {
    fn from(tokens: TokenCounting) -> Self {
        match tokens {
            TokenCounting::Bag => Self::Bags,
            TokenCounting::Set => Self::Sets,
        }
    }
}

impl TokenCounting {
    /// The word in the file.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Bag => "bag",
            Self::Set => "set",
        }
    }
}

/// What cuts answers into tokens.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(from = "String")]
pub enum TokenizerChoice {
    /// One of those that are built in.
    BuiltIn(Tokenizer),
    /// A language model's, from its `tokenizer.json`, seen from the folder of the lab.
    File(PathBuf),
}

impl Default for TokenizerChoice {
    fn default() -> Self {
        Self::BuiltIn(Tokenizer::default())
    }
}

const WORDS: &str = "words";
const BLANKS: &str = "blanks";

impl From<String> for TokenizerChoice {
    fn from(text: String) -> Self {
        match text.as_str() {
            WORDS => Self::BuiltIn(Tokenizer::WordsAndLatex),
            BLANKS => Self::BuiltIn(Tokenizer::Blanks),
            _ => Self::File(PathBuf::from(text)),
        }
    }
}

impl TokenizerChoice {
    /// The text in the file.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Self::BuiltIn(Tokenizer::WordsAndLatex) => WORDS.to_owned(),
            Self::BuiltIn(Tokenizer::Blanks) => BLANKS.to_owned(),
            Self::File(path) => path.display().to_string(),
        }
    }
}

impl AnswerScoring {
    /// What is wrong with it, if anything is.
    pub(super) fn problem(&self) -> Option<String> {
        let no_encoder = self.layer.is_some() && self.encoder.is_none();
        no_encoder.then(|| "[answers] names a layer, but no encoder".to_owned())
    }
}
