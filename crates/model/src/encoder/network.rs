//! The layers of an encoder: hidden states from tokens.
//!
//! Several texts go through the layers at once, one after the other in the
//! same rows and without padding. Products are made over all rows; a token
//! attends to those of its own text only.

use super::config::{Config, Family};
use super::matrix::{Blocks, Linear, PANEL, Panels, Spread, Then};
use super::numbers::{Activation, LayerNorm, softmax};
use super::weights::Weights;
use crate::Error;
use std::mem::take;

/// The tensor of MPNet's distances.
pub(super) const BUCKETS: &str = "encoder.relative_attention_bias.weight";
/// Distances beyond this are the same to MPNet.
const MAX_DISTANCE: f32 = 128.0;

/// The weights of an encoder.
#[derive(Debug)]
pub(super) struct Network {
    embeddings: Embeddings,
    layers: Vec<Layer>,
    /// Which layers are applied, one after the other.
    order: Vec<usize>,
    distances: Option<Distances>,
    heads: usize,
    hidden: usize,
    activation: Activation,
}

/// The tokens of a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct TokenIds<'a> {
    pub(super) ids: &'a [u32],
    pub(super) types: &'a [u32],
}

/// Memory that is used again by one batch after the other.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    rows: Vec<f32>,
    queries_keys_values: Vec<f32>,
    attended: Vec<f32>,
    inner: Vec<f32>,
    pub(super) blocks: Blocks,
    pub(super) keys: Panels,
    pub(super) values: Panels,
    pub(super) scores: Vec<f32>,
    pub(super) sums: Vec<f32>,
    pub(super) bias: Vec<f32>,
}

impl Network {
    /// Reads the layers up to `layer`, counted from 1.
    pub(super) fn read(weights: &Weights, config: &Config, layer: usize) -> Result<Self, Error> {
        let embeddings = Embeddings::read(weights, config)?;
        let (names, order) = layers(config, layer);
        let layers = names.iter().map(|name| Layer::read(weights, name, config)).collect::<Result<_, _>>()?;
        let distances = match config.family {
            Family::Mpnet => Some(Distances::read(weights, config)?),
            _ => None,
        };
        let (heads, hidden, activation) = (config.heads, config.hidden_size, config.activation);
        Ok(Self { embeddings, layers, order, distances, heads, hidden, activation })
    }

    /// How many numbers the state of a token has.
    pub(super) fn hidden(&self) -> usize {
        self.hidden
    }

    /// The hidden states of all tokens of all texts, one after the other.
    ///
    /// Tokens and their types have embeddings, and no text is longer than the window: whoever makes them sees
    /// to that.
    pub(super) fn states<'s>(
        &self,
        texts: &[TokenIds<'_>],
        scratch: &'s mut Scratch,
        spread: Spread,
    ) -> &'s [f32] {
        self.embeddings.forward(texts, scratch, spread);
        let num_rows = scratch.rows.len() / self.hidden;
        for &layer in &self.order {
            let layer = &self.layers[layer];
            let Scratch { rows, queries_keys_values, attended, inner, blocks, .. } = &mut *scratch;
            queries_keys_values.resize(num_rows * layer.queries_keys_values.columns(), 0.0);
            layer.queries_keys_values.forward(rows, blocks, queries_keys_values, Then::Store, spread);
            attended.resize(num_rows * self.hidden, 0.0);
            inner.resize(num_rows * layer.up.columns(), 0.0);
            let input = take(&mut scratch.queries_keys_values);
            let mut output = take(&mut scratch.attended);
            attention(texts, self.heads, self.distances.as_ref(), (&input, &mut output), scratch);
            (scratch.queries_keys_values, scratch.attended) = (input, output);
            let Scratch { rows, attended, inner, blocks, .. } = &mut *scratch;
            layer.output.forward(attended, blocks, rows, Then::Add, spread);
            layer.output_norm.forward(rows);
            layer.up.forward(rows, blocks, inner, Then::Activate(self.activation), spread);
            layer.down.forward(inner, blocks, rows, Then::Add, spread);
            layer.down_norm.forward(rows);
        }
        &scratch.rows
    }
}

/// The names of the layers up to `layer`, counted from 1, and which of them are applied one after the other: those of
/// ALBERT share their weights.
pub(super) fn layers(config: &Config, layer: usize) -> (Vec<String>, Vec<usize>) {
    // Groups of layers of the same weights have the same length, up to rounding.
    let group = |layer: usize| layer * config.groups / config.layers;
    let inner = config.inner_layers;
    let (mut names, mut order) = (Vec::new(), Vec::new());
    if config.family == Family::Albert {
        for layer in 0..layer {
            order.extend(group(layer) * inner..(group(layer) + 1) * inner);
        }
        for layer in 0..=order.last().copied().unwrap_or_default() {
            let (group, inner) = (layer / inner, layer % inner);
            names.push(format!("encoder.albert_layer_groups.{group}.albert_layers.{inner}"));
        }
    } else {
        let base = if config.family == Family::DistilBert { "transformer" } else { "encoder" };
        names.extend((0..layer).map(|layer| format!("{base}.layer.{layer}")));
        order.extend(0..layer);
    }
    (names, order)
}

