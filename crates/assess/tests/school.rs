//! Lessons: made from known grades, judged, held against them, and shown when they are open.

use crate::common;

use assess::school::{Lesson, LessonKey, LessonPlan, Pupils, Source};
use assess::{Account, AccountNo, Books, Error, NewInvitation, Office, Role, Standing};
use common::{Place, grade};
use formats::TopicId;
use lab::{
    Context, FORMAT, Identical, Lab, Manifest, NewFiles, NewJudgment, NewSet, PoolKind, Rules, Scale, Stage,
    Verdict,
};
use pool::ItemKind;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use testkit::TempDir;
use testkit::{SmallCollection, small_collection};

const ROUND: LessonKey = LessonKey { stage: Stage::Training(1), kind: PoolKind::Answers };
const SAMPLE: LessonKey = LessonKey { stage: Stage::Sample, kind: PoolKind::Answers };

/// A plan for the earlier set of the small lab: topic A.9 with all five of its items.
fn plan(key: LessonKey) -> LessonPlan {
    LessonPlan { set: Some("old".to_owned()), per_topic: 5, ..LessonPlan::new(key, 7) }
}

/// Lets somebody judge all that is kept for them: by item, what they say.
fn judge_all(place: &Place, who: &Account, says: &[(&str, i32)]) {
    let says: BTreeMap<String, i32> = says.iter().map(|(item, grade)| ((*item).to_owned(), *grade)).collect();
    let who = who.clone();
    place
        .office
        .write(move |books| {
            let assignment = books.take(&who)?.unwrap();
            while let Some(task) = books.first_task(who.number, assignment)? {
                let shown = books.show(who.number, assignment, task)?;
                let verdict = match says.get(&shown.item) {
                    Some(grade) => Verdict::Grade(*grade),
                    None => Verdict::DoNotKnow,
                };
                for part in &shown.parts {
                    books.judge(&who, &grade(assignment, part.part, verdict))?;
                }
            }
            Ok(())
        })
        .unwrap();
}

fn close(found: Option<f64>, expected: f64) {
    assert!((found.unwrap() - expected).abs() < 1e-9, "{found:?} is not {expected}");
}

fn refused<T: std::fmt::Debug>(result: assess::Result<T>, part: &str) {
    match result.unwrap_err() {
        Error::Refused(reason) => assert!(reason.contains(part), "{reason}"),
        other => panic!("{other:?} and not {part}"),
    }
}

