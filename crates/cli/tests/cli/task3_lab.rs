//! `hypatia eval --task 3 --lab`: answers that came after a lab, by its judgments and its relevant answers.

use crate::util::{Dir, Outcome};
use serde_json::Value;
use std::fs;

const POSTS: &str = r#"{"kind":"question","id":1,"title":"Why?","body":"Why is it so?"}
{"kind":"answer","id":11,"parent":1,"body":"red green blue"}
{"kind":"answer","id":12,"parent":1,"body":"one two three"}
{"kind":"answer","id":13,"parent":1,"body":"LONG"}
{"kind":"answer","id":14,"parent":1,"body":"a bad post"}
"#;
const TOPICS: &str = "<Topics>\n<Topic number=\"A.1\"><Title>One</Title><Question>Is it?</Question><Tags>a</Tags></Topic>\n\
     <Topic number=\"A.2\"><Title>Two</Title><Question>Is it?</Question><Tags>a</Tags></Topic>\n</Topics>";
const US: &str = "us-task3-writer-auto-both-generate-P.tsv";
const NEW: &str = "new-task3-later-auto-both-generate-P.tsv";

/// A lab with one run of Task 1 and two of Task 3. Relevant are the posts 11 and 12 and the long post 13, and the answer
/// of us to A.1.
fn lab(name: &str) -> Dir {
    let dir = Dir::new(name);
    dir.write("posts.jsonl", POSTS.replace("LONG", &"gold ".repeat(300)));
    dir.write("q.xml", TOPICS);
    dir.write("them-task1-ranker-auto-both-P.tsv", ranking(&[("A.1", "11 13 14"), ("A.2", "12 14")]));
    dir.write(US, "A.1\t1\t1\twriter\t\tcats and dogs\nA.2\t1\t1\twriter\t\tnothing\n");
    dir.write(
        "them-task3-other-auto-both-extract-P.tsv",
        "A.1\t1\t1\tother\t\tred green\nA.2\t1\t1\tother\t\tno idea\n",
    );
    for arguments in [
        "collection build posts.jsonl -o c",
        "lab init lab --name x --set now --tasks 1,3 --collection c --topics 1=q.xml",
        "lab submit lab them-task1-ranker-auto-both-P.tsv",
        &format!("lab submit lab {US}"),
        "lab submit lab them-task3-other-auto-both-extract-P.tsv",
        "lab pool lab",
    ] {
        run(&dir, arguments);
    }
    let pool = fs::read_to_string(dir.path().join("lab/pools/now-answers.tsv")).unwrap();
    let mut said = String::from("topic\titem\tassessor\tverdict\n");
    for line in pool.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let verdict = match (fields[0], fields[2]) {
            (_, "11" | "12" | "13") => "3",
            (_, "14") => "unknown",
            ("A.1", _) if line.contains("task3:us/writer") => "2",
            ("A.2", _) if line.contains("task3:us/writer") => "failure",
            _ => "1",
        };
        said.push_str(&format!("{}\t{}\tada\t{verdict}\n", fields[0], fields[2]));
    }
    dir.write("said.tsv", said);
    run(&dir, "lab judgments lab --import said.tsv");
    run(&dir, "lab qrels lab --least-relevant 0");
    // Three tokens of six; "one" twice as a bag is two of five tokens with one in common.
    dir.write(NEW, "A.1\t1\t1\tlater\t\tcats and mice\nA.2\t1\t1\tlater\t\tone one\n");
    dir
}

fn ranking(topics: &[(&str, &str)]) -> String {
    let rows = topics.iter().flat_map(|(topic, posts)| {
        (1..)
            .zip(posts.split(' '))
            .map(move |(rank, post)| format!("{topic}\t{post}\t{rank}\t{}\tr\n", 10 - rank))
    });
    rows.collect()
}

fn run(dir: &Dir, arguments: &str) -> Outcome {
    let arguments: Vec<&str> = arguments.split_whitespace().collect();
    let outcome = dir.run(&arguments);
    assert_eq!(outcome.code, 0, "{arguments:?}: {}", outcome.stderr);
    outcome
}

fn json(dir: &Dir, arguments: &str) -> Vec<Value> {
    serde_json::from_str(&run(dir, &format!("eval --task 3 {arguments} --format json")).stdout).unwrap()
}

fn measure(run: &Value, name: &str) -> f64 {
    run["measures"][name].as_f64().unwrap_or_else(|| panic!("{name} in {run}"))
}

