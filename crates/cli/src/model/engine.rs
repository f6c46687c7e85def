//! Opening a new model before it gets its name: the one place that knows which engine runs which model.

use anyhow::Result;
use model::{CrossEncoder, EncoderOptions, LocalModel, Options, TextEncoder};
use shelf::{Facts, Kind};
use std::path::Path;
use train::vectors::TokenVectors;

/// The families of encoders that the engine runs.
const ENCODERS: [&str; 7] = ["albert", "bert", "camembert", "distilbert", "mpnet", "roberta", "xlm-roberta"];

/// Whether the engine runs a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opened {
    /// It was opened: configuration, tokenizer and weights fit each other.
    Yes,
    /// No engine here runs such a model; only its files were checked.
    NoEngine,
}

/// Opens the model in a folder, as the commands that use it do.
///
/// # Errors
///
/// If a file is damaged, or the files do not fit each other.
pub(super) fn open(folder: &Path, facts: &Facts) -> Result<Opened, String> {
    let failed = |error: model::Error| error.to_string();
    match facts.kind {
        Kind::Decoder => {
            for weights in facts.weights() {
                LocalModel::open(&folder.join(&weights.path), &Options::default()).map_err(failed)?;
            }
            Ok(Opened::Yes)
        }
        Kind::CrossEncoder
            if ENCODERS.contains(&facts.family.as_str()) && folder.join("model.safetensors").is_file() =>
        {
            CrossEncoder::open(folder, &EncoderOptions::default()).map_err(failed)?;
            Ok(Opened::Yes)
        }
        Kind::Encoder | Kind::SentenceEncoder | Kind::LateInteraction
            if ENCODERS.contains(&facts.family.as_str()) && folder.join("model.safetensors").is_file() =>
        {
            TextEncoder::open(folder, &EncoderOptions::default()).map_err(failed)?;
            Ok(Opened::Yes)
        }
        Kind::TokenVectors => {
            TokenVectors::open(folder).map_err(|error| error.to_string())?;
            Ok(Opened::Yes)
        }
        _ => Ok(Opened::NoEngine),
    }
}

/// The same, for [`shelf::Check`].
pub(crate) fn check(folder: &Path, facts: &Facts) -> Result<(), String> {
    let opened = open(folder, facts)?;
    if opened == Opened::NoEngine {
        crate::warn(&format!(
            "{}: no engine here runs a {} of the family {}; only its files were checked",
            facts.name, facts.kind, facts.family
        ));
    }
    Ok(())
}
