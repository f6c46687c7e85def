//! `hypatia agree`: topic sets beside each other.

use crate::util::Dir;
use serde_json::{Value, json};

/// A comparison in which each system has the given mean on every topic, with a little noise.
fn comparison(systems: &[(&str, f64)], topics: usize, measure: &str) -> String {
    let system = |(place, (name, mean)): (usize, &(&str, f64))| {
        let per_topic: serde_json::Map<String, Value> = (0..topics)
            .map(|topic| {
                let noise = ((topic * 7 + place * 3) % 5) as f64 / 100.0;
                (format!("A.{topic}"), json!({ measure: mean + noise, "other": 0.5 }))
            })
            .collect();
        json!({ "system": name, "per_topic": per_topic })
    };
    let systems: Vec<Value> = systems.iter().enumerate().map(system).collect();
    json!({ "task": 1, "measures": [measure, "other"], "systems": systems }).to_string()
}

fn files(name: &str) -> Dir {
    let dir = Dir::new(name);
    let one = [("a", 0.1), ("b", 0.3), ("c", 0.5), ("d", 0.7), ("only-one", 0.9)];
    let two = [("d", 0.6), ("c", 0.8), ("b", 0.3), ("a", 0.3)];
    dir.write("one.json", comparison(&one, 20, "nDCG'"));
    dir.write("two.json", comparison(&two, 30, "nDCG@1000"));
    dir
}

#[test]
fn order_and_pairs_are_compared() {
    let dir = files("agree");
    let found = dir.run(&["agree", "one.json", "two.json", "--format", "json"]);
    assert_eq!((found.code, found.stderr.as_str()), (0, ""));
    let found: Value = serde_json::from_str(&found.stdout).unwrap();
    let pair = &found["pairs"][0];
    assert_eq!(pair["a"], json!({ "file": "one.json", "measure": "nDCG'", "topics": 20 }));
    assert_eq!(pair["b"], json!({ "file": "two.json", "measure": "nDCG@1000", "topics": 30 }));
    assert_eq!(pair["systems"], 4);
    assert_eq!(pair["told_apart_by_a"], json!({ "pairs": 6, "same": 4, "opposite": 1, "not": 1 }));
    assert_eq!(pair["told_apart_by_b"], json!({ "pairs": 5, "same": 4, "opposite": 1, "not": 0 }));
    let tau = pair["tau_b"].as_f64().unwrap();
    let ends = pair["tau_b_interval_95"].as_array().unwrap();
    assert!(ends[0].as_f64().unwrap() <= tau && tau <= ends[1].as_f64().unwrap(), "{pair}");
    assert!(tau > 0.3 && tau < 1.0 && pair["pearson"].as_f64().unwrap() > 0.5, "{pair}");
    // Three files make three pairs; the file itself agrees with itself.
    dir.write("three.json", std::fs::read(dir.path().join("one.json")).unwrap());
    let text = dir.run(&["agree", "one.json", "two.json", "three.json", "--seed", "3"]);
    assert_eq!(text.code, 0, "{}", text.stderr);
    for part in ["one (nDCG')", "1.000 to 1.000", "seed 3", "Holm-corrected", "opposite way"] {
        assert!(text.stdout.contains(part), "{part}: {}", text.stdout);
    }
    assert_eq!(text.stdout.lines().filter(|line| line.contains("(nDCG")).count(), 3);
    assert_eq!(dir.run(&["agree", "one.json", "two.json", "three.json", "--seed", "3"]), text);
    let markdown = dir.run(&["agree", "one.json", "two.json", "--format", "markdown", "-o", "m.md"]);
    assert_eq!((markdown.code, markdown.stdout.as_str()), (0, ""));
    assert!(std::fs::read_to_string(dir.path().join("m.md")).unwrap().contains("| one"));
}

