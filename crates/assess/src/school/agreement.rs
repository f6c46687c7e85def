//! How alike two people judged the same things.

use lab::Verdict;
use stats::agreement::{Distance, cohen_kappa, cohen_kappa_at, weighted_kappa};

/// How alike two people judged the same things. Things that one of them gave no grade are left
/// out and counted.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Agreement {
    /// How many things both gave a grade.
    pub things: usize,
    /// How many were left out.
    pub left_out: usize,
    /// The share with the very same grade.
    pub exact: Option<f64>,
    /// The share with grades at most one apart.
    pub within_one: Option<f64>,
    /// Cohen's kappa by all grades; nothing where there is none, as when all grades are equal.
    pub kappa: Option<f64>,
    /// Cohen's kappa by relevant or not.
    pub binary: Option<f64>,
    /// Kappa by all grades where the square of the distance counts.
    pub weighted: Option<f64>,
}

impl Agreement {
    /// Of what two people said, side by side. A grade is relevant from `relevant_from` on.
    #[must_use]
    pub fn of(said: &[(Verdict, Verdict)], relevant_from: i32) -> Self {
        let graded = said.iter().filter_map(|(one, other)| Some((one.grade()?, other.grade()?)));
        let (one, other): (Vec<i32>, Vec<i32>) = graded.unzip();
        let share = |holds: fn(i32, i32) -> bool| {
            let count = one.iter().zip(&other).filter(|(one, other)| holds(**one, **other)).count();
            (!one.is_empty()).then(|| count as f64 / one.len() as f64)
        };
        Self {
            things: one.len(),
            left_out: said.len() - one.len(),
            exact: share(|one, other| one == other),
            within_one: share(|one, other| one.abs_diff(other) <= 1),
            kappa: cohen_kappa(&one, &other).ok().map(|kappa| kappa.kappa),
            binary: cohen_kappa_at(&one, &other, &relevant_from).ok().map(|kappa| kappa.kappa),
            weighted: weighted_kappa(&one, &other, Distance::Quadratic).ok().map(|kappa| kappa.kappa),
        }
    }
}

/// The mean of the values that are there.
pub(super) fn mean(values: impl Iterator<Item = Option<f64>>) -> Option<f64> {
    let values: Vec<f64> = values.flatten().collect();
    stats::summary::mean(&values).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graded(pairs: &[(i32, i32)]) -> Vec<(Verdict, Verdict)> {
        pairs.iter().map(|(one, other)| (Verdict::Grade(*one), Verdict::Grade(*other))).collect()
    }

    fn close(found: Option<f64>, expected: f64) {
        assert!((found.unwrap() - expected).abs() < 1e-9, "{found:?} is not {expected}");
    }

    /// Eight things: six alike, one a grade apart, one three grades apart.
    ///
    /// By all grades: observed 6/8; the first gives 2, 2, 2, 2 times 3, 2, 1, 0, the second
    /// 2, 1, 2, 3 times, so expected (4+2+4+6)/64 = 1/4 and kappa (3/4-1/4)/(3/4) = 2/3.
    /// By 2 or more: the first says yes 4 times, the second 3 times, alike on 7: observed 7/8,
    /// expected (4·3+4·5)/64 = 1/2, kappa 3/4.
    #[test]
    fn worked_by_hand() {
        let mut said = graded(&[(3, 3), (3, 0), (2, 2), (2, 3), (1, 1), (1, 1), (0, 0), (0, 0)]);
        said.push((Verdict::DoNotKnow, Verdict::Grade(2)));
        let found = Agreement::of(&said, 2);
        assert_eq!((found.things, found.left_out), (8, 1));
        close(found.exact, 0.75);
        close(found.within_one, 0.875);
        close(found.kappa, 2.0 / 3.0);
        close(found.binary, 0.75);
        // Squares: observed 9 + 1 = 10 of 8 things. Expected: each of the first's grades beside
        // each of the second's (0 three times, 1 twice, 2 once, 3 twice), over 64:
        // 3: 27+8+1+0 = 36, 2: 12+2+0+2 = 16, 1: 3+0+1+8 = 12, 0: 0+2+4+18 = 24; twice each is
        // 176/64 = 2.75 a thing; 1 - 1.25/2.75 = 6/11.
        close(found.weighted, 6.0 / 11.0);
    }

    #[test]
    fn nothing_is_no_number() {
        assert_eq!(Agreement::of(&[], 2), Agreement::default());
        let same = Agreement::of(&graded(&[(0, 0), (0, 0)]), 2);
        assert_eq!((same.exact, same.kappa, same.binary), (Some(1.0), None, None));
        assert_eq!(mean([None, Some(0.5), Some(1.0)].into_iter()), Some(0.75));
        assert_eq!(mean([None].into_iter()), None);
    }
}
