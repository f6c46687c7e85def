//! `hypatia eval --task 3`: written answers by their grades and by their tokens.

use crate::util::{Dir, Outcome};
use serde_json::Value;

const QRELS: &str = "A.1\t0\td_1\t3\nA.1\t0\td_2\t2\nA.2\t0\td_3\t0\nA.2\t0\td_4\t5\nA.3\t0\td_5\t2\n";
const MAP: &str = "us-task3-a-auto-both-extract-P\tA.1\td_1\r\nus-task3-a-auto-both-extract-P\tA.2\td_4\r\n\
                   them-task3-b-auto-both-generate-P\tA.1\td_2\r\nthem-task3-b-auto-both-generate-P\tA.2\td_3\r\n\
                   them-task3-b-auto-both-generate-P\tA.3\td_9\r\n";
const US: &str = "us-task3-a-auto-both-extract-P.tsv";
const THEM: &str = "them-task3-b-auto-both-generate-P.tsv";

fn dir(name: &str) -> Dir {
    let dir = Dir::new(name);
    dir.write("q.txt", QRELS);
    dir.write("map.tsv", MAP);
    dir.write(US, "A.1\t1\t1\ta\tpost 7\ta b c\nA.2\t1\t1\ta\tpost 8\tx\n");
    dir.write(THEM, "A.1\t1\t1\tb\t\ta b d\nA.2\t1\t1\tb\t\ty\nA.3\t1\t1\tb\t\tz\n");
    dir
}

fn eval(dir: &Dir, arguments: &str) -> Outcome {
    let arguments: Vec<&str> =
        ["eval", "--task", "3", "--qrels", "q.txt"].into_iter().chain(arguments.split_whitespace()).collect();
    dir.run(&arguments)
}

#[test]
fn runs_of_exposed_models_are_marked() {
    let dir = dir("task3-exposed");
    dir.write(&format!("{US}.json"), crate::eval::EXPOSED);
    let runs = format!("{US} {THEM} --answers map.tsv");
    let text = eval(&dir, &runs);
    assert_eq!((text.code, text.stderr.as_str()), (0, ""));
    assert!(text.stdout.contains("\nus-task3-a-auto-both-extract-P‡ "), "{}", text.stdout);
    assert!(!text.stdout.contains("generate-P‡"), "{}", text.stdout);
    assert_eq!(text.stdout.matches("may be too high: mini.").count(), 1, "{}", text.stdout);
    let json: Value = serde_json::from_str(&eval(&dir, &format!("{runs} --format json")).stdout).unwrap();
    assert_eq!(json[0]["math_stack_exchange"], "yes");
    assert_eq!(json[1]["math_stack_exchange"], "unknown");
    let csv = eval(&dir, &format!("{runs} --format csv")).stdout;
    assert!(csv.lines().any(|line| line.starts_with("us-task3") && line.ends_with(",yes")), "{csv}");
}

#[test]
fn all_runs_of_a_map() {
    eval(&dir("task3-map"), "--answers map.tsv").prints(
        "\
Run                                topics     AR    P@1
───────────────────────────────────────────────────────
highest possible                        3  1.667  0.667
───────────────────────────────────────────────────────
us-task3-a-auto-both-extract-P          2  1.500  0.500
them-task3-b-auto-both-generate-P       2  1.000  0.500

AR: mean grade, from 0 to 3; P@1: share of grades 2 and 3; over topics whose answer was judged. System failure and \"do not know\" count 0.
them-task3-b-auto-both-generate-P: 1 judged topic has no judged answer of it.
us-task3-a-auto-both-extract-P: 1 judged topic has no judged answer of it.
",
    );
}

fn measures(outcome: &Outcome) -> Vec<(String, u64, Value)> {
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""), "{outcome:?}");
    let runs: Vec<Value> = serde_json::from_str(&outcome.stdout).unwrap();
    let run = |run: &Value| {
        (run["run"].as_str().unwrap().to_owned(), run["topics"].as_u64().unwrap(), run["measures"].clone())
    };
    runs.iter().map(run).collect()
}

