//! Indexes with vectors: built, updated, searched, and what is refused.

use crate::model;
use crate::util::{Dir, Outcome, Running, get, kill};
use serde_json::Value;
use std::time::Instant;

const POSTS: &str = r#"{"kind":"question","id":1,"title":"A sum","body":"prime sum sum sum"}
{"kind":"answer","id":2,"parent":1,"body":"sum sum"}
{"kind":"answer","id":3,"parent":1,"body":"prime prime prime"}
"#;

const TOPICS: &str = "<Topics><Topic number=\"A.1\"><Title>prime</Title><Question>prime prime</Question>\
                      <Tags>sum</Tags></Topic></Topics>";

/// A fusion of a system without models and a run.
const FUSION: &str = "name = \"mine\"\ntask = 1\nabout = \"For a test.\"\n[fusion]\nmethod = { name = \"rrf\" }\n\
    [[fusion.member]]\nsystem = \"bm25\"\n[[fusion.member]]\nrun = \"other\"\nabout = \"a run\"\n";

#[track_caller]
fn done(outcome: Outcome) -> Outcome {
    assert_eq!(outcome.code, 0, "{}\n{}", outcome.stdout, outcome.stderr);
    outcome
}

fn with_model(name: &str) -> Dir {
    let dir = Dir::new(name);
    model::write(&dir, "tiny");
    done(dir.run(&["model", "add", "tiny", "--trained-on", "math.stackexchange.com"]));
    dir.write("posts.jsonl", POSTS);
    dir.write("topics.xml", TOPICS);
    dir
}

fn read(dir: &Dir, name: &str) -> String {
    std::fs::read_to_string(dir.path().join(name)).unwrap()
}

fn parts(dir: &Dir) -> Value {
    let info = done(dir.run(&["index", "-o", "i", "--info", "--format", "json"]));
    serde_json::from_str::<Value>(&info.stdout).unwrap()["parts"].clone()
}

