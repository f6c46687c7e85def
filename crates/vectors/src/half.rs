//! Rows of 16-bit floating-point numbers: the vectors as stored, which define scores.

use crate::{Error, check_dimension, check_rows};
use rayon::prelude::*;

/// The sum of a dot product runs in this many separate sums, whatever the processor, so that every
/// machine rounds alike.
const LANES: usize = 32;

/// Rows that a thread scores at a time.
const BLOCK: usize = 4096;

/// The largest length of a stored vector: one, and the rounding to 16 bits.
pub(crate) const MAX_NORM: f32 = 1.002;

/// Normalised vectors, two little-endian bytes a number, row after row.
///
/// The bytes need no alignment. Opening reads none of them.
#[derive(Debug, Clone, Copy)]
pub struct HalfRows<'a> {
    bytes: &'a [u8],
    dimension: usize,
}

impl<'a> HalfRows<'a> {
    /// Rows of `dimension` numbers.
    ///
    /// # Errors
    ///
    /// If the dimension is out of range or the bytes are not a whole number of rows.
    pub fn new(dimension: usize, bytes: &'a [u8]) -> Result<Self, Error> {
        check_dimension(dimension)?;
        check_rows(bytes.len(), dimension * 2)?;
        Ok(Self { bytes, dimension })
    }

    /// Normalises a vector and appends it to `bytes`.
    ///
    /// # Errors
    ///
    /// If the dimension is out of range, a number is not finite, or the vector has no direction;
    /// `bytes` stays as it was.
    pub fn push(vector: &[f32], bytes: &mut Vec<u8>) -> Result<(), Error> {
        check_dimension(vector.len())?;
        check_finite(vector)?;
        let norm = vector.iter().map(|&number| f64::from(number) * f64::from(number)).sum::<f64>().sqrt();
        // Below the smallest normal number, quotients lose their precision.
        if norm < f64::from(f32::MIN_POSITIVE) {
            return Err(Error::NoDirection);
        }
        bytes.reserve(vector.len() * 2);
        for &number in vector {
            bytes.extend(half::f16::from_f64(f64::from(number) / norm).to_le_bytes());
        }
        Ok(())
    }

    /// The number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.bytes.len() / (self.dimension * 2)
    }

    /// Whether there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Numbers in a row.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// A row as `f32`; nothing if there is no such row.
    #[must_use]
    pub fn row(&self, row: u32) -> Option<Vec<f32>> {
        Some(self.bytes_of(row)?.as_chunks().0.iter().map(|&bytes| decode(bytes)).collect())
    }

    /// The dot product of a row with `query`, the score of exact search; nothing if there is no such
    /// row or the query has another dimension. The same on every machine, to the last bit.
    #[must_use]
    pub fn dot(&self, row: u32, query: &[f32]) -> Option<f32> {
        let mut score = [0.0];
        (query.len() == self.dimension).then_some(())?;
        pulp::Arch::new().dispatch(Dots { rows: self.bytes_of(row)?, query, dots: &mut score });
        Some(score[0])
    }

    /// The dot product of every row with `query`, on the threads of the current rayon pool. The same as
    /// [`HalfRows::dot`] of each.
    ///
    /// # Errors
    ///
    /// If the query has another dimension or a number that is not finite.
    pub fn scores(&self, query: &[f32]) -> Result<Vec<f32>, Error> {
        if query.len() != self.dimension {
            return Err(Error::Length { expected: self.dimension, found: query.len() });
        }
        check_finite(query)?;
        let mut dots = vec![0.0; self.len()];
        let rows = self.bytes.par_chunks(BLOCK * self.dimension * 2);
        rows.zip(dots.par_chunks_mut(BLOCK)).for_each(|(rows, dots)| {
            pulp::Arch::new().dispatch(Dots { rows, query, dots });
        });
        Ok(dots)
    }

    /// Compares each row with what a writer produces: finite numbers, length one.
    ///
    /// # Errors
    ///
    /// The first row that differs.
    pub fn check(&self) -> Result<(), Error> {
        for (row, bytes) in (0..).zip(self.bytes.chunks_exact(self.dimension * 2)) {
            let numbers = bytes.as_chunks().0;
            // The largest exponent stands for infinity and NaN.
            if numbers.iter().any(|&bytes| u16::from_le_bytes(bytes) & 0x7c00 == 0x7c00) {
                return Err(Error::Row { row, reason: "a number is not finite" });
            }
            let norm = numbers.iter().map(|&bytes| f64::from(decode(bytes)).powi(2)).sum::<f64>().sqrt();
            if (norm - 1.0).abs() > f64::from(MAX_NORM - 1.0) {
                return Err(Error::Row { row, reason: "its length is not one" });
            }
        }
        Ok(())
    }

    pub(crate) fn bytes_of(&self, row: u32) -> Option<&'a [u8]> {
        let length = self.dimension * 2;
        self.bytes.get((row as usize).checked_mul(length)?..)?.get(..length)
    }

    /// The scores of the given rows, in their order; a row that does not exist scores nothing.
    pub(crate) fn dots(&self, rows: impl Iterator<Item = u32>, query: &[f32]) -> Vec<f32> {
        let arch = pulp::Arch::new();
        rows.map(|row| {
            let mut score = [f32::NEG_INFINITY];
            if let Some(rows) = self.bytes_of(row) {
                arch.dispatch(Dots { rows, query, dots: &mut score });
            }
            score[0]
        })
        .collect()
    }
}

