//! Making the scores of a ranking comparable with those of others.

use crate::Error;

/// How the scores of one ranking become comparable. Each ranking is treated by
/// itself; n is its length, and minimum, maximum and mean are over its scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Normalisation {
    /// Scores stay as they are.
    None,
    /// `(s − min) / (max − min)`: 1 for the best, 0 for the last (Fox & Shaw 1994; Lee 1997).
    MinMax(Flat),
    /// `(s − mean) / σ` with `σ² = Σ (s − mean)² / n`; all 0 when σ is 0
    /// (Montague & Aslam 2001). A document that is missing adds 0, which is the
    /// mean, not the worst.
    Z,
    /// `(s − min) / Σ (s − min)`: the sum is 1; `1/n` each when all are equal
    /// (Montague & Aslam 2001).
    Sum,
    /// `s / |max|`: 1 for the best, −1 when it is negative; scores stay as they
    /// are when the maximum is 0.
    Max,
    /// `1 − (rank − 1) / n`: the score is not looked at (Lee 1997).
    Rank,
}

/// What [`Normalisation::MinMax`] makes of a ranking whose scores are all equal,
/// as those of a single result are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Flat {
    /// All are 1: each is the best of its list.
    #[default]
    One,
    /// All are 0, as in approach0's fusions: the list adds nothing.
    Zero,
    /// Scores stay as they are, as in the ARQMath baseline of TF-IDF and Tangent-S.
    Keep,
}

impl Normalisation {
    /// The scores made comparable, in the same order.
    pub(crate) fn apply(self, scores: &[f64]) -> Result<Vec<f64>, Error> {
        if scores.is_empty() {
            return Ok(Vec::new());
        }
        let count = scores.len() as f64;
        let min = scores.iter().copied().fold(f64::INFINITY, f64::min);
        let max = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let made: Vec<f64> = match self {
            Self::None => scores.to_vec(),
            Self::MinMax(flat) if min == max => match flat {
                Flat::One => vec![1.0; scores.len()],
                Flat::Zero => vec![0.0; scores.len()],
                Flat::Keep => scores.to_vec(),
            },
            Self::MinMax(_) => scores.iter().map(|score| (score - min) / (max - min)).collect(),
            Self::Z if min == max => vec![0.0; scores.len()],
            Self::Z => {
                let mean = stats::summary::mean(scores).map_err(|_| Error::TooLarge)?;
                let squares: f64 = scores.iter().map(|score| (score - mean).powi(2)).sum();
                let deviation = (squares / count).sqrt();
                if deviation == 0.0 {
                    // The squares of tiny differences can vanish.
                    vec![0.0; scores.len()]
                } else {
                    scores.iter().map(|score| (score - mean) / deviation).collect()
                }
            }
            Self::Sum if min == max => vec![1.0 / count; scores.len()],
            Self::Sum => {
                let sum: f64 = scores.iter().map(|score| score - min).sum();
                scores.iter().map(|score| (score - min) / sum).collect()
            }
            Self::Max if max == 0.0 => scores.to_vec(),
            Self::Max => scores.iter().map(|score| score / max.abs()).collect(),
            Self::Rank => (0..scores.len()).map(|place| 1.0 - place as f64 / count).collect(),
        };
        let too_large = !(max - min).is_finite() && self != Self::None;
        if too_large || made.iter().any(|score| !score.is_finite()) {
            return Err(Error::TooLarge);
        }
        Ok(made)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn check(how: Normalisation, scores: &[f64], expected: &[f64]) {
        let made = how.apply(scores).unwrap();
        assert_eq!(made.len(), expected.len());
        for (made, expected) in made.iter().zip(expected) {
            assert!((made - expected).abs() < 1e-12, "{how:?} {scores:?}: {made} is not {expected}");
        }
    }

    #[test]
    fn by_hand() {
        use Normalisation::{Max, MinMax, None, Rank, Sum, Z};
        let scores = [10.0, 6.0, 2.0];
        check(None, &scores, &scores);
        check(MinMax(Flat::One), &scores, &[1.0, 0.5, 0.0]);
        check(Z, &scores, &[1.5_f64.sqrt(), 0.0, -1.5_f64.sqrt()]);
        check(Sum, &scores, &[8.0 / 12.0, 4.0 / 12.0, 0.0]);
        check(Max, &scores, &[1.0, 0.6, 0.2]);
        check(Max, &[-2.0, -4.0], &[-1.0, -2.0]);
        check(Max, &[0.0, -4.0], &[0.0, -4.0]);
        check(Rank, &scores, &[1.0, 2.0 / 3.0, 1.0 / 3.0]);
    }

    #[test]
    fn what_does_not_vary_has_a_rule() {
        use Normalisation::{Max, MinMax, Rank, Sum, Z};
        for (how, expected) in [
            (MinMax(Flat::One), [1.0, 1.0]),
            (MinMax(Flat::Zero), [0.0, 0.0]),
            (MinMax(Flat::Keep), [7.0, 7.0]),
            (Z, [0.0, 0.0]),
            (Sum, [0.5, 0.5]),
            (Max, [1.0, 1.0]),
            (Rank, [1.0, 0.5]),
        ] {
            check(how, &[7.0, 7.0], &expected);
            check(how, &[], &[]);
        }
    }

    const ALL: [Normalisation; 6] = [
        Normalisation::None,
        Normalisation::MinMax(Flat::One),
        Normalisation::Z,
        Normalisation::Sum,
        Normalisation::Max,
        Normalisation::Rank,
    ];

    proptest! {
        #[test]
        fn finite_scores_stay_finite_and_in_order(
            mut scores in prop::collection::vec(prop::num::f64::NORMAL | prop::num::f64::SUBNORMAL | prop::num::f64::ZERO, 0..20),
        ) {
            scores.sort_by(|a, b| b.total_cmp(a));
            for how in ALL {
                if let Ok(made) = how.apply(&scores) {
                    prop_assert!(made.iter().all(|score| score.is_finite()), "{:?}", how);
                    prop_assert!(made.is_sorted_by(|a, b| a >= b), "{:?} {:?}", how, made);
                }
            }
        }
    }
}
