//! Sums that fall with the rank.

use crate::table::Row;

/// Reciprocal rank fusion: `Σ w/(k + r)` (Cormack, Clarke & Büttcher 2009).
pub(crate) fn rrf(row: &Row<'_>, k: f64) -> f64 {
    row.present().map(|(weight, cell)| weight / (k + cell.rank as f64)).sum()
}

/// The same with scores: `Σ w·s/(k + r)`.
pub(crate) fn ranked_sum(row: &Row<'_>, k: f64) -> f64 {
    row.present().map(|(weight, cell)| weight * cell.value / (k + cell.rank as f64)).sum()
}

/// Inverse square rank: `n · Σ w/r²` (Mourão, Martins & Magalhães 2014).
pub(crate) fn isr(row: &Row<'_>) -> f64 {
    squares(row) * row.present().count() as f64
}

/// The same with `ln(n + σ)` for n.
pub(crate) fn log_isr(row: &Row<'_>, sigma: f64) -> f64 {
    squares(row) * (row.present().count() as f64 + sigma).ln()
}

fn squares(row: &Row<'_>) -> f64 {
    row.present().map(|(weight, cell)| weight / (cell.rank as f64).powi(2)).sum()
}