#[test]
fn a_new_run_is_scored_by_a_finished_lab_with_one_command() {
    let dir = lab("task3-lab-new");
    let text = run(&dir, &format!("eval {NEW} --lab lab --task 3")).stdout;
    for part in [
        "The lab judged none of these answers, so there is no AR and no P@1.",
        "LO: tokenizer: words and LaTeX; tokens: bags, as published",
        "References: the lab's 1 relevant answers of Task 3 (grade 2 or more) and 2 relevant posts of Task 1 of at most \
         1200 characters (1 longer or missing ones are none), over 2 topics.",
    ] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
    assert!(!text.contains("unjudged = 0"), "{text}");
    let found = json(&dir, &format!("{NEW} --lab lab"));
    // "cats and" of three and three tokens; "one" of two and three.
    let expected = (2.0 * 2.0 / 6.0 + 2.0 * 1.0 / 5.0) / 2.0;
    assert!((measure(&found[0], "LO") - expected).abs() < 1e-12, "{found:?}");
}

#[test]
fn tokens_of_lexical_overlap_are_bags_or_sets_by_option_or_lab() {
    let dir = lab("task3-lab-tokens");
    let sets = (2.0 * 2.0 / 6.0 + 2.0 * 1.0 / 4.0) / 2.0;
    let by_option = json(&dir, &format!("{NEW} --lab lab --tokens set"));
    assert!((measure(&by_option[0], "LO") - sets).abs() < 1e-12, "{by_option:?}");
    assert_eq!(by_option[0]["LO"]["rules"]["tokens"], "sets, as run");
    let path = dir.path().join("lab/lab.toml");
    let toml = fs::read_to_string(&path).unwrap();
    assert!(toml.contains("[answers]\ntokens = \"bag\"\ntokenizer = \"words\"\n"), "{toml}");
    let changed = toml.replace("tokens = \"bag\"", "tokens = \"set\"").replace("= \"words\"", "= \"blanks\"");
    fs::write(&path, changed).unwrap();
    let by_lab = json(&dir, &format!("{NEW} --lab lab"));
    assert!((measure(&by_lab[0], "LO") - sets).abs() < 1e-12, "{by_lab:?}");
    assert_eq!(by_lab[0]["LO"]["rules"]["tokenizer"], "blanks");
    run(&dir, "lab report lab --no-topics");
    let report = fs::read_to_string(dir.path().join("lab/report/report.md")).unwrap();
    assert!(report.contains("LO depends on tokenizer: blanks; tokens: sets, as run;"), "{report}");
}

#[test]
fn the_report_and_eval_compare_with_the_same_references() {
    let dir = lab("task3-lab-same");
    let found = json(&dir, "--lab lab");
    assert_eq!(found.len(), 2, "the runs of the lab");
    run(&dir, "lab report lab --no-topics");
    let table = fs::read_to_string(dir.path().join("lab/report/tables/task3-results.tex")).unwrap();
    for run in &found {
        for name in ["AR", "LO"] {
            let value = format!("{:.3}", measure(run, name));
            assert!(table.contains(&value), "{name} {value} of {} in\n{table}", run["run"]);
        }
    }
    // "red green" is not compared with the post that only its own team returned.
    assert!(found.iter().all(|run| measure(run, "LO") < 0.5), "{found:#?}");
}

#[test]
fn the_report_and_eval_leave_out_topics_set_apart_for_training() {
    let dir = lab("task3-lab-split");
    dir.write("train.txt", "A.2\n");
    run(&dir, "lab qrels lab --least-relevant 0 --task 3 --train-topics train.txt");
    let found = json(&dir, "--lab lab --per-topic");
    run(&dir, "lab report lab --no-topics");
    let table = fs::read_to_string(dir.path().join("lab/report/tables/task3-results.tex")).unwrap();
    for run in &found {
        assert_eq!(
            (run["topics"].as_u64(), &run["left_out"]),
            (Some(1), &serde_json::json!(["A.2"])),
            "{run}"
        );
        assert!(run["per_topic"].get("A.2").is_none(), "{run}");
        for name in ["AR", "LO"] {
            let value = format!("{:.3}", measure(run, name));
            assert!(table.contains(&value), "{name} {value} of {} in\n{table}", run["run"]);
        }
    }
    // Of A.1 one answer and one post; the post that is relevant to A.2 is no reference.
    let report = fs::read_to_string(dir.path().join("lab/report/report.md")).unwrap();
    assert!(report.contains("; 2 references, those that only the system's own team"), "{report}");
    let text = run(&dir, "eval --task 3 --lab lab").stdout;
    for part in
        ["the lab's 1 relevant answers", "and 1 relevant posts", "One topic was set apart for training"]
    {
        assert!(text.contains(part), "{part} in\n{text}");
    }
    dir.write("late.tsv", "A.2\t1\t1\tlate\t\tone\n");
    let refused = dir.run(&["eval", "late.tsv", "--task", "3", "--lab", "lab"]);
    let reason = "the topics set apart for training and --except leave none of its judged topics";
    assert!(refused.code == 2 && refused.stderr.contains(reason), "{}", refused.stderr);
}

