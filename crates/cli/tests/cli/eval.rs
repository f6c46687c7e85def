//! `hypatia eval`: whole outputs of small files.

use crate::util::{Dir, Outcome};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Four topics: one with its results in the wrong order, one of which nothing
/// returned is judged, one with a right result of low grade, one without results.
const QRELS: &str = "A.1\t0\td1\t3\nA.1\t0\td2\t0\nA.2\t0\td3\t2\nA.2\t0\td4\t0\nA.3\t0\td5\t1\nA.3\t0\td6\t0\nA.4\t0\td7\t2\n";
const US: &str = "A.1\td2\t1\t2\tus\nA.1\td1\t2\t1\tus\nA.2\tx\t1\t3\tus\nA.2\ty\t2\t2\tus\nA.3\td5\t1\t1\tus\n\
                  A.9\td5\t1\t1\tus\n";
const BASE: &str = "A.1\td1\t1\t2\tbase\nA.2\td3\t1\t3\tbase\nA.4\tx\t1\t1\tbase\n";
const THIRD: &str = "A.1\tz\t1\t2\tthird\nA.2\td4\t1\t3\tthird\nA.2\td3\t2\t3\tthird\n";

/// Formulas 1 and 2 look the same, and so do 3 and 5.
const FORMULAS: &str = "B.1\t2\t9\t1\t5\tus\nB.1\t4\t9\t2\t4.5\tus\nB.1\t1\t9\t3\t4\tus\nB.1\t5\t9\t4\t3\tus\n\
                        B.1\t3\t9\t5\t3\tus\nB.1\t6\t9\t6\t3\tus\n";
const TABLE: &str = "id\tpost_id\tvisual_id\tformula\n1\t9\t10\tx\n2\t9\t10\tx\n3\t9\t9\ty\n4\t9\t77\tz\n5\t9\t9\ty\n\
                     6\t9\t30\tw\n";
const VISUAL_QRELS: &str = "B.1\t0\t10\t3\nB.1\t0\t9\t2\nB.1\t0\t30\t0\nB.1\t0\t55\t2\n";
const VISUAL: &str =
    "B.1\tQ0\t10\t1\t5\tus\nB.1\tQ0\t77\t2\t4.5\tus\nB.1\tQ0\t9\t3\t3\tus\nB.1\tQ0\t30\t4\t3\tus\n";

fn dir(name: &str) -> Dir {
    let dir = Dir::new(name);
    for (name, contents) in [
        ("q.txt", QRELS),
        ("us.tsv", US),
        ("base.tsv", BASE),
        ("third.tsv", THIRD),
        ("f.tsv", FORMULAS),
        ("ids.tsv", TABLE),
        ("vq.txt", VISUAL_QRELS),
        ("v.tsv", VISUAL),
    ] {
        dir.write(name, contents);
    }
    dir
}

fn eval(dir: &Dir, arguments: &str) -> Outcome {
    let arguments: Vec<&str> = arguments.split(' ').map(|argument| argument.trim_matches('"')).collect();
    dir.run(&[&["eval"], arguments.as_slice()].concat())
}

/// The output from a table's caption on.
#[track_caller]
fn from<'a>(outcome: &'a Outcome, caption: &str) -> &'a str {
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""));
    let start =
        outcome.stdout.find(caption).unwrap_or_else(|| panic!("no '{caption}' in {}", outcome.stdout));
    &outcome.stdout[start..]
}

/// The objects of the runs.
#[track_caller]
fn objects(outcome: &Outcome) -> Vec<Value> {
    assert_eq!(outcome.code, 0, "{outcome:?}");
    serde_json::from_str(&outcome.stdout).unwrap()
}

/// The numbers of topics and the values of ARQMath's measures with four decimals.
#[track_caller]
fn scores(dir: &Dir, arguments: &str) -> Vec<(u64, String)> {
    let shown = |run: &Value| {
        let values = ["nDCG'", "MAP'", "P'@10"].map(|name| run["measures"][name].as_f64().unwrap());
        let values: Vec<String> = values.iter().map(|value| format!("{value:.4}")).collect();
        (run["topics"].as_u64().unwrap(), values.join(" "))
    };
    let outcome = eval(dir, &format!("{arguments} --format json"));
    objects(&outcome).iter().map(shown).collect()
}

#[test]
fn a_run_and_judgments() {
    let dir = dir("eval-default");
    eval(&dir, "us.tsv --qrels q.txt").prints(
        "\
Run                       topics   nDCG'    MAP'   P'@10  judged@10  of pool
────────────────────────────────────────────────────────────────────────────
random order of the pool          0.8616  0.6250  0.0750
highest possible                  1.0000  0.7500  0.0750
────────────────────────────────────────────────────────────────────────────
us                             4  0.4077  0.1250  0.0250      0.500    0.429

ARQMath's measures: unjudged results removed; MAP' and P'@10 count grades of 2 or more as relevant.
Means over all judged topics, those without results as 0.
judged@10: share of the first ten results that is judged; of pool: share of the judged documents that the run returned.
us: no results for 1 of 4 topics (counting 0)
us: no judged result for 1 of 4 topics
us: 1 topic is not judged and left out (A.9)
",
    );
}

#[test]
fn every_topic() {
    let dir = dir("eval-topics");
    let outcome = eval(&dir, "us.tsv --qrels q.txt -q --task 1");
    let expected = "\
ARQMath Task 1: the first 1000 results of a topic; unjudged answers removed; MAP' and P'@10 count High and Medium (grade 2 or more) as relevant.
Means over all judged topics, those without results as 0.
judged@10: share of the first ten results that is judged; of pool: share of the judged documents that the run returned.
us: no results for 1 of 4 topics (counting 0)
us: no judged result for 1 of 4 topics
us: 1 topic is not judged and left out (A.9)

Topic  Run   nDCG'    MAP'   P'@10  results  judged  pool
─────────────────────────────────────────────────────────────────────────
A.1    us   0.6309  0.5000  0.1000        2       2     2
A.2    us   0.0000  0.0000  0.0000        2       0     2  nothing judged
A.3    us   1.0000  0.0000  0.0000        1       1     2
A.4    us   0.0000  0.0000  0.0000        0       0     1  no results
";
    assert_eq!(from(&outcome, "ARQMath Task 1"), expected);
}

