//! `hypatia run --task 3` and `hypatia ask`: one answer to a question.

use crate::util::{self, Dir};
use serde_json::{Value, json};
use std::io::Write;
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

const TOPICS: &str = "sample/topics/Topics_Task1.xml";
const EXTRACTIVE: [&str; 4] = ["hypatia-extract", "first-answer", "approach0-sentences", "dprl-questions"];

fn read(dir: &Dir, name: &str) -> String {
    std::fs::read_to_string(dir.path().join(name)).unwrap()
}

fn run(dir: &Dir, more: &[&str]) -> crate::util::Outcome {
    dir.run(&[&["run", "--task", "3", "--topics", TOPICS, "--index", "hypatia.index"][..], more].concat())
}

#[test]
fn every_extractive_run_is_valid_and_the_same_on_any_number_of_threads() {
    let dir = util::sample("answers-valid");
    for system in EXTRACTIVE {
        let name = format!("us-task3-{}-auto-both-extract-P.tsv", system.replace('-', "_"));
        for (threads, out) in [("1", "one.tsv"), ("3", name.as_str())] {
            let tag = name.trim_end_matches(".tsv");
            let done = run(&dir, &["--system", system, "--tag", tag, "-j", threads, "-o", out]);
            assert_eq!(done.code, 0, "{system}: {}", done.stderr);
        }
        assert_eq!(read(&dir, "one.tsv"), read(&dir, &name), "{system}");
        let checked = dir.run(&["check", &name, "--topics", TOPICS]);
        assert_eq!(checked.code, 0, "{system}: {}{}", checked.stdout, checked.stderr);
        let sidecar: Value = serde_json::from_str(&read(&dir, &format!("{name}.json"))).unwrap();
        assert_eq!((&sidecar["system"], &sidecar["kind"]), (&json!(system), &json!("extracted")));
        assert_eq!(sidecar["answered"], sidecar["topics"]);
    }
}

#[test]
fn options_without_effect_are_refused() {
    let dir = util::sample("answers-options");
    for (arguments, expected) in [
        (&["--depth", "5", "-o", "x.tsv"][..], "--depth has no effect with --task 3: a topic has one answer"),
        (&["--format", "trec", "-o", "x.tsv"], "--format trec has no effect with --task 3"),
        (
            &["--system", "labs-prompt", "-o", "x.tsv"],
            "labs-prompt lets a language model write: name a GGUF file",
        ),
        (&["--model", "x.gguf", "-o", "x.tsv"], "--model has no effect: hypatia-extract writes nothing"),
        (&["--system", "labs-prompt", "--model", "x.gguf", "-o", "x.tsv"], "x.gguf: there is no such file"),
        (
            &["--system", "dprl-questions", "--candidates", "bm25", "-o", "x.tsv"],
            "--candidates has no effect",
        ),
        (&["--system", "first", "-o", "x.tsv"], "first: there is no such system that answers"),
        (&["--candidates", "tangent-s", "-o", "x.tsv"], "tangent-s ranks formulas, not answers"),
    ] {
        let done = run(&dir, arguments);
        assert_eq!(done.code, 2, "{arguments:?}");
        assert!(done.stderr.contains(expected), "{arguments:?}\n{}", done.stderr);
        assert!(!dir.path().join("x.tsv").exists());
    }
    let one = [
        "run",
        "--task",
        "1",
        "--candidates",
        "bm25",
        "--topics",
        TOPICS,
        "--index",
        "hypatia.index",
        "-o",
        "x",
    ];
    assert!(dir.run(&one).stderr.contains("--candidates has no effect without --task 3"));
}

