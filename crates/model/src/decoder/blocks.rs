//! Matrices packed in blocks of 32 numbers, multiplied as they are.
//!
//! Candle has no quick way for some of these packings, and waits for its
//! threads by spinning, which costs much where other programs run. Here each
//! block is unpacked while it is multiplied, in single precision; the plain
//! loops are compiled for several processors, and the best is taken when the
//! program runs. Rows are spread over the cores.

use crate::gguf::Packing;
use rayon::prelude::*;

/// How many numbers a block has.
const BLOCK: usize = 32;
/// How many rows a thread takes at once.
const ROWS_AT_ONCE: usize = 32;

/// A matrix of blocks, as in the file.
#[derive(Debug)]
pub(super) struct Blocks {
    packing: BlockPacking,
    columns: usize,
    bytes: Vec<u8>,
}

/// The packings that are known here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BlockPacking {
    Q4Zero,
    Q4One,
    Q5Zero,
    Q5One,
    Q8Zero,
}

impl Blocks {
    /// A matrix with rows of `columns` numbers; gives the bytes back if their packing is not known here.
    pub(super) fn new(packing: Packing, columns: usize, bytes: Vec<u8>) -> Result<Self, Vec<u8>> {
        let packing = match packing {
            Packing::Q4_0 => BlockPacking::Q4Zero,
            Packing::Q4_1 => BlockPacking::Q4One,
            Packing::Q5_0 => BlockPacking::Q5Zero,
            Packing::Q5_1 => BlockPacking::Q5One,
            Packing::Q8_0 => BlockPacking::Q8Zero,
            _ => return Err(bytes),
        };
        Ok(Self { packing, columns, bytes })
    }

    /// How many rows there are.
    pub(super) fn rows(&self) -> usize {
        self.bytes.len() / self.row_bytes()
    }

    /// The product of each row with `numbers`.
    pub(super) fn multiply(&self, numbers: &[f32]) -> Vec<f32> {
        let mut products = vec![0.0; self.rows()];
        let rows = self.bytes.par_chunks(ROWS_AT_ONCE * self.row_bytes());
        products.par_chunks_mut(ROWS_AT_ONCE).zip(rows).for_each(|(products, rows)| {
            pulp::Arch::new().dispatch(|| {
                for (product, row) in products.iter_mut().zip(rows.chunks_exact(self.row_bytes())) {
                    *product = self.dot(row, numbers);
                }
            });
        });
        products
    }

    /// All rows, unpacked.
    pub(super) fn unpacked(&self) -> Vec<f32> {
        let mut numbers = vec![0.0; self.rows() * self.columns];
        let rows = self.bytes.par_chunks(ROWS_AT_ONCE * self.row_bytes());
        numbers.par_chunks_mut(ROWS_AT_ONCE * self.columns).zip(rows).for_each(|(numbers, rows)| {
            pulp::Arch::new().dispatch(|| self.unpack(rows, numbers));
        });
        numbers
    }

    /// One row, unpacked; nothing if there is no such row.
    pub(super) fn row(&self, number: usize) -> Option<Vec<f32>> {
        let start = number.checked_mul(self.row_bytes())?;
        let bytes = self.bytes.get(start..start + self.row_bytes())?;
        let mut numbers = vec![0.0; self.columns];
        self.unpack(bytes, &mut numbers);
        Some(numbers)
    }

    fn row_bytes(&self) -> usize {
        let block = match self.packing {
            BlockPacking::Q4Zero => 18,
            BlockPacking::Q4One => 20,
            BlockPacking::Q5Zero => 22,
            BlockPacking::Q5One => 24,
            BlockPacking::Q8Zero => 34,
        };
        self.columns / BLOCK * block
    }

