//! Arithmetic of rows, in blocks of a fixed size: sums are taken in the same order on every machine.

/// The numbers of a block; rows are filled up with zeros to whole blocks.
pub(super) const BLOCK: usize = 16;

/// A block of numbers.
pub(super) type Block = [f32; BLOCK];

/// The blocks that hold this many numbers.
pub(super) fn blocks(numbers: usize) -> usize {
    numbers.div_ceil(BLOCK)
}

/// Adds the products of two blocks to sums that run side by side.
#[inline(always)]
pub(super) fn multiply_add(sums: &mut Block, left: &Block, right: &Block) {
    for ((sum, left), right) in sums.iter_mut().zip(left).zip(right) {
        *sum = left.mul_add(*right, *sum);
    }
}

/// Adds a multiple of a block to a block.
#[inline(always)]
pub(super) fn add_scaled(sums: &mut Block, factor: f32, numbers: &Block) {
    for (sum, number) in sums.iter_mut().zip(numbers) {
        *sum = factor.mul_add(*number, *sum);
    }
}

/// The sum of a block, by halves.
#[inline(always)]
pub(super) fn sum(numbers: &Block) -> f32 {
    let mut numbers = *numbers;
    let mut length = BLOCK / 2;
    while length > 0 {
        for place in 0..length {
            numbers[place] += numbers[place + length];
        }
        length /= 2;
    }
    numbers[0]
}

/// A row of zeros.
pub(super) fn zeros(blocks: usize) -> Vec<Block> {
    vec![[0.0; BLOCK]; blocks]
}
