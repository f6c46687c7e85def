//! The parts of a layer, forward and backward: matrices, normalisations, activations.

use super::super::matrix::{Blocks, Linear, Panels, Spread, Then};
use super::super::numbers::{Activation, sum};
use super::parameters::{LinearSlot, NormSlot};
use pulp::NullaryFnOnce;

/// Memory that is used again.
#[derive(Debug, Default)]
pub(super) struct Tools {
    pub(super) blocks: Blocks,
    pub(super) panels: Panels,
}

/// A matrix, packed for both ways.
#[derive(Debug)]
pub(super) struct Affine {
    slot: LinearSlot,
    forward: Linear,
    back: Linear,
}

impl Affine {
    pub(super) fn new(slot: LinearSlot, values: &[f32]) -> Self {
        let weights = &values[slot.weights.clone()];
        let zeros = vec![0.0; if slot.bias.is_empty() { slot.columns } else { 0 }];
        let bias = if slot.bias.is_empty() { &zeros } else { &values[slot.bias.clone()] };
        let forward = Linear::new(&[(weights, bias)], slot.depth);
        let back = Linear::transposed(weights, slot.depth);
        Self { slot, forward, back }
    }

    pub(super) fn prepare(&mut self, values: &[f32]) {
        *self = Self::new(self.slot.clone(), values);
    }

    pub(super) fn columns(&self) -> usize {
        self.slot.columns
    }

    pub(super) fn forward(&self, rows: &[f32], tools: &mut Tools, out: &mut [f32], then: Then) {
        self.forward.forward(rows, &mut tools.blocks, out, then, Spread::No);
    }

    /// Adds the gradient of the matrix, from its input and the gradient of its output.
    pub(super) fn learn(&self, input: &[f32], slope: &[f32], tools: &mut Tools, gradient: &mut [f32]) {
        let LinearSlot { weights, bias, columns, depth } = &self.slot;
        tools.blocks.pack_columns(slope, *columns, 0, *columns);
        tools.panels.pack_rows(input, *depth, 0, *depth);
        tools.panels.multiply_add(&tools.blocks, &mut gradient[weights.clone()], *depth);
        if !bias.is_empty() {
            add_rows(slope, &mut gradient[bias.clone()]);
        }
    }

    /// The gradient of the input, from that of the output.
    pub(super) fn back(&self, slope: &[f32], tools: &mut Tools, out: &mut [f32], then: Then) {
        self.back.forward(slope, &mut tools.blocks, out, then, Spread::No);
    }
}

/// Adds up rows.
pub(super) fn add_rows(rows: &[f32], out: &mut [f32]) {
    pulp::Arch::new().dispatch(AddRows { rows, out });
}

struct AddRows<'a> {
    rows: &'a [f32],
    out: &'a mut [f32],
}

impl NullaryFnOnce for AddRows<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        for row in self.rows.chunks_exact(self.out.len()) {
            self.out.iter_mut().zip(row).for_each(|(sum, number)| *sum += number);
        }
    }
}

/// A normalisation.
#[derive(Debug)]
pub(super) struct Norm {
    slot: NormSlot,
    weights: Vec<f32>,
    bias: Vec<f32>,
    epsilon: f32,
}

/// What the way back through a normalisation needs.
#[derive(Debug, Default)]
pub(super) struct Normalised {
    /// Rows of mean 0 and variance 1.
    rows: Vec<f32>,
    /// What each was multiplied by.
    scales: Vec<f32>,
}

impl Norm {
    pub(super) fn new(slot: NormSlot, epsilon: f32, values: &[f32]) -> Self {
        let (weights, bias) = (values[slot.weights.clone()].to_vec(), values[slot.bias.clone()].to_vec());
        Self { slot, weights, bias, epsilon }
    }

    pub(super) fn prepare(&mut self, values: &[f32]) {
        *self = Self::new(self.slot.clone(), self.epsilon, values);
    }

    /// Normalises each row in place, to the bit as the encoder does.
    pub(super) fn forward(&self, rows: &mut [f32]) -> Normalised {
        let mut kept = Normalised {
            rows: vec![0.0; rows.len()],
            scales: Vec::with_capacity(rows.len() / self.weights.len()),
        };
        pulp::Arch::new().dispatch(NormForward { norm: self, rows, kept: &mut kept });
        kept
    }

