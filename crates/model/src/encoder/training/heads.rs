//! What becomes of the states of a text: a vector, or logits; forward and backward.

use super::super::matrix::Then;
use super::super::numbers::{Activation, to_unit_length};
use super::super::pipeline::Pooling;
use super::parts::{Affine, Tools, activate, activate_back};

/// What becomes of the states of a text.
#[derive(Debug)]
pub(super) enum Head {
    /// One vector of many, then steps.
    Vector { pooling: Vec<Pooling>, steps: Vec<Step> },
    /// Steps with the state of the first token.
    Logits { steps: Vec<Step> },
}

/// What is done with a vector.
#[derive(Debug)]
pub(super) enum Step {
    Dense(Affine, Activation),
    Normalize,
}

impl Head {
    fn steps(&self) -> &[Step] {
        match self {
            Self::Vector { steps, .. } | Self::Logits { steps } => steps,
        }
    }

    pub(super) fn prepare(&mut self, values: &[f32]) {
        let (Self::Vector { steps, .. } | Self::Logits { steps }) = self;
        for step in steps {
            if let Step::Dense(affine, _) = step {
                affine.prepare(values);
            }
        }
    }

    /// How many numbers come out, if states have `hidden`.
    pub(super) fn width(&self, hidden: usize) -> usize {
        let last = self.steps().iter().rev().find_map(|step| match step {
            Step::Dense(affine, _) => Some(affine.columns()),
            Step::Normalize => None,
        });
        last.unwrap_or(match self {
            Self::Vector { pooling, .. } => hidden * pooling.len(),
            Self::Logits { .. } => hidden,
        })
    }

    fn pool(&self, states: &[f32], hidden: usize) -> Vec<f32> {
        match self {
            Self::Vector { pooling, .. } => pooling.iter().flat_map(|one| one.pool(states, hidden)).collect(),
            Self::Logits { .. } => Pooling::First.pool(states, hidden),
        }
    }

    pub(super) fn forward(&self, states: &[f32], hidden: usize, tools: &mut Tools) -> Vec<f32> {
        let mut row = self.pool(states, hidden);
        for step in self.steps() {
            row = step.forward(row, tools).1;
        }
        row
    }

    /// The gradient of the states, from that of what came out; adds that of the parameters.
    pub(super) fn back(
        &self,
        states: &[f32],
        hidden: usize,
        slope: &[f32],
        tools: &mut Tools,
        gradient: &mut [f32],
    ) -> Vec<f32> {
        let mut row = self.pool(states, hidden);
        let mut kept = Vec::new();
        for step in self.steps() {
            let input = row.clone();
            let (between, output) = step.forward(row, tools);
            kept.push((input, between, output.clone()));
            row = output;
        }
        let mut slope = slope.to_vec();
        for (step, (input, between, output)) in self.steps().iter().zip(&kept).rev() {
            match step {
                Step::Dense(affine, activation) => {
                    activate_back(*activation, between, &mut slope);
                    affine.learn(input, &slope, tools, gradient);
                    let mut back = vec![0.0; input.len()];
                    affine.back(&slope, tools, &mut back, Then::Store);
                    slope = back;
                }
                Step::Normalize => unit_length_back(input, output, &mut slope),
            }
        }
        let mut out = vec![0.0; states.len()];
        match self {
            Self::Vector { pooling, .. } => {
                for (pooling, slope) in pooling.iter().zip(slope.chunks_exact(hidden)) {
                    pooling.back(states, slope, &mut out);
                }
            }
            Self::Logits { .. } => Pooling::First.back(states, &slope, &mut out),
        }
        out
    }
}

impl Step {
    /// What stands before the activation, and what comes out.
    fn forward(&self, mut row: Vec<f32>, tools: &mut Tools) -> (Vec<f32>, Vec<f32>) {
        match self {
            Self::Dense(affine, activation) => {
                let mut between = vec![0.0; affine.columns()];
                affine.forward(&row, tools, &mut between, Then::Store);
                let mut out = between.clone();
                activate(*activation, &mut out);
                (between, out)
            }
            Self::Normalize => {
                to_unit_length(&mut row);
                (Vec::new(), row)
            }
        }
    }
}

/// Turns the gradient of a row of unit length into that of the row before.
fn unit_length_back(before: &[f32], unit: &[f32], slope: &mut [f32]) {
    let length = before.iter().map(|x| x * x).sum::<f32>().sqrt().max(1e-12);
    let along: f32 = slope.iter().zip(unit).map(|(slope, x)| slope * x).sum();
    slope.iter_mut().zip(unit).for_each(|(slope, x)| *slope = (*slope - along * x) / length);
}
