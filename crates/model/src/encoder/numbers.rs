//! What is done with rows of numbers between products: activations, softmax, normalisation.
//!
//! Sums are made in 32 chains, whatever the processor's registers hold, and
//! multiplications are fused with additions where it is written so. Results
//! are therefore the same to the bit on all processors.

use pulp::NullaryFnOnce;

/// How many chains a sum has.
const CHAINS: usize = 32;

/// What stands between two matrices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Activation {
    /// Nothing.
    Identity,
    /// The Gaussian error linear unit.
    Gelu,
    /// The same, with a hyperbolic tangent for the error function.
    GeluByTanh,
    /// Nothing below zero.
    Relu,
    /// The hyperbolic tangent.
    Tanh,
    /// The logistic function.
    Sigmoid,
}

impl Activation {
    /// Applies it to each number.
    #[inline(always)]
    pub(super) fn apply(self, numbers: &mut [f32]) {
        match self {
            Self::Identity => {}
            Self::Gelu => numbers.iter_mut().for_each(|x| *x = gelu(*x)),
            Self::GeluByTanh => numbers.iter_mut().for_each(|x| *x = gelu_by_tanh(*x)),
            Self::Relu => numbers.iter_mut().for_each(|x| *x = if *x > 0.0 { *x } else { 0.0 }),
            Self::Tanh => numbers.iter_mut().for_each(|x| *x = tanh(*x)),
            Self::Sigmoid => numbers.iter_mut().for_each(|x| *x = 1.0 / (1.0 + exp(-*x))),
        }
    }
}

impl Activation {
    /// The slope at each number.
    #[inline(always)]
    pub(super) fn slope(self, x: f32) -> f32 {
        match self {
            Self::Identity => 1.0,
            Self::Gelu => gelu_slope(x),
            Self::GeluByTanh => gelu_by_tanh_slope(x),
            Self::Relu => f32::from(x > 0.0),
            Self::Tanh => {
                let value = tanh(x);
                1.0 - value * value
            }
            Self::Sigmoid => {
                let value = 1.0 / (1.0 + exp(-x));
                value * (1.0 - value)
            }
        }
    }
}

/// The share of a normal distribution below x, and x times its density there.
#[inline(always)]
fn gelu_slope(x: f32) -> f32 {
    /// One over the root of 2π.
    const DENSITY: f32 = 0.398_942_3;
    0.5 * (1.0 + erf(x * std::f32::consts::FRAC_1_SQRT_2)) + x * DENSITY * exp(-0.5 * x * x)
}

#[inline(always)]
fn gelu_by_tanh_slope(x: f32) -> f32 {
    const ROOT: f32 = 0.797_884_6;
    const CUBE: f32 = 0.044_715;
    let value = tanh(ROOT * x * CUBE.mul_add(x * x, 1.0));
    0.5 * (1.0 + value) + 0.5 * x * (1.0 - value * value) * ROOT * (3.0 * CUBE).mul_add(x * x, 1.0)
}

/// e to the power of x, to a few units in the last place; from -87 to 88, beyond which it stays the same.
#[inline(always)]
fn exp(x: f32) -> f32 {
    // Added to a number, it leaves the whole part in the last bits.
    const WHOLE: f32 = 12_582_912.0;
    const LN_2_HIGH: f32 = 0.693_359_4;
    const LN_2_LOW: f32 = -2.121_944_4e-4;
    let x = x.clamp(-87.0, 88.0);
    let shifted = x.mul_add(std::f32::consts::LOG2_E, WHOLE);
    let power = shifted - WHOLE;
    let rest = power.mul_add(-LN_2_LOW, power.mul_add(-LN_2_HIGH, x));
    // The polynomial of Cephes.
    let series = 1.987_569_1e-4_f32
        .mul_add(rest, 1.398_2e-3)
        .mul_add(rest, 8.333_452e-3)
        .mul_add(rest, 4.166_579_6e-2)
        .mul_add(rest, 0.166_666_66)
        .mul_add(rest, 0.5);
    let value = series.mul_add(rest * rest, rest) + 1.0;
    value * f32::from_bits(shifted.to_bits().wrapping_add(127) << 23)
}

