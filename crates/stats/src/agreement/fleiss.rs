//! Fleiss' kappa of several raters.

use crate::error::Error;

/// Fleiss' kappa (1971): the same number of raters for every item, not always the same people.
///
/// `counts[item][category]` says how many raters put the item there. With n
/// raters, an item agrees in P_i = Σ_j c_ij(c_ij − 1)/(n(n − 1)) of its pairs;
/// κ = (mean P_i − Σ p_j²)/(1 − Σ p_j²) with p_j the share of category j. It is not
/// defined when items have different numbers of raters; use
/// [`krippendorff_alpha`](super::krippendorff_alpha) then.
///
/// # Errors
/// When there are no items, rows differ in length, items differ in their number
/// of raters or have fewer than two, or only one category was used.
pub fn fleiss_kappa<R: AsRef<[u32]>>(counts: &[R]) -> Result<f64, Error> {
    let first = counts.first().ok_or(Error::TooFew { needed: 1, found: 0 })?.as_ref();
    let total = |row: &[u32]| row.iter().map(|&count| u64::from(count)).sum::<u64>();
    let raters = total(first);
    if raters < 2 {
        return Err(Error::TooFew { needed: 2, found: raters as usize });
    }
    let mut of_category = vec![0.0; first.len()];
    let mut agreement = 0.0;
    for (item, row) in counts.iter().enumerate() {
        let row = row.as_ref();
        if row.len() != first.len() {
            return Err(Error::UnequalLengths { left: first.len(), right: row.len() });
        }
        if total(row) != raters {
            return Err(Error::UnequalRaters { item, expected: raters, found: total(row) });
        }
        for (sum, &count) in of_category.iter_mut().zip(row) {
            *sum += f64::from(count);
            agreement += f64::from(count) * (f64::from(count) - 1.0);
        }
    }
    let raters = raters as f64;
    let items = counts.len() as f64;
    let observed = agreement / (items * raters * (raters - 1.0));
    let used = of_category.iter().filter(|&&sum| sum > 0.0).count();
    if used < 2 {
        return Err(Error::NoVariation);
    }
    let expected: f64 = of_category.iter().map(|sum| (sum / (items * raters)).powi(2)).sum();
    Ok((observed - expected) / (1.0 - expected))
}
