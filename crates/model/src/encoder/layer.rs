//! One layer of an encoder: every token looks at every other, then two matrices.

use super::config::{Activation, Config};
use super::weights::Weights;
use crate::Error;
use candle_core::{Result, Tensor};

/// A matrix that rows are multiplied by, and what is added then.
struct Linear {
    weights: Tensor,
    bias: Tensor,
}

impl Linear {
    fn read(
        weights: &Weights<'_>,
        name: &str,
        rows: usize,
        columns: usize,
    ) -> std::result::Result<Self, Error> {
        Ok(Self {
            weights: weights.tensor(&format!("{name}.weight"), &[rows, columns])?,
            bias: weights.tensor(&format!("{name}.bias"), &[rows])?,
        })
    }

    fn forward(&self, rows: &Tensor) -> Result<Tensor> {
        rows.matmul(&self.weights.t()?)?.broadcast_add(&self.bias)
    }
}

/// Brings rows to mean 0 and variance 1, then scales and moves each number.
pub(super) struct LayerNorm {
    weights: Tensor,
    bias: Tensor,
    epsilon: f32,
}

impl LayerNorm {
    pub(super) fn read(
        weights: &Weights<'_>,
        name: &str,
        size: usize,
        epsilon: f64,
    ) -> std::result::Result<Self, Error> {
        Ok(Self {
            weights: weights.tensor(&format!("{name}.weight"), &[size])?,
            bias: weights.tensor(&format!("{name}.bias"), &[size])?,
            epsilon: epsilon as f32,
        })
    }

    pub(super) fn forward(&self, rows: &Tensor) -> Result<Tensor> {
        candle_nn::ops::layer_norm(&rows.contiguous()?, &self.weights, &self.bias, self.epsilon)
    }
}

/// One layer.
pub(super) struct Layer {
    query: Linear,
    key: Linear,
    value: Linear,
    output: Linear,
    output_norm: LayerNorm,
    up: Linear,
    down: Linear,
    down_norm: LayerNorm,
    heads: usize,
    activation: Activation,
}

impl Layer {
    pub(super) fn read(
        weights: &Weights<'_>,
        number: usize,
        config: &Config,
    ) -> std::result::Result<Self, Error> {
        let (hidden, inner, epsilon) = (config.hidden_size, config.intermediate_size, config.layer_norm_eps);
        let name = |part: &str| format!("encoder.layer.{number}.{part}");
        let linear = |part: &str, rows, columns| Linear::read(weights, &name(part), rows, columns);
        let norm = |part: &str| LayerNorm::read(weights, &name(part), hidden, epsilon);
        Ok(Self {
            query: linear("attention.self.query", hidden, hidden)?,
            key: linear("attention.self.key", hidden, hidden)?,
            value: linear("attention.self.value", hidden, hidden)?,
            output: linear("attention.output.dense", hidden, hidden)?,
            output_norm: norm("attention.output.LayerNorm")?,
            up: linear("intermediate.dense", inner, hidden)?,
            down: linear("output.dense", hidden, inner)?,
            down_norm: norm("output.LayerNorm")?,
            heads: config.heads,
            activation: config.activation,
        })
    }

    pub(super) fn forward(&self, rows: &Tensor) -> Result<Tensor> {
        let attended = self.output.forward(&self.attention(rows)?)?;
        let rows = self.output_norm.forward(&(rows + attended)?)?;
        let inner = self.up.forward(&rows)?;
        let inner = match self.activation {
            Activation::Gelu => inner.gelu_erf()?,
            Activation::GeluByTanh => inner.gelu()?,
            Activation::Relu => inner.relu()?,
        };
        self.down_norm.forward(&(rows + self.down.forward(&inner)?)?)
    }

    fn attention(&self, rows: &Tensor) -> Result<Tensor> {
        let (tokens, hidden) = rows.dims2()?;
        let size = hidden / self.heads;
        let heads = |rows: Tensor| rows.reshape((tokens, self.heads, size))?.transpose(0, 1)?.contiguous();
        let query = (heads(self.query.forward(rows)?)? * (1.0 / (size as f64).sqrt()))?;
        let key = heads(self.key.forward(rows)?)?;
        let value = heads(self.value.forward(rows)?)?;
        let shares = candle_nn::ops::softmax_last_dim(&query.matmul(&key.transpose(1, 2)?)?)?;
        shares.matmul(&value)?.transpose(0, 1)?.reshape((tokens, hidden))
    }
}
