//! What the report says of judgments.

use crate::common;

use common::{formulas, judge, request, submit, whole};
use formats::check::Task;
use lab::aggregate::{Codes, Rule};
use lab::qrels::QrelsRequest;
use lab::report::ReportRequest;
use lab::{Lab, PoolKind};
use std::fs;

/// The report as Markdown, without the checksums of the judgments.
fn report(lab: &Lab) -> String {
    lab.make_report(&ReportRequest::default()).unwrap();
    let text = fs::read_to_string(lab.path("report/report.md")).unwrap();
    text.lines().filter(|line| !line.contains("SHA-256")).map(|line| format!("{line}\n")).collect()
}

/// The table whose caption holds the words, with one blank between cells.
fn table<'a>(report: &'a str, caption: &str) -> Vec<&'a str> {
    let from = report.lines().skip_while(|line| !line.contains(caption)).skip(1);
    from.skip_while(|line| !line.starts_with('|')).take_while(|line| line.starts_with('|')).collect()
}

#[test]
fn codes_count_by_the_rule_of_the_task_whatever_the_judgments_keep() {
    let (_place, mut lab) = whole("lab-codes");
    common::judge(&mut lab, "B.1 9 4 bob failure main\n").unwrap();
    let mut reports = Vec::new();
    for codes in [Codes::LeaveOut, Codes::Zero, Codes::Keep] {
        for task in [Task::Task1, Task::Task2, Task::Task3] {
            let request =
                QrelsRequest { codes: Some(codes), least_relevant: Some(0), ..QrelsRequest::new(task) };
            lab.make_qrels(&request).unwrap();
        }
        reports.push(report(&lab));
    }
    assert_eq!(reports[0], reports[1]);
    assert_eq!(reports[0], reports[2]);
    // The first answer of them/second to A.2 got "do not know": 0, so that AR is (2 + 0) / 2.
    let rows = table(&reports[0], "measures of answers for the runs of Task 1");
    let row = |name: &str| rows.iter().find(|row| row.contains(name)).unwrap_or_else(|| panic!("{rows:?}"));
    assert!(row("second").contains("1.000") && row("second").contains("0.500"), "{rows:?}");
    assert!(row("first").contains("2.500"), "{rows:?}");
    for words in ["alone count as not judged", "alone count as not relevant"] {
        assert!(reports[0].contains(words), "{words}");
    }
}

#[test]
fn sums_that_could_be_codes_are_refused() {
    let (_place, mut lab) = whole("lab-sum");
    let request = QrelsRequest { rule: Some(Rule::Sum), ..QrelsRequest::new(Task::Task1) };
    let error = lab.make_qrels(&request).unwrap_err().to_string();
    assert!(error.contains("sum up to 6, but 5 and 6 are codes"), "{error}");
}

/// In NTCIR's labs a sum of 3 is relevant, and a single grade ends at 2.
#[test]
fn binary_kappa_of_summed_grades_is_by_the_highest_grade_of_one_assessor() {
    let dir = testkit::TempDir::new("lab-ntcir-kappa");
    let topics = dir.write("formulas.xml", common::FORMULAS);
    let manifest = lab::Manifest {
        rules: lab::Rules::Ntcir12,
        tasks: vec![2],
        grades: lab::Scale::Ntcir.grades(2),
        ..common::manifest()
    };
    let files = lab::NewFiles { topics, ..lab::NewFiles::default() };
    let set = lab::NewSet { name: "now".to_owned(), questions: None, formulas: Some(files) };
    let mut lab = Lab::create(&dir.path().join("lab"), manifest, None, &[set]).unwrap();
    let list = [("1", "501"), ("2", "502"), ("3", "503"), ("4", "504")];
    submit(&mut lab, "us-task2-all-auto-math-P.tsv", &formulas(&list, "all")).unwrap();
    let plan = lab.plan_pool(&request(PoolKind::Formulas)).unwrap();
    lab.keep_pool(&plan).unwrap();
    // R or not: 1 1, 1 0, 0 0, 0 0; observed 3/4, by chance 1/2 · 1/4 + 1/2 · 3/4 = 1/2, so kappa is 1/2.
    judge(
        &mut lab,
        "B.1 1 - ada R main\nB.1 1 - bob R main\nB.1 2 - ada R main\nB.1 2 - bob P main\n\
         B.1 3 - ada P main\nB.1 3 - bob N main\nB.1 4 - ada N main\nB.1 4 - bob N main\n",
    )
    .unwrap();
    lab.make_qrels(&QrelsRequest::new(Task::Task2)).unwrap();
    let rows = report(&lab);
    let row = rows.lines().find(|line| line.contains("ada and bob")).unwrap();
    assert!(row.trim_end_matches([' ', '|']).ends_with("0.500"), "{row}");
}

#[test]
fn judgments_count_the_items_of_their_file() {
    let (_place, mut lab) = whole("lab-counts");
    let request = QrelsRequest { least_relevant: Some(2), ..QrelsRequest::new(Task::Task1) };
    let made = lab.make_qrels(&request).unwrap();
    let text = fs::read_to_string(lab.path("qrels/now/task1.qrels")).unwrap();
    let judged: usize = made.provenance.verdicts.values().sum();
    assert_eq!(made.provenance.rows, text.lines().count());
    assert!(judged > made.provenance.rows, "one item has a code");
}

