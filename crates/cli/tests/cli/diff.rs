//! `hypatia diff`: tiny runs, the whole output, and the exit code as the answer.

use crate::util::{Dir, Outcome};

const OLD: &str = "\
A.1 Q0 a 1 3 old
A.1 Q0 b 2 2 old
A.1 Q0 c 3 1 old
A.2 Q0 d 1 2 old
A.2 Q0 e 2 2 old
A.3 Q0 f 1 1 old
";

const NEW: &str = "\
A.1 Q0 b 1 3 new
A.1 Q0 x 2 2 new
A.1 Q0 a 3 1 new
A.2 Q0 d 1 3 new
A.2 Q0 e 2 2 new
A.4 Q0 g 1 1 new
";

const QRELS: &str = "A.1 0 a 3\nA.1 0 b 0\nA.1 0 c 1\nA.2 0 e 1\nA.3 0 f 2\nA.9 0 z 1\n";

/// A folder with both runs and judgments.
fn dir(name: &str) -> Dir {
    let dir = Dir::new(name);
    dir.write("old.txt", OLD);
    dir.write("new.txt", NEW);
    dir.write("qrels.txt", QRELS);
    dir
}

/// The runs differ and this is all that was said.
#[track_caller]
fn differs(outcome: &Outcome, stdout: &str) {
    let expected = Outcome { code: 1, stdout: stdout.to_owned(), stderr: String::new() };
    assert_eq!(*outcome, expected, "{}", outcome.stdout);
}

#[test]
fn without_judgments() {
    differs(
        &dir("diff").run(&["diff", "old.txt", "new.txt"]),
        "\
left:  old.txt (tag old, 3 topics, 6 rows)
right: new.txt (tag new, 3 topics, 6 rows)
The runs are different. 2 topics in both: 1 with other documents, 1 with the same documents in another order.
1 topic only on the left: A.3.
1 topic only on the right: A.4.
Means over topics in both: overlap@10 0.833, overlap@100 0.833, overlap 0.833, RBO(p=0.9) 0.742, tau-b -1.000.

             overlap                          only
       ───────────────────                 ───────────
Topic    @10   @100    all    RBO   tau-b  left  right  moved  by ties  is
───────────────────────────────────────────────────────────────────────────────────────────────────────
A.1    0.667  0.667  0.667  0.585  -1.000     1      1      2        0  different
A.2    1.000  1.000  1.000  0.900       –     0      0      2        2  same documents, different order

2 of 4 topics shown.

         rank
      ───────────
Item  left  right  move
────────────────────────────────────
A.1
  a      1      3  down
  b      2      1  up
  x      –      2  only on the right
  c      3      –  only on the left

A.2
  d      2      1  tie order
  e      1      2  tie order
",
    );
}

#[test]
fn with_judgments() {
    differs(
        &dir("diff-qrels").run(&["diff", "old.txt", "new.txt", "--qrels", "qrels.txt"]),
        "\
left:  old.txt (tag old, 3 topics, 6 rows)
right: new.txt (tag new, 3 topics, 6 rows)
The runs are different. 2 topics in both: 1 with other documents, 1 with the same documents in another order.
1 topic only on the left: A.3.
1 topic only on the right: A.4.
Means over topics in both: overlap@10 0.833, overlap@100 0.833, overlap 0.833, RBO(p=0.9) 0.742, tau-b -1.000.
nDCG': 0.7410 → 0.3803 (-0.3607) over 4 judged topics; 0 better, 2 equal, 2 worse.
1 judged topic in neither run, counting 0 on both sides.

                 nDCG'                   overlap                          only
       ──────────────────────────  ───────────────────                 ───────────
Topic    left   right  difference    @10   @100    all    RBO   tau-b  left  right  moved  by ties  is
───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
A.3    1.0000  0.0000     -1.0000  0.000  0.000  0.000      –       –     1      0      0        0  only on the left
A.1    0.9639  0.5213     -0.4426  0.667  0.667  0.667  0.585  -1.000     1      1      2        0  different
A.2    1.0000  1.0000      0.0000  1.000  1.000  1.000  0.900       –     0      0      2        2  same documents, different order

3 of 5 topics shown.

         rank                judged rank       term
      ───────────            ───────────  ──────────────
Item  left  right     grade  left  right    left   right  contribution  move
─────────────────────────────────────────────────────────────────────────────────────────
A.3: nDCG' 1.0000 → 0.0000 (-1.0000)
  f      1      –         2     1      –  1.0000       –       -1.0000  only on the left

A.1: nDCG' 0.9639 → 0.5213 (-0.4426)
  a      1      3         3     1      2  0.8262  0.5213       -0.3049  down
  c      3      –         1     3      –  0.1377       –       -0.1377  only on the left
  b      2      1         0     2      1  0.0000  0.0000        0.0000  up
  x      –      2  unjudged     –      –       –  0.0000        0.0000  only on the right

A.2: nDCG' 1.0000 → 1.0000 (+0.0000)
  d      2      1  unjudged     –      –  0.0000  0.0000        0.0000  tie order
  e      1      2         1     1      1  1.0000  1.0000        0.0000  tie order
",
    );
}