#[test]
fn candidates_may_come_from_another_system() {
    let dir = util::sample("answers-candidates");
    let done = run(&dir, &["--system", "first-answer", "--candidates", "bm25", "-o", "bm25.tsv"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    let done = run(&dir, &["--system", "first-answer", "-o", "own.tsv"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert_ne!(read(&dir, "bm25.tsv"), read(&dir, "own.tsv"));
    let sidecar: Value = serde_json::from_str(&read(&dir, "bm25.tsv.json")).unwrap();
    assert_eq!(sidecar["candidates"], json!("bm25"));
}

/// A server that refuses the request behind so many, and answers all others; it counts those.
fn server(refused: usize) -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/v1", listener.local_addr().unwrap());
    let answered = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&answered);
    thread::spawn(move || {
        let mut came = 0;
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { return };
            let body = util::body_of_request(&stream);
            came += 1;
            let (status, text) = if came != refused + 1 {
                let number = count.fetch_add(1, Ordering::SeqCst);
                let mut choice = json!({ "finish_reason": "stop" });
                // Conversations are answered with a message, texts to be continued with a text.
                if String::from_utf8_lossy(&body).contains("\"messages\"") {
                    choice["message"] = json!({ "role": "assistant", "content": "2. A good part of it." });
                } else {
                    choice["text"] = json!(format!(" It is $n+{number}$."));
                }
                ("200 OK", json!({ "choices": [choice] }).to_string())
            } else {
                ("403 Forbidden", json!({ "error": { "message": "no more for you" } }).to_string())
            };
            let _ = write!(
                stream,
                "HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{text}",
                text.len()
            );
        }
    });
    (address, answered)
}

#[test]
fn a_run_that_was_interrupted_goes_on_and_can_be_had_again() {
    let dir = util::sample("answers-resumed");
    let topics = read(&dir, TOPICS).matches("<Topic number").count();
    let (address, answered) = server(7);
    let name = "us-task3-labs-auto-both-generate-P.tsv";
    let common =
        ["--system", "labs-prompt", "--endpoint", &address, "--model", "oracle", "-j", "1", "-o", name];
    let failed = run(&dir, &common);
    assert_eq!(failed.code, 2, "{}", failed.stderr);
    let kept = format!("after 7 of {topics} (what was written is kept in {name}.cache");
    assert!(failed.stderr.contains(&kept) && failed.stderr.contains("no more for you"), "{}", failed.stderr);
    assert!(!dir.path().join(name).exists() && answered.load(Ordering::SeqCst) == 7);
    let done = run(&dir, &common);
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert_eq!(answered.load(Ordering::SeqCst), topics, "nothing is asked for twice");
    let written = read(&dir, name);
    let done = run(&dir, &[&common[..], &["--only-kept"]].concat());
    assert_eq!((done.code, answered.load(Ordering::SeqCst)), (0, topics), "{}", done.stderr);
    assert_eq!(read(&dir, name), written);
    let checked = dir.run(&["check", name, "--topics", TOPICS]);
    assert_eq!(checked.code, 0, "{}{}", checked.stdout, checked.stderr);
    assert!(written.lines().all(|line| line.contains("\tgenerated\t")), "{written}");
    let sidecar: Value = serde_json::from_str(&read(&dir, &format!("{name}.json"))).unwrap();
    assert_eq!(sidecar["model"], json!(format!("oracle at {address}")));
}

#[test]
fn a_question_is_answered_in_the_terminal() {
    let dir = util::sample("answers-ask");
    let asked = dir.run(&["ask", "Why does the harmonic series $\\sum 1/n$ diverge?"]);
    assert_eq!((asked.code, asked.stderr.as_str()), (0, ""), "{}", asked.stdout);
    assert!(asked.stdout.starts_with("Extracted: "), "{}", asked.stdout);
    assert!(asked.stdout.contains(", to question "), "{}", asked.stdout);
    let shown = dir.run(&["ask", "--json", "Why does the harmonic series $\\sum 1/n$ diverge?"]);
    let shown: Value = serde_json::from_str(&shown.stdout).unwrap();
    assert_eq!((&shown["kind"], &shown["system"]), (&json!("extracted"), &json!("hypatia-extract")));
    assert!(shown["sources"][0]["id"].is_string() && shown["answer"].is_string(), "{shown}");
    let explained = dir.run(&["ask", "--explain", "harmonic series"]);
    assert!(explained.stdout.starts_with("post "), "{}", explained.stdout);
    let none = dir.run(&["ask", "zzzzzz"]);
    assert_eq!((none.code, none.stdout.as_str()), (1, "There is no answer.\n"));
    let piped = dir.pipe(&["ask", "-"], b"Harmonic series\n\nWhy does $\\sum 1/n$ diverge?\n");
    assert_eq!(piped.code, 0, "{}", piped.stderr);
    let empty = dir.pipe(&["ask", "-"], b" \n");
    assert_eq!((empty.code, empty.stderr.as_str()), (2, "hypatia: there is no question\n"));
}

#[test]
fn a_model_behind_an_address_is_asked_and_named() {
    let dir = util::sample("answers-asked");
    let (address, answered) = server(1);
    let arguments =
        ["ask", "--system", "labs-prompt", "--endpoint", &address, "--model", "oracle", "what is a group?"];
    let asked = dir.run(&arguments);
    assert_eq!(asked.code, 0, "{}", asked.stderr);
    assert_eq!(asked.stdout, format!("Written by oracle at {address}; it may be wrong\n\nIt is n + 0.\n\n"));
    assert_eq!(answered.load(Ordering::SeqCst), 1);
    let failed = dir.run(&arguments);
    assert_eq!(failed.code, 2);
    assert!(failed.stderr.contains("no more for you"), "{}", failed.stderr);
}