/// Known are 3, 2, 1, 0, 0. Ada says so; bob gives 0 for 1; cyd says 3, 3, 2, 0, 1.
///
/// Ada and bob: 4 of 5 alike, by chance (1·1 + 1·1 + 2·3)/25 = 8/25, kappa 12/17.
/// Ada and cyd: 2 of 5, by chance (1·2 + 1·1 + 1·1 + 2·1)/25 = 6/25, kappa 4/19; bob and cyd the same.
/// Relevant or not: ada and bob are alike; both differ from cyd on one: 4 of 5 alike, by chance
/// (2·3 + 3·2)/25 = 12/25, kappa 8/13.
#[test]
fn a_round_of_training() {
    let place = Place::new("school-round");
    let [ada, bob, cyd] = ["ada", "bob", "cyd"].map(|name| place.assessor(name));
    place.person("olga", Role::Organiser, Standing::Active);
    let made = place.office.write(|books| books.make_lesson(&plan(ROUND), "olga")).unwrap();
    assert_eq!((made.topics, made.items, made.pupils, made.missing), (1, 5, 3, 0));
    refused(place.office.write(|books| books.make_lesson(&plan(ROUND), "olga")), "there already");
    judge_all(&place, &ada, &[("50", 3), ("51", 2), ("52", 1), ("53", 0), ("54", 0)]);
    judge_all(&place, &bob, &[("50", 3), ("51", 2), ("52", 0), ("53", 0), ("54", 0)]);
    let number = ada.number;
    refused(place.office.read(|books| books.feedback(number, ROUND)), "not open yet");
    let before = place.office.read(|books| books.lesson(ROUND)).unwrap();
    let far: Vec<(&str, usize, bool)> =
        before.pupils.iter().map(|pupil| (pupil.name.as_str(), pupil.judged, pupil.is_done())).collect();
    assert_eq!(far, [("ada", 5, true), ("bob", 5, true), ("cyd", 0, false)]);
    place.office.write(|books| books.open_lesson(ROUND, "olga")).unwrap();
    refused(place.office.read(|books| books.feedback(cyd.number, ROUND)), "judged everything");
    judge_all(&place, &cyd, &[("50", 3), ("51", 3), ("52", 2), ("53", 0), ("54", 1)]);

    let results = place.office.read(|books| books.lesson_results(ROUND)).unwrap();
    let [a, b, c] = ["ada", "bob", "cyd"].map(|name| results.of(name).unwrap().clone());
    for (pupil, kappa, binary) in [
        (&a, f64::midpoint(12.0 / 17.0, 4.0 / 19.0), 21.0 / 26.0),
        (&b, f64::midpoint(12.0 / 17.0, 4.0 / 19.0), 21.0 / 26.0),
        (&c, 4.0 / 19.0, 8.0 / 13.0),
    ] {
        assert_eq!((pupil.others, pupil.is_done()), (2, true));
        close(pupil.kappa, kappa);
        close(pupil.binary, binary);
    }
    close(a.with_known.kappa, 1.0);
    close(b.with_known.kappa, 12.0 / 17.0);
    close(c.with_known.exact, 0.4);
    close(c.with_known.within_one, 1.0);
    close(c.with_known.binary, 8.0 / 13.0);
    assert_eq!(results.things.len(), 5);
    let of_54 = results.things.iter().find(|thing| thing.item == "54").unwrap();
    let said = [Some(Verdict::Grade(0)), Some(Verdict::Grade(0)), Some(Verdict::Grade(1))];
    assert_eq!((of_54.known, of_54.said.as_slice()), (Verdict::Grade(0), said.as_slice()));

    let feedback = place.office.read(|books| books.feedback(cyd.number, ROUND)).unwrap();
    let on_54 = feedback.iter().find(|item| item.item == "54").unwrap();
    assert_eq!(on_54.parts[0].own.as_ref().unwrap().verdict, Verdict::Grade(1));
    assert_eq!(on_54.parts[0].others, [(Verdict::Grade(0), 2)]);
    let (assignment, task) = on_54.look.unwrap();
    let shown = place.office.read(|books| books.show(cyd.number, assignment, task)).unwrap();
    assert_eq!(shown.item, "54");
    // Who has seen what is known cannot change what they said.
    let part = shown.parts[0].part;
    let late = cyd.clone();
    let changed =
        place.office.write(move |books| books.judge(&late, &grade(assignment, part, Verdict::Grade(0))));
    refused(changed, "stays as it is");
}

