//! `hypatia fuse`: tiny runs, whole outputs, and the means that `hypatia eval` gives.

use crate::util::Dir;
use serde_json::Value;

const A: &str = "A.2 Q0 x 1 5 a\nA.1 Q0 d1 1 10 a\nA.1 Q0 d2 2 6 a\nA.1 Q0 d3 3 2 a\n";
const B: &str = "A.1\td2\t1\t.9\tb\nA.1\td4\t2\t.5\tb\nA.1\td1\t3\t.1\tb\nA.10\ty\t1\t1\tb\n";

fn dir(name: &str) -> Dir {
    let dir = Dir::new(name);
    dir.write("a.tsv", A);
    dir.write("b.tsv", B);
    dir
}

/// Fuses both runs and compares the whole file.
#[track_caller]
fn check(options: &[&str], expected: &str) {
    let dir = dir("fuse");
    let arguments = [&["fuse", "a.tsv", "b.tsv", "-o", "-"], options].concat();
    dir.run(&arguments).prints(expected);
    let arguments = [&["fuse", "a.tsv", "b.tsv", "-o", "out.tsv"], options].concat();
    dir.run(&arguments).prints("");
    assert_eq!(std::fs::read_to_string(dir.path().join("out.tsv")).unwrap(), expected);
}

/// A fused run has the models of all runs that it is made of.
#[test]
fn models_of_fused_runs_are_kept() {
    let dir = dir("fuse-models");
    dir.write("a.tsv.json", crate::eval::EXPOSED);
    dir.run(&["fuse", "a.tsv", "b.tsv", "-o", "out.tsv"]).prints("");
    let record = std::fs::read_to_string(dir.path().join("out.tsv.json")).unwrap();
    let record: Value = serde_json::from_str(&record).unwrap();
    assert_eq!(record["models"][0]["name"], "mini");
    assert_eq!(record["models"][0]["trained_on"][0], "math.stackexchange.com");
    // A fusion of other runs under the same name has another record.
    std::fs::remove_file(dir.path().join("a.tsv.json")).unwrap();
    assert_eq!(dir.run(&["fuse", "a.tsv", "b.tsv", "-o", "out.tsv"]).code, 0);
    let record = std::fs::read_to_string(dir.path().join("out.tsv.json")).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&record).unwrap()["models"], serde_json::json!([]));
}

#[test]
fn the_labs_baseline() {
    check(
        &["--by", "combsum", "--flat", "keep", "--topics", "common", "--tag", "us"],
        "A.1\tQ0\td2\t1\t1.5\tus\nA.1\tQ0\td1\t2\t1\tus\nA.1\tQ0\td4\t3\t0.5\tus\nA.1\tQ0\td3\t4\t0\tus\n",
    );
}

#[test]
fn topics_stand_as_people_list_them() {
    check(
        &["--by", "interpolate", "--alpha", "0.5", "--depth", "1", "--format", "arqmath"],
        "A.1\td2\t1\t0.75\tcombsum\nA.2\tx\t1\t0.5\tcombsum\nA.10\ty\t1\t0.5\tcombsum\n",
    );
    check(
        &["--by", "rrf", "--k", "1", "--weights", "0,3", "--topics", "first", "--from", "2"],
        "A.1\tQ0\td2\t1\t1.5\trrf\nA.1\tQ0\td4\t2\t1\trrf\n",
    );
}

#[test]
fn posts_of_formulas_are_kept() {
    let dir = Dir::new("fuse-task2");
    dir.write("a.tsv", "B.1\tf1\tp1\t1\t2\ta\nB.1\tf2\tp2\t2\t1\ta\n");
    dir.write("b.tsv", "B.1\tf3\t1\t2\tb\nB.1\tf1\t2\t1\tb\n");
    dir.run(&["fuse", "a.tsv", "b.tsv", "--task", "2", "--by", "borda", "-o", "-"])
        .prints("B.1\tf1\tp1\t1\t5\tborda\nB.1\tf3\t-\t2\t4\tborda\nB.1\tf2\tp2\t3\t3\tborda\n");
    dir.write("c.tsv", "B.1\tQ0\t7\t1\t2\tc\n");
    dir.run(&["fuse", "a.tsv", "c.tsv", "--task", "2", "-o", "-"]).fails(
        "hypatia: a.tsv and c.tsv: of Task 2 runs, those with Q0 hold visual ids and the others formula ids, \
         which cannot be fused",
    );
}

