//! `hypatia compare`, and fusions through `hypatia run`: on the sample.

use crate::util::{Dir, Outcome};

const TOPICS: [&str; 2] = ["sample/topics/Topics_Task1.xml", "sample/topics/Topics_Task2.xml"];
pub(crate) const QRELS: [&str; 2] = ["sample/qrels/task1.qrels", "sample/qrels/task2.qrels"];

/// A fusion of two systems and a run.
pub(crate) const MINE: &str = "name = \"mine\"\ntask = 1\nabout = \"For a test.\"\n[fusion]\nmethod = { name = \"rrf\" }\n\
    [[fusion.member]]\nsystem = \"bm25\"\n[[fusion.member]]\nsystem = \"hypatia-classic-1\"\n\
    [[fusion.member]]\nrun = \"other\"\nabout = \"a run\"\noptional = true\n";

/// A folder with the sample's files and an index of it.
pub(crate) fn sample(name: &str) -> Dir {
    let dir = Dir::new(name);
    for command in [
        &["collection", "build", "--sample", "-o", "sample.coll"][..],
        &["index", "sample.coll", "-o", "sample.index"],
        &["sample", "-o", "sample"],
    ] {
        done(&dir, command);
    }
    dir.write("mine.toml", MINE);
    dir
}

fn done(dir: &Dir, command: &[&str]) -> Outcome {
    let done = dir.run(command);
    assert_eq!(done.code, 0, "{command:?}: {}", done.stderr);
    done
}

pub(crate) fn compare(dir: &Dir, task: usize, systems: &str, more: &[&str]) -> Outcome {
    let (topics, qrels) = (TOPICS[task - 1], QRELS[task - 1]);
    let common =
        ["compare", "--systems", systems, "--topics", topics, "--qrels", qrels, "--index", "sample.index"];
    dir.run(&[&common[..], more].concat())
}

fn run(dir: &Dir, system: &str, out: &str, more: &[&str]) -> Outcome {
    let common = ["run", "--task", "1", "--system", system, "--topics", TOPICS[0], "--index", "sample.index"];
    dir.run(&[&common[..], &["-o", out], more].concat())
}

pub(crate) fn read(dir: &Dir, name: &str) -> String {
    std::fs::read_to_string(dir.path().join(name)).unwrap()
}

pub(crate) fn json(text: &str) -> serde_json::Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn values_are_those_of_eval() {
    let dir = sample("compare-eval");
    for (task, systems, more) in
        [(1, "bm25,hypatia-classic-1", &[][..]), (2, "hypatia-classic-2", &["--ids", "visual"])]
    {
        let compared = compare(&dir, task, systems, &["--format", "json", "--runs", "runs"]);
        assert_eq!(compared.code, 0, "{}", compared.stderr);
        let compared = json(&compared.stdout);
        let names: Vec<&str> = systems.split(',').collect();
        for (place, name) in names.iter().enumerate() {
            let (file, task) = (format!("runs/{name}.run"), task.to_string());
            let eval = ["eval", &file, "--qrels", QRELS[task.parse::<usize>().unwrap() - 1], "--task", &task];
            let scored = done(&dir, &[&eval[..], more, &["--format", "json"]].concat());
            let (scored, found) = (&json(&scored.stdout)[0], &compared["systems"][place]);
            assert_eq!(found["system"], **name);
            assert_eq!(found["measures"], scored["measures"], "{name}");
            let interval = &found["around"]["nDCG'"]["interval_95"];
            assert_eq!(*interval, scored["around"]["nDCG'"]["interval_95"]);
            assert!(found["cpu_milliseconds"]["p50"].as_f64().unwrap() > 0.0);
        }
    }
}

#[test]
fn the_table_names_the_base_and_is_the_same_again() {
    let dir = sample("compare-table");
    // The second and third column are times.
    let without_times = |text: &str| -> Vec<String> {
        let kept = |line: &str| {
            let cells = line.split(',').enumerate().filter(|(at, _)| !matches!(at, 1 | 2));
            cells.map(|(_, cell)| cell.to_owned()).collect::<Vec<_>>().join(",")
        };
        text.lines().map(kept).collect()
    };
    let csv = |threads: &str| {
        let compared = compare(&dir, 1, "bm25,hypatia-classic-1,search", &["--format", "csv", "-j", threads]);
        assert_eq!(compared.code, 0, "{}", compared.stderr);
        without_times(&compared.stdout)
    };
    assert_eq!(csv("1"), csv("4"));
    let text =
        compare(&dir, 1, "bm25,hypatia-classic-1", &["--against", "hypatia-classic-1", "-m", "P@5, AP"]);
    assert_eq!(text.code, 0, "{}", text.stderr);
    for part in ["P@5 against hypatia-classic-1", "95 %", "CPU ms a topic", "Holm-corrected"] {
        assert!(text.stdout.contains(part), "{part}: {}", text.stdout);
    }
    assert!(text.stderr.contains("--format html"), "{}", text.stderr);
    let page = compare(&dir, 1, "bm25,search", &["--format", "html", "-o", "p.html", "--chart", "c.svg"]);
    assert_eq!((page.code, page.stdout.as_str()), (0, ""), "{}", page.stderr);
    let html = read(&dir, "p.html");
    assert!(html.starts_with("<!DOCTYPE html>") && html.contains("<svg") && html.contains("<table"));
    assert!(!html.contains("http-equiv") && !html.contains("<script"));
    assert!(read(&dir, "c.svg").starts_with("<svg"));
    let markdown = compare(&dir, 1, "bm25,search", &["--format", "markdown"]).stdout;
    assert!(markdown.contains("| bm25") || markdown.contains("|bm25"), "{markdown}");
}

