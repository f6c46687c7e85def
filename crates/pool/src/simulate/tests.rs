//! Replays small enough to be worked by hand.

use super::*;
use crate::extent::Standing;
use crate::testing::{pooled, run};
use formats::Source;
use formats::qrels::Scale;

fn qrels(text: &str) -> Qrels {
    Qrels::read(Source::bytes("qrels", text.replace(' ', "\t")), Scale::Plain).unwrap().0
}

fn setting<'a>(runs: &'a [PooledRun<'a>], qrels: &'a Qrels, measure: &'a Measure) -> Setting<'a> {
    Setting {
        runs,
        reading: Reading::new(Unit::Posts),
        extent: Extent::depth(9),
        qrels,
        level: 1,
        measure,
        policy: TopicPolicy::All,
    }
}

#[test]
fn the_order_of_two_runs_is_found_with_the_judgments_that_tell_them_apart() {
    let (good, bad) = (run("good", "A.1", &["1", "2"]), run("bad", "A.1", &["3", "4", "unjudged"]));
    let runs = [&good, &bad].map(|run| pooled(run, Standing::Primary));
    let qrels = qrels("A.1 0 1 1\nA.1 0 2 1\nA.1 0 3 0\nA.1 0 4 0\nA.1 0 elsewhere 1\n");
    let measure: Measure = "AP'".parse().unwrap();
    let replay = Replay::new(setting(&runs, &qrels, &measure)).unwrap();
    // What neither run returned is not part of the replay.
    assert_eq!(replay.values_by_all(), [1.0, 0.0]);
    let replayed = replay.run(Method::MoveToFront, 0, &[0.0, 0.25, 0.5, 0.75, 1.0]).unwrap();
    assert_eq!((replayed.judgments, replayed.relevant), (4, 2));
    let found: Vec<f64> = replayed.points.iter().map(|point| point.found).collect();
    let taus: Vec<Option<f64>> = replayed.points.iter().map(|point| point.tau).collect();
    // Either the good run is drawn first, or the bad one and then the good one.
    match found[1] > 0.0 {
        true => {
            assert_eq!(found, [0.0, 0.5, 1.0, 1.0, 1.0]);
            assert_eq!(taus, [None, Some(1.0), Some(1.0), Some(1.0), Some(1.0)]);
            assert_eq!(replayed.steady_from(0.9), Some(0.25));
        }
        false => {
            assert_eq!(found, [0.0, 0.0, 0.5, 1.0, 1.0]);
            assert_eq!(taus, [None, None, Some(1.0), Some(1.0), Some(1.0)]);
            assert_eq!(replayed.steady_from(0.9), Some(0.5));
        }
    }
}

#[test]
fn steady_means_to_the_end() {
    let point = |share: f64, tau| Point { share, judgments: 0, tau, found: 0.0 };
    let steady = |taus: [Option<f64>; 4]| {
        let points = [0.25, 0.5, 0.75, 1.0].into_iter().zip(taus).map(|(share, tau)| point(share, tau));
        let points = points.collect();
        Replayed { method: Method::Random, seed: 0, judgments: 0, relevant: 0, points }.steady_from(0.9)
    };
    assert_eq!(steady([Some(0.95), Some(0.8), Some(0.9), Some(1.0)]), Some(0.75));
    assert_eq!(steady([None, Some(1.0), Some(1.0), Some(1.0)]), Some(0.5));
    assert_eq!(steady([Some(1.0), Some(1.0), Some(1.0), Some(0.5)]), None);
}

#[test]
fn shares_are_reached_by_the_smallest_number() {
    assert_eq!(reached(20, 0.15), 3);
    assert_eq!(reached(7, 0.1), 1);
    assert_eq!(reached(7, 0.0), 0);
    assert_eq!(reached(7, 1.0), 7);
    assert_eq!(reached(0, 0.5), 0);
}

#[test]
fn replays_that_say_nothing_are_refused() {
    let (a, b) = (run("a", "A.1", &["1"]), run("b", "A.1", &["2"]));
    let runs = [&a, &b].map(|run| pooled(run, Standing::Primary));
    let measure: Measure = "AP'".parse().unwrap();
    let error = |runs, text: &str| {
        let qrels = qrels(text);
        Replay::new(setting(runs, &qrels, &measure)).err().unwrap()
    };
    assert_eq!(error(&runs[..1], "A.1 0 1 1\n"), Error::TooFewRuns(1));
    assert_eq!(error(&runs, "A.1 0 3 1\n"), Error::NothingToReplay);
    assert_eq!(error(&runs, "A.1 0 1 0\n"), Error::NoOrder);
    let qrels = qrels("A.1 0 1 1\n");
    let replay = Replay::new(setting(&runs, &qrels, &measure)).unwrap();
    assert!(matches!(replay.run(Method::Random, 0, &[1.5]), Err(Error::Setting { name: "share", .. })));
}
