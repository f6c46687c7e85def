//! Combinations of scores (Fox & Shaw 1994).

use crate::table::Row;

/// CombSUM: `Σ w·s`.
pub(crate) fn sum(row: &Row<'_>) -> f64 {
    row.present().map(|(weight, cell)| weight * cell.value).sum()
}

/// CombMNZ: `n · Σ w·s`.
pub(crate) fn times_number(row: &Row<'_>) -> f64 {
    sum(row) * row.present().count() as f64
}

/// CombANZ: `Σ w·s / n`.
pub(crate) fn mean(row: &Row<'_>) -> f64 {
    sum(row) / row.present().count() as f64
}

/// CombMAX: `max s`.
pub(crate) fn max(row: &Row<'_>) -> f64 {
    row.present().map(|(_, cell)| cell.value).fold(f64::NEG_INFINITY, f64::max)
}

/// CombMIN: `min s`.
pub(crate) fn min(row: &Row<'_>) -> f64 {
    row.present().map(|(_, cell)| cell.value).fold(f64::INFINITY, f64::min)
}

/// CombMED: the median of s.
pub(crate) fn median(row: &Row<'_>) -> f64 {
    let mut values: Vec<f64> = row.present().map(|(_, cell)| cell.value).collect();
    super::ibc::median(&mut values)
}
