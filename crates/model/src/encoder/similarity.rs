//! How alike are two texts, token by token, as an encoder understands them?
//!
//! This is F1 of BERTScore (Zhang et al. 2020) as the package `bert_score`
//! computes it without weights by rarity and without rescaling. Hidden states
//! are brought to unit length; each token of the answer is as good as the token
//! of the reference that is most like it, and their mean is precision; recall
//! is the same the other way around. The tokens that are put around every text
//! can be what a token is most like, but are no part of the means.

use super::config::{Config, Family};
use super::matrix::{Blocks, Panels};
use super::numbers::to_unit_length;
use super::{Encoder, name};
use crate::Error;
use crate::fingerprint::fingerprint;
use eval::task3::{AnswerSimilarity, Rule, Task3Error};
use std::collections::HashSet;
use std::fmt;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use xxhash_rust::xxh3::xxh3_128;

const NAME: &str = "CS";
/// The layer that the lab took of models with this many layers.
const LAB_LAYER: (usize, usize) = (10, 12);

/// Contextual similarity: F1 of BERTScore with the hidden states of an encoder.
///
/// ```no_run
/// use eval::task3::AnswerSimilarity;
/// let measure = model::ContextualSimilarity::read("mathberta".as_ref(), None)?;
/// let values = measure.similarities("It is even.", &["The number is even.", ""]);
/// # Ok::<(), model::Error>(())
/// ```
pub struct ContextualSimilarity {
    encoder: Encoder,
    layer: usize,
    name: String,
    /// Checksums of texts that were longer than the window: references are read again for each answer.
    cut: Mutex<HashSet<u128>>,
}

impl ContextualSimilarity {
    /// Reads the folder of an encoder: `config.json`, `tokenizer.json` and `model.safetensors`.
    ///
    /// `layer` is the layer whose states are compared, counted from 1; by default the tenth of twelve,
    /// as the lab took, and the last of models with another number of layers.
    ///
    /// # Errors
    ///
    /// When a file cannot be read or is damaged, or the model is of a kind that is not known here.
    pub fn read(folder: &Path, layer: Option<usize>) -> Result<Self, Error> {
        let mut chosen = 0;
        let (encoder, _) = Encoder::read(folder, false, |config| {
            chosen = choose(&folder.join("config.json"), config, layer)?;
            Ok(chosen)
        })?;
        let name = format!("{} (xxh3 {})", name(folder), fingerprint(&folder.join("model.safetensors"))?);
        Ok(Self { encoder, layer: chosen, name, cut: Mutex::default() })
    }

    /// How many different texts were longer than the window until now; only what is within was compared.
    #[must_use]
    pub fn num_cut(&self) -> usize {
        self.cut.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    fn encode(&self, text: &str) -> Result<Unit, Task3Error> {
        let trimmed = text.trim();
        // Encoders of this family cut the first word like any other only after a blank.
        let blank = self.encoder.config.family == Family::Roberta && !trimmed.is_empty();
        let trimmed = if blank { format!(" {trimmed}") } else { trimmed.to_owned() };
        let tokens = self.encoder.tokens.tokenise(&trimmed).map_err(failed)?;
        if tokens.cut {
            self.cut.lock().unwrap_or_else(PoisonError::into_inner).insert(xxh3_128(text.as_bytes()));
        }
        let of_text = tokens.ids.iter().map(|id| !self.encoder.tokens.is_around(*id)).collect();
        let size = self.encoder.config.hidden_size;
        let states = self.encoder.each(&[tokens], &|| true, <[f32]>::to_vec).map_err(failed)?;
        let mut states = states.concat();
        states.chunks_exact_mut(size).for_each(to_unit_length);
        Ok(Unit { states, size, of_text })
    }
}

/// The layer that is wanted, counted from 1.
fn choose(path: &Path, config: &Config, layer: Option<usize>) -> Result<usize, Error> {
    let layers = config.layers;
    let usual = if layers == LAB_LAYER.1 { LAB_LAYER.0 } else { layers };
    let layer = layer.unwrap_or(usual);
    if (1..=layers).contains(&layer) {
        return Ok(layer);
    }
    let reason = format!("layer {layer} was asked for, and there are layers 1 to {layers}");
    Err(Error::Option { path: path.to_owned(), reason })
}

impl fmt::Debug for ContextualSimilarity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ContextualSimilarity").field("name", &self.name).finish_non_exhaustive()
    }
}

impl AnswerSimilarity for ContextualSimilarity {
    fn name(&self) -> String {
        NAME.to_owned()
    }

    fn rules(&self) -> Vec<Rule> {
        let config = &self.encoder.config;
        vec![
            Rule { name: "model", value: self.name.clone() },
            Rule { name: "layer", value: format!("{} of {}", self.layer, config.layers) },
            Rule { name: "window", value: format!("{} tokens", config.window) },
        ]
    }

    fn similarities(&self, answer: &str, references: &[&str]) -> Result<Vec<Option<f64>>, Task3Error> {
        let answer = self.encode(answer)?;
        let value = |reference: &&str| {
            let reference = self.encode(reference)?;
            if reference.is_empty() { Ok(None) } else { f1(&answer, &reference).map(Some) }
        };
        references.iter().map(value).collect()
    }

    fn remarks(&self) -> Vec<String> {
        let window = self.encoder.config.window;
        match self.num_cut() {
            0 => Vec::new(),
            1 => vec![format!("one text is longer than {window} tokens; only its beginning is compared")],
            cut => {
                vec![format!(
                    "{cut} texts are longer than {window} tokens; only their beginnings are compared"
                )]
            }
        }
    }
}

fn failed(reason: impl ToString) -> Task3Error {
    Task3Error::Similarity { measure: NAME.to_owned(), reason: reason.to_string() }
}

/// A text, as states of unit length.
struct Unit {
    states: Vec<f32>,
    /// How many numbers a state has.
    size: usize,
    of_text: Vec<bool>,
}

impl Unit {
    /// Whether no token is of the text.
    fn is_empty(&self) -> bool {
        !self.of_text.contains(&true)
    }
}

/// The harmonic mean of precision and recall; 0 for an answer without a token.
fn f1(answer: &Unit, reference: &Unit) -> Result<f64, Task3Error> {
    if answer.is_empty() {
        return Ok(0.0);
    }
    let (rows, columns) = (answer.of_text.len(), reference.of_text.len());
    let (mut blocks, mut panels) = (Blocks::default(), Panels::default());
    blocks.pack(&answer.states, answer.size, 0, answer.size);
    panels.pack_columns(&reference.states, reference.size, 0, reference.size);
    let mut likeness = vec![0.0; rows * columns];
    panels.multiply(&blocks, &mut likeness, columns);
    let best_of = |row: &[f32]| row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let column =
        |place: usize| likeness.chunks_exact(columns).map(|row| row[place]).fold(f32::NEG_INFINITY, f32::max);
    let precision = mean(likeness.chunks_exact(columns).map(best_of), &answer.of_text);
    let recall = mean((0..columns).map(column), &reference.of_text);
    let sum = precision + recall;
    let value = 2.0 * precision * recall / sum;
    if sum == 0.0 {
        return Ok(0.0);
    }
    if value.is_finite() { Ok(value) } else { Err(failed("the weights of the model give no numbers")) }
}

fn mean(values: impl Iterator<Item = f32>, counted: &[bool]) -> f64 {
    let counted: Vec<f64> =
        values.zip(counted).filter(|(_, counted)| **counted).map(|(value, _)| f64::from(value)).collect();
    counted.iter().sum::<f64>() / counted.len() as f64
}
