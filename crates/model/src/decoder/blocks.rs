//! Matrices packed in blocks of 32 numbers, multiplied as they are.
//!
//! Candle has no quick way for some of these packings, and waits for its
//! threads by spinning, which costs much where other programs run. Here a row
//! is unpacked while it is multiplied, in single precision, by loops that are
//! compiled for several processors, of which the best is taken when the
//! program runs. Rows are spread over the cores.
//!
//! A number is `scale · code + least`, with a scale and perhaps a least number
//! for each block, in half precision. What a block has together in the file is
//! apart here: all codes of a row, all scales, all least numbers. The codes of
//! the first halves of all blocks of a row come first, then those of the
//! second halves; this is how codes of four bits lie in their bytes anyway.

use crate::gguf::Packing;
use rayon::prelude::*;

/// How many numbers a block has, and half of it.
const BLOCK: usize = 32;
const HALF: usize = BLOCK / 2;
/// How many rows a thread takes at once.
const ROWS_AT_ONCE: usize = 32;

/// A matrix of blocks.
#[derive(Debug)]
pub(super) struct Blocks {
    rows: usize,
    columns: usize,
    codes: Codes,
    scales: Vec<u16>,
    /// Empty where there are none.
    leasts: Vec<u16>,
}

/// The codes of all rows.
#[derive(Debug)]
enum Codes {
    /// Two in a byte; `zero` is what stands for 0.
    Fours { bytes: Vec<u8>, zero: i8 },
    /// One in a byte.
    Whole(Vec<i8>),
}

impl Blocks {
    /// A matrix with rows of `columns` numbers, which are whole blocks; nothing if the packing is not
    /// known here.
    pub(super) fn new(packing: Packing, columns: usize, bytes: &[u8]) -> Option<Self> {
        let layout = match packing {
            Packing::Q4_0 => Layout { bytes: 18, least: false, kind: Kind::Fours { zero: 8 } },
            Packing::Q4_1 => Layout { bytes: 20, least: true, kind: Kind::Fours { zero: 0 } },
            Packing::Q5_0 => Layout { bytes: 22, least: false, kind: Kind::Fives { zero: 16 } },
            Packing::Q5_1 => Layout { bytes: 24, least: true, kind: Kind::Fives { zero: 0 } },
            Packing::Q8_0 => Layout { bytes: 34, least: false, kind: Kind::Eights },
            _ => return None,
        };
        let row_bytes = columns / BLOCK * layout.bytes;
        let rows = bytes.len().checked_div(row_bytes)?;
        let mut scales = Vec::with_capacity(rows * columns / BLOCK);
        let mut leasts = Vec::with_capacity(if layout.least { scales.capacity() } else { 0 });
        let mut packed = Vec::with_capacity(if layout.is_fours() { rows * columns / 2 } else { 0 });
        let mut whole = Vec::with_capacity(if layout.is_fours() { 0 } else { rows * columns });
        for row in bytes.chunks_exact(row_bytes) {
            let mut second_halves = Vec::with_capacity(columns / 2);
            for block in row.chunks_exact(layout.bytes) {
                scales.push(u16::from_le_bytes([block[0], block[1]]));
                if layout.least {
                    leasts.push(u16::from_le_bytes([block[2], block[3]]));
                }
                let codes = &block[if layout.least { 4 } else { 2 }..];
                match layout.kind {
                    Kind::Fours { .. } => packed.extend_from_slice(codes),
                    Kind::Fives { zero } => {
                        let (first, second) = fives(codes, zero);
                        whole.extend(first);
                        second_halves.extend(second);
                    }
                    Kind::Eights => {
                        let signed = |byte: &u8| byte.cast_signed();
                        whole.extend(codes[..HALF].iter().map(signed));
                        second_halves.extend(codes[HALF..].iter().map(signed));
                    }
                }
            }
            whole.extend(second_halves);
        }
        let codes = match layout.kind {
            Kind::Fours { zero } => Codes::Fours { bytes: packed, zero },
            Kind::Fives { .. } | Kind::Eights => Codes::Whole(whole),
        };
        Some(Self { rows, columns, codes, scales, leasts })
    }

