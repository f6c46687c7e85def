//! `hypatia sample`: files to try everything on.

use crate::util::Dir;
use std::fs;

#[test]
fn files_of_an_earlier_sample_are_replaced() {
    let dir = Dir::new("sample");
    let first = dir.run(&["sample", "-o", "new/sample"]);
    assert_eq!((first.code, first.stdout.as_str()), (0, ""), "{}", first.stderr);
    let folder = dir.path().join("new/sample");
    let text = |path: &str| fs::read_to_string(folder.join(path)).unwrap();
    assert!(text("threads/analysis.md").starts_with("=== question 1\n"));
    assert!(text("topics/Topics_Task2.xml").contains("<Topic number=\"B.20\">"));
    assert!(text("qrels/task1.qrels").contains("A.1\t0\t1231\t3\n"));
    assert!(text("qrels/task2.qrels").starts_with("B.1\t0\t"));
    assert!(text("judgments/task2.tsv").starts_with("topic\titem\tgrade\treason\nB.1\t"));

    fs::write(folder.join("mine.txt"), "mine").unwrap();
    let again = dir.run(&["sample", "-o", "new/sample"]);
    assert_eq!(again.code, 0, "{}", again.stderr);
    assert!(again.stderr.starts_with("new/sample: replaced\n"), "{}", again.stderr);

    // What somebody has changed is their work.
    fs::write(folder.join("threads/analysis.md"), "changed").unwrap();
    let refused = dir.run(&["sample", "-o", "new/sample"]);
    assert_eq!(refused.code, 2);
    let told = "threads/analysis.md: was not written by this command, or was changed; --force replaces it";
    assert!(refused.stderr.contains(told), "{}", refused.stderr);
    assert_eq!(text("threads/analysis.md"), "changed");
    for forced in [&["sample", "-o", "new/sample", "--force"][..], &["sample", "-o", "new/sample"]] {
        assert_eq!(dir.run(forced).code, 0);
        assert!(text("threads/analysis.md").starts_with("=== question 1\n"));
    }
    assert_eq!(text("mine.txt"), "mine");
}

#[test]
fn a_file_is_no_folder() {
    let dir = Dir::new("sample-file");
    dir.write("taken", "x");
    let outcome = dir.run(&["sample", "-o", "taken"]);
    assert_eq!((outcome.code, outcome.stderr.as_str()), (2, "hypatia: taken: is a file, not a folder\n"));
}

#[test]
fn runs_are_scored_against_it() {
    let dir = Dir::new("sample-eval");
    assert_eq!(dir.run(&["sample", "-o", "s"]).code, 0);
    let qrels = fs::read_to_string(dir.path().join("s/qrels/task1.qrels")).unwrap();
    let best =
        |line: &str| line.strip_suffix("\t3").map(|line| line.split('\t').collect::<Vec<_>>().join("\t"));
    let rows: Vec<String> = qrels.lines().filter_map(best).collect();
    let mut run = String::new();
    for (rank, row) in rows.iter().enumerate() {
        let (topic, document) = row.split_once("\t0\t").unwrap();
        run.push_str(&format!("{topic}\t{document}\t{}\t{}\tbest\n", rank + 1, 1000 - rank));
    }
    dir.write("run.tsv", run);
    let outcome = dir.run(&["eval", "run.tsv", "--qrels", "s/qrels/task1.qrels", "--task", "1"]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
}

#[test]
fn its_collection_has_the_judged_formulas() {
    let dir = Dir::new("sample-build");
    assert_eq!(dir.run(&["sample", "-o", "s"]).code, 0);
    let built = dir.run(&["collection", "build", "s/threads", "-o", "s.coll", "--strict"]);
    assert_eq!(built.code, 0, "{}", built.stderr);
    let collection = store::Collection::open(&dir.path().join("s.coll")).unwrap();
    let qrels = fs::read_to_string(dir.path().join("s/qrels/task2.qrels")).unwrap();
    assert_eq!(qrels, sample::qrels_task2(&collection).unwrap());
    let hidden = |entry: &fs::DirEntry| {
        let name = entry.file_name();
        name != ".hypatia" && name.to_string_lossy().starts_with('.')
    };
    assert!(!fs::read_dir(dir.path().join("s")).unwrap().flatten().any(|entry| hidden(&entry)));
}
