//! Objectives whose best place is known.

use super::*;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

const EFFORT: Effort = Effort { restarts: 4, seed: 1, choice: Choice::Best };

fn values(name: &str, values: &[f64]) -> Axis {
    Axis::Values { name: name.to_owned(), values: values.to_vec() }
}

fn weights(members: usize, steps: u32) -> Axis {
    Axis::Simplex { names: (0..members).map(|member| format!("w{member}")).collect(), steps }
}

#[track_caller]
fn check(axes: Vec<Axis>, objective: impl Fn(&[f64], usize) -> f64 + Sync, expected: &[f64]) {
    let space = Space::new(axes).unwrap();
    let calls = AtomicUsize::new(0);
    let counted = |parameters: &[f64], topic: usize| {
        calls.fetch_add(1, Relaxed);
        objective(parameters, topic)
    };
    let mut tuner = Tuner::new(&space, 3, EFFORT, counted).unwrap();
    let fitted = tuner.fit();
    assert_eq!(fitted.parameters, expected);
    assert_eq!(tuner.fit(), fitted);
    assert_eq!(calls.load(Relaxed), 3 * tuner.num_tried(), "each vector is tried once");
}

#[test]
fn known_optima() {
    let near = |at: &'static [f64]| {
        move |parameters: &[f64], topic: usize| -> f64 {
            let far: f64 = parameters.iter().zip(at).map(|(value, at)| (value - at).powi(2)).sum();
            topic as f64 - far
        }
    };
    let grid = || Axis::range("x", 0.0, 2.0, 0.25).unwrap();
    check(vec![grid()], near(&[1.3]), &[1.25]);
    check(vec![grid(), values("k", &[60.0, 10.0, 20.0])], near(&[0.5, 12.0]), &[0.5, 10.0]);
    check(vec![weights(2, 10)], near(&[0.3, 0.7]), &[0.3, 0.7]);
    check(vec![weights(4, 20)], near(&[0.5, 0.3, 0.2, 0.0]), &[0.5, 0.3, 0.2, 0.0]);
    check(vec![weights(3, 4), values("k", &[1.0, 2.0])], near(&[0.0, 1.0, 0.0, 2.0]), &[0.0, 1.0, 0.0, 2.0]);
}

#[test]
fn of_equally_good_ones_the_simplest() {
    check(vec![values("k", &[60.0, 10.0]), weights(4, 8)], |_, _| 1.0, &[60.0, 0.25, 0.25, 0.25, 0.25]);
    check(vec![weights(3, 10)], |_, _| 0.0, &[0.4, 0.3, 0.3]);
    // Everything from 0.2 to 0.8 is as good: the middle is nearest to equal.
    check(vec![weights(2, 10)], |at, _| f64::from((0.2..0.8).contains(&at[0])), &[0.5, 0.5]);
}

#[test]
fn restarts_leave_a_hill_for_a_higher_one() {
    // From 0, 0 no single step is better; both together are.
    let objective = |at: &[f64], _: usize| if at[0] == at[1] { at[0] } else { -1.0 };
    let steps: Vec<f64> = (0..6).map(f64::from).collect();
    let space = Space::new(vec![values("x", &steps), values("y", &steps)]).unwrap();
    let fit = |restarts| {
        Tuner::new(&space, 1, Effort { restarts, seed: 3, choice: Choice::Best }, objective).unwrap().fit()
    };
    assert_eq!(fit(0).parameters, [0.0, 0.0]);
    assert_eq!(fit(40).parameters, [5.0, 5.0]);
}

#[test]
fn what_is_no_number_is_worse_than_everything() {
    check(vec![values("x", &[0.0, 1.0])], |at, _| if at[0] == 0.0 { f64::NAN } else { -9.0 }, &[1.0]);
}

#[test]
fn overfitting_shows_between_training_and_held_out() {
    // Nothing but noise: no value of the parameter is better than another on new topics.
    let space = Space::new(vec![Axis::range("x", 0.0, 99.0, 1.0).unwrap()]).unwrap();
    let mut random = Rng::seeded(5);
    let table: Vec<f64> = (0..100 * 12).map(|_| random.unit()).collect();
    let objective = |at: &[f64], topic: usize| table[at[0] as usize * 12 + topic];
    let mut tuner = Tuner::new(&space, 12, EFFORT, objective).unwrap();
    let result = tuner.cross_validate(&Folds::new(12, 4, 1).unwrap()).unwrap();
    assert!(result.fitted.mean > result.held_out_mean + 0.1, "{result:?}");
    for fold in &result.folds {
        assert!(fold.fitted.mean > 0.6);
        let mean =
            fold.topics.iter().map(|topic| result.held_out[*topic]).sum::<f64>() / fold.topics.len() as f64;
        assert_eq!(mean, fold.held_out_mean);
    }
    assert!(result.deviation > 0.0);
    let mut again = Tuner::new(&space, 12, EFFORT, objective).unwrap();
    assert_eq!(again.cross_validate(&Folds::new(12, 4, 1).unwrap()).unwrap(), result);
}

