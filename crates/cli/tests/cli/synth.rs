//! `hypatia synth`: a folder with a made-up collection.

use crate::util::Dir;
use std::fs;

#[test]
fn a_collection_is_made_and_described() {
    let dir = Dir::new("synth");
    let outcome = dir.run(&["synth", "--posts", "60", "--seed", "3", "-o", "new/small"]);
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""), "{outcome:?}");
    assert!(outcome.stdout.contains("\n2 topics, "), "{}", outcome.stdout);
    let manifest = fs::read_to_string(dir.path().join("new/small/synth.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    assert_eq!((manifest["posts"].as_u64(), manifest["seed"].as_u64()), (Some(60), Some(3)));
    let questions = manifest["questions"].as_u64().unwrap();
    let answers = manifest["answers"].as_u64().unwrap();
    assert!(outcome.stdout.starts_with(&format!("{questions} questions, {answers} answers, ")));
    assert_eq!(questions + answers, 60);
    let posts = fs::read_to_string(dir.path().join("new/small/Posts.xml")).unwrap();
    assert_eq!(posts.matches("<row ").count(), 60);
}

#[test]
fn its_judgments_are_those_of_its_topics() {
    let dir = Dir::new("synth-eval");
    assert_eq!(dir.run(&["synth", "--posts", "200", "-o", "c"]).code, 0);
    let qrels = fs::read_to_string(dir.path().join("c/qrels/task1.qrels")).unwrap();
    let run: String = qrels
        .lines()
        .map(|line| {
            let cells: Vec<&str> = line.split('\t').collect();
            format!("{}\tQ0\t{}\t1\t{}\tbest\n", cells[0], cells[2], cells[3])
        })
        .collect();
    dir.write("best.tsv", run);
    let outcome =
        dir.run(&["eval", "best.tsv", "--qrels", "c/qrels/task1.qrels", "-m", "nDCG'", "--format", "json"]);
    let runs: serde_json::Value = serde_json::from_str(&outcome.stdout).unwrap();
    assert_eq!(runs[0]["measures"]["nDCG'"], 1.0, "{outcome:?}");
}

#[test]
fn mistakes_are_explained() {
    let dir = Dir::new("synth-mistakes");
    let outcome = dir.run(&["synth", "--posts", "0", "-o", "c"]);
    assert_eq!(outcome.code, 2);
    assert!(outcome.stderr.contains("--posts") && outcome.stderr.contains("1.."), "{outcome:?}");
    dir.run(&["synth", "--posts", "100", "--topics", "9", "-o", "c"])
        .fails("hypatia: 9 topics are too many for 100 posts: each needs 25, so 4 can be made");
    dir.write("old/notes.txt", "mine");
    dir.run(&["synth", "--posts", "5", "-o", "old"])
        .fails("hypatia: old: holds files already, such as notes.txt; --force writes there anyway");
    dir.run(&["synth", "--posts", "5", "-o", "old/notes.txt"])
        .fails("hypatia: old/notes.txt: is a file, not a folder");
    assert_eq!(dir.run(&["synth", "--posts", "5", "-o", "old", "--force"]).code, 0);
    assert_eq!(fs::read_to_string(dir.path().join("old/notes.txt")).unwrap(), "mine");
    let outcome = dir.run(&["synth", "--posts", "5", "-o", "old/notes.txt/below"]);
    assert_eq!(outcome.code, 2);
    assert!(outcome.stderr.starts_with("hypatia: old/notes.txt/below: "), "{outcome:?}");
}
