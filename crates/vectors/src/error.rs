//! Reasons why vectors cannot be stored, opened or searched.

/// A vector, a query or a section that this crate refuses.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The dimension is zero or larger than [`MAX_DIMENSION`](crate::MAX_DIMENSION).
    #[error("vectors of {0} dimensions are not supported; use 1 to {max}", max = crate::MAX_DIMENSION)]
    Dimension(usize),
    /// A vector or query has another number of dimensions than the rows.
    #[error("the vector has {found} dimensions, the rows have {expected}")]
    Length {
        /// Dimensions of the rows.
        expected: usize,
        /// Dimensions of the vector.
        found: usize,
    },
    /// A number of a vector or query is NaN or infinite.
    #[error("the number at position {0} of the vector is not finite")]
    NotFinite(usize),
    /// A vector is zero, or too short or too long to be normalised.
    #[error("the vector has no direction: its length is zero or out of range")]
    NoDirection,
    /// A section is not a whole number of rows.
    #[error("{found} bytes are not a whole number of rows of {row} bytes")]
    PartOfRow {
        /// Bytes of a row.
        row: usize,
        /// Bytes of the section.
        found: usize,
    },
    /// There are more rows than row numbers.
    #[error("{0} rows are more than {max}", max = u32::MAX)]
    TooManyRows(usize),
    /// Two sections that belong together have another number of rows.
    #[error("{half} rows of 16 bits do not match {bytes} rows of 8 bits")]
    RowCount {
        /// Rows of 16 bits.
        half: usize,
        /// Rows of 8 bits, in lists and beside them.
        bytes: usize,
    },
    /// A row holds bytes that no writer produces.
    #[error("row {row}: {reason}")]
    Row {
        /// The row.
        row: u32,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// The section of lists is not one that this version wrote, or is damaged.
    #[error("damaged lists of vectors: {0}")]
    Lists(&'static str),
    /// The caller asked to stop before the lists were built.
    #[error("stopped while building lists of vectors")]
    Stopped,
}