#[test]
fn texts_overlap_with_relevant_answers_of_other_teams() {
    let dir = dir("task3-overlap");
    let found = measures(&eval(&dir, &format!("{US} {THEM} --answers map.tsv --format json")));
    assert_eq!(found.len(), 2);
    for (_, _, measures) in &found {
        let overlap = measures["LO"].as_f64().unwrap();
        assert!((overlap - 2.0 / 3.0).abs() < 1e-12, "{measures}");
    }
    let table = eval(&dir, &format!("{US} {THEM} --answers map.tsv")).stdout;
    assert!(table.contains("\nLO: tokenizer: words and LaTeX; tokens: bags"), "{table}");
    let alone = measures(&eval(&dir, &format!("{US} --answers map.tsv --format json")));
    assert_eq!(alone[0].2.get("LO"), None, "its own answers are no references");
}

/// A short window cuts answers that the labs allow; whoever reads the value should know.
#[test]
fn texts_that_an_encoder_cuts_are_told() {
    let Some(encoder) = testkit::model_dir("minilm") else { return };
    let dir = dir("task3-cut");
    let long = "a ".repeat(599);
    dir.write(US, format!("A.1\t1\t1\ta\tpost 7\t{}\nA.2\t1\t1\ta\tpost 8\tx\n", long.trim_end()));
    let outcome = eval(&dir, &format!("{US} {THEM} --answers map.tsv --encoder {}", encoder.display()));
    let expected =
        "hypatia: warning: CS: one text is longer than 512 tokens; only its beginning is compared\n";
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, expected), "{outcome:?}");
}