#[test]
fn the_same_rankings_are_zero_whatever_scores_and_tags() {
    let dir = dir("diff-same");
    let means = "Means over topics in both: overlap@10 1.000, overlap@100 1.000, overlap 1.000, \
                 RBO(p=0.9) 1.000, tau-b 1.000.\n";
    let left = "left:  old.txt (tag old, 3 topics, 6 rows)\n";
    dir.run(&["diff", "old.txt", "old.txt"]).prints(&format!(
        "{left}right: old.txt (tag old, 3 topics, 6 rows)\nThe runs are identical. 3 topics in both: 3 identical.\n{means}"
    ));
    dir.write("tags.txt", OLD.replace("old", "other"));
    dir.run(&["diff", "old.txt", "tags.txt"]).prints(&format!(
        "{left}right: tags.txt (tag other, 3 topics, 6 rows)\nThe runs are identical; their tags differ. \
         3 topics in both: 3 identical.\n{means}"
    ));
    dir.write("scores.txt", OLD.replace("1 3 old", "1 5 old"));
    dir.run(&["diff", "old.txt", "scores.txt"]).prints(&format!(
        "{left}right: scores.txt (tag old, 3 topics, 6 rows)\nThe runs have the same order but different scores. \
         3 topics in both: 1 with other scores only, 2 identical.\n{means}"
    ));
}

#[test]
fn items_beyond_the_fifth_are_added_up() {
    let dir = Dir::new("diff-many");
    let row = |doc: u32, score: u32| format!("T Q0 d{doc} 1 {score} x\n");
    dir.write("left", (0..8).map(|doc| row(doc, 10 - doc)).collect::<String>());
    dir.write("right", (0..8).map(|doc| row(doc, 10 + doc)).collect::<String>());
    dir.write("qrels", (0..8).map(|doc| format!("T 0 d{doc} 1\n")).collect::<String>());
    let arguments = ["diff", "left", "right", "--qrels", "qrels", "-m", "RBP(p=0.5)"];
    let text = dir.run(&arguments).stdout;
    let rest = text.lines().find(|line| line.contains("and 3 more")).unwrap();
    assert!(rest.split_whitespace().last().unwrap().parse::<f64>().is_ok(), "{rest}");
    assert_eq!(text.lines().filter(|line| line.starts_with("  d")).count(), 5, "{text}");
    let all = dir.run(&[&arguments[..], &["--all"]].concat()).stdout;
    assert!(!all.contains("more"), "{all}");
    assert_eq!(all.lines().filter(|line| line.starts_with("  d")).count(), 8, "{all}");
}

#[test]
fn as_csv_and_markdown() {
    let dir = dir("diff-formats");
    let arguments =
        ["diff", "old.txt", "new.txt", "--qrels", "qrels.txt", "-m", "AP", "--top", "1", "--format"];
    differs(
        &dir.run(&[&arguments[..], &["csv"]].concat()),
        "Topic,AP: left,AP: right,AP: difference,overlap: @10,overlap: @100,overlap: all,RBO,tau-b,only: left,\
         only: right,moved,by ties,is\r\nA.3,1,0,-1,0,0,0,,,1,0,0,0,only on the left\r\n\n\
         Topic,Item,rank: left,rank: right,grade,term: left,term: right,contribution,move\r\n\
         A.3,f,1,,2,1,,-1,only on the left\r\n",
    );
    let markdown = dir.run(&[&arguments[..], &["markdown"]].concat());
    assert_eq!((markdown.code, markdown.stderr.as_str()), (1, ""));
    assert!(markdown.stdout.contains("\n| Topic |"), "{}", markdown.stdout);
    assert!(markdown.stdout.contains("| **A.3: AP 1.0000 → 0.0000 (-1.0000)** |"), "{}", markdown.stdout);
}

#[test]
fn json_holds_everything() {
    let dir = dir("diff-json");
    let outcome = dir.run(&["diff", "old.txt", "new.txt", "--qrels", "qrels.txt", "--format", "json"]);
    assert_eq!((outcome.code, outcome.stderr.as_str()), (1, ""));
    let object: serde_json::Value = serde_json::from_str(&outcome.stdout).unwrap();
    assert_eq!((&object["same_ranking"], &object["measure"]), (&false.into(), &"nDCG'".into()));
    assert_eq!(object["topics"]["only_left"], serde_json::json!(["A.3"]));
    let topics = object["per_topic"].as_array().unwrap();
    assert_eq!(topics.len(), 5);
    for topic in topics.iter().filter(|topic| !topic["difference"].is_null()) {
        let items = topic["items"].as_array().unwrap();
        let sum: f64 = items.iter().map(|item| item["contribution"].as_f64().unwrap()).sum();
        assert!((sum - topic["difference"].as_f64().unwrap()).abs() < 1e-9, "{topic}");
    }
    let unjudged = topics.iter().find(|topic| topic["topic"] == "A.4").unwrap();
    assert_eq!((&unjudged["in"], &unjudged["left"]), (&"right".into(), &serde_json::Value::Null));
    let help = dir.run(&["diff", "--help"]).stdout;
    for name in object.as_object().unwrap().keys().chain(topics[0].as_object().unwrap().keys()) {
        assert!(
            ["overlap_10", "overlap_100", "overlap", "rbo", "tau_b"].contains(&name.as_str())
                || help.contains(name),
            "{name}"
        );
    }
}

