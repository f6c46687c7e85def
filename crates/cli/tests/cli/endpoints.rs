//! Servers that a language model is behind: what they refuse, what they must not learn others, and what is left
//! of a run that was killed.

use crate::util::{self, Dir, Outcome};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::Write;
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::Stdio;
use std::sync::{Arc, Condvar, Mutex};
use std::thread;

const TOPICS: &str = "sample/topics/Topics_Task1.xml";
const RUN: &str = "us-task3-labs-auto-both-generate-P.tsv";
const SECRET: &str = "sk-0123456789abcdef";

fn read(dir: &Dir, name: &str) -> String {
    std::fs::read_to_string(dir.path().join(name)).unwrap()
}

/// What was asked, in the order in which it came.
type Asked = Arc<Mutex<Vec<String>>>;

/// A server that answers each request by its number and its body, on a thread of its own.
fn server(answer: impl Fn(usize, &Value) -> (u16, Value) + Send + Sync + 'static) -> (String, Asked) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/v1", listener.local_addr().unwrap());
    let asked = Asked::default();
    let (list, answer) = (Arc::clone(&asked), Arc::new(answer));
    thread::spawn(move || {
        for stream in listener.incoming() {
            let (list, answer) = (Arc::clone(&list), Arc::clone(&answer));
            thread::spawn(move || stream.map(|stream| respond(stream, &list, &*answer)));
        }
    });
    (address, asked)
}

fn respond(mut stream: TcpStream, asked: &Asked, answer: &dyn Fn(usize, &Value) -> (u16, Value)) {
    let body = util::body_of_request(&stream);
    let body: Value = serde_json::from_slice(&body).unwrap_or_default();
    let number = {
        let mut asked = asked.lock().unwrap();
        asked.push(body["prompt"].as_str().unwrap_or_default().to_owned());
        asked.len()
    };
    let (status, text) = answer(number, &body);
    let text = text.to_string();
    let length = text.len();
    let _ =
        write!(stream, "HTTP/1.1 {status} X\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{text}");
}

fn good() -> (u16, Value) {
    (200, json!({ "choices": [{ "text": " It is $n$.", "finish_reason": "stop" }] }))
}

fn arguments<'a>(address: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let common =
        ["run", "--task", "3", "--topics", TOPICS, "--index", "hypatia.index", "--system", "labs-prompt"];
    [&common[..], &["--endpoint", address, "--model", "oracle", "-o", RUN], more].concat()
}

fn run(dir: &Dir, address: &str, more: &[&str]) -> Outcome {
    dir.run(&arguments(address, more))
}

/// Keeps what a server wrote as if the model `gone.gguf` had written it.
fn keep_as_of_a_file(kept: &Path, folder: &Path) {
    let written = files(kept);
    assert!(!written.is_empty());
    let cache = generate::Cache::open(folder.to_owned()).unwrap();
    for text in written {
        let kept: Value = serde_json::from_str(&text).unwrap();
        let request = serde_json::from_value(kept["request"].clone()).unwrap();
        let completion = serde_json::from_value(kept["completion"].clone()).unwrap();
        cache.put("gone.gguf (llama, 1M parameters, q4_0, xxh3 00)", &request, &completion).unwrap();
    }
}

fn sidecar(dir: &Dir) -> Value {
    serde_json::from_str(&read(dir, &format!("{RUN}.json"))).unwrap()
}

/// The contents of all files in a folder and below.
fn files(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries
        .flat_map(
            |path| {
                if path.is_dir() { files(&path) } else { vec![std::fs::read_to_string(path).unwrap()] }
            },
        )
        .collect()
}

