//! The smallest network: one matrix on vectors that stay as they are, so that training takes seconds.
//!
//! The matrix begins as the identity and is drawn back to it, so that little data changes little.

use super::Network;
use pulp::NullaryFnOnce;
use std::ops::Range;

/// A matrix on frozen vectors.
#[derive(Clone, Debug)]
pub struct Adapter {
    width: usize,
    /// The texts that have a vector, in ascending order.
    texts: Vec<u32>,
    vectors: Vec<f32>,
    /// The matrix, a row for each number of the output, and the same the other way round.
    matrix: Vec<f32>,
    columns: Vec<f32>,
    /// How strongly the matrix is drawn back to the identity.
    pull: f64,
}

impl Adapter {
    /// `texts` are in ascending order and have a vector of `width` numbers each.
    #[must_use]
    pub fn new(texts: Vec<u32>, vectors: Vec<f32>, width: usize, pull: f64) -> Self {
        let mut matrix = vec![0.0; width * width];
        matrix.iter_mut().step_by(width + 1).for_each(|number| *number = 1.0);
        Self { width, texts, vectors, columns: matrix.clone(), matrix, pull }
    }

    fn vector(&self, place: usize) -> &[f32] {
        &self.vectors[place * self.width..][..self.width]
    }
}

impl Network for Adapter {
    /// The place of a vector.
    type Input = usize;

    fn parameters(&self) -> &[f32] {
        &self.matrix
    }

    fn decayed(&self) -> &[Range<usize>] {
        &[]
    }

    fn width(&self) -> usize {
        self.width
    }

    fn prepare(&mut self, parameters: &[f32]) {
        self.matrix.copy_from_slice(parameters);
        for (row, numbers) in parameters.chunks_exact(self.width).enumerate() {
            for (column, number) in numbers.iter().enumerate() {
                self.columns[column * self.width + row] = *number;
            }
        }
    }

    fn read(&mut self, text: u32, other: Option<u32>, _chance: u64) -> Result<usize, String> {
        match other {
            Some(_) => Err("an adapter reads texts alone".to_owned()),
            None => self.texts.binary_search(&text).map_err(|_| format!("text {text} has no vector")),
        }
    }

    fn outputs(&mut self, inputs: &[usize]) -> Result<Vec<f32>, String> {
        let mut rows = vec![0.0; inputs.len() * self.width];
        for (&input, row) in inputs.iter().zip(rows.chunks_exact_mut(self.width)) {
            add_rows(&self.columns, self.vector(input), row);
        }
        Ok(rows)
    }

    fn back(&mut self, inputs: &[usize], rows: &[f32], gradient: &mut [f32]) {
        for (&input, row) in inputs.iter().zip(rows.chunks_exact(self.width)) {
            let vector = self.vector(input);
            pulp::Arch::new().dispatch(Outer { row, vector, gradient: &mut *gradient });
        }
    }

    fn pull(&self, parameters: &[f32], gradient: &mut [f32]) -> f64 {
        let mut loss = 0.0;
        for (place, (number, slope)) in parameters.iter().zip(gradient).enumerate() {
            let away = number - f32::from(u8::from(place.is_multiple_of(self.width + 1)));
            loss += f64::from(away) * f64::from(away);
            *slope += (2.0 * self.pull) as f32 * away;
        }
        self.pull * loss
    }

    fn cost(&self, inputs: &[usize]) -> f64 {
        (2 * inputs.len() * self.width * self.width) as f64
    }
}

/// Adds rows of a matrix, each as often as a number says.
fn add_rows(matrix: &[f32], numbers: &[f32], sum: &mut [f32]) {
    pulp::Arch::new().dispatch(Sum { matrix, numbers, sum });
}

struct Sum<'a> {
    matrix: &'a [f32],
    numbers: &'a [f32],
    sum: &'a mut [f32],
}

impl NullaryFnOnce for Sum<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        for (row, &times) in self.matrix.chunks_exact(self.sum.len()).zip(self.numbers) {
            self.sum.iter_mut().zip(row).for_each(|(sum, number)| *sum += times * number);
        }
    }
}

/// Adds the product of a column and a row to a matrix.
struct Outer<'a> {
    row: &'a [f32],
    vector: &'a [f32],
    gradient: &'a mut [f32],
}

impl NullaryFnOnce for Outer<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        for (sums, &times) in self.gradient.chunks_exact_mut(self.vector.len()).zip(self.row) {
            sums.iter_mut().zip(self.vector).for_each(|(sum, number)| *sum += times * number);
        }
    }
}