#[test]
fn mistakes_are_named() {
    let dir = files("agree-mistakes");
    let few = [("a", 0.1), ("b", 0.2), ("x", 0.3)];
    dir.write("few.json", comparison(&few, 5, "AP"));
    dir.write("text.json", "no JSON");
    dir.write("old.json", json!({ "systems": [{ "system": "a" }] }).to_string());
    let mut second: Value = serde_json::from_str(&comparison(&few, 5, "AP")).unwrap();
    second["task"] = json!(2);
    dir.write("task2.json", second.to_string());
    for (more, said) in [
        (&["few.json"][..], "one.json and few.json have 2 systems in common (a, b); at least 3 are needed"),
        (&["text.json"], "text.json: is not the JSON of `hypatia compare`"),
        (&["old.json"], "old.json: has no systems with values of topics"),
        (&["task2.json"], "one.json is of task 1 and task2.json of task 2"),
        (&["missing.json"], "missing.json"),
        (&["two.json", "--measure", "nDCG"], "one.json: has no nDCG"),
        (&["two.json", "--measure", "a,b,c"], "--measure names 3 measures for 2 files"),
    ] {
        let failed = dir.run(&[&["agree", "one.json"][..], more].concat());
        assert_eq!(failed.code, 2, "{more:?}");
        assert!(failed.stderr.contains(said), "{more:?}: {}", failed.stderr);
    }
    assert_eq!(dir.run(&["agree", "one.json"]).code, 2);
    assert_eq!(dir.run(&["agree", "one.json", "two.json", "-m", "other"]).code, 0);
}

#[test]
fn what_compare_and_eval_write_can_be_read() {
    let dir = crate::util::sample("agree-compare");
    let (topics, qrels) = ("sample/topics/Topics_Task1.xml", "sample/qrels/task1.qrels");
    let compare = |measure: &str, out: &str| {
        let systems = "bm25,hypatia-classic-1,search";
        let command = ["compare", "--systems", systems, "--topics", topics, "--qrels", qrels, "-m", measure];
        let more = ["--index", "hypatia.index", "--format", "json", "-o", out, "--runs", "runs"];
        let done = dir.run(&[&command[..], &more].concat());
        assert_eq!(done.code, 0, "{}", done.stderr);
        serde_json::from_str::<Value>(&std::fs::read_to_string(dir.path().join(out)).unwrap()).unwrap()
    };
    let first = compare("nDCG',AP", "a.json");
    compare("P@5", "b.json");
    // The mean is that of the topics.
    for system in first["systems"].as_array().unwrap() {
        let topics = system["per_topic"].as_object().unwrap();
        let sum: f64 = topics.values().map(|values| values["nDCG'"].as_f64().unwrap()).sum();
        let mean = system["measures"]["nDCG'"].as_f64().unwrap();
        assert!((sum / topics.len() as f64 - mean).abs() < 1e-12);
        assert_eq!(system["topics"], topics.len());
    }
    assert_eq!(first["measures"], json!(["nDCG'", "AP"]));
    let agreed = dir.run(&["agree", "a.json", "b.json", "--format", "json"]);
    assert_eq!(agreed.code, 0, "{}", agreed.stderr);
    let runs = ["runs/bm25.run", "runs/hypatia-classic-1.run", "runs/search.run"];
    let eval = [
        "eval",
        runs[0],
        runs[1],
        runs[2],
        "--qrels",
        qrels,
        "-m",
        "nDCG'",
        "--per-topic",
        "--format",
        "json",
    ];
    let scored = dir.run(&eval);
    assert_eq!(scored.code, 0, "{}", scored.stderr);
    dir.write("c.json", scored.stdout);
    let agreed = dir.run(&["agree", "a.json", "c.json", "--format", "json"]);
    assert_eq!(agreed.code, 0, "{}", agreed.stderr);
    let agreed: Value = serde_json::from_str(&agreed.stdout).unwrap();
    assert_eq!((&agreed["pairs"][0]["tau_b"], &agreed["pairs"][0]["systems"]), (&json!(1.0), &json!(3)));
}
