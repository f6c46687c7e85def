//! All numbers that training may change, in one row, and the tensors of files that they are.

use super::super::weights::Weights;
use crate::Error;
use std::ops::Range;

/// A tensor of a file, as a part of the row.
#[derive(Clone, Debug)]
pub(super) struct Tensor {
    /// Which file: 0 is that of the encoder, others are those of dense modules.
    pub(super) file: usize,
    /// The name in that file, if it was read from there.
    pub(super) read: Option<String>,
    /// The name that it is written under.
    pub(super) name: String,
    pub(super) shape: Vec<usize>,
    pub(super) range: Range<usize>,
}

/// The parameters of a network.
#[derive(Debug, Default)]
pub(super) struct Parameters {
    pub(super) values: Vec<f32>,
    pub(super) tensors: Vec<Tensor>,
    /// What weight decay is for: matrices, not biases and normalisations.
    pub(super) decayed: Vec<Range<usize>>,
}

/// Where a matrix and what is added then are in the row.
#[derive(Clone, Debug)]
pub(super) struct LinearSlot {
    pub(super) weights: Range<usize>,
    /// Empty where nothing is added.
    pub(super) bias: Range<usize>,
    pub(super) columns: usize,
    pub(super) depth: usize,
}

/// Where a normalisation is in the row.
#[derive(Clone, Debug)]
pub(super) struct NormSlot {
    pub(super) weights: Range<usize>,
    pub(super) bias: Range<usize>,
}

/// A file of weights, and its number.
#[derive(Clone, Copy)]
pub(super) struct From<'w> {
    pub(super) file: usize,
    pub(super) weights: &'w Weights,
}

impl Parameters {
    /// Reads a tensor.
    pub(super) fn read(
        &mut self,
        from: From<'_>,
        name: &str,
        shape: &[usize],
    ) -> Result<Range<usize>, Error> {
        let values = from.weights.tensor(name, shape)?;
        let whole = from.weights.whole_name(name).unwrap_or_else(|| name.to_owned());
        Ok(self.add(
            Tensor {
                file: from.file,
                read: Some(whole.clone()),
                name: whole,
                shape: shape.to_vec(),
                range: 0..0,
            },
            &values,
        ))
    }

    /// Adds a tensor with these values.
    pub(super) fn add(&mut self, tensor: Tensor, values: &[f32]) -> Range<usize> {
        let first = self.values.len();
        self.values.extend_from_slice(values);
        let range = first..self.values.len();
        if tensor.shape.len() > 1 {
            self.decayed.push(range.clone());
        }
        self.tensors.push(Tensor { range: range.clone(), ..tensor });
        range
    }

    /// Matrices of one input, stacked upon each other.
    pub(super) fn linear(
        &mut self,
        from: From<'_>,
        names: &[&str],
        columns: usize,
        depth: usize,
        has_bias: bool,
    ) -> Result<LinearSlot, Error> {
        let mut read = |part: &str, shape: &[usize]| {
            let first = self.values.len();
            for name in names {
                self.read(from, &format!("{name}.{part}"), shape)?;
            }
            Ok(first..self.values.len())
        };
        let weights = read("weight", &[columns, depth])?;
        let bias = if has_bias { read("bias", &[columns])? } else { weights.end..weights.end };
        Ok(LinearSlot { weights, bias, columns: columns * names.len(), depth })
    }

    pub(super) fn norm(&mut self, from: From<'_>, name: &str, size: usize) -> Result<NormSlot, Error> {
        let weights = self.read(from, &format!("{name}.weight"), &[size])?;
        let bias = self.read(from, &format!("{name}.bias"), &[size])?;
        Ok(NormSlot { weights, bias })
    }
}
