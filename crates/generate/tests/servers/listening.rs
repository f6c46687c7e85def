//! Whoever listens: what is told, and that nobody is kept waiting who wants no more.

use super::support::{
    Connection, GOOD, Server, ask, cause, check_good, config, endpoint, good_stream, piece, question,
};
use generate::{Cause, Completion, Continue, Ended, EndpointConfig, Event, Generator, Key, Request};
use serde_json::json;
use std::sync::{Mutex, mpsc};
use std::time::{Duration, Instant};

const SECRET: &str = "sk-0123456789abcdef";

/// Asks a server that falls silent after this, stops at the third word that there is nothing to tell, and
/// waits until the server sees that the connection is closed.
fn stop_in_silence(before: &'static str) -> Completion {
    let (sender, receiver) = mpsc::channel();
    let sender = Mutex::new(sender);
    let server = Server::start(move |connection| {
        connection.request();
        connection.send(before);
        connection.wait_for_close();
        let _ = sender.lock().unwrap().send(());
    });
    let hour = Duration::from_secs(3600);
    let config = EndpointConfig { idle_timeout: hour, answer_timeout: hour, ..config(&server) };
    let (endpoint, waits) = endpoint(config);
    let (start, mut silent) = (Instant::now(), 0);
    let completion = endpoint.generate(&question("?"), &mut |event| {
        silent += usize::from(event == Event::Waiting);
        if silent < 3 { Continue::Yes } else { Continue::No }
    });
    let completion = completion.unwrap();
    receiver.recv_timeout(Duration::from_secs(30)).expect("the connection is closed");
    assert!(start.elapsed() < Duration::from_secs(30));
    assert_eq!((completion.ended, server.connections(), waits.list().len()), (Ended::Stopped, 1, 0));
    completion
}

#[test]
fn a_silent_server_keeps_nobody() {
    assert_eq!(stop_in_silence("").text, "");
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n";
    assert_eq!(stop_in_silence(head).text, "");
    let text = "HTTP/1.1 200 OK\r\n\r\ndata: {\"choices\":[{\"delta\":{\"content\":\"e\"}}]}\n\n";
    assert_eq!(stop_in_silence(text).text, "e");
}

#[test]
fn who_is_gone_before_the_first_attempt_is_not_asked_for() {
    let server = Server::start(Connection::answer_well);
    let (endpoint, _) = endpoint(config(&server));
    let completion = endpoint.generate(&question("?"), &mut |_| Continue::No).unwrap();
    assert_eq!((completion.ended, server.connections()), (Ended::Stopped, 0));
}

#[test]
fn no_piece_of_the_key_is_told() {
    let server = Server::start(|connection| {
        connection.request();
        connection.start_stream();
        for text in ["Yours is ", "sk-012", "3456\u{1B}", "789abcd", "ef."] {
            connection.send(format!("data: {}\n\n", piece(text)));
        }
        connection.send("data: [DONE]\n\n");
    });
    let key = Some(Key::new(SECRET).unwrap());
    let (endpoint, _) = endpoint(EndpointConfig { key, ..config(&server) });
    let (result, told) = ask(&endpoint, &question("?"));
    assert_eq!(cause(result.unwrap_err()), Cause::HoldsKey);
    assert_eq!(told, ["Yours is "]);
}

#[test]
fn texts_end_at_a_stop_of_which_the_server_knows_nothing() {
    let server = Server::start(|connection| {
        connection.request();
        connection.start_stream();
        for text in ["It is 4.\n", "Q", ": And", " now?"] {
            connection.send(format!("data: {}\n\n", piece(text)));
        }
        connection.wait_for_close();
    });
    let (endpoint, _) = endpoint(config(&server));
    let request = Request { stop: vec!["\nQ:".to_owned()], ..question("?") };
    let (result, told) = ask(&endpoint, &request);
    let completion = result.unwrap();
    assert_eq!((completion.text.as_str(), completion.ended), ("It is 4.", Ended::Itself));
    assert_eq!(told.concat(), "It is 4.");
}

