//! A lab from its first run to its report.

use crate::common;

use common::{empty, entry, formulas, judge, ranked, request, submit, whole};
use formats::check::Task;
use formats::{Source, TopicId};
use lab::aggregate::{Codes, Rule};
use lab::judgments::{ImportOptions, Unpooled};
use lab::pools::{InstanceRule, Order};
use lab::qrels::QrelsRequest;
use lab::report::ReportRequest;
use lab::submit::{Earlier, Refusal};
use lab::{Lab, PoolKind, Role, Stage};
use pool::choose::{Method, Stop};
use std::fs;

fn text(lab: &Lab, path: &str) -> String {
    fs::read_to_string(lab.path(path)).unwrap()
}

#[test]
fn the_rules_about_teams() {
    let (_place, mut lab) = empty("lab-teams");
    let run = |docs: &[&str], tag: &str| ranked(&[("A.1", docs), ("A.2", docs)], tag);
    let refused = |result: Result<_, Refusal>| -> String {
        let result: Result<lab::submit::Receipt, Refusal> = result;
        result.unwrap_err().to_string()
    };
    let receipt = submit(&mut lab, "us-task1-a-auto-both-P.tsv", &run(&["1", "2"], "a")).unwrap();
    assert_eq!(receipt.path, "runs/now/us-task1-a-auto-both-P.tsv");
    assert_eq!(receipt.sha256.len(), 64);
    let again = refused(submit(&mut lab, "us-task1-a-auto-both-P.tsv", &run(&["3"], "a")));
    assert!(again.contains("already") && again.contains("--replace"), "{again}");
    let primary = refused(submit(&mut lab, "us-task1-b-auto-both-P.tsv", &run(&["4"], "b")));
    assert!(primary.contains("has a primary run"), "{primary}");
    let same = refused(submit(&mut lab, "us-task1-c-auto-both-A.tsv", &run(&["1", "2"], "a")));
    assert!(same.contains("the same as"), "{same}");
    submit(&mut lab, "US-task1-b-auto-both-A.tsv", &run(&["4"], "b")).unwrap();
    let many = refused(submit(&mut lab, "us-task1-c-auto-both-A.tsv", &run(&["5"], "c")));
    assert!(many.contains("2 are the most"), "{many}");
    let other = refused(submit(&mut lab, "us-task1-a-manual-both-P.tsv", &run(&["6"], "a")));
    assert!(other.contains("automatic or manual"), "{other}");
    // Organisers may have as many as they like.
    for (id, doc) in [("x", "7"), ("y", "8"), ("z", "9")] {
        let name = format!("Baselines-task1-{id}-auto-both-P.tsv");
        lab.submit(&lab::submit::Entry { role: Role::Baseline, ..entry(&name, &run(&[doc], id)) }).unwrap();
    }
    let mut replaced = entry("us-task1-a-auto-both-P.tsv", &run(&["30"], "a"));
    replaced.earlier = Earlier::IsReplaced;
    lab.submit(&replaced).unwrap();
    assert!(text(&lab, "runs/now/us-task1-a-auto-both-P.tsv").contains("\t30\t"));
    assert_eq!(lab.systems().unwrap().len(), 5);
}

#[test]
fn what_is_not_valid_leaves_nothing_behind() {
    let (place, mut lab) = empty("lab-invalid");
    for (name, text, part) in [
        ("us-task1-a-auto-both-P.tsv", "A.1\t1\t1\tx\ta\n", "not valid"),
        ("us-task1-a-auto-both-P.tsv", "A.7\t1\t1\t1\ta\n", "not valid"),
        ("us-task2-a-auto-math-P.tsv", "B.1\t1\t999\t1\t1\ta\n", "not valid"),
        ("us-task2-a-auto-math-P.tsv", "B.1\t77\t101\t1\t1\ta\n", "not valid"),
        (
            "us-task3-a-auto-both-generate-P.tsv",
            &format!("A.1\t1\t1\ta\t\t{}\n", "x".repeat(1201)),
            "not valid",
        ),
        ("run.tsv", "A.1\t1\t1\t1\ta\n", "does not follow"),
        ("../../evil-task1-a-auto-both-P.tsv", "A.1\t1\t1\t1\ta\n", "cannot be the name"),
    ] {
        let error = submit(&mut lab, name, text).unwrap_err().to_string();
        assert!(error.contains(part), "{name}: {error}");
    }
    let mut stranger = entry("us-task1-a-auto-both-P.tsv", "A.1\t1\t1\t1\ta\n");
    stranger.trained_on = vec!["1999".to_owned()];
    assert!(lab.submit(&stranger).unwrap_err().to_string().contains("there is no set"));
    assert!(!place.root.join("runs").exists());
    assert!(lab.systems().unwrap().is_empty());
    assert!(lab::verify::verify(&place.root).is_empty());
}

