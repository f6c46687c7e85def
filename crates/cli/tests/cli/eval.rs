//! `hypatia eval`: whole outputs of small files.

use crate::util::{Dir, Outcome};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Four topics: one with its results in the wrong order, one of which nothing
/// returned is judged, one with a right result of low grade, one without results.
pub(crate) const QRELS: &str = "A.1\t0\td1\t3\nA.1\t0\td2\t0\nA.2\t0\td3\t2\nA.2\t0\td4\t0\nA.3\t0\td5\t1\nA.3\t0\td6\t0\nA.4\t0\td7\t2\n";
pub(crate) const US: &str = "A.1\td2\t1\t2\tus\nA.1\td1\t2\t1\tus\nA.2\tx\t1\t3\tus\nA.2\ty\t2\t2\tus\nA.3\td5\t1\t1\tus\n\
                  A.9\td5\t1\t1\tus\n";
const BASE: &str = "A.1\td1\t1\t2\tbase\nA.2\td3\t1\t3\tbase\nA.4\tx\t1\t1\tbase\n";
pub(crate) const THIRD: &str = "A.1\tz\t1\t2\tthird\nA.2\td4\t1\t3\tthird\nA.2\td3\t2\t3\tthird\n";

/// Formulas 1 and 2 look the same, and so do 3 and 5.
const FORMULAS: &str = "B.1\t2\t9\t1\t5\tus\nB.1\t4\t9\t2\t4.5\tus\nB.1\t1\t9\t3\t4\tus\nB.1\t5\t9\t4\t3\tus\n\
                        B.1\t3\t9\t5\t3\tus\nB.1\t6\t9\t6\t3\tus\n";
const TABLE: &str = "id\tpost_id\tvisual_id\tformula\n1\t9\t10\tx\n2\t9\t10\tx\n3\t9\t9\ty\n4\t9\t77\tz\n5\t9\t9\ty\n\
                     6\t9\t30\tw\n";
const VISUAL_QRELS: &str = "B.1\t0\t10\t3\nB.1\t0\t9\t2\nB.1\t0\t30\t0\nB.1\t0\t55\t2\n";
const VISUAL: &str =
    "B.1\tQ0\t10\t1\t5\tus\nB.1\tQ0\t77\t2\t4.5\tus\nB.1\tQ0\t9\t3\t3\tus\nB.1\tQ0\t30\t4\t3\tus\n";

pub(crate) fn dir(name: &str) -> Dir {
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

pub(crate) fn eval(dir: &Dir, arguments: &str) -> Outcome {
    let arguments: Vec<&str> = arguments.split(' ').map(|argument| argument.trim_matches('"')).collect();
    dir.run(&[&["eval"], arguments.as_slice()].concat())
}

/// The output from a table's caption on.
#[track_caller]
pub(crate) fn from<'a>(outcome: &'a Outcome, caption: &str) -> &'a str {
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""));
    let start =
        outcome.stdout.find(caption).unwrap_or_else(|| panic!("no '{caption}' in {}", outcome.stdout));
    &outcome.stdout[start..]
}

/// The objects of the runs.
#[track_caller]
pub(crate) fn objects(outcome: &Outcome) -> Vec<Value> {
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
    \"models\": [],
    \"math_stack_exchange\": \"unknown\",
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

/// The record of a run whose model was trained on the site of ARQMath's topics.
pub(crate) const EXPOSED: &str = r#"{"program": "hypatia", "models":
    [{"name": "mini", "fingerprint": "ab", "trained_on": ["math.stackexchange.com"]}]}"#;

