//! Which stored vectors have the largest dot product with this one?
//!
//! Vectors are normalised, of one dimension, and lie in flat bytes that the caller reads or maps:
//! [`HalfRows`] of 16-bit numbers define scores, [`ByteRows`] of 8-bit integers are scanned first.
//! [`Vectors::top`] finds the best rows and [`Vectors::top_documents`] the best documents of several
//! rows each. Results are exact: each 8-bit row knows how far its score can be from that of its 16-bit
//! row, and every row that could belong to the result is scored by its 16-bit row.
//!
//! For large collections, [`NewLists`] groups rows by direction and [`Lists`] takes the place of the
//! 8-bit rows: [`Effort::Usual`] then scans only the groups that still bring hits. Up to
//! [`ROWS_WITHOUT_LISTS`] rows, an exact search takes a few milliseconds and lists gain little.
//!
//! Nothing here knows posts, models or files. The same bytes and the same query give the same result
//! on every machine, whatever the number of threads. Damaged bytes give errors or wrong scores, never
//! a panic; checksums are the caller's.
//!
//! ```
//! use vectors::{ByteRows, Effort, HalfRows, Vectors};
//!
//! let mut half = Vec::new();
//! for vector in [[1.0, 0.0], [0.6, 0.8], [0.0, 2.0]] {
//!     HalfRows::push(&vector, &mut half)?;
//! }
//! let half = HalfRows::new(2, &half)?;
//! let bytes = ByteRows::quantise(&half);
//! let vectors = Vectors::new(half, ByteRows::new(2, &bytes)?)?;
//!
//! let found = vectors.top(&[0.0, 1.0], 2, Effort::Exact, |_row| true, || false)?;
//! let rows: Vec<u32> = found.hits.iter().map(|hit| hit.row).collect();
//! assert_eq!(rows, [2, 1]);
//! assert_eq!(found.hits[0].score, 1.0);
//! # Ok::<(), vectors::Error>(())
//! ```

mod build;
mod bytes;
mod error;
mod half;
mod lists;
mod search;

pub use build::{ListOptions, NewLists};
pub use bytes::ByteRows;
pub use error::Error;
pub use half::HalfRows;
pub use lists::Lists;
pub use search::{Effort, Found, Hit, Vectors};

/// The largest number of dimensions.
pub const MAX_DIMENSION: usize = 8192;

/// Collections of up to this many rows are searched about as fast without [`Lists`].
pub const ROWS_WITHOUT_LISTS: usize = 100_000;

fn check_dimension(dimension: usize) -> Result<(), Error> {
    if (1..=MAX_DIMENSION).contains(&dimension) { Ok(()) } else { Err(Error::Dimension(dimension)) }
}

fn check_rows(found: usize, row: usize) -> Result<(), Error> {
    if !found.is_multiple_of(row) {
        return Err(Error::PartOfRow { row, found });
    }
    // One number is left for callers that count.
    if found / row >= u32::MAX as usize {
        return Err(Error::TooManyRows(found / row));
    }
    Ok(())
}