#[test]
fn as_json() {
    let dir = dir("eval-json");
    let topics = |outcome| objects(&outcome)[0]["per_topic"].clone();
    let expected = json!({
        "A.1": {"nDCG'": 0.630_929_753_571_457_4, "MAP'": 0.5, "P'@10": 0.1},
        "A.2": {"nDCG'": 0.0, "MAP'": 0.0, "P'@10": 0.0},
        "A.3": {"nDCG'": 1.0, "MAP'": 0.0, "P'@10": 0.0},
        "A.4": {"nDCG'": 0.0, "MAP'": 0.0, "P'@10": 0.0},
    });
    assert_eq!(topics(eval(&dir, "us.tsv --qrels q.txt --format json -q")), expected);
    eval(&dir, "us.tsv --qrels q.txt --format json -m RR").prints(
        "\
[
  {
    \"run\": \"us\",
    \"topics\": 4,
    \"measures\": {
      \"RR\": 0.375
    },
    \"file\": \"us.tsv\",
    \"tag\": \"us\",
    \"averaged_over\": \"all judged topics, those without results as 0\",
    \"definitions\": {
      \"RR\": \"RR\"
    },
    \"around\": {
      \"RR\": {
        \"adjusted\": -2.3333333333333335,
        \"chance\": 0.8125,
        \"highest\": 1.0,
        \"interval_95\": [
          -0.38674009041440616,
          1.1367400904144063
        ]
      }
    },
    \"judged_at_10\": 0.5,
    \"pool_share\": 0.42857142857142855,
    \"judged_share\": 0.6,
    \"made_of_judged_only\": false,
    \"notes\": [
      \"us: no results for 1 of 4 topics (counting 0)\",
      \"us: no judged result for 1 of 4 topics\",
      \"us: 1 topic is not judged and left out (A.9)\"
    ],
    \"made_by\": \"hypatia 0.1.0\"
  }
]
",
    );
}

#[test]
fn as_csv_with_remarks_beside_it() {
    let dir = dir("eval-csv");
    let outcome = eval(&dir, "us.tsv base.tsv --qrels q.txt --format csv");
    let expected = Outcome {
        code: 0,
        stdout: "\
Run,topics,nDCG',nDCG' marks,MAP',MAP' marks,P'@10,P'@10 marks,judged@10,of pool
base,4,0.5,best,0.5,best,0.05,best,0.5,0.2857142857142857
us,4,0.4077324383928643,,0.125,,0.025,,0.5,0.42857142857142855
"
        .replace('\n', "\r\n"),
        stderr: "\
hypatia: warning: us: no results for 1 of 4 topics (counting 0)
hypatia: warning: us: no judged result for 1 of 4 topics
hypatia: warning: us: 1 topic is not judged and left out (A.9)
hypatia: warning: base: no results for 1 of 4 topics (counting 0)
hypatia: warning: base: no judged result for 1 of 4 topics
"
        .to_owned(),
    };
    assert_eq!(outcome, expected);
    let topics = eval(&dir, "us.tsv --qrels q.txt --format csv -q").stdout;
    assert!(topics.starts_with("Topic,Run,nDCG',MAP',P'@10,results,judged,pool,"), "{topics}");
    assert_eq!(topics.lines().count(), 5, "the overview does not stand before it");
}

#[test]
fn as_markdown() {
    let dir = dir("eval-markdown");
    eval(&dir, "us.tsv base.tsv --qrels q.txt --format markdown -m P@5").prints(
        "\
| Run                                     | topics |                   P@5 | judged@10 | of pool |
| --------------------------------------- | ------:| ---------------------:| ---------:| -------:|
| <small>random order of the pool</small> |        | <small>0.2000</small> |           |         |
| <small>highest possible</small>         |        | <small>0.2000</small> |           |         |
| us                                      |      4 |            **0.1000** |     0.500 |   0.429 |
| base                                    |      4 |            **0.1000** |     0.500 |   0.286 |

Means over all judged topics, those without results as 0.

judged@10: share of the first ten results that is judged; of pool: share of the judged documents that the run returned.

us: no results for 1 of 4 topics (counting 0)

us: no judged result for 1 of 4 topics

us: 1 topic is not judged and left out (A.9)

base: no results for 1 of 4 topics (counting 0)

base: no judged result for 1 of 4 topics
",
    );
}

#[test]
fn as_latex() {
    let dir = dir("eval-latex");
    eval(&dir, "us.tsv base.tsv --qrels q.txt --format latex -m P'@5").prints(
        "\
\\begin{tabular}{@{}lrrrr@{}}
\\toprule
Run & topics & P$'$@5 & judged@10 & of pool \\\\
\\midrule
\\textcolor{gray}{random order of the pool} &  & \\textcolor{gray}{0.2000} &  &  \\\\
\\textcolor{gray}{highest possible} &  & \\textcolor{gray}{0.2000} &  &  \\\\
\\midrule
us & 4 & \\textbf{0.1000} & 0.500 & 0.429 \\\\
base & 4 & \\textbf{0.1000} & 0.500 & 0.286 \\\\
\\bottomrule
\\end{tabular}
\\par\\smallskip{\\footnotesize Means over all judged topics, those without results as 0.}
\\par\\smallskip{\\footnotesize judged@10: share of the first ten results that is judged; of pool: share of the judged documents that the run returned.}
\\par\\smallskip{\\footnotesize us: no results for 1 of 4 topics (counting 0)}
\\par\\smallskip{\\footnotesize us: no judged result for 1 of 4 topics}
\\par\\smallskip{\\footnotesize us: 1 topic is not judged and left out (A.9)}
\\par\\smallskip{\\footnotesize base: no results for 1 of 4 topics (counting 0)}
\\par\\smallskip{\\footnotesize base: no judged result for 1 of 4 topics}
",
    );
}