#[test]
fn what_is_wrong_is_named() {
    let dir = dir("fuse-wrong");
    dir.write("twice.tsv", "A.1 Q0 d1 1 2 t\nA.1 Q0 d1 2 1 t\n");
    dir.write("nan.tsv", "A.1 Q0 d1 1 2 t\nA.1 Q0 d2 2 NaN t\n");
    dir.write("empty.tsv", "");
    dir.write("kept.tsv", "as it was");
    for (options, line) in [
        (
            &["twice.tsv"][..],
            "twice.tsv:2: document d1 is listed a second time for topic A.1; the first is on line 1; see --duplicates",
        ),
        (&["empty.tsv"], "empty.tsv: holds no results"),
        (
            &["b.tsv", "--by", "combmax", "--k", "3"],
            "--k has no effect on combmax; it is the constant of rrf and ranked-sum",
        ),
        (
            &["b.tsv", "--by", "rrf", "--normalise", "z"],
            "--normalise has no effect on rrf, which looks at ranks",
        ),
        (
            &["b.tsv", "--by", "combsum", "--normalise", "z", "--flat", "one"],
            "--flat has no effect without --normalise min-max",
        ),
        (
            &["b.tsv", "--by", "ibc", "--weights", "1,2"],
            "--weights has no effect on ibc, which adds nothing up",
        ),
        (&["b.tsv", "--weights", "1,2,3"], "--weights: 3 weights for 2 runs"),
        (&["b.tsv", "--weights", "0,0"], "--weights: all are 0, so nothing would be left"),
        (&["b.tsv", "--by", "weighted"], "--by weighted needs --weights, one a run, or --tune"),
        (&["b.tsv", "--by", "interpolate"], "--alpha and --by interpolate go together"),
        (&["b.tsv", "--k", "1,2"], "--k: several values need --tune, which chooses one"),
        (&["b.tsv", "--seed", "1"], "--seed has no effect: nothing is drawn without --tune or --by ibc"),
        (&["b.tsv", "--tag", "a b"], "--tag: 'a b' is not one word"),
        (&[], "there is one run; it takes two or more to be fused"),
    ] {
        let arguments = [&["fuse", "a.tsv", "-o", "kept.tsv"], options].concat();
        dir.run(&arguments).fails(&format!("hypatia: {line}"));
    }
    let outcome = dir.run(&["fuse", "a.tsv", "nan.tsv", "-o", "kept.tsv"]);
    assert_eq!((outcome.code, outcome.stdout.as_str()), (2, ""));
    assert!(outcome.stderr.starts_with("hypatia: nan.tsv:2:"), "{}", outcome.stderr);
    assert_eq!(std::fs::read_to_string(dir.path().join("kept.tsv")).unwrap(), "as it was");
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 6, "nothing is left behind");
}

/// Two runs, one of which is right about the odd topics and one about the even ones, and judgments.
fn tunable(name: &str) -> Dir {
    let dir = Dir::new(name);
    let (mut good, mut bad, mut qrels) = (String::new(), String::new(), String::new());
    for topic in 1..=12 {
        for doc in 0..8 {
            let grade = u8::from(doc % 3 == 0);
            qrels.push_str(&format!("A.{topic} 0 d{doc} {grade}\n"));
            // The good run is right save on every fourth topic.
            let right = if topic % 4 == 0 { 1.0 - f64::from(grade) } else { f64::from(grade) };
            good.push_str(&format!("A.{topic} Q0 d{doc} 1 {} good\n", right + f64::from(doc) / 100.0));
            bad.push_str(&format!("A.{topic} Q0 d{doc} 1 {} bad\n", f64::from((doc * 5 + topic) % 8)));
        }
    }
    dir.write("good.txt", good);
    dir.write("bad.txt", bad);
    dir.write("qrels.txt", qrels);
    dir
}

