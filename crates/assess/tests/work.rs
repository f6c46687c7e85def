//! Who gets which batch, and what becomes of judgments, through all the ways people work.

use crate::common;

use assess::{Account, Asks, AssignmentNo, Error, Flags, NewFlags, Role, Standing, State};
use common::{Place, grade, next, plan, request_name};
use lab::{PoolKind, Stage, Verdict};
use std::collections::BTreeSet;
use std::sync::Barrier;

const HIGH: Verdict = Verdict::Grade(3);
const LOW: Verdict = Verdict::Grade(1);

fn take(place: &Place, who: &Account) -> Option<AssignmentNo> {
    let who = who.clone();
    place.office.write(move |books| books.take(&who)).unwrap()
}

/// What counts now, as (stage, topic, item, instance, assessor, verdict), in the order of the log.
fn counts(place: &Place, kind: PoolKind) -> Vec<(Stage, String, String, String, Verdict)> {
    let judgments = place.office.read(|books| Ok(books.lab().judgments(kind, "now")?)).unwrap();
    judgments
        .into_iter()
        .map(|row| {
            (row.said.stage, row.said.topic.to_string(), row.said.item, row.said.assessor, row.said.verdict)
        })
        .collect()
}

fn log(place: &Place, kind: PoolKind) -> usize {
    place.office.read(|books| Ok(books.lab().judgment_log(kind, "now")?.len())).unwrap()
}

#[test]
fn a_batch_from_the_queue_to_its_end() {
    let place = Place::new("assess-work-whole");
    let ada = place.assessor("ada");
    assert_eq!(take(&place, &ada), None, "nothing is there yet");
    assert_eq!(place.batches(PoolKind::Answers, |_| {}), 2);
    let work = take(&place, &ada).unwrap();
    let shown = place.office.read(|books| next(books, &ada, work)).unwrap();
    assert_eq!((shown.batch.topic.as_str(), shown.place, shown.of, shown.done), ("A.1", 1, 4, 0));
    for judged in 1..=4 {
        let receipt = place.judge_next(&ada, work, HIGH).unwrap();
        assert_eq!((receipt.task_done, receipt.batch_done, receipt.again), (true, judged == 4, false));
    }
    let works = place.office.read(|books| books.work_of(ada.number)).unwrap();
    assert_eq!((works[0].state, works[0].done, works[0].tasks), (State::Done, 4, 4));
    assert!((works[0].seconds - 40.0).abs() < 1e-9);
    assert_eq!(counts(&place, PoolKind::Answers).len(), 4);
    let again = plan(PoolKind::Answers);
    let refused = place.office.write(move |books| books.make_batches(&again, "tester")).unwrap_err();
    assert!(refused.to_string().contains("already"), "{refused}");
}

#[test]
fn instances_of_a_formula_are_judged_one_by_one() {
    let place = Place::new("assess-work-instances");
    let ada = place.assessor("ada");
    place.batches(PoolKind::Formulas, |_| {});
    let work = take(&place, &ada).unwrap();
    let lines = place.office.read(|books| books.tasks_of(ada.number, work)).unwrap();
    let seven = lines.iter().find(|line| line.item == "7").unwrap().task;
    let shown = place.office.read(|books| books.show(ada.number, work, seven)).unwrap();
    let shows: Vec<_> =
        shown.parts.iter().map(|part| (part.instance.as_deref(), part.post.as_deref())).collect();
    assert_eq!(shows, [(Some("1"), Some("101")), (Some("2"), Some("102"))]);
    let parts: Vec<_> = shown.parts.iter().map(|part| part.part).collect();
    let say = |part, verdict| {
        let (who, new) = (ada.clone(), grade(work, part, verdict));
        place.office.write(move |books| books.judge(&who, &new)).unwrap()
    };
    assert!(!say(parts[0], LOW).task_done);
    assert!(say(parts[1], HIGH).task_done);
}