#[test]
fn pools_know_what_brought_what_and_never_change_by_themselves() {
    let (_place, lab) = whole("lab-pools");
    let pool = lab.pool(PoolKind::Answers, "now").unwrap().unwrap();
    let first = &pool.topics[0];
    assert_eq!(first.topic.as_str(), "A.1");
    let mut ids: Vec<&str> = first.items.iter().map(|item| item.id.as_str()).collect();
    ids.sort_unstable();
    assert_eq!(ids.len(), 4, "three posts and a written answer: {ids:?}");
    let both = first.items.iter().find(|item| item.id == "12").unwrap();
    let ranks: Vec<usize> = both.sources.iter().map(|(_, rank)| *rank).collect();
    assert_eq!(ranks, [2, 1]);
    let table = text(&lab, "pools/now-answers.tsv");
    assert!(table.contains("task1:us/first@2 task1:them/second@1"), "{table}");
    // The same seed gives the same order, another one another.
    let again = lab.plan_pool(&request(PoolKind::Answers)).unwrap();
    assert_eq!(pool::judging_order(&again.pool.topics[0], pool.seed).len(), first.items.len());
    let order: Vec<&str> =
        pool::judging_order(&again.pool.topics[0], pool.seed).iter().map(|item| item.id.as_str()).collect();
    assert_eq!(order, first.items.iter().map(|item| item.id.as_str()).collect::<Vec<_>>());
    // With one answer of each run there are fewer to judge.
    let items: Vec<(usize, usize)> =
        again.what_if.iter().map(|(depth, cost)| (*depth, cost.items.total)).collect();
    assert_eq!(items, [(1, 6), (2, 7)], "two posts and a written answer of each topic, then one more of A.1");
    // Seven formulas look like 9, of which five are shown.
    let formulas = lab.pool(PoolKind::Formulas, "now").unwrap().unwrap();
    let nine = formulas.topics[0].items.iter().find(|item| item.id == "9").unwrap();
    assert_eq!((nine.candidates, nine.instances.len()), (6, 5));
    let shown: Vec<&str> = nine.instances.iter().map(|instance| instance.id.as_str()).collect();
    assert_eq!(shown, ["4", "5", "6", "7", "8"], "by reciprocal rank");
    assert_eq!(nine.instances[0].post.as_deref(), Some("103"));
}

#[test]
fn instances_by_other_rules() {
    let (_place, mut lab) = whole("lab-instances");
    for show in [InstanceRule::MostRuns, InstanceRule::Threads] {
        let plan = lab
            .plan_pool(&lab::pools::PoolRequest { show, at_most: 3, ..request(PoolKind::Formulas) })
            .unwrap();
        let pool = lab.keep_pool(&plan).unwrap();
        let item = |id: &str| pool.topics[0].items.iter().find(|item| item.id == id).unwrap().clone();
        assert_eq!(item("9").instances.len(), 3);
        // Both runs have formula 2, one has formula 1.
        let seven: Vec<String> = item("7").instances.into_iter().map(|instance| instance.id).collect();
        if show == InstanceRule::MostRuns {
            assert_eq!(seven, ["2", "1"]);
        } else {
            assert_eq!(seven.len(), 2);
        }
    }
}

