//! `hypatia judge`: grades of a language model, never without how far people agree with them.

use crate::util::{self, Dir, Outcome};
use serde_json::{Value, json};
use std::io::Write;
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

const TOPICS: &str = "sample/topics/Topics_Task1.xml";

/// A folder with the sample and a run.
fn sample(name: &str) -> Dir {
    let dir = Dir::new(name);
    for arguments in
        [&["sample", "-o", "sample"][..], &["collection", "build", "--sample", "-o", "sample.coll"]]
    {
        let done = dir.run(arguments);
        assert_eq!(done.code, 0, "{}", done.stderr);
    }
    dir.write("run.tsv", "A.1\t1\t1\tus\t\tIt is even.\nA.2\t1\t1\tus\t\tIt is an odd number.\n");
    dir
}

fn read(dir: &Dir, name: &str) -> String {
    std::fs::read_to_string(dir.path().join(name)).unwrap()
}

/// A server that refuses the request behind so many; it counts those that it answers. Its grade depends on what it
/// is asked, and answers that are asked for together come in any order.
fn server(refused: usize) -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/v1", listener.local_addr().unwrap());
    let answered = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&answered);
    let came = Arc::new(AtomicUsize::new(0));
    thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(stream) = stream else { return };
            let (count, came) = (Arc::clone(&count), Arc::clone(&came));
            thread::spawn(move || reply(stream, refused, &came, &count));
        }
    });
    (address, answered)
}

fn reply(mut stream: TcpStream, refused: usize, came: &AtomicUsize, answered: &AtomicUsize) {
    let body = util::body_of_request(&stream);
    let (status, text) = if came.fetch_add(1, Ordering::SeqCst) == refused {
        ("403 Forbidden", json!({ "error": { "message": "no more for you" } }).to_string())
    } else {
        answered.fetch_add(1, Ordering::SeqCst);
        let sum: usize = body.iter().map(|byte| usize::from(*byte)).sum();
        let content = format!("Grade (0, 1, 2 or 3): {}. {} bytes.", sum % 4, body.len());
        let message = json!({ "role": "assistant", "content": content });
        ("200 OK", json!({ "choices": [{ "finish_reason": "stop", "message": message }] }).to_string())
    };
    let _ = write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{text}",
        text.len()
    );
}

fn judge(dir: &Dir, address: &str, more: &[&str]) -> Outcome {
    let common = [
        "judge",
        "--topics",
        TOPICS,
        "--qrels",
        "sample/qrels/task1.qrels",
        "--collection",
        "sample.coll",
        "--model",
        "oracle",
        "--endpoint",
        address,
    ];
    dir.run(&[&common[..], more].concat())
}