#[test]
fn a_topic_that_is_refused_leaves_the_others() {
    let dir = util::sample("endpoints-refused");
    let topics = read(&dir, TOPICS).matches("<Topic number").count();
    // The second topic is the one that is too long, however often it comes.
    let second: Mutex<Option<String>> = Mutex::default();
    let (address, asked) = server(move |number, body| {
        let prompt = body["prompt"].as_str().unwrap_or_default();
        let mut second = second.lock().unwrap();
        if number == 2 {
            *second = Some(prompt.to_owned());
        }
        if second.as_deref() == Some(prompt) {
            return (400, json!({ "error": { "message": "the context has 4096 tokens at most" } }));
        }
        good()
    });
    let done = run(&dir, &address, &["-j", "1"]);
    assert_eq!(done.code, 1, "{}", done.stderr);
    assert!(done.stderr.contains("has no answer") && done.stderr.contains("4096 tokens"), "{}", done.stderr);
    assert!(done.stderr.contains(&format!("{} of {topics} topics answered", topics - 1)), "{}", done.stderr);
    let written = read(&dir, RUN);
    assert_eq!(written.lines().count(), topics - 1);
    let unanswered = sidecar(&dir)["unanswered"].clone();
    assert_eq!(unanswered.as_array().map(Vec::len), Some(1), "{unanswered}");
    assert!(unanswered[0]["reason"].as_str().unwrap().contains("4096 tokens"), "{unanswered}");
    assert!(!written.contains(&format!("{}\t", unanswered[0]["topic"].as_str().unwrap())), "{written}");
    assert_eq!(asked.lock().unwrap().len(), topics);
    let again = run(&dir, &address, &["-j", "1"]);
    assert_eq!((again.code, asked.lock().unwrap().len()), (1, topics + 1), "only that one is asked again");
    let kept = run(&dir, &address, &["--only-kept"]);
    assert_eq!((kept.code, asked.lock().unwrap().len()), (1, topics + 1), "{}", kept.stderr);
    assert_eq!(read(&dir, RUN), written);
}

