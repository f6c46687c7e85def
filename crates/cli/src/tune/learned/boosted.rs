//! Boosted trees over the features of posts, in place of weights.
//!
//! Trees are learned from the judged posts of the training topics. They rank candidates whether these are judged or
//! not: the first posts of the system with all weights at 1, as many as a topic has results.

use super::Learner;
use ::fuse::learn::trees::{Boosting, PairWeight, Trees};
use ::fuse::tune::{highest, mean};
use clap::ValueEnum;
use serde::Serialize;
use std::fmt;
use std::str::FromStr;

/// The lowest number of judged posts in a leaf.
const LEAST: usize = 10;
/// The L2 penalty on the values of leaves.
const PENALTY: f64 = 1.0;
/// The highest number of settings in a grid.
const MOST_SETTINGS: usize = 12;
const MOST_TREES: usize = 10_000;
const MOST_LEAVES: usize = 1_000;

/// Settings of trees to try, the simplest first.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::tune) struct Grid(Vec<Setting>);

/// A number of trees, of leaves of each, and the learning rate.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Setting {
    trees: usize,
    leaves: usize,
    rate: f64,
}

/// How pairs of judged posts count when trees are learned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(in crate::tune) enum TreePairs {
    /// By the change in nDCG if both changed places
    Ndcg,
    /// By the difference of their grades, as for weights
    Grades,
}

impl Grid {
    /// The grid of `--trees` without settings.
    pub(in crate::tune) const DEFAULT: &str = "50x2x0.03,150x2x0.03,50x2x0.1,150x2x0.1,\
        50x4x0.03,150x4x0.03,50x4x0.1,150x4x0.1,50x8x0.03,150x8x0.03,50x8x0.1,150x8x0.1";

    pub(in crate::tune) fn num_settings(&self) -> usize {
        self.0.len()
    }

    /// The settings as they are written.
    pub(in crate::tune) fn settings(&self) -> impl Iterator<Item = String> {
        self.0.iter().map(ToString::to_string)
    }
}

impl FromStr for Grid {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let settings: Vec<Setting> = text.split(',').map(str::parse).collect::<Result<_, _>>()?;
        if settings.len() > MOST_SETTINGS {
            return Err(format!("{} settings; at most {MOST_SETTINGS} can be tried", settings.len()));
        }
        for (number, setting) in settings.iter().enumerate() {
            if settings[..number].contains(setting) {
                return Err(format!("{setting} is given twice"));
            }
        }
        Ok(Self(settings))
    }
}

impl FromStr for Setting {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts: Vec<&str> = text.trim().split('x').collect();
        let [trees, leaves, rate] = parts[..] else {
            return Err(format!("`{text}` is not TREESxLEAVESxRATE, such as 100x4x0.1"));
        };
        let whole = |text: &str, what: &str, range: std::ops::RangeInclusive<usize>| {
            let number = text.parse().ok().filter(|number| range.contains(number));
            let (low, high) = range.into_inner();
            number.ok_or_else(|| format!("`{text}`: {what} are from {low} to {high}"))
        };
        let trees = whole(trees, "trees", 1..=MOST_TREES)?;
        let leaves = whole(leaves, "leaves", 2..=MOST_LEAVES)?;
        let number = rate.parse().ok().filter(|rate: &f64| (1e-4..=1.0).contains(rate));
        let rate = number.ok_or_else(|| format!("`{rate}`: a learning rate is from 0.0001 to 1"))?;
        Ok(Self { trees, leaves, rate })
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}x{}", self.trees, self.leaves, self.rate)
    }
}

