//! How alike are two texts, token by token, as an encoder understands them?
//!
//! This is F1 of BERTScore (Zhang et al. 2020) as the package `bert_score`
//! computes it without weights by rarity and without rescaling. Hidden states
//! are brought to unit length; each token of the answer is as good as the token
//! of the reference that is most like it, and their mean is precision; recall
//! is the same the other way around. The tokens that are put around every text
//! can be what a token is most like, but are no part of the means.

use super::{Encoded, Encoder};
use crate::Error;
use crate::fingerprint::fingerprint;
use candle_core::{D, Result, Tensor};
use eval::task3::{AnswerSimilarity, Rule, Task3Error};
use std::collections::HashSet;
use std::fmt;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use xxhash_rust::xxh3::xxh3_128;

const NAME: &str = "CS";

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
    pub fn read(folder: &Path, layer: Option<usize>) -> std::result::Result<Self, Error> {
        let encoder = Encoder::read(folder, layer)?;
        let file = folder
            .file_name()
            .map_or_else(|| folder.display().to_string(), |name| name.to_string_lossy().into_owned());
        let name = format!("{file} (xxh3 {})", fingerprint(&folder.join("model.safetensors"))?);
        Ok(Self { encoder, name, cut: Mutex::default() })
    }

    /// How many different texts were longer than the window until now; only what is within was compared.
    #[must_use]
    pub fn num_cut(&self) -> usize {
        self.cut.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    fn encode(&self, text: &str) -> std::result::Result<Unit, Task3Error> {
        let encoded = self.encoder.encode(text).map_err(failed)?;
        if encoded.cut {
            self.cut.lock().unwrap_or_else(PoisonError::into_inner).insert(xxh3_128(text.as_bytes()));
        }
        Unit::new(encoded).map_err(failed)
    }
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
        let config = self.encoder.config();
        vec![
            Rule { name: "model", value: self.name.clone() },
            Rule { name: "layer", value: format!("{} of {}", config.layer, config.layers) },
            Rule { name: "window", value: format!("{} tokens", config.window) },
        ]
    }

    fn similarities(
        &self,
        answer: &str,
        references: &[&str],
    ) -> std::result::Result<Vec<Option<f64>>, Task3Error> {
        let answer = self.encode(answer)?;
        let value = |reference: &&str| {
            let reference = self.encode(reference)?;
            if reference.is_empty() { Ok(None) } else { f1(&answer, &reference).map(Some).map_err(failed) }
        };
        references.iter().map(value).collect()
    }

    fn remarks(&self) -> Vec<String> {
        let window = self.encoder.config().window;
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
    states: Tensor,
    of_text: Vec<bool>,
}

impl Unit {
    fn new(encoded: Encoded) -> Result<Self> {
        let lengths = encoded.states.sqr()?.sum_keepdim(D::Minus1)?.sqrt()?;
        Ok(Self { states: encoded.states.broadcast_div(&lengths)?, of_text: encoded.of_text })
    }

    /// Whether no token is of the text.
    fn is_empty(&self) -> bool {
        !self.of_text.contains(&true)
    }
}

/// The harmonic mean of precision and recall; 0 for an answer without a token.
fn f1(answer: &Unit, reference: &Unit) -> Result<f64> {
    if answer.is_empty() {
        return Ok(0.0);
    }
    let likeness: Vec<Vec<f32>> = answer.states.matmul(&reference.states.t()?)?.to_vec2()?;
    let best_of = |row: &Vec<f32>| row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let rows = likeness.iter().map(best_of);
    let column = |place: usize| likeness.iter().map(|row| row[place]).fold(f32::NEG_INFINITY, f32::max);
    let precision = mean(rows, &answer.of_text);
    let recall = mean((0..reference.of_text.len()).map(column), &reference.of_text);
    let sum = precision + recall;
    let value = 2.0 * precision * recall / sum;
    if sum == 0.0 {
        return Ok(0.0);
    }
    if !value.is_finite() {
        candle_core::bail!("the weights of the model give no numbers");
    }
    Ok(value)
}

fn mean(values: impl Iterator<Item = f32>, counted: &[bool]) -> f64 {
    let counted: Vec<f64> =
        values.zip(counted).filter(|(_, counted)| **counted).map(|(value, _)| f64::from(value)).collect();
    counted.iter().sum::<f64>() / counted.len() as f64
}
