//! Rank-biased overlap of two rankings, which need not have the same items or length.

use std::collections::HashSet;
use std::hash::Hash;

use crate::error::{Error, open_unit};

/// The overlap seen, and what the unseen rest could change.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RankBiasedOverlap {
    /// The overlap if what lies below agreed as the lists do at their ends: RBO_EXT.
    pub extrapolated: f64,
    /// The overlap if nothing below agreed.
    pub min: f64,
    /// How much the unseen rest could add: the largest possible value is `min + residual`.
    pub residual: f64,
}

/// Rank-biased overlap (Webber, Moffat & Zobel 2010).
///
/// RBO = (1 − p) Σ_d p^(d−1)·X_d/d, where X_d is the number of items the first d
/// ranks have in common. `persistence` p is the chance that a reader goes on to
/// the next rank; at 0.9 the first ten ranks carry 86 % of the weight.
///
/// With lists of lengths s ≤ l, beyond s the shorter list is taken to go on
/// agreeing at the rate X_s/s (extrapolated), not to agree (min), or to agree
/// with everything it can (max = min + residual).
///
/// ```
/// let overlap = stats::correlation::rbo(&["a", "b", "c"], &["a", "c", "d"], 0.9)?;
/// assert!(overlap.min < overlap.extrapolated);
/// assert!(overlap.extrapolated < overlap.min + overlap.residual);
/// # Ok::<(), stats::Error>(())
/// ```
///
/// # Errors
/// When a list is empty or names an item twice, or p is not strictly between 0 and 1.
pub fn rbo<T: Eq + Hash>(first: &[T], second: &[T], persistence: f64) -> Result<RankBiasedOverlap, Error> {
    let p = open_unit("persistence", persistence)?;
    let (short, long) = if first.len() <= second.len() { (first, second) } else { (second, first) };
    if short.is_empty() {
        return Err(Error::TooFew { needed: 1, found: 0 });
    }
    let overlaps = overlaps(short, long)?;
    let (s, l) = (short.len(), long.len());
    let (at_short, at_long) = (overlaps[s - 1], overlaps[l - 1]);
    let weight = |depth: usize| (1.0 - p) * power(p, depth - 1) / depth as f64;
    let mut extrapolated = power(p, l) * ((at_long - at_short) / l as f64 + at_short / s as f64);
    // As if X_l stood at every depth, (1−p)/p · X_l · Σ p^d/d; the loop takes back the difference.
    let mut min = at_long * (1.0 - p) * (-libm::log1p(-p) / p);
    let mut max = 0.0;
    for depth in 1..=l {
        let overlap = overlaps[depth - 1];
        let beyond = depth.saturating_sub(s) as f64;
        extrapolated += weight(depth) * (overlap + at_short * beyond / s as f64);
        min += weight(depth) * (overlap - at_long);
        max += weight(depth) * (overlap + beyond);
    }
    // Each rank below can complete two items, until the lists agree in full.
    let full = s + l - at_long as usize;
    for depth in l + 1..=full {
        let overlap = at_long + (l - s) as f64 + 2.0 * (depth - l) as f64;
        max += weight(depth) * overlap.min(depth as f64);
    }
    max += power(p, full.max(l));
    let min = min.clamp(0.0, 1.0);
    Ok(RankBiasedOverlap {
        extrapolated: extrapolated.clamp(0.0, 1.0),
        min,
        residual: (max - min).clamp(0.0, 1.0 - min),
    })
}

/// p to a whole power; lists are shorter than any exponent that does not fit.
fn power(p: f64, exponent: usize) -> f64 {
    p.powf(exponent as f64)
}

/// X_d for each depth of the longer list, where the shorter one stops at its end.
fn overlaps<T: Eq + Hash>(short: &[T], long: &[T]) -> Result<Vec<f64>, Error> {
    let (mut in_short, mut in_long) = (HashSet::new(), HashSet::new());
    let mut common = 0.0;
    let mut overlaps = Vec::with_capacity(long.len());
    for (position, item) in long.iter().enumerate() {
        let partner = short.get(position);
        if !in_long.insert(item) {
            return Err(Error::Repeated { position });
        }
        if let Some(partner) = partner
            && !in_short.insert(partner)
        {
            return Err(Error::Repeated { position });
        }
        // Both sets hold this depth; a pair that meets here must count once.
        let met = partner == Some(item);
        common += f64::from(u8::from(in_short.contains(item)));
        common += f64::from(u8::from(!met && partner.is_some_and(|partner| in_long.contains(partner))));
        overlaps.push(common);
    }
    Ok(overlaps)
}
