//! One layer of a decoder: attention, then two or three matrices.

use super::cache::Cache;
use super::matrix::Matrix;
use super::rope::Angles;
use super::shape::{Architecture, Shape};
use crate::Error;
use crate::gguf::Tensors;
use candle_core::{D, Result, Tensor};

/// A matrix that rows are multiplied by, and what is added then.
#[derive(Debug)]
struct Linear {
    weights: Matrix,
    bias: Option<Tensor>,
}

impl Linear {
    fn read(
        tensors: &mut Tensors<'_>,
        name: &str,
        rows: usize,
        columns: usize,
    ) -> std::result::Result<Self, Error> {
        let weights = Matrix::read(tensors, &format!("{name}.weight"), rows, columns)?;
        let bias = tensors.optional_vector(&format!("{name}.bias"), rows)?;
        Ok(Self { weights, bias })
    }

    fn forward(&self, rows: &Tensor) -> Result<Tensor> {
        let product = self.weights.multiply(rows)?;
        match &self.bias {
            Some(bias) => product.broadcast_add(bias),
            None => Ok(product),
        }
    }
}

/// Scales rows to a root mean square of one, and then each number.
#[derive(Debug)]
pub(super) struct Norm {
    weights: Tensor,
    epsilon: f32,
}

impl Norm {
    pub(super) fn read(
        tensors: &mut Tensors<'_>,
        name: &str,
        size: usize,
        epsilon: f64,
    ) -> std::result::Result<Self, Error> {
        Ok(Self { weights: tensors.vector(&format!("{name}.weight"), size)?, epsilon: epsilon as f32 })
    }

    fn optional(
        tensors: &mut Tensors<'_>,
        name: &str,
        size: usize,
        epsilon: f64,
    ) -> std::result::Result<Option<Self>, Error> {
        if tensors.has(&format!("{name}.weight")) {
            Self::read(tensors, name, size, epsilon).map(Some)
        } else {
            Ok(None)
        }
    }

    pub(super) fn forward(&self, rows: &Tensor) -> Result<Tensor> {
        candle_nn::ops::rms_norm(&rows.contiguous()?, &self.weights, self.epsilon)
    }
}

/// One matrix for queries, keys and values, or three.
#[derive(Debug)]
enum Projection {
    /// In this order.
    Apart(Box<[Linear; 3]>),
    Together(Linear),
}

/// One matrix for gate and value of the feed-forward part, or two.
#[derive(Debug)]
enum Gate {
    Apart { gate: Linear, up: Linear },
    Together(Linear),
}

/// One layer.
#[derive(Debug)]
pub(super) struct Layer {
    before_attention: Norm,
    projection: Projection,
    query_norm: Option<Norm>,
    key_norm: Option<Norm>,
    output: Linear,
    after_attention: Option<Norm>,
    before_feed: Norm,
    gate: Gate,
    down: Linear,
    after_feed: Option<Norm>,
    /// How far it looks back, and which angles it uses, is the decoder's to say.
    pub(super) window: Option<usize>,
    heads: usize,
    key_heads: usize,
    head_size: usize,
    query_factor: f64,
    architecture: Architecture,
}

impl Layer {
    pub(super) fn read(
        tensors: &mut Tensors<'_>,
        shape: &Shape,
        number: usize,
    ) -> std::result::Result<Self, Error> {
        let name = |part: &str| format!("blk.{number}.{part}");
        let (hidden, size, epsilon) = (shape.hidden, shape.head_size, shape.epsilon);
        let (query_size, key_size) = (shape.heads * size, shape.key_heads * size);
        let projection = if tensors.has(&name("attn_qkv.weight")) {
            Projection::Together(Linear::read(tensors, &name("attn_qkv"), query_size + 2 * key_size, hidden)?)
        } else {
            Projection::Apart(Box::new([
                Linear::read(tensors, &name("attn_q"), query_size, hidden)?,
                Linear::read(tensors, &name("attn_k"), key_size, hidden)?,
                Linear::read(tensors, &name("attn_v"), key_size, hidden)?,
            ]))
        };
        let gate = if tensors.has(&name("ffn_gate.weight")) {
            Gate::Apart {
                gate: Linear::read(tensors, &name("ffn_gate"), shape.feed_forward, hidden)?,
                up: Linear::read(tensors, &name("ffn_up"), shape.feed_forward, hidden)?,
            }
        } else {
            Gate::Together(Linear::read(tensors, &name("ffn_up"), 2 * shape.feed_forward, hidden)?)
        };
        // A model that lacks one of these would run and write nonsense.
        let normed = matches!(shape.architecture, Architecture::Qwen3 | Architecture::Gemma3);
        let wrapped = shape.architecture == Architecture::Gemma3;
        let mut norm = |part: &str, size, needed| {
            if needed {
                Norm::read(tensors, &name(part), size, epsilon).map(Some)
            } else {
                Norm::optional(tensors, &name(part), size, epsilon)
            }
        };
        let query_norm = norm("attn_q_norm", size, normed)?;
        let key_norm = norm("attn_k_norm", size, normed)?;
        let after_attention = norm("post_attention_norm", hidden, wrapped)?;
        let after_feed = norm("post_ffw_norm", hidden, wrapped)?;
        Ok(Self {
            before_attention: Norm::read(tensors, &name("attn_norm"), hidden, epsilon)?,
            projection,
            query_norm,
            key_norm,
            output: Linear::read(tensors, &name("attn_output"), hidden, query_size)?,
            after_attention,
            before_feed: Norm::read(tensors, &name("ffn_norm"), hidden, epsilon)?,
            gate,
            down: Linear::read(tensors, &name("ffn_down"), hidden, shape.feed_forward)?,
            after_feed,
            window: shape.window_of(number),
            heads: shape.heads,
            key_heads: shape.key_heads,
            head_size: size,
            query_factor: shape.query_factor,
            architecture: shape.architecture,
        })
    }