#[test]
fn which_topics_enter_the_means() {
    let dir = dir("eval-policies");
    for (topics, count, values) in [
        ("all", 4, "0.4077 0.1250 0.0250"),
        ("relevant", 4, "0.4077 0.1250 0.0250"),
        ("returned", 3, "0.5436 0.1667 0.0333"),
        ("judged", 2, "0.8155 0.2500 0.0500"),
    ] {
        let found = scores(&dir, &format!("us.tsv --qrels q.txt --topics {topics}"));
        assert_eq!(found, [(count, values.to_owned())], "{topics}");
    }
    dir.write("q.txt", format!("{QRELS}A.5\t0\td8\t0\n"));
    assert_eq!(scores(&dir, "us.tsv --qrels q.txt")[0].0, 5);
    assert_eq!(scores(&dir, "us.tsv --qrels q.txt --topics relevant")[0].0, 4);
}

#[test]
fn remarks_say_how_topics_count() {
    let dir = dir("eval-remarks");
    for (topics, expected) in [
        (
            "relevant",
            ["us: no results for 1 of 4 topics (counting 0)", "us: no judged result for 1 of 4 topics"],
        ),
        (
            "judged",
            [
                "us: no results for 1 of 4 topics (left out of the means)",
                "us: no judged result for 1 of 4 topics (left out of the means)",
            ],
        ),
    ] {
        let outcome = eval(&dir, &format!("us.tsv --qrels q.txt --topics {topics} --format json"));
        let mut expected = expected.to_vec();
        expected.push("us: 1 topic is not judged and left out (A.9)");
        assert_eq!(objects(&outcome)[0]["notes"], json!(expected), "{topics}");
    }
}

#[test]
fn formulas_become_visual_ids() {
    let dir = dir("eval-visual");
    let expected = [(1, "0.8100 0.6667 0.2000".to_owned())];
    assert_eq!(scores(&dir, "f.tsv --qrels vq.txt --task 2 --visual-ids ids.tsv"), expected);
    assert_eq!(scores(&dir, "f.tsv --qrels vq.txt --visual-ids ids.tsv"), expected);
    assert_eq!(scores(&dir, "v.tsv --qrels vq.txt --task 2"), expected);
    assert_eq!(scores(&dir, "v.tsv --qrels vq.txt --task 2 --ids visual"), expected);
    // Without the post, and without a header in the table.
    dir.write("v5.tsv", VISUAL.replace("Q0\t", ""));
    assert_eq!(scores(&dir, "v5.tsv --qrels vq.txt --task 2 --ids visual"), expected);
    dir.write("f5.tsv", FORMULAS.replace("\t9\t", "\t"));
    dir.write("pairs.tsv", "1\t10\n2\t10\n3\t9\n4\t77\n5\t9\n6\t30\n");
    assert_eq!(scores(&dir, "f5.tsv --qrels vq.txt --task 2 --visual-ids pairs.tsv"), expected);
}

#[test]
fn runs_of_visual_ids_and_of_formulas_side_by_side() {
    let dir = dir("eval-mixed");
    let value = (1, "0.8100 0.6667 0.2000".to_owned());
    let found = scores(&dir, "f.tsv v.tsv --qrels vq.txt --task 2 --visual-ids ids.tsv");
    assert_eq!(found, [value.clone(), value]);
}

#[test]
fn judgments_of_instances() {
    let dir = dir("eval-instances");
    dir.write("iq.txt", "B.1\t0\t1\t3\nB.1\t0\t2\t0\nB.1\t0\t3\t2\nB.1\t0\t6\t0\n");
    let expected = [(1, "1.0000 1.0000 0.2000".to_owned())];
    let by_instance = "--qrels iq.txt --task 2 --qrels-ids instance";
    assert_eq!(scores(&dir, &format!("f.tsv {by_instance} --visual-ids ids.tsv")), expected);
    assert_eq!(scores(&dir, &format!("v.tsv {by_instance} --visual-ids ids.tsv")), expected);
    // 2 (0), 4, 1 (3), 3 (2) and 6 (0) of equal score, 6 first: 3/log 3 + 2/2 over 3 + 2/log 3.
    let expected = [(1, "0.6462 0.5000 0.2000".to_owned())];
    let outcome = eval(&dir, &format!("f.tsv {by_instance} --ids instance"));
    assert!(outcome.stdout.contains("on formula instances as they are: not the lab's way"), "{outcome:?}");
    assert_eq!(scores(&dir, &format!("f.tsv {by_instance} --ids instance")), expected);
    eval(&dir, &format!("f.tsv {by_instance}")).fails(
        "hypatia: --qrels-ids instance needs --visual-ids, or --ids instance to score instances as they are",
    );
}

#[test]
fn formula_ids_are_not_taken_for_something_else() {
    let dir = dir("eval-formula-ids");
    eval(&dir, "f.tsv --qrels vq.txt --task 2").fails(
        "hypatia: f.tsv: a run of formula ids needs --visual-ids TABLE, or --ids instance to score instances as they \
         are; if the documents are visual ids, say --ids visual",
    );
    let second = "hypatia: f.tsv:2:5: the second column, Q0 in TREC runs, differs from row to row as formula ids do; a \
                  run of formula ids is read with --task 2 and without --ids visual";
    eval(&dir, "f.tsv --qrels vq.txt").fails(second);
    eval(&dir, "f.tsv --qrels vq.txt --task 2 --ids visual").fails(second);
    eval(&dir, "v.tsv --qrels vq.txt --task 2 --visual-ids ids.tsv").fails(
        "hypatia: --visual-ids has no effect: the documents of TREC runs are visual ids already, unless --ids instance \
         says otherwise",
    );
}

