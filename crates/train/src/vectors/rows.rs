//! Matrices that are learned, row by row: by one thread, or by several that share them.
//!
//! Threads read and write shared rows without waiting for each other (Recht et al. 2011: Hogwild): now and then a
//! change is lost, which stochastic gradient descent bears. Numbers are kept two by two in atomic words, so that
//! none is ever torn.

use super::numbers::{BLOCK, Block, add_scaled, multiply_add, plus_scaled, sum};
use pulp::bytemuck;
use std::sync::atomic::{AtomicU64, Ordering};

/// Rows that a thread reads and changes.
pub(super) trait Rows {
    /// Adds a row to a sum.
    fn add_to(&self, row: usize, sum: &mut [Block]);

    /// Adds a change to a row.
    fn change(&mut self, row: usize, change: &[Block]);

    /// Reads a number of each line of memory of a row, so that all of it is near when it is needed.
    fn touch(&self, row: usize) -> u32;

    /// The dot product of a row with a vector.
    fn dot(&self, row: usize, vector: &[Block]) -> f32;

    /// Moves a row by a multiple of a vector, and the vector's gradient by the same multiple of the row as it was.
    fn learn(&mut self, row: usize, factor: f32, vector: &[Block], gradient: &mut [Block]);
}

/// A matrix that can be made, read and written down.
pub(super) trait Matrix: Sized {
    /// Makes a matrix of rows of a number of blocks; `fill` writes each.
    fn new(rows: usize, blocks: usize, fill: impl FnMut(usize, &mut [Block])) -> Self;

    /// The number of rows.
    fn len(&self) -> usize;

    /// Copies a row.
    fn read(&self, row: usize, into: &mut [Block]);
}

/// A matrix of one thread.
#[derive(Debug)]
pub(super) struct Plain {
    numbers: Vec<Block>,
    blocks: usize,
}

impl Plain {
    #[inline(always)]
    fn row(&self, row: usize) -> &[Block] {
        &self.numbers[row * self.blocks..(row + 1) * self.blocks]
    }
}

impl Matrix for Plain {
    fn new(rows: usize, blocks: usize, mut fill: impl FnMut(usize, &mut [Block])) -> Self {
        let mut numbers = vec![[0.0; BLOCK]; rows * blocks];
        numbers.chunks_exact_mut(blocks).enumerate().for_each(|(row, numbers)| fill(row, numbers));
        Self { numbers, blocks }
    }

    fn len(&self) -> usize {
        self.numbers.len() / self.blocks
    }

    fn read(&self, row: usize, into: &mut [Block]) {
        into.copy_from_slice(self.row(row));
    }
}

impl Rows for &mut Plain {
    #[inline(always)]
    fn add_to(&self, row: usize, sum: &mut [Block]) {
        for (sum, numbers) in sum.iter_mut().zip(self.row(row)) {
            add_scaled(sum, 1.0, numbers);
        }
    }

    #[inline(always)]
    fn change(&mut self, row: usize, change: &[Block]) {
        let start = row * self.blocks;
        for (numbers, change) in self.numbers[start..start + self.blocks].iter_mut().zip(change) {
            add_scaled(numbers, 1.0, change);
        }
    }

    #[inline(always)]
    fn touch(&self, row: usize) -> u32 {
        let mut any = 0;
        for block in self.row(row) {
            any |= block[0].to_bits();
        }
        any
    }

    #[inline(always)]
    fn dot(&self, row: usize, vector: &[Block]) -> f32 {
        let mut sums = [0.0; BLOCK];
        for (vector, numbers) in vector.iter().zip(self.row(row)) {
            sums = multiply_add(sums, vector, numbers);
        }
        sum(sums)
    }

    #[inline(always)]
    fn learn(&mut self, row: usize, factor: f32, vector: &[Block], gradient: &mut [Block]) {
        let start = row * self.blocks;
        let numbers = &mut self.numbers[start..start + self.blocks];
        for ((numbers, vector), gradient) in numbers.iter_mut().zip(vector).zip(gradient) {
            let before = *numbers;
            let after = plus_scaled(&before, factor, vector);
            add_scaled(gradient, factor, &before);
            *numbers = after;
        }
    }
}

/// The words of a block.
const WORDS: usize = BLOCK / 2;

/// A matrix of several threads.
#[derive(Debug)]
pub(super) struct Shared {
    words: Vec<[AtomicU64; WORDS]>,
    blocks: usize,
}

#[inline(always)]
fn load(words: &[AtomicU64; WORDS]) -> Block {
    bytemuck::cast::<[u64; WORDS], Block>(std::array::from_fn(|word| words[word].load(Ordering::Relaxed)))
}

#[inline(always)]
fn store(words: &[AtomicU64; WORDS], block: Block) {
    let values = bytemuck::cast::<Block, [u64; WORDS]>(block);
    for (word, value) in words.iter().zip(values) {
        word.store(value, Ordering::Relaxed);
    }
}

impl Shared {
    #[inline(always)]
    fn row(&self, row: usize) -> &[[AtomicU64; WORDS]] {
        &self.words[row * self.blocks..(row + 1) * self.blocks]
    }
}

impl Matrix for Shared {
    fn new(rows: usize, blocks: usize, mut fill: impl FnMut(usize, &mut [Block])) -> Self {
        let mut words = Vec::with_capacity(rows * blocks);
        let mut numbers = vec![[0.0; BLOCK]; blocks];
        for row in 0..rows {
            numbers.fill([0.0; BLOCK]);
            fill(row, &mut numbers);
            words.extend(
                numbers.iter().map(|block| bytemuck::cast::<Block, [u64; WORDS]>(*block).map(AtomicU64::new)),
            );
        }
        Self { words, blocks }
    }

    fn len(&self) -> usize {
        self.words.len() / self.blocks
    }

    fn read(&self, row: usize, into: &mut [Block]) {
        for (into, words) in into.iter_mut().zip(self.row(row)) {
            *into = load(words);
        }
    }
}

impl Rows for &Shared {
    #[inline(always)]
    fn add_to(&self, row: usize, sum: &mut [Block]) {
        for (sum, words) in sum.iter_mut().zip(self.row(row)) {
            add_scaled(sum, 1.0, &load(words));
        }
    }

    #[inline(always)]
    fn change(&mut self, row: usize, change: &[Block]) {
        for (words, change) in self.row(row).iter().zip(change) {
            let mut numbers = load(words);
            add_scaled(&mut numbers, 1.0, change);
            store(words, numbers);
        }
    }

    #[inline(always)]
    fn touch(&self, row: usize) -> u32 {
        let mut any = 0;
        for words in self.row(row) {
            any |= words[0].load(Ordering::Relaxed) as u32;
        }
        any
    }

    #[inline(always)]
    fn dot(&self, row: usize, vector: &[Block]) -> f32 {
        let mut sums = [0.0; BLOCK];
        for (vector, words) in vector.iter().zip(self.row(row)) {
            sums = multiply_add(sums, vector, &load(words));
        }
        sum(sums)
    }

    #[inline(always)]
    fn learn(&mut self, row: usize, factor: f32, vector: &[Block], gradient: &mut [Block]) {
        for ((words, vector), gradient) in self.row(row).iter().zip(vector).zip(gradient) {
            let before = load(words);
            add_scaled(gradient, factor, &before);
            store(words, plus_scaled(&before, factor, vector));
        }
    }
}