#[test]
fn adaptive_pools_hold_back_and_learn() {
    let (_place, mut lab) = empty("lab-adaptive");
    let good: Vec<String> = (100..140).map(|doc| doc.to_string()).collect();
    let bad: Vec<String> = (200..240).map(|doc| doc.to_string()).collect();
    let of = |docs: &[String], tag: &str| {
        let docs: Vec<&str> = docs.iter().map(String::as_str).collect();
        ranked(&[("A.1", &docs), ("A.2", &docs)], tag)
    };
    submit(&mut lab, "us-task1-good-auto-both-P.tsv", &of(&good, "good")).unwrap();
    submit(&mut lab, "them-task1-bad-auto-both-P.tsv", &of(&bad, "bad")).unwrap();
    let stop = Stop { budget: None, in_a_row: Some(30), share: None };
    let order = Order::Adaptive { method: Method::MAX_MEAN, batch: 6, stop };
    let adaptive = lab::pools::PoolRequest { order, ..request(PoolKind::Answers) };
    let mut rounds = Vec::new();
    for _ in 0..3 {
        let plan = lab.plan_pool(&adaptive).unwrap();
        let pool = lab.keep_pool(&plan).unwrap();
        let topic = &pool.topics[0];
        let open: Vec<String> =
            topic.items.iter().filter(|item| item.place.is_some()).map(|item| item.id.clone()).collect();
        assert_eq!(topic.items.len(), 80);
        let rows: String = open
            .iter()
            .map(|item| format!("A.1 {item} - ada {} main\n", if item.starts_with('1') { 2 } else { 0 }))
            .collect();
        judge(&mut lab, &rows).unwrap();
        rounds.push(open);
    }
    let sizes: Vec<usize> = rounds.iter().map(Vec::len).collect();
    assert_eq!(sizes, [6, 12, 18]);
    let relevant = rounds[2].iter().filter(|item| item.starts_with('1')).count();
    assert!(relevant >= 14, "it learned which run is good: {relevant} of 18");
    assert!(lab::verify::verify(lab.root()).is_empty());
}

#[test]
fn judgments_that_do_not_fit_are_all_told_and_none_is_taken() {
    let (_place, mut lab) = whole("lab-misfits");
    let before = lab.judgment_log(PoolKind::Answers, "now").unwrap().len();
    let error = judge(
        &mut lab,
        "A.1 11 - ada 2 main\nA.7 11 - ada 2 main\nA.1 999 - ada 2 main\nA.1 11 - ada 9 main\nB.1 9 10 ada 1 main\nA.1 11 - ada 1 tea\n",
    )
    .unwrap_err();
    let lab::Error::Rows(problems) = error else { panic!("{error}") };
    let expected = [
        "said.tsv:3:1: topic A.7 is not in the set now",
        "said.tsv:4:1: 999 was not pooled for topic A.1",
        "said.tsv:5:1: \"9\" is no grade of task 1",
        "said.tsv:6:1: instance 10 of 9 is not one that was shown",
        "said.tsv:7:1: \"tea\" is no stage",
    ];
    assert_eq!(problems.len(), expected.len(), "{problems:#?}");
    for (problem, start) in problems.iter().zip(expected) {
        assert!(problem.starts_with(start), "{problem}");
    }
    assert_eq!(lab.judgment_log(PoolKind::Answers, "now").unwrap().len(), before);
    // The same table twice adds nothing; another mind adds a row, and the first stays in the log.
    assert_eq!(judge(&mut lab, "A.1 11 - ada 3 main\n").unwrap().known, 1);
    assert_eq!(judge(&mut lab, "A.1 11 - ada Medium main\n").unwrap().added, 1);
    assert_eq!(lab.judgment_log(PoolKind::Answers, "now").unwrap().len(), before + 1);
}

/// Tasks 1 and 3 share a log, and each has qrels of its own.
#[test]
fn judgments_that_came_after_the_qrels_are_counted() {
    let (_place, mut lab) = whole("lab-stale");
    assert_eq!(lab.judgments_since_qrels("now").unwrap(), 0, "there are no qrels");
    for task in [Task::Task1, Task::Task2] {
        lab.make_qrels(&QrelsRequest { least_relevant: Some(0), ..QrelsRequest::new(task) }).unwrap();
    }
    assert_eq!(lab.judgments_since_qrels("now").unwrap(), 0);
    judge(&mut lab, "A.1 11 - ada Medium main\nA.1 12 - ada High main\n").unwrap();
    assert_eq!(lab.judgments_since_qrels("now").unwrap(), 2);
    lab.make_qrels(&QrelsRequest { least_relevant: Some(0), ..QrelsRequest::new(Task::Task2) }).unwrap();
    assert_eq!(lab.judgments_since_qrels("now").unwrap(), 2, "those of task 1 are still older");
    lab.make_qrels(&QrelsRequest { least_relevant: Some(0), ..QrelsRequest::new(Task::Task1) }).unwrap();
    assert_eq!(lab.judgments_since_qrels("now").unwrap(), 0);
}