#[test]
fn servers_that_take_neither_stops_nor_streams() {
    let server = Server::start(|connection| {
        let body = connection.request().body;
        match ["stop", "stream"].into_iter().find(|name| body.get(name).is_some()) {
            Some(name) => {
                let error = json!({"message": "This is not supported.", "param": name});
                connection.answer(400, "", json!({ "error": error }).to_string());
            }
            None => {
                let choice =
                    json!({"message": {"content": format!("{GOOD}\nQ: no")}, "finish_reason": "stop"});
                let body = json!({"choices": [choice], "model": "m-2", "system_fingerprint": "fp"});
                connection.answer(200, "", body.to_string());
            }
        }
    });
    let (endpoint, _) = endpoint(config(&server));
    let request = Request { stop: vec!["\nQ:".to_owned()], ..question("?") };
    let result = ask(&endpoint, &request).0;
    check_good(&result);
    let served = result.unwrap().served;
    assert_eq!(served.left_out, ["stop", "stream"]);
    assert_eq!((served.model.as_deref(), served.system_fingerprint.as_deref()), (Some("m-2"), Some("fp")));
    assert!(server.seen()[2].body.get("stream_options").is_none(), "it is about streams");
}

#[test]
fn the_key_is_not_taken_for_the_name_of_a_model() {
    let server = Server::start(|connection| {
        connection.request();
        let body = json!({"model": SECRET, "system_fingerprint": SECRET, "choices": [{"text": "4"}]});
        connection.answer(200, "", body.to_string());
    });
    let key = Some(Key::new(SECRET).unwrap());
    let (endpoint, _) = endpoint(EndpointConfig { key, ..config(&server) });
    let completion = ask(&endpoint, &question("?")).0.unwrap();
    assert_eq!(completion.served.model.as_deref(), Some("[key]"));
    assert!(!format!("{completion:?}").contains("0123"));
}

#[test]
fn a_stream_that_stays_open_after_its_end_is_not_waited_for() {
    let server = Server::start(|connection| {
        connection.request();
        connection.start_stream();
        connection.send(good_stream().replace("data: [DONE]\n\n", ""));
        connection.wait_for_close();
    });
    let hour = Duration::from_secs(3600);
    let config = EndpointConfig { idle_timeout: hour, answer_timeout: hour, ..config(&server) };
    let (endpoint, waits) = endpoint(config);
    let start = Instant::now();
    let result = ask(&endpoint, &question("?")).0;
    check_good(&result);
    assert_eq!(result.unwrap().completion_tokens, Some(5), "what came before it was closed counts");
    assert!(start.elapsed() < Duration::from_secs(60) && waits.list().is_empty());
}

#[test]
fn why_and_how_long_is_waited_is_told() {
    static TOLD: Mutex<Vec<String>> = Mutex::new(Vec::new());
    let server = Server::start(|connection| {
        connection.request();
        match connection.number {
            0 => connection.answer(429, "Retry-After: 1.5\r\n", "slowly"),
            1 => connection.answer(503, "retry-after-ms: 4500\r\nRetry-After: 9\r\n", "busy"),
            _ => {
                connection.start_stream();
                connection.send(good_stream());
            }
        }
    });
    let told = |cause: &Cause, wait: Duration| TOLD.lock().unwrap().push(format!("{cause}; {wait:?}"));
    let (endpoint, waits) = endpoint(EndpointConfig { on_retry: Some(told), ..config(&server) });
    check_good(&ask(&endpoint, &question("?")).0);
    assert_eq!(waits.list(), [Duration::from_millis(1500), Duration::from_millis(4500)]);
    assert_eq!(*TOLD.lock().unwrap(), ["answered 429: slowly; 1.5s", "answered 503: busy; 4.5s"]);
}