#[test]
fn folds_are_even_and_so_are_strata_in_them() {
    let years: Vec<u32> = (0..47).map(|topic| if topic < 20 { 2020 } else { 2021 }).collect();
    let folds = Folds::stratified(&years, 5, 9).unwrap();
    for year in [2020, 2021] {
        let count =
            |fold| (0..47).filter(|topic| years[*topic] == year && folds.fold_of(*topic) == fold).count();
        let sizes: Vec<usize> = (0..5).map(count).collect();
        assert!(sizes.iter().max().unwrap() - sizes.iter().min().unwrap() <= 1, "{sizes:?}");
    }
    let sizes: Vec<usize> =
        (0..5).map(|fold| (0..47).filter(|topic| folds.fold_of(*topic) == fold).count()).collect();
    assert_eq!(sizes.iter().sum::<usize>(), 47);
    assert!(sizes.iter().max().unwrap() - sizes.iter().min().unwrap() <= 1, "{sizes:?}");
    assert_ne!(Folds::new(47, 5, 1), Folds::new(47, 5, 2));
    assert_eq!(Folds::new(3, 4, 1), Err(Error::Folds { folds: 4, topics: 3 }));
    assert_eq!(Folds::new(3, 1, 1), Err(Error::Folds { folds: 1, topics: 3 }));
}

#[test]
fn spaces_without_points_are_refused() {
    for (axis, error) in [
        (values("x", &[]), Error::Values("x".to_owned())),
        (values("x", &[1.0, f64::NAN]), Error::Values("x".to_owned())),
        (weights(0, 5), Error::Simplex),
        (weights(2, 0), Error::Simplex),
    ] {
        assert_eq!(Space::new(vec![axis]), Err(error));
    }
    for (from, to, step) in [(0.0, 1.0, 0.0), (1.0, 0.0, 0.1), (0.0, 1.0, 1e-9), (0.0, f64::NAN, 1.0)] {
        assert!(Axis::range("x", from, to, step).is_err(), "{from} {to} {step}");
    }
    let Ok(Axis::Values { values, .. }) = Axis::range("b", 0.1, 0.5, 0.1) else { panic!("a range") };
    assert_eq!(values.len(), 5);
    let space = Space::new(vec![weights(2, 5), Axis::range("x", 0.0, 1.0, 1.0).unwrap()]).unwrap();
    assert_eq!(space.names().collect::<Vec<_>>(), ["w0", "w1", "x"]);
    assert_eq!(Tuner::new(&space, 0, EFFORT, |_, _| 0.0).err(), Some(Error::NoTopics));
}

#[test]
fn what_topics_cannot_tell_apart_is_left_as_it_is() {
    // The second value is a little better on average, and the third much better on every topic.
    let objective = |parameters: &[f64], topic: usize| match (parameters[0] as u32, topic % 2) {
        (2, 0) => 0.6,
        (2, _) => 0.41,
        (3, _) => 0.5 + 0.001 * topic as f64,
        _ => 0.5,
    };
    let fit = |values: &[f64], choice| {
        let axis = Axis::Values { name: "k".to_owned(), values: values.to_vec() };
        let space = Space::new(vec![axis]).unwrap();
        let effort = Effort { restarts: 0, seed: 1, choice };
        Tuner::new(&space, 8, effort, objective).unwrap().fit().parameters[0]
    };
    assert_eq!(fit(&[1.0, 2.0], Choice::Best), 2.0);
    assert_eq!(fit(&[1.0, 2.0], Choice::Simplest), 1.0);
    assert_eq!(fit(&[1.0, 3.0], Choice::Simplest), 3.0);
}

#[test]
fn each_stratum_is_a_fold() {
    let folds = Folds::of_strata(&[2021, 2020, 2021]).unwrap();
    assert_eq!((folds.num_folds(), folds.fold_of(0), folds.fold_of(1)), (2, 1, 0));
    assert!(Folds::of_strata(&[7, 7]).is_err() && Folds::of_strata::<u8>(&[]).is_err());
    let found =
        cross_validate(&folds, |training| Ok::<_, Error>((vec![training.len() as f64], vec![0.1, 0.2, 0.3])));
    let found = found.unwrap();
    assert_eq!(found.folds[0].fitted.parameters, [2.0]);
    assert_eq!(found.held_out, [0.1, 0.2, 0.3]);
    assert_eq!(found.fitted.parameters, [3.0]);
}
