//! Learning the matcher's weights: coordinate ascent over judged formulas of two years of ARQMath.
//!
//! Every weight in turn is made smaller and larger, and a change is kept when
//! the measures of the training topics rise by more than it costs to leave the
//! starting point ([`PULL`]), which keeps few topics from bending many weights.
//! Cross-validation over the topics says what to expect elsewhere.

use super::data::{self, Terms, Topic, Values};
use super::{mean, measures, print_values};
use formula::matching::{Matcher, TERMS, Weights};
use std::fmt::Write as _;

const FOLDS: usize = 5;
const ROUNDS: usize = 3;
const FACTORS: [f32; 5] = [0.5, 0.75, 1.3, 1.7, 2.5];
/// What leaving the starting point costs: this times the square of the logarithm of the factor.
const PULL: f64 = 0.005;
/// Weights that a judged pool says nothing about: it holds no wildcards, and hardly a formula that is the same in
/// other words. The equivalence suite is what these were set by.
const FIXED: [&str; 8] = [
    "class.blank",
    "class.wildcard",
    "class.unread",
    "class.text",
    "term.equivalent",
    "term.identical",
    "credit.equivalent_renamed",
    "cost.moved",
];

/// The judged formulas that are learned from; each set counts the same.
const SETS: [&str; 2] = ["arqmath1-pool", "arqmath-mini 2021"];

pub(crate) fn train() {
    let Some(data) = testkit::data_dir() else {
        testkit::skip("no data folder: nothing to learn from");
        return;
    };
    let prior = prior();
    let sets = || [data::pool(&data, &prior), data::mini(&data, "2021", &prior)];
    println!("{FOLDS} folds\n{:32} nDCG'   MAP'    P'@10", "");
    let folds: Vec<HeldOut> = (0..FOLDS).map(HeldOut::Fold).chain([HeldOut::None]).collect();
    let results: Vec<Fit> = std::thread::scope(|scope| {
        let (sets, prior) = (&sets, &prior);
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let mut results = Vec::new();
        for chunk in folds.chunks(cores) {
            let running: Vec<_> =
                chunk.iter().map(|&fold| scope.spawn(move || fit(sets(), prior, fold))).collect();
            let done =
                running.into_iter().map(|thread| thread.join().unwrap_or_else(|_| panic!("a fold failed")));
            results.extend(done);
        }
        results
    });
    for (set, name) in SETS.iter().enumerate() {
        let mut held_out = Vec::new();
        for (fold, result) in results[..FOLDS].iter().enumerate() {
            print_values(&format!("{name}, fold {}", fold + 1), &result.test[set]);
            held_out.extend_from_slice(&result.test[set]);
        }
        print_values(&format!("{name}, held out"), &held_out);
        let means: Vec<Values> = results[..FOLDS].iter().map(|result| mean(&result.test[set])).collect();
        let centre = mean(&means);
        let spread = [0, 1, 2].map(|which: usize| {
            let squares = means.iter().map(|fold| (fold[which] - centre[which]).powi(2)).sum::<f64>();
            (squares / (FOLDS as f64 - 1.0)).sqrt()
        });
        println!("{:32} {:.4}  {:.4}  {:.4}", "deviation over folds", spread[0], spread[1], spread[2]);
        print_values(&format!("{name}, trained on"), &results[FOLDS].training[set]);
    }
    let mut text = String::from(
        "# How much counts what when formulas are matched. Written by: cargo run --profile dist -p bench -- train\n",
    );
    let _ = write!(text, "{}", results[FOLDS].weights);
    let path = testkit::workspace_root().join("crates/formula/data/matcher.tsv");
    match std::fs::write(&path, text) {
        Ok(()) => println!("written to crates/formula/data/matcher.tsv"),
        Err(error) => println!("crates/formula/data/matcher.tsv: {error}"),
    }
}

/// Learns from one year and measures on the other, beside the starting point, which no topic has changed. Prints what
/// it finds and writes nothing.
pub(crate) fn across_years() {
    let Some(data) = testkit::data_dir() else {
        testkit::skip("no data folder: nothing to learn from");
        return;
    };
    let prior = prior();
    let sets = || [data::pool(&data, &prior), data::mini(&data, "2021", &prior)];
    let measures = measures();
    let print = |what: &str, weights: &Weights, mut topics: Vec<Topic>| {
        let mut matcher = Matcher::new(weights.clone());
        let values: Vec<Values> = topics
            .iter_mut()
            .map(|topic| {
                let terms = topic.terms(&mut matcher, weights);
                topic.measure(&terms, weights, &measures)
            })
            .collect();
        print_values(what, &values);
    };
    let (learned_2021, learned_2020) = std::thread::scope(|scope| {
        let other = scope.spawn(|| fit(sets(), &prior, HeldOut::Set(0)).weights);
        let weights = fit(sets(), &prior, HeldOut::Set(1)).weights;
        (other.join().unwrap_or_else(|_| panic!("a fit failed")), weights)
    });
    println!("{:48} nDCG'   MAP'    P'@10", "");
    for (set, learned, from) in [
        ("arqmath1-pool", &learned_2021, "2021"),
        ("arqmath-mini 2020", &learned_2021, "2021"),
        ("arqmath-mini 2021", &learned_2020, "arqmath1-pool"),
    ] {
        let topics = || match set {
            "arqmath1-pool" => data::pool(&data, &prior),
            mini => data::mini(&data, &mini[mini.len() - 4..], &prior),
        };
        print(&format!("{set}, learned on {from}"), learned, topics());
        print(&format!("{set}, the starting point"), &prior, topics());
        print(&format!("{set}, weights that ship"), &Weights::default(), topics());
    }
}