    #[inline(always)]
    fn dot(&self, row: &[u8], numbers: &[f32]) -> f32 {
        match self.packing {
            BlockPacking::Q4Zero => dot(row, numbers, q4_zero),
            BlockPacking::Q4One => dot(row, numbers, q4_one),
            BlockPacking::Q5Zero => dot(row, numbers, q5_zero),
            BlockPacking::Q5One => dot(row, numbers, q5_one),
            BlockPacking::Q8Zero => dot(row, numbers, q8_zero),
        }
    }

    #[inline(always)]
    fn unpack(&self, bytes: &[u8], numbers: &mut [f32]) {
        match self.packing {
            BlockPacking::Q4Zero => unpack(bytes, numbers, q4_zero),
            BlockPacking::Q4One => unpack(bytes, numbers, q4_one),
            BlockPacking::Q5Zero => unpack(bytes, numbers, q5_zero),
            BlockPacking::Q5One => unpack(bytes, numbers, q5_one),
            BlockPacking::Q8Zero => unpack(bytes, numbers, q8_zero),
        }
    }
}

/// Each place of a block has a sum of its own, so that they can be added side by side.
#[inline(always)]
fn dot<const BYTES: usize>(row: &[u8], numbers: &[f32], block: impl Fn(&[u8; BYTES]) -> [f32; BLOCK]) -> f32 {
    let mut sums = [0.0_f32; BLOCK];
    for (bytes, numbers) in row.as_chunks::<BYTES>().0.iter().zip(numbers.as_chunks::<BLOCK>().0) {
        let weights = block(bytes);
        for place in 0..BLOCK {
            sums[place] += weights[place] * numbers[place];
        }
    }
    // Pairs of halves: always the same order, whatever the processor.
    let mut width = BLOCK;
    while width > 1 {
        width /= 2;
        for place in 0..width {
            sums[place] += sums[place + width];
        }
    }
    sums[0]
}

#[inline(always)]
fn unpack<const BYTES: usize>(
    bytes: &[u8],
    numbers: &mut [f32],
    block: impl Fn(&[u8; BYTES]) -> [f32; BLOCK],
) {
    for (bytes, numbers) in bytes.as_chunks::<BYTES>().0.iter().zip(numbers.as_chunks_mut::<BLOCK>().0) {
        *numbers = block(bytes);
    }
}

/// A scale, then sixteen bytes with two numbers of four bits each: the low halves come first.
#[inline(always)]
fn q4_zero(block: &[u8; 18]) -> [f32; BLOCK] {
    let scale = half(block[0], block[1]);
    fours(&block[2..], |number| scale * (number - 8.0))
}

/// A scale and a least number, then as before.
#[inline(always)]
fn q4_one(block: &[u8; 20]) -> [f32; BLOCK] {
    let (scale, least) = (half(block[0], block[1]), half(block[2], block[3]));
    fours(&block[4..], |number| scale * number + least)
}

/// A scale, the fifth bits of all numbers, then the four others of each.
#[inline(always)]
fn q5_zero(block: &[u8; 22]) -> [f32; BLOCK] {
    let scale = half(block[0], block[1]);
    fives(&block[2..], |number| scale * (number - 16.0))
}

/// A scale and a least number, then as before.
#[inline(always)]
fn q5_one(block: &[u8; 24]) -> [f32; BLOCK] {
    let (scale, least) = (half(block[0], block[1]), half(block[2], block[3]));
    fives(&block[4..], |number| scale * number + least)
}

/// A scale, then a signed byte for each number.
#[inline(always)]
fn q8_zero(block: &[u8; 34]) -> [f32; BLOCK] {
    let scale = half(block[0], block[1]);
    let mut numbers = [0.0; BLOCK];
    for (number, &byte) in numbers.iter_mut().zip(&block[2..]) {
        *number = scale * f32::from(byte.cast_signed());
    }
    numbers
}

