//! `hypatia eval --task 3`: written answers by their grades and by their tokens.

use crate::util::{Dir, Outcome};
use serde_json::Value;

const QRELS: &str = "A.1\t0\td_1\t3\nA.1\t0\td_2\t2\nA.2\t0\td_3\t0\nA.2\t0\td_4\t5\nA.3\t0\td_5\t2\n";
const MAP: &str = "us-task3-a-auto-both-extract-P\tA.1\td_1\r\nus-task3-a-auto-both-extract-P\tA.2\td_4\r\n\
                   them-task3-b-auto-both-generate-P\tA.1\td_2\r\nthem-task3-b-auto-both-generate-P\tA.2\td_3\r\n\
                   them-task3-b-auto-both-generate-P\tA.3\td_9\r\n";
const US: &str = "us-task3-a-auto-both-extract-P.tsv";
const THEM: &str = "them-task3-b-auto-both-generate-P.tsv";

fn dir(name: &str) -> Dir {
    let dir = Dir::new(name);
    dir.write("q.txt", QRELS);
    dir.write("map.tsv", MAP);
    dir.write(US, "A.1\t1\t1\ta\tpost 7\ta b c\nA.2\t1\t1\ta\tpost 8\tx\n");
    dir.write(THEM, "A.1\t1\t1\tb\t\ta b d\nA.2\t1\t1\tb\t\ty\nA.3\t1\t1\tb\t\tz\n");
    dir
}

fn eval(dir: &Dir, arguments: &str) -> Outcome {
    let arguments: Vec<&str> =
        ["eval", "--task", "3", "--qrels", "q.txt"].into_iter().chain(arguments.split_whitespace()).collect();
    dir.run(&arguments)
}

#[test]
fn all_runs_of_a_map() {
    eval(&dir("task3-map"), "--answers map.tsv").prints(
        "\
Run                                topics     AR    P@1
───────────────────────────────────────────────────────
highest possible                        3  1.667  0.667
───────────────────────────────────────────────────────
us-task3-a-auto-both-extract-P          2  1.500  0.500
them-task3-b-auto-both-generate-P       2  1.000  0.500

AR: mean grade, from 0 to 3; P@1: share of grades 2 and 3; over topics whose answer was judged. System failure and \"do not know\" count 0.
them-task3-b-auto-both-generate-P: 1 judged topic has no judged answer of it.
us-task3-a-auto-both-extract-P: 1 judged topic has no judged answer of it.
",
    );
}

fn measures(outcome: &Outcome) -> Vec<(String, u64, Value)> {
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""), "{outcome:?}");
    let runs: Vec<Value> = serde_json::from_str(&outcome.stdout).unwrap();
    let run = |run: &Value| {
        (run["run"].as_str().unwrap().to_owned(), run["topics"].as_u64().unwrap(), run["measures"].clone())
    };
    runs.iter().map(run).collect()
}

#[test]
fn texts_overlap_with_relevant_answers_of_other_teams() {
    let dir = dir("task3-overlap");
    let found = measures(&eval(&dir, &format!("{US} {THEM} --answers map.tsv --format json")));
    assert_eq!(found.len(), 2);
    for (_, _, measures) in &found {
        let overlap = measures["LO"].as_f64().unwrap();
        assert!((overlap - 2.0 / 3.0).abs() < 1e-12, "{measures}");
    }
    let alone = measures(&eval(&dir, &format!("{US} --answers map.tsv --format json")));
    assert_eq!(alone[0].2.get("LO"), None, "its own answers are no references");
}

/// A short window cuts answers that the labs allow; whoever reads the value should know.
#[test]
fn texts_that_an_encoder_cuts_are_told() {
    let Some(encoder) = testkit::model_dir("minilm") else { return };
    let dir = dir("task3-cut");
    let long = "a ".repeat(599);
    dir.write(US, format!("A.1\t1\t1\ta\tpost 7\t{}\nA.2\t1\t1\ta\tpost 8\tx\n", long.trim_end()));
    let outcome = eval(&dir, &format!("{US} {THEM} --answers map.tsv --encoder {}", encoder.display()));
    let expected =
        "hypatia: warning: CS: one text is longer than 512 tokens; only its beginning is compared\n";
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, expected), "{outcome:?}");
}

#[test]
fn topics_can_all_count_or_be_left_out() {
    let dir = dir("task3-topics");
    let us = "us-task3-a-auto-both-extract-P --answers map.tsv --format json";
    let ar = |options: &str| {
        let found = measures(&eval(&dir, &format!("{us} {options}")));
        (found[0].1, found[0].2["AR"].as_f64().unwrap())
    };
    assert_eq!(ar(""), (2, 1.5));
    assert_eq!(ar("--topics all"), (3, 1.0));
    assert_eq!(ar("--except A.2"), (1, 3.0));
    // A.2 has nothing of grade 1 or more.
    assert_eq!(ar("--topics relevant"), (2, 1.5));
}

