//! What a lab takes of a run, and in which order it pools it.

use crate::common;

use common::{empty, request, submit};
use formats::check::{RuleId, Severity};
use lab::pools::PoolRequest;
use lab::report::ReportRequest;
use lab::submit::{Earlier, Entry, Refusal};
use lab::{Lab, PoolKind};
use pool::{Depths, Extent};
use std::fs;

fn text(lab: &Lab, path: &str) -> String {
    fs::read_to_string(lab.path(path)).unwrap()
}

#[test]
fn hits_that_break_a_rule_are_filtered_and_the_rest_of_the_run_is_kept() {
    let (place, mut lab) = empty("lab-filtered");
    // Formula 77 is not in the table, and 3 is in another post.
    let formulas =
        "B.1\t1\t101\t1\t0.9\ta\nB.1\t77\t101\t2\t0.8\ta\nB.1\t3\t999\t3\t0.7\ta\nB.1\t4\t103\t4\t0.6\ta\n";
    let receipt = submit(&mut lab, "us-task2-a-auto-math-P.tsv", formulas).unwrap();
    assert_eq!(text(&lab, &receipt.path), "B.1\t1\t101\t1\t0.9\ta\nB.1\t4\t103\t4\t0.6\ta\n");
    let told = receipt.warnings.iter().filter(|finding| finding.severity == Severity::Filtered);
    assert_eq!(told.map(|finding| finding.place.line()).collect::<Vec<_>>(), [Some(2), Some(3)]);
    let long = format!("A.1\t1\t1\ta\t\t{}\nA.2\t1\t1\ta\t\tIt is $2$.\n", "x".repeat(1201));
    let receipt = submit(&mut lab, "us-task3-a-auto-both-generate-P.tsv", &long).unwrap();
    assert_eq!(text(&lab, &receipt.path), "A.2\t1\t1\ta\t\tIt is $2$.\n");
    let unpaired = "A.1\t1\t1\tb\t\tIt is $1$.\nA.2\t1\t1\tb\t\tIt is $2.\n";
    let receipt = submit(&mut lab, "us-task3-b-auto-both-generate-A.tsv", unpaired).unwrap();
    assert_eq!(text(&lab, &receipt.path), "A.1\t1\t1\tb\t\tIt is $1$.\n");
    assert_eq!(receipt.filtered[0].rule, RuleId::Dollars);
    let systems = lab.systems().unwrap();
    let listed = lab.filtered(&systems[0].submissions[0]).unwrap().filtered;
    let hits: Vec<(usize, &str)> = listed.iter().map(|row| (row.line, row.hit.as_str())).collect();
    assert_eq!(hits, [(2, "77"), (3, "3")]);
    lab.make_report(&ReportRequest::default()).unwrap();
    assert!(text(&lab, "report/report.md").contains("4 hits of 3 runs were filtered"));
    assert_eq!(lab::verify::verify(&place.root), []);
    // A run that takes its place takes the list with it.
    let whole = common::formulas(&[("1", "101")], "a");
    let better =
        Entry { earlier: Earlier::IsReplaced, ..common::entry("us-task2-a-auto-math-P.tsv", &whole) };
    lab.submit(&better).unwrap();
    assert!(!lab.path("runs/now/us-task2-a-auto-math-P.tsv.filtered.json").exists());
}

#[test]
fn a_run_of_which_every_hit_would_be_filtered_is_refused() {
    let (_place, mut lab) = empty("lab-all-filtered");
    let error = submit(&mut lab, "us-task2-a-auto-math-P.tsv", "B.1\t77\t101\t1\t1\ta\n").unwrap_err();
    let Refusal::Invalid { findings, .. } = error else { panic!("{error}") };
    assert!(findings.iter().any(|finding| finding.text == "the lab filters every hit of the file"));
}

#[test]
fn a_run_whose_ranks_and_scores_disagree_is_refused_with_the_lines() {
    let (_place, mut lab) = empty("lab-disagree");
    let run =
        "A.1\t5\t1\t0.9\ta\nA.1\t6\t2\t0.7\ta\nA.1\t7\t3\t0.8\ta\nA.2\t5\t1\t0.1\ta\nA.2\t6\t2\t0.2\ta\n";
    let error = submit(&mut lab, "us-task1-a-auto-both-P.tsv", run).unwrap_err();
    let Refusal::Invalid { findings, .. } = error else { panic!("{error}") };
    let lines: Vec<Option<usize>> = findings
        .iter()
        .filter(|finding| finding.rule == RuleId::ScoreOrder && finding.severity == Severity::Error)
        .map(|finding| finding.place.line())
        .collect();
    assert_eq!(lines, [Some(3), Some(5)]);
}

/// trec_eval would order the three by id, highest first, and so do measures.
#[test]
fn pools_take_equal_scores_in_the_order_of_their_ranks() {
    let (_place, mut lab) = empty("lab-pool-ties");
    let run = "A.1\t5\t1\t0.5\ta\nA.1\t7\t2\t0.5\ta\nA.1\t6\t3\t0.5\ta\n";
    let receipt = submit(&mut lab, "us-task1-a-auto-both-P.tsv", run).unwrap();
    let told = receipt.warnings.iter().find(|finding| finding.rule == RuleId::Ties).unwrap();
    assert!(told.text.contains("trec_eval puts the higher id first"), "{}", told.text);
    let depth = |depth| PoolRequest {
        extent: Some(Extent::Depths(Depths::same(depth))),
        ..request(PoolKind::Answers)
    };
    let pooled = |depth_of: PoolRequest, lab: &Lab| -> Vec<String> {
        let plan = lab.plan_pool(&depth_of).unwrap();
        plan.pool.topics[0].items.iter().map(|item| item.id.as_str().to_owned()).collect()
    };
    assert_eq!(pooled(depth(1), &lab), ["5"]);
    assert_eq!(pooled(depth(2), &lab), ["5", "7"]);
}
