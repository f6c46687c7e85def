//! Colleagues check each other, and never themselves.

use super::*;
use crate::testing::{finish, join, small};
use crate::{BatchPlan, Standing};
use lab::Verdict;

fn plan(topics: usize, seed: u64) -> CheckPlan {
    CheckPlan { kind: PoolKind::Answers, set: "now".to_owned(), topics, seed }
}

#[test]
fn everybody_judges_what_a_colleague_judged() {
    let (_place, lab) = small("assess-checks");
    let books = Books::new(&lab, 1_000_000);
    let (ada, bob, cy) = (join(&books, "ada"), join(&books, "bob"), join(&books, "cy"));
    assert!(books.plan_checks(&plan(1, 5)).unwrap_err().to_string().contains("two people"));
    let batches = BatchPlan {
        kind: PoolKind::Answers,
        set: "now".to_owned(),
        stage: Stage::Main,
        asks: Asks::Grades,
        judges: 1,
        overlap: 0.0,
        at_most: None,
        gold: 0,
        seed: 5,
    };
    books.make_batches(&batches, "olga").unwrap();
    finish(&books, &ada, |place| Verdict::Grade(i32::try_from(place % 4).unwrap()));
    assert!(books.plan_checks(&plan(1, 5)).is_err(), "one alone has no colleague");
    finish(&books, &bob, |place| Verdict::Grade(i32::try_from(place % 3).unwrap()));
    let planned = books.plan_checks(&plan(2, 5)).unwrap();
    let who: Vec<(&str, &str, &str)> = planned
        .iter()
        .map(|check| (check.name.as_str(), check.topic.as_str(), check.colleague_name.as_str()))
        .collect();
    assert_eq!(who, [("ada", "A.2", "bob"), ("bob", "A.1", "ada")], "cy has judged nothing");
    assert_eq!(planned[0].items, 4, "three posts and a written answer");
    let made = books.make_checks(&plan(2, 5), "olga").unwrap();
    assert_eq!(made.len(), 2);
    let line = books.batches().unwrap().into_iter().find(|line| line.batch.number == made[0]).unwrap();
    assert_eq!((line.batch.stage, line.batch.kept_for, line.tasks), (Stage::CrossCheck, Some(ada.number), 4));
    assert!(books.make_checks(&plan(2, 5), "olga").is_err(), "all is given out");
    assert_eq!(books.waiting_for(&cy).unwrap(), 0, "they are kept for those who check");
    finish(&books, &ada, |place| Verdict::Grade(i32::try_from(place % 3).unwrap()));
    let agreement = books.agreement().unwrap();
    let pair = &agreement[0].pairs[0];
    assert_eq!((pair.first.as_str(), pair.second.as_str(), pair.things), ("bob", "ada", 4));
    assert_eq!((pair.graded, pair.equal), (Some(1.0), Some(1.0)));
}

#[test]
fn who_leaves_hands_over() {
    let (_place, lab) = small("assess-leaving");
    let books = Books::new(&lab, 1_000_000);
    let (ada, bob) = (join(&books, "ada"), join(&books, "bob"));
    let batches = BatchPlan {
        kind: PoolKind::Answers,
        set: "now".to_owned(),
        stage: Stage::Main,
        asks: Asks::Grades,
        judges: 2,
        overlap: 0.0,
        at_most: None,
        gold: 0,
        seed: 5,
    };
    books.make_batches(&batches, "olga").unwrap();
    books.take(&ada).unwrap().unwrap();
    books.take(&ada).unwrap().unwrap();
    // Bob has the other copy of the first topic, so he may not have ada's.
    books.take(&bob).unwrap().unwrap();
    assert!(books.leave(ada.number, Some(ada.number), "olga").is_err());
    let leaving = books.leave(ada.number, Some(bob.number), "olga").unwrap();
    assert_eq!((leaving.handed, leaving.returned), (1, 1));
    assert_eq!(books.account(ada.number).unwrap().standing, Standing::Left);
    assert_eq!(books.work_of(bob.number).unwrap().len(), 2);
}
