//! A score for two texts that are read together.

use super::config::{Config, Family};
use super::matrix::{Blocks, Linear, Spread, Then};
use super::numbers::Activation;
use super::weights::Weights;
use super::{Encoder, EncoderOptions, fingerprint, name};
use crate::Error;
use rayon::prelude::*;
use std::fmt;
use std::path::Path;

/// The most tokens of two texts, unless options state another limit.
pub(super) const USUAL_LIMIT: usize = 512;

/// What the parts of the head are called: a matrix with its activation, and that of the classes.
pub(super) fn head_names(family: Family) -> (&'static str, Activation, &'static str) {
    match family {
        Family::Bert => ("bert.pooler.dense", Activation::Tanh, "classifier"),
        Family::Albert => ("albert.pooler", Activation::Tanh, "classifier"),
        Family::DistilBert => ("pre_classifier", Activation::Relu, "classifier"),
        Family::Roberta | Family::Mpnet => ("classifier.dense", Activation::Tanh, "classifier.out_proj"),
    }
}

/// Scores pairs of texts, such as a query and a document, reading both at once.
///
/// A model is a folder in the form of Hugging Face, for the classification of sequences, with one class or two.
///
/// ```no_run
/// use model::{CrossEncoder, EncoderOptions};
/// let encoder = CrossEncoder::open("ms-marco-MiniLM-L6-v2".as_ref(), &EncoderOptions::default())?;
/// let scores = encoder.scores(&[("Is 2 prime?", "Yes, 2 is the only even prime.")])?;
/// # Ok::<(), model::Error>(())
/// ```
pub struct CrossEncoder {
    encoder: Encoder,
    head: Head,
    name: String,
    fingerprint: String,
}

/// What makes a score of the state of the first token.
#[derive(Debug)]
struct Head {
    dense: Linear,
    activation: Activation,
    classes: Linear,
}

impl Head {
    fn read(weights: &Weights, config: &Config) -> Result<Self, Error> {
        let hidden = config.hidden_size;
        let (dense, activation, classes) = head_names(config.family);
        let name = format!("{classes}.weight");
        let columns = match weights.shape(&name) {
            Some(&[columns @ 1..=2, _]) => columns,
            Some(shape) => {
                let reason =
                    format!("the tensor `{name}` has the shape {shape:?}; 1 or 2 classes are expected");
                return Err(Error::damaged(weights.path(), reason));
            }
            None => {
                let reason = format!("there is no tensor `{name}`, which scores pairs of texts");
                return Err(Error::damaged(weights.path(), reason));
            }
        };
        Ok(Self {
            dense: weights.linear(dense, hidden, hidden)?,
            activation,
            classes: weights.linear(classes, columns, hidden)?,
        })
    }

    fn score(&self, state: &[f32]) -> f32 {
        let blocks = &mut Blocks::default();
        let mut dense = vec![0.0; self.dense.columns()];
        self.dense.forward(state, blocks, &mut dense, Then::Activate(self.activation), Spread::No);
        let mut classes = [0.0; 2];
        let classes = &mut classes[..self.classes.columns()];
        self.classes.forward(&dense, blocks, classes, Then::Store, Spread::No);
        // Of two classes the second means that the texts belong together.
        classes[classes.len() - 1]
    }
}

impl CrossEncoder {
    /// Opens the folder of a model.
    ///
    /// # Errors
    ///
    /// When a file cannot be read or is damaged, when its parts do not belong together, when the model is of a
    /// kind that is not known here or does not score pairs, or when the limit of tokens is not possible.
    pub fn open(folder: &Path, options: &EncoderOptions) -> Result<Self, Error> {
        let (mut encoder, weights) = Encoder::read(folder, false, |config| Ok(config.layers))?;
        let head = Head::read(&weights.without_prefix(), &encoder.config)?;
        let window = encoder.tokens.limit();
        encoder.tokens = encoder.tokens.with_limit(options.max_tokens.unwrap_or(USUAL_LIMIT.min(window)))?;
        // A tokenizer that cannot make pairs is of another model.
        encoder.tokens.tokenise_pair(("a", "b"))?;
        let files = ["config.json", "tokenizer.json", "model.safetensors"].map(|name| folder.join(name));
        let fingerprint = fingerprint(folder, &files, &format!("pair {}", encoder.tokens.limit()))?;
        Ok(Self { encoder, head, name: name(folder), fingerprint })
    }

    /// The name of the folder.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// A checksum of everything that decides what scores are: files, limit of tokens, arithmetic.
    #[must_use]
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// The most tokens that two texts may have, with those around them; beyond it the longer is cut first.
    #[must_use]
    pub fn max_tokens(&self) -> usize {
        self.encoder.tokens.limit()
    }

    /// The score of each pair: the logit of the only class, or of the second of two.
    ///
    /// # Errors
    ///
    /// When the tokenizer makes tokens that the model does not have, or the weights give no numbers.
    pub fn scores(&self, pairs: &[(&str, &str)]) -> Result<Vec<f32>, Error> {
        self.scores_while(pairs, &|| true)
    }

    /// As [`CrossEncoder::scores`]; `go_on` is asked before each batch of about 256 tokens.
    ///
    /// # Errors
    ///
    /// As [`CrossEncoder::scores`], and [`Error::Stopped`] if `go_on` returned `false`.
    pub fn scores_while(
        &self,
        pairs: &[(&str, &str)],
        go_on: &(dyn Fn() -> bool + Sync),
    ) -> Result<Vec<f32>, Error> {
        let tokenise = |pair: &(&str, &str)| self.encoder.tokens.tokenise_pair(*pair);
        let tokens = pairs.par_iter().map(tokenise).collect::<Result<Vec<_>, _>>()?;
        let hidden = self.encoder.config.hidden_size;
        let scores = self.encoder.each(&tokens, go_on, |states| {
            states.get(..hidden).map_or(f32::NAN, |first| self.head.score(first))
        })?;
        if scores.iter().all(|score| score.is_finite()) { Ok(scores) } else { Err(self.encoder.not_finite()) }
    }
}

impl fmt::Debug for CrossEncoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CrossEncoder")
            .field("name", &self.name)
            .field("fingerprint", &self.fingerprint)
            .finish_non_exhaustive()
    }
}