#[test]
fn several_files_of_topics_count_as_one() {
    let dir = sample("compare-several");
    let twice = ["--topics", TOPICS[0], "--qrels", QRELS[0], "--format", "json"];
    let both = json(&compare(&dir, 1, "bm25", &twice).stdout);
    let system = &both["systems"][0];
    assert_eq!(system["topics"], 40);
    assert_eq!(system["by_judgments"][0]["measures"], system["by_judgments"][1]["measures"]);
    let mean = |value: &serde_json::Value| value["measures"]["nDCG'"].as_f64().unwrap();
    assert!((mean(system) - mean(&system["by_judgments"][0])).abs() < 1e-12);
}

#[test]
fn what_cannot_be_run_is_told_and_the_others_go_on() {
    let dir = sample("compare-left-out");
    let features = ["--features", "parts", "--post-features", "parts,paths"];
    done(&dir, &[&["index", "sample.coll", "-o", "small.index"][..], &features].concat());
    let pairs = "name = \"pairs\"\ntask = 1\nabout = \"x\"\n[posts]\n[[posts.group]]\nname = \"x\"\n\
        [[posts.group.part]]\nterms = \"pairs\"\nown = { math = 1 }\nmodel = { name = \"bm25\" }\n";
    dir.write("pairs.toml", pairs);
    dir.write("needs.toml", MINE.replace("\"mine\"", "\"needs\"").replace("optional = true\n", ""));
    let of_small = |systems: &str| {
        let files = ["--topics", TOPICS[0], "--qrels", QRELS[0], "--index", "small.index"];
        dir.run(&[&["compare", "--systems", systems, "--format", "json"][..], &files].concat())
    };
    let compared = of_small("pairs.toml,needs.toml,bm25");
    assert_eq!(compared.code, 0, "{}", compared.stderr);
    assert!(compared.stderr.contains("--post-features pairs"), "{}", compared.stderr);
    assert!(compared.stderr.contains("--member other=RUN"), "{}", compared.stderr);
    let compared = json(&compared.stdout);
    assert_eq!(compared["systems"][0]["system"], "bm25");
    assert_eq!(compared["left_out"].as_array().unwrap().len(), 2);
    for (systems, more, said) in [
        ("bm25,hypatia-classic-2", &[][..], "compare systems of one task"),
        ("bm25,bm25", &[], "twice"),
        ("all", &[], "--systems all needs --task"),
        ("bm25", &["--against", "bm26"], "did you mean 'bm25'"),
        ("needs.toml", &[], "no system could be run"),
        ("bm25", &["--member", "x=mine.toml"], "mine.toml"),
        ("bm25", &["--qrels", QRELS[0]], "each needs its own"),
        ("bm25", &["-m", "nDCG@x"], "whole number"),
    ] {
        let refused = compare(&dir, 1, systems, more);
        assert_eq!(refused.code, 2, "{systems} {more:?}");
        assert!(refused.stderr.contains(said), "{systems} {more:?}: {}", refused.stderr);
    }
    dir.write(
        "none.qrels",
        "A.1	0	nobody	1
",
    );
    let files = ["--topics", TOPICS[0], "--qrels", "none.qrels", "--index", "sample.index"];
    let unjudged = dir.run(&[&["compare", "--systems", "bm25"][..], &files].concat());
    assert!(unjudged.code == 2 && unjudged.stderr.contains("judged"), "{}", unjudged.stderr);
}