#[test]
fn what_is_sent_twice_counts_once() {
    let place = Place::new("assess-work-twice");
    let ada = place.assessor("ada");
    place.batches(PoolKind::Answers, |_| {});
    let work = take(&place, &ada).unwrap();
    let shown = place.office.read(|books| next(books, &ada, work)).unwrap();
    let new = grade(work, shown.parts[0].part, HIGH);
    let send = |new: assess::NewGrade| {
        let who = ada.clone();
        place.office.write(move |books| books.judge(&who, &new))
    };
    let first = send(new.clone()).unwrap();
    let second = send(new.clone()).unwrap();
    assert_eq!((first.judgment, first.again, second.again), (second.judgment, false, true));
    assert_eq!(log(&place, PoolKind::Answers), 1);
    // The same name for something else is a mistake of the browser, and told.
    let other = place.office.read(|books| next(books, &ada, work)).unwrap().parts[0].part;
    let mixed = assess::NewGrade { part: other, ..new };
    assert!(matches!(send(mixed), Err(Error::Refused(_))));
    for bad in ["short", "with spaces in the name", "quote'quote'quote'quote"] {
        let new = assess::NewGrade { request: bad.to_owned(), ..grade(work, other, HIGH) };
        assert!(matches!(send(new), Err(Error::Refused(_))), "{bad}");
    }
    assert_eq!(log(&place, PoolKind::Answers), 1);
}

#[test]
fn minds_are_changed_and_undone_with_history() {
    let place = Place::new("assess-work-undo");
    let ada = place.assessor("ada");
    place.batches(PoolKind::Answers, |_| {});
    let work = take(&place, &ada).unwrap();
    let shown = place.office.read(|books| next(books, &ada, work)).unwrap();
    let (task, part) = (shown.task, shown.parts[0].part);
    let say = |verdict| {
        let (who, new) = (ada.clone(), grade(work, part, verdict));
        place.office.write(move |books| books.judge(&who, &new)).unwrap();
    };
    let undo = |request: &str| {
        let (who, request) = (ada.clone(), request.to_owned());
        place.office.write(move |books| books.undo(&who, work, &request)).unwrap()
    };
    let now = || {
        let shown = place.office.read(|books| books.show(ada.number, work, task)).unwrap();
        shown.parts[0].said.as_ref().map(|said| said.verdict)
    };
    say(HIGH);
    say(Verdict::DoNotKnow);
    assert_eq!(now(), Some(Verdict::DoNotKnow));
    let name = request_name();
    assert_eq!(undo(&name), Some(task));
    assert_eq!(undo(&name), Some(task), "sent twice, undone once");
    assert_eq!(now(), Some(HIGH));
    assert_eq!(undo(&request_name()), Some(task));
    assert_eq!(now(), None);
    assert_eq!(undo(&request_name()), None, "nothing is left to take back");
    assert!(counts(&place, PoolKind::Answers).is_empty());
    let history = place.office.read(|books| books.history(ada.number, part)).unwrap();
    let verdicts: Vec<Verdict> = history.iter().map(|said| said.verdict).collect();
    assert_eq!(verdicts, [HIGH, Verdict::DoNotKnow, HIGH, Verdict::Withdrawn]);
    say(LOW);
    assert_eq!(now(), Some(LOW));
    assert_eq!(log(&place, PoolKind::Answers), 5, "nothing is ever removed");
}

#[test]
fn undoing_the_last_opens_the_batch_again() {
    let place = Place::new("assess-work-reopen");
    let ada = place.assessor("ada");
    place.batches(PoolKind::Answers, |plan| plan.at_most = Some(1));
    let work = take(&place, &ada).unwrap();
    assert!(place.judge_next(&ada, work, HIGH).unwrap().batch_done);
    let who = ada.clone();
    place.office.write(move |books| books.undo(&who, work, &request_name())).unwrap();
    let works = place.office.read(|books| books.work_of(ada.number)).unwrap();
    assert_eq!((works[0].state, works[0].done), (State::Open, 0));
}