/// A query made by hand finds sources; a formula alone would be no question at all.
#[test]
fn a_model_is_asked_the_question_of_the_topic_where_queries_were_made_by_hand() {
    let dir = util::sample("endpoints-by-hand");
    let text = read(&dir, TOPICS);
    let first = text.split("number=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
    let topic = text.split("</Topic>").next().unwrap();
    dir.write("one.xml", format!("{topic}</Topic></Topics>"));
    dir.write("picked.tsv", format!("topic\tformula\n{first}\tx^2+1\n"));
    let asked: Arc<Mutex<Vec<String>>> = Arc::default();
    let list = Arc::clone(&asked);
    let (address, _) = server(move |_, body| {
        let content = body["messages"][1]["content"].as_str().unwrap_or_default();
        list.lock().unwrap().push(content.to_owned());
        let message = json!({ "role": "assistant", "content": "It is $n$." });
        (200, json!({ "choices": [{ "message": message, "finish_reason": "stop" }] }))
    });
    let common = ["run", "--task", "3", "--topics", "one.xml", "--index", "hypatia.index"];
    let model = ["--endpoint", &address, "--model", "oracle", "--system"];
    let asked = |more: &[&str]| -> (String, String) {
        asked.lock().unwrap().clear();
        let done = dir.run(&[&common[..], &model, more].concat());
        assert_eq!(done.code, 0, "{}", done.stderr);
        let list = asked.lock().unwrap();
        assert_eq!(list.len(), 1, "{list:?}");
        let (sources, question) = list[0].rsplit_once("Question: ").unwrap();
        (sources.to_owned(), question.to_owned())
    };
    let own = asked(&["hypatia-sources", "-o", "own.tsv"]);
    let by_hand = asked(&["hypatia-sources", "--queries", "picked.tsv", "--no-twin", "-o", "by-hand.tsv"]);
    assert!(own.1.len() > 20, "{own:?}");
    assert_eq!(by_hand.1, own.1, "the question is the topic's");
    assert_ne!(by_hand.0, own.0, "the sources are those of the query");
    // Where nothing is searched for, a query would change nothing.
    let refused =
        dir.run(&[&common[..], &model, &["labs-prompt", "--queries", "picked.tsv", "-o", "x.tsv"]].concat());
    assert!(refused.code == 2 && refused.stderr.contains("--queries has no effect"), "{}", refused.stderr);
}

#[test]
fn a_server_that_refuses_all_topics_ends_the_run() {
    let dir = util::sample("endpoints-all-refused");
    let (address, asked) = server(|_, _| (400, json!({ "error": { "message": "no such model" } })));
    let done = run(&dir, &address, &["-j", "1"]);
    assert_eq!((done.code, asked.lock().unwrap().len()), (2, 3), "{}", done.stderr);
    assert!(done.stderr.contains("no such model"), "{}", done.stderr);
    assert!(!dir.path().join(RUN).exists());
    let (address, asked) = server(|_, _| (404, json!({ "error": { "message": "Not Found" } })));
    let done = run(&dir, &address, &["-j", "1", "--ask-again"]);
    assert_eq!((done.code, asked.lock().unwrap().len()), (2, 1));
    assert!(done.stderr.contains("--system labs-chat asks the same in a conversation"), "{}", done.stderr);
    assert!(done.stderr.contains("the same without --ask-again goes on"), "{}", done.stderr);
    let chat = ["ask", "--system", "labs-chat", "--endpoint", &address, "--model", "oracle", "why?"];
    assert!(!dir.run(&chat).stderr.contains("labs-chat"), "there is no more to try");
}

#[test]
fn a_key_is_seen_nowhere_whatever_a_server_does_with_it() {
    let dir = util::sample("endpoints-key");
    let (address, _) = server(|number, body| {
        if body.get("seed").is_some() {
            return (
                400,
                json!({ "error": { "message": format!("unsupported, {SECRET}"), "param": "seed" } }),
            );
        }
        let (status, mut answer) = good();
        answer["model"] = json!(format!("oracle-2 {SECRET}"));
        match number {
            5 => answer["choices"][0]["text"] = json!(format!("Your key is {SECRET}.")),
            6 => return (422, json!({ "error": { "message": format!("no, {SECRET}") } })),
            _ => {}
        }
        (status, answer)
    });
    let mut command = dir.command(&arguments(&address, &["-j", "1"]));
    let done = Outcome::from(command.env("HYPATIA_API_KEY", SECRET).output().unwrap());
    assert_eq!(done.code, 1, "{}", done.stderr);
    let sidecar = sidecar(&dir);
    assert_eq!(sidecar["unanswered"].as_array().map(Vec::len), Some(2), "{sidecar}");
    assert_eq!(sidecar["left_out"], json!(["seed"]));
    assert_eq!(sidecar["served_models"], json!(["oracle-2 [key]"]));
    assert_eq!(
        done.stderr.matches("does not take seed, and was asked without").count(),
        1,
        "{}",
        done.stderr
    );
    let kept = files(&dir.path().join(format!("{RUN}.cache")));
    assert!(kept.len() > 5 && kept[0].contains("\"left_out\""), "{}", kept[0]);
    for text in kept.iter().chain([&done.stderr, &done.stdout, &sidecar.to_string(), &read(&dir, RUN)]) {
        assert!(!text.contains(&SECRET[3..12]), "{text}");
    }
}

#[test]
fn what_may_be_a_secret_is_not_shown() {
    let dir = Dir::new("endpoints-secret");
    let check = |arguments: &[&str], expected: &str| {
        let done = dir.run(&[&["ask", "why?", "--model", "m", "--index", "x"], arguments].concat());
        assert_eq!(done.code, 2);
        assert!(!done.stderr.contains("secret"), "{arguments:?}: {}", done.stderr);
        assert!(done.stderr.contains(expected), "{arguments:?}: {}", done.stderr);
    };
    // The index is opened first; so there is one.
    for arguments in [
        &["sample", "-o", "sample"][..],
        &["collection", "build", "--sample", "-o", "sample.coll"],
        &["index", "sample.coll", "-o", "x"],
    ] {
        assert_eq!(dir.run(arguments).code, 0);
    }
    let local = "http://127.0.0.1:1/v1";
    check(&["--endpoint", local, "--key-variable", "sk-secret"], "no name of a variable");
    check(&["--endpoint", local, "--key-variable", "gsk_secret"], "it is not set");
    check(&["--endpoint", "me:secret@host/v1"], "there is an @ in it");
    check(&["--endpoint", "https:/me:secret@host/v1"], "there is an @ in it");
}

#[test]
fn a_key_that_is_empty_is_none_and_one_over_http_must_be_allowed() {
    let dir = util::sample("endpoints-empty-key");
    let (address, _) = server(|_, _| good());
    let ask = |address: &str, key: &str, more: &[&str]| {
        let common = ["ask", "--system", "labs-prompt", "--endpoint", address, "--model", "m", "why?"];
        let mut command = dir.command(&[&common[..], more].concat());
        Outcome::from(command.env("HYPATIA_API_KEY", key).output().unwrap())
    };
    let done = ask(&address, "", &[]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    let lan = "http://192.0.2.1:8000/v1";
    assert!(ask(lan, SECRET, &[]).stderr.contains("plain http"));
    let refused = ask(lan, SECRET, &["--key-over-http", "--attempts", "0"]);
    assert!(refused.stderr.contains("--attempts"), "{}", refused.stderr);
}

#[test]
fn a_seed_without_a_model_is_refused() {
    let dir = Dir::new("endpoints-seed");
    let done = dir.run(&["ask", "--seed", "3", "why?"]);
    assert_eq!(done.code, 2);
    assert!(done.stderr.contains("--model"), "{}", done.stderr);
}

#[test]
fn a_wait_is_told() {
    let dir = util::sample("endpoints-wait");
    let (address, asked) = server(|_, _| (503, json!({ "error": { "message": "busy" } })));
    let common = ["ask", "--system", "labs-prompt", "--endpoint", &address, "--model", "m", "why?"];
    let done = dir.run(&[&common[..], &["--attempts", "2"]].concat());
    assert_eq!((done.code, asked.lock().unwrap().len()), (2, 2));
    assert!(
        done.stderr.contains("the server: answered 503: busy; it is asked again in 1 s"),
        "{}",
        done.stderr
    );
}

#[test]
fn what_a_local_model_wrote_is_had_again_without_its_file() {
    let dir = util::sample("endpoints-absent");
    let (address, _) = server(|_, _| good());
    assert_eq!(run(&dir, &address, &["--tag", "us"]).code, 0);
    let written = read(&dir, RUN);
    keep_as_of_a_file(&dir.path().join(format!("{RUN}.cache")), &dir.path().join("kept"));
    let common =
        ["run", "--task", "3", "--topics", TOPICS, "--index", "hypatia.index", "--system", "labs-prompt"];
    let again = |model: &str, more: &[&str]| {
        let given = ["--cache", "kept", "--tag", "us", "-o", "again.tsv", "--model", model];
        dir.run(&[&common[..], &given, more].concat())
    };
    let done = again("models/gone.gguf", &["--only-kept"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert_eq!(read(&dir, "again.tsv"), written);
    let other = again("other.gguf", &["--only-kept"]);
    assert!(other.stderr.contains("nothing that a model of this name wrote is in kept"), "{}", other.stderr);
    assert!(again("gone.gguf", &[]).stderr.contains("gone.gguf: there is no such file"));
}

#[cfg(unix)]
#[test]
fn a_run_that_was_killed_asks_for_nothing_twice_but_what_was_in_flight() {
    const BEFORE: usize = 6;
    let dir = util::sample("endpoints-killed");
    let topics = read(&dir, TOPICS).matches("<Topic number").count();
    // Two threads ask; when both wait for an answer, all before them is kept.
    let gate = Arc::new((Mutex::new((0, false)), Condvar::new()));
    let held = Arc::clone(&gate);
    let (address, asked) = server(move |number, _| {
        let (state, changed) = &*held;
        let mut state = state.lock().unwrap();
        if number > BEFORE && !state.1 {
            state.0 += 1;
            changed.notify_all();
            while !state.1 {
                state = changed.wait(state).unwrap();
            }
        }
        good()
    });
    let mut command = dir.command(&arguments(&address, &["-j", "2"]));
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let (state, changed) = &*gate;
    let mut waiting = state.lock().unwrap();
    while waiting.0 < 2 {
        waiting = changed.wait(waiting).unwrap();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    waiting.1 = true;
    changed.notify_all();
    drop(waiting);
    assert!(!dir.path().join(RUN).exists());
    let before = asked.lock().unwrap().clone();
    assert_eq!(before.len(), BEFORE + 2);
    let done = run(&dir, &address, &["-j", "2"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert_eq!(read(&dir, RUN).lines().count(), topics);
    let mut times: BTreeMap<String, usize> = BTreeMap::new();
    for prompt in asked.lock().unwrap().iter() {
        *times.entry(prompt.clone()).or_default() += 1;
    }
    assert_eq!(times.len(), topics);
    for (prompt, times) in times {
        let in_flight = before[BEFORE..].contains(&prompt);
        assert_eq!(times, if in_flight { 2 } else { 1 }, "{prompt}");
    }
}

/// The labs' baseline of Task 3: a model that continues their prompt.
#[test]
fn lab_baselines_let_a_model_write_the_baseline_of_task_3() {
    let dir = util::sample("endpoints-baselines");
    let topics = read(&dir, TOPICS).matches("<Topic number").count();
    let (address, asked) = server(|_, _| good());
    let questions = format!("1={TOPICS}");
    let made = dir.run(&["lab", "init", "lab", "--name", "x", "--topics", &questions, "--tasks", "1,3"]);
    assert_eq!(made.code, 0, "{}", made.stderr);
    let common = ["lab", "baselines", "lab", "--index", "hypatia.index", "--task", "3"];
    let model = ["--endpoint", address.as_str(), "--model", "oracle"];
    let done = dir.run(&[&common[..], &model].concat());
    assert_eq!(done.code, 0, "{}", done.stderr);
    let name = "Baselines-task3-labs_prompt-auto-both-generate-P.tsv";
    assert!(done.stderr.contains(&format!("taken: {name}")), "{}", done.stderr);
    let run = read(&dir, &format!("lab/runs/main/{name}"));
    assert_eq!(run.lines().filter(|line| line.ends_with("It is $n$.")).count(), topics, "{run}");
    let prompts = asked.lock().unwrap().clone();
    assert!(
        prompts.iter().all(|prompt| prompt.starts_with("Q: ") && prompt.ends_with("\n\nA:")),
        "{prompts:?}"
    );
    let record: Value = serde_json::from_str(&read(&dir, &format!("lab/runs/main/{name}.json"))).unwrap();
    assert_eq!(
        (record["system"].as_str(), record["kind"].as_str()),
        (Some("labs-prompt"), Some("generated"))
    );
    // What was written is kept: the same needs nobody.
    let again = dir.run(
        &[&common[..], &["--model", "oracle", "--endpoint", &address, "--only-kept", "--replace"]].concat(),
    );
    assert_eq!(again.code, 0, "{}", again.stderr);
    assert_eq!(asked.lock().unwrap().len(), prompts.len());
    // A GGUF file is a model as well.
    keep_as_of_a_file(&dir.path().join("lab/cache"), &dir.path().join("kept"));
    let file = ["--model", "models/gone.gguf", "--cache", "kept", "--only-kept", "--replace"];
    let by_file = dir.run(&[&common[..], &file].concat());
    assert_eq!(by_file.code, 0, "{}", by_file.stderr);
    assert_eq!(read(&dir, &format!("lab/runs/main/{name}")), run);
    let record: Value = serde_json::from_str(&read(&dir, &format!("lab/runs/main/{name}.json"))).unwrap();
    assert!(record["model"].to_string().contains("gone.gguf"), "{record}");
    let ranked =
        dir.run(&["lab", "baselines", "lab", "--index", "hypatia.index", "--task", "1", "--model", "oracle"]);
    assert!(ranked.code == 2 && ranked.stderr.contains("--model has no effect"), "{}", ranked.stderr);
}
