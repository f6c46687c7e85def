//! A step along the gradient: Adam with decoupled weight decay (Loshchilov & Hutter 2019), as torch has it.

use pulp::NullaryFnOnce;
use std::ops::Range;

/// The moments of the gradient of each parameter, and how a step is taken.
#[derive(Clone, Debug)]
pub struct AdamW {
    /// The running mean of the gradient.
    pub(super) first: Vec<f32>,
    /// The running mean of its square.
    pub(super) second: Vec<f32>,
    /// Steps taken.
    pub(super) steps: u64,
}

/// How fast the running means forget, and what keeps a division from being one by zero.
const BETAS: [f64; 2] = [0.9, 0.999];
const EPSILON: f64 = 1e-8;

impl AdamW {
    /// No steps taken, for this many parameters.
    #[must_use]
    pub fn new(parameters: usize) -> Self {
        Self { first: vec![0.0; parameters], second: vec![0.0; parameters], steps: 0 }
    }

    /// Takes a step. Of the parameters in `decayed`, the share `rate × decay` goes first.
    pub fn step(
        &mut self,
        parameters: &mut [f32],
        gradient: &[f32],
        rate: f64,
        decay: f64,
        decayed: &[Range<usize>],
    ) {
        self.steps += 1;
        let keep = (1.0 - rate * decay) as f32;
        if keep != 1.0 {
            for range in decayed {
                parameters[range.clone()].iter_mut().for_each(|number| *number *= keep);
            }
        }
        let correction = BETAS.map(|beta| 1.0 - libm::pow(beta, self.steps as f64));
        let update = Update {
            parameters,
            gradient,
            first: &mut self.first,
            second: &mut self.second,
            rate: (rate / correction[0]) as f32,
            scale: (1.0 / correction[1]) as f32,
        };
        pulp::Arch::new().dispatch(update);
    }
}

struct Update<'a> {
    parameters: &'a mut [f32],
    gradient: &'a [f32],
    first: &'a mut [f32],
    second: &'a mut [f32],
    rate: f32,
    scale: f32,
}

impl NullaryFnOnce for Update<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let [beta_first, beta_second] = BETAS.map(|beta| beta as f32);
        let [new_first, new_second] = BETAS.map(|beta| (1.0 - beta) as f32);
        let epsilon = EPSILON as f32;
        let moments = self.first.iter_mut().zip(self.second.iter_mut());
        for ((parameter, &slope), (first, second)) in
            self.parameters.iter_mut().zip(self.gradient).zip(moments)
        {
            *first = beta_first * *first + new_first * slope;
            *second = beta_second * *second + new_second * slope * slope;
            *parameter -= self.rate * *first / ((*second * self.scale).sqrt() + epsilon);
        }
    }
}

/// Shortens a gradient to a length; returns the length that it had.
pub fn clip(gradient: &mut [f32], most: f64) -> f64 {
    let length = gradient.iter().map(|slope| f64::from(*slope) * f64::from(*slope)).sum::<f64>().sqrt();
    if most > 0.0 && length > most {
        let share = (most / (length + 1e-6)) as f32;
        gradient.iter_mut().for_each(|slope| *slope *= share);
    }
    length
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three steps of torch.optim.AdamW with lr .1 and weight decay .01 on the parameters 1 and -2.
    #[test]
    fn steps_are_those_of_torch() {
        let mut adam = AdamW::new(2);
        let mut parameters = [1.0, -2.0];
        for gradient in [[0.5, -1.0], [0.1, 2.0], [-0.3, 0.0]] {
            adam.step(&mut parameters, &gradient, 0.1, 0.01, std::slice::from_ref(&(0..2)));
        }
        let expected = reference();
        for (found, expected) in parameters.iter().zip(expected) {
            assert!((f64::from(*found) - expected).abs() < 1e-6, "{parameters:?}, not {expected}");
        }
    }

    /// The formula of the paper, written down a second time in double precision.
    fn reference() -> [f64; 2] {
        let mut parameters = [1.0_f64, -2.0];
        let (mut first, mut second) = ([0.0_f64; 2], [0.0_f64; 2]);
        for (step, gradient) in [[0.5, -1.0], [0.1, 2.0], [-0.3, 0.0]].iter().enumerate() {
            let step = (step + 1) as f64;
            for place in 0..2 {
                let slope: f64 = gradient[place];
                first[place] = 0.9 * first[place] + 0.1 * slope;
                second[place] = 0.999 * second[place] + 0.001 * slope * slope;
                let mean = first[place] / (1.0 - libm::pow(0.9, step));
                let square = second[place] / (1.0 - libm::pow(0.999, step));
                parameters[place] -= 0.1 * 0.01 * parameters[place];
                parameters[place] -= 0.1 * mean / (square.sqrt() + 1e-8);
            }
        }
        parameters
    }

    #[test]
    fn parameters_that_are_not_decayed_stay_without_a_gradient() {
        let mut adam = AdamW::new(3);
        let mut parameters = [1.0, 1.0, 1.0];
        adam.step(&mut parameters, &[0.0; 3], 0.1, 0.5, std::slice::from_ref(&(1..2)));
        assert_eq!(parameters, [1.0, 0.95, 1.0]);
    }

    #[test]
    fn long_gradients_are_shortened() {
        let mut gradient = [3.0, 4.0];
        assert_eq!(clip(&mut gradient, 10.0), 5.0);
        assert_eq!(gradient, [3.0, 4.0]);
        assert_eq!(clip(&mut gradient, 1.0), 5.0);
        assert!((gradient[0] - 0.6).abs() < 1e-5 && (gradient[1] - 0.8).abs() < 1e-5);
    }
}