    /// How many rows there are.
    pub(super) fn rows(&self) -> usize {
        self.rows
    }

    /// The product of each row with `numbers`.
    pub(super) fn multiply(&self, numbers: &[f32]) -> Vec<f32> {
        let (first, second): (Vec<_>, Vec<_>) =
            numbers.as_chunks::<BLOCK>().0.iter().map(|block| block.split_at(HALF)).unzip();
        let halves = [first.concat(), second.concat()];
        let sums: Vec<f32> = numbers.as_chunks::<BLOCK>().0.iter().map(|block| block.iter().sum()).collect();
        let mut products = vec![0.0; self.rows];
        products.par_chunks_mut(ROWS_AT_ONCE).enumerate().for_each(|(chunk, products)| {
            let first_row = chunk * ROWS_AT_ONCE;
            let job = Multiply { blocks: self, first_row, halves: &halves, sums: &sums, products };
            pulp::Arch::new().dispatch(job);
        });
        products
    }

    /// All rows, unpacked.
    pub(super) fn unpacked(&self) -> Vec<f32> {
        let mut numbers = vec![0.0; self.rows * self.columns];
        numbers.par_chunks_mut(ROWS_AT_ONCE * self.columns).enumerate().for_each(|(chunk, numbers)| {
            pulp::Arch::new().dispatch(Unpack { blocks: self, first_row: chunk * ROWS_AT_ONCE, numbers });
        });
        numbers
    }

    /// One row, unpacked; nothing if there is no such row.
    pub(super) fn row(&self, row: usize) -> Option<Vec<f32>> {
        let mut numbers = vec![0.0; self.columns];
        (row < self.rows).then(|| {
            pulp::Arch::new().dispatch(Unpack { blocks: self, first_row: row, numbers: &mut numbers });
            numbers
        })
    }

    /// The codes of a row as numbers: those of all first halves, then those of all second halves.
    #[inline(always)]
    fn read_codes(&self, row: usize, numbers: &mut [f32]) {
        match &self.codes {
            Codes::Fours { bytes, zero } => {
                let (half, zero) = (self.columns / 2, *zero);
                let (first, second) = numbers.split_at_mut(half);
                let bytes = &bytes[row * half..][..half];
                for ((first, second), byte) in first.iter_mut().zip(second).zip(bytes) {
                    *first = f32::from((byte & 15).cast_signed().wrapping_sub(zero));
                    *second = f32::from((byte >> 4).cast_signed().wrapping_sub(zero));
                }
            }
            Codes::Whole(codes) => {
                for (number, &code) in numbers.iter_mut().zip(&codes[row * self.columns..]) {
                    *number = f32::from(code);
                }
            }
        }
    }
}

/// How a block lies in the file: a scale, perhaps a least number, codes.
struct Layout {
    bytes: usize,
    least: bool,
    kind: Kind,
}

/// How codes lie in the file; `zero` is what stands for 0.
enum Kind {
    /// The second half in the upper bits of the bytes of the first.
    Fours {
        zero: i8,
    },
    /// The fifth bits of all, then the others in fours.
    Fives {
        zero: i8,
    },
    Eights,
}

impl Layout {
    fn is_fours(&self) -> bool {
        matches!(self.kind, Kind::Fours { .. })
    }
}

fn fives(bytes: &[u8], zero: i8) -> ([i8; HALF], [i8; HALF]) {
    let fifth = |place: usize| (bytes[place / 8] >> (place % 8) & 1) << 4;
    let code = |four: u8, place: usize| (four | fifth(place)).cast_signed() - zero;
    let first = std::array::from_fn(|place| code(bytes[4 + place] & 15, place));
    (first, std::array::from_fn(|place| code(bytes[4 + place] >> 4, place + HALF)))
}

/// Rows multiplied with numbers. This and what it calls must be inlined: only then is it compiled
/// for the processor that is found.
struct Multiply<'a> {
    blocks: &'a Blocks,
    first_row: usize,
    /// The first halves of all blocks of the numbers, and the second.
    halves: &'a [Vec<f32>; 2],
    /// The sums of all blocks of the numbers.
    sums: &'a [f32],
    products: &'a mut [f32],
}