#[test]
fn a_model_that_judges_is_never_shown_without_how_far_people_agree() {
    let dir = sample("judge-agreement");
    let (address, _) = server(usize::MAX);
    let done = judge(&dir, &address, &["run.tsv", "--calibrate", "24", "-o", "verdicts.tsv"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    for expected in [
        "not of people",
        "by the model",
        "on 24 answers that they judged, 6 of grade 0, 6 of 1, 6 of 2 and 6 of 3: kappa ",
        "With grades as frequent as among all judgments, ",
        "95 % intervals",
    ] {
        assert!(done.stdout.contains(expected), "{expected}\n{}", done.stdout);
    }
    // Every row of the table has it, and no reader of judgments takes the table.
    let verdicts = read(&dir, "verdicts.tsv");
    let rows: Vec<Vec<&str>> = verdicts.lines().map(|line| line.split('\t').collect()).collect();
    assert_eq!(rows.len(), 3, "{verdicts}");
    assert_eq!(rows[0][..5], ["topic", "run", "model_grade", "kappa_with_people", "agreement_with_people"]);
    for row in &rows[1..] {
        assert!(row[3].parse::<f64>().is_ok() && row[4].ends_with("] on 24 answers"), "{row:?}");
    }
    let refused =
        ["eval", "run.tsv", "--task", "3", "--qrels", "verdicts.tsv", "--collection", "sample.coll"];
    assert_eq!(dir.run(&refused).code, 2, "verdicts are no judgments");
    // Beside it stands how it was made, with what was said of each answer that people judged.
    let record: Value = serde_json::from_str(&read(&dir, "verdicts.tsv.json")).unwrap();
    assert_eq!(record["model"], json!(format!("oracle at {address}")));
    assert_eq!((&record["seed"], &record["agreement"]["answers"]), (&json!(1), &json!(24)));
    for input in ["topics", "qrels", "collection"] {
        assert_eq!(record[input]["fingerprint"].as_str().map(str::len), Some(16), "{record}");
    }
    assert!(record["agreement"]["over_sample"]["kappa_relevant"]["interval_95"][1].is_number(), "{record}");
    assert!(record["agreement"]["as_judged"]["mean_difference"]["value"].is_number(), "{record}");
    let calibration = record["calibration"].as_array().unwrap();
    assert_eq!(calibration.len(), 24);
    for pair in calibration {
        let said = pair["said"].as_str().unwrap();
        assert!(said.contains(&format!("3): {}.", pair["model"])), "{pair}");
        let judged = format!(
            "{}\t0\t{}\t{}\n",
            pair["topic"].as_str().unwrap(),
            pair["post"].as_str().unwrap(),
            pair["people"]
        );
        let qrels = read(&dir, "sample/qrels/task1.qrels").replace(' ', "\t");
        assert!(qrels.contains(&judged), "{judged}");
    }
    // The same as an object.
    let more = ["run.tsv", "--calibrate", "24", "-o", "verdicts.tsv", "--format", "json", "--only-kept"];
    let shown = judge(&dir, &address, &more);
    let shown: Value = serde_json::from_str(&shown.stdout).unwrap_or_else(|_| panic!("{shown:?}"));
    assert_eq!((&shown["agreement"], &shown["runs"]), (&record["agreement"], &record["runs"]));
    assert_eq!((&shown["runs"][0]["run"], &shown["runs"][0]["answers"]), (&json!("run"), &json!(2)));
    // With few answers nothing is said of the agreement, and that in every row.
    let few = judge(&dir, &address, &["run.tsv", "--calibrate", "8", "-o", "few.tsv"]);
    assert!(few.stdout.contains("2 of 2 and 2 of 3: too few to say."), "{}", few.stdout);
    let rows = read(&dir, "few.tsv");
    assert_eq!(rows.matches("\t-\ttoo few to say: 8 answers graded by both\t").count(), 2, "{rows}");
}

#[test]
fn what_is_wrong_is_said_before_a_model_is_asked() {
    let dir = sample("judge-early");
    let (address, answered) = server(usize::MAX);
    dir.write("empty.tsv", "");
    dir.write("other.tsv", "A.1\t1\t1\tus\t\tIt is.\nA.999\t1\t1\tus\t\tIt is not.\n");
    for (more, expected) in [
        (&["run.tsv", "empty.tsv", "-o", "x.tsv"][..], "empty.tsv: holds no answers"),
        (&["run.tsv", "other.tsv", "-o", "x.tsv"], "other.tsv:2: topic A.999 is not in sample/topics/"),
        (&["run.tsv", "run.tsv", "-o", "x.tsv"], "run.tsv: is given twice"),
        (&["run.tsv", "--calibrate", "0", "-o", "x.tsv"], "--calibrate is at least 1"),
        (&["run.tsv", "-o", "-"], "--output is a file"),
        (&["run.tsv", "-o", "nowhere/x.tsv"], "there is no folder nowhere"),
    ] {
        let done = judge(&dir, &address, more);
        assert_eq!(done.code, 2, "{more:?} {}", done.stdout);
        assert!(done.stderr.contains(expected), "{more:?}\n{}", done.stderr);
    }
    assert_eq!(answered.load(Ordering::SeqCst), 0);
    assert!(!dir.path().join("x.tsv").exists() && !dir.path().join("x.tsv.cache").exists());
}

#[test]
fn what_was_said_is_kept_and_gone_on_from() {
    let dir = sample("judge-kept");
    let (address, answered) = server(5);
    let common = ["run.tsv", "--calibrate", "8", "-j", "1", "-o", "verdicts.tsv"];
    let failed = judge(&dir, &address, &common);
    assert_eq!(failed.code, 2, "{}", failed.stdout);
    let kept = "after 5 of 10 answers (what was said is kept in verdicts.tsv.cache: the same command goes on from there)";
    assert!(failed.stderr.contains(kept) && failed.stderr.contains("no more for you"), "{}", failed.stderr);
    assert!(!dir.path().join("verdicts.tsv").exists() && !dir.path().join("verdicts.tsv.json").exists());
    let done = judge(&dir, &address, &common);
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert_eq!(answered.load(Ordering::SeqCst), 10, "nothing is asked for twice");
    // Several at once, asked anew: the same, in the same order.
    let done = judge(&dir, &address, &["run.tsv", "--calibrate", "8", "-j", "4", "-o", "again.tsv"]);
    assert_eq!((done.code, answered.load(Ordering::SeqCst)), (0, 20), "{}", done.stderr);
    assert_eq!(read(&dir, "again.tsv"), read(&dir, "verdicts.tsv"));
    let calibration = |name: &str| {
        let record: Value = serde_json::from_str(&read(&dir, name)).unwrap();
        record["calibration"].clone()
    };
    assert_eq!(calibration("again.tsv.json"), calibration("verdicts.tsv.json"));
}

#[test]
fn runs_of_the_same_file_name_are_told_apart() {
    let dir = sample("judge-names");
    let (address, _) = server(usize::MAX);
    dir.write("one/run.tsv", "A.1\t1\t1\tus\t\tIt is even.\n");
    dir.write("two/run.tsv", "A.1\t1\t1\tus\t\tIt is odd.\n");
    let more = ["one/run.tsv", "two/run.tsv", "--calibrate", "2", "-o", "verdicts.tsv"];
    let done = judge(&dir, &address, &more);
    assert_eq!(done.code, 0, "{}", done.stderr);
    let verdicts = read(&dir, "verdicts.tsv");
    assert!(verdicts.contains("A.1\tone/run.tsv\t") && verdicts.contains("A.1\ttwo/run.tsv\t"), "{verdicts}");
    assert!(done.stdout.contains("one/run.tsv") && done.stdout.contains("two/run.tsv"), "{}", done.stdout);
}
