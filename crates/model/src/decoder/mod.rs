//! Which token comes next? The part of a language model that counts.
//!
//! One decoder serves all architectures: they differ in a few parts that a
//! layer has or has not, and in a few numbers. Weights are shared and never
//! change; what belongs to one text is in its [`Memory`]. Texts, tokens and
//! the choice among tokens are others'.

mod blocks;
mod cache;
mod layer;
mod matrix;
mod rope;
mod shape;

use crate::Error;
use crate::gguf::{Header, Tensors};
pub(crate) use blocks::half;
use cache::Cache;
use candle_core::{Device, Result, Tensor};
use generate::Continue;
use layer::{Layer, Norm};
use matrix::Matrix;
use rope::{Angles, Rope};
pub(crate) use shape::{Architecture, Shape};

/// How many tokens of a prompt go through the layers at once, at most and at least.
const TOKENS_AT_ONCE: (usize, usize) = (256, 8);
/// How many scores attention may hold at once: 256 MiB of them, and again as much while it works.
const SCORES_AT_ONCE: usize = 1 << 26;

/// The weights of a model.
#[derive(Debug)]
pub(crate) struct Decoder {
    embeddings: Matrix,
    embedding_factor: f64,
    layers: Vec<Layer>,
    heads: usize,
    /// Of layers that look at everything, and of those that look at what is near.
    far: Rope,
    near: Rope,
    last_norm: Norm,
    /// None where the embeddings serve for it.
    output: Option<Matrix>,
}

/// What a decoder remembers of a text.
#[derive(Debug)]
pub(crate) struct Memory {
    caches: Vec<Cache>,
}

impl Memory {
    /// How many tokens it has seen.
    pub(crate) fn len(&self) -> usize {
        self.caches.first().map_or(0, Cache::len)
    }
}

impl Decoder {
    /// Reads the weights of a model that will look at no more than `context` tokens.
    ///
    /// # Errors
    ///
    /// When a tensor is missing or has another shape than the metadata says.
    pub(crate) fn read(header: &Header, shape: &Shape, context: usize) -> std::result::Result<Self, Error> {
        let mut tensors = Tensors::open(header)?;
        let rows = header
            .tensors
            .get("token_embd.weight")
            .and_then(|info| info.shape.first().copied())
            .ok_or_else(|| Error::damaged(&header.path, "there is no tensor `token_embd.weight`"))?;
        let embeddings = Matrix::read(&mut tensors, "token_embd.weight", rows, shape.hidden)?;
        let output = if tensors.has("output.weight") {
            Some(Matrix::read(&mut tensors, "output.weight", rows, shape.hidden)?)
        } else {
            None
        };
        let last_norm = Norm::read(&mut tensors, "output_norm", shape.hidden, shape.epsilon)?;
        let divisors = rope_divisors(&mut tensors, shape, context)?;
        let layers = (0..shape.layers)
            .map(|layer| Layer::read(&mut tensors, shape, layer))
            .collect::<std::result::Result<_, _>>()?;
        let gemma = shape.architecture == Architecture::Gemma3;
        Ok(Self {
            embeddings,
            embedding_factor: if gemma { (shape.hidden as f64).sqrt() } else { 1.0 },
            layers,
            heads: shape.heads,
            far: Rope::new(shape, shape.rope_base, shape.rope_divisor, divisors.as_deref()),
            near: Rope::new(shape, shape::NEAR_ROPE_BASE, 1.0, None),
            last_norm,
            output,
        })
    }

    /// How many tokens it tells apart.
    pub(crate) fn num_tokens(&self) -> usize {
        self.embeddings.rows()
    }

    /// The memory of a text that has not begun.
    pub(crate) fn memory(&self) -> Memory {
        Memory { caches: self.layers.iter().map(|_| Cache::new()).collect() }
    }