/// Every token attends to all tokens of its text: from queries, keys and values to what it attends to.
pub(super) fn attention(
    texts: &[TokenIds<'_>],
    heads: usize,
    distances: Option<&Distances>,
    (input, output): (&[f32], &mut [f32]),
    scratch: &mut Scratch,
) {
    let Scratch { blocks, keys, values, scores, sums, bias, .. } = scratch;
    let all: usize = texts.iter().map(|text| text.ids.len()).sum();
    let hidden = output.len() / all.max(1);
    let size = hidden / heads;
    let scale = 1.0 / (size as f32).sqrt();
    let (mut input, mut output) = (input, output);
    for text in texts {
        let tokens = text.ids.len();
        let (these, rest) = input.split_at(tokens * 3 * hidden);
        input = rest;
        let (out, rest) = output.split_at_mut(tokens * hidden);
        output = rest;
        if tokens == 0 {
            continue;
        }
        let stride = tokens.next_multiple_of(PANEL);
        scores.resize(tokens * stride, 0.0);
        for head in 0..heads {
            let first = head * size;
            blocks.pack(these, 3 * hidden, first, size);
            keys.pack_columns(these, 3 * hidden, hidden + first, size);
            keys.multiply(blocks, scores, stride);
            let bias = distances.map(|distances| distances.bias(head, tokens, bias));
            softmax(scores, stride, tokens, scale, bias, sums);
            blocks.pack(scores, stride, 0, tokens);
            values.pack_rows(these, 3 * hidden, 2 * hidden + first, size);
            values.multiply(blocks, &mut out[first..], hidden);
            for (row, sum) in out.chunks_exact_mut(hidden).zip(&*sums) {
                row[first..][..size].iter_mut().for_each(|number| *number /= sum);
            }
        }
    }
}

/// What stands for tokens before the first layer.
#[derive(Debug)]
struct Embeddings {
    size: usize,
    words: Vec<f32>,
    /// From the position of the first token on.
    positions: Vec<f32>,
    /// Empty where tokens have no types.
    types: Vec<f32>,
    norm: LayerNorm,
    /// To the size of layers, where embeddings are smaller.
    widen: Option<Linear>,
}

impl Embeddings {
    fn read(weights: &Weights, config: &Config) -> Result<Self, Error> {
        let size = config.embedding_size;
        let words = weights.tensor("embeddings.word_embeddings.weight", &[config.vocab_size, size])?;
        let mut positions = weights
            .tensor("embeddings.position_embeddings.weight", &[config.max_position_embeddings, size])?;
        positions.drain(..config.position_offset * size);
        let types = match config.type_vocab_size {
            0 => None,
            count => weights.optional("embeddings.token_type_embeddings.weight", &[count, size])?,
        };
        let norm = weights.layer_norm("embeddings.LayerNorm", size, config.layer_norm_eps)?;
        let widen = match config.family {
            Family::Albert => {
                Some(weights.linear("encoder.embedding_hidden_mapping_in", config.hidden_size, size)?)
            }
            _ => None,
        };
        Ok(Self { size, words, positions, types: types.unwrap_or_default(), norm, widen })
    }

    fn forward(&self, texts: &[TokenIds<'_>], scratch: &mut Scratch, spread: Spread) {
        let Scratch { rows, inner, blocks, .. } = scratch;
        let size = self.size;
        let out = if self.widen.is_some() { &mut *inner } else { &mut *rows };
        out.clear();
        for text in texts {
            let positions = self.positions.chunks_exact(size);
            for ((&id, &kind), position) in text.ids.iter().zip(text.types).zip(positions) {
                let first = out.len();
                out.extend_from_slice(&self.words[id as usize * size..][..size]);
                let row = &mut out[first..];
                if !self.types.is_empty() {
                    let kind = &self.types[kind as usize * size..][..size];
                    row.iter_mut().zip(kind).for_each(|(number, kind)| *number += kind);
                }
                row.iter_mut().zip(position).for_each(|(number, position)| *number += position);
            }
        }
        self.norm.forward(out);
        if let Some(widen) = &self.widen {
            rows.resize(inner.len() / size * widen.columns(), 0.0);
            widen.forward(inner, blocks, rows, Then::Store, spread);
        }
    }
}

/// One layer: tokens attend to each other, then two matrices.
#[derive(Debug)]
struct Layer {
    queries_keys_values: Linear,
    output: Linear,
    output_norm: LayerNorm,
    up: Linear,
    down: Linear,
    down_norm: LayerNorm,
}

/// What the parts of a layer are called.
pub(super) struct Names {
    pub(super) queries_keys_values: [&'static str; 3],
    pub(super) output: &'static str,
    pub(super) output_norm: &'static str,
    pub(super) up: &'static str,
    pub(super) down: &'static str,
    pub(super) down_norm: &'static str,
}

impl Names {
    pub(super) fn of(family: Family) -> Self {
        match family {
            Family::Bert | Family::Roberta => Self {
                queries_keys_values: ["attention.self.query", "attention.self.key", "attention.self.value"],
                output: "attention.output.dense",
                output_norm: "attention.output.LayerNorm",
                up: "intermediate.dense",
                down: "output.dense",
                down_norm: "output.LayerNorm",
            },
            Family::Mpnet => Self {
                queries_keys_values: ["attention.attn.q", "attention.attn.k", "attention.attn.v"],
                output: "attention.attn.o",
                output_norm: "attention.LayerNorm",
                ..Self::of(Family::Bert)
            },
            Family::Albert => Self {
                queries_keys_values: ["attention.query", "attention.key", "attention.value"],
                output: "attention.dense",
                output_norm: "attention.LayerNorm",
                up: "ffn",
                down: "ffn_output",
                down_norm: "full_layer_layer_norm",
            },
            Family::DistilBert => Self {
                queries_keys_values: ["attention.q_lin", "attention.k_lin", "attention.v_lin"],
                output: "attention.out_lin",
                output_norm: "sa_layer_norm",
                up: "ffn.lin1",
                down: "ffn.lin2",
                down_norm: "output_layer_norm",
            },
        }
    }
}

impl Layer {
    fn read(weights: &Weights, layer: &str, config: &Config) -> Result<Self, Error> {
        let (hidden, inner, epsilon) = (config.hidden_size, config.intermediate_size, config.layer_norm_eps);
        let names = Names::of(config.family);
        let full = |part: &str| format!("{layer}.{part}");
        let [query, key, value] = names.queries_keys_values.map(full);
        Ok(Self {
            queries_keys_values: weights.stacked(&[&query, &key, &value], hidden, hidden)?,
            output: weights.linear(&full(names.output), hidden, hidden)?,
            output_norm: weights.layer_norm(&full(names.output_norm), hidden, epsilon)?,
            up: weights.linear(&full(names.up), inner, hidden)?,
            down: weights.linear(&full(names.down), hidden, inner)?,
            down_norm: weights.layer_norm(&full(names.down_norm), hidden, epsilon)?,
        })
    }
}

/// What is added to a score for the distance of two tokens, the same in all layers.
#[derive(Debug)]
pub(super) struct Distances {
    window: usize,
    /// For each head, from the farthest token before to the farthest after.
    bias: Vec<f32>,
}

impl Distances {
    fn read(weights: &Weights, config: &Config) -> Result<Self, Error> {
        let buckets = weights.tensor(BUCKETS, &[config.distances, config.heads])?;
        Ok(Self::new(&buckets, config))
    }

    /// From a row of numbers for each bucket of distances, one for each head.
    pub(super) fn new(buckets: &[f32], config: &Config) -> Self {
        let (window, heads) = (config.window, config.heads);
        let farthest = window as isize - 1;
        let distances = || -farthest..=farthest;
        let bias = (0..heads)
            .flat_map(|head| {
                let bucket = |distance| bucket(distance, config.distances);
                distances().map(move |distance| bucket(distance) * heads + head)
            })
            .map(|place| buckets[place])
            .collect();
        Self { window, bias }
    }

    /// The bias of a head for all pairs of tokens of a text: a row for each token that attends.
    pub(super) fn bias<'b>(&self, head: usize, tokens: usize, out: &'b mut Vec<f32>) -> &'b [f32] {
        let width = 2 * self.window - 1;
        let bias = &self.bias[head * width..][..width];
        out.clear();
        for token in 0..tokens {
            out.extend_from_slice(&bias[self.window - 1 - token..][..tokens]);
        }
        out
    }
}

/// Which number stands for a token that is so far after another, or before: each distance has one of its own
/// up to a quarter of all, then ever more distances share one.
pub(super) fn bucket(distance: isize, buckets: usize) -> usize {
    let half = buckets / 2;
    let exact = half / 2;
    let side = if distance > 0 { half } else { 0 };
    let distance = distance.unsigned_abs();
    if distance < exact {
        return side + distance;
    }
    let share = libm::logf(distance as f32 / exact as f32) / libm::logf(MAX_DISTANCE / exact as f32);
    side + (half - 1).min(exact + (share * (half - exact) as f32) as usize)
}

#[cfg(test)]
mod tests {
    use super::bucket;

    /// The numbers that transformers gives for 32 buckets.
    #[test]
    fn distances_share_buckets_as_in_transformers() {
        let before: Vec<usize> =
            [0, 1, 7, 8, 11, 12, 15, 16, 22, 23, 31, 32, 45, 46, 63, 64, 90, 91, 127, 128, 511]
                .map(|distance| bucket(-distance, 32))
                .to_vec();
        assert_eq!(before, [0, 1, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13, 14, 14, 15, 15, 15, 15]);
        assert_eq!(bucket(3, 32), 19);
        assert_eq!(bucket(300, 32), 31);
    }
}