    /// Rows of tokens through this layer; `mask` says what they must not look at.
    pub(super) fn forward(
        &self,
        rows: &Tensor,
        angles: &Angles,
        mask: Option<&Tensor>,
        cache: &mut Cache,
    ) -> Result<Tensor> {
        let attended = self.attention(&self.before_attention.forward(rows)?, angles, mask, cache)?;
        let rows = (rows + optionally(self.after_attention.as_ref(), attended)?)?;
        let fed = self.feed_forward(&self.before_feed.forward(&rows)?)?;
        rows + optionally(self.after_feed.as_ref(), fed)?
    }

    fn attention(
        &self,
        rows: &Tensor,
        angles: &Angles,
        mask: Option<&Tensor>,
        cache: &mut Cache,
    ) -> Result<Tensor> {
        let tokens = rows.dim(0)?;
        let (queries, keys, values) = match &self.projection {
            Projection::Apart(matrices) => {
                let [queries, keys, values] = matrices.as_ref();
                (queries.forward(rows)?, keys.forward(rows)?, values.forward(rows)?)
            }
            Projection::Together(matrix) => {
                let all = matrix.forward(rows)?;
                let (query_size, key_size) = (self.heads * self.head_size, self.key_heads * self.head_size);
                (
                    all.narrow(1, 0, query_size)?,
                    all.narrow(1, query_size, key_size)?,
                    all.narrow(1, query_size + key_size, key_size)?,
                )
            }
        };
        let heads = |rows: &Tensor, heads: usize, norm: Option<&Norm>| {
            let rows = rows.reshape((tokens, heads, self.head_size))?;
            match norm {
                Some(norm) => norm.forward(&rows)?.transpose(0, 1),
                None => rows.transpose(0, 1),
            }
        };
        let queries = angles.turn(&heads(&queries, self.heads, self.query_norm.as_ref())?)?;
        let keys = angles.turn(&heads(&keys, self.key_heads, self.key_norm.as_ref())?)?;
        let values = heads(&values, self.key_heads, None)?;
        let (keys, values) = cache.append(&keys, &values)?;

        // The heads of a group share their keys: they are rows of one multiplication.
        let group = self.heads / self.key_heads;
        let seen = keys.dim(1)?;
        let queries = (queries * self.query_factor)?;
        let queries = queries.contiguous()?.reshape((self.key_heads, group * tokens, self.head_size))?;
        let mut scores = queries.matmul(&keys.transpose(1, 2)?)?;
        if let Some(mask) = mask {
            let grouped = scores.reshape((self.heads, tokens, seen))?;
            scores = grouped.broadcast_add(mask)?.reshape((self.key_heads, group * tokens, seen))?;
        }
        let shares = candle_nn::ops::softmax_last_dim(&scores)?;
        let mixed = shares.matmul(&values)?.reshape((self.heads, tokens, self.head_size))?;
        let mixed = mixed.transpose(0, 1)?.reshape((tokens, self.heads * self.head_size))?;
        self.output.forward(&mixed)
    }

    fn feed_forward(&self, rows: &Tensor) -> Result<Tensor> {
        let (gate, up) = match &self.gate {
            Gate::Apart { gate, up } => (gate.forward(rows)?, up.forward(rows)?),
            Gate::Together(matrix) => {
                let both = matrix.forward(rows)?;
                let size = both.dim(D::Minus1)? / 2;
                (both.narrow(1, 0, size)?.contiguous()?, both.narrow(1, size, size)?.contiguous()?)
            }
        };
        let gate = match self.architecture {
            Architecture::Gemma3 => gate.gelu()?,
            _ => gate.silu()?,
        };
        self.down.forward(&(gate * up)?)
    }
}

fn optionally(norm: Option<&Norm>, rows: Tensor) -> Result<Tensor> {
    match norm {
        Some(norm) => norm.forward(&rows),
        None => Ok(rows),
    }
}