#[test]
fn codes_need_a_comment_and_grades_must_be_on_the_scale() {
    let place = Place::new("assess-work-scale");
    let ada = place.assessor("ada");
    place.batches(PoolKind::Answers, |_| {});
    let work = take(&place, &ada).unwrap();
    let part = place.office.read(|books| next(books, &ada, work)).unwrap().parts[0].part;
    for (verdict, comment) in [
        (Verdict::DoNotKnow, " "),
        (Verdict::SystemFailure, ""),
        (Verdict::Grade(4), "x"),
        (Verdict::Grade(-1), "x"),
        (Verdict::Withdrawn, "x"),
    ] {
        let new = assess::NewGrade { comment: comment.to_owned(), ..grade(work, part, verdict) };
        let who = ada.clone();
        let refused = place.office.write(move |books| books.judge(&who, &new));
        assert!(matches!(refused, Err(Error::Refused(_))), "{verdict:?}");
    }
    let new = assess::NewGrade { comment: "x".repeat(5000), ..grade(work, part, HIGH) };
    let who = ada.clone();
    assert!(place.office.write(move |books| books.judge(&who, &new)).is_err());
    assert_eq!(log(&place, PoolKind::Answers), 0, "nothing of it was kept");
}

#[test]
fn what_is_put_off_comes_again() {
    let place = Place::new("assess-work-skip");
    let ada = place.assessor("ada");
    place.batches(PoolKind::Answers, |_| {});
    let work = take(&place, &ada).unwrap();
    let first = place.office.read(|books| next(books, &ada, work)).unwrap().task;
    let number = ada.number;
    let second = place.office.write(move |books| books.skip(number, work, first)).unwrap().unwrap();
    assert_ne!(first, second);
    let mut seen = Vec::new();
    while let Some(task) = place.office.read(|books| books.first_task(ada.number, work)).unwrap() {
        seen.push(task);
        place.judge_next(&ada, work, HIGH).unwrap();
    }
    assert_eq!((seen.len(), seen.first(), seen.last()), (4, Some(&second), Some(&first)));
}

#[test]
fn work_of_others_is_not_there() {
    let place = Place::new("assess-work-others");
    let (ada, eve) = (place.assessor("ada"), place.assessor("eve"));
    place.batches(PoolKind::Answers, |_| {});
    let (hers, evil) = (take(&place, &ada).unwrap(), take(&place, &eve).unwrap());
    let shown = place.office.read(|books| next(books, &ada, hers)).unwrap();
    let part = shown.parts[0].part;
    place.judge_next(&ada, hers, HIGH).unwrap();
    let refused = |result: Result<(), Error>| assert!(matches!(result, Err(Error::NotYours(_))));
    let office = &place.office;
    refused(office.read(|books| books.show(eve.number, hers, shown.task).map(|_| ())));
    refused(office.read(|books| books.show(eve.number, evil, shown.task).map(|_| ())));
    refused(office.read(|books| books.tasks_of(eve.number, hers).map(|_| ())));
    refused(office.read(|books| books.history(eve.number, part).map(|_| ())));
    refused(office.read(|books| books.first_task(eve.number, hers).map(|_| ())));
    for assignment in [hers, evil] {
        let (who, new) = (eve.clone(), grade(assignment, part, LOW));
        refused(office.write(move |books| books.judge(&who, &new).map(|_| ())));
        let (who, task) = (eve.number, shown.task);
        refused(office.write(move |books| books.skip(who, assignment, task).map(|_| ())));
    }
    let who = eve.clone();
    refused(office.write(move |books| books.undo(&who, hers, &request_name()).map(|_| ())));
    let who = eve.number;
    refused(office.write(move |books| books.give_back(who, hers)));
    assert_eq!(log(&place, PoolKind::Answers), 1);
}

