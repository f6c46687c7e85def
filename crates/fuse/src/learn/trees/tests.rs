//! Derivatives, toy problems with known answers, and edge cases.

use super::*;
use crate::learn::{Pairwise, Sign};
use stats::rng::Rng;

const BOOSTING: Boosting =
    Boosting { trees: 30, leaves: 4, rate: 0.3, least: 1, penalty: 1.0, pairs: PairWeight::Ndcg };
const KINDS: [PairWeight; 2] = [PairWeight::Ndcg, PairWeight::Grades];

fn example(grade: f64, features: &[f64]) -> Example {
    Example { grade, base: 0.0, features: features.to_vec() }
}

/// Topics whose good examples have one of two features high, but not both, and a third that says nothing.
fn either_or() -> Vec<Vec<Example>> {
    let mut rng = Rng::seeded(3);
    let mut topic = || {
        let mut example = || {
            let features = [rng.unit(), rng.unit(), rng.unit()];
            self::example(f64::from((features[0] > 0.5) != (features[1] > 0.5)), &features)
        };
        (0..12).map(|_| example()).collect()
    };
    (0..10).map(|_| topic()).collect()
}

fn slices(topics: &[Vec<Example>]) -> impl Iterator<Item = &[Example]> {
    topics.iter().map(Vec::as_slice)
}

/// The share of pairs in the right order.
fn accuracy(topics: &[Vec<Example>], score: impl Fn(&Example) -> f64) -> f64 {
    let (mut right, mut all) = (0.0, 0.0);
    for topic in topics {
        for better in topic {
            for worse in topic.iter().filter(|worse| worse.grade < better.grade) {
                right += f64::from(score(better) > score(worse));
                all += 1.0;
            }
        }
    }
    right / all
}

#[test]
fn slopes_are_the_derivatives_of_the_loss() {
    let mut rng = Rng::seeded(1);
    let mut topic = |length: u32| -> Vec<Example> {
        (0..length).map(|place| example(f64::from(place % 4), &[rng.unit()])).collect()
    };
    let topics = [topic(7), topic(4), topic(5)];
    for kind in KINDS {
        let (pairs, examples) = Pairs::of(slices(&topics), kind);
        let scores: Vec<f64> = examples.iter().map(|example| 3.0 * example.features[0]).collect();
        let weights = pairs.weights(&scores);
        let slopes = pairs.slopes(&scores, &weights);
        for place in 0..scores.len() {
            let at = |by: f64| {
                let mut scores = scores.clone();
                scores[place] += by;
                scores
            };
            let slope = (pairs.loss(&at(1e-5), &weights) - pairs.loss(&at(-1e-5), &weights)) / 2e-5;
            assert!((slope - slopes.gradient[place]).abs() < 1e-8, "{kind:?} {place}: {slope}");
            let gradient = |by: f64| pairs.slopes(&at(by), &weights).gradient[place];
            let curve = (gradient(1e-5) - gradient(-1e-5)) / 2e-5;
            assert!((curve - slopes.curvature[place]).abs() < 1e-8, "{kind:?} {place}: {curve}");
        }
    }
}

#[test]
fn a_pair_weighs_what_changing_places_does_to_ndcg() {
    // Ranked by the feature: grades 0, 3, 1. DCG is 3/log2(3) + 1/2, the ideal 3 + 1/log2(3).
    let topic = [example(1.0, &[1.0]), example(0.0, &[3.0]), example(3.0, &[2.0])];
    let (pairs, examples) = Pairs::of([&topic[..]], PairWeight::Ndcg);
    let scores: Vec<f64> = examples.iter().map(|example| example.features[0]).collect();
    let (second, third) = (1.0 / 3_f64.log2(), 0.5);
    // The pairs are 1 over 0, 3 over 1 and 3 over 0.
    let expected = [1.0 * (1.0 - third), 2.0 * (second - third), 3.0 * (1.0 - second)];
    let all: f64 = expected.iter().sum();
    for (weight, expected) in pairs.weights(&scores).iter().zip(expected) {
        assert!((weight - 3.0 * expected / all).abs() < 1e-12, "{weight} {expected}");
    }
    let (pairs, _) = Pairs::of([&topic[..]], PairWeight::Grades);
    assert_eq!(pairs.weights(&scores), [0.5, 1.0, 1.5]);
}

#[test]
fn trees_learn_what_no_weights_can() {
    let topics = either_or();
    let linear = Pairwise { penalty: 1e-6 }.fit(slices(&topics), &[Sign::Any; 3]);
    let by_weights = |example: &Example| {
        example.features.iter().zip(&linear).map(|(feature, weight)| feature * weight).sum()
    };
    assert!(accuracy(&topics, by_weights) < 0.7);
    for pairs in KINDS {
        let trees = Boosting { pairs, ..BOOSTING }.fit(slices(&topics));
        let found = accuracy(&topics, |example| trees.score(0.0, &example.features));
        assert_eq!(found, 1.0, "{pairs:?}");
    }
}

