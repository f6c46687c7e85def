//! The measures of Task 3 that need no people, as `lab.toml` chooses them.

use crate::error::{Error, Result};
use crate::manifest::{AnswerScoring, TokenizerChoice};
use eval::task3::{AnswerSimilarity, LexicalOverlap, Tokenize};
use std::fmt;
use std::rc::Rc;

/// What `lab.toml` names and somebody with a store of models opened.
#[derive(Clone, Default)]
pub struct AnswerInstruments {
    /// The tokenizer for lexical overlap, if it is not one that is built in.
    pub tokenizer: Option<Rc<dyn Tokenize>>,
    /// Contextual similarity with the encoder.
    pub encoder: Option<Rc<dyn AnswerSimilarity>>,
}

impl AnswerInstruments {
    /// Lexical overlap, as the lab counts it.
    ///
    /// # Errors
    ///
    /// When the lab names a tokenizer that was not opened.
    pub fn overlap<'a>(&'a self, scoring: &'a AnswerScoring) -> Result<LexicalOverlap<'a>> {
        let tokenizer: &dyn Tokenize = match (&self.tokenizer, &scoring.tokenizer) {
            (Some(opened), _) => &**opened,
            (None, TokenizerChoice::BuiltIn(tokenizer)) => tokenizer,
            (None, TokenizerChoice::File(path)) => return Err(not_opened("tokenizer", path)),
        };
        Ok(LexicalOverlap { tokenizer, counting: scoring.tokens.into() })
    }

    /// Contextual similarity; nothing if there is no encoder.
    ///
    /// # Errors
    ///
    /// When the lab names an encoder that was not opened.
    pub fn contextual(&self, scoring: &AnswerScoring) -> Result<Option<&dyn AnswerSimilarity>> {
        match (&self.encoder, &scoring.encoder) {
            (None, Some(path)) => Err(not_opened("encoder", path)),
            (encoder, _) => Ok(encoder.as_deref()),
        }
    }
}

fn not_opened(what: &str, path: &std::path::Path) -> Error {
    Error::asked(format!("lab.toml names the {what} {} for Task 3, and it was not opened", path.display()))
}

impl fmt::Debug for AnswerInstruments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AnswerInstruments")
            .field("tokenizer", &self.tokenizer.as_ref().map(|tokenizer| tokenizer.name()))
            .field("encoder", &self.encoder.as_ref().map(|encoder| encoder.name()))
            .finish()
    }
}