#[test]
fn two_judges_of_ntcir_and_their_sum() {
    let dir = dir("eval-judges");
    dir.write("one.txt", "T 0 a R\nT 0 b R\nT 0 c P\nT 0 d P\nT 0 e N\n");
    dir.write("two.txt", "T 0 a R\nT 0 b P\nT 0 c P\nT 0 d N\nT 0 e N\n");
    dir.write("n.dat", "T xxx b 1 5 n\nT xxx x 2 4 n\nT xxx e 3 3 n\nT xxx c 4 2 n\nT xxx a 5 1 n\n");
    let outcome = eval(&dir, "n.dat --qrels one.txt --qrels two.txt --task ntcir12 --format json");
    let found: Vec<(String, Vec<f64>)> = objects(&outcome)
        .iter()
        .map(|run| {
            let names = ["P@5", "P@5 partial", "bpref full", "bpref partial"];
            let values = names.map(|name| run["measures"][name].as_f64().unwrap()).to_vec();
            (run["judgments"].as_str().unwrap().to_owned(), values)
        })
        .collect();
    let expected = [
        ("aggregate".to_owned(), vec![0.4, 0.6, 0.5, 0.25]),
        ("one".to_owned(), vec![0.4, 0.6, 0.5, 0.25]),
        ("two".to_owned(), vec![0.2, 0.6, 0.0, 2.0 / 3.0]),
    ];
    assert_eq!(found, expected);
    assert_eq!(objects(&outcome)[1]["definitions"]["P@5"], "P(rel=2)@5");
    assert_eq!(outcome.stderr, "");
    dir.write("two.txt", "T 0 a R\n");
    let outcome = eval(&dir, "n.dat --qrels one.txt --qrels two.txt --task ntcir12 --format json");
    let line =
        "hypatia: warning: 4 documents were not seen by every judge; they count 0 for those who did not\n";
    assert!(outcome.stderr.starts_with(line), "{outcome:?}");
}

#[test]
fn measures_by_any_name() {
    let dir = dir("eval-measures");
    let arguments = ["eval", "us.tsv", "--qrels", "q.txt", "--format", "json"];
    let list = ["-m", "nDCG@5; AP(rel=2), RBP(p=0.8) P.5,10 map_cut_5", "-m", "ndcg_cut.5 recip_rank"];
    let outcome = dir.run(&[&arguments[..], &list].concat());
    let expected = json!({
        "nDCG@5": 0.407_732_438_392_864_3, "AP(rel=2)": 0.125, "RBP(p=0.8)": 0.089_999_999_999_999_98,
        "P@5": 0.1, "P@10": 0.05, "AP@5": 0.375, "RR": 0.375,
    });
    assert_eq!(objects(&outcome)[0]["measures"], expected);
    eval(&dir, "us.tsv --qrels q.txt -m nDGC").fails(
        "hypatia: there is no measure `nDGC` (did you mean nDCG?); known are nDCG, DCG, AP, P, R, Rprec, bpref, RR, Success, Judged, infAP, RBP, ERR, IPrec, 11ptAvg, SetP, SetR, SetF, SetAP, GMAP, GMbpref, NumQ, NumRet, NumRel, NumRelRet, NumNonRelJudgedRet",
    );
    eval(&dir, "us.tsv --qrels q.txt -m P").prints(
        "\
Run                       topics     P@5    P@10    P@15    P@20    P@30   P@100   P@200   P@500  P@1000  judged@10  of pool
────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
random order of the pool          0.2000  0.1000  0.0667  0.0500  0.0333  0.0100  0.0050  0.0020  0.0010
highest possible                  0.2000  0.1000  0.0667  0.0500  0.0333  0.0100  0.0050  0.0020  0.0010
────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
us                             4  0.1000  0.0500  0.0333  0.0250  0.0167  0.0050  0.0025  0.0010  0.0005      0.500    0.429

Means over all judged topics, those without results as 0.
judged@10: share of the first ten results that is judged; of pool: share of the judged documents that the run returned.
us: no results for 1 of 4 topics (counting 0)
us: no judged result for 1 of 4 topics
us: 1 topic is not judged and left out (A.9)
",
    );
    dir.run(&["eval", "us.tsv", "--qrels", "q.txt", "-m", ", "])
        .fails("hypatia: --measures names no measure");
}

#[test]
fn against_a_baseline() {
    let dir = dir("eval-against");
    let outcome = eval(&dir, "us.tsv base.tsv --qrels q.txt --against base");
    let expected = "\
Against base

Run  Measure  difference       p  corrected  effect  better  equal  worse  detectable
─────────────────────────────────────────────────────────────────────────────────────
us   nDCG'       -0.0923  0.8397     0.8397  -0.110       1      1      2      1.7813
us   MAP'        -0.3750  0.2152     0.2152  -0.783       0      2      2      1.0187
us   P'@10       -0.0250  0.3910     0.3910  -0.500       0      3      1      0.1064

paired t-test, two-sided, Holm-corrected over the runs.
effect: mean difference in standard deviations of the differences. detectable: the difference that a t-test with as many topics would find four times out of five (alpha 0.05).
";
    assert_eq!(from(&outcome, "Against base"), expected);
    for base in ["base.tsv", "./base.tsv"] {
        assert_eq!(eval(&dir, &format!("us.tsv base.tsv --qrels q.txt --against {base}")), outcome);
        assert_eq!(eval(&dir, &format!("us.tsv --qrels q.txt --against {base}")), outcome);
    }
    eval(&dir, "us.tsv base.tsv --qrels q.txt --against bass")
        .fails("hypatia: --against: no run 'bass'; did you mean 'base'? known: us, base");
    eval(&dir, "us.tsv --qrels q.txt --against us")
        .fails("hypatia: --against compares runs: give another one than the base");
}

#[test]
fn differences_are_over_the_topics_of_both_runs_and_this_is_said() {
    let dir = dir("eval-both");
    let outcome = eval(&dir, "us.tsv base.tsv --qrels q.txt --against base --topics returned");
    let said =
        "Over topics that count for both runs, so that a difference is not that of the means above: us 2.";
    assert!(from(&outcome, "Against base").contains(said), "{}", outcome.stdout);
    let outcome = eval(&dir, "us.tsv base.tsv --qrels q.txt --tukey --topics returned");
    let said = "Over topics that count for all runs, so that a difference is not that of the means above: 2.";
    assert!(from(&outcome, "Every two runs").contains(said), "{}", outcome.stdout);
}

