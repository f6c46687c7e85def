//! Wilcoxon's signed-rank test.

use super::{PValueMethod, differences};
use crate::error::{Error, check_pair};
use crate::ranks::average_ranks;
use crate::special::normal_below;

/// Up to this many differences without ties or zeros the p-value is exact.
pub const RANKS_EXACT_LIMIT: usize = 50;

/// The outcome of a signed-rank test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wilcoxon {
    /// Sum of the ranks of positive differences.
    pub rank_sum_plus: f64,
    /// Sum of the ranks of negative differences.
    pub rank_sum_minus: f64,
    /// Differences that are not zero: the ranked ones.
    pub ranked: usize,
    /// Two-sided p-value.
    pub p_value: f64,
    /// How the p-value was computed.
    pub method: PValueMethod,
}

impl Wilcoxon {
    /// The smaller of the two rank sums, which most tables and programs call W or T.
    #[must_use]
    pub fn statistic(&self) -> f64 {
        self.rank_sum_plus.min(self.rank_sum_minus)
    }
}

/// Wilcoxon's signed-rank test, two-sided.
///
/// Zero differences are left out, the others are ranked by size, equal sizes
/// share the mean of their ranks (Wilcoxon 1945). The p-value is exact when
/// there are at most [`RANKS_EXACT_LIMIT`] differences and neither ties nor zeros; otherwise
/// it comes from the normal distribution with mean n(n+1)/4 and variance
/// (n(n+1)(2n+1) − Σ(t³−t)/2)/24 over groups of t ties, without continuity correction.
/// These are the numbers of `scipy.stats.wilcoxon` with `zero_method="wilcox"`,
/// `correction=False` and `method="exact"` or `"asymptotic"`.
///
/// # Errors
/// When the lists differ in length, are empty or hold a value that is not
/// finite, or when every difference is zero.
pub fn wilcoxon(left: &[f64], right: &[f64]) -> Result<Wilcoxon, Error> {
    check_pair(left, right, 1)?;
    let mut differences = differences(left, right)?;
    let all = differences.len();
    differences.retain(|&difference| difference != 0.0);
    if differences.is_empty() {
        return Err(Error::NoDifference);
    }
    let sizes: Vec<f64> = differences.iter().map(|difference| difference.abs()).collect();
    let ranks = average_ranks(&sizes);
    let ranked = differences.len();
    let rank_sum_plus: f64 = differences
        .iter()
        .zip(&ranks.ranks)
        .filter(|(difference, _)| **difference > 0.0)
        .map(|(_, rank)| rank)
        .sum();
    let total = 0.5 * ranked as f64 * (ranked as f64 + 1.0);
    let rank_sum_minus = total - rank_sum_plus;
    let smaller = rank_sum_plus.min(rank_sum_minus);
    let exact = ranked == all && ranks.tie_sizes.is_empty() && ranked <= RANKS_EXACT_LIMIT;
    let (p_value, method) = if exact {
        (exact_two_sided(smaller as usize, ranked), PValueMethod::Exact)
    } else {
        let p_value = approximate_two_sided(smaller, ranked as f64, &ranks.tie_sizes);
        (p_value, PValueMethod::NormalApproximation)
    };
    Ok(Wilcoxon { rank_sum_plus, rank_sum_minus, ranked, p_value, method })
}

/// Twice the share of sign patterns whose rank sum is at most `smaller`.
///
/// `patterns[s]` counts the subsets of the ranks so far with sum s.
fn exact_two_sided(smaller: usize, ranked: usize) -> f64 {
    let mut patterns = vec![0_u64; smaller + 1];
    patterns[0] = 1;
    for rank in 1..=ranked {
        for sum in (rank..=smaller).rev() {
            patterns[sum] += patterns[sum - rank];
        }
    }
    let below: u64 = patterns.iter().sum();
    (2.0 * below as f64 / 2.0_f64.powi(ranked as i32)).min(1.0)
}

fn approximate_two_sided(smaller: f64, n: f64, tie_sizes: &[usize]) -> f64 {
    let ties: f64 = tie_sizes.iter().map(|&size| (size as f64).powi(3) - size as f64).sum();
    let variance = (n * (n + 1.0) * (2.0 * n + 1.0) - 0.5 * ties) / 24.0;
    let z = (smaller - 0.25 * n * (n + 1.0)) / variance.sqrt();
    (2.0 * normal_below(z)).min(1.0)
}
