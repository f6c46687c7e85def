//! Topics split into folds by a seed.

use super::Error;
use stats::rng::Rng;
use std::collections::{BTreeMap, BTreeSet};

/// Which fold each topic is in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folds {
    of: Vec<usize>,
    count: usize,
}

impl Folds {
    /// Deals topics out in an order drawn by the seed: no fold has two topics more than another.
    ///
    /// # Errors
    ///
    /// When there are fewer than two folds, or more than topics.
    pub fn new(topics: usize, folds: usize, seed: u64) -> Result<Self, Error> {
        Self::stratified(&vec![(); topics], folds, seed)
    }

    /// The same, where the topics of each stratum, such as a year, are spread evenly, too.
    ///
    /// # Errors
    ///
    /// When there are fewer than two folds, or more than topics.
    pub fn stratified<S: Ord>(strata: &[S], folds: usize, seed: u64) -> Result<Self, Error> {
        let topics = strata.len();
        if folds < 2 || folds > topics {
            return Err(Error::Folds { folds, topics });
        }
        let mut groups: BTreeMap<&S, Vec<usize>> = BTreeMap::new();
        for (topic, stratum) in strata.iter().enumerate() {
            groups.entry(stratum).or_default().push(topic);
        }
        let mut rng = Rng::seeded(seed);
        let mut of = vec![0; topics];
        // Each stratum goes on where the last one stopped, which keeps the sizes of folds even.
        let mut next = 0;
        for group in groups.values_mut() {
            rng.shuffle(group);
            for topic in group {
                of[*topic] = next % folds;
                next += 1;
            }
        }
        Ok(Self { of, count: folds })
    }

    /// Each stratum, such as a year, is a fold of its own.
    ///
    /// # Errors
    ///
    /// When there are fewer than two strata.
    pub fn of_strata<S: Ord>(strata: &[S]) -> Result<Self, Error> {
        let names: BTreeSet<&S> = strata.iter().collect();
        if names.len() < 2 {
            return Err(Error::Folds { folds: names.len(), topics: strata.len() });
        }
        let place = |stratum: &S| names.iter().position(|name| *name == stratum).unwrap_or(0);
        Ok(Self { of: strata.iter().map(place).collect(), count: names.len() })
    }

    /// How many folds there are.
    #[must_use]
    pub fn num_folds(&self) -> usize {
        self.count
    }

    /// How many topics there are.
    #[must_use]
    pub fn num_topics(&self) -> usize {
        self.of.len()
    }

    /// The fold of a topic.
    ///
    /// # Panics
    ///
    /// When there is no such topic.
    #[must_use]
    pub fn fold_of(&self, topic: usize) -> usize {
        self.of[topic]
    }
}