#[test]
fn an_index_gets_vectors_and_ranks_by_them() {
    let dir = with_model("vectors");
    done(dir.run(&[
        "index",
        "posts.jsonl",
        "-o",
        "i",
        "--encode",
        "tiny",
        "--of",
        "answers,questions,formulas",
    ]));
    assert_eq!(parts(&dir), serde_json::json!(["formula-vectors-tiny", "vectors-tiny"]));
    done(dir.run(&["index", "-o", "i", "--verify"]));
    let run = [
        "run",
        "--task",
        "1",
        "--system",
        "dense",
        "--topics",
        "topics.xml",
        "--index",
        "i",
        "-o",
        "run.tsv",
    ];
    let made = done(dir.run(&run));
    assert!(
        made.stderr.contains(
            "tiny was trained on posts of math.stackexchange.com: scores on topics from there may be too high"
        ),
        "{}",
        made.stderr
    );
    let first = read(&dir, "run.tsv");
    assert_eq!(first.lines().count(), 2, "{first}");
    let record: Value = serde_json::from_str(&read(&dir, "run.tsv.json")).unwrap();
    assert_eq!(record["models"][0]["name"], "tiny");
    assert!(record["models"][0]["trained_on"].to_string().contains("math.stackexchange.com"));
    assert_eq!(record["member_runs"], serde_json::json!([]));
    // A fusion with this run is made with its models.
    dir.write("mine.toml", FUSION);
    let member = [
        "run",
        "--task",
        "1",
        "--system",
        "mine.toml",
        "--member",
        "other=run.tsv",
        "--topics",
        "topics.xml",
    ];
    let fused = done(dir.run(&[&member[..], &["--index", "i", "-o", "fused.tsv"]].concat()));
    assert!(fused.stderr.contains("tiny was trained on posts"), "{}", fused.stderr);
    let fused: Value = serde_json::from_str(&read(&dir, "fused.tsv.json")).unwrap();
    assert_eq!(fused["models"], record["models"]);
    assert_eq!(fused["member_runs"][0]["models"], record["models"]);
    // The same index with vectors added later gives the same run.
    done(dir.run(&["index", "posts.jsonl", "-o", "i"]));
    assert_eq!(parts(&dir), Value::Null);
    done(dir.run(&["index", "-o", "i", "--encode", "tiny"]));
    done(dir.run(&run));
    assert_eq!(read(&dir, "run.tsv"), first);
    // An update encodes what is new; a deletion and a compaction keep the rest.
    dir.write("more.jsonl", r#"{"kind":"answer","id":4,"parent":1,"body":"prime"}"#);
    done(dir.run(&["index", "more.jsonl", "-o", "i", "--update", "--delete", "2"]));
    done(dir.run(&["index", "-o", "i", "--compact"]));
    done(dir.run(&run));
    assert!(read(&dir, "run.tsv").contains("A.1\t4\t"), "{}", read(&dir, "run.tsv"));
    done(dir.run(&["index", "-o", "i", "--verify"]));
    done(dir.run(&["index", "-o", "i", "--drop-vectors", "tiny"]));
    assert_eq!(parts(&dir), Value::Null);
}

#[test]
fn compared_systems_with_exposed_models_are_marked() {
    let dir = with_model("vectors-compared");
    done(dir.run(&["index", "posts.jsonl", "-o", "i", "--encode", "tiny"]));
    dir.write("q.txt", "A.1\t0\t3\t3\nA.1\t0\t2\t0\n");
    let compare = |format: &str| {
        let common = ["compare", "--systems", "dense,bm25", "--topics", "topics.xml", "--qrels", "q.txt"];
        let more = ["--index", "i", "--runs", "runs", "--format", format];
        done(dir.run(&[&common[..], &more].concat())).stdout
    };
    let text = compare("text");
    assert!(text.contains("\ndense‡ ") && text.contains("\nbm25 "), "{text}");
    assert_eq!(text.matches("may be too high: tiny.").count(), 1, "{text}");
    let json: Value = serde_json::from_str(&compare("json")).unwrap();
    let fields: Vec<(&Value, &Value)> = json["systems"]
        .as_array()
        .unwrap()
        .iter()
        .map(|system| (&system["system"], &system["math_stack_exchange"]))
        .collect();
    assert_eq!(fields, [(&"dense".into(), &"yes".into()), (&"bm25".into(), &"unknown".into())]);
    assert_eq!(json["systems"][0]["models"][0]["name"], "tiny");
    let csv = compare("csv");
    assert!(csv.lines().next().unwrap().contains(",math_stack_exchange,"), "{csv}");
    assert!(csv.lines().any(|line| line.starts_with("dense,") && line.contains(",yes")), "{csv}");
    assert!(compare("html").contains("dense<sup>‡</sup>"));
    assert!(compare("markdown").contains("dense‡"));
    // The runs that it writes keep the mark.
    let scored = done(dir.run(&["eval", "runs/dense.run", "runs/bm25.run", "--qrels", "q.txt"])).stdout;
    assert!(scored.contains("dense‡ ") && !scored.contains("bm25‡"), "{scored}");
}

#[test]
fn what_is_missing_is_named() {
    let dir = with_model("vectors-missing");
    let unknown = dir.run(&["index", "posts.jsonl", "-o", "i", "--encode", "tinny"]);
    assert_eq!(unknown.code, 2);
    assert!(unknown.stderr.contains("tinny") && unknown.stderr.contains("tiny"), "{}", unknown.stderr);
    done(dir.run(&["index", "posts.jsonl", "-o", "i"]));
    let dense =
        ["run", "--task", "1", "--system", "dense", "--topics", "topics.xml", "--index", "i", "-o", "-"];
    let without = dir.run(&dense);
    assert_eq!(without.code, 2);
    assert!(without.stderr.contains("ranking by meaning lacks vectors"), "{}", without.stderr);
    let none = dir.run(&["index", "-o", "i", "--drop-vectors", "tiny"]);
    assert!(none.stderr.contains("has no vectors of tiny; it has those of: none"), "{}", none.stderr);
    done(dir.run(&["index", "-o", "i", "--encode", "tiny"]));
    // Another model under the same name is refused by name.
    dir.write("tiny/tokenizer.json", read(&dir, "tiny/tokenizer.json").replace("prime", "primes"));
    done(dir.run(&["model", "add", "tiny", "--replace"]));
    let other = dir.run(&dense);
    assert_eq!(other.code, 2);
    assert!(other.stderr.contains("its vectors were made by another model"), "{}", other.stderr);
    // People find as before, and an update is refused rather than made with it.
    done(dir.run(&["search", "--index", "i", "prime"]));
    let update = dir.run(&["index", "posts.jsonl", "-o", "i", "--update"]);
    assert_eq!(update.code, 2);
    assert!(update.stderr.contains("--drop-vectors tiny"), "{}", update.stderr);
    done(dir.run(&["model", "remove", "tiny"]));
    let removed = dir.run(&dense);
    assert!(removed.stderr.contains("lacks the model tiny, which made its vectors"), "{}", removed.stderr);
    done(dir.run(&["search", "--index", "i", "prime"]));
    for arguments in [
        vec!["index", "posts.jsonl", "-o", "i", "--of", "answers"],
        vec!["index", "posts.jsonl", "-o", "i", "--encode", "tiny", "--formulas-as", "tex"],
        vec!["index", "-o", "i", "--encode", "tiny", "--compact"],
    ] {
        assert_eq!(dir.run(&arguments).code, 2, "{arguments:?}");
    }
}

#[test]
fn encoding_that_is_killed_leaves_the_old_state_or_the_new_one() {
    let dir = with_model("vectors-kill");
    for (name, seed, posts) in [("one", "1", "400"), ("two", "2", "150")] {
        done(dir.run(&["synth", "--posts", posts, "--seed", seed, "--topics", "1", "-o", name]));
    }
    let timed = |arguments: &[&str]| {
        let started = Instant::now();
        done(dir.run(arguments));
        started.elapsed()
    };
    let fingerprint = || {
        let index = index::Index::open(&dir.path().join("i")).unwrap();
        index.check().unwrap();
        index.fingerprint()
    };
    let features = ["--features", "parts", "--post-features", "parts"];
    let plain = [&["index", "one", "-o", "i"][..], &features].concat();
    let encode = ["index", "-o", "i", "--encode", "tiny", "--of", "answers,questions,formulas"];
    let update = ["index", "two", "-o", "i", "--update", "--delete", "1,2"];
    timed(&plain);
    let without = fingerprint();
    let usual = timed(&encode);
    let encoded = fingerprint();
    let usual_update = timed(&update);
    let updated = fingerprint();
    // Fifteen times while encoding,
    timed(&plain);
    let killed = kill(
        15,
        usual,
        || dir.command(&encode),
        |round| {
            let left = fingerprint();
            assert!(left == without || left == encoded, "round {round}");
            if left == encoded {
                done(dir.run(&["index", "-o", "i", "--drop-vectors", "tiny"]));
                assert_eq!(fingerprint(), without, "round {round}");
            }
        },
    );
    assert!(killed >= 3, "{killed}");
    timed(&encode);
    assert_eq!(fingerprint(), encoded);
    // and fifteen times while what is new is encoded.
    let killed = kill(
        15,
        usual_update,
        || dir.command(&update),
        |round| {
            let left = fingerprint();
            assert!(left == encoded || left == updated, "round {round}");
            if left == updated {
                timed(&plain);
                timed(&encode);
                assert_eq!(fingerprint(), encoded, "round {round}");
            }
        },
    );
    assert!(killed >= 3, "{killed}");
    timed(&update);
    assert_eq!(fingerprint(), updated);
}

#[test]
fn a_server_serves_on_when_its_model_is_removed() {
    let dir = with_model("vectors-served");
    done(dir.run(&["index", "posts.jsonl", "-o", "i", "--encode", "tiny"]));
    let found = |address: &str, words: &str| {
        let answer = get(address, &format!("/api/v1/search?q={words}"));
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
        let (_, body) = answer.split_once("\r\n\r\n").unwrap();
        serde_json::from_str::<Value>(body).unwrap()["hits"].as_array().unwrap().len()
    };
    let mut open = Running::start(&dir, &["serve", "--index", "i", "--port", "0"]);
    let (address, _) = open.address();
    assert!(found(&address, "prime+sum") > 0);
    done(dir.run(&["model", "remove", "tiny"]));
    assert!(found(&address, "prime+number") > 0);
    open.stop("-TERM");
    // A server that never opened it finds by words.
    let mut late = Running::start(&dir, &["serve", "--index", "i", "--port", "0"]);
    let (address, _) = late.address();
    assert!(found(&address, "prime+sum") > 0);
    // A model with the same name and damaged weights is left alone, too.
    std::fs::remove_file(dir.path().join("tiny/model.safetensors")).unwrap();
    assert_ne!(dir.run(&["model", "add", "tiny"]).code, 0);
    assert!(found(&address, "prime+prime") > 0);
    late.stop("-TERM");
}
