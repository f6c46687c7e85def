//! `hypatia systems`: a list for people and for programs, and files.

use crate::util::Dir;

fn listed(arguments: &[&str]) -> String {
    let outcome = Dir::new("systems").run(&[&["systems"], arguments].concat());
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""), "{arguments:?}");
    outcome.stdout
}

#[test]
fn ours_stand_first_then_those_of_the_labs_with_their_scores() {
    let text = listed(&[]);
    let place = |part: &str| text.find(part).unwrap_or_else(|| panic!("{part} is not in the list:\n{text}"));
    assert!(place("Our own") < place("hypatia-classic-1"));
    assert!(place("hypatia-classic-2") < place("Task 1: answers"));
    assert!(place("Task 1: answers") < place("Task 2: formulas"));
    let row = text.lines().find(|line| line.trim_start().starts_with("approach0-fusion-alpha05")).unwrap();
    for part in ["†", "approach0, fusion_alpha05", "0.462", "0.460", "0.508"] {
        assert!(row.contains(part), "{part}: {row}");
    }
    assert!(text.lines().all(|line| line.chars().count() <= 120), "{text}");
    assert!(text.contains("† a part of the original is not here"));
}

#[test]
fn a_task_can_be_chosen() {
    let (one, two) = (listed(&["--task", "1"]), listed(&["--task", "2"]));
    assert!(one.contains("hypatia-classic-1") && !one.contains("hypatia-classic-2"), "{one}");
    assert!(two.contains("hypatia-classic-2") && !two.contains("hypatia-classic-1"), "{two}");
}

#[test]
fn programs_get_json() {
    let list: serde_json::Value = serde_json::from_str(&listed(&["--format", "json"])).unwrap();
    let named = |name: &str| list.as_array().unwrap().iter().find(|system| system["name"] == name).unwrap();
    let fusion = named("approach0-fusion-alpha05");
    assert_eq!(fusion["task"], 1);
    assert_eq!(fusion["lab"]["scores"]["2022"][0], 0.508);
    assert_eq!(fusion["members"], serde_json::json!(["colbert", "approach0-a0porter"]));
    assert!(fusion["lab"]["missing"].as_str().unwrap().contains("--member colbert=RUN"));
    assert!(named("bm25")["lab"].is_null() && named("bm25")["members"].is_null());
}

#[test]
fn a_name_gives_the_file() {
    assert!(listed(&["bm25"]).starts_with("name = \"bm25\"\n"));
    let unknown = Dir::new("systems").run(&["systems", "bm26"]);
    assert_eq!(unknown.code, 2);
    let said = "bm26: there is no such system; did you mean 'bm25'? known: hypatia-1, hypatia-2, hypatia-classic-1, ";
    assert!(unknown.stderr.contains(said), "{}", unknown.stderr);
}