#[test]
fn geometric_means_and_sums_are_no_means() {
    let dir = dir("eval-geometric");
    // AP of us: 1/2, 0, 1, 0; of base: 1, 1, 0, 0.
    let outcome = eval(&dir, "us.tsv base.tsv --qrels q.txt -m GMAP,NumRet --against base --around");
    let expected = "\
Run   Measure   value  from  to  chance  highest  adjusted
──────────────────────────────────────────────────────────
us    GMAP     0.0027                     1.0000
us    NumRet        5                 7        7
base  GMAP     0.0032                     1.0000
base  NumRet        3                 7        7
";
    assert!(from(&outcome, "Around the values").contains(expected), "{}", outcome.stdout);
    let runs =
        objects(&eval(&dir, "us.tsv base.tsv --qrels q.txt -m GMAP,NumRet --against base --format json"));
    let [us, base] = [&runs[0], &runs[1]];
    for measure in ["GMAP", "NumRet"] {
        let value = |run: &Value| run["measures"][measure].as_f64().unwrap();
        let difference = us["against"]["measures"][measure]["difference"].as_f64().unwrap();
        assert!((difference - (value(us) - value(base))).abs() < 1e-12, "{measure}: {difference}");
        assert!(us["around"][measure].get("interval_95").is_none());
    }
}

