//! Rows of 8-bit integers: half the bytes to scan, and a bound of what the rounding can change.
//!
//! ```text
//! row := scale: f32 · error: f32 · codes: i8 × dimension        little-endian, no padding
//! ```
//!
//! A number of the vector is about `scale × code`. `error` is the length of the difference between
//! the stored 16-bit row and `scale × codes`, rounded up. By Cauchy and Schwarz no score is wrong by
//! more than `error × |query|`, which is what makes a scan over these rows exact in the end.

use crate::half::{HalfRows, MAX_NORM, check_finite, decode};
use crate::{Error, check_dimension, check_rows};

/// Bytes before the codes of a row.
const HEAD: usize = 8;

/// The largest code, either sign.
const MAX_CODE: f32 = 127.0;

/// Vectors as 8-bit integers with a scale for each row.
///
/// The bytes need no alignment. Opening reads none of them.
#[derive(Debug, Clone, Copy)]
pub struct ByteRows<'a> {
    bytes: &'a [u8],
    dimension: usize,
}

impl<'a> ByteRows<'a> {
    /// Rows of `dimension` numbers.
    ///
    /// # Errors
    ///
    /// If the dimension is out of range or the bytes are not a whole number of rows.
    pub fn new(dimension: usize, bytes: &'a [u8]) -> Result<Self, Error> {
        check_dimension(dimension)?;
        check_rows(bytes.len(), HEAD + dimension)?;
        Ok(Self { bytes, dimension })
    }

    /// Quantises a row of 16 bits and appends it to `bytes`; nothing happens if there is no such row.
    pub fn push(half: &HalfRows<'_>, row: u32, bytes: &mut Vec<u8>) {
        let Some(numbers) = half.bytes_of(row).map(|bytes| bytes.as_chunks().0) else { return };
        let largest = numbers.iter().fold(0.0_f32, |largest, &bytes| largest.max(decode(bytes).abs()));
        let scale = largest / MAX_CODE;
        let head = bytes.len();
        bytes.extend([0; HEAD]);
        let mut squares = 0.0;
        for &number in numbers {
            let number = decode(number);
            let code = if scale > 0.0 { (number / scale).round().clamp(-MAX_CODE, MAX_CODE) } else { 0.0 };
            squares += (f64::from(number) - f64::from(scale) * f64::from(code)).powi(2);
            bytes.push((code as i8).cast_unsigned());
        }
        // Twice up: for the conversion, and for the sum in 64 bits.
        let error = (squares.sqrt() as f32).next_up().next_up();
        bytes[head..head + 4].copy_from_slice(&scale.to_le_bytes());
        bytes[head + 4..head + HEAD].copy_from_slice(&error.to_le_bytes());
    }

    /// All rows of 16 bits, quantised.
    #[must_use]
    pub fn quantise(half: &HalfRows<'_>) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(half.len() * (HEAD + half.dimension()));
        for row in 0..half.len() as u32 {
            Self::push(half, row, &mut bytes);
        }
        bytes
    }

    /// The number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.bytes.len() / self.row_bytes()
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

    /// Bytes of a row.
    #[must_use]
    pub fn row_bytes(&self) -> usize {
        HEAD + self.dimension
    }

    /// A row as `f32`, rounded as stored; nothing if there is no such row.
    #[must_use]
    pub fn row(&self, row: u32) -> Option<Vec<f32>> {
        let bytes = self.rows(row as usize, row as usize + 1)?;
        let (scale, _) = head(bytes);
        Some(bytes[HEAD..].iter().map(|code| scale * f32::from(code.cast_signed())).collect())
    }