/// Values that can be worked out on paper. Grades 3, 2, 0, a failure and 1: AR is 6/5, P@1 2/5. The answer to A.1
/// shares two of its three tokens with each reference, of three and of two tokens: 2/3 and 4/5, of which the higher
/// counts; that to A.2 has three tokens, its reference four, and two in common as bags (4/7) or sets (4/5); that to A.3
/// has nothing in common with its reference; A.4 and A.5 have none.
#[test]
fn values_worked_out_by_hand() {
    let dir = Dir::new("task3-by-hand");
    let (us, them, third) = (
        "us-task3-a-auto-both-extract-P",
        "them-task3-b-auto-both-extract-P",
        "third-task3-c-auto-both-extract-P",
    );
    dir.write(
        "q.txt",
        "A.1 0 u1 3\nA.2 0 u2 2\nA.3 0 u3 0\nA.4 0 u4 5\nA.5 0 u5 1\n\
         A.1 0 t1 2\nA.2 0 t2 3\nA.3 0 t3 2\nA.4 0 t4 1\nA.1 0 w1 3\nA.2 0 w2 6\n",
    );
    let mut map = String::new();
    for (run, letter, texts) in [
        (us, "u", &["a b c", "a a b", "x y", "a", "b"][..]),
        (them, "t", &["a b d", "a b b c", "z", "a"]),
        (third, "w", &["a b", "a a b", "x y"]),
    ] {
        let mut rows = String::new();
        for (text, number) in texts.iter().zip(1..) {
            map.push_str(&format!("{run}\tA.{number}\t{letter}{number}\n"));
            rows.push_str(&format!("A.{number}\t1\t1\t{run}\t\t{text}\n"));
        }
        dir.write(&format!("{run}.tsv"), rows);
    }
    dir.write("map.tsv", map);
    let arguments = format!("{us}.tsv {them}.tsv {third}.tsv --answers map.tsv --format json");
    let check = |options: &str, run: usize, topics: u64, expected: [f64; 3]| {
        let (_, found_topics, found) = measures(&eval(&dir, &format!("{arguments} {options}"))).remove(run);
        assert_eq!(found_topics, topics);
        for (measure, expected) in ["AR", "P@1", "LO"].into_iter().zip(expected) {
            let found = found[measure].as_f64().unwrap();
            assert!((found - expected).abs() < 1e-12, "{options}: {measure} {found}, not {expected}");
        }
    };
    check("", 0, 5, [6.0 / 5.0, 2.0 / 5.0, (4.0 / 5.0 + 4.0 / 7.0 + 0.0) / 3.0]);
    check("--rules as-run", 0, 5, [6.0 / 5.0, 2.0 / 5.0, (4.0 / 5.0 + 4.0 / 5.0 + 0.0) / 3.0]);
    check("--except A.2", 0, 4, [4.0 / 4.0, 1.0 / 4.0, (4.0 / 5.0 + 0.0) / 2.0]);
    // One of a grade, one that nobody knew, and one that was not judged; A.1 has the references of the others.
    let overlap = (4.0 / 5.0 + 4.0 / 7.0 + 0.0) / 3.0;
    check("", 2, 2, [3.0 / 2.0, 1.0 / 2.0, (4.0 / 5.0 + 1.0 + 0.0) / 3.0]);
    check("--topics all", 2, 5, [3.0 / 5.0, 1.0 / 5.0, (4.0 / 5.0 + 1.0 + 0.0) / 3.0]);
    // The number of topics stands beside each value, and only values over the same topics have a best.
    let table = eval(&dir, &arguments.replace("json", "markdown")).stdout;
    let row = table.lines().find(|line| line.contains(us)).unwrap();
    let cells: Vec<&str> = row.split('|').map(str::trim).collect();
    assert_eq!(cells[1..7], [us, "5", "1.200", "0.400", &format!("{overlap:.3}"), "3"], "{table}");
    assert!(!table.contains("**"), "{table}");
    // Of the run and the base, over the topics that both have.
    let outcome = eval(&dir, &format!("{arguments} --against {us}"));
    let found: Vec<Value> = serde_json::from_str(&outcome.stdout).unwrap();
    let against = &found[2]["against"]["measures"];
    assert_eq!((against["AR"]["topics"].as_u64(), against["LO"]["topics"].as_u64()), (Some(2), Some(3)));
    let difference = against["LO"]["difference"].as_f64().unwrap();
    assert!((difference - (1.0 - 4.0 / 7.0) / 3.0).abs() < 1e-12, "{difference}");
}

#[test]
fn topics_can_all_count_or_be_left_out() {
    let dir = dir("task3-topics");
    let us = "us-task3-a-auto-both-extract-P --answers map.tsv --format json";
    let ar = |options: &str| {
        let found = measures(&eval(&dir, &format!("{us} {options}")));
        (found[0].1, found[0].2["AR"].as_f64().unwrap())
    };
    assert_eq!(ar(""), (2, 1.5));
    assert_eq!(ar("--topics all"), (3, 1.0));
    assert_eq!(ar("--except A.2"), (1, 3.0));
    // A.2 has nothing of grade 1 or more.
    assert_eq!(ar("--topics relevant"), (2, 1.5));
}

#[test]
fn a_ranking_is_cut_after_its_first_result() {
    let dir = dir("task3-ranking");
    dir.write("ranking.tsv", "A.1\tQ0\td_2\t1\t1\tr\nA.1\tQ0\td_1\t2\t1\tr\nA.2\tQ0\td_3\t1\t1\tr\n");
    let found = measures(&eval(&dir, "ranking.tsv --format json"));
    // Of equal scores the lower rank is first.
    assert_eq!(found[0].2["AR"], 1.0);
    dir.write("other.tsv", "A.1\tQ0\td_1\t1\t1\tr\nA.2\tQ0\td_3\t1\t1\tr\nA.3\tQ0\td_9\t1\t1\tr\n");
    eval(&dir, "ranking.tsv other.tsv").prints(
        "                                  unjudged = 0  judged only
                                  ────────────  ────────────
Run               topics  judged     AR    P@1     AR    P@1
────────────────────────────────────────────────────────────
highest possible       3          1.667  0.667
────────────────────────────────────────────────────────────
other                  3     2/3  1.000  0.333  1.500  0.500
ranking                3     2/3  0.667  0.333  1.000  0.500

AR: mean grade, from 0 to 3; P@1: share of grades 2 and 3. System failure and \"do not know\" count 0.
unjudged = 0: over all judged topics, an answer that is missing or was not judged counts 0. judged only: over those of them whose answer was judged.
",
    );
}

