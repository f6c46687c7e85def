//! What the report says of judgments.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

mod common;

use collection::check::Task;
use common::{formulas, judge, request, submit, whole};
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
