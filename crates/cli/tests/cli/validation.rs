//! `hypatia collection validation`: topics that the collection itself judges, and what is measured with them.

use crate::util::{Dir, Outcome};
use std::collections::BTreeMap;
use std::fs;

fn sample(name: &str) -> Dir {
    let dir = Dir::new(name);
    done(&dir, &["collection", "build", "--sample", "-o", "sample.coll"]);
    dir
}

fn done(dir: &Dir, command: &[&str]) -> Outcome {
    let done = dir.run(command);
    assert_eq!(done.code, 0, "{command:?}: {}", done.stderr);
    done
}

fn validate(dir: &Dir, more: &[&str]) -> Outcome {
    dir.run(&[&["collection", "validation", "sample.coll"][..], more].concat())
}

/// All files in a folder, hidden ones aside.
fn files(dir: &Dir, folder: &str) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut open = vec![dir.path().join(folder)];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(dir.path()).unwrap().to_string_lossy().into_owned();
            if path.is_dir() {
                open.push(path);
            } else if !name.contains("/.") {
                files.insert(name.split_once('/').unwrap().1.to_owned(), fs::read(path).unwrap());
            }
        }
    }
    files
}

#[test]
fn all_kinds_are_made_and_the_same_again() {
    let dir = sample("validation-all");
    let made = validate(&dir, &["-o", "v", "--count", "30"]);
    assert_eq!((made.code, made.stderr.as_str()), (0, ""), "{made:?}");
    let rows: Vec<Vec<&str>> =
        made.stdout.lines().skip(2).map(|line| line.split_whitespace().collect()).collect();
    let kinds: Vec<&str> = rows.iter().map(|row| row[0]).collect();
    assert_eq!(kinds, ["answers", "links", "titles", "formulas"], "{}", made.stdout);
    assert!(rows.iter().all(|row| row[1] == "30"), "{}", made.stdout);
    assert_eq!((rows[0][3], rows[2][4], rows[3][3]), ("233", "30", "0"), "{}", made.stdout);
    let first = files(&dir, "v");
    assert_eq!(
        first.keys().map(String::as_str).collect::<Vec<_>>(),
        [
            "answers/Topics_Task1.xml",
            "answers/searched.coll",
            "answers/task1.qrels",
            "answers/topic_info.tsv",
            "formulas/Topics_Task2.xml",
            "formulas/task2.qrels",
            "formulas/topic_info.tsv",
            "links/Topics_Task1.xml",
            "links/searched.coll",
            "links/task1.qrels",
            "links/topic_info.tsv",
            "titles/Topics_Task1.xml",
            "titles/searched.coll",
            "titles/task1.qrels",
            "titles/topic_info.tsv",
        ]
    );
    // One kind alone is what it was among all.
    done(&dir, &["collection", "validation", "sample.coll", "-o", "w", "--count", "30", "--kinds", "links"]);
    for (name, bytes) in files(&dir, "w") {
        assert!(first[&name] == bytes, "{name}");
    }
    let again = validate(&dir, &["-o", "v", "--count", "30", "--kinds", "answers,titles"]);
    assert_eq!((again.code, again.stderr.as_str()), (0, "v: replaced\n"));
    assert!(files(&dir, "v") == first);
    // What was made before still belongs to the command.
    assert_eq!(validate(&dir, &["-o", "v", "--count", "3", "--seed", "2"]).stderr, "v: replaced\n");
    assert!(files(&dir, "v")["links/task1.qrels"] != first["links/task1.qrels"]);
}