#[test]
fn a_question_is_for_training_in_tasks_1_and_3_or_in_neither() {
    let dir = lab("task3-lab-inherited");
    let train = |task: u8| -> serde_json::Value {
        let path = dir.path().join(format!("lab/qrels/now/task{task}.json"));
        let made: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
        made["train"].clone()
    };
    for topic in ["A.1", "A.2"] {
        dir.write("train.txt", topic);
        run(&dir, "lab qrels lab --least-relevant 0 --task 1 --train-topics train.txt");
        run(&dir, "lab qrels lab --least-relevant 0 --task 3 --train 0.5");
        assert_eq!(train(3), serde_json::json!({ "follows_task": 1, "topics": [topic] }));
    }
    run(&dir, "lab qrels lab --least-relevant 0 --train 0.5");
    assert_eq!((&train(3)["topics"], &train(3)["seed"]), (&train(1)["topics"], &train(1)["seed"]));
    assert_eq!(train(1)["topics"].as_array().unwrap().len(), 1);
}

#[test]
fn published_references_of_answers_and_posts_need_no_lab_folder() {
    let dir = lab("task3-lab-published");
    let files = format!(
        "lab/runs/now/{US} lab/runs/now/them-task3-other-auto-both-extract-P.tsv --qrels lab/qrels/now/task3.qrels \
         --answers lab/qrels/now/task3.answers.tsv --collection c"
    );
    let posts = "--post-qrels lab/qrels/now/task1.qrels --pool them-task1-ranker-auto-both-P.tsv";
    let (by_files, by_lab) = (json(&dir, &format!("{files} {posts}")), json(&dir, "--lab lab"));
    assert_eq!(by_files.len(), 2);
    for run in &by_files {
        let same = by_lab.iter().find(|other| other["run"] == run["run"]).unwrap();
        assert_eq!(run["measures"], same["measures"]);
        assert_eq!(run["LO"]["references_left_out"], same["LO"]["references_left_out"]);
    }
    let text = run(&dir, &format!("eval --task 3 {files} {posts}"));
    let about = "References: the 1 relevant answers of Task 3 (grade 2 or more) and 2 relevant posts of Task 1 of at most \
                 1200 characters (1 longer or missing ones are none), over 2 topics.";
    assert!(text.stdout.contains(about) && !text.stderr.contains("--pool"), "{text:?}");
    // Without pooled runs of Task 1 a team meets the posts that it alone found.
    let alone = run(&dir, &format!("eval --task 3 {files} --post-qrels lab/qrels/now/task1.qrels"));
    assert!(alone.stderr.contains("--pool has no run of Task 1"), "{}", alone.stderr);
    for (arguments, part) in [
        (files.as_str(), "--collection with --answers needs --post-qrels"),
        (
            "--qrels lab/qrels/now/task3.qrels --answers lab/qrels/now/task3.answers.tsv --post-qrels q",
            "--collection",
        ),
        (
            "--qrels lab/qrels/now/task3.qrels --answers lab/qrels/now/task3.answers.tsv --collection c --post-qrels \
             lab/qrels/now/task1.qrels",
            "--post-qrels has no effect: no run gives the text of an answer",
        ),
    ] {
        let arguments = format!("eval --task 3 {arguments}");
        let refused = dir.run(&arguments.split_whitespace().collect::<Vec<_>>());
        assert!(refused.code == 2 && refused.stderr.contains(part), "{part}: {}", refused.stderr);
    }
}