#[test]
fn samples_are_copied_for_applicants_who_come_later() {
    let place = Place::new("school-sample");
    let early = place.person("early", Role::Assessor, Standing::Applicant);
    place.assessor("ada");
    let made = place.office.write(|books| books.make_lesson(&plan(SAMPLE), "olga")).unwrap();
    assert_eq!(made.pupils, 1, "those who are taken on do not apply");
    let late = place.person("late", Role::Assessor, Standing::Applicant);
    let number = late.number;
    assert!(place.office.read(|books| books.lacks_sample(number)).unwrap());
    assert_eq!(place.office.write(move |books| books.give_sample(number)).unwrap(), 1);
    assert_eq!(place.office.write(move |books| books.give_sample(number)).unwrap(), 0);
    // One grade too low, one not known: 50 and 53 are left, and 51 one apart.
    judge_all(&place, &late, &[("50", 3), ("51", 1), ("52", 1), ("53", 0)]);
    judge_all(&place, &early, &[("50", 3), ("51", 2), ("52", 1), ("53", 0), ("54", 0)]);
    let scores = place.office.read(|books| books.sample_scores()).unwrap();
    assert_eq!(scores.len(), 1);
    let [first, second] = &scores[0].pupils[..] else { panic!("two applicants") };
    assert_eq!((first.name.as_str(), first.with_known.exact), ("early", Some(1.0)));
    assert_eq!((second.do_not_know, second.with_known.left_out), (1, 1));
    close(second.do_not_know_share(), 0.2);
    // Of four with a grade three are alike; known 3, 2, 1, 0 beside 3, 1, 1, 0: by chance
    // (1·1 + 0 + 1·2 + 1·1)/16 = 1/4, kappa 2/3. Relevant: 2 beside 1, 3 of 4, by chance
    // (2·1 + 2·3)/16 = 1/2, kappa 1/2.
    close(second.with_known.exact, 0.75);
    close(second.with_known.within_one, 1.0);
    close(second.with_known.kappa, 2.0 / 3.0);
    close(second.with_known.binary, 0.5);
    assert!(place.office.read(|books| books.feedback(number, SAMPLE)).is_err());
    place.office.write(|books| books.open_lesson(SAMPLE, "olga")).unwrap();
    assert_eq!(place.office.read(|books| books.feedback(number, SAMPLE)).unwrap().len(), 5);
    let stranger = AccountNo(99);
    assert!(place.office.read(|books| books.feedback(stranger, SAMPLE)).is_err());
}

#[test]
fn what_nobody_began_can_be_taken_away() {
    let place = Place::new("school-away");
    let ada = place.assessor("ada");
    place.office.write(|books| books.make_lesson(&plan(ROUND), "olga")).unwrap();
    place.office.write(|books| books.remove_lesson(ROUND, "olga")).unwrap();
    assert_eq!(place.office.read(|books| books.lessons()).unwrap(), []);
    assert_eq!(place.office.write(move |books| books.take(&ada)).unwrap(), None);
    let ada = place.office.read(|books| books.account(AccountNo(1))).unwrap();
    place.office.write(|books| books.make_lesson(&plan(ROUND), "olga")).unwrap();
    place.office.write(move |books| books.take(&ada)).unwrap().unwrap();
    refused(place.office.write(|books| books.remove_lesson(ROUND, "olga")), "has begun");
}

#[test]
fn plans_that_make_no_sense_are_refused() {
    let place = Place::new("school-plans");
    let with = |change: fn(&mut LessonPlan)| {
        let mut plan = plan(ROUND);
        change(&mut plan);
        place.office.write(move |books| books.make_lesson(&plan, "olga"))
    };
    refused(with(|plan| plan.set = None), "came without judgments");
    refused(with(|plan| plan.source = Source::Organisers), "no organiser");
    refused(with(|plan| plan.per_topic = 0), "from 1 to");
    refused(with(|plan| plan.topics = vec![TopicId::from("A.1")]), "no grades are known for topic A.1");
    assert!(with(|plan| plan.set = Some("nowhere".to_owned())).is_err());
    let away = LessonKey { stage: Stage::Training(3), kind: PoolKind::Answers };
    refused(place.office.read(|books| books.lesson(away)), "no lesson");
    assert_eq!(LessonKey::read("training-3/answers"), Some(away));
    assert_eq!(LessonKey::read("main/answers"), None);
}