#[test]
fn runs_are_compared_where_both_were_judged() {
    let dir = dir("task3-against");
    dir.write("ranking.tsv", "A.1\tQ0\td_2\t1\t1\tr\nA.2\tQ0\td_9\t1\t1\tr\nA.3\tQ0\td_5\t1\t1\tr\n");
    let outcome = eval(&dir, "--answers map.tsv us-task3-a-auto-both-extract-P --against ranking.tsv");
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""));
    let (_, compared) = outcome.stdout.split_once("\nAgainst").unwrap();
    assert_eq!(
        compared,
        " ranking

Run                             Measure  topics    run   base  difference       p  corrected  better  equal  worse
──────────────────────────────────────────────────────────────────────────────────────────────────────────────────
us-task3-a-auto-both-extract-P  AR            1  3.000  2.000       1.000  1.0000     1.0000       1      0      0
us-task3-a-auto-both-extract-P  P@1           1  1.000  1.000       0.000  1.0000     1.0000       0      1      0

Over exactly the topics where the answers of both runs were judged, so that the means are not those above.
Randomisation test of the mean, two-sided, Holm-corrected over the runs.
"
    );
    let found: Vec<Value> = serde_json::from_str(
        &eval(&dir, "--answers map.tsv --against us-task3-a-auto-both-extract-P --format json").stdout,
    )
    .unwrap();
    let them = &found[0]["against"];
    assert_eq!(
        (them["topics"].as_u64(), them["measures"]["AR"]["difference"].as_f64()),
        (Some(2), Some(-0.5))
    );
    assert_eq!(them["measures"]["AR"]["worse"], 1);
    assert_eq!(found[1].get("against"), None);
    // All runs of the map, and a base beside it.
    let outcome = eval(&dir, "--answers map.tsv --against ranking.tsv --format json");
    assert_eq!(measures(&outcome).len(), 3);
}

#[test]
fn extra_assessments_give_two_more_shares() {
    let dir = dir("task3-flags");
    dir.write("flags.tsv", "Topic\tAnswer\tMG\tUI\nA.1\td_1\t0\t1\nA.2\td_4\t1\t1\n");
    let found = measures(&eval(
        &dir,
        "us-task3-a-auto-both-extract-P --answers map.tsv --flags flags.tsv --format json",
    ));
    assert_eq!((found[0].2["MG"].as_f64(), found[0].2["UI"].as_f64()), (Some(0.5), Some(1.0)));
}

/// What `check` takes for a run of Task 3 is scored as one, however it is quoted and whatever its fields are.
#[test]
fn written_answers_are_read_as_check_reads_them() {
    let dir = dir("task3-kinds");
    let answers = |dir: &Dir, text: &str| {
        dir.write(US, text);
        let checked = dir.run(&["check", US]);
        assert_eq!(checked.code, 0, "{checked:?}");
        let found = measures(&eval(dir, &format!("{US} {THEM} --answers map.tsv --format json")));
        assert_eq!(found[0].2["AR"], 1.5, "{text}");
        found[0].2["LO"].as_f64().unwrap()
    };
    let name = "us-task3-a-auto-both-extract-P";
    for text in [
        format!("\"A.1\"\t\"1\"\t\"1\"\t\"{name}\"\t\"7\"\t\"a b c\"\n"),
        format!("A.1\t1\t1\t{name}\t7\t\"a\tb\tc\"\n"),
        format!("A.1\t1\t1\t{name}\t7\t\"a\n\nb\tc\"\n"),
        "A.1\t1\t0.5\ta\t12345\ta b c\n".to_owned(),
        "A.1\t1\t1\t7\t12345\ta b c\n".to_owned(),
        "A.1\t1\t1\t1\t12345\ta b c\nA.2\t1\t1\t1\t12346\tx\n".to_owned(),
    ] {
        assert!((answers(&dir, &text) - 2.0 / 3.0).abs() < 1e-12, "{text}");
    }
}