#[test]
fn stars_and_how_tests_are_corrected() {
    let dir = Dir::new("eval-stars");
    let topics = 1..=6;
    let rows = |make: fn(i32) -> String| topics.clone().map(make).collect::<String>();
    dir.write("q", rows(|topic| format!("{topic} 0 a 1\n{topic} 0 b 0\n")));
    dir.write("good", rows(|topic| format!("{topic} Q0 a 1 2 good\n")));
    dir.write(
        "mixed",
        rows(|topic| format!("{topic} Q0 b 1 2 mixed\n{topic} Q0 a 2 {} mixed\n", 1 + topic % 2 * 2)),
    );
    dir.write(
        "bad",
        rows(|topic| format!("{topic} Q0 b 1 2 bad\n{topic} Q0 a 2 {} bad\n", 1 + topic / 6 * 2)),
    );
    let p = |arguments: &str| {
        let outcome =
            eval(&dir, &format!("good mixed --qrels q -m RR --against bad --format json {arguments}"));
        let of_run = |run: &Value| {
            let measure = &run["against"]["measures"]["RR"];
            ["p", "p_corrected"].map(|name| format!("{:.4}", measure[name].as_f64().unwrap()))
        };
        objects(&outcome)[..2].iter().map(of_run).collect::<Vec<_>>()
    };
    // RR is 1 with good; 1 in three topics of six with mixed, in one with bad.
    assert_eq!(p("--correction none"), [["0.0041", "0.0041"], ["0.3632", "0.3632"]]);
    assert_eq!(p("--correction bonferroni"), [["0.0041", "0.0082"], ["0.3632", "0.7264"]]);
    assert_eq!(p("--correction holm"), [["0.0041", "0.0082"], ["0.3632", "0.3632"]]);
    assert_eq!(p("--correction bh"), [["0.0041", "0.0082"], ["0.3632", "0.3632"]]);
    assert_eq!(p("--correction none --test sign")[0], ["0.0625", "0.0625"]);
    assert_eq!(p("--correction none --test random --seed 3")[0], ["0.0625", "0.0625"]);
    assert_eq!(p("--correction none --test wilcoxon")[0][0], p("--test wilcoxon --correction none")[0][1]);
    let outcome = eval(&dir, "good mixed --qrels q -m RR --against bad");
    let expected = "\
Baseline
  bad                          6  0.5833        1.000    1.000

Others
  good                         6  1.0000**      1.000    0.500
  mixed                        6  0.7500        1.000    1.000

Means over all judged topics, those without results as 0.
* p < 0.05, ** p < 0.01 against bad (paired t-test, two-sided, Holm-corrected over the runs).
judged@10: share of the first ten results that is judged; of pool: share of the judged documents that the run returned.
bad: every result is judged, as if unjudged ones had been removed before; then only judged-only measures (') say something about the system
bad: in 1 topic a later rank has a higher score; scores decide, ranks are not looked at
good: every result is judged, as if unjudged ones had been removed before; then only judged-only measures (') say something about the system
mixed: every result is judged, as if unjudged ones had been removed before; then only judged-only measures (') say something about the system
mixed: in 3 topics a later rank has a higher score; scores decide, ranks are not looked at

Against bad

Run    Measure  difference       p  corrected  effect  better  equal  worse  detectable
───────────────────────────────────────────────────────────────────────────────────────
good   RR           0.4167  0.0041     0.0082   2.041       5      1      0      0.2928
mixed  RR           0.1667  0.3632     0.3632   0.408       3      2      1      0.5857

paired t-test, two-sided, Holm-corrected over the runs.
effect: mean difference in standard deviations of the differences. detectable: the difference that a t-test with as many topics would find four times out of five (alpha 0.05).
";
    assert_eq!(from(&outcome, "Baseline"), expected);
}

#[test]
fn every_two_runs() {
    let dir = dir("eval-tukey");
    let outcome = eval(&dir, "us.tsv base.tsv third.tsv --qrels q.txt --tukey -m nDCG");
    let expected = "\
Every two runs

Run   Other run  Measure  difference       p
────────────────────────────────────────────
us    base       nDCG        -0.0923  1.0000
us    third      nDCG         0.2500  0.8378
base  third      nDCG         0.3423  0.6100

nDCG: differences above 0.7500 are significant (0.05).
Randomised Tukey test, 10000 resamples, seed 1.
";
    assert_eq!(from(&outcome, "Every two runs"), expected);
    eval(&dir, "us.tsv --qrels q.txt --tukey").fails("hypatia: --tukey compares runs: give at least two");
}

#[test]
fn correlation_between_measures_and_judgments() {
    let dir = dir("eval-correlate");
    dir.write("r.txt", QRELS.replace("d1\t3", "d1\t1"));
    let outcome =
        eval(&dir, "us.tsv base.tsv third.tsv --qrels q.txt --qrels r.txt --correlate -m nDCG -m AP(rel=2)");
    let expected = "\
Correlation between measures over 3 runs by q

Measure  Measure    Pearson  Spearman  tau-b  tau-a  tau-AP,b
─────────────────────────────────────────────────────────────
nDCG     AP(rel=2)    0.708     0.866  0.816  0.667     0.750

Correlation between measures over 3 runs by r

Measure  Measure    Pearson  Spearman  tau-b  tau-a  tau-AP,b
─────────────────────────────────────────────────────────────
nDCG     AP(rel=2)    0.261     0.500  0.333  0.333     0.500

Correlation between judgments by nDCG over 3 runs

Judgments  Judgments  Pearson  Spearman  tau-b  tau-a  tau-AP,b
───────────────────────────────────────────────────────────────
q          r            1.000     1.000  1.000  1.000     1.000

Correlation between judgments by AP(rel=2) over 3 runs

Judgments  Judgments  Pearson  Spearman  tau-b  tau-a  tau-AP,b
───────────────────────────────────────────────────────────────
q          r            0.866     0.866  0.816  0.667     0.750
";
    assert_eq!(from(&outcome, "Correlation between measures"), expected);
    eval(&dir, "us.tsv base.tsv --qrels q.txt --correlate")
        .fails("hypatia: --correlate compares orders of runs: give at least three");
}

#[test]
fn kinds_of_topics() {
    let dir = dir("eval-kinds");
    let csv = "Topic,Assessor Id,#Answers,Dependency,Difficulty,Category\nA.1,1,5,Text,Low,Proof\n\
               A.2,1,5,Both,High,Calculation\nA.3,2,5,Text,Low,Concept\n";
    dir.write("labels.csv", csv);
    dir.write(
        "labels.json",
        r#"{"A.1": {"Difficulty": "easy"}, "A.2": {"Difficulty": "hard"}, "A.3": {"Difficulty": "easy"}}"#,
    );
    let outcome = eval(&dir, "us.tsv base.tsv --qrels q.txt --labels labels.csv --by difficulty -m nDCG'");
    let expected = "\
nDCG' by difficulty

Run      all  Low (2)  High (1)
───────────────────────────────
base  0.5000   0.5000    1.0000
us    0.4077   0.8155    0.0000

In parentheses: how many topics.
1 judged topic has no such label: in none of the columns but 'all'.

Do the kinds of topics agree? difficulty

Measure  mean gap  Kinds       tau-b  swaps  mean move
──────────────────────────────────────────────────────
nDCG'       0.092  Low : High  -1.00      1        1.0

mean gap: mean difference between neighbours when the runs are ordered by all topics. swaps: pairs of runs in another order. mean move: by how many places a run moves.
";
    assert_eq!(from(&outcome, "nDCG' by difficulty"), expected);
    let json = eval(&dir, "us.tsv base.tsv --qrels q.txt --labels labels.json --by Difficulty -m nDCG'");
    assert_eq!(from(&json, "nDCG' by").to_lowercase(), expected.to_lowercase());
    let outcome = eval(&dir, "us.tsv --qrels q.txt --labels labels.csv --by type -m nDCG'");
    assert!(outcome.stdout.contains("Computation (1)  Concept (1)  Proof (1)"), "{outcome:?}");
    eval(&dir, "us.tsv --qrels q.txt --labels labels.csv --by dificulty").fails(
        "hypatia: labels.csv: no label \"dificulty\"; there are: Assessor Id, #Answers, dependence, difficulty, type",
    );
}

#[test]
fn studies_of_the_pool() {
    let dir = dir("eval-studies");
    let outcome = eval(&dir, "us.tsv base.tsv third.tsv --qrels q.txt --study teams");
    let expected = "\
nDCG' without the judgments that only the run's own team brought

Run    Team   all judgments  without own  place  without own  own judgments
───────────────────────────────────────────────────────────────────────────
base   base          0.5000       0.5000      1            1              0
us     us            0.4077       0.2500      2            2              2
third  third         0.1577       0.2500      3            2              1

own judgments: those of documents that no other team's run returned. A run whose name follows no convention is its own team.
tau-b between the two orders of the runs: 0.816.
";
    assert_eq!(from(&outcome, "nDCG' without"), expected);
    let outcome = eval(&dir, "us.tsv base.tsv third.tsv --qrels q.txt --study depth -m nDCG");
    let expected = "\
nDCG with shallower pools

Pool depth  judgments  mean value  tau-b  tau-AP,b
──────────────────────────────────────────────────
         1          5      0.3552  1.000     1.000
       all          7      0.3552  1.000     1.000

Only the judgments of documents that stand among the first results of a run given here. tau: agreement of the order of the runs with that by all judgments.
";
    assert_eq!(from(&outcome, "nDCG with"), expected);
    eval(&dir, "us.tsv --qrels q.txt --study depth")
        .fails("hypatia: --study compares runs: give at least two");
}

#[test]
fn what_surrounds_the_values() {
    let dir = dir("eval-around");
    let outcome = eval(&dir, "third.tsv --qrels q.txt --ties");
    let expected = "\
Over all orders of tied results

Run    Measure  lowest  as ordered  highest  tied results
─────────────────────────────────────────────────────────
third  nDCG'    0.1577      0.1577   0.2500             2
third  MAP'     0.1250      0.1250   0.2500             2
third  P'@10    0.0250      0.0250   0.0250             2

Results with equal scores are ordered by id, highest first.
";
    assert_eq!(from(&outcome, "Over all orders"), expected);
    let outcome = eval(&dir, "us.tsv --qrels q.txt --around");
    let expected = "\
Around the values

Run  Measure   value     from      to  chance  highest  adjusted
────────────────────────────────────────────────────────────────
us   nDCG'    0.4077  -0.3789  1.1943  0.8616   1.0000   -3.2793
us   MAP'     0.1250  -0.2728  0.5228  0.6250   0.7500   -4.0000
us   P'@10    0.0250  -0.0546  0.1046  0.0750   0.0750

from, to: 95 % interval of the mean (Student's t over topics). chance: expected value of a random order of the judged pool. highest: value of its best order. adjusted: 0 at chance, 1 at highest.
";
    assert_eq!(from(&outcome, "Around the values"), expected);
    let outcome = eval(&dir, "us.tsv --qrels q.txt --unjudged");
    let expected = "\
If the unjudged results were judged

Run  Measure       worst  as judged  expected    best
─────────────────────────────────────────────────────
us   nDCG         0.4077     0.4077    0.5242  0.6153
us   AP(rel=2)    0.1250     0.1250    0.2194  0.2917
us   P(rel=2)@10  0.0250     0.0250    0.0517  0.0750

Unjudged results stay in the ranking here. worst, best: over all ways to call them irrelevant or of the highest grade; expected: mean of 100 random verdicts with the frequencies of the topic's judgments, seed 1.
";
    assert_eq!(from(&outcome, "If the unjudged"), expected);
}

/// All files of a folder with their contents.
fn files(dir: &Dir, folder: &str) -> BTreeMap<String, String> {
    std::fs::read_dir(dir.path().join(folder))
        .unwrap()
        .map(|entry| {
            let path = entry.unwrap().path();
            (
                path.file_name().unwrap().to_string_lossy().into_owned(),
                std::fs::read_to_string(&path).unwrap(),
            )
        })
        .collect()
}

#[test]
fn charts_are_the_same_each_time() {
    let dir = dir("eval-plot");
    dir.write("labels.csv", "Topic,Difficulty\nA.1,Low\nA.2,High\n");
    let draw = |folder: &str| {
        let runs =
            "us.tsv base.tsv third.tsv --qrels q.txt --against base --labels labels.csv --by difficulty";
        let outcome = eval(&dir, &format!("{runs} --plot {folder}"));
        assert_eq!((outcome.code, outcome.stderr), (0, format!("charts: open {folder}/index.html\n")));
        files(&dir, folder)
    };
    let (one, two) = (draw("one"), draw("two"));
    assert_eq!(one, two);
    let names: Vec<&str> = one.keys().map(String::as_str).collect();
    let expected = [
        "differences-third.svg",
        "differences-us.svg",
        "index.html",
        "kinds-Low-High.svg",
        "kinds.svg",
        "measures-MAP_.svg",
        "measures-P__10.svg",
        "systems.svg",
    ];
    assert_eq!(names, expected);
    for (name, text) in &one {
        assert_well_formed(name, text);
    }
    assert_eq!(one["index.html"].matches("<svg").count(), expected.len() - 1);
}

/// Every element that is opened is closed, and none inside another's rest.
fn assert_well_formed(name: &str, text: &str) {
    let mut open: Vec<&str> = Vec::new();
    for tag in text.split('<').skip(1) {
        let tag = tag.split('>').next().unwrap();
        let element = tag.trim_start_matches('/').split([' ', '\n', '/']).next().unwrap();
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(element), "{name}: </{element}>");
        } else if !(tag.ends_with('/')
            || tag.starts_with(['!', '?'])
            || ["meta", "br", "link"].contains(&element))
        {
            open.push(element);
        }
    }
    assert!(open.is_empty(), "{name}: {open:?} never closed");
}

#[test]
fn charts_of_runs_with_like_names_are_all_kept() {
    let dir = dir("eval-plot-names");
    dir.write("a b.tsv", US);
    dir.write("a_b.tsv", THIRD);
    let arguments =
        ["eval", "a b.tsv", "a_b.tsv", "--qrels", "q.txt", "--against", "base.tsv", "--plot", "out"];
    assert_eq!(dir.run(&arguments).code, 0);
    let names: Vec<String> = files(&dir, "out").into_keys().filter(|name| name.starts_with("diff")).collect();
    assert_eq!(names, ["differences-a_b-2.svg", "differences-a_b.svg"]);
    dir.write("file", "");
    let outcome = eval(&dir, "us.tsv --qrels q.txt --plot file");
    assert_eq!((outcome.code, outcome.stdout.as_str(), outcome.stderr.lines().count()), (2, "", 1));
    assert!(outcome.stderr.starts_with("hypatia: file: "), "{outcome:?}");
}

#[test]
fn files_of_any_make() {
    let dir = dir("eval-makes");
    let expected = eval(&dir, "us.tsv --qrels q.txt");
    dir.write("us.tsv", US.replace('\n', "\r\n"));
    dir.write("q.txt", QRELS.replace('\n', "\r\n").trim_end());
    assert_eq!(eval(&dir, "us.tsv --qrels q.txt"), expected);
    dir.write("us.tsv.gz", stored_gzip(US.as_bytes()));
    dir.write("q.gz", stored_gzip(QRELS.as_bytes()));
    assert_eq!(eval(&dir, "us.tsv.gz --qrels q.gz"), expected);
    let mut lines: Vec<&str> = US.lines().collect();
    lines.reverse();
    dir.write("us.tsv", lines.join("\n"));
    let reversed = eval(&dir, "us.tsv --qrels q.txt --format csv");
    dir.write("us.tsv", US);
    assert_eq!(eval(&dir, "us.tsv --qrels q.txt --format csv"), reversed);
}

/// Bytes as gzip, not made any smaller.
fn stored_gzip(bytes: &[u8]) -> Vec<u8> {
    let crc = bytes.iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| (crc >> 1) ^ (0xEDB8_8320 & (crc & 1).wrapping_neg()))
    });
    let length = u16::try_from(bytes.len()).unwrap();
    let mut packed = b"\x1F\x8B\x08\0\0\0\0\0\0\xFF\x01".to_vec();
    packed.extend(length.to_le_bytes());
    packed.extend((!length).to_le_bytes());
    packed.extend(bytes);
    packed.extend((!crc).to_le_bytes());
    packed.extend(u32::from(length).to_le_bytes());
    packed
}

