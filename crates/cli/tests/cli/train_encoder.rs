//! `hypatia train encoder` and `cross-encoder`: what they make, what they say before, and ten kills.

use crate::model;
use crate::util::{Dir, Outcome};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

const QUESTIONS: usize = 24;

/// Questions in the two words that the tiny model knows, with two answers each.
fn posts() -> String {
    let words = |number: usize| {
        let word = |bit: usize| if number >> bit & 1 == 1 { "prime" } else { "sum" };
        (0..5).map(word).collect::<Vec<_>>().join(" ")
    };
    let mut lines = String::new();
    for number in 0..QUESTIONS {
        let id = 3 * number + 1;
        let tag = ["a", "b"][number % 2];
        lines.push_str(&format!(
            "{{\"kind\":\"question\",\"id\":{id},\"title\":\"sum\",\"body\":\"{}\",\"tags\":[\"{tag}\"]}}\n",
            words(number)
        ));
        for answer in 1..3 {
            let body = words(number * answer);
            let id = id + answer;
            let parent = 3 * number + 1;
            lines.push_str(&format!(
                "{{\"kind\":\"answer\",\"id\":{id},\"parent\":{parent},\"body\":\"{body}\"}}\n"
            ));
        }
    }
    lines
}

fn folder(name: &str) -> Dir {
    let dir = Dir::new(name);
    model::write(&dir, "tiny");
    dir.write("posts.jsonl", posts());
    done(dir.run(&["collection", "build", "posts.jsonl", "-o", "c.coll"]));
    done(dir.run(&["model", "add", "tiny"]));
    dir
}

#[track_caller]
fn done(outcome: Outcome) -> Outcome {
    assert_eq!(outcome.code, 0, "{}\n{}", outcome.stdout, outcome.stderr);
    outcome
}

fn info(dir: &Dir, name: &str) -> Value {
    let shown = done(dir.run(&["model", "info", name, "--format", "json"])).stdout;
    serde_json::from_str(&shown).unwrap()
}

fn config(dir: &Dir, name: &str) -> Value {
    let path = dir.path().join(".data/hypatia/models").join(name).join("config.json");
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

#[test]
fn an_encoder_an_adapter_and_a_cross_encoder_are_trained() {
    let dir = folder("train-encoder");
    let common = ["c.coll", "--base", "tiny", "--batch", "8", "--seed", "3"];
    let encoder =
        ["--name", "tuned", "--negatives", "tag", "--rate", "1e-2", "--trained-on", "math.stackexchange.com"];
    let told = done(dir.run(&[&["train", "encoder"][..], &common, &encoder].concat())).stderr;
    for part in ["tuned: 22 examples an epoch, 2 held-out questions", "G multiply-adds", "step 3 of 3, loss "]
    {
        assert!(told.contains(part), "{part:?} is not in {told}");
    }
    let adapter = ["--name", "adapted", "--adapter", "--epochs", "3", "--held-out", "4"];
    let told = done(dir.run(&[&["train", "encoder"][..], &common, &adapter].concat())).stderr;
    assert!(told.contains("adapted: encoding ") && told.contains("20 examples an epoch"), "{told}");
    let cross = ["--name", "cross", "--logits", "2", "--per-question", "2", "--max-tokens", "14"];
    done(dir.run(&[&["train", "cross-encoder"][..], &common, &cross].concat()));
    dir.write(
        "t.xml",
        "<Topics><Topic number=\"A.1\"><Title>prime</Title><Question>prime sum</Question></Topic>\
                        <Topic number=\"A.2\"><Title>sum</Title><Question>sum</Question></Topic></Topics>",
    );
    dir.write("q.txt", "A.1\t0\t2\t3\nA.1\t0\t3\t0\nA.2\t0\t5\t1\n");
    let judged =
        ["--name", "judged", "--sampler", "mirmu", "--topics", "t.xml", "--qrels", "q.txt", "--draws", "6"];
    done(dir.run(&[&["train", "cross-encoder"][..], &common, &judged].concat()));

    let kinds = ["tuned", "adapted", "cross", "judged"].map(|name| info(&dir, name)["kind"].clone());
    assert_eq!(kinds, ["sentence-encoder", "sentence-encoder", "cross-encoder", "cross-encoder"]);
    let tuned = info(&dir, "tuned");
    // The base was trained on something, too.
    assert_eq!(
        tuned["trained_on"].to_string(),
        r#"[{"from":"card","set":"math.stackexchange.com"},{"from":"card","set":"org/stackexchange_xml"}]"#
    );
    assert_eq!(tuned["math_stack_exchange"], "yes");
    let judged = info(&dir, "judged")["trained_on"].to_string();
    assert!(judged.contains("judged-topics/q.txt/A.1-A.2"), "{judged}");
    let seen = &config(&dir, "judged")["hypatia_training"]["seen_topics"];
    assert_eq!(*seen, serde_json::json!(["A.1", "A.2"]));
    let made = &config(&dir, "tuned")["hypatia_training"];
    assert_eq!(
        (&made["base"], &made["options"]["seed"], &made["examples"]),
        (&"tiny".into(), &3.into(), &22.into())
    );
    assert_eq!(made["course"]["steps"], 3);
    assert_eq!(config(&dir, "cross")["architectures"][0], "BertForSequenceClassification");
    // What was trained is used like any other model, and nothing is left of the trainings.
    done(dir.run(&["index", "c.coll", "-o", "i", "--encode", "tuned"]));
    done(dir.run(&["index", "-o", "i", "--encode", "adapted"]));
    assert!(!dir.path().join(".data/hypatia/models/.training").exists());
    done(dir.run(&["model", "verify"]));
}

#[test]
fn what_cannot_be_trained_is_said_before_the_work() {
    let dir = folder("train-encoder-wrong");
    let check = |arguments: &[&str], expected: &str| {
        let all = [&["train", "encoder", "c.coll", "--name", "new"][..], arguments].concat();
        let outcome = dir.run(&all);
        assert_ne!(outcome.code, 0);
        assert!(outcome.stderr.contains(expected), "{}", outcome.stderr);
    };
    check(&["--base", "none"], "none");
    check(&["--base", "tiny", "--loss", "triplet"], "this loss needs hard negatives");
    check(&["--base", "tiny", "--answers", "accepted"], "does not say which answers were accepted");
    check(&["--base", "tiny", "--loss", "cosine"], "no votes to learn from");
    check(&["--base", "tiny", "--batch", "0"], "a batch needs an example");
    check(&["--base", "tiny", "--max-tokens", "99"], "a limit of 99 tokens was asked for");
    // The cost is said, and nothing is learned.
    let estimate = dir.run(&["train", "encoder", "c.coll", "--base", "tiny", "--name", "new", "--estimate"]);
    assert!(estimate.stderr.contains("multiply-adds; the first took"), "{}", estimate.stderr);
    assert_eq!(estimate.code, 0);
    assert!(dir.run(&["model", "info", "new"]).code != 0);
    // Other options may follow: nothing was learned yet.
    done(dir.run(&["train", "encoder", "c.coll", "--base", "tiny", "--name", "new", "--rate", "1e-3"]));
}

/// All files of a model.
fn files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.push((path.clone(), fs::read(&path).unwrap()));
        }
    }
    found.sort();
    found
}