    /// The bytes of the rows from `start` to `end`.
    pub(crate) fn rows(&self, start: usize, end: usize) -> Option<&'a [u8]> {
        self.bytes.get(start.checked_mul(self.row_bytes())?..end.checked_mul(self.row_bytes())?)
    }

    /// Whether row `row` is the quantised form of row `of` of `half`.
    pub(crate) fn is_quantised(&self, row: u32, half: &HalfRows<'_>, of: u32, spare: &mut Vec<u8>) -> bool {
        spare.clear();
        Self::push(half, of, spare);
        self.rows(row as usize, row as usize + 1) == Some(spare)
    }
}

/// Scale and error of a row.
fn head(row: &[u8]) -> (f32, f32) {
    let number =
        |place: usize| f32::from_le_bytes([row[place], row[place + 1], row[place + 2], row[place + 3]]);
    (number(0), number(4))
}

/// A query, rounded to integers so that it can be multiplied with codes.
///
/// Sixteen bits cost no more than eight: processors multiply codes in 16 bits anyway.
#[derive(Debug, Clone)]
pub(crate) struct Query {
    pub(crate) numbers: Vec<f32>,
    codes: Vec<i16>,
    scale: f32,
    norm: f32,
    /// The part of the error of a score that is the same for all rows: the rounding of the query, and
    /// that of sums of 32 bits here and in 16-bit rows.
    slack: f32,
}

/// Bounds of the score of a row.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    pub(crate) least: f32,
    pub(crate) most: f32,
}

impl Query {
    pub(crate) fn new(query: &[f32], dimension: usize) -> Result<Self, Error> {
        if query.len() != dimension {
            return Err(Error::Length { expected: dimension, found: query.len() });
        }
        check_finite(query)?;
        let norm = norm(query.iter().map(|&number| f64::from(number)));
        if !norm.is_finite() {
            return Err(Error::NoDirection);
        }
        // The largest for which no sum of products overflows 32 bits, whatever the codes.
        let limit = (i32::MAX / (128 * dimension as i32)).min(i32::from(i16::MAX)) as f32;
        let largest = query.iter().fold(0.0_f32, |largest, number| largest.max(number.abs()));
        let scale = largest / limit;
        let code = |number: f32| {
            if scale >= f32::MIN_POSITIVE { (number / scale).round().clamp(-limit, limit) } else { 0.0 }
        };
        let codes: Vec<i16> = query.iter().map(|&number| code(number) as i16).collect();
        let difference = codes
            .iter()
            .zip(query)
            .map(|(&code, &number)| f64::from(number) - f64::from(scale) * f64::from(code));
        // A row of codes is at most as long as the row of 16 bits and its error; an error is less than half
        // a step in each dimension, a step at most 1/127.
        let row_norm = MAX_NORM + 0.5 * MAX_NORM / MAX_CODE * (dimension as f32).sqrt();
        let rounding = (dimension as f32 + 16.0) * f32::EPSILON * norm * row_norm;
        let slack = self::norm(difference) * row_norm + rounding;
        Ok(Self { numbers: query.to_vec(), codes, scale, norm, slack })
    }

    /// The row with the largest score, as far as 8 bits can tell, and that score; the first of several.
    pub(crate) fn nearest(&self, rows: &ByteRows<'_>, dots: &mut Vec<i32>) -> (u32, f32) {
        let mut nearest = (0, f32::NEG_INFINITY);
        self.bounds(rows.bytes, dots, |row, bounds| {
            let score = (bounds.least + bounds.most) / 2.0;
            if score > nearest.1 {
                nearest = (row as u32, score);
            }
        });
        nearest
    }

    /// Gives the bounds of the scores of all rows in `bytes` to `each`, in order.
    pub(crate) fn bounds(&self, bytes: &[u8], dots: &mut Vec<i32>, mut each: impl FnMut(usize, Bounds)) {
        let row_bytes = HEAD + self.codes.len();
        dots.clear();
        dots.resize(bytes.len() / row_bytes, 0);
        pulp::Arch::new().dispatch(Dots { rows: bytes, codes: &self.codes, dots });
        for ((place, row), &dot) in bytes.chunks_exact(row_bytes).enumerate().zip(dots.iter()) {
            let (scale, error) = head(row);
            let about = dot as f32 * (scale * self.scale);
            let error = self.norm * error + self.slack;
            // A bound that is not a number comes from damaged bytes: the 16-bit row decides.
            let least = (about - error).max(f32::NEG_INFINITY);
            each(place, Bounds { least, most: (about + error).min(f32::INFINITY) });
        }
    }
}