/// Formulas 1 and 2 look the same. Ada gave R, R, P, N and Bob R, P, N, N to formulas 1 to 4.
#[test]
fn relevant_formulas_are_counted_by_looks_and_groups_of_assessors_apart() {
    let dir = testkit::TempDir::new("lab-groups");
    let group = |name: &str, assessor: &str| lab::AssessorGroup {
        name: name.to_owned(),
        assessors: vec![assessor.to_owned()],
    };
    let manifest = lab::Manifest {
        rules: lab::Rules::Ntcir12,
        tasks: vec![2],
        grades: lab::Scale::Ntcir.grades(2),
        formulas: Some(dir.write("table.tsv", testkit::lab::formula_table(10))),
        assessor_groups: vec![
            group("undergraduates", "ada"),
            group("graduates", "bob"),
            group("professors", "bbo"),
        ],
        ..common::manifest()
    };
    let files = lab::NewFiles {
        topics: dir.write("formulas.xml", common::FORMULAS),
        labels: Some(dir.write("labels.csv", "topic,complexity\nB.1,Low\n")),
        ..lab::NewFiles::default()
    };
    let set = lab::NewSet { name: "now".to_owned(), questions: None, formulas: Some(files) };
    let mut lab = Lab::create(&dir.path().join("lab"), manifest, None, &[set]).unwrap();
    let list = [("1", "101"), ("2", "102"), ("3", "101"), ("4", "103")];
    submit(&mut lab, "us-task2-all-auto-math-P.tsv", &formulas(&list, "all")).unwrap();
    let plan = lab.plan_pool(&request(PoolKind::Formulas)).unwrap();
    lab.keep_pool(&plan).unwrap();
    judge(
        &mut lab,
        "B.1 1 - ada R main\nB.1 1 - bob R main\nB.1 2 - ada R main\nB.1 2 - bob P main\n\
         B.1 3 - ada P main\nB.1 3 - bob N main\nB.1 4 - ada N main\nB.1 4 - bob N main\n",
    )
    .unwrap();
    lab.make_qrels(&QrelsRequest::new(Task::Task2)).unwrap();
    let warnings = lab.make_report(&ReportRequest::default()).unwrap().warnings;
    let warning = "lab.toml: \"bbo\" of the group \"professors\" has not judged anything in this lab";
    assert_eq!(warnings, [warning]);
    let text = report(&lab);
    let rows: Vec<String> = table(&text, "relevant visually distinct formulas by complexity")
        .iter()
        .map(|row| row.split('|').map(str::trim).collect::<Vec<_>>().join("|"))
        .filter(|row| row.contains("Low|"))
        .collect();
    // Sums of instances are 4, 3, 1 and 0, so looks have 4, 1 and 0; one assessor's grades end at 2.
    let ends = |row: &str, end: &str| row.trim_end_matches('|').ends_with(end);
    assert_eq!(rows.len(), 3, "{text}");
    assert!(ends(&rows[0], "Low|1|1.0|0.0|0.0|1.0|2.0"), "{rows:?}");
    assert!(ends(&rows[1], "Low|1|||1.0|1.0|2.0"), "{rows:?}");
    assert!(ends(&rows[2], "Low|1|||1.0|0.0|1.0"), "{rows:?}");
}

/// A run finds the answer to A.1 and not that to A.2, which the labels call a training topic.
#[test]
fn topics_that_labels_call_training_topics_are_reported_apart() {
    let dir = testkit::TempDir::new("lab-split");
    let files = lab::NewFiles {
        topics: dir.write("questions.xml", common::QUESTIONS),
        labels: Some(dir.write("labels.csv", "topic,split\nA.1,test\nA.2,train\n")),
        qrels: Some(dir.write("given.qrels", "A.1\t0\t11\t3\nA.2\t0\t21\t3\nA.2\t0\t22\t0\n")),
    };
    let set = lab::NewSet { name: "now".to_owned(), questions: Some(files), formulas: None };
    let manifest =
        lab::Manifest { tasks: vec![1], grades: lab::Scale::Arqmath.grades(1), ..common::manifest() };
    let mut lab = Lab::create(&dir.path().join("lab"), manifest, None, &[set]).unwrap();
    let run = common::ranked(&[("A.1", &["11"]), ("A.2", &["22"])], "first");
    submit(&mut lab, "us-task1-first-auto-both-P.tsv", &run).unwrap();
    let text = report(&lab);
    let row = |caption: &str| {
        let rows = table(&text, caption);
        let found = rows.iter().find(|row| row.contains("first")).unwrap_or_else(|| panic!("{text}"));
        (*found).to_owned()
    };
    assert!(row("Answer retrieval: results.").contains("1.000"), "{text}");
    assert!(row("results on topics set apart for training").contains("0.000"), "{text}");
    assert!(text.contains("now, 1 topic") && text.contains("now, training, 1 topic"), "{text}");
}