#[test]
fn a_training_that_is_killed_ten_times_ends_with_the_same_bytes() {
    let dir = folder("train-encoder-kill");
    let arguments = |models: &'static str| {
        let options =
            ["--batch", "8", "--epochs", "150", "--rate", "1e-3", "--patience", "0", "--measure-every", "7"];
        let rest = ["--negatives", "tag", "--checkpoint", "0", "--models", models, "-j", "1"];
        [&["train", "encoder", "c.coll", "--base", "tiny", "--name", "new"][..], &options, &rest].concat()
    };
    for models in ["whole", "parts"] {
        done(dir.run(&["model", "add", "tiny", "--models", models]));
    }
    let whole = done(dir.run(&arguments("whole"))).stderr;
    assert!(whole.contains("step 450 of 450"), "{whole}");
    let checkpoint = dir.path().join("parts/.training/new/learned");
    let modified = || fs::metadata(&checkpoint).and_then(|data| data.modified()).ok();
    let mut killed = 0_u32;
    for round in 0..10 {
        let before = modified();
        let mut child =
            dir.command(&arguments("parts")).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let begun = Instant::now();
        while modified() == before && begun.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_micros(200));
        }
        std::thread::sleep(Duration::from_millis(round * 3 % 8));
        if child.try_wait().unwrap().is_none() {
            child.kill().unwrap();
            killed += 1;
        }
        child.wait().unwrap();
    }
    assert_eq!(killed, 10);
    // The last part goes with another number of threads.
    let mut last = arguments("parts");
    *last.last_mut().unwrap() = "2";
    let last = done(dir.run(&last)).stderr;
    assert!(last.contains("new: resuming after step "), "{last}");
    let of = |models: &str| -> Vec<(PathBuf, Vec<u8>)> {
        let folder = dir.path().join(models).join("new");
        let inside =
            |(path, bytes): (PathBuf, Vec<u8>)| (path.strip_prefix(&folder).unwrap().to_owned(), bytes);
        files(&folder).into_iter().map(inside).collect()
    };
    let (whole, parts) = (of("whole"), of("parts"));
    assert!(whole.len() > 5);
    assert!(whole == parts, "the models differ");
    let weights =
        |name: &str| fs::read(dir.path().join("whole").join(name).join("model.safetensors")).unwrap();
    assert_ne!(weights("new"), weights("tiny"));
}