#[test]
fn every_tree_lowers_the_loss() {
    let topics = either_or();
    let (pairs, examples) = Pairs::of(slices(&topics), PairWeight::Grades);
    let weights = pairs.weights(&vec![0.0; examples.len()]);
    let trees = Boosting { pairs: PairWeight::Grades, ..BOOSTING }.fit(slices(&topics));
    assert_eq!(trees.num_trees(), BOOSTING.trees);
    let loss = |number: usize| {
        let trees = trees.first(number);
        let scores: Vec<f64> = examples.iter().map(|example| trees.score(0.0, &example.features)).collect();
        pairs.loss(&scores, &weights)
    };
    let losses: Vec<f64> = (0..=trees.num_trees()).map(loss).collect();
    assert!(losses.windows(2).all(|pair| pair[1] < pair[0]), "{losses:?}");
    assert!(losses[BOOSTING.trees] < 0.1 * losses[0], "{losses:?}");
}

#[test]
fn the_same_examples_give_the_same_trees() {
    let topics = either_or();
    let trees = BOOSTING.fit(slices(&topics));
    assert_eq!(BOOSTING.fit(slices(&topics)), trees);
    assert_eq!(Boosting { trees: 7, ..BOOSTING }.fit(slices(&topics)), trees.first(7));
    // A copy of a feature is never split on: the lowest one is.
    let mut doubled = topics.clone();
    for example in doubled.iter_mut().flatten() {
        example.features.extend(example.features.clone());
    }
    assert_eq!(BOOSTING.fit(slices(&doubled)), trees);
    // Only the order of values matters, so a monotone change of scale splits the same examples.
    let mut scaled = topics.clone();
    scaled.iter_mut().flatten().for_each(|example| example.features[0] *= 1024.0);
    let scaled_trees = BOOSTING.fit(slices(&scaled));
    for (example, scaled) in topics.iter().flatten().zip(scaled.iter().flatten()) {
        assert_eq!(trees.score(0.0, &example.features), scaled_trees.score(0.0, &scaled.features));
    }
}

#[test]
fn of_splits_with_the_same_gain_the_lowest_threshold_is_taken() {
    // Both cuts set one example of grade 1 apart: mirror images of each other.
    let topic = [example(1.0, &[0.0]), example(0.0, &[1.0]), example(1.0, &[2.0])];
    let trees = Boosting { trees: 1, leaves: 2, pairs: PairWeight::Grades, ..BOOSTING }.fit([&topic[..]]);
    let [first, second, third] = [0.0, 1.0, 2.0].map(|value| trees.score(0.0, &[value]));
    assert!(first > second && second == third, "{first} {second} {third}");
}

#[test]
fn leaves_hold_enough_examples_and_penalties_shrink_them() {
    let topics = either_or();
    let most = topics.iter().flatten().count();
    assert_eq!(Boosting { least: most, ..BOOSTING }.fit(slices(&topics)), Trees::default());
    let highest = |penalty: f64| {
        let trees = Boosting { trees: 1, penalty, ..BOOSTING }.fit(slices(&topics));
        let scores = topics.iter().flatten().map(|example| trees.score(0.0, &example.features).abs());
        scores.fold(0.0, f64::max)
    };
    assert!(highest(100.0) > 0.0 && highest(100.0) < highest(1.0) && highest(1.0) < highest(0.0));
    let grouped = Boosting { trees: 1, leaves: 50, least: 20, ..BOOSTING }.fit(slices(&topics));
    let mut counts = std::collections::BTreeMap::new();
    for example in topics.iter().flatten() {
        *counts.entry(grouped.score(0.0, &example.features).to_bits()).or_insert(0) += 1;
    }
    assert!(counts.len() > 2 && counts.values().all(|count| *count >= 20), "{counts:?}");
}

#[test]
fn nothing_gives_nothing() {
    let none = Trees::default();
    let equal = [example(1.0, &[1.0]), example(1.0, &[2.0])];
    let flat = [example(1.0, &[1.0]), example(0.0, &[1.0])];
    let bare = [example(1.0, &[]), example(0.0, &[])];
    for kind in KINDS {
        let fit = |topic: &[Example]| Boosting { pairs: kind, ..BOOSTING }.fit([topic]);
        for topic in [&[][..], &equal, &flat, &bare] {
            assert_eq!(fit(topic), none, "{topic:?}");
        }
    }
    assert_eq!(BOOSTING.fit([]), none);
    assert_eq!(Boosting { leaves: 1, ..BOOSTING }.fit(slices(&either_or())), none);
    assert_eq!(none.score(0.7, &[1.0]), 0.7);
}

#[test]
fn a_base_that_orders_everything_leaves_little_to_learn() {
    let example = |grade: f64, base: f64| Example { grade, base, features: vec![grade] };
    let fit = |base: f64| {
        let topic = [example(1.0, base), example(0.0, 0.0)];
        let trees = Boosting { trees: 1, ..BOOSTING }.fit([&topic[..]]);
        trees.score(base, &[1.0]) - trees.score(0.0, &[0.0]) - base
    };
    assert!(fit(0.0) > 0.1 && fit(20.0).abs() < 1e-6);
}

#[test]
fn what_is_not_a_number_goes_above_every_threshold() {
    let topic = [example(1.0, &[f64::NAN]), example(0.0, &[1.0]), example(0.0, &[f64::NEG_INFINITY])];
    let trees = BOOSTING.fit([&topic[..]]);
    assert!(trees.score(0.0, &[-f64::NAN]) > trees.score(0.0, &[1.0]));
    assert!(trees.score(0.0, &[1.0]).is_finite() && trees.num_trees() > 0);
}
