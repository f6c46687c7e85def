//! The sizes and kinds that the `config.json` of an encoder states.

use super::numbers::Activation;
use crate::Error;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::path::Path;

/// No encoder has more of anything.
const MAX_SIZE: usize = 1 << 24;
/// No encoder has more layers: those of ALBERT share their weights, so the file does not bound them.
const MAX_LAYERS: usize = 1 << 10;
/// The position of padding where a configuration does not state it.
const USUAL_PADDING: usize = 1;

/// A kind of encoder. They differ in a few parts and in the names of tensors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Family {
    Bert,
    /// RoBERTa, XLM-RoBERTa and CamemBERT: positions begin after that of padding.
    Roberta,
    /// As RoBERTa, with a bias for the distance of two tokens.
    Mpnet,
    /// Layers share their weights, and embeddings are smaller than layers.
    Albert,
    /// BERT without token types.
    DistilBert,
}

const KINDS: [(&str, Family); 7] = [
    ("bert", Family::Bert),
    ("roberta", Family::Roberta),
    ("xlm-roberta", Family::Roberta),
    ("camembert", Family::Roberta),
    ("mpnet", Family::Mpnet),
    ("albert", Family::Albert),
    ("distilbert", Family::DistilBert),
];

const ACTIVATIONS: [(&str, Activation); 5] = [
    ("gelu", Activation::Gelu),
    ("gelu_new", Activation::GeluByTanh),
    ("gelu_fast", Activation::GeluByTanh),
    ("gelu_pytorch_tanh", Activation::GeluByTanh),
    ("relu", Activation::Relu),
];

/// The sizes and kinds of an encoder.
#[derive(Clone, Debug)]
pub(crate) struct Config {
    pub(crate) family: Family,
    pub(crate) hidden_size: usize,
    /// The size of embeddings, which only ALBERT has smaller than that of layers.
    pub(crate) embedding_size: usize,
    pub(crate) heads: usize,
    pub(crate) intermediate_size: usize,
    pub(crate) vocab_size: usize,
    pub(crate) max_position_embeddings: usize,
    pub(crate) type_vocab_size: usize,
    pub(crate) layer_norm_eps: f32,
    pub(crate) activation: Activation,
    /// The position of the first token.
    pub(crate) position_offset: usize,
    /// How many tokens it takes, with those around the text.
    pub(crate) window: usize,
    pub(crate) layers: usize,
    /// How many groups of layers there are that share their weights; of ALBERT.
    pub(crate) groups: usize,
    /// How many layers with weights of their own make a layer; of ALBERT.
    pub(crate) inner_layers: usize,
    /// How many distances of tokens are told apart; of MPNet.
    pub(crate) distances: usize,
}

#[derive(Deserialize)]
struct File {
    model_type: String,
    hidden_size: Option<usize>,
    num_hidden_layers: Option<usize>,
    num_attention_heads: Option<usize>,
    intermediate_size: Option<usize>,
    vocab_size: Option<usize>,
    max_position_embeddings: Option<usize>,
    type_vocab_size: Option<usize>,
    layer_norm_eps: Option<f64>,
    hidden_act: Option<String>,
    position_embedding_type: Option<String>,
    pad_token_id: Option<usize>,
    // ALBERT
    embedding_size: Option<usize>,
    num_hidden_groups: Option<usize>,
    inner_group_num: Option<usize>,
    // DistilBERT
    dim: Option<usize>,
    n_layers: Option<usize>,
    n_heads: Option<usize>,
    hidden_dim: Option<usize>,
    activation: Option<String>,
    // MPNet
    relative_attention_num_buckets: Option<usize>,
}

