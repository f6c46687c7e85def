//! `hypatia lab`: a whole lab by the script that shows how, and what its commands refuse.

use crate::util::{Dir, Outcome};
use std::fs;
use std::os::unix::process::CommandExt as _;
use std::process::{Command, Stdio};
use testkit::workspace_root;

/// The documented lab, from its first topic to its report.
#[test]
fn a_whole_lab_on_the_sample() {
    let dir = Dir::new("lab-whole");
    let script = workspace_root().join("examples/sample-lab/run");
    let lab = dir.path().join("work");
    let output = Command::new("bash")
        .arg(&script)
        .arg(&lab)
        .env("HYPATIA", env!("CARGO_BIN_EXE_hypatia"))
        .env("SOURCE_DATE_EPOCH", "1790000000")
        .output()
        .unwrap();
    let outcome = Outcome::from(output);
    assert_eq!(outcome.code, 0, "{}\n{}", outcome.stdout, outcome.stderr);
    assert!(outcome.stderr.contains("lab: the lab is whole"), "{}", outcome.stderr);
    let text = |path: &str| fs::read_to_string(lab.join("lab").join(path)).unwrap();

    // Every topic has judgments, and what was scored is what the program scores by itself.
    let qrels = text("qrels/2026/task1.qrels");
    let topics: std::collections::BTreeSet<&str> =
        qrels.lines().filter_map(|line| line.split('\t').next()).collect();
    assert_eq!(topics.len(), 8);
    let run = "lab/runs/2026/Syracuse-task1-classic-auto-both-P.tsv";
    let here = Command::new(env!("CARGO_BIN_EXE_hypatia"))
        .args(["eval", run, "--qrels", "lab/qrels/2026/task1.qrels", "--task", "1", "--format", "json"])
        .current_dir(&lab)
        .output()
        .unwrap();
    let scores: serde_json::Value = serde_json::from_slice(&here.stdout).unwrap();
    let ndcg = scores[0]["measures"]["nDCG'"].as_f64().unwrap();
    let results = text("report/tables/task1-results.tex");
    assert!(results.contains(&format!("{ndcg:.3}")), "{ndcg} in\n{results}");
    let page = text("report/index.html");
    for part in
        ["Submissions", "Relevance grades", "Pools", "Assessment", "Results", "Topics one by one", "†"]
    {
        assert!(page.contains(part), "{part}");
    }
    for bad in ["<script", "http://", "https://"] {
        assert!(!page.replace("http://www.w3.org", "").contains(bad), "the page has {bad}");
    }
    let provenance: serde_json::Value = serde_json::from_str(&text("qrels/2026/task2.json")).unwrap();
    assert_eq!(provenance["not_judged"], 0);
    assert_eq!(provenance["pool"]["seed"], 2026);

    let status = dir.run(&["lab", "status", "work/lab", "--format", "json"]);
    let status: serde_json::Value = serde_json::from_str(&status.stdout).unwrap();
    assert_eq!(status["systems"].as_array().unwrap().len(), 15);
    assert_eq!(status["missing_runs"].as_array().unwrap().len(), 1, "the parrot was not run on 2025");
    assert_eq!(status["judging"][0]["judged"], status["judging"][0]["items"]);

    // The log goes out as a table that goes in again and says nothing new.
    assert_eq!(dir.run(&["lab", "judgments", "work/lab", "--export", "log.tsv"]).code, 0);
    let again = dir.run(&["lab", "judgments", "work/lab", "--import", "log.tsv"]);
    assert!(again.code == 0 && again.stderr.contains("0 judgments added"), "{}", again.stderr);

    // A file that somebody touched is named, and not worked with.
    let run = lab.join(run);
    let before = fs::read_to_string(&run).unwrap();
    fs::write(&run, before.replacen('1', "2", 1)).unwrap();
    let damaged = dir.run(&["lab", "verify", "work/lab"]);
    assert_eq!(damaged.code, 1);
    assert!(damaged.stdout.contains("Syracuse-task1-classic-auto-both-P.tsv: damage:"), "{}", damaged.stdout);
    let report = dir.run(&["lab", "report", "work/lab"]);
    assert!(report.code == 2 && report.stderr.contains("was changed"), "{}", report.stderr);
}