#[test]
fn a_ranking_is_cut_after_its_first_result() {
    let dir = dir("task3-ranking");
    dir.write("ranking.tsv", "A.1\tQ0\td_2\t1\t1\tr\nA.1\tQ0\td_1\t2\t1\tr\nA.2\tQ0\td_3\t1\t1\tr\n");
    let found = measures(&eval(&dir, "ranking.tsv --format json"));
    // Of equal scores the lower rank is first.
    assert_eq!(found[0].2["AR"], 1.0);
    dir.write("other.tsv", "A.1\tQ0\td_1\t1\t1\tr\nA.2\tQ0\td_3\t1\t1\tr\nA.3\tQ0\td_9\t1\t1\tr\n");
    eval(&dir, "ranking.tsv other.tsv").prints(
        "                                  unjudged = 0  judged only
                                  ────────────  ────────────
Run               topics  judged     AR    P@1     AR    P@1
────────────────────────────────────────────────────────────
highest possible       3          1.667  0.667
────────────────────────────────────────────────────────────
other                  3     2/3  1.000  0.333  1.500  0.500
ranking                3     2/3  0.667  0.333  1.000  0.500

AR: mean grade, from 0 to 3; P@1: share of grades 2 and 3. System failure and \"do not know\" count 0.
unjudged = 0: over all judged topics, an answer that is missing or was not judged counts 0. judged only: over those of them whose answer was judged.
",
    );
}

#[test]
fn runs_are_compared_where_both_were_judged() {
    let dir = dir("task3-against");
    dir.write("ranking.tsv", "A.1\tQ0\td_2\t1\t1\tr\nA.2\tQ0\td_9\t1\t1\tr\nA.3\tQ0\td_5\t1\t1\tr\n");
    let outcome = eval(&dir, "--answers map.tsv us-task3-a-auto-both-extract-P --against ranking.tsv");
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""));
    let (_, compared) = outcome.stdout.split_once("\nAgainst").unwrap();
    assert_eq!(
        compared,
        " ranking

Run                             Measure  topics    run   base  difference       p  corrected  better  equal  worse
──────────────────────────────────────────────────────────────────────────────────────────────────────────────────
us-task3-a-auto-both-extract-P  AR            1  3.000  2.000       1.000  1.0000     1.0000       1      0      0
us-task3-a-auto-both-extract-P  P@1           1  1.000  1.000       0.000  1.0000     1.0000       0      1      0

Over exactly the topics where the answers of both runs were judged, so that the means are not those above.
Randomisation test of the mean, two-sided, Holm-corrected over the runs.
"
    );
    let found: Vec<Value> = serde_json::from_str(
        &eval(&dir, "--answers map.tsv --against us-task3-a-auto-both-extract-P --format json").stdout,
    )
    .unwrap();
    let them = &found[0]["against"];
    assert_eq!(
        (them["topics"].as_u64(), them["measures"]["AR"]["difference"].as_f64()),
        (Some(2), Some(-0.5))
    );
    assert_eq!(them["measures"]["AR"]["worse"], 1);
    assert_eq!(found[1].get("against"), None);
    // All runs of the map, and a base beside it.
    let outcome = eval(&dir, "--answers map.tsv --against ranking.tsv --format json");
    assert_eq!(measures(&outcome).len(), 3);
}

#[test]
fn extra_assessments_give_two_more_shares() {
    let dir = dir("task3-flags");
    dir.write("flags.tsv", "Topic\tAnswer\tMG\tUI\nA.1\td_1\t0\t1\nA.2\td_4\t1\t1\n");
    let found = measures(&eval(
        &dir,
        "us-task3-a-auto-both-extract-P --answers map.tsv --flags flags.tsv --format json",
    ));
    assert_eq!((found[0].2["MG"].as_f64(), found[0].2["UI"].as_f64()), (Some(0.5), Some(1.0)));
}

#[test]
fn what_is_wrong_is_said() {
    let dir = dir("task3-wrong");
    eval(&dir, US).fails(
        "hypatia: us-task3-a-auto-both-extract-P: holds written answers; say with --answers which judged answer each \
         of them is, or find them in judged posts with --collection",
    );
    let outcome = eval(&dir, "nobody --answers map.tsv");
    assert_eq!(outcome.code, 2);
    assert!(outcome.stderr.contains("no answers of a run \"nobody\""), "{outcome:?}");
    eval(&dir, "--answers map.tsv -m AP")
        .fails("hypatia: --measures has no effect with --task 3: it prints AR, P@1, LO, MG and UI");
    for option in ["--tukey", "--correlate", "--around", "--ties", "--unjudged", "--depth 5"] {
        let name = option.split(' ').next().unwrap();
        eval(&dir, &format!("--answers map.tsv {option}"))
            .fails(&format!("hypatia: {name} has no effect with --task 3"));
    }
    let known = "known: them-task3-b-auto-both-generate-…, us-task3-a-auto-both-extract-P";
    eval(&dir, "--answers map.tsv --against x").fails(&format!("hypatia: --against: no run 'x'; {known}"));
    eval(&dir, "--answers map.tsv --against us-task3-a-auto-both-extract-P --test t")
        .fails("hypatia: --test: grades of Task 3 are compared by the randomisation test (random)");
    for option in ["--indicators", "--questions q.txt"] {
        let name = option.split(' ').next().unwrap();
        eval(&dir, &format!("--answers map.tsv {option}"))
            .fails(&format!("hypatia: {name} has no effect: no run holds written answers"));
    }
    let outcome = eval(&dir, "--answers map.tsv --except A.99");
    assert_eq!(outcome.code, 0);
    assert_eq!(outcome.stderr, "hypatia: warning: --except: A.99 is not judged anyway\n");
    eval(&dir, "--answers map.tsv --topics returned")
        .fails("hypatia: Task 3 has means over --topics judged (as published), all or relevant");
    dir.write("bad.tsv", "run\tA.1\n");
    let outcome = eval(&dir, "--answers bad.tsv");
    assert!(outcome.stderr.starts_with("hypatia: bad.tsv:1:8: 2 columns"), "{outcome:?}");
    dir.run(&["eval", US, "--qrels", "q.txt", "--answers", "map.tsv"])
        .fails("hypatia: --answers has no effect without --task 3");
}
