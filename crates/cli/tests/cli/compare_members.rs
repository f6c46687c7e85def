//! `hypatia compare --members`: what each member of a system contributes, on the sample.

use crate::compare_systems::{MINE, QRELS, compare, json, read, sample};
use crate::util::Dir;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The members of the first of some systems, from the JSON of the comparison.
fn members(dir: &Dir, task: usize, systems: &str, more: &[&str]) -> Value {
    let compared = compare(dir, task, systems, &[&["--members", "--format", "json"], more].concat());
    assert_eq!(compared.code, 0, "{}", compared.stderr);
    json(&compared.stdout)["systems"][0].clone()
}

fn names(members: &Value) -> Vec<&str> {
    let rows = members["rows"].as_array().unwrap();
    rows.iter().map(|row| row["member"].as_str().unwrap()).collect()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

#[test]
fn a_member_alone_and_a_fusion_without_it_score_as_their_own_files_do() {
    let dir = sample("members-fusion");
    let second = "[[fusion.member]]\nsystem = \"hypatia-classic-1\"\n";
    assert!(MINE.contains(second));
    dir.write("without.toml", MINE.replace(second, "").replace("\"mine\"", "\"without\""));
    let system = members(&dir, 1, "mine.toml", &[]);
    let members = &system["members"];
    assert_eq!(names(members), ["bm25", "hypatia-classic-1"]);
    // The run that is not given is named with what would help.
    assert_eq!(members["left_out"][0]["member"], "other");
    assert!(members["left_out"][0]["why"].as_str().unwrap().contains("--member other=RUN"), "{members}");
    let apart = compare(&dir, 1, "bm25,hypatia-classic-1,without.toml", &["--format", "json"]);
    let apart = json(&apart.stdout);
    let [bm25, classic, without] = [0, 1, 2].map(|place| &apart["systems"][place]);
    for (row, alone) in [bm25, classic].into_iter().enumerate() {
        assert_eq!(members["rows"][row]["alone"]["measures"], alone["measures"]);
        let interval = &members["rows"][row]["alone"]["interval_95"]["nDCG'"];
        assert_eq!(*interval, alone["around"]["nDCG'"]["interval_95"]);
    }
    let left = &members["rows"][1]["without"];
    assert_eq!(left["measures"], without["measures"]);
    let difference = number(&left["against_all"]["nDCG'"]["difference"]);
    let (less, all) = (number(&without["measures"]["nDCG'"]), number(&members["all"]["measures"]["nDCG'"]));
    assert!((difference - (less - all)).abs() < 1e-12);
    assert_eq!(members["all"]["measures"], system["measures"]);
    let [low, high] = [0, 1].map(|end| number(&left["against_all"]["nDCG'"]["interval_95"][end]));
    let verdict = if low > 0.0 {
        "gain"
    } else if high < 0.0 {
        "loss"
    } else {
        "none"
    };
    assert_eq!(left["against_all"]["nDCG'"]["verdict"], verdict);
    // The best member of each topic is at least as good as the best member of all.
    let best = number(&members["best_of_each_topic"]["measures"]["nDCG'"]);
    assert!(best >= number(&bm25["measures"]["nDCG'"]).max(number(&classic["measures"]["nDCG'"])));
    let pairs: Vec<&Value> = members["overlap"].as_array().unwrap().iter().collect();
    assert_eq!(pairs.len(), 3);
    assert_eq!(pairs[0]["members"], serde_json::json!(["bm25", "hypatia-classic-1"]));
    assert!((0.0..=1.0).contains(&number(&pairs[0]["share"])), "{members}");
}

/// The first ten of a run by topic.
fn first_ten(dir: &Dir, name: &str) -> BTreeMap<String, BTreeSet<String>> {
    let mut first: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for line in read(dir, &format!("runs/{name}.run")).lines() {
        let fields: Vec<&str> = line.split_whitespace().collect();
        if fields[3].parse::<usize>().unwrap() <= 10 {
            first.entry(fields[0].to_owned()).or_default().insert(fields[2].to_owned());
        }
    }
    first
}

#[test]
fn unique_items_are_those_of_the_runs() {
    let dir = sample("members-unique");
    let more = ["--members-depth", "10", "--runs", "runs"];
    let system = members(&dir, 1, "mine.toml,bm25,hypatia-classic-1", &more);
    let members = &system["members"];
    let runs = ["bm25", "hypatia-classic-1"].map(|name| first_ten(&dir, name));
    let (mut relevant, mut unique, mut together) = ([0; 2], [0; 2], 0);
    for line in read(&dir, QRELS[0]).lines() {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let has = |run: &BTreeMap<String, BTreeSet<String>>| {
            run.get(fields[0]).is_some_and(|first| first.contains(fields[2]))
        };
        let held = [has(&runs[0]), has(&runs[1])];
        if fields[3].parse::<i32>().unwrap() < 1 {
            continue;
        }
        together += usize::from(held[0] || held[1]);
        for place in 0..2 {
            relevant[place] += usize::from(held[place]);
            unique[place] += usize::from(held[place] && !held[1 - place]);
        }
    }
    assert!(relevant[0] > 0 && unique[0] + unique[1] > 0);
    for place in 0..2 {
        let alone = &members["rows"][place]["alone"];
        assert_eq!(alone["relevant"], relevant[place], "{members}");
        assert_eq!(alone["unique"], unique[place], "{members}");
        let topics = number(&members["topics"]);
        assert!((number(&alone["unique_per_topic"]) - unique[place] as f64 / topics).abs() < 1e-12);
    }
    assert_eq!((&members["together"]["relevant"], &members["depth"]), (&together.into(), &10.into()));
}

#[test]
fn sums_and_ways_to_find_formulas_have_members_too() {
    let dir = sample("members-sums");
    let classic = members(&dir, 1, "hypatia-classic-1", &[]);
    assert_eq!(names(&classic["members"]), ["words", "parts of formulas", "paths in formulas"]);
    // Without vectors, `search` has nothing to find by meaning.
    let search = members(&dir, 1, "search", &[]);
    assert_eq!(names(&search["members"]), ["words", "parts", "by_formulas"]);
    assert_eq!(search["members"]["left_out"][0]["member"], "dense");
    let formulas = members(&dir, 2, "hypatia-classic-2", &[]);
    let members = &formulas["members"];
    assert_eq!(names(members), ["find, parts", "rerank, matcher"]);
    // What compares formulas finds none, and there is nothing to compare without what finds them.
    assert_eq!(members["rows"][1]["alone"], Value::Null);
    assert_eq!(members["rows"][0]["without"], Value::Null);
    assert_eq!(members["rows"][0]["alone"]["measures"], members["rows"][1]["without"]["measures"]);
    assert_eq!(members["left_out"][0]["member"], "without find, parts");
    assert_eq!(members["best_of_each_topic"], Value::Null);
}

#[test]
fn members_are_printed_in_every_form_but_csv() {
    let dir = sample("members-forms");
    let text = compare(&dir, 1, "mine.toml,bm25", &["--members"]);
    assert_eq!(text.code, 0, "{}", text.stderr);
    for part in [
        "mine: what each member contributes over 20 topics",
        "mine: what two members have in common",
        "the system without it",
        "in its first 100",
        "all members",
        "best member of each topic",
        "Left out: other: ",
        "bm25: made of one member, words; there is none to leave out.",
    ] {
        assert!(text.stdout.contains(part), "{part}: {}", text.stdout);
    }
    assert!(text.stderr.contains("mine: other is left out: "), "{}", text.stderr);
    // Times aside, the same whenever it is run again.
    let tables = |text: &str| text.split_once("mine: what each member").unwrap().1.to_owned();
    let again = compare(&dir, 1, "mine.toml,bm25", &["--members", "-j", "1"]);
    assert_eq!(tables(&text.stdout), tables(&again.stdout));
    let markdown = compare(&dir, 1, "mine.toml", &["--members", "--format", "markdown"]).stdout;
    assert!(markdown.contains("| hypatia-classic-1 ") && markdown.contains("verdict"), "{markdown}");
    let html = compare(&dir, 1, "mine.toml", &["--members", "--format", "html"]).stdout;
    assert!(html.contains("<h2>What each member of mine contributes</h2>"), "{html}");
    assert!(html.contains("<h2>What members of mine have in common</h2>"), "{html}");
    // Of what a fusion does not read, nothing counts.
    dir.write("short.toml", MINE.replace("[fusion]\n", "[fusion]\ndepth = 5\n"));
    let short = compare(&dir, 1, "short.toml", &["--members"]).stdout;
    for part in ["in its first 5", "The fusion reads the first 5 results of each member"] {
        assert!(short.contains(part), "{part}: {short}");
    }
    let one = members(&dir, 1, "bm25", &[]);
    assert!(one["members"]["note"].as_str().unwrap().contains("one member"), "{one}");
    for (more, said) in [
        (&["--members", "--format", "csv"][..], "CSV holds one"),
        (&["--members", "--members-depth", "20", "--depth", "10"], "more than the 10 results of --depth"),
        (&["--members", "--members-depth", "0"], "--members-depth"),
        (&["--members-depth", "10"], "--members"),
    ] {
        let refused = compare(&dir, 1, "mine.toml", more);
        assert_eq!(refused.code, 2, "{more:?}");
        assert!(refused.stderr.contains(said), "{more:?}: {}", refused.stderr);
    }
}