const QUESTIONS: &str = "<Topics><Topic number=\"A.1\"><Title>One</Title><Question>Is it?</Question>\
                         <Tags>a</Tags></Topic></Topics>";

#[test]
fn what_cannot_be_is_refused_with_a_sentence() {
    let dir = Dir::new("lab-refused");
    dir.write("q.xml", QUESTIONS);
    dir.run(&["lab", "status", "lab"])
        .fails("hypatia: lab: there is no such folder; `hypatia lab init` makes a lab");
    let three = dir.run(&["lab", "init", "lab", "--name", "x", "--topics", "3=q.xml"]);
    assert!(three.code == 2 && three.stderr.contains("Task 3 has the topics of Task 1"), "{}", three.stderr);
    dir.run(&["lab", "init", "lab", "--name", "x", "--topics", "old:1=q.xml"])
        .fails("hypatia: --topics: none are for the set \"main\", which is judged now (see --set)");
    dir.run(&["lab", "init", "lab", "--name", "x", "--topics", "1=q.xml", "--qrels", "2=q.xml"])
        .fails("hypatia: --qrels: the set main has no topics for task 2");
    assert_eq!(dir.run(&["lab", "init", "lab", "--name", "x", "--topics", "1=q.xml"]).code, 0);
    let taken = dir.run(&["lab", "init", "lab", "--name", "x", "--topics", "1=q.xml"]);
    assert!(taken.code == 2 && taken.stderr.contains("not empty"), "{}", taken.stderr);
    dir.run(&["lab", "pool", "lab"]).fails("hypatia: there are no runs of answers on the set main yet");
    dir.write("us-task1-a-auto-both-P.tsv", "A.1\t7\t1\t0.5\ta\nA.1\t7\t2\t0.4\ta\n");
    let twice = dir.run(&["lab", "submit", "lab", "us-task1-a-auto-both-P.tsv"]);
    assert_eq!(twice.code, 1);
    assert!(twice.stdout.contains("error[duplicate]"), "{}", twice.stdout);
    dir.write("us-task1-a-auto-both-P.tsv", "A.1\t7\t1\t0.5\ta\n");
    assert_eq!(dir.run(&["lab", "submit", "lab", "us-task1-a-auto-both-P.tsv"]).code, 0);
    assert_eq!(dir.run(&["lab", "pool", "lab"]).code, 0);
    dir.run(&["lab", "qrels", "lab"]).fails("hypatia: nothing of task 1 was judged on the set main yet");
    dir.write("said.tsv", "topic\titem\tassessor\tverdict\nA.1\t7\tada\tHigh\nA.1\t8\tada\tHigh\n");
    let misfit = dir.run(&["lab", "judgments", "lab", "--import", "said.tsv"]);
    assert_eq!(misfit.code, 2);
    assert!(misfit.stderr.contains("said.tsv:3:1: 8 was not pooled for topic A.1"), "{}", misfit.stderr);
    assert!(misfit.stderr.contains("1 row does not fit and nothing was taken"), "{}", misfit.stderr);
}