#[test]
fn grades_become_files_with_how_they_were_made() {
    let (_place, mut lab) = whole("lab-qrels");
    let all = QrelsRequest { least_relevant: Some(0), ..QrelsRequest::new(Task::Task1) };
    let made = lab.make_qrels(&all).unwrap();
    assert_eq!(
        text(&lab, "qrels/now/task1.qrels"),
        "A.1\t0\t11\t3\nA.1\t0\t12\t2\nA.1\t0\t13\t0\nA.2\t0\t21\t2\n"
    );
    let provenance = &made.provenance;
    assert_eq!((provenance.verdicts["2"], provenance.verdicts["unknown"], provenance.not_judged), (2, 1, 0));
    assert!(provenance.dropped.is_empty());
    lab.make_qrels(&QrelsRequest::new(Task::Task2)).unwrap();
    assert_eq!(text(&lab, "qrels/now/task2.qrels"), "B.1\t0\t7\t3\nB.1\t0\t8\t2\n");
    assert_eq!(text(&lab, "qrels/now/task2.instances.qrels"), "B.1\t0\t1\t1\nB.1\t0\t2\t3\nB.1\t0\t3\t2\n");
    let made = lab.make_qrels(&QrelsRequest::new(Task::Task3)).unwrap();
    assert_eq!(made.files.len(), 3);
    assert_eq!(lab.judgments_since_qrels("now").unwrap(), 0);
    let answers = text(&lab, "qrels/now/task3.answers.tsv");
    assert!(answers.starts_with("us-task3-writer-auto-both-generate-P\tA.1\tA.1-"), "{answers}");
    // Codes as zeros, and more asked of a topic.
    let strict = QrelsRequest {
        codes: Some(Codes::Zero),
        least_relevant: Some(2),
        rule: Some(Rule::Majority),
        ..QrelsRequest::new(Task::Task1)
    };
    let made = lab.make_qrels(&strict).unwrap();
    let dropped: Vec<&str> = made.provenance.dropped.iter().map(|topic| topic.topic.as_str()).collect();
    assert_eq!(dropped, ["A.2"], "A.1 has two relevant posts");
    let none = QrelsRequest { least_relevant: Some(9), ..QrelsRequest::new(Task::Task1) };
    assert!(lab.make_qrels(&none).unwrap_err().to_string().contains("no topic of task 1"));
    let split = QrelsRequest { train_share: Some(0.5), ..all };
    let made = lab.make_qrels(&split).unwrap();
    let train = text(&lab, "qrels/now/task1.train.qrels");
    let test = text(&lab, "qrels/now/task1.test.qrels");
    assert_eq!(made.provenance.train.as_ref().unwrap().topics.len(), 1);
    assert_eq!(train.lines().count() + test.lines().count(), 4);
}

#[test]
fn training_topics_can_be_named() {
    let (_place, mut lab) = whole("lab-named-training");
    let named = |topics: &[&str]| QrelsRequest {
        least_relevant: Some(0),
        train_topics: Some(topics.iter().map(|topic| formats::TopicId::from(*topic)).collect()),
        ..QrelsRequest::new(Task::Task1)
    };
    let made = lab.make_qrels(&named(&["A.2"])).unwrap();
    assert_eq!(text(&lab, "qrels/now/task1.train.qrels"), "A.2\t0\t21\t2\n");
    let split = made.provenance.train.unwrap();
    assert_eq!((split.topics, split.seed), (vec!["A.2".to_owned()], None));
    let error = |lab: &mut Lab, topics: &[&str]| lab.make_qrels(&named(topics)).unwrap_err().to_string();
    assert!(error(&mut lab, &["A.7"]).contains("topic A.7, named for training, is not in the set now"));
    assert!(error(&mut lab, &["A.1", "A.2"]).contains("all of the judged topics are named for training"));
}