/// The error function, to less than 5e-7: a quotient of polynomials, as Eigen has it.
#[inline(always)]
fn erf(x: f32) -> f32 {
    let x = x.clamp(-4.0, 4.0);
    let square = x * x;
    let above = (-2.726_142_3e-10_f32)
        .mul_add(square, 2.770_681_4e-8)
        .mul_add(square, -2.101_024e-6)
        .mul_add(square, -5.692_506_4e-5)
        .mul_add(square, -7.349_906e-4)
        .mul_add(square, -2.954_6e-3)
        .mul_add(square, -1.609_603_3e-2);
    let below = (-1.456_607_2e-5_f32)
        .mul_add(square, -2.133_740_6e-4)
        .mul_add(square, -1.682_827e-3)
        .mul_add(square, -7.373_329_3e-3)
        .mul_add(square, -1.426_473_9e-2);
    x * above / below
}

#[inline(always)]
fn tanh(x: f32) -> f32 {
    // Near zero the other way loses digits.
    let square = x * x;
    let series = x * 0.133_333_33_f32.mul_add(square, -0.333_333_34).mul_add(square, 1.0);
    let far = 1.0 - 2.0 / (exp(2.0 * x.clamp(-10.0, 10.0)) + 1.0);
    if square < 0.002 { series } else { far }
}

#[inline(always)]
fn gelu(x: f32) -> f32 {
    0.5 * x * (1.0 + erf(x * std::f32::consts::FRAC_1_SQRT_2))
}

#[inline(always)]
fn gelu_by_tanh(x: f32) -> f32 {
    /// The root of 2/π.
    const ROOT: f32 = 0.797_884_6;
    let inner = ROOT * x * 0.044_715_f32.mul_add(x * x, 1.0);
    0.5 * x * (1.0 + tanh(inner))
}

/// The sum of what `f` makes of each number.
#[inline(always)]
pub(super) fn sum(numbers: &[f32], f: impl Fn(f32) -> f32) -> f32 {
    let mut chains = [0.0; CHAINS];
    let (whole, rest) = numbers.as_chunks::<CHAINS>();
    for numbers in whole {
        for (chain, &number) in chains.iter_mut().zip(numbers) {
            *chain += f(number);
        }
    }
    for (chain, &number) in chains.iter_mut().zip(rest) {
        *chain += f(number);
    }
    let mut length = CHAINS / 2;
    while length > 0 {
        let (first, second) = chains.split_at_mut(length);
        for (first, second) in first.iter_mut().zip(second) {
            *first += *second;
        }
        length /= 2;
    }
    chains[0]
}

/// Brings rows to mean 0 and variance 1, then scales and moves each number.
#[derive(Debug)]
pub(super) struct LayerNorm {
    pub(super) weights: Vec<f32>,
    pub(super) bias: Vec<f32>,
    pub(super) epsilon: f32,
}

impl LayerNorm {
    /// Normalises each row in place.
    pub(super) fn forward(&self, rows: &mut [f32]) {
        pulp::Arch::new().dispatch(Normalise { norm: self, rows });
    }
}

struct Normalise<'a> {
    norm: &'a LayerNorm,
    rows: &'a mut [f32],
}

impl NullaryFnOnce for Normalise<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let LayerNorm { weights, bias, epsilon } = self.norm;
        let size = weights.len();
        for row in self.rows.chunks_exact_mut(size) {
            let mean = sum(row, |number| number) / size as f32;
            let variance = sum(row, |number| (number - mean) * (number - mean)) / size as f32;
            let scale = 1.0 / (variance + epsilon).sqrt();
            for ((number, weight), bias) in row.iter_mut().zip(weights).zip(bias) {
                *number = ((*number - mean) * scale).mul_add(*weight, *bias);
            }
        }
    }
}

/// Softmax of the first `columns` numbers of each row of `stride` numbers, after scaling and adding `bias`,
/// which has rows of `columns` numbers; what the row must still be divided by is put in `sums`.
pub(super) fn softmax(
    rows: &mut [f32],
    stride: usize,
    columns: usize,
    scale: f32,
    bias: Option<&[f32]>,
    sums: &mut Vec<f32>,
) {
    sums.clear();
    pulp::Arch::new().dispatch(Softmax { rows, stride, columns, scale, bias, sums });
}

struct Softmax<'a> {
    rows: &'a mut [f32],
    stride: usize,
    columns: usize,
    scale: f32,
    bias: Option<&'a [f32]>,
    sums: &'a mut Vec<f32>,
}