/// The weights that learning starts from.
fn prior() -> Weights {
    Weights::read(include_str!("prior.tsv")).unwrap_or_else(|error| panic!("prior.tsv: {error}"))
}

/// Topics that are not learned from.
#[derive(Clone, Copy)]
enum HeldOut {
    None,
    /// One of the folds of each set.
    Fold(usize),
    /// A whole set.
    Set(usize),
}

/// What was learned, and the values of the topics of each set.
struct Fit {
    weights: Weights,
    training: [Vec<Values>; 2],
    test: [Vec<Values>; 2],
}

/// Learns from all topics but those that are held out.
fn fit(sets: [Vec<Topic>; 2], prior: &Weights, held_out: HeldOut) -> Fit {
    let mut test = [Vec::new(), Vec::new()];
    let mut training = [Vec::new(), Vec::new()];
    for (set, topics) in sets.into_iter().enumerate() {
        for (place, topic) in topics.into_iter().enumerate() {
            let is_held_out = match held_out {
                HeldOut::None => false,
                HeldOut::Fold(fold) => place % FOLDS == fold,
                HeldOut::Set(held_out) => set == held_out,
            };
            if is_held_out { test[set].push(topic) } else { training[set].push(topic) }
        }
    }
    let measures = measures();
    let values = |topics: &[Vec<Topic>; 2], terms: &[Vec<Terms>; 2], weights: &Weights| {
        [0, 1].map(|set: usize| -> Vec<Values> {
            topics[set]
                .iter()
                .zip(&terms[set])
                .map(|(topic, terms)| topic.measure(terms, weights, &measures))
                .collect()
        })
    };
    let worth = |values: &[Vec<Values>; 2], weights: &Weights| {
        let sum: f64 = values.iter().flat_map(|set| mean(set)).sum();
        let learned_from = values.iter().filter(|set| !set.is_empty()).count();
        sum / learned_from as f64 - PULL * distance(prior, weights)
    };
    let mut weights = prior.clone();
    let mut terms = all_terms(&mut training, &weights);
    let mut best = worth(&values(&training, &terms, &weights), &weights);
    for _ in 0..ROUNDS {
        let before = best;
        for (place, name) in Weights::names().enumerate() {
            if FIXED.contains(&name) {
                continue;
            }
            for factor in FACTORS {
                let mut changed = weights.clone();
                let weight = changed.at_mut(place);
                // The weights are written with three digits.
                *weight = (*weight * factor * 1000.0).round() / 1000.0;
                // A credit is a share of a node's weight.
                if *weight > 1.0 && !name.starts_with("term") && !name.starts_with("class") {
                    continue;
                }
                let new_terms = (place >= TERMS).then(|| all_terms(&mut training, &changed));
                let reached =
                    worth(&values(&training, new_terms.as_ref().unwrap_or(&terms), &changed), &changed);
                if reached > best + 1e-5 {
                    best = reached;
                    weights = changed;
                    terms = new_terms.unwrap_or(terms);
                }
            }
        }
        if best < before + 1e-4 {
            break;
        }
    }
    let test_terms = all_terms(&mut test, &weights);
    Fit { training: values(&training, &terms, &weights), test: values(&test, &test_terms, &weights), weights }
}

fn all_terms(sets: &mut [Vec<Topic>; 2], weights: &Weights) -> [Vec<Terms>; 2] {
    let mut matcher = Matcher::new(weights.clone());
    sets.each_mut().map(|topics| topics.iter_mut().map(|topic| topic.terms(&mut matcher, weights)).collect())
}

fn distance(prior: &Weights, weights: &Weights) -> f64 {
    let (mut prior, mut weights) = (prior.clone(), weights.clone());
    (0..Weights::names().count())
        .map(|place| (*prior.at_mut(place), *weights.at_mut(place)))
        .filter(|(before, after)| *before > 0.0 && *after > 0.0)
        .map(|(before, after)| f64::from(after / before).ln().powi(2))
        .sum()
}