/// A.2 has one relevant post and one relevant written answer.
#[test]
fn topics_are_dropped_by_the_items_of_their_task_alone() {
    let (_place, mut lab) = whole("lab-dropped");
    let dropped = |lab: &mut Lab, task: Task, least: Option<usize>| -> Vec<(String, usize)> {
        let request = QrelsRequest { least_relevant: least, ..QrelsRequest::new(task) };
        let made = lab.make_qrels(&request).unwrap();
        made.provenance.dropped.into_iter().map(|topic| (topic.topic, topic.relevant)).collect()
    };
    let second = [("A.2".to_owned(), 1)];
    assert_eq!(dropped(&mut lab, Task::Task1, None), second, "the written answer is of another task");
    // The topics of Task 3 are those that Task 1 keeps, however few written answers are relevant.
    assert_eq!(dropped(&mut lab, Task::Task3, None), second);
    assert!(text(&lab, "qrels/now/task3.qrels").lines().all(|line| line.starts_with("A.1\t")));
    assert_eq!(dropped(&mut lab, Task::Task1, Some(1)), []);
    assert_eq!(dropped(&mut lab, Task::Task3, Some(1)), []);
    assert_eq!(dropped(&mut lab, Task::Task2, None), []);
}

#[test]
fn the_report_has_all_tasks_and_marks_what_was_trained_on() {
    let (place, mut lab) = whole("lab-report");
    for task in [Task::Task1, Task::Task2, Task::Task3] {
        lab.make_qrels(&QrelsRequest::new(task)).unwrap();
    }
    let made = lab.make_report(&ReportRequest::default()).unwrap();
    let figures = made.files.iter().filter(|path| path.parent().unwrap().ends_with("report/figures"));
    assert!(figures.clone().count() > 0, "figures are files, too: {:?}", made.files);
    for figure in figures {
        assert!(std::fs::read_to_string(figure).unwrap().starts_with("<svg"), "{}", figure.display());
    }
    assert_eq!(made.page, lab.path("report/index.html"));
    let page = text(&lab, "report/index.html");
    for part in ["Task 1: Answer retrieval", "Task 2: Formula retrieval", "Task 3", "us", "them", "†"] {
        assert!(page.contains(part), "{part}");
    }
    assert!(
        made.files.iter().any(|file| file.ends_with("report/tables/task1-results.tex")),
        "{:?}",
        made.files
    );
    // The same lab gives the same bytes.
    let first = page;
    lab.make_report(&ReportRequest::default()).unwrap();
    assert_eq!(text(&lab, "report/index.html"), first);
    let other = ReportRequest { compare_with: Some("nobody/none".to_owned()), ..ReportRequest::default() };
    assert!(lab.make_report(&other).unwrap_err().to_string().contains("no system"));
    assert!(lab::verify::verify(&place.root).is_empty());
}

fn record(text: &str) -> formats::RecordFile {
    let record = formats::RunRecord::read(Source::bytes("run.json", text)).unwrap();
    formats::RecordFile { record, text: text.to_owned() }
}

const EXPOSED: &str =
    r#"{"system": "dense", "models": [{"name": "mini", "trained_on": ["math.stackexchange.com"]}]}"#;

/// What is wrong with a lab, without notes such as that a pool is older than a run.
fn damage(root: &std::path::Path) -> Vec<lab::verify::Damage> {
    let found = lab::verify::verify(root).into_iter();
    found.filter(|found| found.severity != lab::verify::Severity::Note).collect()
}

/// The record beside a run is kept with it, marks it in the report, and goes when the run is replaced.
#[test]
fn a_record_is_kept_with_its_run() {
    let (place, mut lab) = whole("lab-record");
    lab.make_qrels(&QrelsRequest::new(Task::Task1)).unwrap();
    let file = "us-task1-first-auto-both-P.tsv";
    let kept = lab.path(&format!("runs/now/{file}.json"));
    let run = ranked(&[("A.1", &["12", "11"]), ("A.2", &["21"])], "first");
    let replace = |record| lab::submit::Entry { earlier: Earlier::IsReplaced, record, ..entry(file, &run) };
    lab.submit(&replace(Some(record(EXPOSED)))).unwrap();
    assert_eq!(fs::read_to_string(&kept).unwrap(), EXPOSED);
    assert_eq!(damage(&place.root), []);
    let made = lab.make_report(&ReportRequest::default()).unwrap();
    assert_eq!(made.warnings, Vec::<String>::new());
    for (path, mark) in [("report/index.html", "first<sup>‡</sup>"), ("report/report.md", "first‡")] {
        let page = text(&lab, path);
        assert!(page.contains(mark) && page.contains("may be too high: mini."), "{path}");
        assert!(!page.contains("second‡") && !page.contains("second<sup>‡"), "{path}");
    }
    // A record that was changed is a warning, and the run is not marked.
    fs::write(&kept, "{}").unwrap();
    let made = lab.make_report(&ReportRequest::default()).unwrap();
    assert_eq!(made.warnings.len(), 1, "{:?}", made.warnings);
    assert!(made.warnings[0].contains(&format!("{file}.json")), "{}", made.warnings[0]);
    assert!(!text(&lab, "report/index.html").contains('‡'));
    assert!(damage(&place.root).iter().any(|found| found.place.ends_with(".tsv.json")));
    lab.submit(&replace(None)).unwrap();
    assert!(!kept.exists());
    assert_eq!(damage(&place.root), []);
    assert!(!text(&lab, "runs/now/us-task1-first-auto-both-P.tsv").is_empty());
}

