//! `hypatia eval`: comparisons, studies and charts.

use crate::eval::{QRELS, THIRD, US, dir, eval, from, objects};
use crate::util::Dir;
use serde_json::Value;
use std::collections::BTreeMap;

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
bad, good, mixed: every result is judged, as if unjudged ones had been removed before; then only judged-only measures (') say something about the system
bad: in 1 topic a later rank has a higher score; scores decide, ranks are not looked at
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

/// Two judges of NTCIR: of the three formulas of topic 1 the first two look the same. The sums of the grades are
/// 4, 1 and 0 for topic 1 and 2 for topic 2.
fn judged_twice(name: &str) -> Dir {
    let dir = Dir::new(name);
    dir.write("ug.txt", "1 xxx a R\n1 xxx b P\n1 xxx c N\n2 xxx a P\n");
    dir.write("grad.txt", "1 xxx a R\n1 xxx b N\n1 xxx c N\n2 xxx a P\n");
    dir.write("ids.tsv", "a\t10\nb\t10\nc\t20\n");
    dir.write("labels.csv", "topic,complexity\n1,Low\n2,High\n");
    dir
}

/// The lines of CSV from standard output.
#[track_caller]
fn csv(dir: &Dir, arguments: &str) -> Vec<String> {
    let outcome = eval(dir, &format!("{arguments} --format csv"));
    assert_eq!(outcome.code, 0, "{outcome:?}");
    outcome.stdout.lines().map(|line| line.trim_end().to_owned()).collect()
}

#[test]
fn judged_and_relevant_instances_and_distinct_formulas_of_a_topic() {
    let dir = judged_twice("eval-judged");
    let arguments = "--task ntcir12 --qrels ug.txt --visual-ids ids.tsv --study judged";
    let expected = "\
Judged and relevant items per topic

                     judged        relevant
                  ─────────────  ─────────────
Test set  topics  min  max  avg  min  max  avg
──────────────────────────────────────────────
Formula instances
  ug           2    1    3  2.0    1    2  1.5

Visually distinct formulas
  ug           2    1    2  1.5    1    1  1.0

judged: with a grade. relevant: of grade 1 or more. Topics without a judgment are none of these.
";
    let outcome = eval(&dir, arguments);
    assert_eq!(from(&outcome, "Judged"), expected);
    // Parts of the collection, such as concrete and wildcard queries, or topics for test and training.
    dir.write("split.csv", "topic,split\n1,test\n2,train\n");
    let lines = csv(&dir, "--task ntcir12 --qrels ug.txt --study judged --labels split.csv --by split");
    assert_eq!(
        lines[1..],
        [
            "Formula instances,ug,2,1,3,2,1,2,1.5",
            "Formula instances,– test,1,3,3,3,2,2,2",
            "Formula instances,– train,1,1,1,1,1,1,1",
        ]
    );
    let outcome = eval(&dir, &format!("{arguments} --format json"));
    assert_eq!(outcome.code, 0, "{outcome:?}");
    let study: Value = serde_json::from_str(&outcome.stdout).unwrap();
    let row = &study["tables"][0]["rows"][1];
    assert_eq!(
        (study["study"].as_str(), row["section"].as_str()),
        (Some("judged"), Some("Visually distinct formulas"))
    );
    assert_eq!((row["judged: max"].as_u64(), row["judged: avg"].as_f64()), (Some(2), Some(1.5)));
}

#[test]
fn relevant_formulas_by_complexity_and_grade_with_judges_apart() {
    let dir = judged_twice("eval-relevant");
    let arguments = "--task ntcir12 --qrels ug.txt --qrels grad.txt --visual-ids ids.tsv --study relevant";
    let lines = csv(&dir, &format!("{arguments} --labels labels.csv"));
    assert_eq!(
        lines,
        [
            "section,complexity,topics,mean per topic: grade 4,mean per topic: grade 3,mean per topic: grade 2,\
             mean per topic: grade 1,mean per topic: relevant",
            "aggregate,Low,1,1,0,0,0,1",
            "aggregate,High,1,0,0,1,0,1",
            "aggregate,all,2,0.5,0,0.5,0,1",
            "ug,Low,1,,,1,0,1",
            "ug,High,1,,,0,1,1",
            "ug,all,2,,,0.5,0.5,1",
            "grad,Low,1,,,1,0,1",
            "grad,High,1,,,0,1,1",
            "grad,all,2,,,0.5,0.5,1",
        ]
    );
    let outcome = eval(&dir, &format!("{arguments} --labels labels.csv --plot out"));
    assert_eq!(outcome.code, 0, "{outcome:?}");
    for file in ["relevant-aggregate.svg", "relevant-ug.svg", "relevant-grad.svg", "index.html"] {
        assert!(dir.path().join("out").join(file).is_file(), "{file}");
    }
    for format in ["markdown", "latex", "html"] {
        assert_eq!(eval(&dir, &format!("{arguments} --format {format}")).code, 0, "{format}");
    }
    eval(&dir, &format!("{arguments} -m P@5"))
        .fails("hypatia: --measures has no effect on --study relevant, which looks at judgments alone");
    eval(&dir, "--qrels ug.txt --task ntcir12 --study teams")
        .fails("hypatia: give at least one RUN to score; only --study judged and --study relevant need none");
}

/// On topics of low complexity nDCG' is .815, .5 and 0, on those of high complexity 0, .5 and .315, on all .408, .5
/// and .158: two of three pairs are swapped, and the runs move by 2, 1 and 1 places.
#[test]
fn kinds_of_topics_rank_runs_alike_or_not() {
    let dir = dir("eval-kinds");
    dir.write("labels.csv", "topic,complexity\nA.1,Low\nA.2,High\nA.3,Low\nA.4,High\n");
    for study in ["kinds", "complexity"] {
        let arguments = "us.tsv base.tsv third.tsv --qrels q.txt --labels labels.csv -m nDCG'";
        let lines = csv(&dir, &format!("{arguments} --study {study}"));
        assert_eq!(
            lines[0],
            "Measure,teams,runs,mean gap,Kendall's tau: Low:High,swapped pairs: Low:High,mean swaps: Low:High"
        );
        let fields: Vec<&str> = lines[1].split(',').collect();
        let number = |at: usize| fields[at].parse::<f64>().unwrap();
        assert_eq!((fields[0], fields[1], fields[2], fields[5]), ("nDCG'", "3", "3", "2"));
        assert!((number(3) - (0.5 - 0.157_732) / 2.0).abs() < 1e-5, "{lines:?}");
        assert!((number(4) + 1.0 / 3.0).abs() < 1e-9 && (number(6) - 4.0 / 3.0).abs() < 1e-9, "{lines:?}");
    }
    dir.write("labels.csv", "topic,complexity\nA.1,Low\nA.2,Low\n");
    eval(&dir, "us.tsv base.tsv --qrels q.txt --labels labels.csv --study kinds")
        .fails("hypatia: --study kinds compares kinds of topics: all judged ones have the same complexity");
}

/// The run returns instances 2, 4, 1, 6, 5, 3 after ties; 1 and 2 look the same, and so do 3 and 5. Judged
/// instances have grades 1, 3, 0, 2 in this order, judged formulas 3, 2, 0.
#[test]
fn all_instances_beside_visually_distinct_formulas() {
    let dir = dir("eval-instances");
    dir.write("iq.txt", "B.1\t0\t1\t3\nB.1\t0\t2\t1\nB.1\t0\t3\t2\nB.1\t0\t6\t0\n");
    let arguments =
        "f.tsv --task 2 --qrels iq.txt --qrels-ids instance --visual-ids ids.tsv --study instances";
    let outcome = eval(&dir, arguments);
    let text = from(&outcome, "All instances and visually distinct formulas");
    let row = text.lines().find(|line| line.starts_with("f ")).unwrap();
    let values: Vec<&str> = row.split_whitespace().collect();
    assert_eq!(values, ["f", "0.7884", "0.5000", "0.2000", "1.0000", "1.0000", "0.2000"]);
    let said = "4 judged instances are 3 visually distinct formulas of their topics; 33.3 % of these have at least 2 \
                judged instances.";
    assert!(text.contains(said), "{text}");
    // Judges side by side, and NTCIR's runs, whose second column says nothing.
    let run = "B.1 xxx 2 1 5 r\nB.1 xxx 4 2 4.5 r\nB.1 xxx 1 3 4 r\nB.1 xxx 5 4 3 r\nB.1 xxx 3 5 3 r\nB.1 xxx 6 6 3 r\n";
    dir.write("n.dat", run);
    dir.write("ug.txt", "B.1 xxx 1 R\nB.1 xxx 2 P\nB.1 xxx 3 P\nB.1 xxx 6 N\n");
    dir.write("grad.txt", "B.1 xxx 1 R\nB.1 xxx 2 N\nB.1 xxx 3 R\nB.1 xxx 6 N\n");
    let arguments = "n.dat --task ntcir12 -m nDCG' --qrels ug.txt --qrels grad.txt --visual-ids ids.tsv";
    let outcome = eval(&dir, &format!("{arguments} --study instances"));
    let text = from(&outcome, "nDCG': all instances");
    let row = text.lines().find(|line| line.starts_with("n ")).unwrap();
    let values: Vec<&str> = row.split_whitespace().collect();
    assert_eq!(values, ["n", "0.7533", "0.8600", "0.6509", "1.0000", "1.0000", "1.0000"]);
    // Without visual ids the instances are scored, which is NTCIR's own way.
    let outcome = eval(&dir, "n.dat --task ntcir12 -m nDCG' --qrels ug.txt --format json");
    let value = objects(&outcome)[0]["measures"]["nDCG'"].as_f64().unwrap();
    assert!((value - 0.859_98).abs() < 1e-5, "{value}");
}