impl NullaryFnOnce for Softmax<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        for (place, row) in self.rows.chunks_exact_mut(self.stride).enumerate() {
            let row = &mut row[..self.columns];
            if let Some(bias) = self.bias {
                for (number, bias) in row.iter_mut().zip(&bias[place * self.columns..]) {
                    *number = number.mul_add(self.scale, *bias);
                }
            } else {
                row.iter_mut().for_each(|number| *number *= self.scale);
            }
            let most = greatest(row);
            row.iter_mut().for_each(|number| *number = exp(*number - most));
            self.sums.push(sum(row, |number| number));
        }
    }
}

#[inline(always)]
fn greatest(numbers: &[f32]) -> f32 {
    let mut chains = [f32::NEG_INFINITY; CHAINS];
    let (whole, rest) = numbers.as_chunks::<CHAINS>();
    for numbers in whole {
        for (chain, &number) in chains.iter_mut().zip(numbers) {
            *chain = if number > *chain { number } else { *chain };
        }
    }
    chains.iter().chain(rest).copied().fold(f32::NEG_INFINITY, f32::max)
}

/// Brings a row to unit length; a row of zeros, or nearly, is left as it is.
pub(super) fn to_unit_length(row: &mut [f32]) {
    // As torch's `normalize` does.
    const LEAST: f32 = 1e-12;
    let length = sum(row, |number| number * number).sqrt().max(LEAST);
    row.iter_mut().for_each(|number| *number /= length);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, ours: impl Fn(f32) -> f32, exact: impl Fn(f64) -> f64, tolerance: f64) {
        for step in -4000..=4000 {
            let x = step as f32 / 200.0;
            let (found, expected) = (f64::from(ours(x)), exact(f64::from(x)));
            let scale = expected.abs().max(1.0);
            assert!((found - expected).abs() <= tolerance * scale, "{name}({x}) = {found}, not {expected}");
        }
    }

    #[test]
    fn functions_are_as_exact_as_single_precision_allows() {
        check("exp", exp, libm::exp, 3e-7);
        check("erf", erf, libm::erf, 5e-7);
        check("tanh", tanh, libm::tanh, 3e-7);
        check("gelu", gelu, |x| 0.5 * x * (1.0 + libm::erf(x * std::f64::consts::FRAC_1_SQRT_2)), 2e-6);
        for x in [-100.0, -88.0, 100.0, f32::NEG_INFINITY] {
            assert!(exp(x).is_finite());
        }
        assert!(exp(-100.0) < 1e-37);
    }

    #[test]
    fn slopes_are_those_of_the_activations() {
        type Exact = fn(f64) -> f64;
        let activations: [(Activation, Exact); 5] = [
            (Activation::Gelu, |x| 0.5 * x * (1.0 + libm::erf(x * std::f64::consts::FRAC_1_SQRT_2))),
            (Activation::GeluByTanh, |x| {
                0.5 * x * (1.0 + libm::tanh(0.797_884_560_802_865_4 * (x + 0.044_715 * x * x * x)))
            }),
            (Activation::Tanh, libm::tanh),
            (Activation::Sigmoid, |x| 1.0 / (1.0 + libm::exp(-x))),
            (Activation::Identity, |x| x),
        ];
        for (activation, exact) in activations {
            let slope = |x: f64| (exact(x + 1e-5) - exact(x - 1e-5)) / 2e-5;
            check(&format!("slope of {activation:?}"), |x| activation.slope(x), slope, 2e-6);
        }
        assert_eq!([-1.0, 0.0, 2.0].map(|x| Activation::Relu.slope(x)), [0.0, 0.0, 1.0]);
    }

    #[test]
    fn rows_are_normalised_and_add_up_to_one() {
        let mut row: Vec<f32> = (0..40_u8).map(|place| f32::from(place) / 7.0).collect();
        let norm = LayerNorm { weights: vec![1.0; 40], bias: vec![0.0; 40], epsilon: 0.0 };
        norm.forward(&mut row);
        assert!(sum(&row, |number| number).abs() < 1e-5);
        assert!((sum(&row, |number| number * number) / 40.0 - 1.0).abs() < 1e-5);
        let mut sums = Vec::new();
        softmax(&mut row, 40, 35, 0.5, None, &mut sums);
        assert!((row[..35].iter().sum::<f32>() - sums[0]).abs() < 1e-5);
        to_unit_length(&mut row);
        assert!((sum(&row, |number| number * number) - 1.0).abs() < 1e-6);
    }
}