#[test]
fn expired_work_returns_and_nothing_is_lost() {
    let place = Place::new("assess-work-expiry");
    let (ada, bob) = (place.assessor("ada"), place.assessor("bob"));
    place.batches(PoolKind::Answers, |_| {});
    let hers = take(&place, &ada).unwrap();
    place.judge_next(&ada, hers, HIGH).unwrap();
    let open = place.office.read(|books| next(books, &ada, hers)).unwrap();
    let (second, third) = (open.parts[0].part, open.next.unwrap());
    let third = place.office.read(|books| books.show(ada.number, hers, third)).unwrap().parts[0].part;
    place.pass(assess::LEASE - 1);
    assert_eq!(place.office.write(|books| books.expire()).unwrap(), 0);
    place.pass(1);
    assert_eq!(place.office.write(|books| books.expire()).unwrap(), 1);
    let his = take(&place, &bob).unwrap();
    let shown = place.office.read(|books| next(books, &bob, his)).unwrap();
    assert_eq!((shown.batch.topic.as_str(), shown.done, shown.of), ("A.1", 1, 4), "what she judged stays");
    assert_eq!(shown.parts[0].part, second);
    place.judge_next(&bob, his, LOW).unwrap();
    // She comes back with two judgments: one of a thing that he has judged by now, one of another.
    for (part, stage) in [(second, Stage::CrossCheck), (third, Stage::Main)] {
        let (who, new) = (ada.clone(), grade(hers, part, HIGH));
        assert_eq!(place.office.write(move |books| books.judge(&who, &new)).unwrap().stage, stage);
    }
    assert!(place.judge_next(&bob, his, LOW).unwrap().batch_done, "the last one of four");
    let main = counts(&place, PoolKind::Answers);
    let items: BTreeSet<&String> =
        main.iter().filter(|row| row.0 == Stage::Main).map(|(_, _, item, ..)| item).collect();
    let rows = main.iter().filter(|row| row.0 == Stage::Main).count();
    assert_eq!((items.len(), rows), (4, 4), "each once: {main:?}");
}

#[test]
fn who_comes_back_before_others_goes_on() {
    let place = Place::new("assess-work-back");
    let ada = place.assessor("ada");
    place.batches(PoolKind::Answers, |_| {});
    let work = take(&place, &ada).unwrap();
    place.pass(assess::LEASE + 5);
    place.office.write(|books| books.expire()).unwrap();
    place.judge_next(&ada, work, HIGH).unwrap();
    let works = place.office.read(|books| books.work_of(ada.number)).unwrap();
    assert_eq!((works[0].state, works[0].expires_at > place.office.now()), (State::Open, true));
}

#[test]
fn several_judges_never_get_the_same_item_twice() {
    let place = Place::new("assess-work-judges");
    let people = [place.assessor("ada"), place.assessor("bob"), place.assessor("cleo")];
    assert_eq!(place.batches(PoolKind::Answers, |plan| plan.judges = 2), 4);
    let mut got: Vec<(usize, String, u32)> = Vec::new();
    for _ in 0..3 {
        for (who, person) in people.iter().enumerate() {
            if let Some(work) = take(&place, person) {
                let shown = place.office.read(|books| next(books, person, work)).unwrap();
                got.push((who, shown.batch.topic.to_string(), shown.batch.copy));
            }
        }
    }
    assert_eq!(got.len(), 4);
    let batches: BTreeSet<(&String, u32)> = got.iter().map(|(_, topic, copy)| (topic, *copy)).collect();
    let people: BTreeSet<(usize, &String)> = got.iter().map(|(who, topic, _)| (*who, topic)).collect();
    assert_eq!((batches.len(), people.len()), (4, 4), "{got:?}");
}

#[test]
fn what_is_checked_is_checked_by_somebody_else() {
    let place = Place::new("assess-work-overlap");
    let (ada, bob) = (place.assessor("ada"), place.assessor("bob"));
    assert_eq!(place.batches(PoolKind::Formulas, |plan| plan.overlap = 0.5), 2);
    let hers = take(&place, &ada).unwrap();
    assert_eq!(take(&place, &ada), None, "the rest is a check of what she has");
    let his = take(&place, &bob).unwrap();
    let shown = place.office.read(|books| next(books, &bob, his)).unwrap();
    assert_eq!((shown.batch.stage, shown.of), (Stage::CrossCheck, 2));
    assert_eq!(place.judge_next(&bob, his, LOW).unwrap().stage, Stage::CrossCheck);
    assert_eq!(place.judge_next(&ada, hers, HIGH).unwrap().stage, Stage::Main);
}

