//! By median rank: the ensemble of MIRMU at ARQMath 2020 and 2021.
//!
//! Documents are compared by three things, one after the other: the median of
//! their ranks, how many members have them, and their rank in one member that
//! chance has drawn. The fused score must put them in this order by itself, for
//! a run is ordered by score and nothing else. Medians are halves of whole
//! numbers, so `(depth − median)/depth` moves in steps of `1/(2·depth)`, and the
//! other two share the room below one step.

use crate::table::Row;
use stats::rng::Rng;

/// The scores of all rows, which come in the order of their ids, the highest first.
pub(crate) fn scores<'a>(
    rows: impl Iterator<Item = (usize, Row<'a>)>,
    members: usize,
    depth: usize,
    seed: u64,
) -> Vec<(usize, f64)> {
    let mut rng = Rng::seeded(seed);
    let mut stripe: Vec<usize> = (0..members).collect();
    let step = 0.5 / depth as f64;
    rows.enumerate()
        .map(|(index, (place, row))| {
            // Of as many documents as there are members, each member is asked about one.
            if index % members == 0 {
                rng.shuffle(&mut stripe);
            }
            let asked = row.cells[stripe[index % members]];
            let rank =
                |cell: &Option<_>| cell.map_or(depth, |cell: crate::table::Cell| (cell.rank - 1).min(depth));
            let mut ranks: Vec<f64> = row.cells.iter().map(|cell| rank(cell) as f64).collect();
            let main = (depth as f64 - median(&mut ranks)) / depth as f64;
            let number = row.cells.iter().flatten().count() as f64;
            // At most a half, so that one member more always counts more.
            let inverse = asked.map_or(0.0, |cell| 1.0 / (cell.rank as f64 + 1.0));
            (place, main + step * (number + inverse) / (members as f64 + 1.0))
        })
        .collect()
}

/// The middle value, or what lies between the middle two; 0 of nothing.
pub(crate) fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => 0.0,
        length if length % 2 == 1 => values[middle],
        // Halves first: the sum of two large numbers may be too large.
        _ => values[middle - 1] / 2.0 + values[middle] / 2.0,
    }
}
