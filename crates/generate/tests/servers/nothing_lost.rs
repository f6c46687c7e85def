//! Many requests at once to a server that fails most of the time, or for good: nothing is lost, nothing is
//! mixed up, and nothing is asked for twice.

use super::support::{Connection, Seen, Server, ask, config, endpoint, piece, question};
use generate::{Cache, Cached, Completion, Endpoint, EndpointConfig, Error, Mode};
use serde_json::json;
use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;
use testkit::TempDir;

const REQUESTS: usize = 60;
const THREADS: usize = 4;

/// Which questions are asked.
fn text(number: usize) -> String {
    format!("What is {number}²?")
}

/// The pieces of the answer that the server means for a question.
fn meant(question: &str) -> Vec<String> {
    let number: usize =
        question.chars().filter(char::is_ascii_digit).collect::<String>().parse().unwrap_or(0);
    let words = ["The square ", "of ", &number.to_string(), " is ", &(number * number).to_string(), ". ∎\n"];
    words.map(str::to_owned).to_vec()
}

fn events(pieces: &[String]) -> String {
    pieces.iter().map(|text| format!("data: {}\n\n", piece(text))).collect()
}

fn answer(connection: &mut Connection, seen: &Seen) {
    connection.start_stream();
    connection.send(events(&meant(&seen.question())) + "data: [DONE]\n\n");
}

/// A number that looks like chance, from others.
fn chance(seed: u64, question: &str, time: usize) -> u64 {
    let bytes = question.bytes().map(u64::from).chain([time as u64]);
    let mixed =
        bytes.fold(seed, |state, byte| (state ^ byte).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29));
    (mixed ^ (mixed >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93) >> 33
}

/// Fails in one of many ways.
fn fail(connection: &mut Connection, seen: &Seen, way: u64) {
    let pieces = meant(&seen.question());
    let whole = json!({"choices": [{"message": {"content": pieces.concat()}}]}).to_string();
    match way % 15 {
        0 => {}
        1 => drop(connection.send("HTTP/1.1 200 OK\r\nContent-")),
        2 => {
            connection.send(format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", whole.len()));
            connection.send(&whole[..whole.len() / 2]);
        }
        3 => {
            connection.start_stream();
            connection.send(events(&pieces[..3]));
        }
        4 => connection.answer(500, "", "oh"),
        5 => connection.answer(503, "Retry-After: 1\r\n", "busy"),
        6 => connection.answer(429, "Retry-After: 2\r\n", "slowly"),
        7 => connection.answer(200, "", &whole[..whole.len() - 1]),
        8 => connection.answer(200, "Content-Type: text/html\r\n", "<p>Sign in"),
        9 => connection.answer(200, "", r#"{"choices":[]}"#),
        10 => {
            connection.start_stream();
            connection.send(events(&pieces[..2]));
            connection.send(b"data: \xFF\n\n");
        }
        11 => {
            connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{\"cho\r\nzz\r\n");
        }
        12 => {
            connection.start_stream();
            connection.send_without_end("data: xxxxxxxxxxx");
        }
        13 => {
            connection.start_stream();
            connection.send(events(&pieces[..1]));
            connection.wait_for_close();
        }
        _ => {
            connection.start_stream();
            connection.send(events(&pieces) + "data: {\"error\":{\"message\":\"lost\"}}\n\n");
        }
    }
}

/// Asks all questions from several threads, and gives the results in their order.
fn ask_all(generator: &Cached<Endpoint>) -> Vec<Result<Completion, Error>> {
    let next = AtomicUsize::new(0);
    let mut results: Vec<(usize, Result<Completion, Error>)> = thread::scope(|scope| {
        let work = || {
            let mut results = Vec::new();
            loop {
                let number = next.fetch_add(1, Ordering::SeqCst);
                if number >= REQUESTS {
                    return results;
                }
                results.push((number, ask(generator, &question(&text(number))).0));
            }
        };
        let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(work)).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    results.sort_by_key(|(number, _)| *number);
    results.into_iter().map(|(_, result)| result).collect()
}

fn check_all(results: &[Result<Completion, Error>]) {
    assert_eq!(results.len(), REQUESTS);
    for (number, result) in results.iter().enumerate() {
        let completion = result.as_ref().unwrap_or_else(|error| panic!("{number}: {error}"));
        assert_eq!(completion.text, meant(&text(number)).concat());
    }
}

#[test]
fn a_server_that_fails_most_of_the_time() {
    let times: Mutex<HashMap<String, usize>> = Mutex::new(HashMap::new());
    let server = Server::start(move |connection| {
        let seen = connection.request();
        let time = {
            let mut times = times.lock().unwrap();
            let time = times.entry(seen.question()).or_default();
            *time += 1;
            *time
        };
        // By the question and how often it came: the same in every run, whichever thread asks first.
        let way = chance(2022, &seen.question(), time);
        if time <= 8 && !way.is_multiple_of(4) {
            fail(connection, &seen, way / 4);
        } else {
            answer(connection, &seen);
        }
    });
    let config = EndpointConfig { attempts: 20, idle_timeout: Duration::from_millis(200), ..config(&server) };
    let folder = TempDir::new("generate-chance");
    let cache = Cache::open(folder.path()).unwrap();
    let cached = Cached::new(endpoint(config.clone()).0, cache.clone(), Mode::Use);
    check_all(&ask_all(&cached));
    let connections = server.connections();
    assert!(connections > 2 * REQUESTS, "most connections failed: {connections}");

    let cached = Cached::new(endpoint(config).0, cache, Mode::Only);
    check_all(&ask_all(&cached));
    assert_eq!(server.connections(), connections, "what is kept is not asked for");
}

#[test]
fn a_server_that_stops_for_good_and_comes_back() {
    const BEFORE: usize = 25;
    static IS_BACK: AtomicBool = AtomicBool::new(false);
    static ANSWERS: AtomicUsize = AtomicUsize::new(0);
    let server = Server::start(|connection| {
        let seen = connection.request();
        if ANSWERS.fetch_add(1, Ordering::SeqCst) < BEFORE || IS_BACK.load(Ordering::SeqCst) {
            answer(connection, &seen);
        }
    });
    let config = EndpointConfig { attempts: 2, ..config(&server) };
    let folder = TempDir::new("generate-stop");
    let cache = Cache::open(folder.path()).unwrap();

    let results = ask_all(&Cached::new(endpoint(config.clone()).0, cache.clone(), Mode::Use));
    let (good, bad): (Vec<_>, Vec<_>) = results.into_iter().partition(Result::is_ok);
    assert_eq!((good.len(), bad.len()), (BEFORE, REQUESTS - BEFORE));
    assert!(bad.iter().all(|result| result.as_ref().is_err_and(Error::is_temporary)));

    IS_BACK.store(true, Ordering::SeqCst);
    let before = server.connections();
    check_all(&ask_all(&Cached::new(endpoint(config).0, cache, Mode::Use)));
    assert_eq!(server.connections() - before, REQUESTS - BEFORE, "only what is missing is asked for");
}
