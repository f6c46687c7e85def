//! Inverted lists: rows beside those that point the same way, so that a search can leave most out.
//!
//! ```text
//! lists := version: u32 · dimension: u32 · rows: u32 · lists: u32
//!          centroids: 16-bit row × lists
//!          ends: u32 × lists             list i holds the places ends[i-1]..ends[i]
//!          order: u32 × rows             the row at each place, rising within a list
//!          codes: 8-bit row × rows       the rows in this order
//! ```
//!
//! All numbers are little-endian. The section replaces the 8-bit rows in their own order: an exact
//! search scans all lists. Rows that came later lie beside it and are always scanned.

use crate::bytes::{ByteRows, Query};
use crate::half::HalfRows;
use crate::{Error, check_dimension};
use std::ops::Range;

pub(crate) const VERSION: u32 = 1;

/// Bytes before the centroids.
const HEAD: usize = 16;

/// The first rows of a collection, grouped by direction.
///
/// Opening reads the head and the ends of the lists, and checks that they fit together.
#[derive(Debug, Clone, Copy)]
pub struct Lists<'a> {
    centroids: HalfRows<'a>,
    ends: &'a [[u8; 4]],
    order: &'a [[u8; 4]],
    codes: ByteRows<'a>,
}

impl<'a> Lists<'a> {
    /// Opens a section that [`NewLists::write`](crate::NewLists::write) wrote.
    ///
    /// # Errors
    ///
    /// If it is cut off, too long, of another version, or its lists do not follow each other.
    pub fn new(bytes: &'a [u8]) -> Result<Self, Error> {
        let (head, rest) = bytes.split_at_checked(HEAD).ok_or(Error::Lists("the head is cut off"))?;
        let [version, dimension, rows, lists] =
            std::array::from_fn(|place| number(head.as_chunks().0[place]) as usize);
        if version != VERSION as usize {
            return Err(Error::Lists("written by another version"));
        }
        check_dimension(dimension)?;
        let cut = || Error::Lists("not as long as its head says");
        // Four products of numbers of 32 bits each, at most 2^13 bytes a row: no overflow in 64 bits.
        let (centroids, rest) = rest.split_at_checked(lists * dimension * 2).ok_or_else(cut)?;
        let (ends, rest) = rest.split_at_checked(lists * 4).ok_or_else(cut)?;
        let (order, codes) = rest.split_at_checked(rows * 4).ok_or_else(cut)?;
        let (ends, order) = (ends.as_chunks().0, order.as_chunks().0);
        let codes = ByteRows::new(dimension, codes).map_err(|_| cut())?;
        if codes.len() != rows {
            return Err(cut());
        }
        if !ends.is_sorted_by_key(|&end| number(end))
            || ends.last().map_or(0, |&end| number(end)) as usize != rows
        {
            return Err(Error::Lists("its lists do not follow each other"));
        }
        Ok(Self { centroids: HalfRows::new(dimension, centroids)?, ends, order, codes })
    }

    /// The number of lists.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no lists.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The number of rows in all lists: rows from 0 to this are not needed elsewhere in 8 bits.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.order.len()
    }

    /// Numbers in a row.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.codes.dimension()
    }

    pub(crate) fn codes(&self) -> ByteRows<'a> {
        self.codes
    }

    /// The row at a place of the order.
    pub(crate) fn row(&self, place: usize) -> Option<u32> {
        self.order.get(place).map(|&row| number(row))
    }

    /// The places of a list.
    fn places(&self, list: usize) -> Range<usize> {
        let end = |list: usize| number(self.ends[list]) as usize;
        if list == 0 { 0..end(0) } else { end(list - 1)..end(list) }
    }

    /// The places of all lists, the most promising list first.
    pub(crate) fn by_promise(&self, query: &Query) -> Vec<Range<usize>> {
        let scores = self.centroids.dots(0..self.len() as u32, &query.numbers);
        let mut lists: Vec<usize> = (0..self.len()).collect();
        lists.sort_by(|&one, &other| scores[other].total_cmp(&scores[one]).then(one.cmp(&other)));
        lists.into_iter().map(|list| self.places(list)).filter(|places| !places.is_empty()).collect()
    }

    /// Compares every row with `half`.
    pub(crate) fn check(&self, half: &HalfRows<'_>) -> Result<(), Error> {
        self.centroids.check().map_err(|_| Error::Lists("a centroid is not normalised"))?;
        let mut seen = vec![false; self.rows()];
        let mut spare = Vec::new();
        for place in 0..self.rows() {
            let row = self.row(place).unwrap_or(u32::MAX);
            match seen.get_mut(row as usize) {
                Some(seen) if !*seen => *seen = true,
                _ => return Err(Error::Lists("a row is missing and another is there twice")),
            }
            if !self.codes.is_quantised(place as u32, half, row, &mut spare) {
                return Err(Error::Row { row, reason: "its 8-bit form is not that of its 16-bit form" });
            }
        }
        Ok(())
    }
}

fn number(bytes: [u8; 4]) -> u32 {
    u32::from_le_bytes(bytes)
}
