//! Arithmetic of rows, in blocks of a fixed size: sums are taken in the same order on every machine.

/// The numbers of a block; rows are filled up with zeros to whole blocks.
pub(super) const BLOCK: usize = 16;

/// A block of numbers.
pub(super) type Block = [f32; BLOCK];

/// The blocks that hold this many numbers.
pub(super) fn blocks(numbers: usize) -> usize {
    numbers.div_ceil(BLOCK)
}

/// The products of two blocks, added to sums that run side by side.
///
/// Blocks are read whole before anything is written, here and below: what may overlap would not become vector
/// instructions.
#[inline(always)]
pub(super) fn multiply_add(sums: Block, left: &Block, right: &Block) -> Block {
    std::array::from_fn(|lane| left[lane].mul_add(right[lane], sums[lane]))
}

/// A block and a multiple of another.
#[inline(always)]
pub(super) fn plus_scaled(block: &Block, factor: f32, numbers: &Block) -> Block {
    std::array::from_fn(|lane| factor.mul_add(numbers[lane], block[lane]))
}

/// Adds a multiple of a block to a block.
#[inline(always)]
pub(super) fn add_scaled(block: &mut Block, factor: f32, numbers: &Block) {
    *block = plus_scaled(block, factor, numbers);
}

/// The sum of a block, by halves.
#[inline(always)]
pub(super) fn sum(numbers: Block) -> f32 {
    // Seen together with the loop before it, the sum would make the compiler keep pairs instead of whole vectors.
    let numbers = std::hint::black_box(numbers);
    let eight: [f32; 8] = std::array::from_fn(|lane| numbers[lane] + numbers[lane + 8]);
    let four: [f32; 4] = std::array::from_fn(|lane| eight[lane] + eight[lane + 4]);
    let two: [f32; 2] = std::array::from_fn(|lane| four[lane] + four[lane + 2]);
    two[0] + two[1]
}

/// A row of zeros.
pub(super) fn zeros(blocks: usize) -> Vec<Block> {
    vec![[0.0; BLOCK]; blocks]
}
