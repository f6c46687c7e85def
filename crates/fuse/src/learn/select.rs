//! Which places are worth learning, chosen inside the training topics.
//!
//! Backward elimination: starting from all places, the one without which the held-out mean is highest is dropped, until
//! one is left. Of the subsets on this path that the training topics cannot tell from the best one, that is whose mean
//! is at most a standard error of the difference lower, the smallest is kept.

use super::Sign;
use crate::tune::{highest, is_as_good, mean};

/// How many subsets of places are tried for a set of training topics.
#[must_use]
pub fn num_subsets(places: usize) -> usize {
    places * (places + 1) / 2
}

/// A subset of places with its held-out values.
struct Subset {
    signs: Vec<Sign>,
    values: Vec<f64>,
}

/// Eliminates places by the values that `values` gives for the topics: the signs of the places that are kept, and
/// [`Sign::Zero`] for the others.
pub fn eliminate(signs: &[Sign], values: impl Fn(&[Sign]) -> Vec<f64>) -> Vec<Sign> {
    let subset = |signs: Vec<Sign>| Subset { values: values(&signs), signs };
    let mut path = vec![subset(signs.to_vec())];
    while let Some(last) = path.last() {
        let kept = (0..signs.len()).filter(|place| last.signs[*place] != Sign::Zero);
        // Of equal ones the place that is listed last is dropped.
        let kept: Vec<usize> = kept.rev().collect();
        if kept.len() < 2 {
            break;
        }
        let without = |place: usize| {
            let mut signs = last.signs.clone();
            signs[place] = Sign::Zero;
            subset(signs)
        };
        let mut fewer: Vec<Subset> = kept.into_iter().map(without).collect();
        let best = highest(fewer.iter().map(|subset| mean(&subset.values)));
        path.push(fewer.swap_remove(best));
    }
    let best = highest(path.iter().map(|subset| mean(&subset.values)));
    let best = path[best].values.clone();
    // The smallest stand last, and the best is as good as itself.
    let smallest = path.into_iter().rev().find(|subset| is_as_good(&subset.values, &best));
    smallest.map_or_else(|| signs.to_vec(), |subset| subset.signs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    const SIGNS: [Sign; 4] = [Sign::Any, Sign::NotNegative, Sign::Any, Sign::Any];

    /// Values of eight topics: the sum of what each kept place adds. `noise` is added on the topics whose number is as
    /// odd or even as the number of places that were dropped.
    fn values(signs: &[Sign], adds: [f64; 4], noise: f64) -> Vec<f64> {
        let kept: Vec<usize> = (0..4).filter(|place| signs[*place] != Sign::Zero).collect();
        let sum: f64 = kept.iter().map(|place| adds[*place]).sum();
        let value = |topic: usize| if topic % 2 == kept.len() % 2 { sum + noise } else { sum };
        (0..8).map(value).collect()
    }

    #[test]
    fn places_that_help_are_kept_with_their_signs() {
        let tried = Cell::new(0);
        let kept = eliminate(&SIGNS, |signs| {
            tried.set(tried.get() + 1);
            values(signs, [0.2, 0.1, -0.05, 0.0], 0.0)
        });
        assert_eq!(kept, [Sign::Any, Sign::NotNegative, Sign::Zero, Sign::Zero]);
        assert_eq!(tried.get(), num_subsets(4));
    }

    #[test]
    fn what_topics_cannot_tell_apart_is_dropped() {
        // The second place adds less than a standard error of the difference, the first more.
        let kept = eliminate(&SIGNS, |signs| values(signs, [0.2, 0.01, 0.0, 0.0], 0.1));
        assert_eq!(kept, [Sign::Any, Sign::Zero, Sign::Zero, Sign::Zero]);
        // Without noise it counts.
        let kept = eliminate(&SIGNS, |signs| values(signs, [0.2, 0.01, 0.0, 0.0], 0.0));
        assert_eq!(kept, [Sign::Any, Sign::NotNegative, Sign::Zero, Sign::Zero]);
    }

    #[test]
    fn of_equal_places_the_first_is_kept() {
        assert_eq!(eliminate(&SIGNS, |_| vec![0.5; 3])[..2], [Sign::Any, Sign::Zero]);
        assert_eq!(eliminate(&SIGNS[..1], |_| vec![0.5; 3]), SIGNS[..1]);
    }
}
