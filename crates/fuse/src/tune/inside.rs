//! Cross-validation inside the training topics, by which settings are chosen without the topics that are held out.

use super::Folds;

/// Folds inside the training topics.
const FOLDS: usize = 5;

/// Training topics, cut in two in several ways.
#[derive(Debug)]
pub struct Inside {
    /// Topics to learn on, and topics to measure on.
    splits: Vec<(Vec<usize>, Vec<usize>)>,
}

impl Inside {
    /// `None` when there are fewer than two topics.
    #[must_use]
    pub fn new(training: &[usize], seed: u64) -> Option<Self> {
        let folds = Folds::new(training.len(), FOLDS.min(training.len()), seed).ok()?;
        let split = |fold: usize| {
            let places = training.iter().enumerate();
            let (test, train): (Vec<_>, Vec<_>) =
                places.partition(|(place, _)| folds.fold_of(*place) == fold);
            let topics = |places: Vec<(usize, &usize)>| places.into_iter().map(|(_, topic)| *topic).collect();
            (topics(train), topics(test))
        };
        Some(Self { splits: (0..folds.num_folds()).map(split).collect() })
    }

    /// Applies `work` to each way to cut: topics to learn on, and topics to measure on. Every training topic is among
    /// the latter once.
    pub fn each<R: Send>(&self, work: impl Fn(&[usize], &[usize]) -> R + Sync) -> Vec<R> {
        parallel::map(&self.splits, |(training, test)| work(training, test))
    }
}

/// The mean of values; not a number without any.
#[must_use]
pub fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The place of the highest number, the first of equal ones.
pub fn highest(numbers: impl IntoIterator<Item = f64>) -> usize {
    let mut best = (0, f64::NEG_INFINITY);
    for (place, number) in numbers.into_iter().enumerate() {
        if number > best.1 {
            best = (place, number);
        }
    }
    best.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_training_topic_is_measured_once_and_never_learned_on_then() {
        let topics = [3, 5, 8, 9, 10, 12, 20];
        let inside = Inside::new(&topics, 1).unwrap();
        let splits = inside.each(|training, test| (training.to_vec(), test.to_vec()));
        assert_eq!(splits.len(), FOLDS);
        let mut measured = Vec::new();
        for (training, test) in splits {
            let mut all = [training, test.clone()].concat();
            all.sort_unstable();
            assert_eq!(all, topics);
            measured.extend(test);
        }
        measured.sort_unstable();
        assert_eq!(measured, topics);
        assert_eq!(Inside::new(&[1, 2], 1).unwrap().splits.len(), 2);
        assert!(Inside::new(&[1], 1).is_none() && Inside::new(&[], 1).is_none());
    }

    #[test]
    fn the_first_of_equal_numbers_is_the_highest() {
        assert_eq!(highest([0.1, 0.3, 0.3, 0.2]), 1);
        assert_eq!(highest([f64::NAN, 0.1]), 1);
        assert_eq!(highest([]), 0);
    }
}
