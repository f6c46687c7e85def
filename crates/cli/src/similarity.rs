//! What compares written answers: tokenizers from files, encoders from folders or the store of models.

use crate::settings::Settings;
use anyhow::{Context, Result, ensure};
use eval::task3::Tokenize;
use lab::TokenizerChoice;
use lab::report::AnswerInstruments;
use model::ContextualSimilarity;
use model::tokenizer::{self, ModelTokenizer, PrefixSpace};
use shelf::Store;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// A language model's tokenizer, from its `tokenizer.json`.
///
/// # Errors
///
/// When the file cannot be read or is none.
pub(crate) fn tokenizer(path: &Path) -> Result<impl Tokenize + use<>> {
    // The lab asks for a blank before the text; tokenizers that know none are taken as they are.
    Ok(match ModelTokenizer::read(path, PrefixSpace::On) {
        Err(tokenizer::Error::NoPrefixSpace { .. }) => ModelTokenizer::read(path, PrefixSpace::AsInFile)?,
        other => other?,
    })
}

/// Contextual similarity by an encoder: its folder, or its name in the store of models.
///
/// # Errors
///
/// When there is no such folder and no such model, or it cannot be read.
pub(crate) fn contextual(encoder: &Path, layer: Option<usize>) -> Result<ContextualSimilarity> {
    Ok(ContextualSimilarity::read(&folder(encoder)?, layer)?)
}

fn folder(encoder: &Path) -> Result<PathBuf> {
    let is_name = encoder.components().count() == 1;
    match (encoder.is_dir(), Settings::read()?.models.value) {
        (false, Some(store)) if is_name => {
            let found = Store::open(store).find(&encoder.to_string_lossy());
            Ok(found.with_context(|| format!("{}: no such folder", encoder.display()))?.folder)
        }
        // Whoever reads the folder says what is wrong with it.
        _ => Ok(encoder.to_owned()),
    }
}

/// What options name in the place of what a lab names for Task 3.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Chosen<'a> {
    /// The `tokenizer.json` of a language model.
    pub(crate) tokenizer: Option<&'a Path>,
    /// The encoder.
    pub(crate) encoder: Option<&'a Path>,
    /// Its layer.
    pub(crate) layer: Option<usize>,
}

/// The tokenizer and the encoder that a lab names for Task 3, or those that were chosen instead: what is replaced is
/// not opened. Paths in `lab.toml` are seen from its folder.
///
/// # Errors
///
/// When one of them cannot be read, and when a layer is given where there is no encoder.
pub(crate) fn instruments(lab: &lab::Lab, chosen: Chosen<'_>) -> Result<AnswerInstruments> {
    let scoring = &lab.manifest().answers;
    let inside = |path: &Path| lab.path(&path.to_string_lossy());
    let mut instruments = AnswerInstruments::default();
    match (chosen.tokenizer, &scoring.tokenizer) {
        (Some(path), _) => instruments.tokenizer = Some(Rc::new(tokenizer(path)?)),
        (None, TokenizerChoice::File(path)) => {
            instruments.tokenizer = Some(Rc::new(tokenizer(&inside(path))?));
        }
        (None, TokenizerChoice::BuiltIn(_)) => {}
    }
    let own = scoring.encoder.as_deref().map(|own| {
        let near = inside(own);
        if near.is_dir() { near } else { own.to_owned() }
    });
    let encoder = chosen.encoder;
    // A layer is chosen for an encoder; another encoder has its own default.
    let is_own = encoder.is_none() || encoder == own.as_deref() || encoder == scoring.encoder.as_deref();
    let layer = chosen.layer.or(scoring.layer.filter(|_| is_own));
    match encoder.map(Path::to_owned).or(own) {
        Some(encoder) => instruments.encoder = Some(Rc::new(contextual(&encoder, layer)?)),
        None => ensure!(layer.is_none(), "--layer: neither lab.toml nor --encoder names an encoder"),
    }
    Ok(instruments)
}