/// The queries of a manual run are kept with it under a checksum, and go when the run is replaced.
#[test]
fn queries_made_by_hand_are_kept_with_their_run_and_verified() {
    let (place, mut lab) = empty("lab-queries");
    let file = "us-task1-first-manual-both-P.tsv";
    let run = ranked(&[("A.1", &["11"])], "first");
    let named = record(r#"{"queries": {"kept": "first.tsv.queries.tsv", "fingerprint": "0", "topics": 1}}"#);
    let replace = |record: Option<&formats::RecordFile>, queries: Option<&str>| lab::submit::Entry {
        earlier: Earlier::IsReplaced,
        record: record.cloned(),
        queries: queries.map(|text| text.as_bytes().to_vec()),
        ..entry(file, &run)
    };
    let kept = |lab: &lab::Lab| {
        let systems = lab.systems().unwrap();
        lab.queries(systems[0].on("now").unwrap()).unwrap()
    };
    lab.submit(&replace(Some(&named), None)).unwrap();
    let notes = lab::verify::verify(&place.root);
    assert!(notes.iter().any(|note| note.text.contains("names queries made by hand")), "{notes:?}");
    assert_eq!(kept(&lab), None);
    for queries in ["topic\tkeywords\nA.1\tone\n", "topic\tkeywords\nA.1\ttwo\n"] {
        lab.submit(&replace(Some(&named), Some(queries))).unwrap();
        let path = format!("runs/now/{file}.queries.tsv");
        assert_eq!(kept(&lab), Some((path, queries.as_bytes().to_vec())));
        let notes = lab::verify::verify(&place.root);
        assert!(notes.iter().all(|note| !note.text.contains("queries")), "{notes:?}");
    }
    let path = lab.path(&format!("runs/now/{file}.queries.tsv"));
    fs::write(&path, "topic\tkeywords\nA.1\tten\n").unwrap();
    assert!(damage(&place.root).iter().any(|found| found.place.ends_with(".queries.tsv")));
    // Another form of queries takes the place of the first, and a run without queries has none.
    let other = record(r#"{"queries": {"kept": "q.xml"}}"#);
    lab.submit(&replace(Some(&other), Some("<Topics/>"))).unwrap();
    assert_eq!(kept(&lab).map(|(path, _)| path), Some(format!("runs/now/{file}.queries.xml")));
    assert!(!path.exists());
    lab.submit(&replace(Some(&record(r#"{"queries": 7}"#)), None)).unwrap();
    assert_eq!(kept(&lab), None);
    assert_eq!(damage(&place.root), []);
}

/// A replacement that is refused leaves the record of the earlier run.
#[test]
fn a_refused_replacement_keeps_the_record() {
    let (place, mut lab) = empty("lab-record-refused");
    let first = ranked(&[("A.1", &["11"])], "first");
    let mut first_entry = entry("us-task1-first-auto-both-P.tsv", &first);
    first_entry.record = Some(record(EXPOSED));
    lab.submit(&first_entry).unwrap();
    submit(&mut lab, "us-task1-other-auto-both-A.tsv", &ranked(&[("A.1", &["12"])], "other")).unwrap();
    let mut same = entry("us-task1-first-auto-both-P.tsv", &ranked(&[("A.1", &["12"])], "other"));
    same.earlier = Earlier::IsReplaced;
    assert!(lab.submit(&same).unwrap_err().to_string().contains("the file is the same as"));
    assert_eq!(text(&lab, "runs/now/us-task1-first-auto-both-P.tsv.json"), EXPOSED);
    assert_eq!(lab::verify::verify(&place.root), []);
}

/// Assessors learn from topics of an earlier set; the report of the current one tells how they agreed.
#[test]
fn training_with_earlier_topics_is_in_the_report() {
    let (_place, mut lab) = whole("lab-trained");
    let table = "topic\titem\tassessor\tverdict\tstage\nA.9\t50\tada\t3\ttraining-1\nA.9\t51\tada\t0\ttraining-1\n\
                 A.9\t50\tbob\t3\ttraining-1\nA.9\t51\tbob\t0\ttraining-1\n";
    let options =
        ImportOptions { set: Some("old".to_owned()), stage: Stage::Main, unpooled: Unpooled::Refuse };
    lab.import_judgments(Source::bytes("training.tsv", table), &options).unwrap();
    lab.make_qrels(&QrelsRequest::new(Task::Task1)).unwrap();
    lab.make_report(&ReportRequest::default()).unwrap();
    let page = text(&lab, "report/index.html");
    assert!(
        page.contains("Task 1: Answer retrieval: training, Round 1")
            || page.contains("agreement in training")
    );
}

#[test]
fn a_lab_moves_as_a_whole() {
    let (place, lab) = whole("lab-moved");
    drop(lab);
    let moved = place.dir.path().join("elsewhere");
    fs::rename(&place.root, &moved).unwrap();
    assert!(lab::verify::verify(&moved).is_empty(), "{:?}", lab::verify::verify(&moved));
    let lab = Lab::open(&moved).unwrap();
    assert_eq!(lab.judgments(PoolKind::Formulas, "now").unwrap().len(), 3);
    assert_eq!(lab.topic_ids("old", Task::Task1).unwrap(), [TopicId::from("A.9")]);
}

/// A lab on formulas by NTCIR's rules.
fn ntcir(dir: &testkit::TempDir, rules: lab::Rules) -> Lab {
    let topics = dir.write("formulas.xml", common::FORMULAS);
    let manifest =
        lab::Manifest { rules, tasks: vec![2], grades: lab::Scale::Ntcir.grades(2), ..common::manifest() };
    let set = lab::NewSet {
        name: "now".to_owned(),
        questions: None,
        formulas: Some(lab::NewFiles { topics, ..lab::NewFiles::default() }),
    };
    Lab::create(&dir.path().join(rules.word()), manifest, None, &[set]).unwrap()
}

#[test]
fn ntcir_10_takes_100_instances_of_a_query_and_ntcir_12_takes_1000() {
    let dir = testkit::TempDir::new("lab-ntcir-limit");
    let run = |count: usize| {
        let list: Vec<(String, String)> =
            (1..=count).map(|n| (n.to_string(), (n + 5000).to_string())).collect();
        let list: Vec<(&str, &str)> = list.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
        formulas(&list, "all")
    };
    for (rules, most) in [(lab::Rules::Ntcir10, 100), (lab::Rules::Ntcir12, 1000)] {
        let mut lab = ntcir(&dir, rules);
        let name = "us-task2-all-auto-math-P.tsv";
        let error = submit(&mut lab, name, &run(most + 1)).unwrap_err();
        let lab::submit::Refusal::Invalid { findings, .. } = error else { panic!("{error}") };
        let expected = format!("{} results; {most} are the most", most + 1);
        assert!(findings.iter().any(|finding| finding.text.contains(&expected)), "{findings:?}");
        submit(&mut lab, name, &run(most)).unwrap();
    }
}

#[test]
fn ntcir_sums_two_assessors_of_instances() {
    let dir = testkit::TempDir::new("lab-ntcir");
    let mut lab = ntcir(&dir, lab::Rules::Ntcir12);
    let list: Vec<(String, String)> = (1..=30).map(|n| (n.to_string(), (n + 500).to_string())).collect();
    let list: Vec<(&str, &str)> = list.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    submit(&mut lab, "us-task2-all-auto-math-P.tsv", &formulas(&list, "all")).unwrap();
    let plan = lab.plan_pool(&request(PoolKind::Formulas)).unwrap();
    let pool = lab.keep_pool(&plan).unwrap();
    assert_eq!(pool.topics[0].items.len(), 20, "the first twenty instances");
    judge(&mut lab, "B.1 1 - ada R main\nB.1 1 - bob P main\nB.1 2 - ada R main\n").unwrap();
    let error = lab.make_qrels(&QrelsRequest::new(Task::Task2)).unwrap_err().to_string();
    assert!(error.contains("two must"), "{error}");
    judge(&mut lab, "B.1 2 - bob N main\n").unwrap();
    lab.make_qrels(&QrelsRequest::new(Task::Task2)).unwrap();
    assert_eq!(text(&lab, "qrels/now/task2.qrels"), "B.1\t0\t1\t3\nB.1\t0\t2\t2\n");
}

/// As in ARQMath-1, a formula that looks like the one asked for is relevant, whatever was said.
#[test]
fn identical_formulas_can_be_relevant_by_rule() {
    let dir = testkit::TempDir::new("lab-identical");
    let path = dir.path().join("sample.coll");
    let count = std::sync::atomic::AtomicU64::new(0);
    let strict = ingest::Strictness::Strict;
    ingest::build(&sample::plan().unwrap(), &path, strict, &count, &mut ingest::Unwatched).unwrap();
    let collection = store::Collection::open(&path).unwrap();
    // Two formulas of answers that look different; one of them is asked for.
    let mut found: Vec<(store::FormulaNo, u64)> = Vec::new();
    for formula in collection.formulas() {
        let visual = collection.visual_id(collection.form_visual(collection.formula_form(formula)));
        let in_post =
            collection.formula_comment(formula).is_none() && collection.formula_post(formula).is_some();
        if in_post && found.iter().all(|(_, other)| *other != visual) {
            found.push((formula, visual));
        }
        if found.len() == 2 {
            break;
        }
    }
    let latex = collection.reader().latex(collection.formula_form(found[0].0)).unwrap().to_owned();
    let topics = format!(
        "<Topics><Topic number=\"B.1\"><Formula_Id>q_1</Formula_Id><Latex>{}</Latex><Title>t</Title>\
         <Question>q</Question><Tags>a</Tags></Topic></Topics>",
        latex.replace('&', "&amp;").replace('<', "&lt;")
    );
    let files = lab::NewFiles { topics: dir.write("formulas.xml", topics), ..lab::NewFiles::default() };
    let set = lab::NewSet { name: "now".to_owned(), questions: None, formulas: Some(files) };
    let manifest = lab::Manifest {
        tasks: vec![2],
        grades: lab::Scale::Arqmath.grades(2),
        identical: lab::Identical::Relevant,
        ..common::manifest()
    };
    let mut lab = Lab::create(&dir.path().join("lab"), manifest, Some(&path), &[set]).unwrap();
    assert_eq!(lab.manifest().collection.as_ref().unwrap().path, std::path::Path::new("../sample.coll"));
    let rows: Vec<(String, String)> = found
        .iter()
        .map(|(formula, _)| {
            let post = collection.formula_post(*formula).unwrap();
            (collection.formula_id(*formula).to_string(), collection.post_id(post).to_string())
        })
        .collect();
    let rows: Vec<(&str, &str)> =
        rows.iter().map(|(formula, post)| (formula.as_str(), post.as_str())).collect();
    submit(&mut lab, "us-task2-both-auto-math-P.tsv", &formulas(&rows, "both")).unwrap();
    let plan = lab.plan_pool(&request(PoolKind::Formulas)).unwrap();
    lab.keep_pool(&plan).unwrap();
    let said: String = found.iter().map(|(_, visual)| format!("B.1 {visual} - ada 0 main\n")).collect();
    judge(&mut lab, &said).unwrap();
    let made =
        lab.make_qrels(&QrelsRequest { least_relevant: Some(1), ..QrelsRequest::new(Task::Task2) }).unwrap();
    assert_eq!(made.provenance.identical, 1);
    let qrels = text(&lab, "qrels/now/task2.qrels");
    assert!(qrels.contains(&format!("B.1\t0\t{}\t3\n", found[0].1)), "{qrels}");
    assert!(qrels.contains(&format!("B.1\t0\t{}\t0\n", found[1].1)), "{qrels}");
}