impl Learner<'_> {
    /// The setting that is best inside some topics, as the numbers of trees and leaves and the learning rate, and the
    /// measure of all topics with trees that were learned with it on these.
    pub(in crate::tune) fn boost(&self, grid: &Grid, training: &[usize]) -> (Vec<f64>, Vec<f64>) {
        let setting = self.setting(grid, training);
        let trees = self.trees(setting, training);
        let topics: Vec<usize> = (0..self.topics.len()).collect();
        let values = parallel::map(&topics, |topic| self.value_by_trees(*topic, &trees));
        (vec![setting.trees as f64, setting.leaves as f64, setting.rate], values)
    }

    /// The setting that is best on topics for which trees were not learned, all of them among the training topics.
    fn setting(&self, Grid(grid): &Grid, training: &[usize]) -> Setting {
        let Some(inside) = self.inside(training).filter(|_| grid.len() > 1) else { return grid[0] };
        // For each way to cut and each setting, the values of the topics that were not learned on.
        let values: Vec<Vec<Vec<f64>>> = inside.each(|training, test| {
            let mut learned: Vec<(Setting, Trees)> = Vec::new();
            let values = grid.iter().map(|setting| {
                let trees = self.known_trees(&mut learned, grid, *setting, training);
                test.iter().map(|topic| self.value_by_trees(*topic, &trees)).collect()
            });
            values.collect()
        });
        let found = |setting: usize| {
            let values: Vec<f64> = values.iter().flat_map(|split| &split[setting]).copied().collect();
            mean(&values)
        };
        grid[highest((0..grid.len()).map(found))]
    }

    /// The trees of a setting. Settings that differ in their number alone share them.
    fn known_trees(
        &self,
        learned: &mut Vec<(Setting, Trees)>,
        grid: &[Setting],
        setting: Setting,
        training: &[usize],
    ) -> Trees {
        let is_alike = |other: &Setting| (other.leaves, other.rate) == (setting.leaves, setting.rate);
        if let Some((_, trees)) = learned.iter().find(|(known, _)| is_alike(known)) {
            return trees.first(setting.trees);
        }
        let most = grid.iter().filter(|other| is_alike(other)).map(|other| other.trees).max();
        let trees = self.trees(Setting { trees: most.unwrap_or(setting.trees), ..setting }, training);
        let first = trees.first(setting.trees);
        learned.push((setting, trees));
        first
    }

    fn trees(&self, Setting { trees, leaves, rate }: Setting, training: &[usize]) -> Trees {
        let pairs = match self.bench.tune.tree_pairs {
            TreePairs::Ndcg => PairWeight::Ndcg,
            TreePairs::Grades => PairWeight::Grades,
        };
        let boosting = Boosting { trees, leaves, rate, least: LEAST, penalty: PENALTY, pairs };
        boosting.fit(self.examples(training))
    }

    /// The measure of a topic whose candidates are ranked by trees.
    fn value_by_trees(&self, topic: usize, trees: &Trees) -> f64 {
        let candidates = self.topics[topic].candidates.iter();
        let results = candidates.map(|post| (trees.score(post.base, &post.features), post.id.as_str()));
        self.bench.score_results(topic, results)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grids_are_read_as_they_are_written() {
        let grid: Grid = Grid::DEFAULT.parse().unwrap();
        assert_eq!(grid.num_settings(), MOST_SETTINGS);
        assert_eq!(grid.settings().collect::<Vec<_>>().join(","), Grid::DEFAULT);
        let grid: Grid = "30x4x0.1, 60x4x0.1".parse().unwrap();
        assert_eq!(grid.settings().collect::<Vec<_>>(), ["30x4x0.1", "60x4x0.1"]);
        for (wrong, said) in [
            ("", "is not TREESxLEAVESxRATE"),
            ("30x4", "is not TREESxLEAVESxRATE"),
            ("0x4x0.1", "trees are from 1 to 10000"),
            ("9x1x0.1", "leaves are from 2 to 1000"),
            ("9x4x0", "a learning rate is from"),
            ("9x4xNaN", "a learning rate is from"),
            ("9x4x1,9x4x1", "9x4x1 is given twice"),
        ] {
            let error = wrong.parse::<Grid>().unwrap_err();
            assert!(error.contains(said), "{wrong}: {error}");
        }
        let many: Vec<String> = (1..14).map(|trees| format!("{trees}x2x1")).collect();
        assert!(many.join(",").parse::<Grid>().unwrap_err().contains("at most 12"));
    }
}
