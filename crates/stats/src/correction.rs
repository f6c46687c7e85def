//! Many tests at once: adjusted p-values, in the order in which they came.
//!
//! An adjusted p-value is compared with the level one would use for a single
//! test. Bonferroni and Holm bound the chance of any false discovery; Benjamini
//! and Hochberg, and Benjamini and Yekutieli, bound the expected share of false
//! ones among the discoveries.

use crate::error::Error;

/// Bonferroni: min(1, m·p). Holm's correction is never worse.
///
/// # Errors
/// When a value is not in [0, 1]; this holds for every function here.
pub fn bonferroni(p_values: &[f64]) -> Result<Vec<f64>, Error> {
    check(p_values)?;
    let count = p_values.len() as f64;
    Ok(p_values.iter().map(|p| (p * count).min(1.0)).collect())
}

/// Holm (1979): the i-th smallest times m − i + 1, never below its predecessor.
///
/// ```
/// let adjusted = stats::correction::holm(&[0.01, 0.04, 0.03])?;
/// assert_eq!(adjusted, [0.03, 0.06, 0.06]);
/// # Ok::<(), stats::Error>(())
/// ```
///
/// # Errors
/// When a value is not in [0, 1].
pub fn holm(p_values: &[f64]) -> Result<Vec<f64>, Error> {
    check(p_values)?;
    let mut adjusted = vec![0.0; p_values.len()];
    let mut highest = 0.0_f64;
    for (rank, place) in rising(p_values).into_iter().enumerate() {
        let remaining = (p_values.len() - rank) as f64;
        highest = highest.max((p_values[place] * remaining).min(1.0));
        adjusted[place] = highest;
    }
    Ok(adjusted)
}

/// Benjamini & Hochberg (1995): the i-th smallest times m/i, never above its successor.
///
/// Bounds the false discovery rate when the tests are independent or positively dependent.
///
/// # Errors
/// When a value is not in [0, 1].
pub fn benjamini_hochberg(p_values: &[f64]) -> Result<Vec<f64>, Error> {
    step_up(p_values, 1.0)
}

/// Benjamini & Yekutieli (2001): as Hochberg's, times 1 + 1/2 + … + 1/m. Holds under any dependence.
///
/// # Errors
/// When a value is not in [0, 1].
pub fn benjamini_yekutieli(p_values: &[f64]) -> Result<Vec<f64>, Error> {
    step_up(p_values, (1..=p_values.len()).map(|rank| 1.0 / rank as f64).sum())
}

fn step_up(p_values: &[f64], penalty: f64) -> Result<Vec<f64>, Error> {
    check(p_values)?;
    let count = p_values.len() as f64;
    let mut adjusted = vec![0.0; p_values.len()];
    let mut lowest = 1.0_f64;
    for (rank, place) in rising(p_values).into_iter().enumerate().rev() {
        lowest = lowest.min(p_values[place] * (penalty * count / (rank + 1) as f64));
        adjusted[place] = lowest;
    }
    Ok(adjusted)
}

/// Places in order of rising value.
fn rising(values: &[f64]) -> Vec<usize> {
    let mut places: Vec<usize> = (0..values.len()).collect();
    places.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    places
}

fn check(p_values: &[f64]) -> Result<(), Error> {
    match p_values.iter().find(|p| !(0.0..=1.0).contains(*p)) {
        Some(&value) => Err(Error::OutOfRange { name: "p-value", value, allowed: "from 0 to 1" }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const P: [f64; 6] = [0.01, 0.04, 0.03, 0.005, 0.5, 0.04];

    #[track_caller]
    fn close(found: Result<Vec<f64>, Error>, expected: [f64; 6]) {
        let found = found.unwrap();
        assert_eq!(found.len(), expected.len());
        let agrees = found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12);
        assert!(agrees, "{found:?} is not {expected:?}");
    }

    /// statsmodels 0.15.0, `stats.multitest.multipletests`.
    #[test]
    fn corrections_agree_with_statsmodels() {
        close(bonferroni(&P), BONFERRONI);
        close(holm(&P), HOLM);
        close(benjamini_hochberg(&P), FDR_BH);
        close(benjamini_yekutieli(&P), FDR_BY);
    }

    const BONFERRONI: [f64; 6] = [0.06, 0.24, 0.18, 0.03, 1.0, 0.24];
    const HOLM: [f64; 6] = [0.05, 0.12, 0.12, 0.03, 0.5, 0.12];
    const FDR_BH: [f64; 6] = [0.03, 0.048, 0.048, 0.03, 0.5, 0.048];
    const FDR_BY: [f64; 6] = [0.0735, 0.1176, 0.1176, 0.0735, 1.0, 0.1176];

    #[test]
    fn nothing_in_nothing_out_and_wrong_values_are_named() {
        assert_eq!(holm(&[]), Ok(vec![]));
        assert_eq!(benjamini_yekutieli(&[]), Ok(vec![]));
        assert!(matches!(bonferroni(&[0.2, 1.5]), Err(Error::OutOfRange { value: 1.5, .. })));
        assert!(benjamini_hochberg(&[f64::NAN]).is_err());
    }

    proptest! {
        #[test]
        fn adjusted_values_are_ordered_as_the_methods_promise(
            p_values in prop::collection::vec(0.0..=1.0_f64, 0..30),
        ) {
            let [plain, holm, hochberg, yekutieli] =
                [bonferroni, holm, benjamini_hochberg, benjamini_yekutieli].map(|f| f(&p_values).unwrap());
            for place in 0..p_values.len() {
                let p = p_values[place];
                prop_assert!(p <= hochberg[place] + 1e-15);
                prop_assert!(hochberg[place] <= holm[place] + 1e-12);
                prop_assert!(holm[place] <= plain[place]);
                prop_assert!(hochberg[place] <= yekutieli[place]);
                prop_assert!(plain[place] <= 1.0 && yekutieli[place] <= 1.0);
                for other in 0..p_values.len() {
                    if p < p_values[other] {
                        prop_assert!(holm[place] <= holm[other] && hochberg[place] <= hochberg[other]);
                    }
                }
            }
        }

        #[test]
        fn order_of_the_tests_does_not_matter(p_values in prop::collection::vec(0.0..=1.0_f64, 0..30)) {
            let mut reversed = p_values.clone();
            reversed.reverse();
            for correction in [bonferroni, holm, benjamini_hochberg, benjamini_yekutieli] {
                let mut adjusted = correction(&reversed).unwrap();
                adjusted.reverse();
                prop_assert_eq!(&correction(&p_values).unwrap(), &adjusted);
            }
        }
    }
}
