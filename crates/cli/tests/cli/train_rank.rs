//! `hypatia train rank`: from files and from systems, kept in the store, used by systems, marked where it saw topics.

use crate::util::{Dir, Outcome, sample};
use serde_json::Value;

#[track_caller]
fn done(outcome: Outcome) -> Outcome {
    assert_eq!(outcome.code, 0, "{}\n{}", outcome.stdout, outcome.stderr);
    outcome
}

const FEATURES: &str = "\
# feature 1 good
# feature 2 noise
2 qid:1 1:0.9 2:0.3 # a
1 qid:1 1:0.5 2:0.9 # b
0 qid:1 1:0.1 2:0.4 # c
1 qid:2 1:0.8 2:0.2 # d
0 qid:2 1:0.3 2:0.1 # e
1 qid:3 1:0.7 2:0.6 # f
0 qid:3 1:0.2 2:0.8 # g
";

#[test]
fn weights_are_learned_from_files() {
    let dir = Dir::new("train-rank-files");
    dir.write("f.txt", FEATURES);
    let learned = done(dir.run(&["train", "rank", "f.txt", "--c", "3"]));
    assert!(learned.stderr.contains("7 judged items of 3 topics, 2 features"), "{}", learned.stderr);
    assert!(learned.stderr.contains("5 pairs, 0 in the wrong order"), "{}", learned.stderr);
    assert!(learned.stderr.contains("duality gap"), "{}", learned.stderr);
    let ranker: Value = serde_json::from_str(&learned.stdout).unwrap();
    assert_eq!(ranker["features"], serde_json::json!(["good", "noise"]));
    assert!(ranker["weights"][0].as_f64().unwrap() > 0.5, "{ranker}");
    assert!(
        ranker["training"]["gap"].as_f64().unwrap()
            <= 1e-6 * ranker["training"]["objective"].as_f64().unwrap()
    );
    assert_eq!(done(dir.run(&["train", "rank", "f.txt", "--c", "3"])).stdout, learned.stdout);
    done(dir.run(&["train", "rank", "f.txt", "--folds", "3", "-o", "run.tsv"]));
    let run = std::fs::read_to_string(dir.path().join("run.tsv")).unwrap();
    assert_eq!(run.lines().count(), 7);
    assert!(run.starts_with("1\tQ0\ta\t1\t"), "{run}");
    dir.write("bad.txt", "1 qid:1 2:1 1:1\n");
    let refused = dir.run(&["train", "rank", "bad.txt"]);
    assert_eq!(refused.code, 2);
    assert!(refused.stderr.contains("bad.txt:1: feature 1 stands behind 2"), "{}", refused.stderr);
    dir.write("flat.txt", "1 qid:1 1:1\n1 qid:1 1:2\n");
    let refused = dir.run(&["train", "rank", "flat.txt"]);
    assert!(refused.stderr.contains("there is nothing to learn from"), "{}", refused.stderr);
}

#[test]
fn a_ranker_of_a_system_is_used_and_runs_over_its_topics_are_marked() {
    let dir = sample("train-rank-system");
    let topics = "sample/topics/Topics_Task2.xml";
    let qrels = "sample/qrels/task2.qrels";
    let run = ["run", "--task", "2", "--system", "dprl-ltr", "--topics", topics, "--index", "hypatia.index"];
    let run = [&run[..], &["--ids", "visual", "--format", "trec", "-o", "run.tsv"]].concat();
    let refused = dir.run(&run);
    assert_eq!(refused.code, 2);
    assert!(refused.stderr.contains("`hypatia train rank --name dprl-ltr`"), "{}", refused.stderr);
    let train = ["train", "rank", "--system", "dprl-ltr", "--index", "hypatia.index", "--topics", topics];
    let train = [&train[..], &["--qrels", qrels, "--name", "dprl-ltr", "--features", "f.txt"]].concat();
    let learned = done(dir.run(&train));
    assert!(
        learned.stderr.contains("18 features") && learned.stderr.contains("edit-slt"),
        "{}",
        learned.stderr
    );
    let again = dir.run(&train);
    assert_eq!(again.code, 2);
    let listed = done(dir.run(&["model", "list"])).stdout;
    assert!(listed.contains("linear ranker") && listed.contains("rank-svm"), "{listed}");
    done(dir.run(&["model", "verify"]));
    let info: Value =
        serde_json::from_str(&done(dir.run(&["model", "info", "dprl-ltr", "--format", "json"])).stdout)
            .unwrap();
    assert!(info["topics"].as_array().unwrap().len() > 2, "{info}");
    // The features that were written give the same weights.
    let of_file = done(dir.run(&["train", "rank", "f.txt"])).stdout;
    let of_file: Value = serde_json::from_str(&of_file).unwrap();
    let kept = std::fs::read_to_string(dir.path().join("f.txt")).unwrap();
    assert!(kept.starts_with("# feature 1 mss-slt\n"));
    assert_eq!(of_file["features"].as_array().unwrap().len(), 18);
    let made = done(dir.run(&run));
    assert!(made.stderr.contains("was trained on judgments of"), "{}", made.stderr);
    let record = std::fs::read_to_string(dir.path().join("run.tsv.json")).unwrap();
    let record: Value = serde_json::from_str(&record).unwrap();
    assert!(!record["models"][0]["seen_topics"].as_array().unwrap().is_empty(), "{record}");
    let scored = done(dir.run(&["eval", "run.tsv", "--qrels", qrels, "--task", "2", "--ids", "visual"]));
    assert!(scored.stdout.contains('‡') && scored.stdout.contains("train-on-test"), "{}", scored.stdout);
}