    /// Turns the gradient of the output into that of the input, and adds that of the weights.
    pub(super) fn back(&self, kept: &Normalised, slope: &mut [f32], gradient: &mut [f32]) {
        let size = self.weights.len();
        let (mut weights, mut bias) = (vec![0.0; size], vec![0.0; size]);
        let mut product = vec![0.0; size];
        let back = NormBack {
            norm: self,
            kept,
            slope,
            weights: &mut weights,
            bias: &mut bias,
            product: &mut product,
        };
        pulp::Arch::new().dispatch(back);
        add_rows(&weights, &mut gradient[self.slot.weights.clone()]);
        add_rows(&bias, &mut gradient[self.slot.bias.clone()]);
    }
}

struct NormForward<'a> {
    norm: &'a Norm,
    rows: &'a mut [f32],
    kept: &'a mut Normalised,
}

impl NullaryFnOnce for NormForward<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Norm { weights, bias, epsilon, .. } = self.norm;
        let size = weights.len();
        for (row, kept) in self.rows.chunks_exact_mut(size).zip(self.kept.rows.chunks_exact_mut(size)) {
            let mean = sum(row, |number| number) / size as f32;
            let variance = sum(row, |number| (number - mean) * (number - mean)) / size as f32;
            let scale = 1.0 / (variance + epsilon).sqrt();
            let outs = row.iter_mut().zip(kept);
            for ((number, kept), (weight, bias)) in outs.zip(weights.iter().zip(bias)) {
                *kept = (*number - mean) * scale;
                *number = kept.mul_add(*weight, *bias);
            }
            self.kept.scales.push(scale);
        }
    }
}

struct NormBack<'a> {
    norm: &'a Norm,
    kept: &'a Normalised,
    slope: &'a mut [f32],
    weights: &'a mut [f32],
    bias: &'a mut [f32],
    product: &'a mut [f32],
}

impl NullaryFnOnce for NormBack<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let size = self.norm.weights.len();
        let kept = self.kept.rows.chunks_exact(size).zip(&self.kept.scales);
        for (slope, (kept, scale)) in self.slope.chunks_exact_mut(size).zip(kept) {
            for place in 0..size {
                self.weights[place] += slope[place] * kept[place];
                self.bias[place] += slope[place];
                slope[place] *= self.norm.weights[place];
                self.product[place] = slope[place] * kept[place];
            }
            let mean = sum(slope, |number| number) / size as f32;
            let along = sum(self.product, |number| number) / size as f32;
            for (slope, kept) in slope.iter_mut().zip(kept) {
                *slope = scale * (*slope - mean - kept * along);
            }
        }
    }
}

/// Applies an activation to each number.
pub(super) fn activate(activation: Activation, numbers: &mut [f32]) {
    pulp::Arch::new().dispatch(Activate { activation, numbers });
}

struct Activate<'a> {
    activation: Activation,
    numbers: &'a mut [f32],
}

impl NullaryFnOnce for Activate<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        self.activation.apply(self.numbers);
    }
}

/// Turns the gradient of an activation's output into that of its input, which was `numbers`.
pub(super) fn activate_back(activation: Activation, numbers: &[f32], slope: &mut [f32]) {
    pulp::Arch::new().dispatch(ActivateBack { activation, numbers, slope });
}

struct ActivateBack<'a> {
    activation: Activation,
    numbers: &'a [f32],
    slope: &'a mut [f32],
}

impl NullaryFnOnce for ActivateBack<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let pairs = || self.numbers.iter();
        match self.activation {
            // Chosen outside of the loop, so that each is compiled by itself.
            Activation::Gelu => {
                self.slope
                    .iter_mut()
                    .zip(pairs())
                    .for_each(|(slope, x)| *slope *= Activation::Gelu.slope(*x));
            }
            Activation::GeluByTanh => {
                self.slope
                    .iter_mut()
                    .zip(pairs())
                    .for_each(|(slope, x)| *slope *= Activation::GeluByTanh.slope(*x));
            }
            other => self.slope.iter_mut().zip(pairs()).for_each(|(slope, x)| *slope *= other.slope(*x)),
        }
    }
}