#[test]
fn people_who_come_at_once_get_different_batches() {
    let place = Place::new("assess-work-crowd");
    // Seven batches of one item each.
    assert_eq!(place.batches(PoolKind::Answers, |plan| plan.at_most = Some(1)), 7);
    let first = place.assessor("p0");
    let people: Vec<Account> =
        std::iter::once(first).chain((1..12).map(|number| place.assessor(&format!("p{number}")))).collect();
    let barrier = Barrier::new(people.len());
    let taken: Vec<Option<AssignmentNo>> = std::thread::scope(|scope| {
        let workers: Vec<_> = people
            .iter()
            .map(|person| {
                scope.spawn(|| {
                    barrier.wait();
                    take(&place, person)
                })
            })
            .collect();
        workers.into_iter().map(|worker| worker.join().unwrap()).collect()
    });
    let lines = place.office.read(|books| books.batches()).unwrap();
    let holders: BTreeSet<_> =
        lines.iter().filter_map(|line| line.held.as_ref().map(|held| held.account)).collect();
    assert_eq!((taken.iter().flatten().count(), holders.len()), (7, 7));
}

#[test]
fn applicants_and_those_who_left_get_nothing() {
    let place = Place::new("assess-work-standing");
    let applicant = place.person("new", Role::Assessor, Standing::Applicant);
    let ada = place.assessor("ada");
    place.batches(PoolKind::Answers, |_| {});
    assert_eq!(take(&place, &applicant), None);
    let work = take(&place, &ada).unwrap();
    let number = ada.number;
    place.office.write(move |books| books.set_standing(number, Standing::Left, "tester")).unwrap();
    let works = place.office.read(|books| books.work_of(number)).unwrap();
    assert_eq!((works[0].assignment, works[0].state), (work, State::Returned));
    let bob = place.assessor("bob");
    let batch = works[0].batch.number;
    let refused = place.office.write(move |books| books.assign(batch, number, "tester"));
    assert!(refused.unwrap_err().to_string().contains("has left"));
    let to = bob.number;
    place.office.write(move |books| books.assign(batch, to, "tester")).unwrap();
}

#[test]
fn nobody_hoards_batches() {
    let place = Place::new("assess-work-hoard");
    let ada = place.assessor("ada");
    place.batches(PoolKind::Answers, |plan| plan.at_most = Some(1));
    for _ in 0..assess::MOST_OPEN {
        assert!(take(&place, &ada).is_some());
    }
    let who = ada.clone();
    let refused = place.office.write(move |books| books.take(&who)).unwrap_err().to_string();
    assert!(refused.contains("give it back"), "{refused}");
    let (number, works) = (ada.number, place.office.read(|books| books.work_of(ada.number)).unwrap());
    let back = works[0].assignment;
    place.office.write(move |books| books.give_back(number, back)).unwrap();
    assert!(take(&place, &ada).is_some(), "what was given back can be had again");
}

#[test]
fn answers_are_asked_about_afterwards() {
    let place = Place::new("assess-work-flags");
    let ada = place.assessor("ada");
    let made = place.batches(PoolKind::Answers, |plan| {
        plan.asks = Asks::Flags;
        plan.overlap = 0.5;
    });
    assert_eq!(made, 2);
    let work = take(&place, &ada).unwrap();
    let shown = place.office.read(|books| next(books, &ada, work)).unwrap();
    // One written answer, and two of the three posts.
    assert_eq!(shown.of, 3);
    let say = |machine_generated, request: &str| {
        let new = NewFlags {
            assignment: work,
            part: shown.parts[0].part,
            flags: Flags { machine_generated, unrelated: Some(false) },
            seconds: None,
            request: request.to_owned(),
        };
        let who = ada.clone();
        place.office.write(move |books| books.flag(&who, &new)).unwrap()
    };
    let name = request_name();
    assert!(!say(Some(true), &name).again);
    assert!(say(Some(true), &name).again);
    say(None, &request_name());
    let now = || place.office.read(|books| books.show(ada.number, work, shown.task)).unwrap().parts[0].flags;
    assert_eq!(now(), Some(Flags { machine_generated: None, unrelated: Some(false) }));
    let undo = || {
        let who = ada.clone();
        place.office.write(move |books| books.undo(&who, work, &request_name())).unwrap()
    };
    undo();
    assert_eq!(now(), Some(Flags { machine_generated: Some(true), unrelated: Some(false) }));
    undo();
    assert_eq!((now(), undo()), (None, None));
    let (who, new) = (ada.clone(), grade(work, shown.parts[0].part, HIGH));
    let refused = place.office.write(move |books| books.judge(&who, &new)).unwrap_err();
    assert!(refused.to_string().contains("grades"), "{refused}");
}

