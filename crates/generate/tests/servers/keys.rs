//! The key is sent to the server that was named, and is seen nowhere else.

use super::support::{Connection, Server, ask, check_good, config, endpoint, question};
use generate::{Cache, Cached, Cause, Endpoint, EndpointConfig, Error, Key, Mode};
use std::fs;
use std::path::Path;
use testkit::TempDir;

const SECRET: &str = "sk-0123456789abcdef";

fn with_key(server: &Server) -> EndpointConfig {
    EndpointConfig { key: Some(Key::new(SECRET).unwrap()), ..config(server) }
}

fn check_hidden(text: &str) {
    assert!(!text.contains(&SECRET[3..10]), "{text}");
}

#[test]
fn unauthorised_with_the_key_in_the_message() {
    let server = Server::start(|connection| {
        let head = connection.request().head;
        connection.answer(
            401,
            "",
            format!("{{\"error\":{{\"message\":\"no: {SECRET}\"}},\"head\":{head:?}}}"),
        );
    });
    let (endpoint, waits) = endpoint(with_key(&server));
    let error = ask(&endpoint, &question("?")).0.unwrap_err();
    assert_eq!((server.connections(), waits.list().len()), (1, 0));
    assert!(server.seen()[0].head.contains(&format!("Bearer {SECRET}")), "the server got it");
    check_hidden(&format!("{error} {error:?}"));
    assert!(error.to_string().contains("answered 401: no: [key]"), "{error}");
}

#[test]
fn the_key_in_every_place_that_gets_into_an_error() {
    let answers = [
        format!("HTTP/1.1 307 X\r\nLocation: https://a.org/{SECRET}\r\n\r\n"),
        format!("HTTP/1.1 400 X\r\n\r\nplain {SECRET}"),
        format!("HTTP/1.1 200 X\r\nContent-Type: {SECRET}\r\n\r\nhello"),
        format!("HTTP/1.1 200 X\r\n\r\n{{\"choices\":\"{SECRET}\"}}"),
        format!("HTTP/1.1 200 X\r\n\r\n{{\"error\":\"{SECRET}\"}}"),
        format!("HTTP/1.1 200 X\r\n\r\n{{\"choices\":[{{\"text\":\"\",\"finish_reason\":\"{SECRET}\"}}]}}"),
        format!("{SECRET}\r\n\r\n"),
        format!("HTTP/1.1 200 X\r\nContent-Length: {SECRET}\r\n\r\n"),
    ];
    for answer in answers {
        let text = answer.clone();
        let server = Server::start(move |connection| {
            connection.request();
            connection.send(&text);
        });
        let (endpoint, _) = endpoint(with_key(&server));
        let error = ask(&endpoint, &question("?")).0.expect_err(&answer);
        check_hidden(&format!("{error} {error:?}"));
    }
}

#[test]
fn an_answer_that_holds_the_key_is_not_kept() {
    let server = Server::start(|connection| {
        let head = connection.request().head;
        let body = serde_json::json!({"choices": [{"text": format!("You said {head}")}]});
        connection.answer(200, "", body.to_string());
    });
    let folder = TempDir::new("generate-echo");
    let cache = Cache::open(folder.path()).unwrap();
    let (endpoint, _) = endpoint(with_key(&server));
    let cached = Cached::new(endpoint, cache, Mode::Use);
    let error = ask(&cached, &question("?")).0.unwrap_err();
    assert!(matches!(error, Error::Endpoint { cause: Cause::HoldsKey, .. }), "{error}");
    assert_eq!(files(folder.path()).len(), 0);
}

#[test]
fn the_key_is_in_no_kept_file() {
    let server = Server::start(Connection::answer_well);
    let folder = TempDir::new("generate-key");
    let cache = Cache::open(folder.path()).unwrap();
    let (endpoint, _) = endpoint(with_key(&server));
    check_good(&ask(&Cached::new(endpoint, cache, Mode::Use), &question("?")).0);
    let files = files(folder.path());
    assert_eq!(files.len(), 1);
    check_hidden(&files[0]);
}

/// The contents of all files in a folder and below.
fn files(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries
        .flat_map(|path| if path.is_dir() { files(&path) } else { vec![fs::read_to_string(path).unwrap()] })
        .collect()
}

#[test]
fn a_key_is_not_shown_with_the_configuration() {
    let server = Server::start(Connection::answer_well);
    check_hidden(&format!("{:?}", with_key(&server)));
}

#[test]
fn a_key_is_not_sent_over_plain_http_to_another_machine() {
    let server = Server::start(Connection::answer_well);
    let address = "http://192.0.2.1/v1".to_owned();
    let error = Endpoint::new(EndpointConfig { address, ..with_key(&server) }).err().unwrap();
    check_hidden(&error.to_string());
    assert!(matches!(error, Error::Address { .. }));
}