/// The record beside a run goes into the lab with it, and the report marks the run; a damaged one is a warning.
#[test]
fn records_of_runs_are_kept_and_mark_the_report() {
    let dir = Dir::new("lab-records");
    dir.write("q.xml", QUESTIONS);
    assert_eq!(dir.run(&["lab", "init", "lab", "--name", "x", "--topics", "1=q.xml"]).code, 0);
    for (file, post) in [("us-task1-a-auto-both-P.tsv", 7), ("them-task1-b-auto-both-P.tsv", 8)] {
        dir.write(file, format!("A.1\t{post}\t1\t0.5\ta\n"));
    }
    dir.write("us-task1-a-auto-both-P.tsv.json", crate::eval::EXPOSED);
    dir.write("them-task1-b-auto-both-P.tsv.json", "{");
    let us = dir.run(&["lab", "submit", "lab", "us-task1-a-auto-both-P.tsv"]);
    assert!(us.code == 0 && !us.stderr.contains("warning:"), "{}", us.stderr);
    let kept = dir.path().join("lab/runs/main/us-task1-a-auto-both-P.tsv.json");
    assert_eq!(fs::read_to_string(kept).unwrap(), crate::eval::EXPOSED);
    let them = dir.run(&["lab", "submit", "lab", "them-task1-b-auto-both-P.tsv"]);
    assert_eq!(them.code, 0, "{}", them.stderr);
    assert!(them.stderr.contains("warning: them-task1-b-auto-both-P.tsv.json:1:1: "), "{}", them.stderr);
    assert!(!dir.path().join("lab/runs/main/them-task1-b-auto-both-P.tsv.json").exists());
    dir.write("said.tsv", "topic\titem\tassessor\tverdict\nA.1\t7\tada\tHigh\nA.1\t8\tada\tLow\n");
    for arguments in [
        &["lab", "pool", "lab"][..],
        &["lab", "judgments", "lab", "--import", "said.tsv"],
        &["lab", "qrels", "lab", "--least-relevant", "1"],
        &["lab", "report", "lab"],
        &["lab", "verify", "lab"],
    ] {
        let done = dir.run(arguments);
        assert_eq!(done.code, 0, "{arguments:?}: {}", done.stderr);
    }
    let text = |path: &str| fs::read_to_string(dir.path().join("lab/report").join(path)).unwrap();
    for (path, marked) in [
        ("index.html", "a<sup>‡</sup>"),
        ("report.md", "a‡"),
        ("tables/task1-results.tex", "a$^{\\ddagger}$"),
    ] {
        let page = text(path);
        assert!(page.contains(marked) && page.contains("may be too high: mini."), "{path}");
        assert!(!page.contains("b<sup>‡</sup>") && !page.contains("b‡"), "{path}");
    }
    // Damage that happens in the lab is a warning, too.
    fs::write(dir.path().join("lab/runs/main/us-task1-a-auto-both-P.tsv.json"), "{}").unwrap();
    let report = dir.run(&["lab", "report", "lab"]);
    assert_eq!(report.code, 0, "{}", report.stderr);
    assert!(
        report.stderr.contains("warning: ") && report.stderr.contains("P.tsv.json: "),
        "{}",
        report.stderr
    );
    assert!(!text("index.html").contains('‡'));
}

