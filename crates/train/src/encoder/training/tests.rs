//! Trainings of an adapter: what is learned, when they end, and that stopping changes nothing.

use super::*;
use crate::encoder::{Adapter, Candidates, Decay, Negatives, Objective, Pairs, Schedule};
use std::collections::HashMap;
use testkit::TempDir;

const WIDTH: usize = 6;
const PAIRS: u32 = 30;

/// Vectors whose pairs are alike in a turned space: what an adapter can learn.
fn adapter() -> Adapter {
    let mut rng = stats::rng::Rng::seeded(5);
    let mut draw = || (rng.unit() - 0.5) as f32;
    let (mut queries, mut documents) = (Vec::new(), Vec::new());
    for _ in 0..PAIRS {
        let query: Vec<f32> = (0..WIDTH).map(|_| draw()).collect();
        let noise: Vec<f32> =
            (0..WIDTH).map(|place| draw() * if place % 2 == 0 { 3.0 } else { 0.2 }).collect();
        documents.extend(query.iter().zip(&noise).map(|(query, noise)| query + noise));
        queries.extend(query);
    }
    queries.extend(documents);
    Adapter::new((0..2 * PAIRS).collect(), queries, WIDTH, 1e-3)
}

fn sampler() -> Sampler {
    let examples = (0..PAIRS).map(|number| Example::new(number, PAIRS + number, number)).collect();
    Sampler::Pairs(Pairs::new(examples, HashMap::new(), Candidates::None))
}

fn options() -> Options {
    Options {
        objective: Objective::Ranking { scale: 20.0, negatives: Negatives::Shared },
        schedule: Schedule { rate: 0.02, warmup: 2, decay: Decay::Linear, restarts: false },
        batch: 8,
        accumulate: 2,
        epochs: 12,
        max_steps: None,
        decay: 0.0,
        clip: 1.0,
        seed: 3,
        measure_every: 5,
        patience: 0,
    }
}

fn held() -> Vec<Held> {
    (0..8).map(|number| Held { query: number, documents: vec![PAIRS + number] }).collect()
}

/// Stops after some steps.
struct Stop(u64);

impl Watch for Stop {
    fn step(&mut self, _: &Progress) -> bool {
        self.0 -= 1;
        self.0 > 0
    }
}

#[test]
fn an_adapter_learns_and_its_loss_falls() {
    let folder = TempDir::new("adapter");
    let training = Training::open(folder.path(), "plan", Duration::MAX).unwrap();
    let outcome = training.run(&mut adapter(), &sampler(), &held(), &options(), &mut ()).unwrap();
    assert_eq!(outcome.steps, 24);
    let (first, last) = (outcome.curve[0].1, outcome.curve[outcome.curve.len() - 1].1);
    assert!(last < 0.7 * first, "{first} to {last}");
    assert_eq!(outcome.measures.iter().map(|(step, _)| *step).collect::<Vec<_>>(), [0, 5, 10, 15, 20, 24]);
    assert!(outcome.measures[5].1 > outcome.measures[0].1, "{:?}", outcome.measures);
}

#[test]
fn a_strong_pull_keeps_the_identity() {
    let folder = TempDir::new("adapter-pull");
    let mut strong = adapter();
    strong = Adapter::new(
        (0..2 * PAIRS).collect(),
        strong.outputs(&(0..60).collect::<Vec<_>>()).unwrap(),
        WIDTH,
        1e4,
    );
    let training = Training::open(folder.path(), "plan", Duration::MAX).unwrap();
    let options = Options { schedule: Schedule { rate: 1e-3, ..options().schedule }, clip: 0.0, ..options() };
    let outcome = training.run(&mut strong, &sampler(), &[], &options, &mut ()).unwrap();
    let identity = adapter().parameters().to_vec();
    let away = outcome.parameters.iter().zip(&identity).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    assert!(away > 0.0 && away < 5e-3, "{away}");
}

#[test]
fn a_training_that_stops_often_ends_with_the_same_bits() {
    let whole = TempDir::new("training-whole");
    let run = |folder: &TempDir, watch: &mut dyn Watch| {
        Training::open(folder.path(), "plan", Duration::ZERO)?.run(
            &mut adapter(),
            &sampler(),
            &held(),
            &options(),
            watch,
        )
    };
    let expected = run(&whole, &mut ()).unwrap();
    let parts = TempDir::new("training-parts");
    let mut stops = 0;
    let found = loop {
        match run(&parts, &mut Stop(1 + stops % 3)) {
            Err(Error::Stopped) => stops += 1,
            found => break found.unwrap(),
        }
    };
    assert!(stops >= 10, "{stops}");
    assert_eq!(found, expected);
}

#[test]
fn a_training_ends_when_nothing_gets_better() {
    let folder = TempDir::new("training-patience");
    // A rate this low changes no rank.
    let schedule = Schedule { rate: 1e-12, ..options().schedule };
    let options = Options { patience: 2, measure_every: 1, schedule, ..options() };
    let training = Training::open(folder.path(), "plan", Duration::MAX).unwrap();
    let outcome = training.run(&mut adapter(), &sampler(), &held(), &options, &mut ()).unwrap();
    assert_eq!((outcome.steps, outcome.best), (3, 1));
}

#[test]
fn another_plan_and_bad_options_are_errors() {
    let folder = TempDir::new("training-plan");
    Training::open(folder.path(), "none", Duration::MAX).unwrap();
    // Nothing was learned under that plan.
    let training = Training::open(folder.path(), "one", Duration::MAX).unwrap();
    let stopped = training.run(&mut adapter(), &sampler(), &[], &options(), &mut Stop(1));
    assert!(matches!(stopped, Err(Error::Stopped)));
    assert!(matches!(Training::open(folder.path(), "two", Duration::MAX), Err(Error::Other { .. })));
    assert!(Training::open(folder.path(), "one", Duration::MAX).is_ok());
    let fresh = TempDir::new("training-fresh");
    let training = Training::open(fresh.path(), "one", Duration::MAX).unwrap();
    let bad = Options { batch: 0, ..options() };
    let error = training.run(&mut adapter(), &sampler(), &[], &bad, &mut ()).unwrap_err();
    assert_eq!(error.to_string(), "a batch needs an example");
    let nothing = Sampler::Pairs(Pairs::default());
    let error = training.run(&mut adapter(), &nothing, &[], &options(), &mut ()).unwrap_err();
    assert_eq!(error.to_string(), "nothing to learn from: no pairs of texts");
    let hard = Options { objective: Objective::Triplet { margin: 0.2 }, ..options() };
    assert!(training.run(&mut adapter(), &sampler(), &[], &hard, &mut ()).is_err());
}