/// A lab with a collection: eight earlier questions with eight items each, which are posts that the
/// collection has or has not, and a formula topic whose judgments are of visual ids.
fn lab_with_collection(name: &str) -> (TempDir, SmallCollection, Office) {
    let dir = TempDir::new(name);
    let small = small_collection(&format!("{name}-collection"));
    let mut questions = String::from("<Topics>");
    let mut qrels = String::new();
    for topic in 1..=8 {
        let _ =
            write!(questions, "<Topic number=\"A.{topic}\"><Title>T</Title><Question>Q</Question></Topic>");
        for (post, grade) in [(10, 0), (12, 3), (20, 1), (21, 2), (77, 3), (78, 2), (79, 1), (80, 0)] {
            let _ = writeln!(qrels, "A.{topic}\t0\t{post}\t{grade}");
        }
    }
    questions.push_str("</Topics>");
    let formulas = "<Topics><Topic number=\"B.1\"><Formula_Id>q_1</Formula_Id><Latex>x</Latex>\
        <Title>One</Title><Question>Is $x$ one?</Question></Topic></Topics>";
    let of_formulas = "B.1\t0\t501\t3\nB.1\t0\t502\t2\nB.1\t0\t504\t1\nB.1\t0\t505\t0\n";
    let files = |topics: &str, text: &str, qrels: &str, judged: &str| NewFiles {
        topics: dir.write(topics, text),
        labels: None,
        qrels: Some(dir.write(qrels, judged)),
    };
    let set = NewSet {
        name: "old".to_owned(),
        questions: Some(files("q.xml", &questions, "q.qrels", &qrels)),
        formulas: Some(files("f.xml", formulas, "f.qrels", of_formulas)),
    };
    let manifest = Manifest {
        format: FORMAT,
        name: "school".to_owned(),
        about: String::new(),
        rules: Rules::Arqmath,
        tasks: vec![1, 2],
        seed: 5,
        most_runs: 2,
        context: Context::Post,
        identical: Identical::Judged,
        current: "old".to_owned(),
        collection: None,
        topic_threads: None,
        answers: lab::AnswerScoring::default(),
        assessor_groups: Vec::new(),
        formulas: None,
        grades: [1, 2].into_iter().flat_map(|task| Scale::Arqmath.grades(task)).collect(),
        sets: Vec::new(),
    };
    let root = dir.path().join("lab");
    Lab::create(&root, manifest, Some(&small.folder.path().join("small")), &[set]).unwrap();
    let office = Office::open(&root).unwrap();
    (dir, small, office)
}

fn made(office: &Office, plan: LessonPlan) -> (assess::school::Made, Lesson) {
    let key = plan.key;
    let made = office.write(move |books| books.make_lesson(&plan, "olga")).unwrap();
    (made, office.read(|books| books.lesson(key)).unwrap())
}

#[test]
fn chance_follows_the_seed_and_no_topic_comes_twice() {
    let (_dir, _small, office) = lab_with_collection("school-chance");
    let round = |number, seed| LessonPlan {
        how_many: 3,
        per_topic: 4,
        ..LessonPlan::new(LessonKey { stage: Stage::Training(number), kind: PoolKind::Answers }, seed)
    };
    let (first_made, first) = made(&office, round(1, 3));
    // Only posts of the collection are shown: one of each grade, whichever chance took first.
    for (_, items) in &first.topics {
        let mut grades: Vec<(String, i32)> =
            items.iter().map(|item| (item.item.clone(), item.grade())).collect();
        grades.sort();
        let expected =
            [("10", 0), ("12", 3), ("20", 1), ("21", 2)].map(|(item, grade)| (item.to_owned(), grade));
        assert_eq!(grades, expected);
        assert!(items.iter().all(|item| item.parts[0].post.as_ref() == Some(&item.item)));
    }
    assert!(first_made.missing > 0);
    let (_, second) = made(&office, round(2, 3));
    let topics = |lesson: &Lesson| lesson.topics.iter().map(|(topic, _)| topic.clone()).collect::<Vec<_>>();
    assert!(topics(&first).iter().all(|topic| !topics(&second).contains(topic)));
    // Two are left, and the third comes again.
    let (_, third) = made(&office, round(3, 3));
    assert_eq!(third.topics.len(), 3);
    // The same plan in another lab makes the same lesson.
    let (_dir, _small, other) = lab_with_collection("school-chance-again");
    let (again_made, again) = made(&other, round(1, 3));
    assert_eq!((&again.topics, again_made), (&first.topics, first_made));
}

