//! Positions, as angles by which pairs of numbers are turned.

use super::shape::{Pairs, Shape};
use candle_core::{D, Device, Result, Tensor};

/// The angles of one kind of layer.
#[derive(Debug)]
pub(super) struct Rope {
    /// What a position is multiplied by, for each pair.
    frequencies: Vec<f64>,
    factor: f64,
    pairs: Pairs,
}

/// Sines and cosines for a few positions.
pub(super) struct Angles {
    sines: Tensor,
    cosines: Tensor,
    pairs: Pairs,
}

impl Rope {
    /// Frequencies fall from 1 to nearly one over `base`; positions are divided by `divisor`, and
    /// frequencies one by one by `divisors`, as long-context models want it.
    pub(super) fn new(shape: &Shape, base: f64, divisor: f64, divisors: Option<&[f32]>) -> Self {
        let frequencies = (0..shape.turned / 2)
            .map(|pair| {
                let frequency = base.powf(-((2 * pair) as f64) / shape.turned as f64) / divisor;
                frequency / divisors.map_or(1.0, |divisors| f64::from(divisors[pair]))
            })
            .collect();
        Self { frequencies, factor: shape.rope_factor, pairs: shape.pairs }
    }

    /// The angles of `length` positions from `start` on.
    pub(super) fn angles(&self, start: usize, length: usize) -> Result<Angles> {
        let mut sines = Vec::with_capacity(length * self.frequencies.len());
        let mut cosines = Vec::with_capacity(length * self.frequencies.len());
        for position in start..start + length {
            for frequency in &self.frequencies {
                let (sine, cosine) = (position as f64 * frequency).sin_cos();
                sines.push((sine * self.factor) as f32);
                cosines.push((cosine * self.factor) as f32);
            }
        }
        let size = (length, self.frequencies.len());
        Ok(Angles {
            sines: Tensor::from_vec(sines, size, &Device::Cpu)?,
            cosines: Tensor::from_vec(cosines, size, &Device::Cpu)?,
            pairs: self.pairs,
        })
    }
}

impl Angles {
    /// Turns the first numbers of each head; `heads` is heads by tokens by size.
    pub(super) fn turn(&self, heads: &Tensor) -> Result<Tensor> {
        let turned = 2 * self.sines.dim(D::Minus1)?;
        let size = heads.dim(D::Minus1)?;
        let part = heads.narrow(D::Minus1, 0, turned)?.contiguous()?.unsqueeze(0)?;
        let part = match self.pairs {
            Pairs::Neighbours => candle_nn::rotary_emb::rope_i(&part, &self.cosines, &self.sines)?,
            Pairs::Halves => candle_nn::rotary_emb::rope(&part, &self.cosines, &self.sines)?,
        };
        let part = part.squeeze(0)?;
        if turned == size {
            return Ok(part);
        }
        let rest = heads.narrow(D::Minus1, turned, size - turned)?;
        Tensor::cat(&[&part, &rest], D::Minus1)
    }
}