#[test]
fn a_fusion_is_run_as_its_members_runs_are_fused() {
    let dir = sample("run-fusion");
    for (system, out) in [("bm25", "a.tsv"), ("hypatia-classic-1", "b.tsv")] {
        let made = run(&dir, system, out, &[]);
        assert_eq!(made.code, 0, "{}", made.stderr);
    }
    let alone = run(&dir, "mine.toml", "mine.tsv", &["-j", "1"]);
    assert_eq!(alone.code, 0, "{}", alone.stderr);
    assert!(alone.stderr.contains("mine is made without other (a run)"), "{}", alone.stderr);
    run(&dir, "mine.toml", "again.tsv", &["-j", "4"]);
    assert_eq!(read(&dir, "mine.tsv"), read(&dir, "again.tsv"));
    done(&dir, &["fuse", "a.tsv", "b.tsv", "--by", "rrf", "--task", "1", "-o", "fused.tsv"]);
    let documents = |name: &str| -> Vec<(String, String)> {
        let column = |line: &str, at: usize| line.split('\t').nth(at).unwrap().to_owned();
        let mut rows: Vec<(String, String)> =
            read(&dir, name).lines().map(|line| (column(line, 0), column(line, 1))).collect();
        // The two files list their topics in different orders.
        rows.sort_by(|left, right| left.0.cmp(&right.0));
        rows
    };
    assert_eq!(documents("mine.tsv"), documents("fused.tsv"));
    let sidecar = json(&read(&dir, "mine.tsv.json"));
    assert_eq!(sidecar["missing_members"], serde_json::json!(["other"]));
    assert_eq!(sidecar["member_systems"][0]["name"], "bm25");
    assert!(sidecar["member_systems"][1]["file"].as_str().unwrap().contains("hypatia-classic-1"));
    // With the run that was missing, and with its name misspelt.
    let made = run(&dir, "mine.toml", "three.tsv", &["--member", "other=a.tsv", "--exact"]);
    assert_eq!((made.code, made.stderr.contains("without")), (0, false), "{}", made.stderr);
    let sidecar = json(&read(&dir, "three.tsv.json"));
    assert_eq!(sidecar["member_runs"][0]["name"], "other");
    assert_eq!(sidecar["member_runs"][0]["file"], "a.tsv");
    assert_ne!(read(&dir, "mine.tsv"), read(&dir, "three.tsv"));
    let wrong = run(&dir, "mine.toml", "x.tsv", &["--member", "otter=a.tsv"]);
    assert!(wrong.code == 2 && wrong.stderr.contains("did you mean 'other'"), "{}", wrong.stderr);
    let none = run(&dir, "bm25", "x.tsv", &["--member", "other=a.tsv"]);
    assert!(none.code == 2 && none.stderr.contains("nothing here is made of runs"), "{}", none.stderr);
    let tuned = done(
        &dir,
        &[
            "tune",
            "--system",
            "mine.toml",
            "--index",
            "sample.index",
            "--topics",
            TOPICS[0],
            "--qrels",
            QRELS[0],
            "--vary",
            "fusion.member.bm25.weight=0,1",
            "--folds",
            "2",
        ],
    );
    assert!(tuned.stdout.contains("held out"), "{}", tuned.stdout);
    let searched = dir.run(&["search", "--index", "sample.index", "--system", "mine.toml", "square"]);
    // Fusions search, too; the run that this one can do without is not there.
    assert!(searched.code == 0 && searched.stdout.contains("results in"), "{}", searched.stderr);
}

#[test]
fn weights_of_answers_are_tuned_by_the_grade_of_the_first() {
    let dir = sample("tune-answers");
    let tune = |more: &[&str]| {
        let base =
            ["tune", "--index", "sample.index", "--topics", TOPICS[0], "--qrels", QRELS[0], "--folds", "2"];
        dir.run(&[&base[..], more].concat())
    };
    let vary = ["--vary", "rank.score=0,1", "--vary", "rank.answer_formulas=0,1"];
    let tuned = tune(&[&["--system", "hypatia-extract", "-o", "best.toml"][..], &vary].concat());
    assert_eq!(tuned.code, 0, "{}", tuned.stderr);
    assert!(tuned.stdout.contains("AR of hypatia-extract over 20 topics"), "{}", tuned.stdout);
    let best = read(&dir, "best.toml");
    assert!(best.starts_with("rank.score = ") && best.contains("\nrank.answer_formulas = "), "{best}");
    for (wrong, told) in [
        (&["--system", "hypatia-extract", "--vary", "rank.luck=1"][..], "rank.score, rank.rank"),
        (&["--system", "first-answer", "--vary", "rank.score=1"], "it has no [rank]"),
        (
            &["--system", "hypatia-extract", "--vary", "rank.score=1", "--measure", "AP"],
            "--measure has no effect",
        ),
    ] {
        let told_there = tune(wrong);
        assert!(told_there.code == 2 && told_there.stderr.contains(told), "{}", told_there.stderr);
    }
}

#[test]
fn links_are_read_line_by_line() {
    let dir = sample("run-links");
    dir.write("links.tsv", "A.1\t17\n\nA.1\t18\n");
    let linked = run(&dir, "bm25", "x.tsv", &["--links", "links.tsv"]);
    assert_eq!(linked.code, 0, "{}", linked.stderr);
    dir.write("links.tsv", "A.1\t17\nA.2\n");
    let wrong = run(&dir, "bm25", "x.tsv", &["--links", "links.tsv"]);
    assert!(wrong.code == 2 && wrong.stderr.contains("links.tsv:2: expected a topic"), "{}", wrong.stderr);
}