#[test]
fn sets_can_be_searched_and_primes_are_warned_of() {
    let dir = sample("validation-search");
    done(&dir, &["collection", "validation", "sample.coll", "-o", "v", "--count", "30"]);
    done(&dir, &["index", "v/answers/searched.coll", "-o", "a.index"]);
    let (topics, qrels) = ("v/answers/Topics_Task1.xml", "v/answers/task1.qrels");
    let common = ["--topics", topics, "--qrels", qrels, "--index", "a.index"];
    let compared = |more: &[&str]| {
        let command = ["compare", "--systems", "bm25,hypatia-classic-1", "--format", "json"];
        done(&dir, &[&command[..], &common, more].concat())
    };
    let plain = compared(&["-m", "nDCG@1000,AP,RR"]);
    assert_eq!(plain.stderr, "");
    let found: serde_json::Value = serde_json::from_str(&plain.stdout).unwrap();
    for system in found["systems"].as_array().unwrap() {
        let value = system["measures"]["nDCG@1000"].as_f64().unwrap();
        assert!(value > 0.3 && value < 1.0, "{system}");
    }
    // Without anything judged 0, a prime measure is 1 whatever the order.
    let prime = compared(&[]);
    let warning = "hypatia: warning: v/answers/task1.qrels: no item is judged 0, so nDCG', MAP' and P'@10, which \
                   leave out unjudged results, cannot tell systems apart; use -m 'nDCG@1000,AP,RR'\n";
    assert_eq!(prime.stderr, warning);
    let tune = |more: &[&str]| {
        let command =
            ["tune", "--system", "hypatia-classic-1", "--vary", "posts.query.title=1,2", "--folds", "2"];
        dir.run(&[&command[..], &common, more].concat())
    };
    let tuned = tune(&["--measure", "nDCG@1000"]);
    assert_eq!(tuned.code, 0, "{}", tuned.stderr);
    assert!(!tuned.stderr.contains("judged 0"), "{}", tuned.stderr);
    let tuned = tune(&["--ledger", "other.jsonl"]);
    assert!(tuned.stderr.contains("so nDCG', which leaves out unjudged results"), "{}", tuned.stderr);
    assert!(tuned.stderr.contains("use --measure nDCG@1000, AP or RR"), "{}", tuned.stderr);
    // Real judgments have items of grade 0.
    done(&dir, &["sample", "-o", "sample"]);
    done(&dir, &["index", "sample.coll", "-o", "s.index"]);
    let real = done(
        &dir,
        &[
            "compare",
            "--systems",
            "bm25",
            "--topics",
            "sample/topics/Topics_Task1.xml",
            "--qrels",
            "sample/qrels/task1.qrels",
            "--index",
            "s.index",
            "--format",
            "json",
        ],
    );
    assert_eq!(real.stderr, "");
    // Formulas are searched in the collection itself.
    let formulas = done(
        &dir,
        &[
            "compare",
            "--systems",
            "hypatia-classic-2",
            "--topics",
            "v/formulas/Topics_Task2.xml",
            "--qrels",
            "v/formulas/task2.qrels",
            "--index",
            "s.index",
            "--format",
            "json",
            "-m",
            "RR",
        ],
    );
    let found: serde_json::Value = serde_json::from_str(&formulas.stdout).unwrap();
    assert!(found["systems"][0]["measures"]["RR"].as_f64().unwrap() > 0.5, "{}", formulas.stdout);
}

#[test]
fn a_kind_without_material_is_skipped_and_none_at_all_is_a_no() {
    let dir = Dir::new("validation-none");
    let lines: String = (1..=6)
        .map(|id| {
            format!(
                "{{\"kind\":\"question\",\"id\":{id},\"title\":\"T{id}\",\"body\":\"B\"}}\n\
                 {{\"kind\":\"answer\",\"id\":1{id},\"parent\":{id},\"body\":\"A\"}}\n"
            )
        })
        .collect();
    dir.write("posts.jsonl", lines);
    done(&dir, &["collection", "build", "posts.jsonl", "-o", "sample.coll"]);
    let made = validate(&dir, &["-o", "v"]);
    assert_eq!(made.code, 0);
    assert_eq!(
        made.stderr,
        "links: no question is linked with another one that has an answer; skipped\n\
         formulas: no formula of 5 to 100 symbols in a question or answer can be changed; skipped\n"
    );
    assert!(!dir.path().join("v/links").exists());
    let none = validate(&dir, &["-o", "w", "--kinds", "links"]);
    assert_eq!((none.code, none.stdout.as_str()), (1, ""));
    assert!(none.stderr.ends_with("no validation sets, so nothing was written\n"), "{}", none.stderr);
    assert!(!dir.path().join("w").exists());
}

#[test]
fn files_of_others_stay_and_wrong_kinds_are_named() {
    let dir = sample("validation-force");
    dir.write("v/answers/task1.qrels", "the lab's");
    let arguments = ["-o", "v", "--count", "5", "--kinds", "answers"];
    validate(&dir, &arguments).fails(
        "hypatia: v/answers/task1.qrels: was not written by this command, or was changed; --force replaces it",
    );
    assert_eq!(fs::read(dir.path().join("v/answers/task1.qrels")).unwrap(), b"the lab's");
    assert_eq!(validate(&dir, &[&arguments[..], &["--force"]].concat()).code, 0);
    let wrong = validate(&dir, &["-o", "v", "--kinds", "answer"]);
    assert_eq!(wrong.code, 2);
    assert!(wrong.stderr.contains("answers, links, titles, formulas"), "{}", wrong.stderr);
    // The collection that is read is never written over.
    fs::copy(dir.path().join("sample.coll"), dir.path().join("v/answers/searched.coll")).unwrap();
    let own =
        ["collection", "validation", "v/answers/searched.coll", "-o", "v", "--kinds", "answers", "--force"];
    let refused = dir.run(&own);
    assert_eq!(refused.code, 2);
    assert!(refused.stderr.contains("would be overwritten"), "{}", refused.stderr);
}
