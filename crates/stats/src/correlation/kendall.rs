//! Kendall's tau: pairs in the same order against pairs in the other.

use crate::error::{Error, check_pair};
use crate::ranks::compare;

/// How the pairs of items stand in two lists of scores.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PairCounts {
    /// Pairs in the same order in both.
    pub concordant: u64,
    /// Pairs in opposite order: the swaps that turn one ranking into the other.
    pub discordant: u64,
    /// Pairs tied in the first list, whatever the second says.
    pub tied_x: u64,
    /// Pairs tied in the second list, whatever the first says.
    pub tied_y: u64,
    /// Pairs tied in both.
    pub tied_both: u64,
}

impl PairCounts {
    /// All pairs: n(n − 1)/2.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.concordant + self.discordant + self.tied_x + self.tied_y - self.tied_both
    }
}

/// Counts the pairs in n log n steps: sort by x, then count the exchanges that sort y (Knight 1966).
///
/// # Errors
/// When the lists differ in length or hold a value that is not finite.
pub fn pair_counts(x: &[f64], y: &[f64]) -> Result<PairCounts, Error> {
    check_pair(x, y, 0)?;
    let mut items: Vec<(f64, f64)> = x.iter().copied().zip(y.iter().copied()).collect();
    items.sort_by(|a, b| compare(a.0, b.0).then(compare(a.1, b.1)));
    let tied_x = tied(&items, |a, b| a.0 == b.0);
    let tied_both = tied(&items, |a, b| a == b);
    let mut by_y: Vec<f64> = items.iter().map(|item| item.1).collect();
    let discordant = sort_counting(&mut by_y);
    let tied_y = tied(&by_y, |a, b| a == b);
    let total = pairs(items.len());
    let concordant = total - discordant - (tied_x + tied_y - tied_both);
    Ok(PairCounts { concordant, discordant, tied_x, tied_y, tied_both })
}

/// The number of pairs the two lists order in opposite ways; ties are not swaps.
///
/// # Errors
/// When the lists differ in length or hold a value that is not finite.
pub fn swaps(x: &[f64], y: &[f64]) -> Result<u64, Error> {
    Ok(pair_counts(x, y)?.discordant)
}

/// Kendall's tau-a: (C − D)/n₀ over all n₀ pairs. With ties it cannot reach 1.
///
/// # Errors
/// When the lists differ in length, hold fewer than two values or one that is not finite.
pub fn tau_a(x: &[f64], y: &[f64]) -> Result<f64, Error> {
    check_pair(x, y, 2)?;
    let counts = pair_counts(x, y)?;
    Ok((counts.concordant as f64 - counts.discordant as f64) / counts.total() as f64)
}

/// Kendall's tau-b: (C − D)/√((n₀ − n₁)(n₀ − n₂)) with n₁, n₂ the pairs tied in x and in y.
///
/// ```
/// let tau = stats::correlation::tau_b(&[0.5, 0.4, 0.4, 0.2], &[0.9, 0.7, 0.8, 0.1])?;
/// assert!((tau - 0.912871).abs() < 5e-7);
/// # Ok::<(), stats::Error>(())
/// ```
///
/// # Errors
/// When the lists differ in length, hold fewer than two values or one that is
/// not finite, or all values of one list are tied.
pub fn tau_b(x: &[f64], y: &[f64]) -> Result<f64, Error> {
    check_pair(x, y, 2)?;
    let counts = pair_counts(x, y)?;
    let (of_x, of_y) = (counts.total() - counts.tied_x, counts.total() - counts.tied_y);
    if of_x == 0 || of_y == 0 {
        return Err(Error::NoVariation);
    }
    let tau =
        (counts.concordant as f64 - counts.discordant as f64) / ((of_x as f64).sqrt() * (of_y as f64).sqrt());
    Ok(tau.clamp(-1.0, 1.0))
}

fn pairs(count: usize) -> u64 {
    let count = count as u64;
    count * count.saturating_sub(1) / 2
}

/// Pairs of equal items in a sorted list.
fn tied<T>(sorted: &[T], equal: impl Fn(&T, &T) -> bool) -> u64 {
    sorted.chunk_by(equal).map(|group| pairs(group.len())).sum()
}

/// Sorts by merging and returns the number of pairs that stood in falling order.
fn sort_counting(values: &mut [f64]) -> u64 {
    if values.len() < 2 {
        return 0;
    }
    let (left, right) = values.split_at_mut(values.len() / 2);
    let mut exchanges = sort_counting(left) + sort_counting(right);
    let mut merged = Vec::with_capacity(left.len() + right.len());
    let (mut i, mut j) = (0, 0);
    while i < left.len() && j < right.len() {
        if right[j] < left[i] {
            exchanges += (left.len() - i) as u64;
            merged.push(right[j]);
            j += 1;
        } else {
            merged.push(left[i]);
            i += 1;
        }
    }
    merged.extend_from_slice(&left[i..]);
    merged.extend_from_slice(&right[j..]);
    values.copy_from_slice(&merged);
    exchanges
}
