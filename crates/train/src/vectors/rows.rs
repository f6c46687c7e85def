//! Matrices that are learned, row by row: by one thread, or by several that share them.
//!
//! Threads read and write shared rows without waiting for each other (Recht et al. 2011: Hogwild): now and then a
//! change is lost, which stochastic gradient descent bears. Numbers are kept two by two in atomic words, so that
//! none is ever torn.

use super::numbers::{BLOCK, Block, add_scaled, multiply_add, sum};
use pulp::bytemuck;
use std::sync::atomic::{AtomicU64, Ordering};

/// Rows that a thread reads and changes.
pub(super) trait Rows {
    /// Adds a row to a sum.
    fn add_to(&self, row: usize, sum: &mut [Block]);

    /// Adds a change to a row.
    fn change(&mut self, row: usize, change: &[Block]);

    /// Shows a row to a token's hidden vector: `learn` takes their dot product and says by how much the row moves
    /// towards the vector, and the gradient of the vector moves towards the row.
    fn learn(
        &mut self,
        row: usize,
        hidden: &[Block],
        gradient: &mut [Block],
        learn: impl FnOnce(f32) -> Option<f32>,
    );
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
    fn learn(
        &mut self,
        row: usize,
        hidden: &[Block],
        gradient: &mut [Block],
        learn: impl FnOnce(f32) -> Option<f32>,
    ) {
        let start = row * self.blocks;
        let numbers = &mut self.numbers[start..start + self.blocks];
        let mut sums = [0.0; BLOCK];
        for (hidden, numbers) in hidden.iter().zip(&*numbers) {
            multiply_add(&mut sums, hidden, numbers);
        }
        let Some(factor) = learn(sum(&sums)) else { return };
        for ((numbers, hidden), gradient) in numbers.iter_mut().zip(hidden).zip(gradient) {
            add_scaled(gradient, factor, numbers);
            add_scaled(numbers, factor, hidden);
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
    fn learn(
        &mut self,
        row: usize,
        hidden: &[Block],
        gradient: &mut [Block],
        learn: impl FnOnce(f32) -> Option<f32>,
    ) {
        let row = self.row(row);
        let mut sums = [0.0; BLOCK];
        for (hidden, words) in hidden.iter().zip(row) {
            multiply_add(&mut sums, hidden, &load(words));
        }
        let Some(factor) = learn(sum(&sums)) else { return };
        for ((words, hidden), gradient) in row.iter().zip(hidden).zip(gradient) {
            let mut numbers = load(words);
            add_scaled(gradient, factor, &numbers);
            add_scaled(&mut numbers, factor, hidden);
            store(words, numbers);
        }
    }
}