#[test]
fn the_map_that_a_lab_writes_is_read_by_eval() {
    let dir = lab("task3-lab-map");
    let files = "--qrels lab/qrels/now/task3.qrels --answers lab/qrels/now/task3.answers.tsv";
    let named = json(&dir, &format!("lab/runs/now/{US} {files}"));
    assert_eq!(named[0]["run"], US.trim_end_matches(".tsv"));
    // A failure counts 0.
    assert!((measure(&named[0], "AR") - 1.0).abs() < 1e-12, "{named:?}");
    assert_eq!(json(&dir, files).len(), 2);
    // Labs of older versions named runs by team and run.
    let path = dir.path().join("lab/qrels/now/task3.answers.tsv");
    let older = fs::read_to_string(&path).unwrap().replace(US.trim_end_matches(".tsv"), "us/writer");
    dir.write("older.tsv", older);
    let files = "--qrels lab/qrels/now/task3.qrels --answers older.tsv";
    assert_eq!(json(&dir, &format!("lab/runs/now/{US} {files}"))[0]["measures"], named[0]["measures"]);
}

#[test]
fn answers_with_codes_count_zero_or_are_left_out() {
    let dir = lab("task3-lab-codes");
    let of = |arguments: &str| {
        let found = json(&dir, &format!("us-task3-writer-auto-both-generate-P --lab lab {arguments}"));
        (measure(&found[0], "AR"), found[0]["topics"].as_u64().unwrap())
    };
    assert_eq!(of(""), (1.0, 2));
    assert_eq!(of("--codes left-out"), (2.0, 1));
}

#[test]
fn measures_of_task_3_are_correlated_over_the_runs() {
    let dir = lab("task3-lab-correlate");
    let few = dir.run(&["eval", "--task", "3", "--lab", "lab", "--correlate"]);
    assert!(few.code == 2 && few.stderr.contains("give at least three"), "{few:?}");
    dir.write("third.tsv", "A.1\t1\t1\tt\t\tcats and dogs\nA.2\t1\t1\tt\t\tone two\n");
    let us = US.trim_end_matches(".tsv");
    let text = run(
        &dir,
        &format!(
            "eval {us} them-task3-other-auto-both-extract-P third.tsv {NEW} --task 3 --lab lab --correlate"
        ),
    );
    let text = text.stdout;
    assert!(text.contains("Correlation of measures over the runs"), "{text}");
    let row = text.lines().find(|line| line.starts_with("AR ") && line.contains(" LO ")).unwrap();
    assert!(row.split_whitespace().nth(2) == Some("3"), "the new run has no AR: {row}");
}

#[test]
fn what_a_lab_cannot_score_is_said() {
    let dir = lab("task3-lab-refused");
    for (arguments, part) in [
        ("eval them-task1-ranker-auto-both-P.tsv --task 3 --lab lab", "--lab scores written answers"),
        ("eval nobody --task 3 --lab lab", "no such file, and no such run of the lab"),
        ("eval us.tsv --task 1 --lab lab", "--lab has no effect without --task 3"),
        ("eval us.tsv --task 3 --lab lab --qrels q", "cannot be used with"),
        ("eval --task 3 --lab lab --correlate --format json", "--correlate has no form in JSON"),
        ("eval --task 3 --lab lab --set old", "there is no set \"old\""),
    ] {
        let outcome = dir.run(&arguments.split(' ').collect::<Vec<_>>());
        assert!(outcome.code == 2 && outcome.stderr.contains(part), "{arguments}: {outcome:?}");
    }
}

#[test]
fn first_answers_of_task_1_runs_are_reported_with_codes_left_out_and_as_zero() {
    let dir = lab("task3-lab-first");
    dir.write("late-task1-b-auto-both-P.tsv", ranking(&[("A.1", "11"), ("A.2", "14")]));
    run(&dir, "lab submit lab late-task1-b-auto-both-P.tsv");
    run(&dir, "lab report lab --no-topics");
    let report = fs::read_to_string(dir.path().join("lab/report/report.md")).unwrap();
    let squeezed: String = report.split(' ').filter(|part| !part.is_empty()).collect();
    assert!(squeezed.contains("|b|B|✓||**3.000**|**1.000**|1|1.500|0.500|2|"), "{report}");
}

#[test]
fn a_layer_without_an_encoder_is_refused() {
    let dir = lab("task3-lab-layer");
    let refused = dir.run(&["lab", "report", "lab", "--layer", "2"]);
    assert_eq!(refused.code, 2);
    assert!(refused.stderr.contains("neither lab.toml nor --encoder names an encoder"), "{}", refused.stderr);
    for (arguments, part) in [
        ("eval --task 3 --lab lab --layer 2", "neither lab.toml nor --encoder names an encoder"),
        ("eval x --task 3 --qrels q --layer 2", "--layer has no effect without --encoder"),
        ("eval x --task 1 --qrels q --layer 2", "--layer has no effect without --task 3"),
    ] {
        let refused = dir.run(&arguments.split(' ').collect::<Vec<_>>());
        assert!(refused.code == 2 && refused.stderr.contains(part), "{arguments}: {}", refused.stderr);
    }
}