#[test]
fn formulas_are_shown_where_they_stand() {
    let (_dir, _small, office) = lab_with_collection("school-formulas");
    let key = LessonKey { stage: Stage::Training(1), kind: PoolKind::Formulas };
    let (made, lesson) = made(&office, LessonPlan::new(key, 1));
    // 504 stands in a comment and 505 nowhere.
    assert_eq!((made.items, made.missing), (2, 2));
    let mut items = lesson.topics[0].1.clone();
    items.sort_by(|one, other| one.item.cmp(&other.item));
    let shown: Vec<String> = items
        .iter()
        .flat_map(|item| item.parts.iter().map(move |part| (item, part)))
        .map(|(item, part)| {
            let text = |text: &Option<String>| text.clone().unwrap();
            format!("{}: {} in {} is {}", item.item, text(&part.instance), text(&part.post), part.verdict)
        })
        .collect();
    assert!(items.iter().all(|item| item.kind == ItemKind::Formula));
    let expected = ["501: 1 in 10 is 3", "501: 3 in 12 is 3", "502: 2 in 10 is 2", "502: 5 in 21 is 2"];
    assert_eq!(shown, expected);
}

/// One grade is known for a visual id: whoever gives it to one of its instances agrees.
#[test]
fn the_best_instance_counts() {
    let (_dir, _small, office) = lab_with_collection("school-best");
    let invitation = NewInvitation {
        recipient: "ada".to_owned(),
        role: Role::Assessor,
        standing: Standing::Active,
        life: assess::INVITATION_LIFE,
    };
    let invited = office.write(move |books| books.invite(&invitation, "olga")).unwrap();
    let ada = office.join(&invited.secret, "ada", "a good long secret of tests").unwrap();
    let key = LessonKey { stage: Stage::Training(1), kind: PoolKind::Formulas };
    made(&office, LessonPlan::new(key, 1));
    office
        .write(move |books| {
            let assignment = books.take(&ada)?.unwrap();
            while let Some(task) = books.first_task(ada.number, assignment)? {
                let shown = books.show(ada.number, assignment, task)?;
                // 501, known as 3: 0 and 3. 502, known as 2: 1 and 1.
                let grades = if shown.item == "501" { [0, 3] } else { [1, 1] };
                for (part, number) in shown.parts.iter().zip(grades) {
                    books.judge(&ada, &grade(assignment, part.part, Verdict::Grade(number)))?;
                }
            }
            Ok(())
        })
        .unwrap();
    let results = office.read(|books| books.lesson_results(key)).unwrap();
    let with_known = results.pupils[0].with_known;
    assert_eq!((with_known.things, results.pupils[0].judged), (2, 4));
    assert_eq!((with_known.exact, with_known.within_one), (Some(0.5), Some(1.0)));
}

/// Adds judgments to the log of the current set.
fn says(books: &Books<'_>, who: &str, stage: Stage, said: &[(&str, &str, Option<&str>, i32)]) {
    for (topic, item, instance, grade) in said {
        let kind = if topic.starts_with('A') { PoolKind::Answers } else { PoolKind::Formulas };
        let row = NewJudgment {
            kind,
            set: "now".to_owned(),
            topic: TopicId::from(*topic),
            item: (*item).to_owned(),
            instance: instance.map(str::to_owned),
            stage,
            assessor: who.to_owned(),
            verdict: Verdict::Grade(*grade),
            comment: String::new(),
            seconds: None,
            at: None,
            origin: "test".to_owned(),
        };
        books.lab().append_judgment(&row).unwrap();
    }
}