pub(crate) fn check_finite(vector: &[f32]) -> Result<(), Error> {
    vector.iter().position(|number| !number.is_finite()).map_or(Ok(()), |place| Err(Error::NotFinite(place)))
}

/// A number of half precision. Its bits, moved to where single precision has them, are too small by
/// a power of two, which is true of the smallest numbers as well. Bits of infinity and NaN become
/// large numbers, so damaged bytes give finite scores.
#[inline(always)]
pub(crate) fn decode(bytes: [u8; 2]) -> f32 {
    let bits = i32::from(i16::from_le_bytes(bytes)).cast_unsigned();
    f32::from_bits((bits << 13) & 0x8fff_e000) * f32::from_bits(0x7780_0000)
}

/// Dot products of rows with a query. Inlined, so that it is compiled for the processor at hand.
struct Dots<'a> {
    rows: &'a [u8],
    query: &'a [f32],
    dots: &'a mut [f32],
}

impl pulp::WithSimd for Dots<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _simd: S) {
        let (queries, rest) = self.query.as_chunks::<LANES>();
        let mut query_rest = [0.0; LANES];
        query_rest[..rest.len()].copy_from_slice(rest);
        for (row, dot) in self.rows.chunks_exact(self.query.len() * 2).zip(self.dots) {
            let (chunks, rest) = row.as_chunks::<2>().0.as_chunks::<LANES>();
            let mut sums = [0.0; LANES];
            for (numbers, query) in chunks.iter().zip(queries) {
                add_products(&mut sums, numbers, query);
            }
            if !rest.is_empty() {
                let mut numbers = [[0; 2]; LANES];
                numbers[..rest.len()].copy_from_slice(rest);
                add_products(&mut sums, &numbers, &query_rest);
            }
            let sums: [f32; 16] = std::array::from_fn(|lane| sums[lane] + sums[lane + 16]);
            let sums: [f32; 8] = std::array::from_fn(|lane| sums[lane] + sums[lane + 8]);
            let sums: [f32; 4] = std::array::from_fn(|lane| sums[lane] + sums[lane + 4]);
            *dot = (sums[0] + sums[2]) + (sums[1] + sums[3]);
        }
    }
}

#[inline(always)]
fn add_products(sums: &mut [f32; LANES], numbers: &[[u8; 2]; LANES], query: &[f32; LANES]) {
    for lane in 0..LANES {
        sums[lane] += decode(numbers[lane]) * query[lane];
    }
}

#[cfg(test)]
mod tests {
    use super::{HalfRows, decode};
    use crate::Error;

    #[test]
    fn every_finite_number_is_decoded_as_the_standard_says() {
        for bits in (0..=u16::MAX).filter(|bits| bits & 0x7c00 != 0x7c00) {
            let expected = half::f16::from_bits(bits).to_f32();
            assert_eq!(decode(bits.to_le_bytes()).to_bits(), expected.to_bits(), "{bits:#x}");
        }
        assert!(decode([0xff, 0xff]).is_finite());
    }

    #[test]
    fn vectors_are_normalised_and_refused() {
        let mut bytes = Vec::new();
        HalfRows::push(&[3.0, 0.0, -4.0], &mut bytes).unwrap();
        HalfRows::push(&[3e30, 0.0, -4e30], &mut bytes).unwrap();
        assert_eq!(HalfRows::push(&[0.0, -0.0, 0.0], &mut bytes), Err(Error::NoDirection));
        assert_eq!(HalfRows::push(&[1.0, f32::NAN, 0.0], &mut bytes), Err(Error::NotFinite(1)));
        assert_eq!(HalfRows::push(&[], &mut bytes), Err(Error::Dimension(0)));
        let rows = HalfRows::new(3, &bytes).unwrap();
        assert_eq!(rows.len(), 2);
        let row = rows.row(0).unwrap();
        assert!((row[0] - 0.6).abs() < 5e-4 && row[1] == 0.0 && (row[2] + 0.8).abs() < 5e-4, "{row:?}");
        assert_eq!(rows.row(0), rows.row(1));
        assert_eq!(rows.row(2), None);
        assert_eq!(rows.dot(2, &[1.0, 0.0, 0.0]), None);
        assert_eq!(rows.dot(1, &[1.0, 0.0]), None);
        rows.check().unwrap();
    }

    #[test]
    fn rows_that_no_writer_produces_are_named() {
        let mut bytes = Vec::new();
        HalfRows::push(&[1.0, 1.0], &mut bytes).unwrap();
        let mut long = bytes.clone();
        long.extend([0x00, 0x40, 0x00, 0x00]);
        let wrong = HalfRows::new(2, &long).unwrap().check();
        assert_eq!(wrong, Err(Error::Row { row: 1, reason: "its length is not one" }));
        bytes[1] = 0x7c;
        let wrong = HalfRows::new(2, &bytes).unwrap().check();
        assert_eq!(wrong, Err(Error::Row { row: 0, reason: "a number is not finite" }));
        assert!(matches!(HalfRows::new(2, &bytes[1..]), Err(Error::PartOfRow { row: 4, found: 3 })));
    }
}
