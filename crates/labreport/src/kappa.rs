//! How alike two assessors judge: Cohen's kappa by all grades, and by relevant or not.

use formats::qrels::Judgment;
use stats::agreement::{cohen_kappa, cohen_kappa_at};

/// How alike two assessors judged the same items.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct PairKappa {
    /// How many items both gave a grade.
    pub(crate) items: usize,
    /// How many items are left out, as one of them gave none.
    pub(crate) left_out: usize,
    /// By all grades; nothing where there is no answer, as when all grades are equal.
    pub(crate) graded: Option<f64>,
    /// By relevant or not.
    pub(crate) binary: Option<f64>,
}

impl PairKappa {
    /// Of two lists of labels side by side.
    pub(crate) fn of(labels: &[(Judgment, Judgment)], relevant_from: i32) -> Self {
        let graded = labels.iter().filter_map(|(first, second)| Some((first.grade()?, second.grade()?)));
        let (first, second): (Vec<i32>, Vec<i32>) = graded.unzip();
        Self {
            items: first.len(),
            left_out: labels.len() - first.len(),
            graded: cohen_kappa(&first, &second).ok().map(|kappa| kappa.kappa),
            binary: cohen_kappa_at(&first, &second, &relevant_from).ok().map(|kappa| kappa.kappa),
        }
    }

    /// The means over pairs, of those that have a value.
    pub(crate) fn means(pairs: &[Self]) -> (Option<f64>, Option<f64>) {
        let mean = |of: fn(&Self) -> Option<f64>| {
            let values: Vec<f64> = pairs.iter().filter_map(of).collect();
            stats::summary::mean(&values).ok()
        };
        (mean(|pair| pair.graded), mean(|pair| pair.binary))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The worked case of `stats`, with a code that is no grade.
    #[test]
    fn grades_count_and_codes_do_not() {
        let first = [3, 2, 1, 0, 0, 3, 2, 0, 1, 0];
        let second = [3, 1, 1, 0, 0, 2, 2, 0, 0, 0];
        let mut labels: Vec<(Judgment, Judgment)> =
            first.iter().zip(second).map(|(a, b)| (Judgment::Grade(*a), Judgment::Grade(b))).collect();
        labels.push((Judgment::DoNotKnow, Judgment::Grade(3)));
        let kappa = PairKappa::of(&labels, 2);
        assert_eq!((kappa.items, kappa.left_out), (10, 1));
        assert!((kappa.graded.unwrap() - 0.571_429).abs() < 5e-7);
        assert!((kappa.binary.unwrap() - 0.782_609).abs() < 5e-7);
        let nothing = PairKappa::of(&[(Judgment::Grade(0), Judgment::Grade(0))], 2);
        assert_eq!((nothing.graded, nothing.binary), (None, None));
        let (graded, _) = PairKappa::means(&[kappa, nothing]);
        assert_eq!(graded, kappa.graded);
    }
}