impl Config {
    pub(super) fn read(path: &Path) -> Result<Self, Error> {
        let file: File = read_json(path)?;
        let family = known(path, "kind of encoder", &file.model_type, &KINDS)?;
        let distil = family == Family::DistilBert;
        let activation = if distil { &file.activation } else { &file.hidden_act };
        let activation = activation.as_deref().unwrap_or("gelu");
        let activation = known(path, "activation", activation, &ACTIVATIONS)?;
        if let Some(kind) = &file.position_embedding_type {
            known(path, "kind of positions", kind, &[("absolute", ())])?;
        }
        let size = |name: &str, size: Option<usize>, most: usize| {
            let size = size.ok_or_else(|| Error::damaged(path, format!("there is no `{name}`")))?;
            if (1..=most).contains(&size) { Ok(size) } else { Err(wrong(path, name, size)) }
        };
        let either = |names: [&'static str; 2], sizes: [Option<usize>; 2], most: usize| {
            if distil { size(names[1], sizes[1], most) } else { size(names[0], sizes[0], most) }
        };
        let hidden_size = either(["hidden_size", "dim"], [file.hidden_size, file.dim], MAX_SIZE)?;
        let layers =
            either(["num_hidden_layers", "n_layers"], [file.num_hidden_layers, file.n_layers], MAX_LAYERS)?;
        let heads =
            either(["num_attention_heads", "n_heads"], [file.num_attention_heads, file.n_heads], MAX_SIZE)?;
        let intermediate_size =
            either(["intermediate_size", "hidden_dim"], [file.intermediate_size, file.hidden_dim], MAX_SIZE)?;
        let vocab_size = size("vocab_size", file.vocab_size, MAX_SIZE)?;
        let max_position_embeddings =
            size("max_position_embeddings", file.max_position_embeddings, MAX_SIZE)?;
        if !hidden_size.is_multiple_of(heads) {
            return Err(wrong(path, if distil { "n_heads" } else { "num_attention_heads" }, heads));
        }
        let albert = family == Family::Albert;
        let embedding_size =
            if albert { size("embedding_size", file.embedding_size, MAX_SIZE)? } else { hidden_size };
        let groups =
            size("num_hidden_groups", file.num_hidden_groups.filter(|_| albert).or(Some(1)), layers)?;
        let inner_layers =
            size("inner_group_num", file.inner_group_num.filter(|_| albert).or(Some(1)), MAX_LAYERS)?;
        let distances = size(
            "relative_attention_num_buckets",
            file.relative_attention_num_buckets.or(Some(32)),
            MAX_SIZE,
        )?;
        if family == Family::Mpnet && distances < 4 {
            return Err(wrong(path, "relative_attention_num_buckets", distances));
        }
        let position_offset = match family {
            Family::Bert | Family::Albert | Family::DistilBert => 0,
            Family::Roberta => file.pad_token_id.unwrap_or(USUAL_PADDING).saturating_add(1),
            // Whatever the configuration states.
            Family::Mpnet => USUAL_PADDING + 1,
        };
        let window = max_position_embeddings
            .checked_sub(position_offset)
            .filter(|window| *window > 0)
            .ok_or_else(|| wrong(path, "max_position_embeddings", max_position_embeddings))?;
        let layer_norm_eps = file.layer_norm_eps.unwrap_or(1e-12);
        if !(0.0..1.0).contains(&layer_norm_eps) {
            return Err(Error::damaged(
                path,
                format!("`layer_norm_eps` is {layer_norm_eps}, which cannot be"),
            ));
        }
        Ok(Self {
            family,
            hidden_size,
            embedding_size,
            heads,
            intermediate_size,
            vocab_size,
            max_position_embeddings,
            type_vocab_size: match family {
                Family::Mpnet | Family::DistilBert => 0,
                _ => file.type_vocab_size.unwrap_or(0),
            },
            layer_norm_eps: layer_norm_eps as f32,
            activation,
            position_offset,
            window,
            layers,
            groups,
            inner_layers,
            distances,
        })
    }
}

fn wrong(path: &Path, name: &str, size: usize) -> Error {
    Error::damaged(path, format!("`{name}` is {size}, which cannot be"))
}

/// Reads a file of JSON.
pub(super) fn read_json<T: DeserializeOwned>(path: &Path) -> Result<T, Error> {
    let json = std::fs::read(path).map_err(|cause| Error::io(path, cause))?;
    serde_json::from_slice(&json).map_err(|cause| Error::damaged(path, cause.to_string()))
}

/// The value that a name stands for, or that it is not known and what is.
pub(super) fn known<T: Copy>(
    path: &Path,
    what: &'static str,
    found: &str,
    known: &[(&'static str, T)],
) -> Result<T, Error> {
    known.iter().find(|(name, _)| *name == found).map(|(_, value)| *value).ok_or_else(|| Error::Unknown {
        path: path.to_owned(),
        what,
        found: found.to_owned(),
        known: known.iter().map(|(name, _)| *name).collect(),
    })
}
