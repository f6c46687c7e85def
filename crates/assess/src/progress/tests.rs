//! A day in a small lab, counted.

use super::*;
use crate::testing::{finish, join, judge_some, small};
use crate::{BatchPlan, Books};
use lab::Verdict;

const NOON: i64 = 1_651_406_400;
const DAY: i64 = 86_400;

fn plan(kind: PoolKind) -> BatchPlan {
    BatchPlan {
        kind,
        set: "now".to_owned(),
        stage: Stage::Main,
        asks: Asks::Grades,
        judges: 1,
        overlap: 0.0,
        at_most: None,
        gold: 0,
        seed: 5,
    }
}

#[test]
fn what_is_done_is_counted() {
    let (_place, lab) = small("assess-progress");
    let yesterday = Books::new(&lab, NOON - DAY);
    let nothing = yesterday.progress().unwrap();
    assert_eq!(nothing.outside, [(PoolKind::Answers, 8), (PoolKind::Formulas, 2)]);
    assert_eq!((nothing.whole, nothing.finish.day), (Share::default(), None));
    let (ada, bob) = (join(&yesterday, "ada"), join(&yesterday, "bob"));
    yesterday.make_batches(&plan(PoolKind::Answers), "olga").unwrap();
    yesterday.make_batches(&plan(PoolKind::Formulas), "olga").unwrap();
    finish(&yesterday, &ada, |_| Verdict::Grade(1));
    let today = Books::new(&lab, NOON);
    judge_some(&today, &bob, 2, |_| Verdict::DoNotKnow);
    let progress = today.progress().unwrap();
    let answers = Sort { asks: Asks::Grades, kind: PoolKind::Answers, stage: Stage::Main };
    let formulas = Sort { kind: PoolKind::Formulas, ..answers };
    assert_eq!(
        progress.sorts,
        [
            (
                answers,
                Extent {
                    batches: Share { done: 1, all: 2 },
                    tasks: Share { done: 6, all: 8 },
                    parts: Share { done: 6, all: 8 },
                    held: 1
                }
            ),
            (
                formulas,
                Extent {
                    batches: Share { done: 0, all: 1 },
                    tasks: Share { done: 0, all: 2 },
                    parts: Share { done: 0, all: 3 },
                    held: 0
                }
            ),
        ]
    );
    assert_eq!(progress.topics.len(), 3);
    assert_eq!((progress.whole, progress.whole.percent()), (Share { done: 6, all: 11 }, 54));
    assert_eq!(progress.outside, [(PoolKind::Answers, 0), (PoolKind::Formulas, 0)]);
    // Yesterday 4, today 2 already: 5 left, of which today (4 - 2)/2 = 1 more; 4 are one more day.
    assert_eq!((progress.pace.a_day, progress.pace.today), (Some(4.0), 2));
    assert_eq!(progress.finish.day.unwrap().to_string(), "2022-05-02");
    // Each took ten seconds.
    assert_eq!(progress.finish.hours, Some(50.0 / 3600.0));
    let people: Vec<(&str, usize, usize, usize, usize, Share)> = progress
        .people
        .iter()
        .map(|one| (one.account.name.as_str(), one.done, one.today, one.unknown, one.batches, one.open))
        .collect();
    assert_eq!(
        people,
        [("ada", 4, 0, 0, 0, Share::default()), ("bob", 2, 2, 2, 1, Share { done: 2, all: 4 }),]
    );
    assert_eq!(progress.people[0].seen, Some(NOON - DAY));
}

#[test]
fn what_expires_soon_is_told() {
    let (_place, lab) = small("assess-alarms");
    let books = Books::new(&lab, NOON);
    let ada = join(&books, "ada");
    books.make_batches(&plan(PoolKind::Answers), "olga").unwrap();
    books.take(&ada).unwrap();
    let told = |now: i64| {
        let books = Books::new(&lab, now);
        books.alarms(&books.progress().unwrap(), &[]).unwrap()
    };
    assert!(matches!(told(NOON).as_slice(), [Alarm::Silent { left: 4, since: None, .. }]));
    let late = told(NOON + crate::LEASE - 3600);
    assert!(
        matches!(late.first(), Some(Alarm::Expires { name, at, .. }) if name == "ada" && *at == NOON + crate::LEASE)
    );
}

#[test]
fn a_last_day_is_kept() {
    let (_place, lab) = small("assess-last-day");
    let books = Books::new(&lab, NOON);
    let day = Day::read("2022-05-09");
    books.set_last_day(day, "olga").unwrap();
    assert_eq!(books.last_day().unwrap(), day);
    assert!(books.set_last_day(Day::read("2022-04-30"), "olga").unwrap_err().to_string().contains("over"));
    books.set_last_day(None, "olga").unwrap();
    assert_eq!(books.last_day().unwrap(), None);
}