#[test]
fn standard_input() {
    let dir = dir("eval-stdin");
    let outcome = dir.pipe(&["eval", "-", "--qrels", "q.txt", "-m", "RR"], US.as_bytes());
    assert!(outcome.stdout.contains("\nstandard input                 4  0.3750"), "{outcome:?}");
    let from_file = eval(&dir, "us.tsv --qrels q.txt");
    assert_eq!(dir.pipe(&["eval", "us.tsv", "--qrels", "-"], QRELS.as_bytes()), from_file);
    dir.pipe(&["eval", "-", "--qrels", "-"], QRELS.as_bytes())
        .fails("hypatia: standard input is either a run or judgments, not both");
}

#[test]
fn names_of_runs() {
    let dir = dir("eval-names");
    for folder in ["a", "b"] {
        std::fs::create_dir(dir.path().join(folder)).unwrap();
        std::fs::write(dir.path().join(folder).join("us.tsv"), US).unwrap();
    }
    let names = |arguments: &str| {
        let outcome = eval(&dir, &format!("{arguments} --qrels q.txt --format json"));
        objects(&outcome).iter().map(|run| run["run"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names("a/us.tsv b/us.tsv base.tsv"), ["a/us.tsv", "b/us.tsv", "base"]);
    assert_eq!(names("us.tsv us.tsv"), ["us"]);
}

#[test]
fn a_document_listed_twice() {
    let dir = dir("eval-duplicates");
    dir.write("q", "A 0 a 2\nA 0 b 0\n");
    dir.write("r", "A Q0 a 1 3 r\nA Q0 b 2 2 r\nA Q0 a 3 1 r\n");
    let refused = "hypatia: r:3: document a is listed a second time for topic A; the first is on line 1; see --duplicates";
    eval(&dir, "r --qrels q").fails(refused);
    eval(&dir, "r --qrels q --task 1 --duplicates refuse").fails(refused);
    let map = |arguments: &str| scores(&dir, &format!("r --qrels q {arguments}"))[0].1.clone();
    assert_eq!(map("--duplicates first"), "1.0000 1.0000 0.1000");
    assert_eq!(map("--duplicates last"), "0.6309 0.5000 0.1000");
    assert_eq!(map("--task 1"), "1.0000 1.0000 0.1000");
    let outcome = eval(&dir, "r --qrels q --duplicates first");
    assert!(outcome.stdout.contains("\nr: 1 row repeats a document of its topic\n"), "{outcome:?}");
}

#[test]
fn what_cannot_be_scored_is_said() {
    let dir = dir("eval-nothing");
    dir.write("other.tsv", US.replace("A.", "A.30"));
    eval(&dir, "us.tsv other.tsv --qrels q.txt").fails(
        "hypatia: other.tsv: none of its topics (A.301, A.302, A.303, …) is judged; the judgments are of A.1, A.2, A.3, …",
    );
    dir.write("other.tsv", US.replace("\td", "\tp"));
    let outcome = eval(&dir, "other.tsv --qrels q.txt");
    let line = "\nother: not one result is judged: do run and judgments have ids of the same kind?\n";
    assert!(outcome.stdout.contains(line), "{outcome:?}");
    eval(&dir, "other.tsv --qrels q.txt --topics judged").fails(
        "hypatia: other.tsv: no topic of q.txt counts: means are over topics for which the run has a judged result \
         (see --topics)",
    );
    dir.write("empty.tsv", "");
    eval(&dir, "empty.tsv --qrels q.txt").fails("hypatia: empty.tsv: holds no results");
    dir.write("low.tsv", US.replace("\t2\tus", "\t0.5\tus"));
    let outcome = eval(&dir, "low.tsv --qrels q.txt");
    let line = "\nlow: in 1 topic a later rank has a higher score; scores decide, ranks are not looked at\n";
    assert!(outcome.stdout.contains(line), "{outcome:?}");
}

#[test]
fn grades_that_the_lab_does_not_have() {
    let dir = dir("eval-grades");
    dir.write("q.txt", QRELS.replace("d7\t2", "d7\t5"));
    let message = "q.txt:7: the grade 5 is above 3, the highest of ARQMath";
    eval(&dir, "us.tsv --qrels q.txt --task 1")
        .fails(&format!("hypatia: {message}; leave out what could not be judged"));
    assert_eq!(eval(&dir, "us.tsv --qrels q.txt").stderr, format!("hypatia: warning: {message}\n"));
    assert_eq!(eval(&dir, "us.tsv --qrels q.txt -m nDCG").stderr, "");
}

#[test]
fn an_option_without_effect_is_an_error() {
    let dir = dir("eval-effect");
    for (arguments, missing) in [
        ("--by type", "--labels <FILE>"),
        ("--labels x.csv", "--by <LABEL>"),
        ("--test sign", "--against <BASE>"),
        ("--correction none", "--against <BASE>"),
        ("--pool-depth 5", "--study <STUDY>"),
        ("--seed 7", "<--against <BASE>|--tukey|--unjudged>"),
    ] {
        let outcome = eval(&dir, &format!("us.tsv --qrels q.txt {arguments}"));
        assert_eq!((outcome.code, outcome.stdout.as_str()), (2, ""), "{arguments}");
        assert!(outcome.stderr.contains(missing), "{arguments}: {}", outcome.stderr);
    }
    for (arguments, line) in [
        ("--study depth --pool-depth 5", "--pool-depth has no effect but on --study teams"),
        ("--task 1 --ids visual", "--ids has no effect but on Task 2"),
        ("--task 1 --visual-ids ids.tsv", "--visual-ids has no effect but on Task 2"),
        ("--task ntcir12 --qrels-ids instance", "--qrels-ids instance has no effect but on Task 2"),
        ("--unjudged --format json", "--unjudged has no form in JSON; --format csv has all digits, too"),
        ("--tukey --format json", "--tukey has no form in JSON; --format csv has all digits, too"),
        ("--correlate --format json", "--correlate has no form in JSON; --format csv has all digits, too"),
        ("--study teams --format json", "--study has no form in JSON; --format csv has all digits, too"),
        ("--labels x --by y --format json", "--by has no form in JSON; --format csv has all digits, too"),
    ] {
        eval(&dir, &format!("us.tsv --qrels q.txt {arguments}")).fails(&format!("hypatia: {line}"));
    }
}

#[test]
fn help_names_columns_measures_and_examples() {
    let help = eval(&Dir::new("eval-help"), "--help").stdout;
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    for words in
        ["Examples:", "topic, Q0, document, rank", "topic, 0, document, grade", "nDCG'", "standard input"]
    {
        assert!(help.contains(words), "no '{words}' in the help");
    }
}