    /// Reads tokens and says how likely each token is to come next: a number for each, the higher the likelier.
    ///
    /// While many tokens are read, `go_on` is asked after each layer, which takes about as long as writing a
    /// token does. When it says no, nothing is said, and the memory is good for nothing any more.
    ///
    /// # Errors
    ///
    /// When a token is not of the vocabulary, or none was given.
    pub(crate) fn forward(
        &self,
        tokens: &[u32],
        memory: &mut Memory,
        go_on: &mut dyn FnMut() -> Continue,
    ) -> Result<Option<Vec<f32>>> {
        let mut last = None;
        let mut rest = tokens;
        while !rest.is_empty() {
            let (step, after) = rest.split_at(tokens_at_once(self.heads, memory.len()).min(rest.len()));
            last = self.rows(step, memory, go_on)?;
            if last.is_none() {
                return Ok(None);
            }
            rest = after;
        }
        let Some(rows) = last else { candle_core::bail!("there is no token to read") };
        let row = rows.narrow(0, rows.dim(0)? - 1, 1)?;
        let output = self.output.as_ref().unwrap_or(&self.embeddings);
        let scores = output.multiply(&self.last_norm.forward(&row)?)?;
        scores.flatten_all()?.to_vec1().map(Some)
    }

    fn rows(
        &self,
        tokens: &[u32],
        memory: &mut Memory,
        go_on: &mut dyn FnMut() -> Continue,
    ) -> Result<Option<Tensor>> {
        let start = memory.len();
        let mut rows = (self.embeddings.select(tokens)? * self.embedding_factor)?;
        let far = Sight::new(&self.far, start, tokens.len(), None)?;
        let window = self.layers.iter().find_map(|layer| layer.window);
        let near =
            window.map(|window| Sight::new(&self.near, start, tokens.len(), Some(window))).transpose()?;
        for (layer, cache) in self.layers.iter().zip(&mut memory.caches) {
            let sight = if layer.window.is_some() { near.as_ref().unwrap_or(&far) } else { &far };
            rows = layer.forward(&rows, &sight.angles, sight.mask.as_ref(), cache)?;
            if tokens.len() > TOKENS_AT_ONCE.1 && go_on() == Continue::No {
                return Ok(None);
            }
        }
        Ok(Some(rows))
    }
}

/// How many tokens go through the layers at once when so many were seen: fewer, the more there are
/// to look at.
fn tokens_at_once(heads: usize, seen: usize) -> usize {
    let (most, least) = TOKENS_AT_ONCE;
    (SCORES_AT_ONCE / (heads * (seen + most))).clamp(least, most)
}

/// Where the tokens of a step are, and what they may look at.
struct Sight {
    angles: Angles,
    mask: Option<Tensor>,
}

impl Sight {
    fn new(rope: &Rope, start: usize, length: usize, window: Option<usize>) -> Result<Self> {
        let seen = start + length;
        let angles = rope.angles(start, length)?;
        let hidden = |from: usize, to: usize| to > from || window.is_some_and(|window| to + window <= from);
        // A single token looks at everything unless a window ends before the first.
        if length == 1 && window.is_none_or(|window| seen <= window) {
            return Ok(Self { angles, mask: None });
        }
        let mut mask = Vec::with_capacity(length * seen);
        for from in start..seen {
            mask.extend((0..seen).map(|to| if hidden(from, to) { f32::NEG_INFINITY } else { 0.0 }));
        }
        Ok(Self { angles, mask: Some(Tensor::from_vec(mask, (length, seen), &Device::Cpu)?) })
    }
}

/// What the frequencies are divided by one by one, in models made for long texts.
fn rope_divisors(
    tensors: &mut Tensors<'_>,
    shape: &Shape,
    context: usize,
) -> std::result::Result<Option<Vec<f32>>, Error> {
    let long = shape.original_context.is_some_and(|original| context > original);
    let by_length = if long { "rope_factors_long.weight" } else { "rope_factors_short.weight" };
    for name in ["rope_freqs.weight", by_length] {
        if let Some(divisors) = tensors.optional_vector(name, shape.turned / 2)? {
            let divisors: Vec<f32> = divisors.to_vec1().map_err(|cause| tensors.failed(name, &cause))?;
            if divisors.iter().any(|divisor| !divisor.is_normal() || *divisor < 0.0) {
                return Err(tensors.wrong(name, "has a number that nothing can be divided by"));
            }
            return Ok(Some(divisors));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::tokens_at_once;

    #[test]
    fn long_texts_are_read_in_smaller_steps() {
        assert_eq!(tokens_at_once(9, 0), 256);
        assert_eq!(tokens_at_once(32, 8192 - 256), 256);
        assert_eq!(tokens_at_once(32, 131_072 - 256), 16);
        assert_eq!(tokens_at_once(1 << 24, 1 << 32), 8);
    }
}