#[inline(always)]
fn fours(bytes: &[u8], weight: impl Fn(f32) -> f32) -> [f32; BLOCK] {
    let mut numbers = [0.0; BLOCK];
    let (low, high) = numbers.split_at_mut(BLOCK / 2);
    for ((low, high), &byte) in low.iter_mut().zip(high).zip(bytes) {
        *low = weight(f32::from(byte & 15));
        *high = weight(f32::from(byte >> 4));
    }
    numbers
}

#[inline(always)]
fn fives(bytes: &[u8], weight: impl Fn(f32) -> f32) -> [f32; BLOCK] {
    let fifth = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    let mut numbers = [0.0; BLOCK];
    let (low, high) = numbers.split_at_mut(BLOCK / 2);
    for (place, ((low, high), &byte)) in low.iter_mut().zip(high).zip(&bytes[4..]).enumerate() {
        *low = weight((u32::from(byte & 15) | (fifth >> place & 1) << 4) as f32);
        *high = weight((u32::from(byte >> 4) | (fifth >> (place + 16) & 1) << 4) as f32);
    }
    numbers
}

/// A number of half precision. Its bits, moved to where single precision has them, are too small by
/// a power of two, which is true of the smallest numbers as well.
#[inline(always)]
fn half(low: u8, high: u8) -> f32 {
    let bits = u32::from(u16::from_le_bytes([low, high]));
    let size = f32::from_bits((bits & 0x7fff) << 13) * f32::from_bits(0x7780_0000);
    if bits & 0x8000 == 0 { size } else { -size }
}

#[cfg(test)]
mod tests {
    use super::Blocks;
    use crate::gguf::Packing;
    use candle_core::quantized::QTensor;
    use candle_core::{Device, Tensor};
    use stats::rng::Rng;

    /// Random numbers packed by candle, and unpacked by both.
    #[test]
    fn blocks_are_unpacked_and_multiplied_as_candle_does() {
        let mut rng = Rng::seeded(3);
        let mut random =
            |length: usize| -> Vec<f32> { (0..length).map(|_| rng.unit() as f32 - 0.4).collect() };
        let (rows, columns) = (70, 96);
        let numbers = random(columns);
        let matrix = Tensor::from_vec(random(rows * columns), (rows, columns), &Device::Cpu).unwrap();
        for packing in [Packing::Q4_0, Packing::Q4_1, Packing::Q5_0, Packing::Q5_1, Packing::Q8_0] {
            let packed = QTensor::quantize(&matrix, packing).unwrap();
            let blocks = Blocks::new(packing, columns, packed.data().unwrap().to_vec()).unwrap();
            assert_eq!(blocks.rows(), rows);
            let expected = packed.dequantize(&Device::Cpu).unwrap();
            let rows_expected: Vec<Vec<f32>> = expected.to_vec2().unwrap();
            assert_eq!(blocks.unpacked(), rows_expected.concat(), "{packing:?}");
            assert_eq!(blocks.row(rows - 1).as_ref(), rows_expected.last(), "{packing:?}");
            assert_eq!(blocks.row(rows), None);
            let products = blocks.multiply(&numbers);
            assert_eq!(products.len(), rows);
            for (product, row) in products.iter().zip(rows_expected) {
                let exact: f64 = row.iter().zip(&numbers).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum();
                assert!((f64::from(*product) - exact).abs() < 1e-5, "{packing:?}: {product} {exact}");
            }
        }
    }

    #[test]
    fn other_packings_are_given_back() {
        assert_eq!(Blocks::new(Packing::Q4K, 256, vec![1]).unwrap_err(), [1]);
    }

    #[test]
    fn half_numbers_are_read_exactly() {
        let half = |bits: u16| super::half(bits.to_le_bytes()[0], bits.to_le_bytes()[1]);
        assert_eq!(half(0x3c00), 1.0);
        assert_eq!(half(0xc000), -2.0);
        assert_eq!(half(0x0000), 0.0);
        // The smallest number above 0, and the largest.
        assert_eq!(half(0x0001), 2.0_f32.powi(-24));
        assert_eq!(half(0x7bff), 65504.0);
    }
}
