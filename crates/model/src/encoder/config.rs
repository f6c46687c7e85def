//! What an encoder is made of, as its `config.json` says.

use crate::Error;
use serde::Deserialize;
use std::path::Path;

/// The layer that the lab took of models with this many layers.
const LAB_LAYER: (usize, usize) = (10, 12);
/// No encoder has more of anything.
const MAX_SIZE: usize = 1 << 24;

/// What an encoder is made of.
#[derive(Clone, Debug)]
pub(crate) struct Config {
    pub(crate) hidden_size: usize,
    pub(crate) heads: usize,
    pub(crate) intermediate_size: usize,
    pub(crate) vocab_size: usize,
    pub(crate) max_position_embeddings: usize,
    pub(crate) type_vocab_size: usize,
    pub(crate) layer_norm_eps: f64,
    pub(crate) activation: Activation,
    /// The position of the first token.
    pub(crate) position_offset: usize,
    /// How many tokens it can look at, with those around the text.
    pub(crate) window: usize,
    /// How many layers it has.
    pub(crate) layers: usize,
    /// The layer whose states are wanted, counted from 1.
    pub(crate) layer: usize,
}

/// What stands between the two matrices of a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Activation {
    Gelu,
    GeluByTanh,
    Relu,
}

#[derive(Deserialize)]
struct File {
    model_type: String,
    hidden_size: usize,
    num_hidden_layers: usize,
    num_attention_heads: usize,
    intermediate_size: usize,
    vocab_size: usize,
    max_position_embeddings: usize,
    #[serde(default)]
    type_vocab_size: usize,
    #[serde(default = "default_epsilon")]
    layer_norm_eps: f64,
    #[serde(default = "default_activation")]
    hidden_act: String,
    position_embedding_type: Option<String>,
    pad_token_id: Option<usize>,
}

fn default_epsilon() -> f64 {
    1e-12
}

fn default_activation() -> String {
    "gelu".to_owned()
}

impl Config {
    pub(super) fn read(path: &Path, layer: Option<usize>) -> Result<Self, Error> {
        let json = std::fs::read(path).map_err(|cause| Error::io(path, cause))?;
        let file: File =
            serde_json::from_slice(&json).map_err(|cause| Error::damaged(path, cause.to_string()))?;
        let unknown = |what, found: &str, known: &[&'static str]| Error::Unknown {
            path: path.to_owned(),
            what,
            found: found.to_owned(),
            known: known.to_vec(),
        };
        let position_offset = match file.model_type.as_str() {
            "bert" => 0,
            // Positions begin after that of padding.
            "roberta" | "xlm-roberta" | "camembert" => file.pad_token_id.unwrap_or(1).saturating_add(1),
            other => {
                return Err(unknown(
                    "kind of encoder",
                    other,
                    &["bert", "roberta", "xlm-roberta", "camembert"],
                ));
            }
        };
        let activation = match file.hidden_act.as_str() {
            "gelu" => Activation::Gelu,
            "gelu_new" | "gelu_fast" | "gelu_pytorch_tanh" => Activation::GeluByTanh,
            "relu" => Activation::Relu,
            other => {
                return Err(unknown(
                    "activation",
                    other,
                    &["gelu", "gelu_new", "gelu_fast", "gelu_pytorch_tanh", "relu"],
                ));
            }
        };
        if let Some(kind) = file.position_embedding_type.as_deref().filter(|kind| *kind != "absolute") {
            return Err(unknown("kind of positions", kind, &["absolute"]));
        }
        let sizes = [
            ("hidden_size", file.hidden_size),
            ("num_hidden_layers", file.num_hidden_layers),
            ("num_attention_heads", file.num_attention_heads),
            ("intermediate_size", file.intermediate_size),
            ("vocab_size", file.vocab_size),
            ("max_position_embeddings", file.max_position_embeddings),
        ];
        let wrong =
            |name: &str, size: usize| Error::damaged(path, format!("`{name}` is {size}, which cannot be"));
        if let Some((name, size)) = sizes.into_iter().find(|(_, size)| !(1..=MAX_SIZE).contains(size)) {
            return Err(wrong(name, size));
        }
        if !file.hidden_size.is_multiple_of(file.num_attention_heads) {
            return Err(wrong("num_attention_heads", file.num_attention_heads));
        }
        let window = file
            .max_position_embeddings
            .checked_sub(position_offset)
            .filter(|window| *window > 0)
            .ok_or_else(|| wrong("max_position_embeddings", file.max_position_embeddings))?;
        let layers = file.num_hidden_layers;
        let usual = if layers == LAB_LAYER.1 { LAB_LAYER.0 } else { layers };
        let layer = layer.unwrap_or(usual);
        if !(1..=layers).contains(&layer) {
            let reason = format!("layer {layer} was asked for, and there are layers 1 to {layers}");
            return Err(Error::Option { path: path.to_owned(), reason });
        }
        Ok(Self {
            hidden_size: file.hidden_size,
            heads: file.num_attention_heads,
            intermediate_size: file.intermediate_size,
            vocab_size: file.vocab_size,
            max_position_embeddings: file.max_position_embeddings,
            type_vocab_size: file.type_vocab_size,
            layer_norm_eps: file.layer_norm_eps,
            activation,
            position_offset,
            window,
            layers,
            layer,
        })
    }
}