#[test]
fn runs_of_exposed_models_are_marked() {
    let dir = dir("eval-exposed");
    dir.write("us.tsv.json", EXPOSED);
    dir.write("third.tsv.json", r#"{"models": [{"name": "some", "trained_on": ["hub/stackexchange_xml"]}]}"#);
    let note = "‡ ranked with a model trained on Math Stack Exchange, the site of ARQMath's topics, so that its \
                scores may be too high: mini, some (perhaps).";
    let text = eval(&dir, "us.tsv base.tsv third.tsv --qrels q.txt");
    assert_eq!((text.code, text.stderr.as_str()), (0, ""));
    assert!(text.stdout.contains("\nus‡ ") && text.stdout.contains("\nthird‡ "), "{}", text.stdout);
    assert!(text.stdout.contains("\nbase "), "{}", text.stdout);
    assert_eq!(text.stdout.matches(note).count(), 1, "{}", text.stdout);
    let runs = objects(&eval(&dir, "us.tsv base.tsv third.tsv --qrels q.txt --format json"));
    let exposures: Vec<&Value> = runs.iter().map(|run| &run["math_stack_exchange"]).collect();
    assert_eq!(exposures, [&json!("yes"), &json!("unknown"), &json!("likely")]);
    assert_eq!(runs[0]["models"][0]["name"], "mini");
    let csv = eval(&dir, "us.tsv base.tsv third.tsv --qrels q.txt --format csv -m RR").stdout;
    assert!(csv.lines().next().unwrap().ends_with(",math_stack_exchange"), "{csv}");
    let fields: Vec<(&str, &str)> = csv
        .lines()
        .skip(1)
        .map(|line| (line.split(',').next().unwrap(), line.rsplit(',').next().unwrap()))
        .collect();
    for field in [("us", "yes"), ("base", "unknown"), ("third", "likely")] {
        assert!(fields.contains(&field), "{csv}");
    }
}

#[test]
fn a_damaged_record_is_a_warning() {
    let dir = dir("eval-damaged-record");
    let whole = eval(&dir, "us.tsv --qrels q.txt");
    dir.write("us.tsv.json", &EXPOSED[..30]);
    let damaged = eval(&dir, "us.tsv --qrels q.txt");
    assert_eq!((damaged.code, &damaged.stdout), (0, &whole.stdout));
    assert_eq!(
        damaged.stderr,
        "hypatia: warning: us.tsv.json:1:30: not the JSON expected here: EOF while parsing a string; us.tsv is read \
         without its record\n"
    );
}

#[test]
fn as_csv_with_remarks_beside_it() {
    let dir = dir("eval-csv");
    let outcome = eval(&dir, "us.tsv base.tsv --qrels q.txt --format csv");
    let expected = Outcome {
        code: 0,
        stdout: "\
Run,topics,nDCG',nDCG' marks,MAP',MAP' marks,P'@10,P'@10 marks,judged@10,of pool,math_stack_exchange
base,4,0.5,best,0.5,best,0.05,best,0.5,0.2857142857142857,unknown
us,4,0.4077324383928643,,0.125,,0.025,,0.5,0.42857142857142855,unknown
"
        .replace('\n', "\r\n"),
        stderr: "\
hypatia: warning: us, base: no results for 1 of 4 topics (counting 0)
hypatia: warning: us, base: no judged result for 1 of 4 topics
hypatia: warning: us: 1 topic is not judged and left out (A.9)
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

us, base: no results for 1 of 4 topics (counting 0)

us, base: no judged result for 1 of 4 topics

us: 1 topic is not judged and left out (A.9)
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
\\par\\smallskip{\\footnotesize us, base: no results for 1 of 4 topics (counting 0)}
\\par\\smallskip{\\footnotesize us, base: no judged result for 1 of 4 topics}
\\par\\smallskip{\\footnotesize us: 1 topic is not judged and left out (A.9)}
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
    let known: Vec<&str> = ::eval::Measure::known().collect();
    eval(&dir, "us.tsv --qrels q.txt -m nDGC").fails(&format!(
        "hypatia: there is no measure `nDGC` (did you mean nDCG?); known are {}",
        known.join(", ")
    ));
    let help = dir.run(&["eval", "--help"]).stdout.replace('\n', " ");
    let listed = help.split("Measures: ").nth(1).unwrap().split(';').next().unwrap();
    let listed: BTreeSet<&str> = listed.split(", ").map(str::trim).collect();
    assert_eq!(listed, known.into_iter().collect(), "the help names every measure");
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
    dir.write("q.txt", QRELS.replace("d7\t2", "d7\t4"));
    let message = "q.txt:7: the grade 4 is above 3, the highest of ARQMath";
    eval(&dir, "us.tsv --qrels q.txt --task 1")
        .fails(&format!("hypatia: {message}; leave out what could not be judged"));
    assert_eq!(eval(&dir, "us.tsv --qrels q.txt").stderr, format!("hypatia: warning: {message}\n"));
    assert_eq!(eval(&dir, "us.tsv --qrels q.txt -m nDCG").stderr, "");
}

/// A lab may keep its codes in the file of judgments; in Tasks 1 and 2 they mean that nobody judged.
#[test]
fn codes_count_as_not_judged_in_tasks_1_and_2() {
    let dir = dir("eval-codes");
    dir.write("kept.txt", QRELS.replace("d7\t2", "d7\t5"));
    let without: String =
        QRELS.lines().filter(|line| !line.contains("d7\t")).map(|line| format!("{line}\n")).collect();
    dir.write("without.txt", without);
    let values = |outcome: &str| outcome.lines().find(|line| line.starts_with("us ")).unwrap().to_owned();
    let kept = eval(&dir, "us.tsv --qrels kept.txt --task 1");
    let message = "hypatia: warning: kept.txt: 1 item has a code (5: system failure, 6: do not know) and no grade: not \
                   judged\n";
    assert_eq!((kept.code, kept.stderr.as_str()), (0, message));
    assert_eq!(values(&kept.stdout), values(&eval(&dir, "us.tsv --qrels without.txt --task 1").stdout));
}

#[test]
fn an_option_without_effect_is_an_error() {
    let dir = dir("eval-effect");
    for (arguments, missing) in [
        ("--by type", "--labels <FILE>"),
        ("--labels x.csv", "<--by <LABEL>|--study <STUDY>>"),
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
        ("--task 1 --ids visual", "--ids has no effect but on formulas: Task 2 and NTCIR"),
        ("--task 1 --visual-ids ids.tsv", "--visual-ids has no effect but on formulas: Task 2 and NTCIR"),
        (
            "--task 1 --qrels-ids instance",
            "--qrels-ids instance has no effect but on formulas: Task 2 and NTCIR",
        ),
        ("--study kinds", "--study kinds needs --labels, a table that says what kind each topic is"),
        ("--study judged", "RUN has no effect on --study judged, which looks at judgments alone"),
        ("--task 2 --study instances", "--study instances needs --visual-ids"),
        (
            "--task 2 --study instances --visual-ids ids.tsv",
            "--study instances needs judgments of formula instances: --qrels-ids instance",
        ),
        ("--unjudged --format json", "--unjudged has no form in JSON; --format csv has all digits, too"),
        ("--tukey --format json", "--tukey has no form in JSON; --format csv has all digits, too"),
        ("--correlate --format json", "--correlate has no form in JSON; --format csv has all digits, too"),
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