/// The mean that `hypatia eval` gives, to four decimals.
fn mean(dir: &Dir, run: &str) -> String {
    let outcome =
        dir.run(&["eval", run, "--qrels", "qrels.txt", "-m", "nDCG'", "--task", "1", "--format", "json"]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let values: Value = serde_json::from_str(&outcome.stdout).unwrap();
    format!("{:.4}", values[0]["measures"]["nDCG'"].as_f64().unwrap())
}

#[test]
fn the_report_of_tuning_says_what_eval_says() {
    let dir = tunable("fuse-tune");
    let base = ["fuse", "good.txt", "bad.txt", "--tune", "qrels.txt", "--task", "1", "--folds", "4", "--by"];
    for by in ["weighted", "rrf", "combmnz", "borda"] {
        let tune = |more: &[&str]| {
            let outcome = dir.run(&[&base[..], &[by], more].concat());
            assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""), "{by}");
            outcome.stdout
        };
        let report = tune(&["-o", &format!("all-{by}.txt")]);
        let of_folds = tune(&["-o", &format!("held-out-{by}.txt"), "--held-out"]);
        let value = |line: &str| {
            let line = report
                .lines()
                .find(|found| found.starts_with(line))
                .unwrap_or_else(|| panic!("{line}: {report}"));
            line.split_whitespace().last().unwrap().to_owned()
        };
        assert_eq!(value("good alone"), mean(&dir, "good.txt"), "{by}");
        assert_eq!(value("bad alone"), mean(&dir, "bad.txt"), "{by}");
        assert_eq!(value("weights found, same topics"), mean(&dir, &format!("all-{by}.txt")), "{by}");
        assert_eq!(
            value("weights found, topics held out"),
            mean(&dir, &format!("held-out-{by}.txt")),
            "{by}"
        );
        assert!(of_folds.contains("each topic with the weights of its fold"));
        let by_equal = if by == "weighted" { "combsum" } else { by };
        dir.run(&["fuse", "good.txt", "bad.txt", "--by", by_equal, "-o", &format!("equal-{by}.txt")])
            .prints("");
        assert_eq!(value("equal weights"), mean(&dir, &format!("equal-{by}.txt")), "{by}");
        assert_eq!(tune(&["-o", &format!("again-{by}.txt"), "--seed", "1"]), report, "{by}: the same again");
    }
}

#[test]
fn tuning_refuses_what_has_no_effect() {
    let dir = tunable("fuse-tune-wrong");
    dir.write("other.txt", "Z.1 0 d1 1\nZ.2 0 d1 1\n");
    for (options, line) in [
        (
            &["--by", "combmax", "--tune", "qrels.txt"][..],
            "--tune: combmax adds nothing up, so weights have no effect on it",
        ),
        (
            &["--weights", "1,2", "--tune", "qrels.txt"],
            "--tune finds weights, --weights gives them; take one",
        ),
        (&["--tune", "other.txt"], "other.txt: none of the topics of the runs is judged"),
        (
            &["--tune", "qrels.txt", "--folds", "13"],
            "--folds: 13 folds of 12 topics: at least 2 are needed, and a topic for each",
        ),
        (
            &["--tune", "qrels.txt", "-m", "NumRet"],
            "--measure: NumRet has no mean over topics; take one such as nDCG', AP or P@10",
        ),
        (&["--tune", "qrels.txt", "--visual-ids", "x"], "--visual-ids has no effect without --task 2"),
    ] {
        let arguments = [&["fuse", "good.txt", "bad.txt", "-o", "out.txt"], options].concat();
        dir.run(&arguments).fails(&format!("hypatia: {line}"));
    }
}