fn norm(numbers: impl Iterator<Item = f64>) -> f32 {
    (numbers.map(|number| number * number).sum::<f64>().sqrt() as f32).next_up().next_up()
}

/// Dot products of codes with those of a query. Inlined, so that it is compiled for the processor at
/// hand; sums of integers are the same on all of them.
struct Dots<'a> {
    rows: &'a [u8],
    codes: &'a [i16],
    dots: &'a mut [i32],
}

impl pulp::WithSimd for Dots<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _simd: S) {
        for (row, dot) in self.rows.chunks_exact(HEAD + self.codes.len()).zip(self.dots) {
            *dot = row[HEAD..]
                .iter()
                .zip(self.codes)
                .map(|(code, &query)| i32::from(code.cast_signed()) * i32::from(query))
                .sum();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ByteRows, Query};
    use crate::half::HalfRows;
    use proptest::prelude::*;

    proptest! {
        /// The guarantee that exact search stands on.
        #[test]
        fn scores_are_within_their_bounds(
            (query, rows) in (1_usize..70).prop_flat_map(|dimension| {
                let vector = || proptest::collection::vec(
                    prop_oneof![8 => -1.0_f32..1.0, 1 => Just(0.0), 1 => -1e-5_f32..1e-5, 1 => -900.0_f32..900.0],
                    dimension,
                );
                (vector(), proptest::collection::vec(vector(), 1..20))
            }),
        ) {
            let mut half = Vec::new();
            for row in &rows {
                let _ = HalfRows::push(row, &mut half);
            }
            let half = HalfRows::new(query.len(), &half).unwrap();
            let bytes = ByteRows::quantise(&half);
            let prepared = Query::new(&query, query.len()).unwrap();
            let mut seen = 0;
            prepared.bounds(&bytes, &mut Vec::new(), |row, bounds| {
                let score = half.dot(row as u32, &query).unwrap();
                assert!(bounds.least <= score && score <= bounds.most, "{bounds:?} {score}");
                seen += 1;
            });
            prop_assert_eq!(seen, half.len());
        }
    }

    #[test]
    fn the_largest_codes_do_not_overflow() {
        for dimension in [1, 384, 768, 1024, crate::MAX_DIMENSION] {
            let query = Query::new(&vec![-1.0; dimension], dimension).unwrap();
            let mut row = [1.0_f32.to_le_bytes(), 0.0_f32.to_le_bytes()].concat();
            row.resize(8 + dimension, 0x80);
            query.bounds(&row, &mut Vec::new(), |_, bounds| {
                let expected = 128.0 * dimension as f32;
                assert!(bounds.least <= expected && bounds.most >= expected, "{bounds:?}");
            });
        }
    }

    #[test]
    fn a_row_is_nearly_what_it_was() {
        let mut bytes = Vec::new();
        HalfRows::push(&[0.5, -0.25, 0.1, 0.0], &mut bytes).unwrap();
        let half = HalfRows::new(4, &bytes).unwrap();
        let bytes = ByteRows::quantise(&half);
        let rows = ByteRows::new(4, &bytes).unwrap();
        for (rounded, number) in rows.row(0).unwrap().iter().zip(half.row(0).unwrap()) {
            assert!((rounded - number).abs() < 0.004);
        }
        assert_eq!(rows.row(1), None);
        assert!(rows.is_quantised(0, &half, 0, &mut Vec::new()));
        assert!(ByteRows::new(4, &bytes[1..]).is_err());
    }
}