#[test]
fn files_of_another_kind_are_not_scored() {
    let dir = dir("task3-other-kinds");
    dir.write("three.tsv", "A.1\t1\tTake x.\nA.2\t1\tTake y.\n");
    let line = "the first of its three columns holds topics (A.1), where a map of runs (run, topic, answer id) has \
                the names of runs";
    eval(&dir, "three.tsv").fails(&format!(
        "hypatia: three.tsv: {line}; by its first row the file was taken for a map of runs (run, topic, answer id)"
    ));
    eval(&dir, "--answers three.tsv").fails(&format!("hypatia: three.tsv: {line}"));
    dir.write("seven.tsv", "A.1\t1\t1\ta\t7\tTake\tx.\n");
    let outcome = eval(&dir, "seven.tsv");
    assert_eq!(outcome.code, 2);
    assert!(outcome.stderr.contains("7 columns where a Task 3 run has 6"), "{outcome:?}");
    assert!(
        outcome.stderr.contains("; by its first row the file was taken for written answers"),
        "{outcome:?}"
    );
    dir.write("header.tsv", "Topic\tRank\tScore\tRun\tSources\tAnswer\nA.1\t1\t1\ta\t7\tx\n");
    let outcome = eval(&dir, "header.tsv");
    assert!(outcome.stderr.contains("; by its first row the file was taken for a ranking"), "{outcome:?}");
    // Nothing in it was judged: it may be something else, and zeros must not pass for scores.
    dir.write("numbers.tsv", "A.1\t1\t1\t1\t7\tx\nA.2\t1\t1\t1\t8\tx\n");
    let outcome = eval(&dir, "numbers.tsv");
    assert_eq!(
        outcome.stderr,
        "hypatia: warning: numbers.tsv: none of its first results (1, …) was judged; the file was taken for a \
         ranking (topic, Q0, document, rank, score, tag, or Task 1's columns)\n"
    );
}

#[test]
fn a_run_of_other_topics_is_refused() {
    let dir = dir("task3-no-topic");
    dir.write("other.tsv", "A.7\tQ0\td_1\t1\t1\tr\n");
    eval(&dir, "other.tsv")
        .fails("hypatia: other.tsv: none of its topics (A.7) is judged; the judgments are of A.1, A.2, A.3");
    dir.write("map.tsv", "us\tA.8\td_1\n");
    eval(&dir, "--answers map.tsv")
        .fails("hypatia: us: none of its topics (A.8) is judged; the judgments are of A.1, A.2, A.3");
    // Some of them: how many is said.
    dir.write("map.tsv", "us\tA.1\td_1\nus\tA.8\td_1\nus\tA.9\td_1\n");
    let outcome = eval(&dir, "--answers map.tsv");
    assert!(outcome.stdout.contains("us: 2 answered topics are not judged.\n"), "{outcome:?}");
    let found = eval(&dir, "--answers map.tsv --format json").stdout;
    let found: Vec<Value> = serde_json::from_str(&found).unwrap();
    assert_eq!(found[0]["topics_not_judged"], 2);
    dir.write("map.tsv", "us\tA.1\td_1\nus\tA.8\td_1\nthem\tA.1\td_1\nthem\tA.7\td_1\n");
    let outcome = eval(&dir, "--answers map.tsv");
    assert!(outcome.stdout.contains("\neach run: 1 answered topic is not judged.\n"), "{outcome:?}");
}

