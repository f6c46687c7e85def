//! Members as voters (Borda 1781; for metasearch Aslam & Montague 2001).

use crate::table::Row;

/// Rank r is worth `max(0, depth + 1 − r)` points, a missing document none.
pub(crate) fn to_depth(row: &Row<'_>, depth: usize) -> f64 {
    row.present().map(|(weight, cell)| weight * (depth + 1).saturating_sub(cell.rank) as f64).sum()
}

/// Rank r is worth `c + 1 − r` points of c candidates; those that a member
/// lacks share what is left: `1 + 2 + … + (c − length)` points over as many.
pub(crate) fn among(row: &Row<'_>, lengths: &[usize], candidates: usize) -> f64 {
    let votes = row.cells.iter().zip(row.weights).zip(lengths);
    votes
        .filter(|((_, weight), _)| **weight != 0.0)
        .map(|((cell, weight), length)| {
            weight
                * match cell {
                    Some(cell) => (candidates + 1 - cell.rank) as f64,
                    None => (candidates - length + 1) as f64 / 2.0,
                }
        })
        .sum()
}