impl pulp::WithSimd for Multiply<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, simd: S) {
        let blocks = self.blocks;
        let mut codes = vec![0.0; blocks.columns];
        let [first_numbers, second_numbers] = self.halves;
        for (row, product) in (self.first_row..).zip(self.products) {
            blocks.read_codes(row, &mut codes);
            let (first_codes, second_codes) = codes.split_at(blocks.columns / 2);
            let in_row = row * self.sums.len()..(row + 1) * self.sums.len();
            let scales = &blocks.scales[in_row.clone()];
            let first = first_codes.as_chunks::<HALF>().0.iter().zip(first_numbers.as_chunks::<HALF>().0);
            let second = second_codes.as_chunks::<HALF>().0.iter().zip(second_numbers.as_chunks::<HALF>().0);
            let mut sum = simd.splat_f32s(0.0);
            for ((scale, first), second) in scales.iter().zip(first).zip(second) {
                let mut of_block = simd.splat_f32s(0.0);
                for (codes, numbers) in [first, second] {
                    let (codes, numbers) = (S::as_simd_f32s(codes).0, S::as_simd_f32s(numbers).0);
                    for (&code, &number) in codes.iter().zip(numbers) {
                        of_block = simd.mul_add_e_f32s(code, number, of_block);
                    }
                }
                sum = simd.mul_add_e_f32s(simd.splat_f32s(half(*scale)), of_block, sum);
            }
            *product = simd.reduce_sum_f32s(sum);
            if !blocks.leasts.is_empty() {
                for (&least, sum) in blocks.leasts[in_row].iter().zip(self.sums) {
                    *product += half(least) * sum;
                }
            }
        }
    }
}

/// Rows unpacked.
struct Unpack<'a> {
    blocks: &'a Blocks,
    first_row: usize,
    numbers: &'a mut [f32],
}

impl pulp::WithSimd for Unpack<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _simd: S) {
        let blocks = self.blocks;
        let mut codes = vec![0.0; blocks.columns];
        for (row, numbers) in (self.first_row..).zip(self.numbers.chunks_exact_mut(blocks.columns)) {
            blocks.read_codes(row, &mut codes);
            let (first, second) = codes.split_at(blocks.columns / 2);
            let halves = first.as_chunks::<HALF>().0.iter().zip(second.as_chunks::<HALF>().0);
            let start = row * (blocks.columns / BLOCK);
            for (block, (numbers, (first, second))) in
                (start..).zip(numbers.as_chunks_mut::<BLOCK>().0.iter_mut().zip(halves))
            {
                let scale = half(blocks.scales[block]);
                let least = blocks.leasts.get(block).map_or(0.0, |&least| half(least));
                for (number, code) in numbers.iter_mut().zip(first.iter().chain(second)) {
                    *number = scale * code + least;
                }
            }
        }
    }
}

/// A number of half precision. Its bits, moved to where single precision has them, are too small by
/// a power of two, which is true of the smallest numbers as well.
#[inline(always)]
pub(crate) fn half(bits: u16) -> f32 {
    let bits = u32::from(bits);
    let size = f32::from_bits((bits & 0x7fff) << 13) * f32::from_bits(0x7780_0000);
    f32::from_bits(size.to_bits() | (bits & 0x8000) << 16)
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
            let blocks = Blocks::new(packing, columns, &packed.data().unwrap()).unwrap();
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
    fn other_packings_are_others() {
        assert!(Blocks::new(Packing::Q4K, 256, &[1]).is_none());
    }

    #[test]
    fn half_numbers_are_read_exactly() {
        let half = super::half;
        assert_eq!(half(0x3c00), 1.0);
        assert_eq!(half(0xc000), -2.0);
        assert_eq!(half(0x0000), 0.0);
        // The smallest number above 0, and the largest.
        assert_eq!(half(0x0001), 2.0_f32.powi(-24));
        assert_eq!(half(0x7bff), 65504.0);
    }
}
