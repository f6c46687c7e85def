//! `hypatia run` and `hypatia tune` on the sample: the same bytes on any number of threads, in every form.

use crate::util::Dir;

fn read(dir: &Dir, name: &str) -> String {
    std::fs::read_to_string(dir.path().join(name)).unwrap()
}

/// A folder with the sample's files and an index of it.
fn sample(name: &str) -> Dir {
    let dir = Dir::new(name);
    for command in [
        &["collection", "build", "--sample", "-o", "sample.coll"][..],
        &["index", "sample.coll", "-o", "sample.index"],
        &["sample", "-o", "sample"],
    ] {
        let done = dir.run(command);
        assert_eq!(done.code, 0, "{}", done.stderr);
    }
    dir
}

const TASK1: &str = "sample/topics/Topics_Task1.xml";
const TASK2: &str = "sample/topics/Topics_Task2.xml";

#[test]
fn a_run_is_the_same_on_any_number_of_threads_and_is_valid() {
    let dir = sample("run-same");
    for (task, topics, name) in [
        ("1", TASK1, "hypatia-task1-hypatia_classic_1-auto-both-P.tsv"),
        ("2", TASK2, "hypatia-task2-hypatia_classic_2-auto-both-P.tsv"),
    ] {
        let common = ["run", "--task", task, "--topics", topics, "--index", "sample.index"];
        let run = |more: &[&str]| {
            let done = dir.run(&[&common[..], more].concat());
            assert_eq!(done.code, 0, "{}", done.stderr);
        };
        run(&["-j", "1", "-o", "."]);
        run(&["-j", "4", "-o", "again.tsv"]);
        let first = read(&dir, name);
        assert_eq!(first, read(&dir, "again.tsv"), "task {task}");
        assert!(first.lines().count() > 1000);
        let checked = dir.run(&["check", name]);
        assert_eq!(checked.code, 0, "{}{}", checked.stdout, checked.stderr);
        let sidecar: serde_json::Value = serde_json::from_str(&read(&dir, &format!("{name}.json"))).unwrap();
        assert_eq!(sidecar["topics"], 20);
        assert!(sidecar["system_file"].as_str().unwrap().contains("[[posts.group]]") == (task == "1"));
        assert!(sidecar["milliseconds"]["p50"].as_f64().unwrap() > 0.0);
        run(&["--exact", "--format", "trec", "-o", "exact.trec"]);
        assert!(read(&dir, "exact.trec").lines().all(|line| line.split('\t').nth(1) == Some("Q0")));
    }
}

#[test]
fn every_system_gives_the_same_run_on_any_number_of_threads() {
    let dir = sample("run-threads");
    for (system, task, topics) in [
        ("bm25", "1", TASK1),
        ("formula+keywords", "1", TASK1),
        ("search", "1", TASK1),
        ("hypatia-classic-2", "2", TASK2),
    ] {
        let common =
            ["run", "--task", task, "--system", system, "--topics", topics, "--index", "sample.index"];
        for (threads, out) in [("1", "one.tsv"), ("8", "eight.tsv")] {
            let done = dir.run(&[&common[..], &["-j", threads, "-o", out]].concat());
            assert_eq!(done.code, 0, "{}", done.stderr);
        }
        assert_eq!(read(&dir, "one.tsv"), read(&dir, "eight.tsv"), "{system}");
    }
}

#[test]
fn our_systems_are_better_than_bm25_and_chance_on_the_sample() {
    let dir = sample("run-good");
    let score = |run: &str, more: &[&str]| -> f64 {
        let done = dir.run(&[&["eval", run, "--format", "json"][..], more].concat());
        assert_eq!(done.code, 0, "{}", done.stderr);
        let value: serde_json::Value = serde_json::from_str(&done.stdout).unwrap();
        value[0]["measures"]["nDCG'"].as_f64().unwrap()
    };
    for system in ["hypatia-classic-1", "bm25"] {
        let out = format!("{system}.tsv");
        let done = dir.run(&[
            "run",
            "--task",
            "1",
            "--system",
            system,
            "--topics",
            TASK1,
            "--index",
            "sample.index",
            "-o",
            &out,
        ]);
        assert_eq!(done.code, 0, "{}", done.stderr);
    }
    let judged = ["--qrels", "sample/qrels/task1.qrels", "--task", "1"];
    assert!(score("hypatia-classic-1.tsv", &judged) > score("bm25.tsv", &judged));
    let done = dir.run(&[
        "run",
        "--task",
        "2",
        "--topics",
        TASK2,
        "--index",
        "sample.index",
        "--format",
        "trec",
        "--ids",
        "visual",
        "-o",
        "2.trec",
    ]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert!(
        score("2.trec", &["--qrels", "sample/qrels/task2.qrels", "--task", "2", "--ids", "visual"]) > 0.8
    );
    let tuned = dir.run(&[
        "tune",
        "--system",
        "hypatia-classic-2",
        "--index",
        "sample.index",
        "--topics",
        TASK2,
        "--qrels",
        "sample/qrels/task2.qrels",
        "--vary",
        "formulas.rerank.depth=0,30",
        "--folds",
        "3",
        "-o",
        "best.txt",
    ]);
    assert_eq!(tuned.code, 0, "{}", tuned.stderr);
    assert!(tuned.stdout.contains("held out"), "{}", tuned.stdout);
    assert!(read(&dir, "best.txt").starts_with("formulas.rerank.depth = "));
}

#[test]
fn what_cannot_be_run_is_said() {
    let dir = sample("run-wrong");
    for (arguments, said) in [
        (
            vec![
                "run",
                "--task",
                "1",
                "--system",
                "bm26",
                "--topics",
                TASK1,
                "--index",
                "sample.index",
                "-o",
                "x",
            ],
            "there is no such system",
        ),
        (
            vec![
                "run",
                "--task",
                "2",
                "--system",
                "bm25",
                "--topics",
                TASK2,
                "--index",
                "sample.index",
                "-o",
                "x",
            ],
            "is for task 1",
        ),
        (
            vec!["run", "--task", "1", "--topics", TASK1, "--index", "sample", "-o", "x"],
            "sample: not an index",
        ),
        (
            vec!["run", "--task", "1", "--topics", "missing.xml", "--index", "sample.index", "-o", "x"],
            "missing.xml",
        ),
        (
            vec![
                "run",
                "--task",
                "2",
                "--ids",
                "visual",
                "--topics",
                TASK2,
                "--index",
                "sample.index",
                "-o",
                "x",
            ],
            "--format trec",
        ),
        (
            vec![
                "tune",
                "--system",
                "bm25",
                "--index",
                "sample.index",
                "--topics",
                TASK1,
                "--qrels",
                "sample/qrels/task1.qrels",
                "--vary",
                "posts.nowhere.at=1,2",
            ],
            "no place",
        ),
    ] {
        let done = dir.run(&arguments);
        assert_eq!(done.code, 2, "{arguments:?}");
        assert!(done.stderr.contains(said), "{arguments:?}: {}", done.stderr);
    }
}