#[test]
fn depth_and_topics_narrow_what_is_compared() {
    let dir = dir("diff-narrow");
    dir.write("longer.txt", format!("{OLD}A.1 Q0 y 4 0 old\n"));
    assert_eq!(dir.run(&["diff", "old.txt", "longer.txt"]).code, 1);
    assert_eq!(dir.run(&["diff", "old.txt", "longer.txt", "--depth", "3"]).code, 0);
    assert_eq!(dir.run(&["diff", "old.txt", "longer.txt", "--topic", "A.2", "--topic", "A.3"]).code, 0);
}

#[test]
fn formulas_that_look_the_same_are_one() {
    let dir = Dir::new("diff-formulas");
    dir.write("left.tsv", "B.1\tf1\tp1\t1\t2\tx\nB.1\tf3\tp1\t2\t1\tx\n");
    dir.write("right.tsv", "B.1\tf2\tp2\t1\t2\tx\nB.1\tf3\tp1\t2\t1\tx\n");
    dir.write("ids.tsv", "f1\t10\nf2\t10\nf3\t11\n");
    let arguments = ["diff", "left.tsv", "right.tsv", "--task", "2"];
    assert_eq!(dir.run(&arguments).code, 1);
    let outcome = dir.run(&[&arguments[..], &["--visual-ids", "ids.tsv"]].concat());
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""), "{}", outcome.stdout);
    dir.write("qrels.txt", "B.1 0 10 3\n");
    let outcome = dir.run(&[&arguments[..], &["--qrels", "qrels.txt"]].concat());
    let warnings = ["left.tsv", "right.tsv"].map(|run| {
        format!("hypatia: warning: {run}: none of the results is judged; formula ids become visual ids with --visual-ids\n")
    });
    assert_eq!(outcome.stderr, warnings.concat());
}

#[test]
fn mistakes_are_named() {
    let dir = dir("diff-mistakes");
    let diff = |arguments: &[&str]| dir.run(&[&["diff", "old.txt"][..], arguments].concat());
    diff(&["new.txt", "--topic", "A2"])
        .fails("hypatia: --topic: no topic 'A2'; did you mean 'A.2'? known: A.1, A.2, A.3, A.4");
    diff(&["new.txt", "--qrels", "qrels.txt", "-m", "NumRel"]).fails(
        "hypatia: --measure: NumRel is a count, not a score that rankings share; take one such as nDCG', AP or P@10",
    );
    diff(&["new.txt", "--top", "3", "--format", "json"])
        .fails("hypatia: --top has no effect on JSON, which holds everything");
    diff(&["new.txt", "--task", "1", "--visual-ids", "old.txt"])
        .fails("hypatia: --visual-ids has no effect on Task 1, which is about answers");
    dir.write("twice.txt", format!("{OLD}A.1 Q0 a 4 0 old\n"));
    diff(&["twice.txt"]).fails(
        "hypatia: a document may stand in the list of a topic only once (see --duplicates): \
         twice.txt:7: document a is listed a second time for topic A.1; the first is on line 1",
    );
    assert_eq!(diff(&["twice.txt", "--duplicates", "first"]).code, 0);
    dir.write("bad.txt", "A.1 Q0 a 1 high old\n");
    let bad = diff(&["bad.txt"]);
    assert_eq!((bad.code, bad.stdout.as_str()), (2, ""));
    assert!(bad.stderr.starts_with("hypatia: bad.txt:1:12: "), "{}", bad.stderr);
    dir.write("empty.txt", "");
    diff(&["empty.txt"]).fails("hypatia: empty.txt: holds no results");
    dir.pipe(&["diff", "-", "-"], OLD.as_bytes()).fails("hypatia: standard input can be read once");
    dir.pipe(&["diff", "old.txt", "-"], b"").fails("hypatia: standard input: holds no results");
    for arguments in [&["new.txt", "--measure", "AP"][..], &["new.txt", "--rbo-p", "1"], &[]] {
        let outcome = diff(arguments);
        assert_eq!((outcome.code, outcome.stdout.as_str()), (2, ""), "{arguments:?}");
    }
}
