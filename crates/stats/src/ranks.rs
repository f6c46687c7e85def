//! Ranks with ties, for Wilcoxon's test and Spearman's correlation.

/// Ranks from 1, smallest value first.
pub(crate) struct AverageRanks {
    /// One rank for each value; equal values share the mean of their ranks.
    pub(crate) ranks: Vec<f64>,
    /// How many values each group of equal ones has; groups of one are not listed.
    pub(crate) tie_sizes: Vec<usize>,
}

/// Ranks of finite values.
pub(crate) fn average_ranks(values: &[f64]) -> AverageRanks {
    let mut places: Vec<usize> = (0..values.len()).collect();
    places.sort_by(|&a, &b| compare(values[a], values[b]));
    let mut ranks = vec![0.0; values.len()];
    let mut tie_sizes = Vec::new();
    let mut above = 0;
    for group in places.chunk_by(|&a, &b| values[a] == values[b]) {
        let rank = above as f64 + 0.5 * (group.len() as f64 + 1.0);
        for &place in group {
            ranks[place] = rank;
        }
        if group.len() > 1 {
            tie_sizes.push(group.len());
        }
        above += group.len();
    }
    AverageRanks { ranks, tie_sizes }
}

/// The order of finite numbers, in which −0 and 0 are equal.
pub(crate) fn compare(a: f64, b: f64) -> std::cmp::Ordering {
    (a + 0.0).total_cmp(&(b + 0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_share_the_mean_rank() {
        let ranks = average_ranks(&[0.3, -0.0, 0.1, 0.0, 0.3, 0.3]);
        assert_eq!(ranks.ranks, [5.0, 1.5, 3.0, 1.5, 5.0, 5.0]);
        assert_eq!(ranks.tie_sizes, [2, 3]);
        assert!(average_ranks(&[]).ranks.is_empty());
    }
}
