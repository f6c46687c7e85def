//! `hypatia tune` on the sample: weights and trees learned on some topics and measured on others.

use crate::util::{Dir, Outcome, sample};

const TASK1: &str = "sample/topics/Topics_Task1.xml";
const QRELS: &str = "sample/qrels/task1.qrels";
const PLACES: &str =
    "posts.group.words.weight,posts.group.parts of formulas.weight,posts.group.paths in formulas.weight";
const LEDGER: &str = "hypatia-classic-1.tuning.jsonl";

fn read(dir: &Dir, name: &str) -> String {
    std::fs::read_to_string(dir.path().join(name)).unwrap()
}

/// The sample, its topics in two files.
fn halves(name: &str) -> Dir {
    let dir = sample(name);
    let topics = read(&dir, TASK1);
    let (head, topics) = topics.split_at(topics.find("<Topic ").unwrap());
    let (topics, foot) = topics.split_at(topics.rfind("</Topics>").unwrap());
    let topics: Vec<&str> = topics.split_inclusive("</Topic>").collect();
    let (some, others) = topics.split_at(topics.len() / 2);
    for (name, topics) in [("some.xml", some), ("others.xml", others)] {
        dir.write(name, format!("{head}{}{foot}", topics.concat()));
    }
    dir
}

/// Tunes with judgments of the first file of topics.
fn tune_with(dir: &Dir, qrels: &str, more: &[&str]) -> Outcome {
    let base = ["tune", "--system", "hypatia-classic-1", "--index", "hypatia.index", "--folds", "2"];
    let some = ["--topics", "some.xml", "--qrels", qrels];
    let others = ["--topics", "others.xml", "--qrels", QRELS];
    dir.run(&[&base[..], &some, &others, more].concat())
}

fn tune(dir: &Dir, more: &[&str]) -> Outcome {
    tune_with(dir, QRELS, more)
}

/// The last line of the ledger.
fn last_entry(dir: &Dir) -> serde_json::Value {
    serde_json::from_str(read(dir, LEDGER).lines().last().unwrap()).unwrap()
}

/// A line of a report, by what it begins with.
#[track_caller]
fn line<'o>(outcome: &'o Outcome, start: &str) -> &'o str {
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let found = outcome.stdout.lines().find(|line| line.starts_with(start));
    found.unwrap_or_else(|| panic!("{start} is not in {}", outcome.stdout))
}

/// Checks that a difference is called what its interval says, in the ledger and in the report.
#[track_caller]
fn check_difference(difference: &serde_json::Value, said: &str) {
    let end = |place: usize| difference["interval"][place].as_f64().unwrap();
    let (verdict, words) = match (end(0) > 0.0, end(1) < 0.0) {
        (true, _) => ("gain", "a gain"),
        (_, true) => ("loss", "a loss"),
        _ => ("none", "no difference that these topics can show"),
    };
    assert_eq!(difference["verdict"], verdict, "{difference}");
    let mean = format!("{:+.4}", difference["mean"].as_f64().unwrap());
    assert!(said.contains(&mean) && said.ends_with(words), "{said}: {difference}");
}