/// Ten programs that submit at once for one team; half of them are killed at a moment that nobody chose.
#[test]
fn programs_at_once_do_not_pass_the_limit_and_killed_ones_damage_nothing() {
    let dir = Dir::new("lab-at-once");
    dir.write("q.xml", QUESTIONS);
    let made = dir.run(&["lab", "init", "lab", "--name", "x", "--topics", "1=q.xml", "--most-runs", "3"]);
    assert_eq!(made.code, 0, "{}", made.stderr);
    let submit = |number: usize| {
        let name = format!("us-task1-r{number}-auto-both-A.tsv");
        dir.write(&name, format!("A.1\t{}\t1\t0.5\tr\n", 100 + number));
        let mut command = dir.command(&["lab", "submit", "lab", &name]);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().unwrap()
    };
    let running: Vec<_> = (0..10).map(submit).collect();
    let outcomes: Vec<Outcome> =
        running.into_iter().map(|child| Outcome::from(child.wait_with_output().unwrap())).collect();
    let taken = outcomes.iter().filter(|outcome| outcome.code == 0).count();
    assert_eq!(taken, 3, "{outcomes:#?}");
    for refused in outcomes.iter().filter(|outcome| outcome.code != 0) {
        assert!(refused.code == 1 && refused.stderr.contains("and 3 are the most"), "{refused:?}");
    }
    for number in 0..10 {
        let name = format!("team{number}-task1-r-auto-both-P.tsv");
        dir.write(&name, format!("A.1\t{}\t1\t0.5\tr\n", 200 + number));
        let mut child = dir.command(&["lab", "submit", "lab", &name]);
        let mut child = child.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        // Each is given a little longer; the moments differ from machine to machine, what holds does not.
        for _ in 0..number * 400 {
            std::thread::yield_now();
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let verified = dir.run(&["lab", "verify", "lab"]);
        assert_eq!(verified.code, 0, "{}", verified.stdout);
    }
}

/// A lab in folders that its reader may not write. Where tests run as root, whom no permission stops, the
/// program runs as somebody else.
#[test]
fn a_lab_that_cannot_be_written_can_be_read() {
    let dir = Dir::new("lab-read-only");
    dir.write("q.xml", QUESTIONS);
    dir.write("us-task1-a-auto-both-P.tsv", "A.1\t7\t1\t0.5\ta\n");
    dir.write("said.tsv", "topic\titem\tassessor\tverdict\nA.1\t7\tada\tHigh\n");
    for arguments in [
        &["lab", "init", "lab", "--name", "x", "--topics", "1=q.xml"][..],
        &["lab", "submit", "lab", "us-task1-a-auto-both-P.tsv"],
        &["lab", "pool", "lab"],
        &["lab", "judgments", "lab", "--import", "said.tsv"],
    ] {
        let done = dir.run(arguments);
        assert_eq!(done.code, 0, "{arguments:?}: {}", done.stderr);
    }
    let chmod = |mode: &str| {
        assert!(
            Command::new("chmod").args(["-R", mode]).arg(dir.path().join("lab")).status().unwrap().success()
        );
    };
    chmod("a-w,a+rX");
    let is_root = fs::write(dir.path().join("lab/probe"), "").is_ok();
    if is_root {
        fs::remove_file(dir.path().join("lab/probe")).unwrap();
    }
    let aside = dir.path().join("aside");
    fs::create_dir(&aside).unwrap();
    assert!(Command::new("chmod").arg("777").arg(&aside).status().unwrap().success());
    for (arguments, expected) in [
        (&["lab", "status", "lab"][..], "1 judged"),
        (&["lab", "verify", "lab"], "the lab is whole"),
        (&["lab", "pool", "lab", "--preview"], "item"),
        (&["lab", "judgments", "lab", "--export", "-"], "ada"),
        (&["lab", "report", "lab", "--output", "aside/report"], "aside/report/index.html"),
    ] {
        let mut command = dir.command(arguments);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        if is_root {
            command.uid(65534).gid(65534);
        }
        let child = match command.spawn() {
            Ok(child) => child,
            Err(error) => {
                eprintln!("not run, the program cannot be run by somebody else: {error}");
                return;
            }
        };
        let outcome = Outcome::from(child.wait_with_output().unwrap());
        assert_eq!(outcome.code, 0, "{arguments:?}: {outcome:#?}");
        let told = format!("{}{}", outcome.stdout, outcome.stderr);
        assert!(told.contains(expected) && !told.contains("damage:"), "{arguments:?}: {told}");
    }
    chmod("u+w");
}

/// The official judgments of 2020, judged again by every method.
#[test]
fn adaptive_judging_is_simulated_on_real_judgments() {
    let Some(data) = testkit::data_dir() else {
        return testkit::skip("the real data is not there");
    };
    let runs = data.join("runs/task1-2020");
    let names =
        ["approach0", "dprl-a3", "linked-mse", "mathdowsers-alpha05", "mirmu-ensemble", "psu-full", "zbmath"];
    let paths: Vec<String> =
        names.iter().map(|name| runs.join(format!("{name}.tsv")).display().to_string()).collect();
    let qrels = data.join("arqmath-mini/official/task1_2020.qrels").display().to_string();
    let dir = Dir::new("lab-simulate");
    let mut arguments = vec!["lab", "simulate"];
    arguments.extend(paths.iter().map(String::as_str));
    arguments.extend(["--qrels", &qrels, "--seeds", "2", "--plot", "saving.svg"]);
    let outcome = dir.run(&arguments);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert!(
        outcome.stdout.contains("27772 judgments of what they returned, 1659 of grade 2 or more"),
        "{}",
        outcome.stdout
    );
    for method in ["rank-by-rank", "random", "move-to-front", "max-mean", "max-mean-last"] {
        assert!(outcome.stdout.lines().any(|line| line.starts_with(method)), "{}", outcome.stdout);
    }
    assert!(fs::read_to_string(dir.path().join("saving.svg")).unwrap().starts_with("<svg"));
}
