//! Gradient-boosted regression trees that rank, after LambdaMART (Burges, MSR-TR-2010-82).
//!
//! Each tree is a Newton step on the logistic loss over pairs of examples of different grades: splits are exact and
//! greedy over sorted feature values, the leaf with the highest gain is split next, and a leaf's value is
//! `−rate · gradient / (curvature + penalty)`. A pair counts by how much nDCG would change if its two examples changed
//! places, or by the difference of grades as in [`Pairwise`](super::Pairwise). The same examples give the same trees on
//! every machine; of splits with the same gain the lowest feature is taken, then the lowest threshold.

mod grow;
mod pairs;
#[cfg(test)]
mod tests;

use super::Example;
use grow::{Columns, Tree};
use pairs::Pairs;

/// The weight of a pair in the loss.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PairWeight {
    /// The change in nDCG if both examples changed places in the current ranking of their topic. Grades are gains, and
    /// pairs of a topic without a grade above 0 have no weight.
    #[default]
    Ndcg,
    /// The difference of the grades, averaged over the pairs of a topic.
    Grades,
}

/// Settings of gradient boosting.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Boosting {
    /// The highest number of trees; fewer are learned if no split lowers the loss.
    pub trees: usize,
    /// The highest number of leaves of a tree, 2 or more.
    pub leaves: usize,
    /// The learning rate: the share of a Newton step that a tree takes.
    pub rate: f64,
    /// The lowest number of examples in a leaf.
    pub least: usize,
    /// The L2 penalty on the values of leaves. The weights of pairs are scaled so that they add up to the number of
    /// examples, so 1 is a moderate penalty whatever the number of topics.
    pub penalty: f64,
    /// The weights of pairs.
    pub pairs: PairWeight,
}

impl Boosting {
    /// Learns trees from the examples of some topics. Without pairs of different grades there are none.
    ///
    /// # Panics
    ///
    /// When examples differ in their number of features.
    #[must_use]
    pub fn fit<'e>(&self, topics: impl IntoIterator<Item = &'e [Example]>) -> Trees {
        let (pairs, examples) = Pairs::of(topics, self.pairs);
        let columns = Columns::of(&examples);
        let mut scores: Vec<f64> = examples.iter().map(|example| example.base).collect();
        let mut trees = Vec::new();
        for _ in 0..self.trees {
            let slopes = pairs.slopes(&scores, &pairs.weights(&scores));
            let Some(tree) = grow::grow(&columns, &slopes, self) else { break };
            for (score, example) in scores.iter_mut().zip(&examples) {
                *score += tree.value(&example.features);
            }
            trees.push(tree);
        }
        Trees { trees }
    }
}

/// Trees whose values are added up.
///
/// ```
/// use fuse::learn::Example;
/// use fuse::learn::trees::{Boosting, PairWeight};
///
/// let example = |grade, feature| Example { grade, base: 0.0, features: vec![feature] };
/// // Neither the highest nor the lowest values are good.
/// let topic = [example(0.0, 0.0), example(1.0, 1.0), example(1.0, 2.0), example(0.0, 4.0)];
/// let boosting =
///     Boosting { trees: 10, leaves: 3, rate: 0.3, least: 1, penalty: 1.0, pairs: PairWeight::Ndcg };
/// let trees = boosting.fit([&topic[..]]);
/// assert!(trees.score(0.0, &[1.5]) > trees.score(0.0, &[0.2]));
/// assert!(trees.score(0.0, &[1.5]) > trees.score(0.0, &[5.0]));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trees {
    trees: Vec<Tree>,
}

impl Trees {
    /// The score of an example: its base and the values of all trees.
    #[must_use]
    pub fn score(&self, base: f64, features: &[f64]) -> f64 {
        self.trees.iter().fold(base, |score, tree| score + tree.value(features))
    }

    /// The number of trees.
    #[must_use]
    pub fn num_trees(&self) -> usize {
        self.trees.len()
    }

    /// The first `number` trees: those that would have been learned with that limit.
    #[must_use]
    pub fn first(&self, number: usize) -> Self {
        Self { trees: self.trees.iter().take(number).cloned().collect() }
    }
}
