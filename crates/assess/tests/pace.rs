//! How far somebody is and how fast: what is taken back does not count, and minds changed count once.

use crate::common;

use assess::{Error, Pace};
use common::{Place, grade, request_name};
use lab::{PoolKind, Verdict};

#[test]
fn the_way_through_a_batch() {
    let place = Place::new("pace-outline");
    let ada = place.assessor("ada");
    place.batches(PoolKind::Answers, |_| {});
    let who = ada.clone();
    let assignment = place.office.write(move |books| books.take(&who)).unwrap().unwrap();
    let outline = || place.office.read(|books| books.outline(ada.number, assignment)).unwrap();
    let empty = outline();
    assert_eq!(empty.pace, Pace::default());
    assert_eq!(empty.pace.each(), None);
    assert!(empty.steps.len() > 2 && empty.steps.iter().all(|step| !step.done && step.skips == 0));

    place.judge_next(&ada, assignment, Verdict::Grade(2)).unwrap();
    place.judge_next(&ada, assignment, Verdict::Grade(3)).unwrap();
    let (first, skipped) = (empty.steps[0].task, empty.steps[2].task);
    let who = ada.clone();
    place
        .office
        .write(move |books| {
            // A mind is changed: it is one thing, and took both times.
            let part = books.show(who.number, assignment, first)?.parts[0].part;
            books.judge(&who, &grade(assignment, part, Verdict::Grade(0)))?;
            books.skip(who.number, assignment, skipped)
        })
        .unwrap();
    let now = outline();
    assert_eq!(now.pace, Pace { judged: 2, timed: 2, seconds: 30.0 });
    assert_eq!(now.pace.each(), Some(15.0));
    let states: Vec<(bool, usize)> = now.steps.iter().take(3).map(|step| (step.done, step.skips)).collect();
    assert_eq!(states, [(true, 0), (true, 0), (false, 1)]);

    let who = ada.clone();
    for _ in 0..3 {
        let who = who.clone();
        place.office.write(move |books| books.undo(&who, assignment, &request_name())).unwrap();
    }
    assert_eq!(outline().pace, Pace::default());
    assert!(outline().steps.iter().all(|step| !step.done));
    let other = place.assessor("ben");
    let theirs = place.office.read(|books| books.outline(other.number, assignment));
    assert!(matches!(theirs, Err(Error::NotYours(_))), "{theirs:?}");
}

#[test]
fn today_begins_at_midnight() {
    let place = Place::new("pace-today");
    let ada = place.assessor("ada");
    place.batches(PoolKind::Answers, |_| {});
    let who = ada.clone();
    let assignment = place.office.write(move |books| books.take(&who)).unwrap().unwrap();
    place.judge_next(&ada, assignment, Verdict::Grade(2)).unwrap();
    let pace = || place.office.read(|books| books.pace_of(ada.number)).unwrap();
    let one = Pace { judged: 1, timed: 1, seconds: 10.0 };
    assert_eq!(pace(), (one, one));
    place.pass(24 * 3600);
    assert_eq!(pace(), (Pace::default(), one));
    place.judge_next(&ada, assignment, Verdict::Grade(2)).unwrap();
    assert_eq!(pace(), (one, Pace { judged: 2, timed: 2, seconds: 20.0 }));
}