#[test]
fn weights_are_learned_and_every_tuning_is_recorded() {
    let dir = halves("tune-learn");
    let tune = |more: &[&str]| tune(&dir, more);
    let learn = ["--learn", "posts.group.words.weight,posts.group.parts of formulas.weight"];
    let learned =
        tune(&[&learn[..], &["--penalty", "0.1,1", "-o", "weights.toml", "--held-out", "held"]].concat());
    assert_eq!(learned.code, 0, "{}", learned.stderr);
    for said in [
        "Held out, other folds:",
        "Held out, other files:",
        "The file as it stands:",
        "All weights at 1:",
        "2 penalties tried",
    ] {
        assert!(learned.stdout.contains(said), "{said}: {}", learned.stdout);
    }
    assert!(
        !learned.stdout.contains("NaN") && !learned.stdout.contains("Earlier runs"),
        "{}",
        learned.stdout
    );
    let weights = read(&dir, "weights.toml");
    assert!(weights.starts_with("posts.group.words.weight = ") && weights.lines().count() == 2, "{weights}");
    let held = "held/hypatia-classic-1-without-others.toml";
    let run = [
        "run",
        "--task",
        "1",
        "--system",
        held,
        "--topics",
        TASK1,
        "--index",
        "hypatia.index",
        "-o",
        "held.tsv",
    ];
    let run = dir.run(&run);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let ledger = "hypatia-classic-1.tuning.jsonl";
    let entry: serde_json::Value = serde_json::from_str(&read(&dir, ledger)).unwrap();
    assert_eq!((&entry["tried"], &entry["method"]), (&2.into(), &"logistic regression over pairs".into()));
    assert_eq!(entry["topics"][0]["name"], "some.xml");
    assert!(["gain", "loss", "none"].contains(&entry["verdict"].as_str().unwrap()));
    let interval = &entry["difference_interval"];
    let holds_zero = interval[0].as_f64().unwrap() <= 0.0 && interval[1].as_f64().unwrap() >= 0.0;
    assert_eq!(entry["verdict"] == "none", holds_zero, "{entry}");
    // The same again says the same and knows of the first.
    let again = tune(&[&learn[..], &["--penalty", "0.1,1"]].concat());
    assert!(
        again.stdout.starts_with(&learned.stdout)
            && again.stdout.contains("Earlier runs in the ledger on these topics: 1, with 2 settings"),
        "{}",
        again.stdout
    );
    // A line that was cut off is passed over, and the next begins a new one.
    let cut = read(&dir, ledger);
    dir.write(ledger, &cut[..cut.len() - 40]);
    let varied = tune(&["--vary", "posts.group.words.weight=0.5,0.9"]);
    assert!(varied.stderr.contains(":2: not a record of tuning") && varied.code == 0, "{}", varied.stderr);
    assert!(varied.stdout.contains("settings tried") && read(&dir, ledger).lines().count() == 3);
    for (wrong, said) in [
        (&["--learn", "posts.nowhere.at"][..], "no place"),
        (
            &["--learn", "posts.group.words.part.0.model.k1"],
            "not linear in posts.group.words.part.0.model.k1",
        ),
        (
            &["--learn", "posts.group.words.weight", "--topics", TASK1, "--qrels", QRELS],
            "is in some.xml as well",
        ),
        (&["--vary", "posts.query.title=1", "--penalty", "1"], "cannot be used with"),
        (&["--learn", "posts.group.words.weight,posts.group.words.weight"], "it is given twice"),
        (&["--learn", "posts.group.words.weight", "--penalty", "0"], "a penalty is from 1e-6"),
        (&["--learn", "posts.group.words.weight", "--vary", "posts.query.title=1"], "cannot be used with"),
    ] {
        let refused = tune(wrong);
        assert!(refused.code == 2 && refused.stderr.contains(said), "{said}: {}", refused.stderr);
    }
}

