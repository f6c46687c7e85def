//! `hypatia collection info`: the statistics of a small collection, in every format.

use crate::util::Dir;
use serde_json::Value;
use testkit::small_collection;

const COUNTS: &str = "\
questions              2
answers                2
documents              0
comments               1
links                  2
users                  1
formulas               7
formulas_in_titles     1
formulas_in_questions  1
formulas_in_answers    3
formulas_in_documents  0
formulas_in_comments   1
formulas_nowhere       1
formula_ids            7
forms                  6
visual_ids             5
";

fn info(name: &str, arguments: &[&str]) -> (Dir, String) {
    let small = small_collection(name);
    let dir = Dir::new(&format!("{name}-out"));
    let path = small.collection.path().to_str().unwrap().to_owned();
    let mut all = vec!["collection", "info", path.as_str()];
    all.extend(arguments);
    let outcome = dir.run(&all);
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""));
    (dir, outcome.stdout)
}

fn json(name: &str, arguments: &[&str]) -> Value {
    let (_dir, text) = info(name, &[&["--format", "json"], arguments].concat());
    serde_json::from_str(&text).unwrap()
}

#[test]
fn plain_counts_come_first() {
    let (_dir, quick) = info("info-quick", &["--quick"]);
    assert!(quick.starts_with(COUNTS), "{quick}");
    let rest: Vec<&str> = quick[COUNTS.len()..].lines().collect();
    assert_eq!(rest[1], "Files.", "only what needs no reading follows: {rest:?}");
    let (_dir, all) = info("info-text", &[]);
    assert!(all.starts_with(COUNTS), "{all}");
    assert!(all.contains("Kinds of formulas."), "{all}");
}

#[test]
fn tables_are_as_expected() {
    testkit::check_dir("tests/cli/collection_info", "args", "out", |arguments| {
        let arguments: Vec<&str> = arguments.split(' ').collect();
        let (_dir, text) = info(&format!("info-expected-{}", arguments[1]), &arguments);
        // How many bytes the collection has depends on how it is packed.
        let is_size = |line: &&str| line.trim_start_matches(['|', ' ']).starts_with("the collection");
        text.lines().filter(|line| !is_size(line)).map(|line| format!("{line}\n")).collect()
    });
}

#[test]
fn every_format_has_the_tables() {
    for (format, parts) in [
        ("markdown", &["| with an accepted answer", "| --", "Kinds of formulas"][..]),
        ("latex", &["\\begin{table}", "\\toprule", "\\quad with an accepted answer & 1 & 50.0 \\% \\\\"]),
        ("html", &["<!DOCTYPE html>", "<svg", "Answers per question", "with an accepted answer"]),
    ] {
        let (_dir, text) = info(&format!("info-{format}"), &["--format", format]);
        for part in parts {
            assert!(text.contains(part), "{part} in {text}");
        }
        let (_dir, again) = info(&format!("info-{format}-again"), &["--format", format]);
        assert_eq!(text, again, "the same collection prints the same");
    }
}

#[test]
fn json_has_stable_keys() {
    let object = json("info-json", &[]);
    for line in COUNTS.lines() {
        let (name, count) = line.split_once(' ').unwrap();
        assert_eq!(object[name], count.trim().parse::<u64>().unwrap(), "{name}");
    }
    for (pointer, value) in [
        ("/source", "\"arqmath\""),
        ("/survey/posts/answers_per_question/mean", "1.0"),
        ("/survey/posts/questions_by_answers", "[[1,2]]"),
        ("/survey/posts/with_accepted_answer", "1"),
        ("/survey/posts/links/duplicate/inside", "1"),
        ("/survey/posts/links/related/leading_outside", "1"),
        ("/survey/posts/posts_without_formulas", "1"),
        ("/survey/posts/questions/words/n", "2"),
        ("/survey/posts/questions/scores/greatest", "7"),
        ("/survey/posts/answers/scores/least", "-1"),
        ("/survey/posts/comments/words/greatest", "2"),
        ("/survey/posts/tags/0", "{\"posts\":1,\"tag\":\"calculus\"}"),
        ("/survey/posts/first_date", "\"2014-03-02T09:15:00.000\""),
        ("/survey/posts/years/2015/questions", "1"),
        ("/survey/formulas/places/answer", "{\"all\":3,\"block\":1,\"inline\":2}"),
        ("/survey/formulas/places/nowhere/all", "1"),
        ("/survey/formulas/kinds/relation/forms", "1"),
        ("/survey/formulas/kinds/symbol/instances", "1"),
        ("/survey/formulas/most_frequent/0/instances", "2"),
        ("/survey/formulas/visual_ids_in_posts", "3"),
        ("/survey/formulas/without_presentation/forms", "5"),
        ("/survey/formulas/elsewhere", "1"),
        ("/survey/looks/visual_ids_with_several_keys/groups", "1"),
        ("/survey/looks/keys_with_several_visual_ids/groups", "1"),
    ] {
        let found = object.pointer(pointer).map(Value::to_string);
        assert_eq!(found.as_deref(), Some(value), "{pointer}");
    }
    assert_eq!(json("info-json-quick", &["--quick"]).get("survey"), None);
}

#[test]
fn charts_and_tables_go_to_files() {
    let (dir, stdout) =
        info("info-plots", &["--plots", "plots/new", "-o", "table.md", "--format", "markdown"]);
    assert_eq!(stdout, "");
    assert!(std::fs::read_to_string(dir.path().join("table.md")).unwrap().contains("| questions"));
    for name in [
        "answers-per-question",
        "formulas-per-post",
        "symbols-per-formula",
        "formula-frequency",
        "posts-by-year",
    ] {
        let svg = std::fs::read_to_string(dir.path().join(format!("plots/new/{name}.svg"))).unwrap();
        assert!(svg.starts_with("<svg"), "{name}");
    }
}

#[test]
fn what_cannot_be_done_is_said() {
    let dir = Dir::new("info-wrong");
    dir.write("no.coll", "not a collection");
    let outcome = dir.run(&["collection", "info", "no.coll"]);
    assert_eq!((outcome.code, outcome.stdout.as_str()), (2, ""));
    assert!(outcome.stderr.starts_with("hypatia: no.coll"), "{}", outcome.stderr);
    let outcome = dir.run(&["collection", "info", "no.coll", "--quick", "--plots", "x"]);
    assert_eq!(outcome.code, 2);
    assert!(outcome.stderr.contains("--plots"), "{}", outcome.stderr);
}