#[test]
fn a_run_comes_from_standard_input() {
    let dir = dir("task3-stdin");
    let ranking = "A.1\tQ0\td_2\t1\t1\tr\nA.2\tQ0\td_3\t1\t1\tr\n";
    let arguments = ["eval", "-", "--task", "3", "--qrels", "q.txt", "--format", "json"];
    let found = measures(&dir.pipe(&arguments, ranking.as_bytes()));
    assert_eq!((found[0].0.as_str(), &found[0].2["AR"]), ("standard input", &Value::from(1.0)));
    dir.pipe(&["eval", "-", "--task", "3", "--qrels", "-"], b"")
        .fails("hypatia: standard input is read once: either as a run or as one of the other files");
}

#[test]
fn what_is_wrong_is_said() {
    let dir = dir("task3-wrong");
    eval(&dir, US).fails(
        "hypatia: us-task3-a-auto-both-extract-P: holds written answers; say with --answers which judged answer each \
         of them is, or find them in judged posts with --collection",
    );
    let outcome = eval(&dir, "nobody --answers map.tsv");
    assert_eq!(outcome.code, 2);
    assert!(outcome.stderr.contains("no answers of a run \"nobody\""), "{outcome:?}");
    eval(&dir, "--answers map.tsv -m AP")
        .fails("hypatia: --measures has no effect with --task 3: it prints AR, P@1, LO, MG and UI");
    for option in ["--tukey", "--around", "--ties", "--unjudged", "--depth 5", "--ids visual"] {
        let name = option.split(' ').next().unwrap();
        eval(&dir, &format!("--answers map.tsv {option}"))
            .fails(&format!("hypatia: {name} has no effect with --task 3"));
    }
    eval(&dir, "--answers map.tsv --visual-ids none")
        .fails("hypatia: --visual-ids has no effect with --task 3");
    eval(&dir, "--answers map.tsv --qrels-ids instance")
        .fails("hypatia: --qrels-ids instance has no effect with --task 3");
    dir.write("flags.tsv", "Topic\tAnswer\tMG\tUI\nA.1\td_77\t0\t1\n");
    eval(&dir, "--answers map.tsv --flags flags.tsv")
        .fails("hypatia: --flags has no effect: flags.tsv holds no answer of the runs");
    let known = "known: them-task3-b-auto-both-generate-…, us-task3-a-auto-both-extract-P";
    eval(&dir, "--answers map.tsv --against x").fails(&format!("hypatia: --against: no run 'x'; {known}"));
    eval(&dir, "--answers map.tsv --against us-task3-a-auto-both-extract-P --test t")
        .fails("hypatia: --test: grades of Task 3 are compared by the randomisation test (random)");
    for option in ["--indicators", "--questions q.txt"] {
        let name = option.split(' ').next().unwrap();
        eval(&dir, &format!("--answers map.tsv {option}"))
            .fails(&format!("hypatia: {name} has no effect: no run holds written answers"));
    }
    let outcome = eval(&dir, "--answers map.tsv --except A.99");
    assert_eq!(outcome.code, 0);
    assert_eq!(outcome.stderr, "hypatia: warning: --except: A.99 is not judged anyway\n");
    eval(&dir, "--answers map.tsv --topics returned")
        .fails("hypatia: Task 3 has means over --topics judged (as published), all or relevant");
    dir.write("bad.tsv", "run\tA.1\n");
    let outcome = eval(&dir, "--answers bad.tsv");
    assert!(outcome.stderr.starts_with("hypatia: bad.tsv:1:8: 2 columns"), "{outcome:?}");
    dir.run(&["eval", US, "--qrels", "q.txt", "--answers", "map.tsv"])
        .fails("hypatia: --answers has no effect without --task 3");
}