#[test]
fn a_lab_s_tokenizer_and_encoder_are_not_opened_where_options_replace_them() {
    let dir = lab("task3-lab-replaced");
    let path = dir.path().join("lab/lab.toml");
    let toml = fs::read_to_string(&path).unwrap();
    let words = "tokenizer = \"words\"\n";
    assert!(toml.contains(words), "{toml}");
    fs::write(&path, toml.replace(words, "tokenizer = \"lost.json\"\n")).unwrap();
    crate::model::write(&dir, "tiny");
    let lost = dir.run(&["eval", NEW, "--task", "3", "--lab", "lab"]);
    assert!(lost.code == 2 && lost.stderr.contains("lost.json"), "{}", lost.stderr);
    let found = json(&dir, &format!("{NEW} --lab lab --tokenizer tiny/tokenizer.json"));
    assert!(measure(&found[0], "LO") >= 0.0, "{found:?}");

    fs::write(&path, toml.replace(words, &format!("{words}encoder = \"lost-encoder\"\n"))).unwrap();
    let lost = dir.run(&["eval", NEW, "--task", "3", "--lab", "lab"]);
    assert!(lost.code == 2 && lost.stderr.contains("lost-encoder"), "{}", lost.stderr);
    let found = json(&dir, &format!("{NEW} --lab lab --encoder tiny"));
    assert_eq!(found[0]["CS"]["rules"]["layer"], "1 of 1", "{found:?}");
    run(&dir, "lab report lab --no-topics --encoder tiny");

    // A layer alone is one of the lab's encoder.
    let tiny = dir.path().join("tiny");
    let named = format!("{words}encoder = \"{}\"\n", tiny.display().to_string().replace('\\', "/"));
    fs::write(&path, toml.replace(words, &named)).unwrap();
    let found = json(&dir, &format!("{NEW} --lab lab --layer 1"));
    assert_eq!(found[0]["CS"]["rules"]["layer"], "1 of 1", "{found:?}");
    let absent = dir.run(&["eval", NEW, "--task", "3", "--lab", "lab", "--layer", "7"]);
    assert!(absent.code == 2 && absent.stderr.contains('7'), "{}", absent.stderr);
}

/// Skipped where there is no encoder.
#[test]
fn contextual_similarity_is_a_column_of_the_report() {
    let Some(encoder) = testkit::model_dir("minilm") else { return };
    let dir = lab("task3-lab-encoder");
    run(&dir, &format!("lab report lab --no-topics --encoder {} --layer 2", encoder.display()));
    let report = fs::read_to_string(dir.path().join("lab/report/report.md")).unwrap();
    assert!(report.contains("CS depends on model: minilm") && report.contains("layer: 2 of"), "{report}");

    // lab.toml's layer belongs to its own encoder, and --layer alone stands above it.
    let toml = dir.path().join("lab/lab.toml");
    let manifest = fs::read_to_string(&toml).unwrap();
    let answers = format!("[answers]\nencoder = \"{}\"\nlayer = 3\n", encoder.display());
    assert!(manifest.contains("[answers]\n"), "{manifest}");
    fs::write(&toml, manifest.replace("[answers]\n", &answers)).unwrap();
    let layer = |options: &str| {
        run(&dir, &format!("lab report lab --no-topics {options}"));
        let report = fs::read_to_string(dir.path().join("lab/report/report.md")).unwrap();
        report.split("layer: ").nth(1).unwrap().split(' ').next().unwrap().to_owned()
    };
    assert_eq!(layer(""), "3");
    assert_eq!(layer("--layer 2"), "2");
    assert_eq!(layer(&format!("--encoder {}", encoder.display())), "3");
    let by_eval = |options: &str| {
        let found = json(&dir, &format!("{NEW} --lab lab {options}"));
        found[0]["CS"]["rules"]["layer"].as_str().unwrap().split(' ').next().unwrap().to_owned()
    };
    assert_eq!((by_eval(""), by_eval("--layer 2")), ("3".to_owned(), "2".to_owned()));
}