#[test]
fn times_that_cannot_be_true_are_not_kept() {
    let place = Place::new("assess-work-times");
    let ada = place.assessor("ada");
    place.batches(PoolKind::Answers, |_| {});
    let work = take(&place, &ada).unwrap();
    place.pass(100);
    for seconds in [f64::NAN, f64::INFINITY, -1.0, 1e9] {
        let shown = place.office.read(|books| next(books, &ada, work)).unwrap();
        let new = assess::NewGrade { seconds: Some(seconds), ..grade(work, shown.parts[0].part, HIGH) };
        let who = ada.clone();
        place.office.write(move |books| books.judge(&who, &new)).unwrap();
    }
    let log = place.office.read(|books| Ok(books.lab().judgment_log(PoolKind::Answers, "now")?)).unwrap();
    let seconds: Vec<Option<f64>> = log.iter().map(|row| row.said.seconds).collect();
    assert_eq!(seconds, [None, None, None, Some(160.0)]);
}

#[test]
fn known_items_are_hidden_and_do_not_count() {
    let place = Place::new("assess-work-gold");
    let expert = place.person("expert", Role::Organiser, Standing::Active);
    let ada = place.assessor("ada");
    // The expert judges two of the four items of A.1 beforehand.
    place.batches(PoolKind::Answers, |plan| plan.at_most = Some(2));
    let work = take(&place, &expert).unwrap();
    let lines = place.office.read(|books| books.tasks_of(expert.number, work)).unwrap();
    let judged: Vec<String> = lines.into_iter().map(|line| line.item).collect();
    while place.office.read(|books| books.first_task(expert.number, work)).unwrap().is_some() {
        place.judge_next(&expert, work, HIGH).unwrap();
    }
    for line in place.office.read(|books| books.batches()).unwrap() {
        if line.held.is_none() {
            place.office.write(move |books| books.withdraw(line.batch.number, "tester")).unwrap();
        }
    }
    place.batches(PoolKind::Answers, |plan| plan.gold = 1);
    let hers = take(&place, &ada).unwrap();
    let lines = place.office.read(|books| books.tasks_of(ada.number, hers)).unwrap();
    assert_eq!(lines.len(), 3, "two that are left, and one that is known");
    let hidden: Vec<usize> =
        lines.iter().filter(|line| judged.contains(&line.item)).map(|line| line.place).collect();
    assert_eq!(hidden, [3], "not among the first two");
    let mut stages = Vec::new();
    while place.office.read(|books| books.first_task(ada.number, hers)).unwrap().is_some() {
        stages.push(place.judge_next(&ada, hers, LOW).unwrap().stage);
    }
    assert_eq!(stages, [Stage::Main, Stage::Main, Stage::Gold]);
    let rows = place.office.read(|books| Ok(books.lab().judgments(PoolKind::Answers, "now")?)).unwrap();
    let aggregated = lab::aggregate::aggregate(&rows, lab::aggregate::Rule::Adjudicated);
    assert!(aggregated.undecided.is_empty());
    let topic = &aggregated.topics[&formats::TopicId::from("A.1")];
    assert!(judged.iter().all(|item| topic[item] == HIGH), "the expert's grade stands: {topic:?}");
}

#[test]
fn a_lab_with_work_in_it_is_whole() {
    let place = Place::new("assess-work-verify");
    let ada = place.assessor("ada");
    place.batches(PoolKind::Formulas, |_| {});
    let work = take(&place, &ada).unwrap();
    while place.office.read(|books| books.first_task(ada.number, work)).unwrap().is_some() {
        place.judge_next(&ada, work, LOW).unwrap();
    }
    assert_eq!(lab::verify::verify(&place.root), []);
}