#[test]
fn trees_are_compared_with_weights_on_the_same_topics() {
    let dir = halves("tune-trees");
    // A line as it was written before trees could be learned.
    let topics = xxhash_rust::xxh3::xxh3_64(read(&dir, "some.xml").as_bytes());
    let old =
        format!(r#"{{"system":"x","topics":[{{"name":"t","fingerprint":"{topics:016x}"}}],"tried":5}}"#);
    dir.write(LEDGER, old);
    let learn = ["--learn", PLACES, "--trees=10x2x0.1,20x2x0.1,20x4x0.3", "-o", "weights.toml"];
    let learned = tune(&dir, &learn);
    line(&learned, "Trees, other folds:");
    line(&learned, "Earlier runs in the ledger on these topics: 1, with 5 settings");
    assert!(learned.stdout.contains("1 penalty tried, 3 settings of trees tried"), "{}", learned.stdout);
    assert!(!learned.stdout.contains("NaN"), "{}", learned.stdout);
    let entry = last_entry(&dir);
    assert_eq!(entry["tried"], 4);
    let (compared, trees) = (&entry["learned"], &entry["learned"]["trees"]);
    assert_eq!((&trees["settings"][2], &trees["pairs"]), (&"20x4x0.3".into(), &"ndcg".into()));
    for (difference, said) in [
        (&compared["linear_less_equal_weights"], "Linear less equal weights:"),
        (&trees["trees_less_linear"], "Trees less linear:"),
        (&trees["trees_less_equal_weights"], "Trees less equal weights:"),
    ] {
        check_difference(difference, line(&learned, said));
    }
    // The difference is that of the means over the same topics.
    let mean = |held: &serde_json::Value| held["held_out_by_files"]["mean"].as_f64().unwrap();
    let difference = trees["trees_less_linear"]["mean"].as_f64().unwrap();
    assert!((mean(trees) - mean(&entry) - difference).abs() < 1e-9, "{entry}");
    assert!((0.5..=1.0).contains(&mean(trees)), "{entry}");
    let chosen = line(&learned, "Trees chosen, other files:").rsplit("  ").next().unwrap();
    let settings = trees["settings"].as_array().unwrap();
    assert!(chosen.trim().split(", ").all(|chosen| settings.contains(&chosen.into())), "{chosen}");
    // Trees change nothing in what is said of weights, and do not depend on the order of judgments.
    assert_eq!(read(&dir, "weights.toml").lines().count(), 3);
    let alone = tune(&dir, &["--learn", PLACES]);
    for said in ["Held out, other files:", "Linear less equal weights:"] {
        assert_eq!(line(&alone, said), line(&learned, said));
    }
    let mut judgments: Vec<String> = read(&dir, QRELS).lines().map(str::to_owned).collect();
    judgments.reverse();
    dir.write("reversed.qrels", judgments.join("\n") + "\n");
    let again = tune_with(&dir, "reversed.qrels", &learn);
    for said in ["Trees, other folds:", "Trees, other files:", "Trees chosen, other folds:"] {
        assert_eq!(line(&again, said), line(&learned, said));
    }
    tune(&dir, &["--learn", PLACES, "--trees=10x2x0.1", "--tree-pairs", "grades"]);
    assert_eq!(last_entry(&dir)["learned"]["trees"]["pairs"], "grades");
}

#[test]
fn candidates_of_trees_are_as_many_as_results() {
    let dir = halves("tune-trees-depth");
    let deep = tune(&dir, &["--learn", PLACES, "--trees=10x2x0.1"]);
    let flat = tune(&dir, &["--learn", PLACES, "--trees=10x2x0.1", "--depth", "3", "--ledger", "flat.jsonl"]);
    line(&flat, "Trees, other files:");
    let flat: serde_json::Value = serde_json::from_str(&read(&dir, "flat.jsonl")).unwrap();
    let mean =
        |entry: &serde_json::Value| entry["learned"]["trees"]["held_out_by_files"]["mean"].as_f64().unwrap();
    assert!(mean(&flat) < mean(&last_entry(&dir)), "{}", deep.stdout);
}

#[test]
fn places_are_selected_without_the_topics_that_are_held_out() {
    let dir = halves("tune-select");
    let select = ["--learn", PLACES, "--select", "--penalty", "0.1,1", "-o", "weights.toml"];
    let selected = tune(&dir, &select);
    assert!(selected.stdout.contains("6 subsets of places tried for each set"), "{}", selected.stdout);
    line(&selected, "All places, other folds:");
    let entry = last_entry(&dir);
    assert_eq!(entry["tried"], 2 + 6 + 2);
    let selection = &entry["learned"]["selection"];
    check_difference(&selection["selected_less_all_places"], line(&selected, "Selected less all places:"));
    check_difference(
        &selection["selected_less_equal_weights"],
        line(&selected, "Selected less equal weights:"),
    );
    for (said, kept) in [
        ("Kept, without fold 2: ", &selection["kept_by_folds"][1]),
        ("Kept, without some.xml: ", &selection["kept_by_files"][0]),
        ("Kept, all topics: ", &selection["kept"]),
    ] {
        let kept: Vec<&str> = kept.as_array().unwrap().iter().map(|place| place.as_str().unwrap()).collect();
        assert!(!kept.is_empty() && kept.iter().all(|place| PLACES.split(',').any(|known| known == *place)));
        assert_eq!(line(&selected, said), format!("{said}{} of 3: {}", kept.len(), kept.join(", ")));
    }
    // Places that were not kept are written with a weight of 0.
    let weights = read(&dir, "weights.toml");
    let zeros = weights.lines().filter(|line| line.ends_with(" = 0")).count();
    assert_eq!(zeros, 3 - selection["kept"].as_array().unwrap().len(), "{weights}");
    // All places are learned as without --select.
    let all = tune(&dir, &["--learn", PLACES, "--penalty", "0.1,1"]);
    let figures = |line: &str| line.split_once(':').unwrap().1.trim().to_owned();
    assert_eq!(
        figures(line(&all, "Held out, other files:")),
        figures(line(&selected, "All places, other files:"))
    );
    // What is said of linear weights is said of all places.
    let linear = "Linear less equal weights:";
    assert_eq!(line(&all, linear), line(&selected, linear));
}

#[test]
fn judgments_of_a_file_do_not_change_what_is_chosen_without_it() {
    let dir = halves("tune-nested");
    let graded = read(&dir, QRELS);
    let turned = graded.lines().map(|line| {
        let (start, grade) = line.rsplit_once(['\t', ' ']).unwrap();
        format!("{start} {}\n", 3 - grade.parse::<i32>().unwrap())
    });
    dir.write("turned.qrels", turned.collect::<String>());
    let more = |held: &'static str| {
        ["--learn", PLACES, "--select", "--penalty", "0.1,1", "--trees=10x2x0.1,20x4x0.3", "--held-out", held]
    };
    let chosen = |outcome: &Outcome, held: &str, place: usize, file: &str| {
        let trees = line(outcome, "Trees chosen, other files:").split_once(':').unwrap().1;
        let setting = trees.split(',').nth(place).unwrap().trim().to_owned();
        let kept = line(outcome, &format!("Kept, without {file}.xml:")).to_owned();
        (setting, kept, read(&dir, &format!("{held}/hypatia-classic-1-without-{file}.toml")))
    };
    let plain = tune(&dir, &more("plain"));
    let other = tune_with(&dir, "turned.qrels", &more("other"));
    assert_eq!(chosen(&plain, "plain", 0, "some"), chosen(&other, "other", 0, "some"));
    assert_ne!(chosen(&plain, "plain", 1, "others").2, chosen(&other, "other", 1, "others").2);
    assert_ne!(line(&plain, "Trees, other files:"), line(&other, "Trees, other files:"));
}

