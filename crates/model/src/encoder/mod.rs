//! What does each token of a text mean where it stands? Encoders such as BERT and RoBERTa.
//!
//! An encoder is a folder as its makers publish it: `config.json`,
//! `tokenizer.json` and `model.safetensors`. It gives the hidden states of one
//! layer; what they are compared for is the [similarity](similarity)'s.

mod config;
mod layer;
mod similarity;
mod weights;

use crate::Error;
use candle_core::{Device, Result, Tensor};
pub(crate) use config::Config;
use layer::{Layer, LayerNorm};
pub use similarity::ContextualSimilarity;
use std::collections::BTreeSet;
use std::path::Path;
use tokenizers::{Tokenizer, TruncationParams};
use weights::Weights;

/// An encoder, up to the layer that is wanted.
pub(crate) struct Encoder {
    tokenizer: Tokenizer,
    /// Tokens that are put around every text.
    around: BTreeSet<u32>,
    config: Config,
    words: Tensor,
    /// What is added at each position.
    positions: Tensor,
    embedding_norm: LayerNorm,
    layers: Vec<Layer>,
}

/// What an encoder makes of a text.
pub(crate) struct Encoded {
    /// A row for each token, those around the text too.
    pub(crate) states: Tensor,
    /// Whether each token belongs to the text.
    pub(crate) of_text: Vec<bool>,
    /// Whether the text was longer than the encoder can look at.
    pub(crate) cut: bool,
}

impl Encoder {
    /// Reads a folder; `layer` is the layer that is wanted, counted from 1.
    pub(crate) fn read(folder: &Path, layer: Option<usize>) -> std::result::Result<Self, Error> {
        let config = Config::read(&folder.join("config.json"), layer)?;
        let (tokenizer, around) = tokenizer(&folder.join("tokenizer.json"), &config)?;
        let path = folder.join("model.safetensors");
        let bytes = std::fs::read(&path).map_err(|cause| no_weights(folder, &path, cause))?;
        let weights = Weights::new(&path, &bytes)?;
        let hidden = config.hidden_size;
        let words = weights.tensor("embeddings.word_embeddings.weight", &[config.vocab_size, hidden])?;
        if tokenizer.get_vocab_size(true) > config.vocab_size {
            let reason = format!(
                "there are {} tokens, but weights for {}",
                tokenizer.get_vocab_size(true),
                config.vocab_size
            );
            return Err(Error::damaged(folder, reason));
        }
        let positions = positions(&weights, &config)?;
        let embedding_norm =
            LayerNorm::read(&weights, "embeddings.LayerNorm", hidden, config.layer_norm_eps)?;
        let layers = (0..config.layer).map(|number| Layer::read(&weights, number, &config));
        let layers = layers.collect::<std::result::Result<_, _>>()?;
        Ok(Self { tokenizer, around, config, words, positions, embedding_norm, layers })
    }

    pub(crate) fn config(&self) -> &Config {
        &self.config
    }

    /// The hidden states of a text; what is longer than the window is cut off.
    pub(crate) fn encode(&self, text: &str) -> std::result::Result<Encoded, String> {
        let text = text.trim();
        // Encoders of this family cut the first word like any other only after a blank.
        let text = if self.config.position_offset > 0 && !text.is_empty() {
            format!(" {text}")
        } else {
            text.to_owned()
        };
        let encoding = self.tokenizer.encode(text, true).map_err(|cause| cause.to_string())?;
        let ids = encoding.get_ids();
        let states = self.states(ids).map_err(|cause| cause.to_string())?;
        let of_text = ids.iter().map(|id| !self.around.contains(id)).collect();
        Ok(Encoded { states, of_text, cut: !encoding.get_overflowing().is_empty() })
    }

    fn states(&self, ids: &[u32]) -> Result<Tensor> {
        let words = self.words.index_select(&Tensor::new(ids, &Device::Cpu)?, 0)?;
        let mut rows = self.embedding_norm.forward(&(words + self.positions.narrow(0, 0, ids.len())?)?)?;
        for layer in &self.layers {
            rows = layer.forward(&rows)?;
        }
        Ok(rows)
    }
}

/// That there are no weights that can be read; if there are others, how to convert them.
fn no_weights(folder: &Path, path: &Path, cause: std::io::Error) -> Error {
    // These hold a program, which is not run here.
    let other = folder.join("pytorch_model.bin");
    if cause.kind() != std::io::ErrorKind::NotFound || !other.exists() {
        return Error::io(path, cause);
    }
    let folder = folder.display();
    let reason = format!(
        "only model.safetensors is read; make it with python3 -c \"from transformers import AutoModel as m; \
         m.from_pretrained('{folder}').save_pretrained('{folder}')\""
    );
    Error::damaged(&other, reason)
}

/// The tokenizer, cutting at the window, and the tokens that it puts around every text.
fn tokenizer(path: &Path, config: &Config) -> std::result::Result<(Tokenizer, BTreeSet<u32>), Error> {
    let no_tokenizer =
        |cause: &dyn std::fmt::Display| Error::damaged(path, format!("this is no tokenizer: {cause}"));
    let json = std::fs::read(path).map_err(|cause| Error::io(path, cause))?;
    let mut tokenizer = Tokenizer::from_bytes(&json).map_err(|cause| no_tokenizer(&cause))?;
    tokenizer.with_padding(None);
    tokenizer.with_truncation(None).map_err(|cause| no_tokenizer(&cause))?;
    let empty = tokenizer.encode("", true).map_err(|cause| no_tokenizer(&cause))?;
    let around: BTreeSet<u32> = empty.get_ids().iter().copied().collect();
    if empty.get_ids().len() >= config.window {
        return Err(no_tokenizer(&format!("a window of {} tokens leaves no room for a text", config.window)));
    }
    let truncation = TruncationParams { max_length: config.window, ..TruncationParams::default() };
    tokenizer.with_truncation(Some(truncation)).map_err(|cause| no_tokenizer(&cause))?;
    Ok((tokenizer, around))
}

/// What is added to the words: where they stand, and that they belong to the first of two texts.
fn positions(weights: &Weights<'_>, config: &Config) -> std::result::Result<Tensor, Error> {
    let hidden = config.hidden_size;
    let size = [config.max_position_embeddings, hidden];
    let positions = weights.tensor("embeddings.position_embeddings.weight", &size)?;
    let types = "embeddings.token_type_embeddings.weight";
    let kind = match config.type_vocab_size {
        0 => None,
        count => weights.optional(types, &[count, hidden])?,
    };
    let sum = || -> Result<Tensor> {
        let positions = positions.narrow(0, config.position_offset, config.window)?;
        match &kind {
            Some(kind) => positions.broadcast_add(&kind.narrow(0, 0, 1)?),
            None => Ok(positions),
        }
    };
    sum().map_err(|cause| weights.failed(types, &cause))
}