#[test]
fn gold_is_what_organisers_judged() {
    let place = Place::new("school-gold");
    place.person("Olga", Role::Organiser, Standing::Active);
    place.assessor("ada");
    place
        .office
        .write(|books| {
            says(books, "Olga", Stage::Main, &[("A.1", "11", None, 3), ("A.1", "12", None, 1)]);
            says(books, "Olga", Stage::Adjudication, &[("A.1", "11", None, 2)]);
            says(books, "Olga", Stage::Training(1), &[("A.1", "13", None, 2)]);
            says(books, "ada", Stage::Main, &[("A.2", "21", None, 2)]);
            // Of formula 7 both instances must be judged.
            says(books, "Olga", Stage::Main, &[("B.1", "7", Some("1"), 1), ("B.1", "8", Some("3"), 0)]);
            Ok(())
        })
        .unwrap();
    let gold = |kind, topic: &str, how_many| {
        let topic = TopicId::from(topic);
        place.office.read(|books| books.gold_for(kind, "now", &topic, 4, how_many)).unwrap()
    };
    let mut found = gold(PoolKind::Answers, "A.1", 5);
    found.sort_by(|one, other| one.item.cmp(&other.item));
    let short: Vec<(&str, ItemKind, &str)> =
        found.iter().map(|gold| (gold.item.as_str(), gold.kind, gold.parts[0].2.as_str())).collect();
    assert_eq!(short, [("11", ItemKind::Post, "2"), ("12", ItemKind::Post, "1")]);
    assert_eq!(gold(PoolKind::Answers, "A.1", 1).len(), 1);
    assert_eq!(gold(PoolKind::Answers, "A.1", 5), gold(PoolKind::Answers, "A.1", 5));
    assert_eq!(gold(PoolKind::Answers, "A.2", 5), []);
    let formulas = gold(PoolKind::Formulas, "B.1", 5);
    assert_eq!(formulas.len(), 1);
    let part = (Some("3".to_owned()), Some("101".to_owned()), "0".to_owned());
    assert_eq!((formulas[0].item.as_str(), &formulas[0].parts), ("8", &vec![part]));
}

/// Gold that is hidden in a batch is judged as such, and drift is seen from it.
#[test]
fn gold_in_batches_and_drift() {
    let place = Place::new("school-drift");
    place.person("olga", Role::Organiser, Standing::Active);
    let ada = place.assessor("ada");
    place
        .office
        .write(|books| {
            says(books, "olga", Stage::Main, &[("A.1", "11", None, 3), ("A.1", "12", None, 0)]);
            Ok(())
        })
        .unwrap();
    place.batches(PoolKind::Answers, |plan| plan.gold = 2);
    judge_all(&place, &ada, &[("11", 3), ("12", 1), ("13", 1), ("21", 1), ("22", 1)]);
    let drift = place.office.read(|books| books.drift()).unwrap();
    assert_eq!(drift.len(), 1);
    let first = &drift[0];
    assert_eq!((first.assessor.as_str(), first.judged, first.without_grade), ("ada", 2, 0));
    assert_eq!((first.last.exact, first.last.within_one, first.alarms.len()), (Some(0.5), Some(1.0), 0));
    assert_eq!(first.first.things, 0);
}

#[test]
fn lessons_are_for_whom_they_are_made() {
    let place = Place::new("school-for");
    let [ada, bob] = ["ada", "bob"].map(|name| place.assessor(name));
    let only = LessonPlan { pupils: Pupils::These(vec![bob.number]), ..plan(ROUND) };
    place.office.write(move |books| books.make_lesson(&only, "olga")).unwrap();
    assert_eq!(place.office.read(|books| books.waiting_for(&ada)).unwrap(), 0);
    assert_eq!(place.office.read(|books| books.waiting_for(&bob)).unwrap(), 1);
    assert_eq!(place.office.write(|books| books.give_lesson(ROUND, &Pupils::All, "olga")).unwrap(), 1);
    assert_eq!(place.office.read(|books| books.waiting_for(&ada)).unwrap(), 1);
}