#[test]
fn options_of_learning_that_have_no_effect_are_refused() {
    let dir = halves("tune-refused");
    let one = "posts.group.words.weight";
    let many: Vec<String> = (1..14).map(|trees| format!("{trees}x2x0.1")).collect();
    let many = format!("--trees={}", many.join(","));
    for (wrong, said) in [
        (&["--vary", "posts.query.title=1,2", "--trees"][..], "cannot be used with"),
        (&["--vary", "posts.query.title=1,2", "--select"], "cannot be used with"),
        (&["--learn", one, "--tree-pairs", "grades"], "--trees"),
        (&["--learn", one, "--select"], "--select needs several places"),
        (&["--learn", one, "--trees=10x2"], "is not TREESxLEAVESxRATE"),
        (&["--learn", one, &many], "at most 12"),
    ] {
        let refused = tune(&dir, wrong);
        assert!(refused.code == 2 && refused.stderr.contains(said), "{said}: {}", refused.stderr);
    }
}

#[test]
fn where_only_relevant_posts_are_judged_the_first_others_count_as_judged_0() {
    let dir = halves("tune-unjudged");
    let qrels = read(&dir, QRELS);
    let relevant: String =
        qrels.lines().filter(|line| line.ends_with('3')).map(|line| format!("{line}\n")).collect();
    dir.write("relevant.qrels", &relevant);
    let topics =
        ["--topics", TASK1, "--qrels", "relevant.qrels", "--measure", "nDCG@1000", "--learn", PLACES];
    let base = ["tune", "--system", "hypatia-classic-1", "--index", "hypatia.index", "--folds", "2"];
    let alone = dir.run(&[&base[..], &topics].concat());
    assert_eq!(alone.code, 2);
    assert!(alone.stderr.contains("--unjudged"), "{}", alone.stderr);
    let learned = dir.run(&[&base[..], &topics, &["--unjudged", "20"]].concat());
    line(&learned, "Held out, other folds:");
    let entry = last_entry(&dir);
    assert_eq!(entry["unjudged"], 20);
    let chosen = entry["chosen"].as_array().unwrap();
    assert!(chosen.iter().any(|weight| weight.as_f64().unwrap() > 0.0), "{entry}");
}
